"""A table: the state that follows from a log of steps, one step after another."""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from bullpen.engine import Ask, Event, Position, RecordError, Ruleset, refuse_files
from bullpen.game import Game
from bullpen.records import Record
from bullpen.rulesets import find, make
from bullpen.server.protocol import Phase, Settings
from bullpen.server.tables import steps
from bullpen.server.tables.fair import Dealer
from bullpen.server.tables.pace import animation

MISSES = 2
"""After so many decisions in a row that the clock made, a bot plays on."""
REMEMBERED = 256
"""So many of the latest messages are recognised when they come again."""


class Chair(Struct):
    """Who sits on a seat: nobody, a person (`who` is the identity) or a bot (`level`)."""

    who: str = ""
    name: str = ""
    level: str = ""
    away: bool = False
    misses: int = 0

    @property
    def open(self) -> bool:
        """Whether nobody sits here."""
        return not self.who and not self.level

    @property
    def person(self) -> bool:
        """Whether a person is expected to answer."""
        return bool(self.who) and not self.away


class News(Struct):
    """What a step brought about: events, and what clients must be told anew."""

    events: tuple[Event, ...] = ()
    table: bool = False
    """The seats, the phase or the fairness changed."""
    view: bool = False
    """More changed on the table than who has answered."""
    mine: int | None = None
    """The seat whose own pending answer changed."""
    votes: bool = False


