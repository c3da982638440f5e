"""Finished games and real reviews of them, for pages that are looked at: worked out at little effort."""

import urllib.request

import msgspec
from playwright.sync_api import Page, Route

from bullpen.analysis import evaluate, review
from bullpen.engine import View
from bullpen.records import Record
from bullpen.server import protocol
from bullpen.server.live import findings
from tests.browser.house import House


def reviewed(record: Record) -> bytes:
    """Return the server's answer with the review of a game."""
    told = findings.review_told(record, review(record, "quick"))
    return msgspec.json.encode(protocol.Reviewing(0, 1.0, None, told))


def hinted(number: int, seen: View) -> bytes:
    """Return the server's answer with a hint for a view."""
    found = findings.hint_of(number, seen, evaluate(seen, "quick"))
    return msgspec.json.encode(protocol.Hinting(0, 1.0, None, found))


def upload(house: House, record: Record) -> str:
    """Bring a record, and return its id."""
    body = record.dumps().encode()
    request = urllib.request.Request(f"{house.url}/api/records", body, method="POST")
    with urllib.request.urlopen(request, timeout=60) as answer:
        return msgspec.json.decode(answer.read(), type=protocol.RecordSummary).id


def answer_with(page: Page, path: str, body: bytes) -> None:
    """Let the page have this answer from its server."""

    def give(route: Route) -> None:
        route.fulfill(body=body, content_type="application/json")

    page.route(path, give)
