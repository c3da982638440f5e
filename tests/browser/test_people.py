"""Several people at one table, and everything that can come between them."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Visit
from tests.browser.house import House
from tests.browser.player import Clicker
from tests.browser.tables import open_table, sit_down


def play_together(pages: list[Page]) -> None:
    """Let everybody play until all see the result."""
    for seed, page in enumerate(pages):
        Clicker(page, seed, real=False).go_alone()
    for page in pages:
        page.locator("#result-title").wait_for(timeout=120_000)


LISTEN = """() => {
  window.told = new Set();
  const lines = () => document.querySelectorAll(".log li, [role=log] p");
  const hear = () => lines().forEach((line) => told.add(line.textContent));
  new MutationObserver(hear).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""
"""Keeps every line of the log, also those that leave the page with the table."""


def test_two_people_play_and_play_again(visit: Visit) -> None:
    ann, ben = visit(), visit(name="Ben", size=PHONE)
    code = open_table(ann, "base", 2, bots=0)
    sit_down(ben, code)
    ann.locator("[data-do=start]").click()
    play_together([ann, ben])
    titles = sorted(page.locator("#result-title").inner_text() for page in (ann, ben))
    assert titles in (["You came second.", "You have won!"], ["You share the win."] * 2)
    expect(ben.locator("[data-do=rematch]")).to_have_count(0)
    ann.locator("[data-do=rematch]").click()
    for page in (ann, ben):
        page.locator(".hand button").first.wait_for()
        assert page.locator(".hand button").count() == 10
    assert ann.locator(".hand button").first.get_attribute("aria-label") != ben.locator(
        ".hand button"
    ).first.get_attribute("aria-label")


def test_a_table_of_ten_and_a_spectator(visit: Visit) -> None:
    host = visit(size=PHONE)
    code = open_table(host, "base", 10, bots=7)
    others = [visit(name=f"P{number}", size=PHONE) for number in range(2, 4)]
    for page in others:
        sit_down(page, code)
    watcher = visit(name="Watcher")
    watcher.goto(f"/t/{code}")
    watcher.evaluate(LISTEN)
    host.locator("[data-do=start]").click()
    play_together([host, *others])
    named = {"Ann": host, **{f"P{number}": page for number, page in enumerate(others, start=2)}}
    happy = ("You have won!", "You share the win.")
    winners = [name for name, page in named.items() if page.locator("#result-title").inner_text() in happy]
    title = watcher.locator("#result-title").inner_text()
    assert title
    assert {name for name in named if name in title} == set(winners)
    assert watcher.locator(".hand").count() == 0
    # The spectator saw every placement, and no card that was still in a hand.
    told = watcher.evaluate("() => [...window.told]")
    placed = {found.group(1) for line in told if (found := re.search(r"’s (\d+) goes to pen ", line))}
    assert len(placed) == 100


def test_a_choice_can_be_taken_back_until_the_reveal(visit: Visit) -> None:
    ann, ben = visit(), visit(name="Ben")
    code = open_table(ann, "base", 2, bots=0)
    sit_down(ben, code)
    ann.locator("[data-do=start]").click()
    card = ann.locator(".hand button").nth(2)
    name = card.get_attribute("aria-label")
    card.click()
    card.click()
    ann.get_by_role("button", name="Take back").click()
    ann.locator(".hand button").nth(4).click()
    ann.locator("[data-do=confirm]").click()
    ann.get_by_role("button", name="Take back").wait_for()
    expect(ben.locator("[data-seat='0']")).not_to_have_class("waits")
    ben.locator(".hand button").first.click()
    ben.locator("[data-do=confirm]").click()
    expect(ann.locator(".hand button")).to_have_count(9)
    assert name in [button.get_attribute("aria-label") for button in ann.locator(".hand button").all()]


def test_a_host_who_leaves_hands_the_table_over(visit: Visit) -> None:
    ann, ben = visit(), visit(name="Ben")
    code = open_table(ann, "base", 3, bots=1)
    sit_down(ben, code)
    expect(ben.locator("[data-do=start]")).to_have_count(0)
    ann.get_by_role("button", name="Leave the table").click()
    expect(ben.locator("[data-do=start]")).to_be_visible()
    ben.get_by_role("button", name="Add a bot").click()
    ben.locator("[data-do=start]").click()
    ben.locator(".hand button").first.wait_for()


def test_the_seat_comes_along_to_another_device(visit: Visit) -> None:
    laptop = visit()
    code = open_table(laptop, "base", 2)
    laptop.locator(".hand button").first.wait_for()
    hand = [card.get_attribute("aria-label") for card in laptop.locator(".hand button").all()]
    link = laptop.evaluate("fetch('/api/me').then((answer) => answer.json()).then((me) => me.link)")
    phone = visit(f"/t/{code}#key={link}", name="", size=PHONE)
    phone.locator("[data-do=use-key]").click()
    phone.locator(".hand button").first.wait_for()
    assert [card.get_attribute("aria-label") for card in phone.locator(".hand button").all()] == hand
    assert "key=" not in phone.url
    # Both are the same seat: what one plays is gone from the other.
    phone.locator(".hand button").first.click()
    phone.locator("[data-do=confirm]").click()
    expect(laptop.locator(".hand button")).to_have_count(9)


def test_two_tabs_of_one_person_show_the_same_table(visit: Visit) -> None:
    tab = visit()
    open_table(tab, "base", 2)
    other = tab.context.new_page()
    other.goto(tab.url)
    other.locator(".hand button").first.wait_for()
    tab.locator(".hand button").first.click()
    tab.locator("[data-do=confirm]").click()
    expect(tab.locator(".hand button")).to_have_count(9)
    expect(other.locator(".hand button")).to_have_count(9)


def test_a_reload_loses_nothing(visit: Visit) -> None:
    page = visit(calm=False, likes={"speed": 1})
    open_table(page, "base", 4)
    page.locator(".hand button").nth(3).click()
    page.locator("[data-do=confirm]").click()
    page.reload()
    page.locator(".hand button").first.wait_for()
    expect(page.locator(".hand button")).to_have_count(9)


@pytest.fixture
def fragile(tmp_path: Path) -> House:
    """A server of its own, to be killed."""
    return House(tmp_path)


def test_a_killed_server_comes_back_and_everybody_plays_on(visit: Visit, fragile: House) -> None:
    fragile.start()
    pages = [visit(base_url=fragile.url, name=name, tolerant=True) for name in ("Ann", "Ben")]
    ann, ben = pages
    code = open_table(ann, "base", 3, bots=1)
    sit_down(ben, code)
    ann.locator("[data-do=start]").click()
    # In the middle of a trick: one has chosen, the other has not.
    chosen = ann.locator(".hand button").nth(1)
    chosen.click()
    ann.locator("[data-do=confirm]").click()
    ann.get_by_role("button", name="Take back").wait_for()
    fragile.kill()
    for page in pages:
        expect(page.locator(".wire")).to_be_visible(timeout=15_000)
    fragile.start()
    for page in pages:
        expect(page.locator(".wire")).to_have_count(0, timeout=30_000)
    # Ann's hidden card survived; Ben's choice completes the trick, without a reload.
    expect(ann.get_by_role("button", name="Take back")).to_be_visible()
    ben.locator(".hand button").first.click()
    ben.locator("[data-do=confirm]").click()
    play_together(pages)
    fragile.stop()
