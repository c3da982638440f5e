"""Shepherd keeps what every game of the family keeps, and its own rule."""

from bullpen.engine import Seeded, new_game
from bullpen.testing import check_ruleset
from bullpen_shepherd import Shepherd


def test_it_is_a_game_of_the_family() -> None:
    check_ruleset(Shepherd)


def test_the_guarded_row_is_safe_from_low_cards() -> None:
    rules = Shepherd(2)
    position, _ = new_game(rules, Seeded(1))
    rules.walk(position, 2)
    assert [take.notation for take in rules.options_choose_row(position, 0, 1)] == ["r1", "r2", "r4"]


def test_the_shepherd_follows_a_take() -> None:
    rules = Shepherd(2)
    position, _ = new_game(rules, Seeded(1))
    card = position.hands[0][0]
    position.table = rules.leave_hand(position, 0, rules.options_commit(position, 0)[0])
    rules.take(position, 3, "low")
    assert position.guarded == 3
    assert position.rows[3] == [card]
