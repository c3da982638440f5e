"""A table that was begun under rules that this version no longer plays: a page says so, and the list does."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SHOTS, Visit
from tests.browser.house import House
from tests.browser.tables import open_table

SAYS = {
    "en": "rules that this version no longer plays",
    "de": "Regeln begonnen, die diese Version nicht mehr spielt",
    "fr": "règles que cette version ne joue plus",
}
LISTED = {
    "en": "rules of an earlier version",
    "de": "Regeln einer früheren Version",
    "fr": "règles d’une version antérieure",
}


@pytest.mark.parametrize("language", SAYS)
def test_a_table_of_old_rules_says_so(visit: Visit, tmp_path: Path, language: str) -> None:
    house = House(tmp_path)
    house.start()
    try:
        page = visit(size=(320, 640), tolerant=True, base_url=house.url, likes={"language": language})
        code = open_table(page, "board-basic", 2, bots=1)
        house.stop()
        with closing(sqlite3.connect(tmp_path / "tables.sqlite3")) as db, db:
            then = "replace(CAST(body AS TEXT), '\"behaviour\":2', '\"behaviour\":1')"
            db.execute(f"UPDATE steps SET body = CAST({then} AS BLOB)")
        house.start()
        page.goto(f"/t/{code}")
        expect(page.locator("h1")).to_contain_text(SAYS[language])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        SHOTS.mkdir(exist_ok=True)
        page.screenshot(path=SHOTS / f"old-rules-{language}.png")
        page.goto("/records")
        row = page.locator("li", has_text=code)
        expect(row).to_contain_text(LISTED[language])
        assert row.locator("[data-do=forget]").count() == 0
    finally:
        house.stop()
