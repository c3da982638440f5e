"""What people see of a host's orders: bans, announcements, passwords, and the host's own pages."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from bullpen.cli import main
from tests.browser.conftest import COVERS, PHONE, Visit
from tests.browser.house import House

NARROW = (320, 640)
IMPRINT = "# Ann Host\n\nMain Street 1\n\n<script>alert(1)</script>\n"


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, str]]:
    """A server of its own, and its store."""
    folder = tmp_path_factory.mktemp("public")
    (folder / "imprint.md").write_text(IMPRINT, encoding="utf-8")
    found = House(folder, "--imprint", str(folder / "imprint.md"))
    found.start()
    yield found, str(folder / "tables.sqlite3")
    found.stop()


def order(store: str, *words: str) -> None:
    assert main(["admin", "--store", store, *words]) == 0


def play_now(page: Page, house: House) -> None:
    page.goto(house.url)
    page.locator("[data-do=play-now]").click()
    page.locator(".hand button").first.wait_for()


def fits(page: Page) -> bool:
    wide: bool = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return wide


@pytest.mark.parametrize("size", [PHONE, (1440, 900)], ids=["phone", "desktop"])
def test_an_announcement_is_read_at_the_table_and_at_home(
    visit: Visit, public: tuple[House, str], size: tuple[int, int]
) -> None:
    house, store = public
    page = visit(size=size)
    play_now(page, house)
    order(store, "announce", "The server restarts at 21:00.")
    notice = page.locator("[role=status] p", has_text="The host says: The server restarts at 21:00.")
    expect(notice).to_be_visible(timeout=4000)
    assert not page.evaluate(COVERS, ["[role=status]:has([data-do=read])", ".hand button, .row, .bar"])
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    home = visit(size=NARROW)
    home.goto(house.url)
    expect(home.locator(".announced")).to_contain_text("21:00")
    assert fits(home)
    notice.locator("[data-do=read]").click()
    expect(notice).to_have_count(0)
    order(store, "announce", "--clear")


def test_somebody_who_is_banned_reads_why(visit: Visit, public: tuple[House, str]) -> None:
    house, store = public
    page = visit(size=NARROW, tolerant=True)
    play_now(page, house)
    (cookie,) = [one for one in page.context.cookies(house.url) if one["name"] == "bullpen"]
    who = cookie["value"].split(".")[0]
    order(store, "ban", who, "--days", "1", "--reason", "Be kind.")
    said = page.locator("h1", has_text="The host of this server has banned you until")
    expect(said).to_contain_text("Be kind.", timeout=4000)
    assert fits(page)
    page.goto(house.url)
    expect(page.locator(".problem")).to_contain_text("has banned you until")


def test_newcomers_read_that_sign_up_is_closed(visit: Visit, public: tuple[House, str]) -> None:
    house, store = public
    page = visit(size=NARROW, tolerant=True)
    closed = "This server takes no new people now."
    hero = page.locator(".hero")
    order(store, "sign-up", "closed")
    come_again_until(page, house, lambda: expect(hero).to_contain_text(closed, timeout=1000))
    page.locator("[data-do=play-now]").click()
    expect(page.locator(".problem")).to_contain_text(closed)
    assert fits(page)
    order(store, "sign-up", "open")
    come_again_until(page, house, lambda: expect(hero).not_to_contain_text(closed, timeout=1000))


def come_again_until(page: Page, house: House, check: Callable[[], None]) -> None:
    """Load the home page until it shows what the server has learned, which takes two seconds at most."""
    for _ in range(4):
        page.goto(house.url)
        page.locator("[data-do=play-now]").wait_for()
        page.wait_for_timeout(600)
        with contextlib.suppress(AssertionError):
            check()
            return
    check()


def test_a_table_with_a_password_asks_for_it_before_anything_is_seen(
    visit: Visit, public: tuple[House, str]
) -> None:
    house, _ = public
    ann, ben = visit(), visit(name="Ben", size=NARROW, tolerant=True)
    ann.goto(f"{house.url}/games/base")
    ann.locator("select").nth(1).select_option("0")
    ann.locator("[data-do=password]").fill("moo")
    ann.locator("[data-do=create]").click()
    ann.wait_for_url("**/t/*")
    ben.goto(house.url)
    ben.locator("#code").fill(ann.url[-4:])
    ben.locator("#code").press("Enter")
    ben.locator("input[type=password]").fill("Moo")
    assert fits(ben)
    ben.locator("[data-do=enter]").click()
    expect(ben.locator(".problem")).to_have_text("That is not the password of this table.")
    ben.locator("input[type=password]").fill("moo")
    ben.locator("[data-do=enter]").click()
    expect(ben.locator("main")).to_contain_text("Ann", timeout=8000)


def test_the_foot_leads_to_imprint_and_privacy(visit: Visit, public: tuple[House, str]) -> None:
    house, _ = public
    page = visit(size=NARROW)
    page.goto(house.url)
    page.locator("footer a", has_text="Imprint").click()
    article = page.locator("article")
    expect(article).to_contain_text("Main Street 1")
    expect(article).to_contain_text("<script>alert(1)</script>")
    assert fits(page)
    page.goto(house.url)
    page.locator("footer a", has_text="Privacy").click()
    expect(article).to_contain_text("cookie with a random identity")
    assert fits(page)


def test_a_page_says_that_the_server_restarts(visit: Visit, tmp_path: Path) -> None:
    house = House(tmp_path)
    house.start()
    page = visit(tolerant=True)
    play_now(page, house)
    # Only a page whose line stands can hear it.
    order(str(tmp_path / "tables.sqlite3"), "announce", "Soon.")
    page.locator("[data-do=read]").wait_for()
    house.stop()
    expect(page.locator(".notice", has_text="The server restarts.")).to_be_visible()
    house.start()
    expect(page.locator(".notice", has_text="restarts")).to_have_count(0, timeout=15_000)
    house.stop()
