"""A table: the state that follows from a log of steps, one step after another."""

from collections import Counter, deque
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec import Struct

from bullpen.engine import Ask, Event, Position, Ruleset, refuse_files
from bullpen.game import Game
from bullpen.records import Hint, Record
from bullpen.rulesets import find, make
from bullpen.server.protocol import Notice, NoticeKind, Phase, Settings
from bullpen.server.tables import steps
from bullpen.server.tables.fair import Dealer, Terms
from bullpen.server.tables.memory import Memory
from bullpen.server.tables.pace import animation
from bullpen.server.tables.steps import Chair

MISSES = 2
"""After so many decisions in a row that the clock made, a bot plays on."""
RECENT = 64
"""Of so many of the latest steps the news are kept; whoever missed more is told everything anew."""
MOST_STEPS = 20_000
"""So many steps a table may see in a game; far more than a game needs that people mean to finish."""


class News(Struct, gc=False):
    """What a step brought about: events, and what clients must be told anew."""

    events: tuple[Event, ...] = ()
    table: bool = False
    """The seats, the phase or the fairness changed."""
    view: bool = False
    """More changed on the table than who has answered."""
    mine: int | None = None
    """The seat whose own pending answer changed."""
    votes: bool = False
    over: bool = False
    """The game ended with this step."""
    notices: tuple[Notice, ...] = ()
    """What everybody should be told about the seats."""


