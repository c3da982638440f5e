"""People of the simulation: they play, come again when they are cut off, and distrust what they hear."""

import asyncio
import random
from typing import TYPE_CHECKING, Any

import msgspec

from bullpen.server.doors.connection import Connection
from tests.simulation.network import IN_ORDER

if TYPE_CHECKING:
    from tests.simulation.world import Process, World

SILENCE = 10.0
"""A person who hears nothing for so many seconds connects anew."""
PING = 1.0
FATAL = 4404


class Socket:
    """A connection of a person to a process: what is said arrives in order, later."""

    def __init__(self, person: "Person", process: "Process") -> None:
        self.person, self.process = person, process
        self._heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._latest = [0.0, 0.0]
        self.closed = False
        process.sockets.add(self)
        self._at_server(self._begin)

    def __hash__(self) -> int:
        return hash(self.person.number)

    def __eq__(self, other: object) -> bool:
        return self is other

    def _arrival(self, way: int) -> float:
        weather = self.process.world.weather
        self._latest[way] = max(
            self._latest[way] + IN_ORDER, weather.arrival(self.person.who, self.process.name)
        )
        return self._latest[way]

    def _at_server(self, act: Any, *values: Any) -> None:
        self.process.loop.call_at(self._arrival(0), act, *values)

    def _at_person(self, act: Any, *values: Any) -> None:
        self.process.world.people_loop.call_at(self._arrival(1), act, *values)

    # At the server.

    def _begin(self) -> None:
        hub, who = self.process.hub, self.person.who
        self.connection = SimConnection(self, hub, who, "192.0.2.1", self._send, "", self._push)
        self.process.spawn(self._serve())

    async def _serve(self) -> None:
        """Serve as the web server does: a fault ends the connection."""
        try:
            await self.process.sockets_door.serve(self.person.code, self.connection, self._heard.get)
        except Exception as error:
            self.process.world.fault(self.process.loop, {"message": "a socket failed", "exception": error})
            self._at_person(self.person.lose, self, 1011)

    def _push(self, text: str) -> bool:
        self._at_person(self.person.hear, self, text)
        return True

    async def _send(self, message: Any) -> None:
        assert message["type"] == "websocket.close"
        self._heard.put_nowait({"type": "websocket.disconnect"})
        self._at_person(self.person.lose, self, message["code"])

    def break_off(self) -> None:
        """The process is dead."""
        self._at_person(self.person.lose, self, 1006)

    # At the person.

    def say(self, message: dict[str, Any]) -> None:
        text = msgspec.json.encode(message).decode()
        self._at_server(self._heard.put_nowait, {"type": "websocket.receive", "text": text})

    def hang_up(self) -> None:
        self.closed = True
        self.process.sockets.discard(self)
        self._at_server(self._heard.put_nowait, {"type": "websocket.disconnect"})


class SimConnection(Connection):
    """A connection that is found in the same place of a set in every run."""

    __slots__ = ("_number",)

    def __init__(self, socket: Socket, *values: Any) -> None:
        super().__init__(*values)
        self._number = socket.person.number

    def __hash__(self) -> int:
        return hash(self._number)

    def __eq__(self, other: object) -> bool:
        return self is other


