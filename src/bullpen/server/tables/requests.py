"""Requests: what people may ask of a table, turned into steps or refused with a sentence."""

from collections.abc import Callable, Collection
from functools import singledispatch
from typing import Any

from msgspec import Struct

from bullpen.bots import check
from bullpen.engine import Ask, BullpenError, IllegalChoice, find_ask, parse
from bullpen.server import protocol
from bullpen.server.errors import Refused
from bullpen.server.tables import steps
from bullpen.server.tables.names import animal_name, clean_name
from bullpen.server.tables.table import Table

MOST_TAKEN_BACK = 20
"""So often a seat may take back its answer to a question."""

GONE = 1000 * protocol.ABSENT_SECONDS
"""After so many milliseconds without a connection somebody counts as gone."""


def _there(_seat: int) -> int:
    return 0


class Caller(Struct, frozen=True):
    """Who asks, when, how to learn which seats are connected, and the levels that bots can have."""

    who: str
    now: int
    connected: Callable[[], Collection[int]]
    levels: Collection[str]
    absent: Callable[[int], int] = _there
    """For how many milliseconds the person of a seat has not been connected."""


@singledispatch
def steps_for(message: Any, table: Table, caller: Caller) -> list[steps.AnyStep]:  # noqa: ARG001
    """Return the steps that follow a message, or raise why not; the table is not changed."""
    raise TypeError(message)


def seat_of(table: Table, caller: Caller) -> int:
    """Return the caller's seat."""
    seat = table.seat_of(caller.who)
    if seat is None:
        raise Refused("not-seated", "You have no seat at this table.")
    return seat


def _host_only(table: Table, caller: Caller) -> int:
    seat = seat_of(table, caller)
    if seat != table.host:
        raise Refused("not-host", "Only the host can do that.")
    return seat


def _between_games(table: Table) -> None:
    if table.phase == "playing":
        raise Refused("closed", "The game is running.")


def _open_seat(table: Table, wanted: int | None) -> int:
    free = [seat for seat, chair in enumerate(table.chairs) if chair.open]
    if wanted is None and free:
        return free[0]
    if wanted is None or wanted not in free:
        raise Refused("full", "That seat is not open." if free else "Every seat is taken.")
    return wanted


@steps_for.register
def _(message: protocol.Sit, table: Table, caller: Caller) -> list[steps.AnyStep]:
    if not caller.who:
        raise Refused("no-identity", "Say who you are first: POST /api/me.")
    mine = table.seat_of(caller.who)
    if mine is not None:
        raise Refused("closed", f"You have seat {mine + 1} already.")
    seat = _bot_seat(table, message.seat) if table.phase == "playing" else _open_seat(table, message.seat)
    name = clean_name(message.name) if message.name else ""
    return [sat(table, seat, name, caller, message.id)]


def _bot_seat(table: Table, wanted: int | None) -> int:
    """Return the seat of a bot that a person may take over in a running game."""
    if not table.settings.take_over:
        raise Refused("closed", "The game is running, and at this table its seats stay as they are.")
    held = [seat for seat, chair in enumerate(table.chairs) if chair.level]
    if not held or (wanted is not None and wanted not in held):
        raise Refused("closed", "The game is running, and no bot holds that seat.")
    return held[0] if wanted is None else wanted


def sat(table: Table, seat: int, name: str, caller: Caller, message: str) -> steps.Sat:
    """Return the step that seats a person, under the animal of the seat where no name was given."""
    others = [chair.name for other, chair in enumerate(table.chairs) if other != seat]
    return steps.Sat(
        at=caller.now,
        who=caller.who,
        message=message,
        seat=seat,
        name=name or animal_name(seat, others),
        named=bool(name),
    )


@steps_for.register
def _(message: protocol.Leave, table: Table, caller: Caller) -> list[steps.AnyStep]:
    seat = seat_of(table, caller)
    if table.phase == "playing":
        return [_away(seat, True, message, caller)]
    return [steps.Emptied(at=caller.now, who=caller.who, message=message.id, seat=seat)]


def _away(
    seat: int, away: bool, message: protocol.ClientMessage, caller: Caller, by: int | None = None
) -> steps.Away:
    return steps.Away(at=caller.now, who=caller.who, message=message.id, seat=seat, away=away, by=by)


@steps_for.register
def _(message: protocol.Forget, table: Table, caller: Caller) -> list[steps.AnyStep]:
    seat = seat_of(table, caller)
    if table.phase != "playing":
        return [steps.Emptied(at=caller.now, who=caller.who, message=message.id, seat=seat)]
    if table.chairs[seat].forgotten:
        raise Refused("closed", "This table is off your list already.")
    gone: list[steps.AnyStep] = []
    if not table.chairs[seat].away:
        gone = [steps.Away(at=caller.now, who=caller.who, seat=seat, away=True)]
    return [*gone, steps.Forgot(at=caller.now, who=caller.who, message=message.id, seat=seat)]


