"""What moves: in which order things happen, and that nothing moves on when it was told to stop."""

from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import SHOTS, Visit
from tests.browser.film import Film, Frame, first
from tests.browser.player import Clicker
from tests.browser.staged import Staged
from tests.browser.tables import open_table
from tests.conftest import SOAK

ROWS = ((12, 19, 23), (41, 44), (58, 59, 65, 75), (88, 89))
PLAYED = ".hand button"
LOUD = {"speed": 1, "askedToCall": True}
AT_REST = """() => document.querySelectorAll('.air > *').length === 0 &&
  document.getAnimations().every((one) => one.effect?.getTiming().iterations === Infinity)"""


class Scene(NamedTuple):
    """A trick of two: what lies in the third row, my card, the other's, and what must come of it."""

    row: tuple[int, ...]
    mine: int
    other: int
    takes: int


SIXTHS = {
    "sixth-1": Scene((57, 58, 59, 62, 76), mine=81, other=24, takes=5),
    "sixth-2": Scene((58, 59, 60, 65, 75), mine=81, other=24, takes=9),
    "sixth-3": Scene((53, 54, 55, 65, 66), mine=68, other=24, takes=16),
}


def staged(visit: Visit, scene: Scene, **likes: object) -> tuple[Page, Staged]:
    """Open a table at which the other has chosen already."""
    page = visit(calm=False, size=(1280, 800), likes={**LOUD, **likes})
    rows = (ROWS[0], ROWS[1], scene.row, ROWS[3])
    table = Staged(rows, [(scene.mine, 90, 104), (scene.other, 1, 100)])
    table.open(page)
    page.locator(PLAYED).nth(2).wait_for()
    table.choose(1, str(scene.other))
    table.tell()
    return page, table


def filmed(
    visit: Visit, browser: Browser, name: str, scene: Scene, seat: int, row: int
) -> tuple[list[Frame], list[str]]:
    """Film the trick from the last choice until the next question."""
    page, table = staged(visit, scene)
    page.locator("[data-lane] [data-card=back-1]").wait_for()
    film = Film(page, row=row, seat=seat, card=scene.mine if seat == 0 else scene.other)
    table.choose(0, str(scene.mine))
    for ask in table.table.game.asks if table.table.game else ():
        if ask.kind == "choose_row":
            table.choose(ask.seats[0], f"r{row + 1}")
    table.tell()
    frames, shifted = film.shoot()
    film.keep(SHOTS / "film" / name, browser)
    return frames, shifted


def counted(frames: list[Frame]) -> list[int]:
    """Return the points that were shown, one after the other."""
    shown: list[int] = []
    for frame in frames:
        if not shown or shown[-1] != frame["points"]:
            shown.append(frame["points"])
    return shown


@pytest.mark.parametrize("name", SIXTHS if SOAK else ["sixth-3"])
def test_the_sixth_card_breaks_the_gate_before_the_herd_runs_home(
    visit: Visit, browser: Browser, name: str
) -> None:
    scene = SIXTHS[name]
    frames, shifted = filmed(visit, browser, name, scene, seat=0, row=2)
    gate = first(frames, lambda frame: frame["atGate"] and "sixth" in frame["says"])
    broken = first(frames, lambda frame: frame["gate"] == "broken")
    leaves = first(frames, lambda frame: frame["left"] > 0)
    counts = first(frames, lambda frame: frame["points"] > 0)
    assert gate < broken < leaves < counts
    # The card waits at its gate, and nobody has left, until the gate breaks.
    assert all(frame["atGate"] and not frame["left"] for frame in frames[gate:broken])
    assert frames[counts]["home"] >= 1
    # The score counts up as they come home, and ends at what the row was worth.
    shown = counted(frames)
    assert shown == sorted(shown)
    assert (shown[0], shown[-1]) == (0, scene.takes)
    assert len(shown) > 2
    assert "sixth" in frames[broken]["says"]
    assert frames[-1]["lying"] == [scene.mine]
    assert shifted == []


def test_a_safe_card_walks_to_its_stall_and_nothing_else_happens(visit: Visit, browser: Browser) -> None:
    scene = Scene(ROWS[2], mine=81, other=24, takes=0)
    frames, shifted = filmed(visit, browser, "safe", scene, seat=0, row=2)
    up = first(frames, lambda frame: frame["turnedUp"])
    there = first(frames, lambda frame: frame["lying"] == [*ROWS[2], 81])
    assert up < there
    assert "pen 3" in frames[there]["says"]
    assert counted(frames) == [0]
    assert not any(frame["left"] or frame["gate"] in ("broken", "open", "hit") for frame in frames)
    assert shifted == []


