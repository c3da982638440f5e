"""`expert` in Anniversary and Beat the Buffalo: number cards are searched as in the base game."""

from typing import Any

import numpy as np
import pytest

import bullpen
from bullpen.bots import player
from bullpen.bots.games import heuristic_games
from bullpen.bots.games.heuristic_games import CROWD, SEARCHED, TEAM, team_of
from bullpen.bots.heuristics.anniversary import WORTH
from bullpen.bots.levels import expert, with_specials
from bullpen.bots.levels.with_specials import BEYOND, question_in_base
from bullpen.bots.registry import Mind
from bullpen.bots.search.any_game import Effort, weigh
from bullpen.bots.search.decision import ROOT, Question
from bullpen.engine import Ask, Choice, UseSpecial, View
from bullpen.fast.errors import NotCovered
from bullpen.fast.rules import BASE, HEADS, NOWHERE, cheapest, spot_for
from tests.bots.test_imagined import questions

ANNIVERSARY = SEARCHED["anniversary"]


def asked_for_a_card(game: str, players: int, seed: int = 3) -> tuple[View, Ask]:
    """Return the first question for a card of a game played at random."""
    return next(each for each in questions(game, players, seed, most=1) if each[1].kind == "commit")


def mark(seen: View, row: int, name: str) -> None:
    """Lay a special card of the deck at a row."""
    position: Any = seen.position
    position.special_deck.pop()
    position.markers[row].append(name)


def in_anniversary(seen: View, ask: Ask) -> Question:
    return question_in_base(seen, ask.options, Mind(1, seen, ask).rng, ANNIVERSARY, wild=0)


def laid_out(asked: Question) -> list[tuple[int, int, int, int]]:
    """Return first card, end, number of cards and bullheads of each row."""
    t = asked.decision.table
    return [
        (int(t.rows[ROOT, r, 0]), int(t.ends[ROOT, r]), int(t.counts[ROOT, r]), int(t.heads[ROOT, r]))
        for r in range(4)
    ]


def as_laid(row: list[int]) -> tuple[int, int, int, int]:
    return row[0], row[-1], len(row), int(HEADS[row].sum())


def test_without_special_cards_on_the_table_it_is_the_base_game() -> None:
    seen, ask = asked_for_a_card("anniversary", 4)
    asked = in_anniversary(seen, ask)
    assert laid_out(asked) == sorted((as_laid(row) for row in seen.rows), key=lambda row: row[1])
    d = asked.decision
    assert asked.plan.players == 4
    assert d.hands[0, : d.sizes[0]].tolist() == seen.hand
    assert set(d.sizes) == {len(seen.hand)}
    shown = {card for row in seen.rows for card in row} | {card for pile in seen.piles for card in pile}
    assert set(d.pool.tolist()) == set(range(1, 105)) - shown - set(seen.hand) - set(seen.position.aside)
    assert list(asked.options.values()) == list(ask.options)


def test_a_row_that_holds_six_has_more_room_and_costs_as_much() -> None:
    seen, ask = asked_for_a_card("anniversary", 4)
    mark(seen, 1, "seven")
    first, end, count, heads = as_laid(seen.rows[1])
    assert (first, end, count - 1, heads) in laid_out(in_anniversary(seen, ask))


def test_no_card_goes_to_a_stopped_row_and_nobody_takes_it() -> None:
    seen, ask = asked_for_a_card("anniversary", 4)
    mark(seen, 0, "stop")
    asked = in_anniversary(seen, ask)
    ends = [row[1] for row in laid_out(asked)]
    assert ends == [*sorted(row[-1] for row in seen.rows[1:]), BEYOND]
    table = asked.decision.table
    spots = {int(spot_for(BASE, table, ROOT, card)) for card in range(1, 105)}
    assert spots == {0, 1, 2, NOWHERE}
    assert cheapest(table, ROOT, NOWHERE) != ends.index(BEYOND)


def test_of_five_rows_the_one_that_fewest_cards_go_to_is_left_out() -> None:
    seen, ask = asked_for_a_card("anniversary", 4)
    position: Any = seen.position
    beside = next(row[-1] for row in position.rows if row[-1] < 104 and row[-1] + 1 not in seen.hand)
    position.deck.pop()
    position.rows.append([beside + 1])
    position.markers.append([])
    mark(seen, 4, "fifth-row")
    ends = [row[1] for row in laid_out(in_anniversary(seen, ask))]
    assert ends == sorted(row[-1] for row in seen.rows if row[-1] != beside)


