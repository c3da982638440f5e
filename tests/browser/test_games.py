"""Every game through the page at both sizes, with bots in the other seats, and to its end at one of them.

In the soak every game is played to its end at both sizes.
"""

import pytest

from bullpen.rulesets import games
from tests.browser.conftest import DESKTOP, PHONE, SHOTS, Visit
from tests.browser.player import Clicker
from tests.browser.tables import open_table
from tests.conftest import SOAK

SIZES = {"phone": PHONE, "desktop": DESKTOP}
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
"""By how many pixels the page is wider than the screen."""
TAPPED = 12
"""So many more taps are a finger's on a phone."""
SEATS = {"buffalo": 3, "two-halves": 8, "board-basic": 4, "board-basic-luck": 4}
"""Some games deal a second hand to two or three, which would only take longer; a team is more than a pair."""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", games())
def test_a_game_through_the_page(game: str, size: str, visit: Visit) -> None:
    page = visit(size=SIZES[size])
    open_table(page, game, SEATS.get(game, 2))
    clicker = Clicker(page, seed=len(game), real=size == "phone")
    for _ in range(9):
        clicker.step()
        assert page.evaluate(SIDEWAYS) <= 0
    SHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SHOTS / f"{game}-{size}.png", full_page=True)
    # Once a finger has tried what there is to tap, the rest of the game is for the page to tell.
    for _ in range(TAPPED if clicker.real else 0):
        clicker.step()
    if not SOAK and (list(games()).index(game) + list(SIZES).index(size)) % 2:
        # The other size plays it to its end.
        return
    clicker.real = False
    clicker.play()
    assert page.locator("#result-title").inner_text()
    assert page.evaluate(SIDEWAYS) <= 0
