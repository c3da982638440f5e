"""Hints and reviews as they are looked at: in every family of games, at every size, by keyboard and by ear.

What the server would answer is worked out here, by the same code and with little effort; the tests of
analysis wait for a real answer.
"""

import re
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Page, expect

from bullpen.engine import view
from bullpen.records import Record
from bullpen.rulesets import find, games
from bullpen.server import protocol
from tests.browser.conftest import DESKTOP, PHONE, Visit
from tests.browser.house import House
from tests.browser.positions import NAMES, first_asks, snapshot
from tests.browser.reviews import answer_with, hinted, reviewed, upload
from tests.browser.test_access import complaints_of_axe
from tests.browser.test_fit import SIZES, STAND, UNSEEN
from tests.conftest import SOAK
from tests.games_by_chance import by_chance

HERE = Path(__file__).parent
HINT = """async (scenes) => {
  const measure = %s;
  const found = [];
  for (const scene of scenes) {
    await stand.show(scene);
    if (document.querySelector("section.hint")) throw new Error("the last hint is still there");
    document.querySelector("[data-do=hint]").click();
    for (let turn = 0; turn < 300 && !document.querySelector("[data-hint]"); turn += 1)
      await new Promise((done) => setTimeout(done));
    // The panel takes its measure of the table after it has appeared.
    let faults = measure();
    for (let turn = 0; turn < 40 && faults.length; turn += 1) {
      await new Promise((done) => setTimeout(done, 50));
      faults = measure();
    }
    found.push(...faults.map((fault) => `${scene.kind}: ${fault}`));
  }
  return found;
}""" % (HERE / "hint.js").read_text(encoding="utf-8").strip()  # noqa: UP031 (the script is full of braces)
REVIEW = (HERE / "review.js").read_text(encoding="utf-8").strip()
TABS = """async () => {
  const box = (node) => node.getBoundingClientRect();
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((node) => box(node).width > 0);
  const meet = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
    && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  const astray = () => shown("[data-tab]").filter((tab) => box(tab).left < 0 || box(tab).right > innerWidth
    || shown(".title, .controls .button, .controls input, .seat, .said, .pen")
      .some((other) => meet(box(tab), box(other))))
    .map((tab) => tab.dataset.tab);
  // The table takes its measure of a window after that has changed.
  for (let turn = 0; turn < 40 && astray().length; turn += 1)
    await new Promise((done) => setTimeout(done, 50));
  return astray();
}"""
"""The tabs over a table that leave it, or lie on something."""
FAMILIES = ("base", "buffalo", "board-expert-luck")
"""One game of each kind that asks other questions than the base game; all of them in the soak."""


def asked(game: str) -> list[dict[str, object]]:
    """Return a table for every kind of question of a game, with the hint that the server would give."""
    players = min(find(game).player_range, key=lambda count: abs(count - 4))
    scenes: list[dict[str, object]] = []
    for number, (played, ask) in enumerate(first_asks(game, players), start=1):
        seat = ask.seats[0]
        seen = view(played.rules, played.position, seat)
        shown = snapshot(played.rules, played.position, seat, ask, number, hints=True)
        scenes.append(
            {"kind": ask.kind, "number": number, "snapshot": shown, "hint": hinted(number, seen).decode()}
        )
    return scenes


def open_stand(page: Page, scene: dict[str, object]) -> None:
    """Open a table whose server is played by the page itself."""
    page.add_init_script(STAND)
    page.goto("/t/ABCD")
    page.wait_for_function("() => stand.socket")
    page.evaluate("(scene) => stand.show(scene)", scene)


@pytest.mark.parametrize("game", games() if SOAK else FAMILIES)
def test_a_hint_fits_and_gives_reasons_at_every_question(game: str, visit: Visit) -> None:
    scenes = asked(game)
    assert len(scenes) >= min(2, len(find(game).questions))
    page = visit(likes={"speed": 0, "language": "de" if game == "buffalo" else "en"}, device_scale_factor=0.1)
    open_stand(page, scenes[0])
    page.evaluate(UNSEEN)
    faults = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        faults += [f"{game}, {width}x{height}, {fault}" for fault in page.evaluate(HINT, scenes)]
        page.evaluate("document.querySelector('[data-do=hide-hint]').click()")
    assert not faults, "\n".join(faults[:40])


@pytest.mark.parametrize(("theme", "size"), [("day", PHONE), ("night", DESKTOP)], ids=["phone", "desktop"])
def test_a_hint_is_for_everybody(visit: Visit, theme: str, size: tuple[int, int]) -> None:
    page = visit(size=size, likes={"speed": 0, "theme": theme})
    (scene, *_) = asked("base")
    open_stand(page, scene)
    page.locator("[data-do=hint]").wait_for()
    page.keyboard.press("h")
    page.locator("[data-hint]").nth(2).wait_for()
    assert complaints_of_axe(page) == []
    page.keyboard.press("h")
    expect(page.locator("section.hint")).to_have_count(0)
    off = {**scene, "number": 99, "snapshot": str(scene["snapshot"]).replace('"hints":true', '"hints":false')}
    off["snapshot"] = str(off["snapshot"]).replace(f'"number":{scene["number"]},', '"number":99,', 1)
    page.evaluate("(scene) => stand.show(scene)", off)
    expect(page.locator("[data-do=hint]")).to_have_count(0)
    page.keyboard.press("h")
    expect(page.locator("section.hint")).to_have_count(0)