def test_the_buffalo_is_one_more_who_plays_any_card() -> None:
    seen, ask = asked_for_a_card("buffalo", 3)
    asked = question_in_base(seen, ask.options, Mind(1, seen, ask).rng, TEAM, wild=1)
    assert asked.plan.players == 4
    assert asked.decision.wild[0] == 0.0
    assert (asked.decision.wild == 1.0).tolist() == [False, False, False, True]
    assert len(asked.decision.pool) == 104 - len(seen.hand) - sum(map(len, seen.rows)) - sum(
        map(len, seen.piles)
    )


@pytest.mark.parametrize(("game", "players"), [("anniversary", 4), ("buffalo", 3)])
def test_it_does_not_hang_on_what_is_imagined(game: str, players: int) -> None:
    seen, ask = asked_for_a_card(game, players)
    ours, theirs = (
        question_in_base(seen, ask.options, Mind(seed, seen, ask).rng, SEARCHED[game], wild=0)
        for seed in (1, 2)
    )
    assert laid_out(ours) == laid_out(theirs)
    for part in ("hands", "sizes", "known", "pool", "hidden", "wild"):
        assert np.array_equal(getattr(ours.decision, part), getattr(theirs.decision, part)), part


def test_the_heuristic_has_as_much_say_as_it_is_given() -> None:
    seen, ask = asked_for_a_card("buffalo", 3)
    mind = Mind(1, seen, ask)
    costs = weigh(seen, ask, mind, TEAM)
    by_heuristic = with_specials.best_card(seen, ask, mind, TEAM, say=1e6, wild=1)
    assert costs[ask.options.index(by_heuristic)] == min(costs)
    asked = question_in_base(seen, ask.options, mind.rng, TEAM, wild=1)
    searched = expert.costs_with_opinion(asked, "base", expert.search(asked, "base", mind, expert.VALUES))
    best = asked.options[min(searched, key=lambda number: searched[number])]
    assert with_specials.best_card(seen, ask, mind, TEAM, say=0.0, wild=1) == best


@pytest.mark.parametrize(
    ("game", "players"), [("anniversary", 3), ("anniversary", 6), ("buffalo", 3), ("buffalo", 6)]
)
def test_cards_go_by_the_base_game_and_nothing_else_does(
    game: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    cards: list[Any] = []
    searches: list[tuple[str, int]] = []

    def best_card(_view: View, ask: Ask, _mind: Mind, *how: Any, **more: Any) -> Choice:
        cards.append((ask.kind, how, more))
        return ask.options[0]

    def search(_view: View, ask: Ask, _mind: Mind, _heuristic: Any, effort: Effort) -> Choice:
        searches.append((ask.kind, effort.reach))
        return ask.options[0]

    monkeypatch.setattr(with_specials, "best_card", best_card)
    monkeypatch.setattr(heuristic_games, "search", search)
    for seen, ask in questions(game, players, seed=3, most=2):
        player("expert", 1).choose(seen, ask)
    assert {kind for kind, _, _ in cards} == {"commit"}
    if game == "anniversary":
        assert all(how == (CROWD if players == 6 else ANNIVERSARY,) and not more for _, how, more in cards)
        assert ("choose_row", 1) in searches
    else:
        assert all(how[0] is team_of(players) and more == {"wild": 1} for _, how, more in cards)
        assert searches == []


def test_hands_longer_than_any_that_is_dealt_are_searched_by_the_engine() -> None:
    rest = [card for card in range(1, 105) if card not in (10, 20, 30, 40)]
    game = bullpen.position("anniversary", rows=[[10], [20], [30], [40]], hands=[rest[:30], rest[30:60]])
    seen = game.view(0)
    assert seen.ask is not None
    with pytest.raises(NotCovered, match=r"^Hands that no deal can have brought"):
        in_anniversary(seen, seen.ask)
    assert player("expert", 1).choose(seen, seen.ask) in seen.ask.options


def test_in_a_crowd_special_cards_stay_dear_until_late() -> None:
    windows = [
        each for each in questions("anniversary", 6, seed=4, most=400) if each[1].kind == "use_special"
    ]
    for seen, ask in windows:
        usual, crowd = (weigh(seen, ask, Mind(1, seen, ask), each) for each in (ANNIVERSARY, CROWD))
        assert usual[0] == crowd[0]
        ahead = 1 - ((seen.position.round - 1) * 12 + seen.position.trick) / 24
        for option, one, other in zip(ask.options[1:], usual[1:], crowd[1:], strict=True):
            assert isinstance(option, UseSpecial)
            assert other - one == pytest.approx(2.5 * WORTH[option.name] * (ahead**0.5 - ahead))
    assert {seen.position.trick for seen, _ in windows} >= {1, 2, 3, 4}