class Table:
    """A table and its running game; `apply` is the only way to change it."""

    def __init__(self, table_id: str, created: steps.Created) -> None:
        self.id = table_id
        self.code = created.code
        self.settings: Settings = created.settings
        refuse_files(find(created.game).offers, created.options)
        self.rules: Ruleset[Any] = make(created.game, created.players, created.options)
        if self.rules.behaviour != created.behaviour:
            raise RecordError("This table was begun by rules that have changed since; it cannot go on.")
        self.chairs = [Chair() for _ in range(created.players)]
        self.host: int | None = None
        self.game: Game | None = None
        self.dealer = Dealer(bytes.fromhex(created.secret), created.players)
        self.played = 0
        self.asked = 0
        """The step that opened the asks of now: their number."""
        self.asked_at = 0
        self.animation = 0
        self.votes: dict[int, str] = {}
        self.steps: list[steps.AnyStep] = [created]
        self.news: list[News] = [News(table=True)]
        self.news_from = 0
        """How many steps' news were forgotten: those of earlier games."""
        self.answered: OrderedDict[tuple[str, str], int] = OrderedDict()
        self._remember(created, 1)

    @classmethod
    def replayed(cls, table_id: str, log: Iterable[steps.AnyStep]) -> "Table":
        """Return the table that a log leads to."""
        created, *others = log
        assert isinstance(created, steps.Created)
        table = cls(table_id, created)
        for step in others:
            table.apply(step)
        return table

    # What others ask of a table.

    @property
    def number(self) -> int:
        """The number of the latest step."""
        return len(self.steps)

    @property
    def phase(self) -> Phase:
        """Before, in or after a game."""
        if self.game is None:
            return "lobby"
        return "over" if self.game.over else "playing"

    @property
    def position(self) -> Position | None:
        """The running or latest game's position."""
        return None if self.game is None else self.game.position

    @property
    def captain(self) -> int | None:
        """Who decides for a team where a captain does: the host, else the first person."""
        people = [seat for seat, chair in enumerate(self.chairs) if chair.person]
        return self.host if self.host in people else next(iter(people), None)

    def seat_of(self, who: str) -> int | None:
        """Return the seat of an identity."""
        if who:
            for seat, chair in enumerate(self.chairs):
                if chair.who == who:
                    return seat
        return None

    def ask_of(self, seat: int | None) -> Ask | None:
        """Return the question to this seat, answered or not."""
        if self.game is None or seat is None:
            return None
        return next((ask for ask in self.game.position.asks if seat in ask.seats), None)

    def record(self) -> Record:
        """Return the record of the game, with what makes its deals verifiable."""
        assert self.game is not None
        record = self.game.record
        record.fair = self.dealer.opened(self.game.over)
        return record

    # Steps.

    def apply(self, step: steps.AnyStep) -> News:
        """Do a step; it must be one that the table allows."""
        before = None if self.game is None else self.game.position.asks
        news = _DO[type(step)](self, step)
        self.steps.append(step)
        self.news.append(news)
        self._remember(step, self.number)
        if self.game is not None and self.game.position.asks is not before:
            self.asked, self.asked_at = self.number, step.at
            self.animation = animation(news.events)
            self.votes = {}
        return news

    def _remember(self, step: steps.AnyStep, number: int) -> None:
        if step.message:
            self.answered[step.who, step.message] = number
            if len(self.answered) > REMEMBERED:
                self.answered.popitem(last=False)

    def _sat(self, step: steps.Sat) -> News:
        self.chairs[step.seat] = Chair(who=step.who, name=step.name)
        if step.nonce:
            self.dealer.nonces[step.seat] = step.nonce
        if self.host is None:
            self.host = step.seat
        return News(table=True)

    def _bot_sat(self, step: steps.BotSat) -> News:
        self.chairs[step.seat] = Chair(name=step.name, level=step.level)
        return News(table=True)

    def _emptied(self, step: steps.Emptied) -> News:
        self.chairs[step.seat] = Chair()
        self.dealer.nonces.pop(step.seat, None)
        if self.host == step.seat:
            self.host = self.heir(step.seat)
        return News(table=True)

    def _hosted(self, step: steps.Hosted) -> News:
        self.host = step.seat
        return News(table=True)

    def _started(self, step: steps.Started) -> News:
        self.dealer.new_game()
        self.news_from += len(self.news)
        self.news = []
        for chair in self.chairs:
            chair.misses = 0
        self.game = Game(self.rules, self.dealer, [chair.name for chair in self.chairs])
        self.dealer.settle()
        self._count_finished()
        return News(self.game.events, table=True, view=True)

    def _chosen(self, step: steps.Chosen) -> News:
        assert self.game is not None
        self._keep_count(step)
        before = self.game.position.asks
        events = self.game.choose(step.seat, step.choice)
        moved = self.game.position.asks is not before
        dealt = self.dealer.settle()
        self._count_finished()
        changed = dealt or self.game.over or step.by == "clock"
        return News(events, table=changed, view=moved, mine=step.seat)

    def _keep_count(self, step: steps.Chosen) -> None:
        """A person who chooses is there; one for whom the clock chose twice in a row is away."""
        chair = self.chairs[step.seat]
        if step.nonce is not None:
            self.dealer.nonces[step.seat] = step.nonce
        if step.by == "person":
            chair.misses = 0
        elif step.by == "clock":
            chair.misses += 1
            chair.away = chair.away or (bool(chair.who) and chair.misses >= MISSES)

    def _count_finished(self) -> None:
        assert self.game is not None
        self.played += self.game.over

    def _voted(self, step: steps.Voted) -> News:
        self.votes[step.seat] = step.choice
        return News(votes=True)

    def _retracted(self, step: steps.Retracted) -> News:
        assert self.game is not None
        return News(self.game.retract(step.seat), mine=step.seat)

    def _mixed(self, step: steps.Mixed) -> News:
        self.dealer.nonces[step.seat] = step.nonce
        return News()

    def _away(self, step: steps.Away) -> News:
        chair = self.chairs[step.seat]
        chair.away = step.away
        chair.misses = 0
        if self.host == step.seat and step.away:
            heir = self.heir(step.seat)
            self.host = step.seat if heir is None else heir
        return News(table=True)

    def heir(self, leaving: int, fit: Callable[[int], bool] = lambda _: True) -> int | None:
        """Return who becomes host when that seat goes: the next person clockwise."""
        players = len(self.chairs)
        others = [(leaving + steps) % players for steps in range(1, players)]
        return next((seat for seat in others if self.chairs[seat].person and fit(seat)), None)


_DO: dict[type, Callable[[Any, Any], News]] = {
    steps.Sat: Table._sat,
    steps.BotSat: Table._bot_sat,
    steps.Emptied: Table._emptied,
    steps.Hosted: Table._hosted,
    steps.Started: Table._started,
    steps.Chosen: Table._chosen,
    steps.Voted: Table._voted,
    steps.Retracted: Table._retracted,
    steps.Mixed: Table._mixed,
    steps.Away: Table._away,
}
