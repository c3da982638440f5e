"""A board file in the browser: pasted or chosen, checked with a sentence, drawn, and played on."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from bullpen.rulesets.boards.check import load_with_text
from tests.browser.conftest import DESKTOP, ROOT, SHOTS, Visit

OWN = ROOT / "src" / "bullpen" / "rulesets" / "boards" / "board.json"
PHONE_320 = (320, 640)


def other_board() -> str:
    """Return the text of a board that is not ours: one space is another."""
    written = json.loads(load_with_text("own")[1])
    row = written["board_expert"]["rows"][0]
    row[0] = "+5" if row[0] != "+5" else "+4"
    return json.dumps({"remark": "x" * 5000, **written}, indent=2)


@pytest.mark.parametrize(("language", "size"), [("en", DESKTOP), ("de", PHONE_320), ("fr", PHONE_320)])
def test_a_board_file_is_checked_drawn_and_played_on(
    visit: Visit, tmp_path: Path, language: str, size: tuple[int, int]
) -> None:
    page = visit("/games/board-expert", size=size, likes={"language": language}, tolerant=True)
    field = page.locator("textarea")
    field.fill('{"tiles": {}}')
    field.blur()
    expect(page.locator(".problem")).to_contain_text("board_basic")
    assert page.locator("fieldset .board").count() == 0
    path = tmp_path / "mine.json"
    path.write_text(other_board(), encoding="utf-8")
    page.locator("[data-do=file]").set_input_files(str(path))
    drawn = page.locator("fieldset .board")
    drawn.wait_for()
    assert page.locator(".problem").count() == 0
    wanted = [len(row) for row in json.loads(other_board())["board_expert"]["rows"]]
    assert [row.locator(".space").count() for row in drawn.locator(".row").all()] == wanted
    box = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert box <= 0, "nothing is wider than the window"
    SHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SHOTS / f"board-file-{language}-{size[0]}.png", full_page=True)
    page.locator("[data-do=create]").click()
    page.wait_for_url("**/t/*")
    code = page.url.rsplit("/", 1)[1].split("?")[0]
    table = page.request.get(f"/api/tables/{code}").json()["table"]
    assert json.loads(table["options"]["board.data"])["board_expert"]["rows"][0][0] in ("+5", "+4")
