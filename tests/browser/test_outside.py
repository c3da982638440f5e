"""A twenty-first game, from another package, through a page that has never heard of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import Visit
from tests.browser.house import House
from tests.browser.player import Clicker
from tests.browser.tables import open_table
from tests.outside import environment_with, shepherd_installed


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A server on which the example game is installed."""
    found = House(tmp_path, environment=environment_with(shepherd_installed(tmp_path / "installed")))
    found.start()
    yield found
    found.stop()


def test_the_example_game_is_found_shown_and_played(visit: Visit) -> None:
    page = visit()
    open_table(page, "shepherd", 2)
    clicker = Clicker(page, seed=3, real=False)
    clicker.step()
    # Its marker stands at a row, and is called by the words that the game brought along.
    assert (
        page.get_by_text("the shepherd").first.count() or page.locator("[aria-label*='the shepherd']").count()
    )
    clicker.play()
    assert page.locator("#result-title").inner_text()
