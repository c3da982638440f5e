"""A scripted person: speaks the protocol over a real socket and distrusts every message."""

import asyncio
import contextlib
import itertools
import random
from collections.abc import Callable, Coroutine
from functools import cache
from typing import Any, TypeVar
from weakref import WeakSet

import httpx
import jsonschema_rs
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from bullpen.server.live.people import COOKIE
from bullpen.server.schema import json_schema
from tests.server.running import Server

Message = dict[str, Any]
T = TypeVar("T")
OPEN: WeakSet[ClientConnection] = WeakSet()
"""The sockets of the running test that are not forgotten yet: all are closed at its end, however it ends."""


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a test's conversation, and hang up afterwards."""

    async def main() -> T:
        try:
            return await work
        finally:
            for socket in list(OPEN):
                socket.transport.abort()
                await socket.wait_closed()
            OPEN.clear()

    return asyncio.run(main())


Pick = Callable[[Message], str]


@cache
def checker() -> Any:
    """A validator for what the server sends, from the published schema."""
    schema = msgspec.json.decode(json_schema())
    schema["$ref"] = "#/$defs/FromServer"
    return jsonschema_rs.validator_for(schema)


@cache
def http() -> httpx.Client:
    """One client for all: making one costs more than asking."""
    return httpx.Client(timeout=30, trust_env=False)


def call(server: Server, method: str, path: str, cookie: str = "", body: Any = None) -> httpx.Response:
    """Ask for something as somebody."""
    headers = {"cookie": f"{COOKIE}={cookie}"} if cookie else {}
    answer = http().request(method, f"{server.url}{path}", json=body, headers=headers)
    http().cookies.clear()
    return answer


def post(server: Server, path: str, cookie: str, body: Any) -> httpx.Response:
    """Post as somebody."""
    return call(server, "POST", path, cookie, body)


def person(server: Server, name: str) -> str:
    """Return the cookie of somebody new."""
    answer = post(server, "/api/me", "", {"name": name})
    answer.raise_for_status()
    return answer.cookies[COOKIE]


def create(server: Server, cookie: str, game: str, players: int, **more: Any) -> str:
    """Make a table whose maker sits on seat 0, and return its code."""
    answer = post(
        server,
        "/api/tables",
        cookie,
        {"game": game, "players": players, "name": "P0", "unlimited": True, **more},
    )
    assert answer.status_code == 201, answer.text
    code: str = answer.json()["table"]["code"]
    return code


def full_table(server: Server, game: str, players: int, **more: Any) -> tuple[str, list[str]]:
    """Make a table with a person on every seat, not yet started; return its code and their cookies."""
    cookies = [person(server, f"P{seat}") for seat in range(players)]
    code = create(server, cookies[0], game, players, **more)
    for seat, cookie in enumerate(cookies[1:], start=1):
        answer = post(server, f"/api/tables/{code}/seat", cookie, {"name": f"P{seat}"})
        assert answer.status_code == 200, answer.text
    return code, cookies


