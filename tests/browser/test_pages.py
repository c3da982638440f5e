"""The pages around the tables, and what they weigh."""

import gzip
import json
import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Response, expect

from tests.browser.conftest import COVERS, DESKTOP, PHONE, ROOT, STATIC, Visit
from tests.browser.house import House
from tests.browser.player import Clicker
from tests.browser.tables import open_table

MOST_SCRIPT = 120_000
"""Bytes of gzipped JavaScript that the first table may cost."""
MOST_TYPE = 60_000
"""Bytes of fonts."""
MOST_REQUESTS = 12
"""Requests from an empty cache to the first table; the table's socket is not counted."""


def test_one_click_and_a_person_plays(visit: Visit) -> None:
    page = visit("/", name="")
    page.locator("[data-do=play-now]").click()
    page.locator(".hand button").nth(9).wait_for()
    assert page.locator(".hand button").count() == 10


def test_the_first_table_is_light_and_all_ours(visit: Visit, house: House) -> None:
    page = visit("/")
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108 (Playwright wants a function)
    page.reload()
    page.locator("[data-do=play-now]").click()
    page.locator(".hand button").first.wait_for()
    paths = {urlsplit(answer.url).path for answer in answers}
    assert all(answer.url.startswith(house.url) for answer in answers)
    scripts = [path for path in paths if path.endswith(".js")]
    weight = sum(len(gzip.compress((STATIC / path[1:]).read_bytes())) for path in scripts)
    assert len(scripts) > 1
    assert weight <= MOST_SCRIPT, weight
    type_weight = sum((STATIC / path[1:]).stat().st_size for path in paths if path.endswith(".woff2"))
    assert 0 < type_weight <= MOST_TYPE, type_weight


def test_few_requests_lead_to_the_first_table(visit: Visit) -> None:
    page = visit(likes={"preview": True}, service_workers="allow")
    asked: list[str] = []
    # The context tells of the worker's requests too, of which a first visit has to have none yet.
    page.context.on("request", lambda request: asked.append(f"{request.method} {urlsplit(request.url).path}"))
    page.goto("/")
    with page.expect_response("**/looks"):
        page.locator("[data-do=play-now]").click()
    page.locator(".hand button").first.wait_for()
    assert len(asked) <= MOST_REQUESTS, asked
    assert len(set(asked)) == len(asked)


def test_no_file_of_the_client_is_smaller_than_what_fetching_it_costs() -> None:
    parts = [path for path in (STATIC / "assets").iterdir() if path.suffix in {".js", ".css"}]
    assert 5 < len(parts) <= 16
    assert not [path.name for path in parts if path.stat().st_size < 1_000]


def test_the_document_keeps_the_security_policy(visit: Visit) -> None:
    page = visit("/")
    answer = page.reload()
    assert answer is not None
    assert "unsafe" not in answer.headers["content-security-policy"]
    text = (STATIC / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"\sstyle=|<style|<script>|\son\w+=", text)


def test_it_can_be_installed(visit: Visit, house: House) -> None:
    page = visit("/")
    manifest = page.evaluate("fetch('/manifest.webmanifest').then((answer) => answer.json())")
    assert manifest["display"] == "standalone"
    assert manifest["start_url"] == "/"
    sizes = {icon["sizes"] for icon in manifest["icons"]}
    assert {"192x192", "512x512"} <= sizes
    for icon in manifest["icons"]:
        answer = page.request.get(house.url + icon["src"])
        assert answer.ok
        assert answer.headers["content-type"].startswith("image/")


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_the_lesson_is_played(visit: Visit, size: tuple[int, int]) -> None:
    page = visit("/", size=size, likes={"preview": True})
    page.locator("[data-do=learn]").click()
    coach = page.locator(".coach")
    expect(coach).to_contain_text("a point against you")
    said = [follow(page) for _ in range(21)]
    assert len(set(said)) == len(said), "every tip is said once"
    expect(coach).to_contain_text("That is all there is")
    expect(page.locator("#result-title")).to_be_visible()
    coach.locator("[data-do=play-now]").click()
    page.wait_for_url("**/t/*")


