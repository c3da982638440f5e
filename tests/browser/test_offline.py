"""Without a network the client, the lesson and the rules open, tables say so; and upgrades arrive."""

import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, STATIC, Visit
from tests.browser.house import House
from tests.browser.tables import open_table

KEPT = """async () => {
  await navigator.serviceWorker.ready;
  const has = async (path) => Boolean(await caches.match(path));
  const wanted = ['/index.html', '/api/rules?language=en', '/api/games'];
  for (let n = 0; n < 100; n += 1) {
    if ((await Promise.all(wanted.map(has))).every(Boolean)) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}"""
"""Whether everything that should be there without a network has been kept."""
ADDRESSES = """async () => {
  const all = [];
  for (const name of await caches.keys())
    for (const request of await (await caches.open(name)).keys()) all.push(new URL(request.url).pathname);
  return all;
}"""


QUIET = 15_000
"""Milliseconds after which a page has the client kept."""


def stay(page: Page) -> Page:
    """Look at the first page for so long that the client is kept."""
    page.clock.install()
    page.goto("/")
    expect(page.locator("[data-do=learn]")).to_be_visible()
    page.clock.fast_forward(QUIET)
    return page


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[House]:
    """A server that may be stopped without anybody else noticing."""
    house = House(tmp_path)
    house.start()
    yield house
    house.stop()


def test_the_shell_the_rules_and_the_lesson_open_without_a_network(visit: Visit, own_house: House) -> None:
    page = stay(visit(base_url=own_house.url, service_workers="allow", tolerant=True, size=PHONE))
    assert page.evaluate(KEPT)
    open_table(page, "base", 3)
    page.locator(".hand button").first.wait_for()
    kept = page.evaluate(ADDRESSES)
    assert not [
        path for path in kept if path.startswith("/api/") and "rules" not in path and path != "/api/games"
    ]
    own_house.stop()

    page.goto("/")
    expect(page.locator("[data-do=learn]")).to_be_visible()
    page.goto("/learn")
    expect(page.locator(".coach")).to_contain_text("a point against you")
    page.goto("/rules/even-odd")
    expect(page.locator("article")).to_contain_text("A sign at one gate")
    page.goto("/games")
    expect(page.locator(".gallery li")).to_have_count(20)
    page.goto("/t/ABCD")
    expect(page.locator("main")).to_contain_text("A table needs the server")
    own_house.start()
    # The network is back: the table is looked for, and this one is not there.
    expect(page.locator("main")).to_contain_text("There is no such table", timeout=15_000)


class Folder(SimpleHTTPRequestHandler):
    """Serves the client from a folder, with its one document for every view."""

    def do_GET(self) -> None:  # the standard library's name for it
        if self.path.startswith("/api"):
            self.send_error(404)
            return
        if not Path(self.translate_path(self.path)).is_file():
            self.path = "/index.html"
        super().do_GET()

    def end_headers(self) -> None:
        self.send_header("cache-control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A copy of the client that can be upgraded, and its address."""
    copy = tmp_path / "client"
    shutil.copytree(STATIC, copy)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Folder, directory=str(copy)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield copy, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_upgrade_of_the_server_arrives_at_once_and_forgets_the_old_client(
    visit: Visit, folder: tuple[Path, str]
) -> None:
    client, address = folder
    page = stay(visit(base_url=address, service_workers="allow", tolerant=True))
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    expect(page.locator("[data-do=learn]")).to_be_visible()
    before = page.evaluate("caches.keys()")
    upgrade(client)
    page.reload()
    assert page.evaluate("document.documentElement.dataset.edition") == "2", (
        "whoever is online sees the new client"
    )
    page.wait_for_function(
        "async (before) => { const names = await caches.keys();"
        " return names.length === before.length && names[0] !== before[0] }",
        arg=before,
    )
    assert all("gone" not in path for path in page.evaluate(ADDRESSES))


def upgrade(client: Path) -> None:
    """Make a new edition: another document, another worker that keeps other files."""
    document = client / "index.html"
    document.write_text(document.read_text().replace("<html", '<html data-edition="2"', 1))
    worker = client / "sw.js"
    text = worker.read_text()
    assert text.count("bullpen-client-") == 1
    worker.write_text(text.replace("bullpen-client-", "bullpen-client-2-"))


def test_a_part_that_is_gone_after_an_upgrade_is_fetched_anew(visit: Visit, folder: tuple[Path, str]) -> None:
    client, address = folder
    page = visit("/", base_url=address, tolerant=True)
    expect(page.locator("[data-do=learn]")).to_be_visible()
    [part] = client.glob("assets/more-*.js")
    renamed = part.with_name("more-newer000.js")
    part.rename(renamed)
    for file in [*client.glob("assets/*.js"), client / "index.html"]:
        file.write_text(file.read_text().replace(part.name, renamed.name))
    page.locator("[data-do=learn]").click()
    expect(page.locator(".coach")).to_contain_text("a point against you")


def test_an_unknown_address_says_so(visit: Visit) -> None:
    page: Page = visit("/no/such/page")
    expect(page.locator("h1")).to_have_text("Nothing grazes here")
    expect(page.locator("main")).to_contain_text("/no/such/page")
    page.get_by_role("link", name="Home").click()
    expect(page.locator("[data-do=play-now]")).to_be_visible()
