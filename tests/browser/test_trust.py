"""What a visitor can rely on: deals that are checked here, links that ask first, no other page in between."""

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Dialog, Page, expect

from tests.browser.conftest import Visit
from tests.browser.house import House
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


def known_as(page: Page) -> str | None:
    name: str | None = page.evaluate(
        "fetch('/api/me').then((answer) => answer.json()).then((me) => me.name ?? null)"
    )
    return name


def test_people_sign_out_of_this_device_and_of_all(visit: Visit) -> None:
    laptop, phone = visit(), visit(tolerant=True)
    asked: list[str] = []

    def yes(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.accept()

    for page in (laptop, phone):
        page.on("dialog", yes)
    open_table(laptop, "base", 2)
    link = laptop.evaluate("fetch('/api/me').then((answer) => answer.json()).then((me) => me.link)")
    phone.goto(f"/#key={link}")
    with phone.expect_navigation():
        phone.locator("[data-do=use-key]").click()
    phone.goto("/records")
    phone.locator("[data-do=sign-out]").click()
    phone.wait_for_url("**/")
    assert "another device" in asked[0]
    assert phone.context.cookies() == []
    assert known_as(phone) is None
    kept = phone.evaluate("JSON.parse(localStorage.bullpen)")
    assert (kept["known"], kept["name"]) == (False, "")
    assert known_as(laptop) == "Ann", "that device stays"
    token = "fetch('/api/bot/token', { method: 'POST', body: JSON.stringify({ name: 'Robbie', days: 7 }) })"
    laptop.evaluate(f"{token}.then(() => null)")
    laptop.goto("/records")
    expect(laptop.locator("[data-do=revoke]")).to_have_count(0)
    laptop.locator("[data-do=end-bot]").click()
    expect(laptop.locator("[data-do=end-bot]")).to_have_count(0)
    laptop.locator("[data-do=sign-out-everywhere]").click()
    laptop.wait_for_url("**/")
    assert "nothing brings you back" in asked[1]
    laptop.goto("/records")
    expect(laptop.locator("[data-do=sign-out]")).to_have_count(0)


NAME = "play.example.org"
SPY = """
async ([target, code]) => {
  const heard = [];
  const said = await new Promise((resolve) => {
    const socket = new WebSocket(`ws://${target}/ws/${code}`);
    socket.onopen = () => socket.send('{"type":"resume","id":"spy","last":0}');
    socket.onmessage = (event) => { heard.push(event.data); resolve("open"); };
    socket.onerror = () => resolve("refused");
  });
  const wish = { credentials: "include", mode: "no-cors", method: "POST" };
  const post = (path, body) => fetch(`http://${target}${path}`, { ...wish, body }).catch(() => {});
  await post("/api/me", '{"name":"Mallory"}');
  await post("/api/me/revoke", '{"links":true}');
  return { said, cards: heard.join("").includes('"hands"') };
}
"""
"""What a page can try with the cookies of somebody who looks at it."""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a word."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def neighbour(tmp_path: Path) -> Iterator[int]:
    """The port of somebody else's pages."""
    (tmp_path / "index.html").write_text("<!doctype html><link rel=icon href=data:,><title>Neighbour</title>")
    handler = partial(Quiet, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        yield other.server_address[1]
        other.shutdown()


def test_a_page_at_another_port_of_the_same_name_gets_nothing(
    visit: Visit, tmp_path: Path, neighbour: int
) -> None:
    house = House(tmp_path, "--host-name", NAME)
    house.start()
    try:
        here = f"{NAME}:{house.port}"
        page = visit(base_url=f"http://{here}", tolerant=True)
        code = open_table(page, "base", 2)
        link = page.evaluate("fetch('/api/me').then((answer) => answer.json()).then((me) => me.link)")
        other = page.context.new_page()
        other.goto(f"http://{NAME}:{neighbour}/")
        assert other.evaluate(SPY, [here, code]) == {"said": "refused", "cards": False}
        asked = "(key) => fetch('/api/me/key', { method: 'POST', body: JSON.stringify({ key }) })"
        whose = page.evaluate(f"(key) => ({asked})(key).then((answer) => answer.json())", link)
        assert whose == {"name": "Ann", "you": "Ann", "same": True}
        # The page of the server itself goes on as ever.
        page.locator(".hand button").first.click()
        page.reload()
        page.locator(".hand button").first.wait_for()
    finally:
        house.stop()
