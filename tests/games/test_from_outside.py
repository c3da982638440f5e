"""Games of other packages with other bullheads, more rows or a team: right wherever they are played."""

import io
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

import bullpen
from bullpen import bots, rulesets
from bullpen.analysis import evaluate
from bullpen.engine import TakeRow, preview
from bullpen.engine.events import Took
from bullpen.envs.actions import FULL, ROW, action_count
from bullpen.envs.layout import layout_of, most_waiting
from bullpen.fast import NotCovered, from_position
from bullpen.rulesets.base import Base
from bullpen.rulesets.hand import Hand
from bullpen.terminal.watch import watch
from bullpen.testing import Broken, check_ruleset
from tests.other_games import FiveRows, Nines, Wolves
from tests.outside import others_installed

KINDS = (Nines, FiveRows, Wolves)


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The games, as if they had been installed."""
    for path in others_installed(tmp_path):
        monkeypatch.syspath_prepend(path)
    caches = (rulesets.games, rulesets._outside)
    for found in caches:
        found.cache_clear()
    yield
    for found in caches:
        found.cache_clear()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.id)
def test_they_are_games_of_the_family(kind: type[Base[bullpen.Position]]) -> None:
    tried = check_ruleset(kind)
    assert tried.tried[1].startswith("PettingZoo")
    assert tried.tried[2:] == ("the terminal", "what a server tells of the game")
    assert len(tried.left_out) == 1


def test_what_the_environments_cannot_play_is_said() -> None:
    class Crowded(FiveRows):
        """More rows than there are numbers for."""

        id = "crowded"
        row_count = 11
        player_range = range(2, 4)

    with pytest.raises(
        Broken, match="does not get through the environments: Unspeakable: There is no number"
    ):
        check_ruleset(Crowded)
    assert "crowded" not in rulesets.games()


def low_card_before() -> bullpen.Game:
    """Return Nines where the 8 takes row 4 for nothing, and any other row for nine a card."""
    rows = [[11, 13, 15], [21], [31, 33], [42, 44, 50]]
    game = bullpen.position("nines", rows=rows, hands=[[8, 97, 99], [60, 96, 98]])
    game.choose(0, 8)
    game.choose(1, 60)
    return game


def test_a_take_costs_what_the_cards_show() -> None:
    game = low_card_before()
    game.choose(0, "r1")
    (took,) = [event for event in game.events if isinstance(event, Took)]
    assert (took.bullheads, game.position.points) == (27, [27, 0])


def test_previews_and_reasons_tell_the_same() -> None:
    game = low_card_before()
    seen = game.view(0)
    costs = [preview(game.rules, seen, TakeRow(row))[0].bullheads for row in range(4)]
    assert costs == [27, 9, 18, 0]
    told = {
        option.choice: option.reasons[0].numbers["bullheads"] for option in evaluate(seen, "quick").ranked
    }
    assert told == {"r1": 27, "r2": 9, "r3": 18, "r4": 0}


@pytest.mark.parametrize("level", ["easy", "medium"])
def test_bots_take_what_is_cheap_in_this_game(level: str) -> None:
    seen = low_card_before().view(0)
    assert seen.ask is not None
    chosen = [bots.player(level, seed).choose(seen, seen.ask) for seed in range(5)]
    assert chosen.count(TakeRow(3)) >= (5 if level == "medium" else 2)


def test_the_twin_declines_other_bullheads() -> None:
    class Heavy(Base[bullpen.Position]):
        """The base game under its own name, with other cards."""

        heads = Nines.heads

    rules = Heavy(2)
    position, _ = bullpen.engine.new_game(rules, bullpen.Seeded(1))
    with pytest.raises(NotCovered, match="charges the printed bullheads, but Base game has others"):
        from_position(rules, position)


def test_rewards_are_counted_in_its_bullheads() -> None:
    from bullpen.envs import pettingzoo

    env, rng, earned = pettingzoo.parallel_env(game="nines", players=3), random.Random(1), [0.0] * 3
    _, infos = env.reset(seed=1)
    while env.agents:
        legal = {agent: infos[agent]["action_mask"].nonzero()[0].tolist() for agent in env.agents}
        _, rewards, _, _, infos = env.step({agent: rng.choice(numbers) for agent, numbers in legal.items()})
        earned = [before + rewards[agent] for before, agent in zip(earned, env.possible_agents, strict=True)]
    assert any(earned)
    assert all(reward <= 0 and reward % 9 == 0 for reward in earned)


def test_sizes_follow_the_rules() -> None:
    rules = FiveRows(2)
    assert action_count(rules) == FULL > ROW + 4
    assert layout_of(rules)["rows"].shape == (5, 5)


def test_two_cards_a_turn_have_room() -> None:
    class Paws(Hand):
        """Hand under another name."""

        id = "paws"

    assert most_waiting(Paws(3)) == most_waiting(Hand(3)) == 6


def test_the_terminal_names_the_opponent_and_shows_the_bullheads() -> None:
    screen = Console(file=io.StringIO(), width=160)
    watch(screen, "wolves", 2, 1, {})
    told = screen.file.getvalue()  # type: ignore[attr-defined]
    assert "Wolf takes row" in told
    assert "uffalo" not in told
    screen = Console(file=io.StringIO(), width=160)
    watch(screen, "nines", 2, 1, {"end.kind": "rounds", "end.value": 1})
    told = screen.file.getvalue()  # type: ignore[attr-defined]
    assert "⁹" in told
    assert not set("¹²³⁵⁷") & set(told)


def test_a_view_is_drawn_with_its_own_pieces() -> None:
    drawn = str(bullpen.new_game("wolves", players=2, seed=1).view(0))
    assert drawn.startswith("Wolves: round 1, trick 1\nrow 1 ")
    assert "The wolf's cards: 10 cards" in drawn
    assert drawn.endswith("Choose a card from your hand.")
    assert "0, 0" not in drawn
