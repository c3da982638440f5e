"""Faults that were seen once and must not come back, each on a position where it would be seen."""

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import COVERS, PHONE, Visit
from tests.browser.staged import ME, Staged, teller
from tests.browser.tables import open_table, sit_down

ROWS = ((12, 19, 23), (41, 44), (53, 54, 55, 65, 66), (88, 89))
SIXTEEN = 68
"""The card that is the sixth behind the 66 and takes sixteen bullheads."""
OTHERS = (24, 25, 26, 45, 46)
WIDE = (1440, 900)


def seated(page: Page, players: int, mine: Sequence[int] = (SIXTEEN, 90, 104)) -> Staged:
    """Show a table at which everybody but me has chosen a card that does no harm."""
    spare = iter(range(1, 11))
    others = [(card, *(next(spare) for _ in mine[1:])) for card in OTHERS[: players - 1]]
    table = Staged(ROWS, [tuple(mine), *others])
    table.open(page)
    page.locator(".hand button").first.wait_for()
    for seat, hand in enumerate(others, 1):
        table.choose(seat, str(hand[0]))
    table.tell()
    return table


def test_at_the_end_of_a_round_points_are_told_once(visit: Visit) -> None:
    page = visit(size=WIDE)
    table = seated(page, 3, mine=(SIXTEEN,))
    table.choose(ME, str(SIXTEEN))
    table.tell()
    expect(page.locator("dialog")).to_contain_text("After round 1")
    expect(page.locator("[data-score='0']")).to_have_text("16")
    expect(page.locator(".seat .more")).to_have_count(0)
    assert "this round 0 bullheads" in (page.locator("[data-seat='0']").get_attribute("aria-label") or "")


PLACES = """() => ['.hand', '.row', '.seat'].map(
  (one) => JSON.stringify(document.querySelector(one).getBoundingClientRect()))"""


@pytest.mark.parametrize("size", [WIDE, PHONE, (844, 390)], ids=["wide", "phone", "sideways"])
def test_what_was_taken_stands_on_one_line_and_moves_nothing(visit: Visit, size: tuple[int, int]) -> None:
    page = visit(size=size)
    table = seated(page, 6)
    before = page.evaluate(PLACES)
    table.choose(ME, str(SIXTEEN))
    table.tell()
    more = page.locator("[data-seat='0'] .more")
    expect(more).to_have_text("+16")
    assert more.evaluate("(one) => one.getClientRects().length") == 1
    assert more.evaluate("(one) => one.scrollWidth <= one.closest('.plaque').clientWidth")
    assert page.evaluate(PLACES) == before


class Clocked(Staged):
    """A table whose server leaves more time than was agreed, for it waits for the slowest page."""

    def tell_all(self) -> None:
        told: dict[str, Any] = json.loads(teller(self.table).snapshot(ME))
        told["table"]["settings"]["clock"] = 15
        told["clock"] = {"animation": 4000, "left": 19_000}
        assert self.socket is not None
        self.socket.send(json.dumps(told))
        self.sent = self.table.number


def test_a_clock_of_fifteen_seconds_never_shows_more(visit: Visit) -> None:
    page = visit()
    Clocked(ROWS, [(68, 90), (24, 1)]).open(page)
    timer = page.get_by_role("timer")
    timer.wait_for()
    found = re.match(r"(\d+) seconds?$", timer.inner_text())
    assert found
    assert 10 <= int(found.group(1)) <= 15


def ticked(page: Page) -> list[str | None]:
    """Return the seats that are marked as having answered."""
    marked = page.locator(".seat:has(.state use[href='#tick'])")
    return [seat.get_attribute("data-seat") for seat in marked.all()]


@pytest.mark.parametrize("game", ["open", "hand"])
def test_in_games_in_turn_nobody_is_ticked_off_who_has_not_had_a_turn(visit: Visit, game: str) -> None:
    page = visit()
    open_table(page, game, 4)
    page.locator(".hand button[aria-disabled=false]").first.wait_for()
    expect(page.locator("[data-seat='0'] .state.dots")).to_be_visible()
    assert ticked(page) == []


def test_a_tick_means_that_somebody_has_answered(visit: Visit) -> None:
    page = visit()
    table = Staged(ROWS, [(68, 90), (24, 2), (25, 3)])
    table.open(page)
    page.locator(".hand button").first.wait_for()
    assert ticked(page) == []
    table.choose(2, "25")
    table.tell()
    expect(page.locator("[data-seat='2'] .state use[href='#tick']")).to_have_count(1)
    assert ticked(page) == ["2"]