def follow(page: Page) -> str:
    """Do what the coach says, whose words fit into two lines, and return them."""
    words = page.locator(".coach p").first
    said = words.inner_text()
    lines = words.evaluate(
        "(node) => { const range = document.createRange(); range.selectNodeContents(node);"
        " return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size }"
    )
    assert lines <= 2, said
    assert not page.evaluate(COVERS, [".coach", "#prompt, .actions .button"]), said
    number = re.search(r"\d+", said)
    if page.locator("[data-do=seen]").count():
        page.locator("[data-do=seen]").click()
    elif "pen" in said:
        page.locator('.actions [data-answer="r2"]').click()
    else:
        assert number
        card = page.locator(f'[data-token="card:{number[0]}"]')
        card.click()
        if "once more" in said:
            card.click()
    expect(words).not_to_have_text(said)
    return said


def test_the_lesson_waits_for_the_right_card(visit: Visit) -> None:
    page = visit("/learn")
    for _ in range(2):
        follow(page)
    other = page.locator('[data-token="card:99"]')
    other.click()
    other.click()
    expect(page.locator(".coach")).to_contain_text("Not that one")
    follow(page)
    expect(page.locator(".coach")).to_contain_text("turned up together")


def test_a_table_is_joined_by_its_code(visit: Visit) -> None:
    ann, ben = visit(), visit("/", name="Ben")
    code = open_table(ann, "base", 2, bots=0)
    ben.locator("input[name=code]").fill(code.lower())
    ben.get_by_role("button", name="Join", exact=True).click()
    ben.wait_for_url(f"**/t/{code}")
    ben.locator("[data-do=sit]").click()
    expect(ann.locator("main")).to_contain_text("Ben")


def test_the_rules_are_one_tap_away(visit: Visit) -> None:
    page = visit()
    open_table(page, "jumping-cow", 2)
    page.get_by_role("tab", name="Rules").click()
    expect(page.get_by_role("tabpanel")).to_contain_text("The Cow takes up a stall")
    expect(page.get_by_role("tabpanel").locator(".drawn").first).to_be_visible()


def test_a_lifted_card_shows_where_it_would_go(visit: Visit) -> None:
    page = visit(likes={"preview": True})
    open_table(page, "base", 3)
    page.locator(".hand button").first.wait_for()
    ends = [int(row.get_attribute("aria-label").rsplit(" ", 1)[1]) for row in page.locator(".row").all()]  # type: ignore[union-attr]
    for card in page.locator(".hand button").all()[:5]:
        number = int((card.get_attribute("data-token") or "").removeprefix("card:"))
        card.click()
        lower = [end for end in ends if end < number]
        said = f"to pen {ends.index(max(lower)) + 1}" if lower else "fits no pen"
        expect(page.locator(".actions [role=status]")).to_contain_text(f"{number} ")
        expect(page.locator(".actions [role=status]")).to_contain_text(said)


def test_nothing_moves_under_the_finger(visit: Visit) -> None:
    page = visit(size=PHONE, likes={"preview": True})
    open_table(page, "flippin-digits", 4)
    last = page.locator(".hand li").last
    last.wait_for()
    before = last.bounding_box()
    for card in page.locator(".hand button").all()[:4]:
        card.click()
        expect(page.locator(".actions [role=status]")).not_to_be_empty()
        assert last.bounding_box() == before


def test_the_counter_lists_what_is_unseen(visit: Visit) -> None:
    page = visit()
    open_table(page, "base", 4)
    page.locator(".hand button").first.wait_for()
    page.get_by_role("tab", name="Unseen").click()
    panel = page.get_by_role("tabpanel")
    expect(panel).to_contain_text("90 cards that you have not seen yet")
    assert panel.locator(".unseen").count() == 90


