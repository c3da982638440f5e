"""Games from other packages, through a page that has never heard of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import Visit
from tests.browser.house import House
from tests.browser.player import Clicker
from tests.browser.tables import open_table
from tests.outside import environment_with, others_installed, shepherd_installed


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A server on which the games are installed."""
    paths = [*shepherd_installed(tmp_path / "installed"), *others_installed(tmp_path / "others")]
    found = House(tmp_path, environment=environment_with(paths))
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


def test_a_team_has_its_own_opponent(visit: Visit) -> None:
    page = visit()
    page.goto("/games/wolves")
    page.locator("[data-do=create]").wait_for()
    assert page.locator("option[value=captain]").count() == 1
    open_table(page, "wolves", 2)
    clicker = Clicker(page, seed=3, real=False)
    clicker.step()
    assert page.locator(".stable[aria-label^='Wolf:']").count() == 1
    assert page.locator(".stable use[href^='#buf'], .face use[href^='#buf']").count() == 0
    clicker.play()
    assert "Wolf" in page.locator("#result-title").inner_text()
    assert "uffalo" not in page.content()


def test_cards_and_pens_show_the_bullheads_of_the_game(visit: Visit) -> None:
    page = visit()
    open_table(page, "nines", 2)
    Clicker(page, seed=3, real=False).step()
    told = page.locator("[data-row] [data-card][aria-label]").evaluate_all(
        "spots => spots.map((one) => [Number(one.dataset.card), one.getAttribute('aria-label')])"
    )
    assert told
    for card, label in told:
        assert label.startswith(f"{card}, {'9 bullheads' if card % 2 else '0 bullheads'}")
    for row in page.locator("[data-row]").all():
        cards = row.locator("[data-card]").evaluate_all("all => all.map((one) => Number(one.dataset.card))")
        assert f"{9 * sum(card % 2 for card in cards)} bullhead" in (row.get_attribute("aria-label") or "")