@steps_for.register
def _(message: protocol.Start, table: Table, caller: Caller) -> list[steps.AnyStep]:
    _host_only(table, caller)
    if table.phase != "lobby":
        raise Refused("closed", "The game has started already.")
    return [started(table, caller, message.id)]


@steps_for.register
def _(message: protocol.Rematch, table: Table, caller: Caller) -> list[steps.AnyStep]:
    _host_only(table, caller)
    if table.phase != "over":
        raise Refused("closed", "A rematch comes after a game.")
    return [started(table, caller, message.id)]


def started(table: Table, caller: Caller, message: str) -> steps.Started:
    """Return the step that starts a game, once every seat is taken."""
    free = sum(chair.open for chair in table.chairs)
    if free:
        raise Refused("closed", f"{free} of {len(table.chairs)} seats are still open.")
    return steps.Started(at=caller.now, who=caller.who, message=message)


@steps_for.register
def _(message: protocol.AddBot, table: Table, caller: Caller) -> list[steps.AnyStep]:
    _host_only(table, caller)
    _between_games(table)
    seat = _open_seat(table, message.seat)
    return [bot_sat(seat, message.level, table.rules.id, caller, message.id)]


BOT_NAMES = ("Berta", "Hilda", "Otto", "Mimi", "Fritz", "Ida", "Emil", "Rosa", "Karl", "Lotte")
"""What bots are called, by seat: who they are is told by the name, how well they play by a mark."""


def bot_sat(seat: int, level: str, game: str, caller: Caller, message: str) -> steps.BotSat:
    """Return the step that puts a bot on a seat."""
    if level not in caller.levels:
        raise Refused("bad-request", f"There is no level {level!r}; there are: {', '.join(caller.levels)}.")
    try:
        check(level, game)
    except BullpenError as error:
        raise Refused("bad-request", str(error)) from None
    name = BOT_NAMES[seat % len(BOT_NAMES)]
    return steps.BotSat(at=caller.now, who=caller.who, message=message, seat=seat, level=level, name=name)


@steps_for.register
def _(message: protocol.Remove, table: Table, caller: Caller) -> list[steps.AnyStep]:
    host = _host_only(table, caller)
    if message.seat >= len(table.chairs) or table.chairs[message.seat].open:
        raise Refused("bad-request", "Nobody sits there.")
    if message.seat == host:
        raise Refused("bad-request", "You cannot remove yourself; leave instead.")
    if table.phase != "playing":
        return [steps.Emptied(at=caller.now, who=caller.who, message=message.id, seat=message.seat)]
    return _stand_in(message, table, caller)


@steps_for.register
def _(message: protocol.StandIn, table: Table, caller: Caller) -> list[steps.AnyStep]:
    return _stand_in(message, table, caller)


def _stand_in(
    message: protocol.StandIn | protocol.Remove, table: Table, caller: Caller
) -> list[steps.AnyStep]:
    """Let a bot play for somebody who is absent; for somebody who is there only if the others want it."""
    seat, whose = seat_of(table, caller), message.seat
    if table.phase != "playing":
        raise Refused("closed", "No game is running.")
    if whose == seat or whose >= len(table.chairs) or not table.chairs[whose].person:
        raise Refused("bad-request", "No other person plays there.")
    absent = caller.absent(whose)
    if absent >= GONE:
        return [_away(whose, True, message, caller, seat)]
    others = _counted(table, caller) - {whose} | {seat}
    if len(others) < 2:
        says = f"A bot may play for somebody who has been gone for {protocol.ABSENT_SECONDS} seconds."
        raise Refused("closed", says, GONE - absent if absent else None)
    asked_before = table.doubts.get(whose, set())
    agreed = len((asked_before | {seat}) & others)
    enough = agreed >= 2 and 2 * agreed > len(others)
    if seat in asked_before:
        if enough:
            return [_away(whose, True, message, caller, seat)]
        raise Refused("closed", "You have asked for that already; the others have to agree.")
    doubted = steps.Doubted(at=caller.now, who=caller.who, message=message.id, seat=whose, by=seat)
    return [doubted, steps.Away(at=caller.now, seat=whose, away=True, by=seat)] if enough else [doubted]


def _counted(table: Table, caller: Caller) -> set[int]:
    """Return the seats whose people have a say: a line that is just being opened again silences nobody."""
    return {seat for seat, chair in enumerate(table.chairs) if chair.person and caller.absent(seat) < GONE}


@steps_for.register
def _(message: protocol.HandOver, table: Table, caller: Caller) -> list[steps.AnyStep]:
    _host_only(table, caller)
    if message.seat >= len(table.chairs) or not table.chairs[message.seat].who:
        raise Refused("bad-request", "Only a person at the table can be the host.")
    return [steps.Hosted(at=caller.now, who=caller.who, message=message.id, seat=message.seat)]


