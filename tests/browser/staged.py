"""A table with a position of our choice: the real engine and the server's own wire, with nothing behind them.

So a scene is set up rather than played to: rows and hands as wanted, the others' choices known beforehand.
"""

import json
import random
import time
from collections.abc import Mapping, Sequence
from typing import Any

from playwright.sync_api import Page, WebSocketRoute

from bullpen.rulesets import find
from bullpen.rulesets.base import Base
from bullpen.server.protocol import Settings
from bullpen.server.tables import steps
from bullpen.server.tables.table import Table
from bullpen.server.tables.wire import Teller

CODE = "STAGE"
ME = 0


class Staged:
    """A table at which the page sits on seat 0 and the other seats choose what they were told to."""

    def __init__(
        self,
        rows: Sequence[Sequence[int]],
        hands: Sequence[Sequence[int]],
        game: str = "base",
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.table = Table("staged", created(game, len(hands), options or {}))
        seat_all(self.table)
        self._set(rows, hands)
        self.socket: WebSocketRoute | None = None
        self.sent = 0

    def _set(self, rows: Sequence[Sequence[int]], hands: Sequence[Sequence[int]]) -> None:
        game, rules = self.table.game, self.table.rules
        assert game is not None
        assert isinstance(rules, Base)
        position = game.position
        used = [card for part in (*rows, *hands) for card in part]
        assert len(used) == len(set(used)), "a card lies in two places"
        position.rows = [list(row) for row in rows]
        position.hands = [sorted(hand) for hand in hands]
        position.deck = [card for card in rules.deck() if card not in used]
        position.asks, position.answers = (), {}
        rules.ask_for_cards(position)

    def open(self, page: Page) -> None:
        """Show the table in a page."""
        page.route_web_socket(f"**/ws/{CODE}", self._connected)
        page.goto(f"/t/{CODE}")

    def choose(self, seat: int, notation: str) -> None:
        """Let a seat answer; nobody is told before `tell`."""
        self.table.apply(
            steps.Chosen(at=_now(), seat=seat, choice=notation, by="person" if seat == ME else "bot")
        )

    def tell(self) -> None:
        """Tell the page what has happened since it was told last."""
        assert self.socket is not None
        if self.table.number > self.sent:
            self.socket.send(teller(self.table).update(ME, self.sent))
            self.sent = self.table.number

    def tell_all(self) -> None:
        """Send everything there is to know, as after a lost connection."""
        assert self.socket is not None
        self.socket.send(teller(self.table).snapshot(ME))
        self.sent = self.table.number

    def _connected(self, socket: WebSocketRoute) -> None:
        self.socket = socket
        socket.on_message(lambda text: self._heard(socket, json.loads(text)))

    def _heard(self, socket: WebSocketRoute, message: dict[str, Any]) -> None:
        if message["type"] == "ping":
            socket.send(json.dumps({"type": "pong", "id": message["id"]}))
            return
        if message["type"] == "resume":
            self.tell_all()
        if message["type"] == "choose":
            self.choose(ME, message["choice"])
        socket.send(json.dumps({"type": "ack", "id": message["id"], "number": self.table.number}))
        if message["type"] == "choose":
            self.tell()


def full_table(game: str, seed: int = 1) -> str:
    """Return the message that shows seat 0 a question of a game, with four players, where most lies there."""
    allowed = find(game).player_range
    players = min(allowed, key=lambda count: abs(count - 4))
    table = Table("full", created(game, players, {}))
    seat_all(table)
    rng = random.Random(seed)
    best, found = -1, ""
    for _ in range(120):
        position = table.position
        if position is None or table.phase == "over":
            break
        weight = sum(len(row) for row in position.rows) + len(position.table)
        if weight > best and table.ask_of(ME) is not None:
            best, found = weight, teller(table).snapshot(ME)
        ask = rng.choice([ask for ask in position.asks if position.answer_to(ask) is None])
        seat = rng.choice(ask.seats)
        table.apply(steps.Chosen(at=0, seat=seat, choice=rng.choice(ask.options).notation))
    return found


def created(game: str, players: int, options: Mapping[str, Any]) -> steps.Created:
    """Return the first step of a table without a clock."""
    return steps.Created(
        at=0,
        code=CODE,
        game=game,
        players=players,
        options=dict(options),
        settings=Settings(clock=0),
        secret="00" * 32,
        behaviour=find(game).behaviour,
    )


def seat_all(table: Table) -> None:
    """Let a person and bots sit down, and deal."""
    table.apply(steps.Sat(at=0, who="me", seat=ME, name="Ann"))
    for seat in range(1, len(table.chairs)):
        table.apply(steps.BotSat(at=0, seat=seat, level="random", name=f"Bot {seat}"))
    table.apply(steps.Started(at=0))


def teller(table: Table) -> Teller:
    """Return what puts a table into messages, with everybody there."""
    return Teller(table, lambda: ([True] * len(table.chairs), 0), None)


def _now() -> int:
    return int(time.time() * 1000)