def test_what_is_made_ready_first_is_said_so(visit: Visit, house: House) -> None:
    page, name = visit(), upload(house, by_chance("base"))
    for state, says in (
        (protocol.Reviewing(3, 0.0, 0), "place 3"),
        (protocol.Reviewing(0, 0.0, 0), "Getting ready."),
        (protocol.Reviewing(0, 0.0, 14), "14 parts so far"),
        (protocol.Reviewing(0, 0.4), "40%"),
    ):
        page.unroute_all()
        answer_with(page, "**/review", msgspec.json.encode(state))
        page.goto(f"/review/{name}")
        expect(page.locator("main [role=status]")).to_contain_text(says)
    assert complaints_of_axe(page) == []


def open_review(page: Page, house: House, record: Record, search: str = "") -> protocol.Review:
    """Open the review of a record, and return it."""
    body = reviewed(record)
    answer_with(page, "**/review", body)
    page.goto(f"/review/{upload(house, record)}{search}")
    page.locator("[data-review]").wait_for()
    told = msgspec.json.decode(body, type=protocol.Reviewing).review
    assert told is not None
    return told


def record_of(game: str) -> Record:
    """A game between people with names: of three rounds in the base game."""
    rounds, players = (3, 4) if game == "base" else (1, None)
    return by_chance(game, players, rounds, names=() if players is None else NAMES)


def faults_of(page: Page) -> list[str]:
    """Return what does not fit, once the page has taken its new measure; a moment is given to it."""
    for _ in range(40):
        found: list[str] = page.evaluate(REVIEW)
        if not found:
            break
        page.wait_for_timeout(50)
    return found


@pytest.mark.parametrize("game", games() if SOAK else ("base", "logic", "board-expert-luck"))
def test_a_review_fits_and_shows_what_was_better(game: str, visit: Visit, house: House) -> None:
    page = visit(likes={"language": "fr" if game == "logic" else "en"})
    told = open_review(page, house, record_of(game))
    faults = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        faults += [f"{game}, {width}x{height}: {fault}" for fault in faults_of(page)]
    kinds = {one.kind: one for one in told.decisions if one.options and one.best != one.choice}
    for kind, one in kinds.items():
        page.goto(page.url.split("?")[0] + f"?seat={one.seat}&m={one.moment}")
        page.locator(".arrows .ring").first.wait_for(state="attached")
        assert page.locator(".arrows g.better").count() == 1, kind
        faults += [f"{game}, {kind}: {fault}" for fault in faults_of(page)]
    assert not faults, "\n".join(faults[:40])


@pytest.mark.parametrize(("theme", "size"), [("day", PHONE), ("night", DESKTOP)], ids=["phone", "desktop"])
def test_a_review_is_for_everybody(visit: Visit, house: House, theme: str, size: tuple[int, int]) -> None:
    page = visit(size=size, likes={"theme": theme})
    told = open_review(page, house, record_of("base"))
    assert complaints_of_axe(page) == []
    rounds = page.locator(".graph path.line").count()
    assert rounds == 3 * 4, "a line of each player in each round"
    assert page.locator(".graph .turn").count() == page.locator("[data-moment=turn]").count() >= 1
    assert page.locator(".graph .mark").count() == page.locator("[data-moment=dear]").count() == 3
    slider, title = page.get_by_role("slider", name="Trick on the graph"), page.locator(".trick-sheet h2")
    slider.focus()
    page.keyboard.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^Round 1, before the first trick: Ann "))
    page.keyboard.press("ArrowRight")
    expect(title).to_contain_text("Round 1, trick 1,")
    heard = slider.get_attribute("aria-valuetext") or ""
    assert heard.startswith("Round 1, trick 1: Ann ")
    page.keyboard.press("End")
    assert "Round 3, trick 10: " in (slider.get_attribute("aria-valuetext") or "")
    lucky = told.players[0].luckiest
    assert lucky is not None
    page.locator("[data-moment=luckiest]").press("Enter")
    expect(title).to_contain_text(f"Round {lucky.round}, trick {lucky.trick},")
    page.get_by_label("Round", exact=True).select_option("2")
    expect(title).to_contain_text("Round 2")
    assert page.locator(".graph path.line").count() == 4


def test_replay_and_review_are_tabs_of_a_game_and_both_are_played_on_from(visit: Visit, house: House) -> None:
    page = visit()
    record = record_of("base")
    open_review(page, house, record, "?seat=2&table=ABCD")
    assert page.locator("[data-tab]").count() == 3
    page.locator("[data-tab=replay]").click()
    expect(page.locator("[data-tab=replay]")).to_have_attribute("aria-current", "page")
    expect(page.locator("[data-tab=result]")).to_have_attribute("href", "/t/ABCD")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(TABS) == [], (width, height)
    page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    moment = len(record.choices) // 2
    page.get_by_role("slider").fill(str(moment))
    page.locator("[data-tab=review]").click()
    page.locator("[data-review]").wait_for()
    expect(page.get_by_label("Player")).to_have_value("2")
    page.go_back()
    page.locator("[data-do=more]").click()
    page.locator("[data-do=try]").click()
    page.wait_for_url("**/t/*")
    entry = record.choices[moment]
    expect(page.locator(".title").first).to_contain_text(f"round {entry.round}, trick {entry.trick}")
