"""Second sight over the wire: what the engine foresees, for every answer that places something."""

from bullpen.engine import Seeded, new_game, preview, unseen, view
from bullpen.rulesets import make
from bullpen.server.doors.looks import looks


def test_every_answer_that_places_a_card_is_told_by_its_notation() -> None:
    rules = make("nifty", 3)
    position, _ = new_game(rules, Seeded(1))
    seen = view(rules, position, 1)
    assert seen.ask is not None
    found = looks(rules, seen)
    assert found.goes == {option.notation: preview(rules, seen, option) for option in seen.ask.options}
    assert found.unseen == unseen(rules, seen)
    assert found.limits == (5, 5, 5, 5)


def test_an_answer_that_places_nothing_is_left_out() -> None:
    rules = make("logic", 3)
    position, _ = new_game(rules, Seeded(1))
    assert looks(rules, view(rules, position, 0)).goes == {}


def test_a_spectator_is_told_nothing_of_anybodys_cards() -> None:
    rules = make("base", 3)
    position, _ = new_game(rules, Seeded(1))
    assert looks(rules, view(rules, position, None)).goes == {}