class Person:
    """Keeps what the server says about one table, and checks that it hangs together."""

    def __init__(self, server: Server, code: str, cookie: str = "", seed: int | str = 0) -> None:
        self.server = server
        self.code = code
        self.cookie = cookie
        self.random = random.Random(seed)
        self.last = 0
        self.state: Message = {}
        self.events: list[Message] = []
        """Every event seen."""
        self.updates: list[Message] = []
        self.raw: list[str] = []
        self.acks: dict[str, int] = {}
        self.refusals: list[Message] = []
        self.snapshots = 0
        self._socket: ClientConnection | None = None
        self._ids = itertools.count(1)
        self._prefix = f"{seed}-"

    # Connecting.

    async def connect(self, **more: Any) -> None:
        headers = {"Cookie": f"{COOKIE}={self.cookie}"} if self.cookie else {}
        self._socket = await connect(
            self.server.ws + self.code, additional_headers=headers, open_timeout=20, max_size=2**20, **more
        )
        OPEN.add(self._socket)
        await self.send({"type": "resume", "last": self.last})

    async def close(self) -> None:
        if self._socket is not None:
            await self._socket.close()

    def abort(self) -> None:
        """Hang up without a word."""
        assert self._socket is not None
        self._socket.transport.abort()

    async def send(self, message: Message) -> str:
        """Send a message with an id of its own (unless it has one) and return the id."""
        message = {"id": f"{self._prefix}{next(self._ids)}", **message}
        await self.send_text(msgspec.json.encode(message).decode())
        name: str = message["id"]
        return name

    async def send_text(self, text: str) -> None:
        assert self._socket is not None
        await self._socket.send(text)

    # Receiving.

    async def receive(self) -> Message:
        """Take the next message in, after checking it."""
        assert self._socket is not None
        text = await asyncio.wait_for(self._socket.recv(), 30)
        assert isinstance(text, str)
        message: Message = msgspec.json.decode(text)
        checker().validate(message)
        self._remember(text, message)
        self._take_in(message)
        return message

    def _remember(self, text: str, message: Message) -> None:
        """Keep what was said for a test to look at."""
        self.raw.append(text)
        if message["type"] == "update":
            self.events += message["events"]
            self.updates.append(message)

    def _take_in(self, message: Message) -> None:
        kind = message["type"]
        if kind == "snapshot":
            self.snapshots += 1
            self.last = message["number"]
            self.state = {key: value for key, value in message.items() if key != "type"}
        elif kind == "update":
            assert message["since"] == self.last, "a message is missing or came twice"
            assert message["number"] > message["since"]
            self.last = message["number"]
            fields = ("view", "ask", "mine", "votes", "clock", "you", "table", "waiting")
            self.state.update({key: message[key] for key in fields if key in message})
        elif kind == "ack":
            self.acks[message["id"]] = message.get("number", 0)
        elif kind == "error":
            self.refusals.append(message)

    async def until(self, done: Callable[[], bool]) -> None:
        """Receive until something is true."""
        while not done():
            await self.receive()

    async def until_number(self, number: int) -> None:
        """Receive until a step is known."""
        await self.until(lambda: self.last >= number)

    async def ready(self) -> None:
        """Connect and receive until the table is known."""
        await self.connect()
        await self.until(lambda: bool(self.state))

    async def request(self, message: Message) -> Message:
        """Send a message and return its ack or refusal, once the step that it became is known."""
        name = await self.send(message)
        while True:
            answer = await self.receive()
            if answer.get("id") == name:
                await self.until_number(answer.get("number", 0))
                return answer

    # Playing.

    @property
    def phase(self) -> str:
        return str(self.state["table"]["phase"]) if self.state else ""

    @property
    def seat(self) -> int | None:
        seat: int | None = self.state["you"]["seat"]
        return seat

    @property
    def open_ask(self) -> Message | None:
        """The question that waits for this person's answer."""
        ask: Message | None = self.state.get("ask")
        if ask is None or self.state.get("mine") is not None:
            return None
        # A team's question is answered once one's own vote is in.
        if len(ask["seats"]) > 1 and str(self.seat) in self.state["votes"]:
            return None
        return ask

    def pick(self, ask: Message) -> str:
        """Any option; a team has to agree, so there everybody takes the last one."""
        if len(ask["seats"]) > 1:
            said = self.state["votes"]
            return str(next(iter(said.values()), ask["options"][-1]["notation"]))
        return str(self.random.choice(ask["options"])["notation"])

    async def choose(self, notation: str | None = None) -> Message:
        ask = self.open_ask
        assert ask is not None
        return await self.request(
            {"type": "choose", "ask": ask["number"], "choice": notation or self.pick(ask)}
        )

    async def play(self, pick: Pick | None = None) -> None:
        """Answer every question until the game is over."""
        while self.phase != "over":
            ask = self.open_ask
            if ask is None:
                await self.receive()
                continue
            choice = (pick or self.pick)(ask)
            await self.request({"type": "choose", "ask": ask["number"], "choice": choice})


CLOSED = (ConnectionClosed, InvalidHandshake, OSError, TimeoutError, EOFError)


class Stubborn(Person):
    """Goes on after every lost connection, and sends what was not answered again under the same id."""

    def __init__(self, server: Server, code: str, cookie: str = "", seed: int | str = 0) -> None:
        super().__init__(server, code, cookie, seed)
        self.host: Stubborn = self
        """Who asks for the next game at this table, and so is the first to know that there is none."""
        self.gone = False
        self.told: list[tuple[int, int, bytes]] = []
        """Of every update `since`, `number` and the events as JSON."""

    def _remember(self, text: str, message: Message) -> None:
        """Keep little: among thousands of kills hundreds of megabytes are said."""
        if message["type"] == "update":
            self.told.append((message["since"], message["number"], msgspec.json.encode(message["events"])))

    async def play_on(self, pause: float, stop: asyncio.Event) -> None:
        """Play game after game until told to stop, then to the end of the running one."""
        pending: Message | None = None
        while True:
            try:
                await self.connect()
                while True:
                    if pending is not None:
                        await self.request(pending)
                        pending = None
                    await self.until(self._must_act)
                    if self.phase == "over" and stop.is_set() and (self.host is self or self.host.gone):
                        self.gone = True
                        await self.close()
                        return
                    if not stop.is_set() or self.phase == "over":
                        await asyncio.sleep(self.random.random() * pause)
                    pending = self._next_message()
            except CLOSED:
                await self._hang_up()

    async def _hang_up(self) -> None:
        with contextlib.suppress(*CLOSED):
            await self.close()
        await asyncio.sleep(0.05)

    def _must_act(self) -> bool:
        if not self.state:
            return False
        if self.phase == "playing":
            return self.open_ask is not None
        return True

    def _next_message(self) -> Message | None:
        name = f"{self._prefix}{next(self._ids)}"
        ask = self.open_ask
        if self.phase == "playing" and ask is not None:
            return {"id": name, "type": "choose", "ask": ask["number"], "choice": self.pick(ask)}
        if self.phase in ("lobby", "over") and self.seat == 0:
            return {"id": name, "type": "start" if self.phase == "lobby" else "rematch"}
        return {"id": name, "type": "ping"}
