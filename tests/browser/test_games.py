"""Every game through the page to its end, with bots in the other seats: on a phone, then in a large window.

In the soak every game is also played from beginning to end at either size.
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


COURSES = [("phone", "desktop"), *([("phone",), ("desktop",)] if SOAK else [])]


@pytest.mark.parametrize("course", COURSES, ids="-".join)
@pytest.mark.parametrize("game", games())
def test_a_game_through_the_page(game: str, course: tuple[str, ...], visit: Visit) -> None:
    page = visit(size=SIZES[course[0]])
    open_table(page, game, SEATS.get(game, 2))
    clicker = Clicker(page, seed=len(game))
    SHOTS.mkdir(exist_ok=True)
    for size in course:
        wide, high = SIZES[size]
        page.set_viewport_size({"width": wide, "height": high})
        clicker.real = size == "phone"
        for _ in range(9):
            clicker.step()
            assert page.evaluate(SIDEWAYS) <= 0
        page.screenshot(path=SHOTS / f"{game}-{size}.png", full_page=True)
        for _ in range(TAPPED if clicker.real else 0):
            clicker.step()
    # Once a finger has tried what there is to tap, the rest of the game is for the page to tell.
    clicker.real = False
    clicker.play()
    assert page.locator("#result-title").inner_text()
    assert page.evaluate(SIDEWAYS) <= 0
