"""Beat the Buffalo: alone `hard` searches, in a team it does what the others can expect of it."""

from collections.abc import Sequence
from typing import Any

import pytest

from bullpen.bots import player
from bullpen.bots.games import heuristic_games
from bullpen.bots.games.heuristic_games import HEURISTICS, LARGE_TEAM, TEAM
from bullpen.bots.heuristics import Heuristic
from bullpen.bots.registry import Mind
from bullpen.bots.search.any_game import Effort, weigh
from bullpen.engine import Ask, Choice, View
from tests.bots.test_imagined import questions


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Heuristic, Effort]]:
    """Return by which heuristic and how hard is searched, where nothing is: the first option is taken."""
    found: list[tuple[Heuristic, Effort]] = []

    def search(_view: View, ask: Ask, _mind: Mind, heuristic: Heuristic, effort: Effort) -> Choice:
        found.append((heuristic, effort))
        return ask.options[0]

    monkeypatch.setattr(heuristic_games, "search", search)
    return found


def test_alone_hard_searches(searches: list[Any]) -> None:
    seen, ask = questions("buffalo", 1, seed=3, most=1)[0]
    player("hard", 1).choose(seen, ask)
    assert searches == [(HEURISTICS["buffalo"], heuristic_games.HARD)]


@pytest.mark.parametrize(("players", "team"), [(3, TEAM), (6, LARGE_TEAM)])
def test_in_a_team_hard_takes_what_costs_least_and_searches_nothing(
    players: int, team: Heuristic, searches: list[Any]
) -> None:
    kinds = set()
    for seen, ask in questions("buffalo", players, seed=3, most=6):
        costs: Sequence[float] = weigh(seen, ask, Mind(1, seen, ask), team)
        chosen = player("hard", 1).choose(seen, ask)
        assert costs[ask.options.index(chosen)] == min(costs)
        kinds.add(ask.kind)
    assert "commit" in kinds
    assert searches == []


def test_alone_expert_searches_harder(searches: list[Any]) -> None:
    seen, ask = questions("buffalo", 1, seed=3, most=1)[0]
    player("expert", 1).choose(seen, ask)
    assert searches == [(HEURISTICS["buffalo"], heuristic_games.EXPERT)]


def test_to_a_team_a_low_card_is_dear_within_playouts_too() -> None:
    assert TEAM.weights.undercut == TEAM.swift.weights.undercut > HEURISTICS["buffalo"].weights.undercut
