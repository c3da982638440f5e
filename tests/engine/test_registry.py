"""Games from other packages: found like our own, and harmless when they are broken."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bullpen import rulesets
from bullpen.engine import UnknownGame
from bullpen.game import Game, new_game
from bullpen.records import Record, check
from bullpen.rulesets.pages import play_page, rules_page
from tests.outside import SHEPHERD, environment_with, leave, shepherd_installed


@pytest.fixture
def fresh_registry() -> Iterator[None]:
    """Forget before and after what was found outside."""
    caches = (rulesets.games, rulesets._outside)
    for found in caches:
        found.cache_clear()
    yield
    for found in caches:
        found.cache_clear()


@pytest.fixture
def shepherd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh_registry: None) -> None:
    """The example game, installed."""
    for path in shepherd_installed(tmp_path):
        monkeypatch.syspath_prepend(path)


@pytest.mark.usefixtures("shepherd")
def test_a_game_of_another_package_is_a_game_like_ours() -> None:
    assert [*rulesets.games()][-2:] == ["board-expert-luck", "shepherd"]
    assert rulesets.unusable_games() == ()
    game = new_game("shepherd", players=3, seed=1)
    while not game.over:
        ask = game.asks[0]
        game.choose(ask.seats[0], ask.options[0])
    record = Record.loads(game.record.dumps())
    assert check(record).result == game.result
    assert Game.from_record(record).result == game.result


@pytest.mark.usefixtures("shepherd")
def test_its_pages_lie_in_its_package() -> None:
    assert rules_page("shepherd").startswith("# Shepherd")
    assert play_page("shepherd", "de") == (
        "en",
        (SHEPHERD / "src/bullpen_shepherd/pages/play/en/shepherd.md").read_text(),
    )


def test_without_the_package_there_is_no_such_game() -> None:
    with pytest.raises(UnknownGame, match="There is no game 'shepherd'"):
        rulesets.find("shepherd")


BROKEN = {
    "missing": ("no_such_module:Game", "cannot be imported (ModuleNotFoundError"),
    "raises": ("outside_broken:Missing", "cannot be imported (AttributeError"),
    "nothing": ("outside_broken:NOTHING", "is no ruleset"),
    "taken": ("outside_broken:Taken", "there is a game 'base' already"),
    "alias": ("outside_broken:Alias", "there is a game 'pro' already"),
    "spelling": ("outside_broken:Spelling", "is not made of small letters, digits and hyphens"),
    "nobody": ("outside_broken:Nobody", "it is not for 1 to 10 players"),
    "explodes": ("outside_broken:Explodes", "it cannot be made (RuntimeError: bang)"),
    "silent": ("outside_broken:Silent", "it needs an id, a name and a summary of its own"),
}
MODULE = """
from bullpen.engine import Position
from bullpen.rulesets.base import Base

NOTHING = 3

class Taken(Base[Position]):
    id = "base"

class Alias(Base[Position]):
    id = "other"
    aliases = ("pro",)

class Spelling(Base[Position]):
    id = "../etc"

class Nobody(Base[Position]):
    id = "nobody"
    player_range = range(0)

class Explodes(Base[Position]):
    id = "explodes"

    def __init__(self, *args):
        raise RuntimeError("bang")

class Silent(Base[Position]):
    pass
"""


def test_broken_packages_are_told_about_and_break_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh_registry: None, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "outside_broken.py").write_text(MODULE)
    monkeypatch.syspath_prepend(
        leave(tmp_path, "broken-games", {name: value for name, (value, _) in BROKEN.items()})
    )
    for path in shepherd_installed(tmp_path / "good"):
        monkeypatch.syspath_prepend(path)
    assert {*rulesets.games()} == {*rulesets.own_games(), "shepherd"}
    problems = dict(zip(sorted(BROKEN), rulesets.unusable_games(), strict=True))
    for name, (_, says) in BROKEN.items():
        assert problems[name].startswith(f"The game '{name}' of broken-games cannot be used: ")
        assert says in problems[name]
    assert [record.getMessage() for record in caplog.records] == list(rulesets.unusable_games())


def test_the_command_knows_an_installed_game(tmp_path: Path) -> None:
    environment = environment_with(shepherd_installed(tmp_path))
    command = [sys.executable, "-m", "bullpen", "games", "--json"]
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert '"shepherd"' in printed
