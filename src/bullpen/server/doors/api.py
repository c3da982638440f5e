"""Games, people and tables over HTTP: the handlers, each of which stands in the route table."""

import asyncio
from functools import cache
from typing import Any

from starlette.responses import Response

from bullpen.engine import BullpenError, Seeded, new_game, refuse_files
from bullpen.rulesets import find, make
from bullpen.rulesets import games as all_games
from bullpen.rulesets.pages import LANGUAGES, play_page
from bullpen.server import protocol
from bullpen.server.doors.http import Call, Prepared
from bullpen.server.errors import Refused
from bullpen.server.live.room import Room
from bullpen.server.tables.lock import locked, opens

# Games.


async def games(call: Call[None]) -> Response:
    """Every game, and the bots' levels."""
    return _games(call.hub.levels, call.door.analyst.on).response(call.request)


@cache
def _games(levels: tuple[str, ...], analysis: bool) -> Prepared:
    phrases = tuple(protocol.Phrase.__args__)  # type: ignore[attr-defined]
    found = tuple(game_info(game) for game in all_games())
    return Prepared(protocol.Games(found, levels, phrases, analysis))


async def rules(call: Call[None]) -> protocol.Rules:
    """The rules of a game."""
    return _rules(_game_id(call), call)


async def game(call: Call[None]) -> protocol.GameInfo:
    """One game, with all that a client must know to show it."""
    try:
        behaviour = call.request.query_params.get("behaviour", "")
        return game_info(_game_id(call), _number(behaviour) if behaviour else None)
    except BullpenError as error:
        raise Refused("unknown-game", str(error)) from None


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 6):
        raise Refused("bad-request", "A behaviour is a whole number.")
    return int(text)


async def agree(call: Call[protocol.Agreement]) -> protocol.Agreed:
    """Whether options go together, and what they come to."""
    game, wish = _game_id(call), call.body
    try:
        refuse_files(find(game).offers, wish.options)
        rules = make(game, wish.players, wish.options)
    except BullpenError as error:
        raise Refused("bad-request", str(error)) from None
    # What is printed lies on the table once a game has begun, whatever is dealt there.
    position, _ = new_game(rules, Seeded(0))
    board = rules.furniture.board
    return protocol.Agreed(rules.options, () if board is None else getattr(position, board.printed))


def _game_id(call: Call[Any]) -> str:
    try:
        return find(call.named("game")).id
    except BullpenError as error:
        later = "A game that was installed since then is known once the server is started again."
        raise Refused("unknown-game", f"{error} {later}") from None


async def handbook(call: Call[None]) -> protocol.Handbook:
    """The rules of every game."""
    return protocol.Handbook(tuple(_rules(game, call) for game in all_games()))


def _rules(game: str, call: Call[None]) -> protocol.Rules:
    page = play_page(game, call.request.query_params.get("language", LANGUAGES[0]))
    return protocol.Rules(game, page.language, page.text)


# Tables.


async def lobby(call: Call[None]) -> protocol.Lobby:
    """The public tables, newest first."""
    hub = call.hub
    return protocol.Lobby(
        tables=tuple(await call.door.index.lobby()),
        unready=hub.readiness.waited_for(hub.levels),
        announcement=hub.moderation.announcement,
        sign_up=hub.moderation.sign_up,
        imprint=bool(call.door.about.imprint),
    )


async def new_table(call: Call[protocol.NewTable]) -> protocol.Seated:
    """Make a table."""
    who = call.who if call.body.name is None else call.somebody()
    call.door.check_room()
    lock = await asyncio.to_thread(locked, call.body.password) if call.body.password else ""
    return await _seated(call, await call.hub.create(call.body, who, lock=lock), who)


async def enter(call: Call[protocol.EnterTable]) -> protocol.Seated:
    """Come in by the password; wrong ones count as guesses."""
    who = call.somebody()
    room = await call.door.find(call.named("name"), call.address, who)
    if not room.table.admits(who):
        call.door.count("guesses", call.address)
        if not await asyncio.to_thread(opens, call.body.password, room.table.created.lock):
            raise Refused("password", "That is not the password of this table.")
        await call.do(room, who, protocol.Enter(id=f"http-{call.hub.sources.table_id()}"))
    return await _seated(call, room, who)


async def table(call: Call[None]) -> protocol.Seated:
    """A table by code or id."""
    return await _seated(call, await call.room(), call.who)


async def _seated(call: Call[Any], room: Room, who: str) -> protocol.Seated:
    await call.settled(room)
    return protocol.Seated(room.teller(0).info(), room.table.seat_of(who))


async def sit(call: Call[protocol.JoinTable]) -> protocol.Seated:
    """Take a seat."""
    call.door.check_room()
    wish, who, room = call.body, call.somebody(), await call.room()
    message_id = f"http-{call.hub.sources.table_id()}"
    await call.do(room, who, protocol.Sit(id=message_id, name=wish.name, seat=wish.seat))
    return await _seated(call, room, who)


async def forget(call: Call[None]) -> protocol.Seated:
    """Leave a table and take it off the own list."""
    who, room = call.somebody(), await call.room()
    await call.do(room, who, protocol.Forget(id=f"http-{call.hub.sources.table_id()}"))
    return await _seated(call, room, who)


async def begin(call: Call[protocol.Begin]) -> protocol.Seated:
    """Deal, with a nonce of the host's own that was drawn after the promise was seen."""
    wish, who, room = call.body, call.somebody(), await call.room()
    message_id = f"http-{call.hub.sources.table_id()}"
    mix = protocol.Mix(id=f"{message_id}-mix", commitment=wish.commitment, nonce=wish.nonce)
    await call.do(room, who, mix)
    await call.do(room, who, protocol.Start(id=message_id))
    return await _seated(call, room, who)


def game_info(game: str, behaviour: int | None = None) -> protocol.GameInfo:
    """Return a game of the gallery, under the rules of today or an earlier behaviour of them."""
    kind = find(game, behaviour)
    options = tuple(
        protocol.OptionInfo(
            option.key,
            option.default,
            option.says,
            option.type,
            tuple(option.allowed),
            option.least,
            option.seat,
            option.instead,
            option.file,
        )
        for option in kind.offers
    )
    return protocol.GameInfo(
        kind.id,
        kind.behaviour,
        kind.name,
        tuple(kind.player_counts({})),
        kind.source,
        kind.summary,
        options,
        dict(kind.questions),
        kind.furniture,
        () if kind.furniture.board else kind.heads,
        {event.__name__: event.says for event in kind.own_events},
    )
