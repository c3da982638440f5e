"""The tour prints what it says, and the example finds what it promises."""

import doctest
import re
import runpy

import pytest

from bullpen.envs import Alphabet, layout
from bullpen.rulesets import make, own_games
from tests.house.repository import ROOT

TOUR = ROOT / "docs/environments-tour.md"
PAGE = ROOT / "docs/environments.md"
CELL = re.compile(r"^```pycon\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_the_tour_prints_what_it_says() -> None:
    pytest.importorskip("pyspiel")
    cells = CELL.findall(TOUR.read_text("utf-8"))
    assert len(cells) > 5
    test = doctest.DocTestParser().get_doctest("\n".join(cells), {}, TOUR.name, str(TOUR), 0)
    runner = doctest.DocTestRunner()
    told: list[str] = []
    runner.run(test, out=told.append)
    assert runner.tries > 30
    assert told == []


def test_the_small_deal_becomes_hard_to_exploit() -> None:
    pytest.importorskip("pyspiel")
    found = runpy.run_path(str(ROOT / "examples/solve_small_deal.py"))["main"](4)
    assert len(found) == 3
    assert found[0] > found[1] > found[2]


def test_the_page_lists_the_special_cards_in_their_order() -> None:
    written = PAGE.read_text("utf-8")
    for game, kind in own_games().items():
        alphabet = Alphabet(make(game, kind.player_range[0]))
        if alphabet.size == 253 and kind.furniture.specials:
            names = ", ".join(alphabet.meaning(105 + place) for place in range(len(kind.furniture.specials)))
            assert f"| `{game}` | {names} |" in written


def test_the_page_names_every_slice() -> None:
    written = PAGE.read_text("utf-8")
    for game, kind in own_games().items():
        for part in layout(game, kind.player_range[0]):
            name = re.sub(r"^(mark|held)\..*", lambda found: f"{found[1]}.", part.name)
            assert f"`{name}" in written, part.name
