"""`expert` of Tournament: after the draft it plays as in Logic, with all hands known."""

import pytest

import bullpen
from bullpen.bots import player
from bullpen.bots.search import decision
from bullpen.engine import PlayCard, View
from bullpen.fast.convert import Start
from bullpen.positions import position


@pytest.mark.parametrize("players", [2, 5, 10])
def test_a_tournament_is_played_to_its_end(players: int) -> None:
    options = {"tournament.maxPlayers": 10} if players > 5 else {}
    game = bullpen.new_game("tournament", players, seed=2, options=options)
    kinds = set()
    while not game.over and game.position.round < 3:
        ask = game.asks[0]
        level = "expert" if ask.seats[0] == 0 else "medium"
        kinds.add((level, ask.kind))
        game.choose(ask.seats[0], player(level, 1, stop=lambda: True).choose(game.view(ask.seats[0]), ask))
    assert {("expert", "draft_pick"), ("expert", "commit")} <= kinds


def test_all_hands_are_known_to_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    known: list[tuple[list[bool], int]] = []

    def note(start: Start) -> decision.Decision:
        made = decision_of(start)
        known.append((made.known.tolist(), start.pool.size))
        return made

    decision_of = decision.decision_of
    monkeypatch.setattr(decision, "decision_of", note)
    seen = _three_cards_each()
    assert seen.ask is not None
    player("expert", 1).choose(seen, seen.ask)
    assert known == [([True] * 3, 0)]


def test_whoever_must_take_a_dear_row_is_let_do_it() -> None:
    seen = _three_cards_each()
    assert seen.ask is not None
    assert player("expert", 1).choose(seen, seen.ask) != PlayCard(15)


def _three_cards_each() -> View:
    """The first row is full: 15 takes it now, or somebody else's 16 or 17 does and 15 costs one bullhead."""
    rows = [[10, 11, 12, 13, 14], [20], [30], [34]]
    hands = [[15, 31, 32], [16, 21, 22], [17, 23, 24]]
    return position("tournament", rows, hands).view(0)
