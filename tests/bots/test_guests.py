"""Bots of other packages: levels of their own, games that nobody knows, and what cannot be used."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bullpen import bots, new_game, rulesets
from bullpen.bots import registry
from bullpen.engine import Ask, Choice, Position, Seeded, View, submit, view
from bullpen.engine import new_game as begin
from bullpen.rulesets import games
from bullpen.rulesets.base import Base

CAREFUL = Path(__file__).parents[2] / "examples" / "careful_bot"


class Stranger(Base[Position]):
    """A game that no bot has heard of."""

    id = "stranger"
    name = "Stranger"
    summary = "The base game under another name."


@pytest.fixture
def guests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody stays registered after a test."""
    monkeypatch.setattr(registry, "_THEIRS", dict(registry._THEIRS))


@pytest.fixture
def stranger(monkeypatch: pytest.MonkeyPatch) -> None:
    known: dict[str, Any] = {**games(), "stranger": Stranger}
    monkeypatch.setattr(rulesets, "games", lambda: known)


def last(_view: View, ask: Ask, _mind: bots.Mind) -> Choice:
    return ask.options[-1]


class Third:
    """A class of players that count how often they were asked."""

    def __init__(self, seed: int | str) -> None:
        self.asked = 0

    def choose(self, view: View, ask: Ask) -> Choice:
        self.asked += 1
        return ask.options[2] if self.asked == 1 else ask.options[0]


def asked(game: str = "base") -> tuple[View, Ask]:
    seen = new_game(game, players=3, seed=4).view(1)
    assert seen.ask is not None
    return seen, seen.ask


@pytest.mark.usefixtures("guests")
def test_a_level_of_ones_own_plays_by_its_name() -> None:
    bots.register("last")(last)
    seen, ask = asked()
    assert bots.player("last").choose(seen, ask) == ask.options[-1]
    assert bots.known()[-1] == "last"
    assert bots.levels_for("hand")[-1] == "last"


@pytest.mark.usefixtures("guests")
def test_a_class_plays_too_and_is_made_once_for_a_player() -> None:
    bots.register_player("third", Third, "base")
    seen, ask = asked()
    bot = bots.player("third", 1)
    assert [bot.choose(seen, ask), bot.choose(seen, ask)] == [ask.options[2], ask.options[0]]
    with pytest.raises(bots.UnknownLevel, match="There is no bot 'third' for double; there are random, easy"):
        bots.player("third", 1).choose(*asked("double"))


@pytest.mark.usefixtures("guests")
def test_whoever_registers_goes_before_us_after_the_first_thought() -> None:
    seen, ask = asked()
    bots.player("medium").choose(seen, ask)
    bots.register("medium", "base")(last)
    assert bots.player("medium").choose(seen, ask) == ask.options[-1]
    other, question = asked("double")
    assert bots.player("medium", 3).choose(other, question) in question.options


BEFORE = """
from bullpen import bots, new_game
bots.register("medium", "base")(lambda view, ask, mind: ask.options[-1])
view = new_game("base", players=3, seed=4).view(1)
print(bots.player("medium").choose(view, view.ask) == view.ask.options[-1])
"""


def test_and_before_it() -> None:
    done = subprocess.run([sys.executable, "-c", BEFORE], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


@pytest.mark.usefixtures("stranger")
def test_a_game_that_nobody_knows_is_played_by_its_rules() -> None:
    assert bots.levels_for("stranger") == ("random", "easy", "medium")
    rules, chance = Stranger(3, {"end.kind": "rounds", "end.value": 1}), Seeded(1)
    position, _ = begin(rules, chance)
    seats = [bots.player(level, 1) for level in ("medium", "easy", "random")]
    while position.result is None:
        ask = position.open_asks[0]
        seat = ask.seats[0]
        choice = seats[seat].choose(view(rules, position, seat), ask)
        position, _ = submit(rules, position, seat, choice, chance)
    seen = view(rules, begin(rules, Seeded(1))[0], 0)
    assert seen.ask is not None
    with pytest.raises(bots.UnknownLevel, match="There is no bot 'expert' for stranger; there are random"):
        bots.player("expert").choose(seen, seen.ask)


@pytest.mark.usefixtures("stranger")
def test_medium_sees_by_the_rules_alone_what_a_sixth_card_costs() -> None:
    rules = Stranger(2, {"end.kind": "rounds", "end.value": 1})
    position, _ = begin(rules, Seeded(1))
    position.rows = [[50, 51, 52, 53, 55], [1], [2], [3]]
    position.hands = [[4, 56], [100, 101]]
    taken = {4, 56, 100, 101, *(card for row in position.rows for card in row)}
    position.deck = [card for card in range(1, 105) if card not in taken]
    position.trick, position.asks = 9, ()
    rules.ask(position, "commit", 0)
    rules.ask(position, "commit", 1)
    seen = view(rules, position, 0)
    assert seen.ask is not None
    assert bots.player("medium", 1).choose(seen, seen.ask).notation == "4"


def installed(folder: Path, points: str) -> dict[str, str]:
    """The environment of a Python that finds a package with these entry points."""
    info = folder / "bullpen_careful-1.0.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bullpen-careful\nVersion: 1.0.0\n")
    (info / "entry_points.txt").write_text(f"[bullpen.bots]\n{points}\n")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(CAREFUL / "src")])}


def test_the_example_package_is_found_by_the_arena(tmp_path: Path) -> None:
    environment = installed(tmp_path, "careful = bullpen_careful:Careful")
    words = ["match", "base", "careful", "random", "--players", "2", "--rounds", "1", "--deals", "4"]
    words += ["--out", str(tmp_path / "out.jsonl"), "--workers", "1", "--seed", "3"]
    done = subprocess.run(
        [sys.executable, "-m", "bullpen.arena", *words],
        capture_output=True, text=True, check=True, env=environment,
    )  # fmt: skip
    assert "careful" in done.stdout
    assert "crashed" not in (tmp_path / "out.jsonl").read_text()


def test_the_example_package_says_what_it_brings() -> None:
    assert 'careful = "bullpen_careful:Careful"' in (CAREFUL / "pyproject.toml").read_text()


def test_a_package_that_cannot_be_used_is_told_about_when_it_is_asked_for(tmp_path: Path) -> None:
    environment = installed(tmp_path, "lost = bullpen_careful.nowhere:Bot\nnobody = bullpen_careful:imagine")
    code = (
        "from bullpen import bots\n"
        "for name in ('medium', 'lost', 'nobody'):\n"
        "    try: bots.player(name)\n"
        "    except bots.UnknownLevel as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    first, second = done.stdout.splitlines()
    assert first.startswith("The bot 'lost' of bullpen-careful cannot be used: bullpen_careful.nowhere:Bot")
    assert second.startswith("The bot 'nobody' of bullpen-careful cannot be used:")
