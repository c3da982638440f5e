"""The wire: what one seat may know, put into the bytes of messages."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, cast

import msgspec
from msgspec import UNSET, Raw

from bullpen.engine import Ask, Choice, Event, Position, Ruleset
from bullpen.engine.views import face_up
from bullpen.server import protocol
from bullpen.server.protocol import (
    AskInfo,
    Clock,
    FairInfo,
    SeatInfo,
    Snapshot,
    TableInfo,
    Update,
    ViewInfo,
    You,
)
from bullpen.server.tables.table import Table

encode = msgspec.json.Encoder().encode


@lru_cache(maxsize=8192)
def option(choice: Choice) -> Raw:
    """Return an option as it stands in an ask: notation, type and fields."""
    fields = msgspec.structs.asdict(choice)
    return Raw(encode({"notation": choice.notation, "type": type(choice).__name__, **fields}))


def ask_info(number: int, ask: Ask) -> AskInfo:
    """Return an ask for the one who may answer it."""
    return AskInfo(
        number=number,
        kind=ask.kind,
        prompt=ask.prompt,
        about=ask.about,
        secret=ask.secret,
        seats=ask.seats,
        options=cast(Any, [option(choice) for choice in ask.options]),
    )


def view_info(rules: Ruleset[Any], position: Position, seat: int | None) -> ViewInfo:
    """Return what a seat may see; its questions and answers travel apart from it."""
    shown: Any = face_up(rules, position, seat)
    # Who looks on has been told of every trick; the past would only make messages longer.
    shown.agenda, shown.past = [], []
    return ViewInfo(seat, shown, rules.remembered(position, seat))


def _position(shown: Position) -> Any:
    """Return a position that was made to be shown, without the engine's own papers."""
    shown.asks, shown.answers, shown.agenda, shown.news, shown.past = (), {}, [], [], []
    return shown


def whole_view(position: Position) -> ViewInfo:
    """Return everything, for the replay of a finished game."""
    return ViewInfo(None, _position(position.copy()), tuple(tuple(pile) for pile in position.piles))


def waiting(position: Position | None) -> tuple[int, ...]:
    """Return the seats that are being waited for, as everybody may know it.

    A hidden answer that had no alternative would betray the card, so that seat still counts as waited for.
    """
    if position is None:
        return ()
    return tuple(
        seat
        for ask in position.asks
        if (ask.secret and ask.forced) or position.answer_to(ask) is None
        for seat in ask.seats
    )


def secret(position: Position | None) -> bool:
    """Return whether the answers to the open question stay hidden; those who watch are told no question."""
    return position is not None and any(ask.secret for ask in position.asks)


