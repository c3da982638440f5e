"""Ways to a table, as a person would go them."""

from playwright.sync_api import Page

SHORT = {"hand": "6", "board-expert": "12", "board-expert-luck": "12"}
"""Games that may go on for long say after how many turns or tricks they stop."""


def open_table(page: Page, game: str, players: int, bots: int | None = None) -> str:
    """Make a table of one round through the form, and return its code."""
    page.goto(f"/games/{game}")
    page.locator("[data-do=create]").wait_for()
    who = page.locator("fieldset").first.locator("select")
    if players > 1:
        who.nth(0).select_option(str(players))
    if bots is not None:
        who.nth(1).select_option(str(bots))
    rounds = page.locator("select").filter(has=page.locator("option[value=rounds]"))
    numbers = page.locator("input[type=number]")
    if rounds.count():
        rounds.select_option("rounds")
        numbers.first.fill("1")
    if game in SHORT:
        numbers.last.fill(SHORT[game])
    page.locator("[data-do=create]").click()
    page.wait_for_url("**/t/*")
    return page.url.split("?")[0].rsplit("/", 1)[1]


def sit_down(page: Page, code: str) -> None:
    """Take a seat at a table that waits for players."""
    page.goto(f"/t/{code}")
    page.locator("[data-do=sit]").click()
    page.locator("[data-do=sit]").wait_for(state="detached")
