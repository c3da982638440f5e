"""The page in Firefox, and in WebKit, which is the engine of Safari: other tests know Chromium only."""

import contextlib
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.engines import ENGINES, Engine, Missing
from tests.browser.house import House
from tests.browser.player import ALONE

REQUIRED = bool(os.environ.get("BULLPEN_ENGINES"))
"""Whether an engine that is not installed is a failure; `.ci/run` says so."""
LIKES = {"name": "Ann", "language": "en", "level": "random", "speed": 0, "seen": ["*"]}
CARDS = "document.querySelectorAll('.hand button').length"
ONE_ROUND = """(() => {
  const fill = (node, value, event) => {
    node.value = value;
    node.dispatchEvent(new Event(event, { bubbles: true }));
  };
  const end = document.querySelector("option[value=rounds]")?.parentElement;
  if (!end) return false;
  fill(end, "rounds", "change");
  fill(document.querySelector("input[type=number]"), "1", "input");
  return true;
})()"""
"""Lets a new table end after one round, as soon as its form is there."""


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[House]:
    """A server that may be killed."""
    house = House(tmp_path)
    house.start()
    yield house
    house.stop()


@contextlib.contextmanager
def running(kind: type[Engine], folder: Path) -> Iterator[Engine]:
    """Start an engine; one that is not installed skips the test, unless every engine is required."""
    found = kind(folder)
    try:
        found.start()
        yield found
    except Missing as missing:
        if REQUIRED:
            raise
        pytest.skip(f"{kind.__name__} is left out: {missing}")
    finally:
        found.close()


@pytest.fixture(params=ENGINES, ids=lambda kind: kind.__name__)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """A browser in which nothing may go wrong unseen."""
    with running(request.param, tmp_path) as found:
        yield found
        assert found.complaints() == []


def visit(engine: Engine, house: House, path: str = "/") -> None:
    """Open a page as somebody who has been here before."""
    engine.open(house.url)
    engine.evaluate(f"localStorage.setItem('bullpen', {json.dumps(json.dumps(LIKES))})")
    engine.open(house.url + path)


def test_from_home_through_the_lesson_to_a_table(engine: Engine, house: House) -> None:
    visit(engine, house)
    assert engine.text("h1") == "bullpen"
    engine.click("[data-do=learn]")
    engine.until("document.querySelector('.coach')?.innerText.includes('a point against you')")
    said = [follow(engine) for _ in range(21)]
    assert len(set(said)) == len(said), "every tip is said once"
    assert any("pen" in words for words in said), "a pen was taken"
    assert engine.text("#result-title")
    engine.click(".coach [data-do=play-now]")
    engine.until(f"{CARDS} === 10")


def follow(engine: Engine) -> str:
    """Do what the coach says, and return the words."""
    said = engine.text(".coach p")
    number = re.search(r"\d+", said)
    if engine.evaluate("Boolean(document.querySelector('[data-do=seen]'))"):
        engine.click("[data-do=seen]")
    elif "pen" in said:
        engine.click('.actions [data-answer="r2"]')
    else:
        assert number
        for _ in range(2 if "once more" in said else 1):
            engine.click(f'[data-token="card:{number[0]}"]')
    engine.until(f"![undefined, {json.dumps(said)}].includes(document.querySelector('.coach p')?.innerText)")
    return said


def test_a_game_survives_a_lost_server(engine: Engine, own_house: House) -> None:
    visit(engine, own_house, "/games/base")
    engine.until(ONE_ROUND)
    engine.click("[data-do=create]")
    engine.until(f"{CARDS} === 10")
    engine.click(".hand button")
    engine.click("[data-do=confirm]")
    engine.until(f"{CARDS} === 9")
    own_house.kill()
    engine.text(".wire")
    own_house.start()
    engine.until("!document.querySelector('.wire')")
    engine.complaints()
    engine.evaluate(f"void ({ALONE})(1)")
    assert engine.text("#result-title")
    # Of 44 cards the pens hold 20 at most: the others have been taken.
    totals = engine.evaluate(
        "[...document.querySelectorAll('.paper .total .new')].map((one) => +one.innerText)"
    )
    assert len(totals) == 4
    assert max(totals) > 0


@pytest.mark.parametrize("kind", ENGINES)
def test_a_missing_engine_is_named_and_fails_where_all_are_required(
    kind: type[Engine], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(sys.modules[__name__], "REQUIRED", False)
    left_out = pytest.raises(pytest.skip.Exception, match=f"{kind.__name__} is left out: .* is not installed")
    with left_out, running(kind, tmp_path):
        pass
    monkeypatch.setattr(sys.modules[__name__], "REQUIRED", True)
    with pytest.raises(Missing), running(kind, tmp_path):
        pass