class Person:
    """Plays a seat: answers what is asked, again and again until it is confirmed."""

    def __init__(self, world: "World", number: int, who: str, code: str, clock: int) -> None:
        self.world, self.number, self.who, self.code, self.clock = world, number, who, code, clock
        self.chance = random.Random(f"{world.seed}/{who}/{code}")
        self.last = 0
        self.state: dict[str, Any] = {}
        self.unconfirmed: dict[str, dict[str, Any]] = {}
        self.acks: dict[str, int] = {}
        self.refused: dict[str, str] = {}
        self.heard_at = 0.0
        self.longest = 0.0
        """For how many seconds this person has heard nothing, at most."""
        self.answered = 0
        self.silent = False
        """Whether this person has left."""
        self._socket: Socket | None = None
        self._ids = 0
        self._line_at = 0.0
        """When something was heard, or a line opened."""
        world.people_loop.call_at(self.chance.random() * 0.3, self.connect)
        world.people_loop.call_at(PING * (1 + self.chance.random()), self._watch)

    # The socket.

    def connect(self) -> None:
        if self._socket is not None or self.silent:
            return
        process = self.world.some_process(self.chance)
        if process is None:
            self._again()
            return
        self._socket = Socket(self, process)
        self._line_at = self.world.now
        self._socket.say({"type": "resume", "id": self._name("r"), "last": self.last})
        for message in self.unconfirmed.values():
            self._socket.say(message)

    def _again(self) -> None:
        self.world.people_loop.call_later(0.3 * (0.75 + self.chance.random() / 2), self.connect)

    def lose(self, socket: Socket, code: int) -> None:
        """The socket was closed."""
        if socket is self._socket:
            self._socket = None
            socket.hang_up()
            if code == FATAL:
                self.world.broken("a table that is there was not found")
            self._again()

    def leave(self) -> None:
        """Go away for good."""
        self.silent = True
        if self._socket is not None:
            self._socket.hang_up()
            self._socket = None

    def _watch(self) -> None:
        if self.silent:
            return
        if self._socket is not None:
            if self.world.now - self._line_at > SILENCE:
                self.lose(self._socket, 1006)
            else:
                self._socket.say({"type": "ping", "id": self._name("p")})
        self.world.people_loop.call_later(PING, self._watch)

    def _name(self, kind: str) -> str:
        self._ids += 1
        return f"{self.who}-{kind}{self._ids}"

    # What is heard.

    def hear(self, socket: Socket, text: str) -> None:
        if socket is not self._socket:
            return
        message = msgspec.json.decode(text)
        self.world.note(self.who, text)
        self._line_at = self.world.now
        if message["type"] == "pong" and not message["id"]:
            # The line stands, but nobody is served by that.
            return
        self.longest = max(self.longest, self.world.now - self.heard_at)
        self.heard_at = self.world.now
        kind = message["type"]
        if kind in ("snapshot", "update"):
            self._news(kind, message)
        elif kind == "ack":
            self.unconfirmed.pop(message["id"], None)
            self.acks[message["id"]] = message.get("number", 0)
        elif kind == "error" and message.get("id") in self.unconfirmed:
            if message["code"] in ("storage", "busy", "too-fast"):
                self.world.people_loop.call_later(1.0, self._repeat, message["id"])
            else:
                del self.unconfirmed[message["id"]]
                self.refused[message["id"]] = message["code"]
                if message["code"] == "internal":
                    # A person tries again; whether the first message was followed all the same is checked.
                    self.world.people_loop.call_later(1.0, self._answer, self.state["ask"])

    def _repeat(self, name: str) -> None:
        if self._socket is not None and name in self.unconfirmed:
            self._socket.say(self.unconfirmed[name])

    def _news(self, kind: str, message: dict[str, Any]) -> None:
        if message["number"] > len(self.world.log(self.code)):
            self.world.broken("somebody was told what is not on disk")
        if kind == "update" and message["since"] != self.last:
            self.world.broken("an update is missing or came twice")
        if message["number"] < self.last:
            self.world.broken("a table went back")
        self.last = message["number"]
        fields = ("ask", "mine", "table")
        self.state.update({key: message[key] for key in fields if key in message})
        ask = self.state.get("ask")
        if ask is not None and self.state.get("mine") is None and self.answered < ask["number"]:
            self.answered = ask["number"]
            self.world.people_loop.call_later(0.1 + self.chance.random(), self._answer, ask)

    def _answer(self, ask: dict[str, Any]) -> None:
        if self.silent:
            return
        choice = self.chance.choice(ask["options"])["notation"]
        name = self._name("c")
        message = {"type": "choose", "id": name, "ask": ask["number"], "choice": choice}
        self.unconfirmed[name] = message
        if self._socket is not None:
            self._socket.say(message)

    @property
    def over(self) -> bool:
        """Whether this person knows that the game is over."""
        return bool(self.state) and self.state["table"]["phase"] == "over"