@steps_for.register
def _(message: protocol.Mix, table: Table, caller: Caller) -> list[steps.AnyStep]:
    seat = seat_of(table, caller)
    if message.commitment != table.dealer.commitment:
        raise Refused("too-late", "That deal is made already; a nonce answers the promise of the next one.")
    if seat in table.dealer.nonces:
        raise Refused("closed", "You have mixed this deal already.")
    return [steps.Mixed(at=caller.now, who=caller.who, message=message.id, seat=seat, nonce=message.nonce)]


@steps_for.register
def _(message: protocol.TakeBack, table: Table, caller: Caller) -> list[steps.AnyStep]:
    seat = seat_of(table, caller)
    ask = _asked(table, seat, message.ask)
    if not table.settings.take_back:
        raise Refused("closed", "This table plays without taking back.")
    position = table.position
    assert position is not None
    if not ask.secret or ask.forced or seat not in position.answers:
        raise Refused("illegal", "You have no hidden choice to take back.")
    if table.taken_back[seat] >= MOST_TAKEN_BACK:
        raise Refused("closed", "You have taken this choice back often enough; now it stays.")
    return [steps.Retracted(at=caller.now, who=caller.who, message=message.id, seat=seat)]


@steps_for.register
def _(message: protocol.AskHint, table: Table, caller: Caller) -> list[steps.AnyStep]:
    seat = seat_of(table, caller)
    if not table.hints_allowed:
        raise Refused("closed", "This table plays without hints.")
    _asked(table, seat, message.ask)
    assert table.position is not None
    if seat in table.position.answers:
        raise Refused("too-late", "You have chosen already; a hint comes before that.")
    return [steps.Hinted(at=caller.now, who=caller.who, message=message.id, seat=seat)]


@steps_for.register
def _(message: protocol.Enter, table: Table, caller: Caller) -> list[steps.AnyStep]:  # noqa: ARG001
    return [steps.Admitted(at=caller.now, who=caller.who, message=message.id)]


def _asked(table: Table, seat: int, number: int) -> Ask:
    """Return the open question that a message answers."""
    if number < table.asked:
        raise Refused("too-late", "That question is answered already.")
    if seat in table.timed_out:
        raise Refused("too-late", "Your time was up, so a bot chose for you.")
    ask = table.ask_of(seat)
    if ask is None or number != table.asked:
        over = table.phase == "over"
        raise Refused("not-asked", "The game is over." if over else "You are not being asked that now.")
    return ask


@steps_for.register
def _(message: protocol.Choose, table: Table, caller: Caller) -> list[steps.AnyStep]:
    seat = seat_of(table, caller)
    ask = _asked(table, seat, message.ask)
    here = {*caller.connected(), seat} if len(ask.seats) > 1 else {seat}
    back: list[steps.AnyStep] = []
    if table.chairs[seat].away:
        back.append(steps.Away(at=caller.now, seat=seat, away=False))
    if len(voters(table, ask, here)) > 1:
        return [*_voted(message, table, caller, seat, ask, here), *back]
    # Whether the rules allow it is seen when the step is applied, and only then.
    chosen = steps.Chosen(
        at=caller.now,
        who=caller.who,
        message=message.id,
        seat=seat,
        choice=message.choice,
    )
    return [chosen, *back]


def _voted(
    message: protocol.Choose, table: Table, caller: Caller, seat: int, ask: Ask, here: Collection[int]
) -> list[steps.AnyStep]:
    """Return a team member's vote, and the team's answer if that settles it."""
    assert table.position is not None
    try:
        choice = parse(message.choice)
        find_ask(table.position, seat, choice)
    except IllegalChoice as error:
        raise Refused("illegal", str(error)) from None
    vote = steps.Voted(at=caller.now, who=caller.who, message=message.id, seat=seat, choice=choice.notation)
    decided = decision(table, ask, {**table.votes, seat: choice.notation}, here, caller.now)
    return [vote, *([decided] if decided else [])]


def voters(table: Table, ask: Ask, connected: Collection[int]) -> list[int]:
    """Return the members of a team who are there to be heard."""
    return [seat for seat in ask.seats if table.chairs[seat].person and seat in connected]


def decision(
    table: Table, ask: Ask, votes: dict[int, str], connected: Collection[int], now: int
) -> steps.Chosen | None:
    """Return the team's answer once it is clear: all who are there agree, or the captain has spoken."""
    if table.settings.team == "captain" and table.captain in ask.seats:
        seat = table.captain
        assert seat is not None
        return steps.Chosen(at=now, seat=seat, choice=votes[seat]) if seat in votes else None
    heard = voters(table, ask, connected)
    if heard and all(votes.get(seat) == votes.get(heard[0]) for seat in heard) and heard[0] in votes:
        return steps.Chosen(at=now, seat=heard[0], choice=votes[heard[0]])
    return None
