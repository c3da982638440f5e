"""What a visitor can rely on: deals that are checked here, and links that ask first."""

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.player import Clicker
from tests.browser.tables import open_table


def test_the_deals_of_a_game_are_checked_by_the_browser_itself(visit: Visit) -> None:
    page = visit()
    open_table(page, "base", 2)
    Clicker(page, 1, real=False).go_alone()
    found = page.locator("[data-fair]")
    found.wait_for(timeout=120_000)
    expect(found).to_have_attribute("data-fair", "fair")
    found.locator("summary").click()
    expect(found.locator("code")).to_contain_text("bullpen record verify")


def test_a_private_link_asks_first_and_leaves_a_way_back(visit: Visit) -> None:
    ann, ben = visit(), visit(name="Ben")
    code = open_table(ann, "base", 2)
    open_table(ben, "base", 2)
    link = ann.evaluate("fetch('/api/me').then((answer) => answer.json()).then((me) => me.link)")
    ben.goto(f"/t/{code}#key={link}")
    expect(ben.get_by_role("dialog")).to_contain_text("In this browser you are Ben")
    ben.locator("[data-do=no-key]").click()
    ben.goto("/records")
    assert ben.evaluate("fetch('/api/me').then((answer) => answer.json()).then((me) => me.name)") == "Ben"
    ben.goto(f"/t/{code}#key={link}")
    ben.locator("[data-do=use-key]").click()
    ben.locator(".hand button").first.wait_for()
    ben.goto("/records")
    expect(ben.locator("[data-do=revoke]")).to_have_count(1)
    ben.locator("[data-do=go-back]").click()
    expect(ben.locator("[data-do=go-back]")).to_contain_text("Ann")