class Table:
    """A table and its running game; `apply` is the only way to change it."""

    def __init__(self, table_id: str, created: steps.Created) -> None:
        self.id = table_id
        self.code = created.code
        self.settings: Settings = created.settings
        refuse_files(find(created.game, created.behaviour).offers, created.options)
        self.rules: Ruleset[Any] = make(created.game, created.players, created.options, created.behaviour)
        self.chairs = [Chair() for _ in range(created.players)]
        self.host: int | None = None
        self.absent_host = ""
        """The person whom somebody stands in for as host, and who is host again on coming back."""
        self.game: Game | None = None
        terms = Terms.of(table_id, self.rules, ())
        self.dealer = Dealer(bytes.fromhex(created.secret), terms, created.fair)
        self.played = 0
        self.asked = 0
        """The step that opened the asks of now: their number."""
        self.asked_at = 0
        self.animation = 0
        self.votes: dict[int, str] = {}
        self.doubts: dict[int, set[int]] = {}
        """Who has asked for a bot to play for whom."""
        self.timed_out: set[int] = set()
        """The seats for which the clock has answered the asks of now."""
        self.taken_back: Counter[int] = Counter()
        """How often each seat took back its answer to the asks of now."""
        self.hints: list[Hint] = []
        """The hints of the running or latest game."""
        self.admitted: set[str] = set()
        """Who gave the password."""
        self.created = created
        self.number = 1
        """The number of the latest step."""
        self.folded = 0
        """The step at which the latest finished game ended: what came before is not needed any more."""
        self.news: deque[News] = deque([News(table=True)], RECENT)
        self.memory = Memory()
        self._remember(created)

    @classmethod
    def replayed(cls, table_id: str, log: Iterable[steps.AnyStep | steps.Folded]) -> "Table":
        """Return the table that a log leads to."""
        first, *others = log
        if isinstance(first, steps.Folded):
            table = cls._unfolded(table_id, first)
        else:
            assert isinstance(first, steps.Created)
            table = cls(table_id, first)
        for step in others:
            assert not isinstance(step, steps.Folded)
            table.apply(step)
        return table

    # A finished game is folded into one step, from which the table goes on.

    def fold(self, at: int) -> steps.Folded:
        """Return the step that stands for the whole log, possible between games."""
        assert self.game is not None
        assert self.game.over
        end = self.game.position.copy()
        end.asks, end.answers, end.agenda, end.news, end.past = (), {}, [], [], []
        return steps.Folded(
            at=at,
            number=self.number,
            created=self.created,
            chairs=tuple(self.chairs),
            host=self.host,
            absent_host=self.absent_host,
            played=self.played,
            asked=self.asked,
            names=self.game.names,
            position=msgspec.Raw(steps.encode(end)),
            dealer=self.dealer.folded(),
            messages=tuple(self.memory.latest()),
            admitted=tuple(sorted(self.admitted)),
            hints=tuple(self.hints),
        )

    @classmethod
    def _unfolded(cls, table_id: str, fold: steps.Folded) -> "Table":
        table = cls(table_id, fold.created)
        table.chairs, table.host, table.played = list(fold.chairs), fold.host, fold.played
        table.absent_host = fold.absent_host
        table.number = table.folded = fold.number
        table.asked, table.asked_at = fold.asked, fold.at
        table.dealer.unfold(fold.dealer)
        table.memory = Memory(fold.messages)
        table.hints = list(fold.hints)
        table.admitted = set(fold.admitted)
        table.news.clear()
        end = msgspec.json.decode(fold.position, type=table.rules.position_type)
        table.game = Game.ended(table.rules, end, fold.names)
        return table

    # What others ask of a table.

    @property
    def news_from(self) -> int:
        """The step after which all news are still known."""
        return self.number - len(self.news)

    @property
    def worn_out(self) -> bool:
        """Whether the table has seen as many steps in a game as it may."""
        return self.number - self.folded >= MOST_STEPS

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

    @property
    def hints_allowed(self) -> bool:
        """Whether players may ask for hints: as agreed on, else whoever is alone with bots."""
        if self.settings.hints is not None:
            return self.settings.hints
        return sum(bool(chair.who) for chair in self.chairs) == 1

    def admits(self, who: str) -> bool:
        """Whether somebody may see the table and sit down."""
        return not self.created.lock or who in self.admitted or self.seat_of(who) is not None

    def seat_of(self, who: str) -> int | None:
        """Return the seat of an identity."""
        if who:
            for seat, chair in enumerate(self.chairs):
                if chair.who == who:
                    return seat
        return None

    def ask_of(self, seat: int | None) -> Ask | None:
        """Return the question to this seat, answered or not."""
        if self.game is not None and seat is not None:
            for ask in self.game.position.asks:
                if seat in ask.seats:
                    return ask
        return None

    def record(self) -> Record:
        """Return the record of the game, with what makes its deals verifiable."""
        assert self.game is not None
        record = self.game.record
        # Of a game that did not begin with a deal of this table, not every deal can be verified.
        record.fair = [] if self.created.origin else self.dealer.opened(self.game.over)
        record.hints = self.hints[:]
        return record

    # Steps.

    def apply(self, step: steps.AnyStep) -> News:
        """Do a step; one that is not possible now raises why, before anything is changed."""
        before = None if self.game is None else self.game.position.asks
        news = _DO[type(step)](self, step)
        self.number += 1
        self.news.append(news)
        self._remember(step)
        game = self.game
        if game is not None and game.position.asks is not before:
            self.asked, self.asked_at = self.number, step.at
            self.animation = animation(news.events)
            self.votes = {}
            self.timed_out.clear()
            self.taken_back.clear()
            if game.over:
                self.folded = self.number
        return news

    def _remember(self, step: steps.AnyStep) -> None:
        if step.message:
            self.memory.note(step.who, step.message, self.number, step.content)

    def _sat(self, step: steps.Sat) -> News:
        before = self.chairs[step.seat]
        self.chairs[step.seat] = Chair(who=step.who, name=step.name, named=step.named)
        if step.nonce:
            self.dealer.nonces[step.seat] = step.nonce
        if self.host is None:
            self.host = step.seat
        if before.open:
            return News(table=True)
        # A question that the bot had not answered is the person's now.
        told = Notice("taken_over", step.seat, step.seat, before.name)
        return News(table=True, view=True, notices=(told,))

    def _bot_sat(self, step: steps.BotSat) -> News:
        self.chairs[step.seat] = Chair(name=step.name, level=step.level)
        return News(table=True)

    def _emptied(self, step: steps.Emptied) -> News:
        before, by = self.chairs[step.seat], self.seat_of(step.who)
        if before.who == self.absent_host:
            self.absent_host = ""
        kind: NoticeKind = "left" if by == step.seat else "removed"
        self.chairs[step.seat] = Chair()
        self.dealer.nonces.pop(step.seat, None)
        if self.host == step.seat:
            self.host = self.heir(step.seat)
        return News(table=True, notices=(Notice(kind, step.seat, by, before.name),))

    def _hosted(self, step: steps.Hosted) -> News:
        # A host who says so gives the table away; one who is gone is only stood in for.
        absent = "" if step.who or self.host is None else self.absent_host or self.chairs[self.host].who
        by, self.host = self.seat_of(step.who), step.seat
        returned = step.seat is not None and self.chairs[step.seat].who == absent
        self.absent_host = "" if returned else absent
        told = () if step.seat is None else (Notice("host", step.seat, by),)
        return News(table=True, notices=told)

    def _started(self, step: steps.Started) -> News:
        names = [chair.name for chair in self.chairs]
        self.dealer.new_game(names)
        self.news.clear()
        self.memory = Memory(self.memory.latest())
        self.doubts = {}
        self.hints = []
        for chair in self.chairs:
            chair.misses = 0
        self.game = self._new_game(names)
        self.dealer.settle()
        self.played += self.game.over
        return News(self.game.events, table=True, view=True, over=self.game.over)

    def _new_game(self, names: list[str]) -> Game:
        origin = self.created.origin
        if origin is None:
            return Game(self.rules, self.dealer, names)
        return Game.resumed(Record.loads(origin.record), origin.moment, self.dealer, names)

    def _chosen(self, step: steps.Chosen) -> News:
        assert self.game is not None
        before, ask = self.game.position.asks, self.ask_of(step.seat)
        events = self.game.choose(step.seat, step.choice)
        gone = self._keep_count(step, ask)
        moved = self.game.position.asks is not before
        dealt = self.dealer.settle()
        over = self.game.over
        self.played += over
        return News(
            events,
            table=dealt or over or step.by in ("clock", "team"),
            view=moved,
            mine=step.seat,
            over=over,
            notices=tuple(Notice("timed_out", seat) for seat in gone),
        )

    def _keep_count(self, step: steps.Chosen, ask: Ask | None) -> list[int]:
        """Return whom the clock sends away: one for whom it chose twice in a row; who chooses is there."""
        if step.nonce is not None:
            self.dealer.nonces[step.seat] = step.nonce
        if step.by == "person":
            self.chairs[step.seat].misses = 0
            self.doubts.pop(step.seat, None)
        elif step.by in ("clock", "team") and ask is not None:
            # Of a team, those have missed it who did not say what they want.
            self.timed_out.update(ask.seats)
            return [seat for seat in ask.seats if seat not in self.votes and self._missed(self.chairs[seat])]
        return []

    def _missed(self, chair: Chair) -> bool:
        """Count a decision that was missed, and return whether a bot plays on from now."""
        chair.misses += 1
        gone = chair.person and chair.misses >= MISSES
        chair.away = chair.away or gone
        return gone

    def _voted(self, step: steps.Voted) -> News:
        self.votes[step.seat] = step.choice
        return News(votes=True)

    def _retracted(self, step: steps.Retracted) -> News:
        assert self.game is not None
        self.taken_back[step.seat] += 1
        return News(self.game.retract(step.seat), mine=step.seat)

    def _mixed(self, step: steps.Mixed) -> News:
        self.dealer.nonces[step.seat] = step.nonce
        return News()

    def _away(self, step: steps.Away) -> News:
        chair = self.chairs[step.seat]
        chair.away = step.away
        chair.misses = 0
        chair.forgotten = chair.forgotten and step.away
        self.doubts.pop(step.seat, None)
        if self.host == step.seat and step.away:
            heir = self.heir(step.seat)
            if heir is not None:
                self.host, self.absent_host = heir, self.absent_host or chair.who
        elif not step.away and self.absent_host and self.absent_host == chair.who:
            self.host, self.absent_host = step.seat, ""
        kind: NoticeKind = "back" if not step.away else "left" if step.by is None else "stood_in"
        return News(table=True, notices=(Notice(kind, step.seat, step.by),))

    def _doubted(self, step: steps.Doubted) -> News:
        self.doubts.setdefault(step.seat, set()).add(step.by)
        return News(table=True, notices=(Notice("stand_in_asked", step.seat, step.by),))

    def _forgot(self, step: steps.Forgot) -> News:
        self.chairs[step.seat].forgotten = True
        return News()

    def _hinted(self, step: steps.Hinted) -> News:
        assert self.game is not None
        position = self.game.position
        self.hints.append(Hint(position.round, position.trick, step.seat))
        return News(table=True)

    def _admitted(self, step: steps.Admitted) -> News:
        self.admitted.add(step.who)
        return News()

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
    steps.Doubted: Table._doubted,
    steps.Forgot: Table._forgot,
    steps.Hinted: Table._hinted,
    steps.Admitted: Table._admitted,
}
