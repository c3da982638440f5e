"""For everybody: by keyboard alone, by ear alone, without motion, on a narrow screen, in three languages."""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE, ROOT, Visit
from tests.browser.player import READY, Clicker
from tests.browser.tables import open_table

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async (options) => {
  const found = await axe.run(document, { resultTypes: ["violations"], selectors: false, ...options });
  return found.violations;
}"""
DRESS = "theme => { document.documentElement.dataset.theme = theme; }"


def complaints_of_axe(page: Page, themes: tuple[str, ...] = ()) -> list[str]:
    """Return what axe has to say about the page as it is, and about its colours in other themes."""
    page.evaluate(AXE.read_text(encoding="utf-8") + "; undefined")
    found = page.evaluate(RUN, {})
    own = page.evaluate("document.documentElement.dataset.theme")
    for theme in themes:
        page.evaluate(DRESS, theme)
        found += page.evaluate(RUN, {"runOnly": ["color-contrast"]})
    page.evaluate(DRESS, own)
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found]


@pytest.mark.parametrize(
    ("themes", "size"), [(("day",), PHONE), (("night", "contrast"), DESKTOP)], ids=["phone", "desktop"]
)
def test_axe_finds_nothing_on_any_page(visit: Visit, themes: tuple[str, ...], size: tuple[int, int]) -> None:
    page = visit("/", size=size, likes={"theme": themes[0]})
    found = {}
    for name in walk(page):
        found[name] = complaints_of_axe(page, themes[1:])
    assert {name: says for name, says in found.items() if says} == {}
    assert len(found) >= 14


def walk(page: Page) -> Iterator[str]:
    """Go through every page and state, and name each."""
    page.locator(".gallery li").first.wait_for()
    yield "home"
    page.get_by_role("button", name="Settings").click()
    yield "settings"
    page.keyboard.press("Escape")
    for path, ready in {"/games": ".gallery li", "/rules/hand": ".rules", "/records": ".panel"}.items():
        page.goto(path)
        page.locator(ready).first.wait_for()
        yield path
    page.goto("/games/buffalo")
    page.locator("[data-do=create]").wait_for()
    yield "a new table"
    open_table(page, "base", 3, bots=0)
    page.locator("[data-do=start]").wait_for()
    yield "a lobby"
    for game in ("anniversary", "board-expert-luck", "logic", "jumping-cow"):
        open_table(page, game, 3)
        clicker = Clicker(page, seed=3, real=False)
        for _ in range(7):
            clicker.step()
        clicker.todo()
        yield f"a table of {game}"
    for tool in ("Scores", "Unseen cards", "Legend", "Rules", "Say something"):
        open_tool(page, tool)
        yield tool
        close_tool(page)
    Clicker(page, seed=3, real=False).play()
    yield "a result"
    page.locator("[data-tab=replay]").click()
    page.locator("[data-do=step]").wait_for()
    page.locator("[data-do=next-take]").click()
    yield "a replay"


def open_tool(page: Page, name: str) -> None:
    """Open a sheet of the table through its menu; on a wide screen it is a tab of the drawer."""
    page.get_by_role("button", name="More", exact=True).click()
    page.locator("dialog").get_by_role("button", name=name, exact=True).click()
    page.get_by_role("tabpanel").wait_for()


def close_tool(page: Page) -> None:
    """Put away what lies over the table, if anything does."""
    if page.locator("dialog").count():
        page.keyboard.press("Escape")
        page.locator("dialog").wait_for(state="detached")


def test_a_whole_game_by_keyboard_alone(visit: Visit) -> None:
    page = visit()
    open_table(page, "base", 2)
    page.locator(".hand button").first.wait_for()
    for _ in range(200):
        todo = page.wait_for_function(READY).json_value()
        if todo == "over":
            break
        rows = page.locator(".row.tappable").count()
        if rows:
            page.keyboard.press("r")
            page.keyboard.press(str(rows))
        else:
            card = page.locator(".hand button").last.get_attribute("data-token") or ""
            for digit in card.removeprefix("card:"):
                page.keyboard.press(digit)
        expect(page.locator("[data-do=confirm]")).to_be_visible()
        # The focus is on what was chosen: Enter there plays it.
        assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"
        page.keyboard.press("Enter")
        page.wait_for_function("() => !document.querySelector('[data-do=confirm]')")
        assert page.evaluate("document.activeElement !== document.body"), "the focus was lost"
    expect(page.locator("#result-title")).to_be_visible()


def test_a_trick_can_be_played_from_what_is_heard(visit: Visit) -> None:
    """The accessibility tree alone says what lies where, what one holds, and what happened in which order."""
    page = visit()
    open_table(page, "base", 3)
    page.locator(".hand button").first.wait_for()
    tree = page.locator("main").aria_snapshot()
    rows = re.findall(r'listitem "?Pen (\d): 1 card, (\d) bullheads?, ends with (\d+)', tree)
    assert [int(row) for row, _, _ in rows] == [1, 2, 3, 4]
    hand = [int(card) for card in re.findall(r'button "(\d+), \d bullheads?"', tree)]
    assert len(hand) == 10
    assert hand == sorted(hand)
    assert "Choose a card from your hand." in tree
    assert re.search(r"Ann \(you\), total 0, this round 0 bullheads, 10 cards, still choosing", tree)
    page.get_by_role("button", name=re.compile(rf"^{hand[-1]}, ")).press("Enter")
    page.get_by_role("button", name=f"Play {hand[-1]}").press("Enter")
    page.wait_for_function(READY)
    heard = page.get_by_role("log").locator("p").all_inner_texts()
    placed = [re.search(r"’s (\d+) goes to pen \d, place \d", line) for line in heard]
    order = [int(found.group(1)) for found in placed if found]
    assert heard[0].startswith("Turned up: ")
    assert len(order) >= 1
    assert order == sorted(order)


def test_a_space_of_the_board_is_explained_to_keyboard_mouse_and_finger(visit: Visit) -> None:
    page = visit()
    open_table(page, "board-basic", 2)
    page.locator(".hand button").first.wait_for()
    space, told = page.locator(".space:focus"), page.locator(".told")
    for _ in range(60):
        page.keyboard.press("Tab")
        if space.count():
            break
    first = space.get_attribute("title") or ""
    expect(told).to_contain_text(first)
    seen = {first}
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
        expect(told).to_contain_text(space.get_attribute("title") or "?")
        seen.add(told.inner_text())
    assert len(seen) > 2
    here = space.get_attribute("aria-label")
    page.keyboard.press("Tab")
    assert not space.count(), "the board is one stop of the Tab key"
    expect(told).to_have_count(0)
    page.keyboard.press("Shift+Tab")
    assert space.get_attribute("aria-label") == here, "it is entered where it was left"
    page.keyboard.press("Escape")
    expect(told).to_have_count(0)
    other = page.locator(".space").last
    other.click()
    expect(told).to_contain_text(other.get_attribute("title") or "?")
    told.click()
    expect(told).to_have_count(0)
    assert complaints_of_axe(page) == []


DRAWN = """() => {
  const style = (selector) => getComputedStyle(document.querySelector(selector));
  return [style('.plate').color, style('.ghost').backgroundColor, style('.ghost text').fill];
}"""


def test_drawn_figures_keep_their_colours_where_the_system_forces_its_own(visit: Visit) -> None:
    page = visit(likes={"preview": True})
    open_table(page, "base", 2)
    page.locator(".hand button").last.click()
    page.locator(".ghost text").wait_for()
    usual = page.evaluate(DRAWN)
    page.emulate_media(forced_colors="active")
    assert page.evaluate("matchMedia('(forced-colors: active)').matches")
    assert page.evaluate(DRAWN) == usual


def test_motion_is_spared_those_who_ask_for_it(visit: Visit) -> None:
    page = visit(calm=True, likes={"speed": 1})
    open_table(page, "base", 3)
    page.locator(".hand button").nth(5).click()
    page.locator("[data-do=confirm]").click()
    page.locator(".played li").first.wait_for()
    for _ in range(10):
        assert (
            page.evaluate("document.getAnimations().filter((one) => one.playState === 'running').length") == 0
        )
        page.wait_for_timeout(100)


def test_cards_glide_where_motion_is_welcome(visit: Visit) -> None:
    page = visit(calm=False, likes={"speed": 1})
    open_table(page, "base", 3)
    page.locator(".hand button").nth(5).click()
    page.locator("[data-do=confirm]").click()
    page.wait_for_function(
        "() => document.getAnimations().some((one) => one.effect?.getKeyframes?.().some((frame) => "
        "String(frame.transform).startsWith('translate')))"
    )


@pytest.mark.parametrize("game", ["base", "anniversary", "board-basic"])
def test_320_pixels_are_enough(visit: Visit, game: str) -> None:
    page = visit(size=(320, 640), likes={"language": "de"})
    for path in ("/", f"/games/{game}"):
        page.goto(path)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
    open_table(page, game, 4)
    page.locator(".hand button").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    boxes = [button.bounding_box() for button in page.locator(".hand button").all()]
    assert all(box and box["width"] >= 40 and box["height"] >= 36 for box in boxes)


@pytest.mark.parametrize("language", ["de", "fr"])
def test_every_word_is_translated(visit: Visit, language: str) -> None:
    page = visit("/", likes={"language": language})
    english = json.loads((ROOT / "web/src/i18n/en.json").read_text(encoding="utf-8"))
    theirs = json.loads((ROOT / f"web/src/i18n/{language}.json").read_text(encoding="utf-8"))
    foreign = {
        text
        for key, text in english.items()
        if isinstance(text, str) and text != theirs[key] and "{" not in text
    }
    words = []
    page.locator(".gallery li").first.wait_for()
    words += page.locator("body").inner_text().split("\n")
    open_table(page, "base", 2)
    clicker = Clicker(page, seed=1, real=False)
    for _ in range(6):
        clicker.step()
    words += page.locator("body").inner_text().split("\n")
    clicker.play()
    words += page.locator("body").inner_text().split("\n")
    assert page.locator("html").get_attribute("lang") == language
    assert [word for word in words if word.strip() in foreign] == []
    assert [word for word in words if re.fullmatch(r"[a-z]+(\.[\w-]+)+", word.strip())] == []
