"""Finished games and real reviews of them, for pages that are looked at: worked out at little effort."""

import random
import urllib.request
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from playwright.sync_api import Page, Route

from bullpen.analysis import evaluate, review
from bullpen.engine import Seeded, View
from bullpen.game import Game
from bullpen.records import Record
from bullpen.rulesets import make
from bullpen.server import protocol
from bullpen.server.live import findings
from tests.browser.house import House
from tests.browser.positions import NAMES

SHORT: Mapping[str, int] = {"hand.maxRounds": 6, "expert.maxTricks": 12}
"""Games that may go on for long stop after so many rounds or tricks."""


@cache
def finished(game: str, players: int, rounds: int = 1, seed: int = 3) -> Record:
    """Return a game of so many rounds, in which everybody chooses by chance and does what can be done."""
    offers = {option.key for option in make(game, players).offers}
    options: dict[str, Any] = {key: most for key, most in SHORT.items() if key in offers}
    if "end.kind" in offers:
        options |= {"end.kind": "rounds", "end.value": rounds}
    played = Game(make(game, players, options), Seeded(seed), list(NAMES[:players]))
    dice = random.Random(seed)
    while not played.over:
        ask = dice.choice(played.asks)
        useful = [option for option in ask.options if option.notation != "-"] or ask.options
        played.choose(dice.choice(ask.seats), dice.choice(useful))
    return played.record


@cache
def reviewed(game: str, players: int, rounds: int = 1, seed: int = 3) -> bytes:
    """Return the server's answer with the review of such a game."""
    record = finished(game, players, rounds, seed)
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