def test_phrases_are_said_in_the_listeners_language(visit: Visit) -> None:
    ann, ben = visit(), visit(name="Ben", likes={"language": "de"})
    code = open_table(ann, "base", 2, bots=0)
    ben.goto(f"/t/{code}")
    ben.locator("[data-do=sit]").click()
    ann.locator("[data-do=start]").click()
    ann.get_by_role("tab", name="Talk").click()
    ann.get_by_role("button", name="Moo!").click()
    expect(ben.locator(".said")).to_have_text("Muh!")


def test_a_replay_is_stepped_through_and_linked_to(visit: Visit) -> None:
    page = visit()
    open_table(page, "base", 2)
    Clicker(page, seed=5, real=False).play()
    page.get_by_role("link", name="Watch the replay").click()
    page.locator("[data-do=step]").wait_for()
    assert rows(page)
    page.locator("[data-do=next-take]").click()
    expect(page.locator(".said")).not_to_be_empty()
    page.locator("[data-do=step]").click()
    moment = re.search(r"[?&]m=(\d+)", page.url)
    assert moment
    assert int(moment.group(1)) > 1
    there = rows(page)
    # The link leads another person to the same moment, with the same cards on the table.
    other = visit(urlsplit(page.url).path + "?" + urlsplit(page.url).query, name="Ben")
    other.locator("[data-do=step]").wait_for()
    other.locator(".row").first.wait_for()
    assert rows(other) == there
    # Through the eyes of a seat the other hand is hidden; with all cards open it is not.
    other.locator("[data-do=more]").click()
    other.get_by_label("Hand of").select_option("1")
    assert all(label != "a card face down" for label in hand(other))
    other.get_by_label("Seen by").select_option("0")
    expect(other.get_by_label("Hand of")).to_have_count(0)
    assert hand(other)
    assert all(label != "a card face down" for label in hand(other))


def test_a_replay_follows_arrow_keys_and_swipes_at_once(visit: Visit) -> None:
    page = visit(size=PHONE)
    open_table(page, "base", 2)
    Clicker(page, seed=7, real=False).play()
    page.get_by_role("link", name="Watch the replay").click()
    page.locator("[data-do=step]").wait_for()
    for key, moment in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("n", None), ("Home", 0)):
        page.keyboard.press(key)
        if moment is not None:
            page.wait_for_url(f"**?m={moment}&*")
    swipe(page, 300, 80)
    page.wait_for_url("**?m=1&*")
    swipe(page, 80, 300)
    page.wait_for_url("**?m=0&*")


def swipe(page: Page, start: int, end: int) -> None:
    """Draw a finger over the rows."""
    for kind, x in (("pointerdown", start), ("pointerup", end)):
        page.locator(".rows").dispatch_event(kind, {"clientX": x, "clientY": 400, "bubbles": True})


def rows(page: Page) -> list[str | None]:
    """What is said of each row."""
    page.locator(".row").first.wait_for()
    return [row.get_attribute("aria-label") for row in page.locator(".row").all()]


def hand(page: Page) -> list[str | None]:
    """What is said of each card in the hand that lies in front."""
    return [card.get_attribute("aria-label") for card in page.locator(".hand button").all()]


def test_my_games_are_listed(visit: Visit) -> None:
    page = visit()
    open_table(page, "tactics", 2)
    Clicker(page, seed=2, real=False).play()
    page.goto("/records")
    expect(page.locator("main")).to_contain_text("Tactics")
    page.get_by_role("link", name="Watch", exact=True).click()
    page.wait_for_url("**/replay/*")


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_before_a_game_people_are_seated_with_faces_and_invited_by_a_code(
    visit: Visit, size: tuple[int, int]
) -> None:
    ann = visit(size=size)
    code = open_table(ann, "base", 3, bots=1)
    expect(ann.locator(".invite svg")).to_have_attribute("aria-label", re.compile(f"/t/{code}$"))
    expect(ann.locator(".lobby .face svg")).to_have_count(2)
    assert ann.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ben = visit(f"/t/{code}", name="Ben")
    ben.locator("[data-do=sit]").click()
    expect(ann.locator(".lobby .face svg")).to_have_count(3)