SHINES = """(node) => {
  const [r, g, b] = getComputedStyle(node).backgroundColor.match(/[\\d.]+/g).map(Number);
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}"""


@pytest.mark.parametrize(("theme", "least", "most"), [("day", 0.6, 1), ("night", 0, 0.35)])
def test_five_rounds_fit_on_the_sheet_which_is_as_dark_as_the_table(
    visit: Visit, theme: str, least: float, most: float
) -> None:
    page = visit(size=WIDE, likes={"theme": theme})
    table = Staged(ROWS, [(68, 90), (24, 2), (25, 3), (26, 4)])
    position = table.table.position
    assert position is not None
    position.score_sheet = [(12, 0, 24, 8) for _ in range(5)]
    position.scores = [60, 0, 120, 40]
    table.open(page)
    page.locator(".hand button").first.wait_for()
    page.get_by_role("tab", name="Scores").click()
    paper = page.locator(".paper")
    expect(paper.locator("thead th")).to_have_count(7)
    assert paper.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    expect(paper.get_by_role("rowheader", name="Bot 3")).to_be_visible()
    assert least <= paper.evaluate(SHINES) <= most


class Watched(Staged):
    """A table that the page watches, and plays no seat of."""

    def tell_all(self) -> None:
        assert self.socket is not None
        self.socket.send(teller(self.table).snapshot(None))
        self.sent = self.table.number

    def tell(self) -> None:
        assert self.socket is not None
        self.socket.send(teller(self.table).update(None, self.sent))
        self.sent = self.table.number


@pytest.mark.parametrize("size", [WIDE, PHONE, (320, 640)], ids=["wide", "phone", "narrow"])
def test_who_watches_sees_who_has_chosen(visit: Visit, size: tuple[int, int]) -> None:
    page = visit(size=size)
    table = Watched(ROWS, [(68, 90), (24, 2), (25, 3)])
    table.open(page)
    expect(page.locator("#prompt")).to_contain_text("You are watching. Waiting for Ann, Bot 1, and Bot 2.")
    for seat, card in ((1, 24), (2, 25)):
        table.choose(seat, str(card))
        table.tell()
    # Only one is still to choose, and the others' cards lie there all the same.
    expect(page.locator(".lane [data-card^=back-]")).to_have_count(2)
    assert ticked(page) == ["1", "2"]
    # So does somebody who comes, or comes back, only now.
    page.reload()
    expect(page.locator(".lane [data-card^=back-]")).to_have_count(2)
    expect(page.locator("[data-do=take-over]")).to_have_text("Play on for Bot 1")
    assert page.evaluate("document.querySelector('#prompt').scrollWidth <= innerWidth")


NUMBERS_COVERED = """() => {
  const flag = document.querySelector('.flag.says').getBoundingClientRect();
  return [...document.querySelectorAll('.row [data-card]')].filter((card) => {
    const { left, right, top, height } = card.getBoundingClientRect();
    const number = { top: top + height * 0.1, bottom: top + height * 0.5 };
    return flag.left < right && left < flag.right && flag.top < number.bottom && number.top < flag.bottom;
  }).map((card) => card.dataset.card);
}"""


@pytest.mark.parametrize("size", [WIDE, PHONE, (844, 390)], ids=["wide", "phone", "sideways"])
def test_what_is_said_at_a_pen_leaves_its_numbers_free_and_a_tap_hurries(
    visit: Visit, size: tuple[int, int]
) -> None:
    page = visit(size=size, calm=False, likes={"speed": 0.1})
    table = seated(page, 4)
    table.choose(ME, "90")
    table.tell()
    page.locator(".flag.says").wait_for()
    assert page.evaluate(NUMBERS_COVERED) == []
    fastest = "Math.max(...document.getAnimations().map(({ playbackRate }) => playbackRate))"
    page.locator(".row").nth(1).dispatch_event("pointerdown")
    page.wait_for_function(f"() => {fastest} > 0.25 && {fastest} < 0.35")


NEEDED = ".seat, .row, .lane, .tools, #prompt, .actions button, .hand button"
"""What is looked at or tapped in a trick."""


