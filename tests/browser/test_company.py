"""Company: people without names, people who vanish, and pages that are loaded anew at the wrong moment."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import COVERS, PHONE, Visit
from tests.browser.house import House
from tests.browser.player import READY, Clicker
from tests.browser.tables import open_table, sit_down

HAND = ".hand button"
SLOW_DAY = 45_000
WISH = """() => [...document.querySelectorAll("[data-do=stand-in]")].at(-1)?.click()"""
"""The offer for the last of those who are gone: lines of others may just be opened again."""


def choose(page: Page, place: int = 0) -> None:
    """Play a card of the hand."""
    page.locator(HAND).nth(place).click()
    page.locator("[data-do=confirm]").click()


def play_trick(page: Page, left: int) -> None:
    """Answer whatever is asked until so many cards are left in the hand, or this person has nothing to do."""
    clicker = Clicker(page, seed=left, real=False)
    page.locator(HAND).first.wait_for()
    while page.locator(HAND).count() > left and not page.get_by_role("button", name="Take back").count():
        clicker.step()
        page.wait_for_timeout(50)


def play_together(pages: list[Page], left: int) -> None:
    """Answer whatever anybody is asked until all have so many cards left: a low card asks for a row too."""
    for _ in range(600):
        if all(page.locator(HAND).count() == left for page in pages):
            return
        for page in pages:
            if page.evaluate(READY) and not page.get_by_role("button", name="Take back").count():
                Clicker(page, seed=left, real=False).step()
        pages[0].wait_for_timeout(50)
    raise AssertionError(f"There are not {left} cards left in every hand.")


def seated(page: Page) -> list[str]:
    """Return the names at the table by seat, as this page says them."""
    page.locator("[data-seat]").first.wait_for()
    seats = [page.locator(f"[data-seat='{seat}']") for seat in range(page.locator("[data-seat]").count())]
    return [re.split(r",| \(", seat.get_attribute("aria-label") or "")[0] for seat in seats]


def wish_for_a_bot(pages: list[Page], left: int) -> None:
    """Ask for a bot wherever that is offered until so many cards are left in the hand.

    A page whose clock leaps takes its silent line for dead and opens another, which tells everybody how
    long the seat has really been empty: an offer comes and goes. The wishes of most of them are enough.
    """
    for _ in range(90):
        for page in pages:
            page.evaluate(WISH)
        if pages[0].locator(HAND).count() == left:
            return
        pages[0].wait_for_timeout(500)


def test_six_people_without_names_and_one_closes_the_laptop(visit: Visit) -> None:
    languages = ("en", "de", "fr", "en", "en", "en")
    pages = [
        visit(name="", size=PHONE if place % 2 else (1440, 900), likes={"language": language})
        for place, language in enumerate(languages)
    ]
    code = open_table(pages[0], "base", 6, bots=0)
    for page in pages[1:]:
        sit_down(page, code)
    for page in pages:
        page.clock.install()
    pages[0].locator("[data-do=start]").click()
    for page in pages:
        page.locator(HAND).nth(9).wait_for()
        names = seated(page)
        assert len(set(names)) == 6
        assert all(names)
    assert seated(pages[1])[0] == "Fuchs"
    assert seated(pages[2])[0] == "Renard"
    # Five choose; the sixth closes the laptop.
    pages[5].context.close()
    left = pages[:5]
    for page in left:
        choose(page)
    for page in left:
        expect(page.locator("[data-seat='5']")).to_have_attribute(
            "aria-label", re.compile("offline|hors ligne"), timeout=SLOW_DAY
        )
    # After half a minute the others are offered a bot; the server waits as long, or for most of them.
    for page in left:
        page.clock.fast_forward(31_000)
    wish_for_a_bot(left[:3], 9)
    for page in left:
        expect(page.locator(HAND)).to_have_count(9, timeout=SLOW_DAY)
    # The cards are turned up, the bot's among them.
    expect(left[0].locator("[data-do=stand-in]")).to_have_count(0, timeout=SLOW_DAY)


def test_whoever_comes_late_takes_over_a_bots_seat(visit: Visit) -> None:
    ann = visit()
    code = open_table(ann, "base", 3)
    ann.locator(HAND).nth(9).wait_for()
    # A bot that has not chosen yet would leave the choice to Ben.
    seat = ann.locator("[data-seat='1']")
    expect(seat).not_to_have_attribute("aria-label", re.compile("still choosing"), timeout=30_000)
    late = visit(name="Ben")
    late.goto(f"/t/{code}")
    late.locator("[data-do=take-over]").click()
    late.locator(HAND).nth(9).wait_for()
    expect(seat).to_have_attribute("aria-label", re.compile("^Ben"))
    # What the bot had chosen stands; from the next trick on the seat is Ben's.
    play_trick(ann, 9)
    play_together([ann, late], 8)


@pytest.fixture
def hasty(tmp_path: Path) -> House:
    """A server on which a host who has gone hands over at once."""
    return House(tmp_path, "--host-grace", "0.2")


def test_a_host_who_is_gone_is_followed_by_somebody_until_they_are_back(visit: Visit, hasty: House) -> None:
    hasty.start()
    ann, ben = (visit(base_url=hasty.url, name=name) for name in ("Ann", "Ben"))
    code = open_table(ann, "base", 3, bots=0)
    sit_down(ben, code)
    ann.goto("/")
    expect(ben.locator("[data-do=start]")).to_be_visible()
    ann.goto(f"/t/{code}")
    expect(ann.locator("[data-do=start]")).to_be_visible()
    expect(ben.locator("[data-do=start]")).to_have_count(0)
    ann.context.close()
    expect(ben.locator("[data-do=start]")).to_be_visible()
    for _ in range(2):
        ben.get_by_role("button", name="Add a bot").or_(
            ben.get_by_role("button", name="Remove")
        ).first.click()
    # Whoever is still there when the server goes would complain, and rightly.
    ben.context.close()
    hasty.stop()


Way = Callable[[Page], None]


def lobby(page: Page) -> None:
    """A table at which people are waited for."""
    open_table(page, "base", 2, bots=0)


def choosing(page: Page) -> None:
    """A card is lifted, not yet played."""
    open_table(page, "base", 2)
    page.locator(HAND).nth(3).click()
    page.locator("[data-do=confirm]").wait_for()


def placing(page: Page) -> None:
    """Cards are in the air."""
    open_table(page, "base", 4)
    choose(page, 3)


def second_trick(page: Page) -> None:
    """A trick has been played, and the log tells of it."""
    open_table(page, "base", 2)
    choose(page, 3)
    expect(page.locator(HAND)).to_have_count(9)
    settled(page)


def over(page: Page) -> None:
    """The result is on the table."""
    open_table(page, "base", 2)
    Clicker(page, seed=3, real=False).play()


def settled(page: Page) -> None:
    """Wait until the page asks something or has nothing more to show."""
    page.wait_for_function("""() => document.querySelector('#result-title, [data-do=sit], [data-do=start]') ||
      document.querySelector('[data-token]:not([aria-disabled=true])')""")


SEEN = """() => ({
  labels: [...document.querySelectorAll('[data-row], [data-seat], .hand button, #result-title')]
    .map((node) => node.getAttribute('aria-label') ?? node.textContent),
  lifted: [...document.querySelectorAll('[aria-pressed=true][data-token]')].map((node) => node.dataset.token),
  log: [...document.querySelectorAll('.log li')].map((node) => node.textContent),
})"""


@pytest.mark.parametrize("way", [lobby, choosing, placing, second_trick, over])
def test_a_reload_loses_nothing_on_the_screen(visit: Visit, way: Way) -> None:
    moving = way is placing
    page = visit(calm=not moving, likes={"speed": 1 if moving else 0})
    way(page)
    if not moving:
        settled(page)
        expect(page.locator("[data-seat='1'][aria-label*='still choosing']")).to_have_count(
            0, timeout=SLOW_DAY
        )
        seen = page.evaluate(SEEN)
        page.reload()
        settled(page)
        page.wait_for_function("(seen) => JSON.stringify(" + SEEN[6:] + ") === seen", arg=dumps(seen))
        return
    page.reload()
    settled(page)
    expect(page.locator(HAND)).to_have_count(9)


def dumps(seen: object) -> str:
    """Write as the browser does."""
    return json.dumps(seen, separators=(",", ":"), ensure_ascii=False)


class Wire:
    """A network between a page and the server that can be cut and mended."""

    def __init__(self, page: Page) -> None:
        self.cut = False
        self._sockets: list[WebSocketRoute] = []
        page.route_web_socket("**/ws/*", self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        if self.cut:
            socket.close()
            return
        self._sockets.append(socket)
        socket.connect_to_server()

    def drop(self) -> None:
        """Lose the connection, and find no new one."""
        self.cut = True
        for socket in self._sockets:
            socket.close()
        self._sockets = []


def test_offline_and_back_the_choice_is_not_lost(visit: Visit) -> None:
    page, ben = visit(), visit(name="Ben")
    wire = Wire(page)
    code = open_table(page, "base", 2, bots=0)
    sit_down(ben, code)
    page.locator("[data-do=start]").click()
    page.locator(HAND).nth(9).wait_for()
    wire.drop()
    expect(page.locator(".wire")).to_be_visible()
    assert not page.evaluate(COVERS, [".wire", ".seat, .bar, .tools, #prompt"])
    # A card is played without a network, and the other plays meanwhile.
    choose(page, 2)
    choose(ben)
    expect(ben.locator("[data-seat='0']")).to_have_attribute("aria-label", re.compile("offline"))
    wire.cut = False
    expect(page.locator(".wire")).to_have_count(0, timeout=20_000)
    for one in (page, ben):
        expect(one.locator(HAND)).to_have_count(9)


def test_two_tabs_and_only_one_question(visit: Visit) -> None:
    tab = visit()
    open_table(tab, "base", 2)
    other = tab.context.new_page()
    other.goto(tab.url)
    for left in (9, 8, 7):
        play_trick((tab, other)[left % 2], left)
        for one in (tab, other):
            expect(one.locator(HAND)).to_have_count(left)
    other.close()
    play_trick(tab, 6)