def test_a_table_for_strangers_starts_with_a_clock(visit: Visit) -> None:
    page = visit("/games/base")
    clock = page.locator("select").filter(has=page.locator("option[value='86400']"))
    expect(clock).to_have_value("0")
    page.locator("[data-do=public]").check()
    expect(clock).to_have_value("60")


def test_another_game_opens_with_three_pictures_once(visit: Visit) -> None:
    ann, ben = visit(), visit(name="Ben", likes={"seen": []})
    code = open_table(ann, "jumping-cow", 2, bots=0)
    ben.goto(f"/t/{code}")
    ben.locator("[data-do=sit]").click()
    ann.locator("[data-do=start]").click()
    expect(ben.locator("dialog .drawn")).to_have_count(3)
    assert ann.locator("dialog .drawn").count() == 0
    ben.locator("[data-do=intro-close]").click()
    ben.reload()
    ben.locator(".hand button").first.wait_for()
    assert ben.locator("dialog").count() == 0


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_after_a_game_there_is_my_place_the_sheet_and_a_picture(visit: Visit, size: tuple[int, int]) -> None:
    page = visit(size=size)
    open_table(page, "base", 3)
    Clicker(page, seed=4, real=False).play()
    expect(page.locator("#result-title")).to_have_text(re.compile("^You "))
    expect(page.locator(".podium")).to_be_visible()
    expect(page.locator("tr.me")).to_contain_text("You")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with page.expect_download() as saved:
        page.locator("[data-do=picture]").click()
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")
    story = page.locator("[data-do=watch]").first
    story.click()
    page.wait_for_url("**/replay/*")
    page.locator("[data-do=step]").wait_for()


def test_who_is_here_is_seen_on_the_home_page(visit: Visit) -> None:
    ann = visit("/games/base")
    ann.locator("[data-do=public]").check()
    ann.locator("fieldset").first.locator("select").nth(1).select_option("2")
    ann.locator("[data-do=create]").click()
    ann.wait_for_url("**/t/*")
    code = ann.url.rsplit("/", 1)[1]
    ben = visit("/", name="Ben")
    line = ben.locator(".tables li").filter(has_text=code)
    expect(line).to_contain_text("Ann")
    expect(line.locator(".face svg")).to_have_count(3)


@pytest.mark.parametrize(("size", "language"), [(PHONE, "de"), (PHONE, "fr"), (DESKTOP, "en")])
def test_pages_fit_their_window(visit: Visit, size: tuple[int, int], language: str) -> None:
    page = visit(size=size, likes={"language": language})
    for path in ("/", "/games", "/games/anniversary", "/rules/board-basic", "/records"):
        page.goto(path)
        page.locator("main").wait_for()
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_every_game_of_the_gallery_is_drawn_and_named(visit: Visit) -> None:
    page = visit("/games")
    page.locator(".gallery li").first.wait_for()
    names = page.locator(".gallery .name").all_inner_texts()
    catalogue = json.loads((ROOT / "web/src/i18n/en.json").read_text(encoding="utf-8"))
    assert names == [text for key, text in catalogue.items() if re.fullmatch(r"game\.[\w-]+\.name", key)]
    assert len(names) == 20
    assert page.locator(".gallery .picture").count() == 20


def test_who_begins_is_chosen_among_seats_counted_from_one(visit: Visit) -> None:
    page = visit("/games/hand")
    field = page.get_by_label("The seat that has the first turn.")
    expect(field.locator("option")).to_have_text(["Seat 1", "Seat 2", "Seat 3", "Seat 4"])
    field.select_option(label="Seat 2")
    page.locator("[data-do=create]").click()
    page.wait_for_url("**/t/*")
    code = page.url.rsplit("/", 1)[1].split("?")[0]
    table = page.request.get(f"/api/tables/{code}").json()["table"]
    assert table["options"]["hand.firstSeat"] == 1