class Teller:
    """Puts a table into messages; work that is the same for several receivers is done once."""

    def __init__(
        self, table: Table, presence: Callable[[], tuple[list[bool], int]], left: int | None
    ) -> None:
        self.table = table
        self._presence = presence
        self._left = left
        self._since: dict[int, _Since] = {}
        self._info: Any = None

    def snapshot(self, seat: int | None) -> str:
        """Return everything that a seat may know now."""
        table = self.table
        message = Snapshot(
            number=table.number,
            you=self._you(seat),
            table=self.info(),
            view=self._view(seat),
            ask=self._ask(seat),
            mine=self._mine(seat),
            waiting=waiting(table.position),
            votes=self._votes(seat),
            clock=self._clock(0),
            watching=self._presence()[1],
            secret=secret(table.position),
        )
        return encode(message).decode()

    def update(self, seat: int | None, since: int) -> str:
        """Return what the steps since then mean to a seat."""
        since_then = self._since.get(since)
        if since_then is None:
            since_then = self._since[since] = _Since(self.table, since)
        return since_then.made.get(seat) or self._put(seat, since_then)

    def _put(self, seat: int | None, since: "_Since") -> str:
        """Put an update into words, once for all to whom it says the same."""
        reader = None if since.for_all(seat) else seat
        if reader not in since.made:
            since.made[reader] = encode(self._update(reader, since)).decode()
        since.made[seat] = since.made[reader]
        return since.made[seat]

    def _update(self, seat: int | None, since: "_Since") -> Update:
        table = self.table
        facts = [fact for event in since.events if (fact := event.seen_by(seat)) is not None]
        moved, changed = since.moved, since.changed
        return Update(
            since=since.number,
            number=table.number,
            events=cast(Any, facts),
            waiting=since.waiting,
            secret=since.secret,
            view=self._view(seat) if moved else UNSET,
            ask=self._ask(seat) if moved else UNSET,
            mine=self._mine(seat) if moved or seat in since.own else UNSET,
            votes=self._votes(seat) if moved or since.votes else UNSET,
            clock=self._clock(table.animation) if moved else UNSET,
            you=self._you(seat) if changed else UNSET,
            table=self.info() if changed else UNSET,
            notices=since.notices or UNSET,
        )

    def _you(self, seat: int | None) -> You:
        return You(seat, seat is not None and seat == self.table.host)

    def _view(self, seat: int | None) -> ViewInfo | None:
        game = self.table.game
        return None if game is None else view_info(game.rules, game.position, seat)

    def _ask(self, seat: int | None) -> AskInfo | None:
        ask = self.table.ask_of(seat)
        return None if ask is None else ask_info(self.table.asked, ask)

    def _mine(self, seat: int | None) -> str | None:
        position = self.table.position
        if position is None or seat is None or seat not in position.answers:
            return None
        return position.answers[seat].notation

    def _votes(self, seat: int | None) -> dict[int, str]:
        ask = self.table.ask_of(seat)
        # Talk within a team is the team's own.
        return self.table.votes if ask is not None and len(ask.seats) > 1 else {}

    def _clock(self, animation: int) -> Clock | None:
        table = self.table
        if table.phase != "playing":
            return None
        return Clock(animation, self._left)

    def info(self) -> TableInfo:
        """Return the table as everybody may know it."""
        if self._info is None:
            self._info = Raw(encode(table_info(self.table, self._presence()[0])))
        return cast(TableInfo, self._info)


class _Since:
    """What came after a step, and the updates that were made of it."""

    def __init__(self, table: Table, number: int) -> None:
        news = list(islice(table.news, number - table.news_from, None))
        self.number = number
        self.moved = any(item.view for item in news)
        self.changed = any(item.table for item in news)
        self.votes = any(item.votes for item in news)
        self.own = {item.mine for item in news if item.mine is not None}
        """The seats whose own pending answer changed."""
        self.events = [event for item in news for event in item.events]
        self.notices = tuple(notice for item in news for notice in item.notices)
        self.waiting = waiting(table.position)
        self.secret = secret(table.position)
        self.made: dict[int | None, str] = {}
        self._open = not (self.moved or self.changed or self.votes) and all(
            type(event).seen_by is Event.seen_by for event in self.events
        )

    def for_all(self, seat: int | None) -> bool:
        """Whether nothing of it is a seat's own, so that a spectator's bytes will do."""
        return seat is None or (self._open and seat not in self.own)


def table_info(table: Table, connected: Sequence[bool]) -> TableInfo:
    """Return a table as everybody may know it."""
    over = table.phase == "over"
    seats = [
        SeatInfo(
            kind="open" if chair.open else "person" if chair.who else "bot",
            name=chair.name,
            named=chair.named,
            level=chair.level,
            away=chair.away,
            connected=connected[seat],
        )
        for seat, chair in enumerate(table.chairs)
    ]
    return TableInfo(
        id=table.id,
        code=table.code,
        game=table.rules.id,
        behaviour=table.rules.behaviour,
        title=table.rules.name,
        options=table.rules.options,
        settings=table.settings,
        phase=table.phase,
        seats=tuple(seats),
        host=table.host,
        captain=table.captain,
        played=table.played,
        records=tuple(record_id(table, number) for number in range(1, table.played + 1)),
        fair=FairInfo(table.dealer.next, table.dealer.commitment, tuple(table.dealer.opened(over))),
        locked=bool(table.created.lock),
        hints=table.hints_allowed,
        hinted=tuple(sum(hint.seat == seat for hint in table.hints) for seat in range(len(table.chairs))),
    )


def record_id(table: Table, number: int) -> str:
    """Return the id of the record of a table's game, counted from 1."""
    return f"{table.id}-{number}"


def refusal(code: protocol.ErrorCode, says: str, message_id: str | None, retry: int | None = None) -> str:
    """Return the bytes of a refusal."""
    return encode(protocol.Refusal(code=code, says=says, id=message_id, retry=retry)).decode()
