"""The HTTP interface for games, people and tables."""

import asyncio
import time

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bullpen.engine import BullpenError
from bullpen.rulesets import find, games
from bullpen.rulesets.pages import rules_page
from bullpen.server import protocol
from bullpen.server.doors.callers import identity
from bullpen.server.doors.http import Guard, address, answer, caller, handled, read
from bullpen.server.errors import Refused
from bullpen.server.limits import Gate
from bullpen.server.live.hub import Hub
from bullpen.server.live.people import COOKIE, YEAR, Identity
from bullpen.server.live.room import Room
from bullpen.server.protocol import TableSummary
from bullpen.server.tables.requests import clean_name

MOST_LISTED = 100
LISTED_SECONDS = 600.0
"""So long the lobby lists a table that nobody is connected to."""


class Api:
    """The handlers; each does one thing and is listed in `routes`."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._tables = Gate(hub.config.limits.tables, time.monotonic)

    def routes(self, guard: Guard) -> list[Route]:
        """Return the paths of games, people and tables."""
        table = "/api/tables/{name}"
        return [
            Route("/api/games", guard(self.games)),
            Route("/api/games/{game}/rules", guard(self.rules)),
            Route("/api/me", guard(self.me)),
            Route("/api/me", guard(self.new_me), methods=["POST"]),
            Route("/api/tables", guard(self.lobby)),
            Route("/api/tables", guard(self.new_table), methods=["POST"]),
            Route(table, guard(self.table)),
            Route(f"{table}/seat", guard(self.sit), methods=["POST"]),
        ]

    # Games and people.

    async def games(self, request: Request) -> Response:
        """Every game, and the bots' levels."""
        phrases = tuple(protocol.Phrase.__args__)  # type: ignore[attr-defined]
        return answer(protocol.Games(tuple(game_info(game) for game in games()), self._hub.levels, phrases))

    async def rules(self, request: Request) -> Response:
        """The rules of a game."""
        try:
            game = find(request.path_params["game"]).id
        except BullpenError as error:
            raise Refused("unknown-game", str(error)) from None
        return answer(protocol.Rules(game, rules_page(game)))

    async def me(self, request: Request) -> Response:
        """Who the caller is, and the running tables with a seat of theirs."""
        found = self._hub.signer.read(request.cookies.get(COOKIE, ""), "guest")
        if found is None:
            raise Refused("no-identity", "You have no name here yet: POST /api/me.")
        return answer(self._me(found))

    def _me(self, person: Identity) -> protocol.Me:
        rooms = [room for room in self._hub.rooms.values() if room.table.seat_of(person.who) is not None]
        return protocol.Me(
            person.name, self._hub.signer.sign(person, "link"), tuple(_summary(room) for room in rooms)
        )

    async def new_me(self, request: Request) -> Response:
        """Give the caller a name, or the identity of a private link."""
        wish = await read(request, protocol.NewMe)
        known = self._hub.signer.read(request.cookies.get(COOKIE, ""), "guest")
        if wish.key is not None:
            person = self._hub.signer.read(wish.key, "link")
            if person is None:
                raise Refused("forbidden", "That private link is not valid.")
        else:
            name = clean_name(wish.name or "Guest")
            token = self._hub.signer.new(name, "guest")
            person = self._hub.signer.read(token, "guest")
            assert person is not None
            if known is not None:
                person = Identity(known.who, name)
        response = answer(self._me(person))
        response.set_cookie(
            COOKIE,
            self._hub.signer.sign(person, "guest"),
            max_age=YEAR,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
        return response

    # Tables.

    async def lobby(self, request: Request) -> Response:
        """The public tables, newest first."""
        recently = time.monotonic() - LISTED_SECONDS
        public = [
            room
            for room in self._hub.rooms.values()
            if room.table.settings.privacy == "public"
            and (room.listeners or (room.visited > recently and room.table.phase != "over"))
        ]
        public.sort(key=lambda room: room.table.steps[0].at, reverse=True)
        return answer(protocol.Lobby(tuple(_summary(room) for room in public[:MOST_LISTED])))

    async def new_table(self, request: Request) -> Response:
        """Make a table."""
        wish = await read(request, protocol.NewTable)
        who = identity(self._hub, request)
        if wish.name is not None:
            who = caller(self._hub, request)
        self._tables.enter(address(request))
        room = await self._hub.create(wish, who)
        return answer(await self._seated(room, who), 201)

    async def table(self, request: Request) -> Response:
        """A table by code or id."""
        room = await self._hub.find(request.path_params["name"])
        return answer(await self._seated(room, identity(self._hub, request)))

    async def _seated(self, room: Room, who: str) -> protocol.Seated:
        settled: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        room.when_settled(lambda: settled.set_result(None))
        await settled
        return protocol.Seated(room.teller(0).info(), room.table.seat_of(who))

    async def sit(self, request: Request) -> Response:
        """Take a seat."""
        wish = await read(request, protocol.JoinTable)
        who = caller(self._hub, request)
        room = await self._hub.find(request.path_params["name"])
        message_id = f"http-{self._hub.sources.table_id()}"
        message = protocol.Sit(id=message_id, name=wish.name, seat=wish.seat, nonce=wish.nonce)
        await handled(self._hub, room, who, message)
        return answer(await self._seated(room, who))


def game_info(game: str) -> protocol.GameInfo:
    """Return a game of the gallery."""
    kind = find(game)
    options = tuple(
        protocol.OptionInfo(
            option.key, option.default, option.says, option.type, tuple(option.allowed), option.least
        )
        for option in kind.offers
    )
    return protocol.GameInfo(
        kind.id, kind.name, tuple(kind.player_counts({})), kind.source, kind.summary, options
    )


def _summary(room: Room) -> TableSummary:
    table = room.table
    return TableSummary(
        table.code,
        table.rules.id,
        table.rules.name,
        table.phase,
        len(table.chairs),
        sum(chair.open for chair in table.chairs),
        tuple(chair.name for chair in table.chairs if not chair.open),
        room.watching(),
    )
