"""Records: a game as one JSON document that replays without the random generator."""

from pathlib import Path

from msgspec import Struct, field

from bullpen.engine import OptionValue, RecordError, Result, Seat
from bullpen.records import document
from bullpen.records.document import FairDeal, Hint


class Entry(Struct, frozen=True, gc=False):
    """A choice as it was made: when, by whom, and what in notation."""

    round: int
    trick: int
    seat: Seat
    notation: str


class Deal(Struct, frozen=True):
    """The order that chance gave to a pile."""

    round: int
    pile: str
    cards: tuple[int | str, ...]


class Record(Struct):
    """The header, every deal and every choice of a game; the result once it is over.

    >>> record = Record(game="base", behaviour=1, players=2)
    >>> Record.loads(record.dumps()) == record
    True
    """

    game: str
    behaviour: int
    players: int
    options: dict[str, OptionValue] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    deals: list[Deal] = field(default_factory=list)
    choices: list[Entry] = field(default_factory=list)
    result: Result | None = None
    fair: list[FairDeal] = field(default_factory=list)
    """How the deals can be verified, if they were dealt by a server."""
    running: bool = False
    """Whether it stops where a round was dealt whose cards are not told yet."""
    hints: list[Hint] = field(default_factory=list)
    """The hints that were given."""

    def dumps(self) -> str:
        """Return the record as the text of a JSON document."""
        return document.write(
            document.Document(
                game=self.game,
                behaviour=self.behaviour,
                players=self.players,
                options=self.options,
                names=self.names,
                rounds=self._rounds(),
                result=self.result,
                fair=self.fair,
                running=self.running,
                hints=self.hints,
            )
        )

    def _rounds(self) -> list[document.Round]:
        """Group deals and choices by round, and choices by trick."""
        rounds_played = [deal.round for deal in self.deals] + [entry.round for entry in self.choices]
        last = max(rounds_played, default=0)
        rounds = [document.Round() for _ in range(last)]
        for deal in self.deals:
            rounds[deal.round - 1].deals.append((deal.pile, " ".join(map(str, deal.cards))))
        tricks: dict[tuple[int, int], list[str]] = {}
        for entry in self.choices:
            tricks.setdefault((entry.round, entry.trick), []).append(f"{entry.seat}:{entry.notation}")
        for (number, trick), choices in tricks.items():
            rounds[number - 1].tricks.append(f"{trick}. {' '.join(choices)}")
        return rounds

    @classmethod
    def loads(cls, text: str | bytes) -> "Record":
        """Return the record that a JSON document holds, or raise one sentence with the place of the error."""
        read = document.read(text)
        record = cls(
            game=read.game,
            behaviour=read.behaviour,
            players=read.players,
            options=read.options,
            names=read.names,
            result=read.result,
            fair=read.fair,
            running=read.running,
            hints=read.hints,
        )
        for number, round_ in enumerate(read.rounds, start=1):
            for pile, cards in round_.deals:
                record.deals.append(Deal(number, pile, document.read_cards(cards)))
            for place, line in enumerate(round_.tricks):
                trick, choices = document.read_trick(line, f"$.rounds[{number - 1}].tricks[{place}]")
                record.choices += [Entry(number, trick, seat, notation) for seat, notation in choices]
        return record

    def save(self, path: str | Path) -> None:
        """Write the record to a file."""
        Path(path).write_text(self.dumps(), encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> "Record":
        """Read a record from a file."""
        try:
            with Path(path).open("rb") as file:
                content = file.read(document.MOST_BYTES + 1)
        except OSError as error:
            raise RecordError(f"{path}: {error.strerror or error}.") from None
        try:
            return cls.loads(content)
        except RecordError as error:
            raise RecordError(f"{path}: {error}") from None

    def finished_rounds(self) -> "Record":
        """Return the record without the running round, whose cards are secret; it replays up to its deal."""
        rounds = [deal.round for deal in self.deals] + [entry.round for entry in self.choices]
        running = 0 if self.result else max(rounds, default=0)
        return Record(
            game=self.game,
            behaviour=self.behaviour,
            players=self.players,
            options=self.options,
            names=self.names,
            deals=[deal for deal in self.deals if deal.round != running],
            choices=[entry for entry in self.choices if entry.round != running],
            result=self.result,
            fair=self.fair if self.result else [],
            running=self.result is None,
            hints=[hint for hint in self.hints if hint.round != running],
        )