def test_a_low_card_lights_its_owner_and_opens_the_gate(visit: Visit, browser: Browser) -> None:
    scene = Scene(ROWS[2], mine=24, other=5, takes=6)
    frames, shifted = filmed(visit, browser, "low", scene, seat=1, row=3)
    lit = first(frames, lambda frame: frame["lit"])
    opened = first(frames, lambda frame: frame["gate"] == "open")
    leaves = first(frames, lambda frame: frame["left"] > 0)
    counts = first(frames, lambda frame: frame["points"] > 0)
    assert lit < opened < leaves < counts
    assert not any(frame["gate"] == "broken" for frame in frames)
    assert frames[counts]["home"] >= 1
    assert counted(frames)[-1] == scene.takes
    assert frames[-1]["lying"] == [5]
    assert shifted == []


def rows(page: Page) -> list[str | None]:
    """What is said of each row, and of each seat."""
    return [node.get_attribute("aria-label") for node in page.locator("[data-row], [data-seat]").all()]


@pytest.mark.parametrize("after", [0, 350, 900, 1500, 2400] if SOAK else [350, 1500])
def test_skip_and_a_snapshot_end_in_the_newest_position(visit: Visit, after: int) -> None:
    page, table = staged(visit, SIXTHS["sixth-3"])
    table.choose(0, "68")
    table.tell()
    page.wait_for_timeout(after)
    page.get_by_role("button", name="Skip", exact=True).click()
    page.wait_for_function(AT_REST)
    skipped = rows(page)
    assert any("16 bullheads" in (label or "") for label in skipped)
    # The same again, but everything there is to know comes in the middle of the scene.
    again, other = staged(visit, SIXTHS["sixth-3"])
    other.choose(0, "68")
    other.tell()
    again.wait_for_timeout(after)
    other.tell_all()
    again.wait_for_function(AT_REST)
    assert rows(again) == skipped
    again.wait_for_timeout(400)
    assert rows(again) == skipped
    expect(again.locator(PLAYED).first).to_have_attribute("aria-disabled", "false")


def test_reduced_motion_keeps_the_order_and_the_numbers(visit: Visit) -> None:
    scene = SIXTHS["sixth-3"]
    page, table = staged(visit, scene)
    page.emulate_media(reduced_motion="reduce")
    film = Film(page, row=2, seat=0, card=scene.mine)
    table.choose(0, str(scene.mine))
    table.tell()
    frames, shifted = film.shoot(pictures=False)
    broken = first(frames, lambda frame: frame["gate"] == "broken")
    empty = first(frames, lambda frame: not frame["lying"])
    counts = first(frames, lambda frame: frame["points"] > 0)
    assert broken <= empty < counts
    assert counted(frames)[-1] == scene.takes
    assert len(counted(frames)) > 2
    assert not any(frame["left"] or frame["atGate"] for frame in frames)
    assert shifted == []


def test_the_last_trick_is_seen_again(visit: Visit) -> None:
    page, table = staged(visit, SIXTHS["sixth-1"], speed=4)
    table.choose(0, "81")
    table.tell()
    expect(page.locator(PLAYED).first).to_have_attribute("aria-disabled", "false", timeout=30_000)
    after = rows(page)
    page.locator(".tools .more").click()
    page.get_by_role("button", name="Last trick").click()
    page.wait_for_function("() => document.querySelectorAll('[data-row=\"2\"] [data-card]').length === 5")
    page.wait_for_function(AT_REST)
    expect(page.locator(PLAYED).first).to_have_attribute("aria-disabled", "false", timeout=30_000)
    assert rows(page) == after


def test_a_seek_while_a_card_flies_ends_where_it_went(visit: Visit) -> None:
    page = visit(calm=False, likes={**LOUD, "speed": 0})
    open_table(page, "base", 2)
    Clicker(page, seed=5, real=False).play()
    page.get_by_role("link", name="Watch the replay").click()
    page.locator("[data-do=step]").wait_for()
    page.evaluate(
        "() => (localStorage.bullpen = JSON.stringify({ ...JSON.parse(localStorage.bullpen), speed: 1 }))"
    )
    page.reload()
    page.locator("[data-do=next-take]").click()
    page.locator("[data-row]").first.wait_for()
    wanted = rows(page)
    where = page.url
    page.goto(where.replace(f"m={moment(where)}", f"m={moment(where) - 1}"))
    page.locator("[data-do=step]").click()
    page.wait_for_timeout(500)
    page.locator("[data-do=next-take]").wait_for()
    # Forward and back while the card is in the air: the moment that was asked for last is what is seen.
    page.locator("[data-do=step]").click()
    page.wait_for_timeout(200)
    page.locator("input[type=range]").first.fill(str(moment(where)))
    page.wait_for_function(AT_REST)
    assert rows(page) == wanted
    page.wait_for_timeout(500)
    assert rows(page) == wanted


def moment(url: str) -> int:
    """Return the moment that an address names."""
    return int(url.split("m=")[1].split("&", maxsplit=1)[0])
