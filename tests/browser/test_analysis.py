"""Hints at the table, the review of a finished game, and playing on from there."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Visit
from tests.browser.house import House
from tests.browser.reviews import upload
from tests.games_by_chance import by_chance

WAIT = 240_000
"""The first question waits for a process, and on a new machine until everything is compiled."""


def hint_at(page: Page) -> None:
    page.locator(".hand button").nth(9).wait_for()
    page.locator("[data-do=hint]").click()
    options = page.locator("[data-hint]")
    options.nth(2).wait_for(timeout=WAIT)
    assert options.count() == 3
    best = options.first.get_attribute("data-hint")
    expect(page.locator(f'[data-token="card:{best}"]').first).to_have_attribute("aria-pressed", "true")
    third = options.nth(2).get_attribute("data-hint")
    options.nth(2).click()
    expect(page.locator(f'[data-token="card:{third}"]').first).to_have_attribute("aria-pressed", "true")
    panel, hand = page.locator("section.hint").bounding_box(), page.locator("section.hand").bounding_box()
    assert panel is not None
    assert hand is not None
    assert panel["y"] + panel["height"] <= hand["y"], "the hand stays free"


def test_a_hint_lifts_the_best_card_and_names_two_more(visit: Visit) -> None:
    page = visit("/")
    page.locator("[data-do=play-now]").click()
    hint_at(page)
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    panel = page.locator("section.hint").bounding_box()
    assert panel is not None
    assert panel["x"] >= 0
    assert panel["x"] + panel["width"] <= PHONE[0]
    page.locator("[data-do=hint]").click()
    page.locator("section.hint").wait_for(state="detached")


def test_a_finished_game_is_reviewed_and_played_on_from_a_choice(visit: Visit, house: House) -> None:
    page = visit()
    page.goto(f"/review/{upload(house, by_chance('base', 2))}?seat=1")
    page.locator("[data-review]").wait_for(timeout=WAIT)
    assert page.locator(".graph path.line").count() == 2
    assert page.locator(".luck .line").count() == 5
    page.locator(".arrows g.played .ring").first.wait_for(state="attached")
    trick = page.locator(".trick-sheet h2").inner_text()
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    page.locator("[data-do=try]").click()
    page.wait_for_url("**/t/*")
    # The choice may be a card of the hand, or the pen that a low card takes.
    page.locator(".hand button, [data-token], [data-answer]").first.wait_for()
    number = trick.split(",")[0].rsplit(" ", 1)[1]
    expect(page.locator(".title").first).to_contain_text(f"trick {number}")