@pytest.mark.parametrize("size", [(1024, 768), PHONE, (320, 640), (844, 390)])
def test_notices_come_one_at_a_time_and_cover_neither_seats_nor_code(
    visit: Visit, size: tuple[int, int]
) -> None:
    ann, ben = visit(size=size), visit(name="Ben")
    code = open_table(ann, "base", 3, bots=0)
    sit_down(ben, code)
    notices = ann.locator(".notice")
    expect(notices).to_have_text("Ben sits down.")
    assert not ann.evaluate(COVERS, [".notice", ".head, .lobby"])
    # Changing pages is no news; only what happens next is told.
    ben.goto("/")
    ben.goto(f"/t/{code}")
    ben.locator(".lobby").wait_for()
    ann.get_by_role("button", name="Add a bot").click()
    ann.locator("[data-do=start]").click()
    ann.locator(".hand button").nth(9).wait_for()
    expect(notices).to_have_count(0)
    ben.context.close()
    expect(notices).to_have_text("Ben is offline.", timeout=15_000)
    assert not ann.evaluate(COVERS, [".notice", NEEDED])
    ann.context.set_offline(True)
    expect(notices).to_have_class(re.compile("wire"), timeout=15_000)
    assert not ann.evaluate(COVERS, [".notice", NEEDED])


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_the_question_whether_to_call_stands_beside_the_code_and_not_over_a_game(
    visit: Visit, size: tuple[int, int]
) -> None:
    ann, ben = visit(size=size), visit(name="Ben")
    ann.add_init_script("Object.defineProperty(Notification, 'permission', { get: () => 'default' })")
    code = open_table(ann, "base", 2, bots=0)
    ann.locator("[data-do=call-me]").wait_for()
    assert not ann.evaluate(COVERS, [".notice", ".head, .lobby > *"])
    sit_down(ben, code)
    ann.locator("[data-do=start]").click()
    ann.locator(".hand button").nth(9).click()
    ann.locator("[data-do=confirm]").click()
    expect(ann.locator("#prompt")).to_have_text("Waiting for Ben.")
    expect(ann.locator("[data-do=call-me]")).to_have_count(0)


def test_a_board_opens_on_the_rows_that_tiles_lie_in(visit: Visit) -> None:
    page = visit(size=(844, 390))
    open_table(page, "board-expert", 4)
    frame = page.locator(".frame")
    page.locator(".line.active").first.wait_for()
    assert frame.evaluate("(node) => node.scrollHeight > node.clientHeight + 20"), "it does not scroll at all"
    seen = """(node) => [...node.querySelectorAll('.line.active')].filter((line) => {
      const [inner, outer] = [line.getBoundingClientRect(), node.getBoundingClientRect()];
      return inner.top > outer.top - 4 && inner.bottom < outer.bottom + 4;
    }).length"""
    assert frame.evaluate(seen) == 4


def test_everybody_who_shares_a_place_is_named_and_who_waits_sees_no_button(visit: Visit) -> None:
    # Of a table that is only staged nobody has a record.
    page = visit(size=WIDE, tolerant=True)
    table = Staged(ROWS, [(SIXTEEN,), (24,), (25,), (26,)], options={"end.kind": "rounds", "end.value": 1})
    table.open(page)
    page.locator(".hand button").first.wait_for()
    for seat, card in ((1, 24), (2, 25), (3, 26), (ME, SIXTEEN)):
        table.choose(seat, str(card))
    table.table.host = 1
    table.tell()
    expect(page.locator("#result-title")).to_have_text("You came fourth.")
    lead = page.locator(".result .lead")
    expect(lead).to_contain_text("Bot 1 and Bot 2 have 0 bullheads each, you have 16.")
    expect(page.locator("[data-stands]")).to_have_count(3)
    expect(page.locator("[data-mud='0']")).to_have_count(1)
    waits = page.get_by_text("The host can deal again.")
    assert waits.evaluate("(node) => getComputedStyle(node).boxShadow") == "none"


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_joining_by_code_fits_in_320_pixels(visit: Visit, language: str) -> None:
    page = visit("/", size=(320, 640), likes={"language": language})
    outside = """() => {
      const panel = document.querySelector('.join').getBoundingClientRect();
      return [...document.querySelectorAll('.join *')].filter((part) => {
        const { left, right } = part.getBoundingClientRect();
        return left < panel.left || right > panel.right || right > innerWidth;
      }).map((part) => part.outerHTML);
    }"""
    page.locator(".join .button").wait_for()
    assert page.evaluate(outside) == []


def test_after_play_now_the_focus_is_at_the_question(visit: Visit) -> None:
    page = visit("/")
    page.locator("[data-do=play-now]").click()
    page.locator(".hand button").first.wait_for()
    page.wait_for_function("() => document.activeElement.id === 'prompt'")
