"""What analysis says, as plain data that can be written as JSON.

Choices are told in notation (`44`, `r2`). Amounts that must add up exactly (`Share`, `PlayerReview`) are
whole thousandths of what the game counts; everything else is a plain number.
"""

from typing import Literal

from msgspec import Struct

from bullpen.engine import Seat

VERSION = 6
"""The version of the analysis: figures of different versions are not to be compared."""

Unit = Literal["bullheads", "points", "margin"]
"""What is counted: bullheads, points of a board, or a team's bullheads less its opponent's."""
Effort = Literal["quick", "standard", "deep"]
"""How much work goes into an answer: at most about 50 ms, 0.5 s and 10 s on one core."""
Word = Literal["best", "good", "inaccuracy", "mistake", "blunder", "forced"]
"""What a decision is called."""


class Reason(Struct, frozen=True):
    """Something that speaks for or against an option: a kind, and the numbers that belong to it.

    | kind | numbers |
    |---|---|
    | `room` | `row` (from 1) has room for `room` more cards before it is full |
    | `full` | `row` is full, and worth `bullheads` |
    | `between` | `count` cards that nobody has shown lie between the `end` of `row` and the `card` |
    | `lowest` | the card fits no row; the cheapest one is worth `bullheads` |
    | `taking` | it takes a row in this trick with a `chance`, which then costs `bullheads` on average |
    | `costs` | the row named costs `bullheads` and has `cards` cards |
    | `goes` | on a board, or by a special card: `card` goes to `row` |
    | `scores` | the same, and scores `points` at once |
    | `takes` | the same, and takes `bullheads` |
    | `winning` | where rows say nothing: the `chance` of the best result of the round |
    | `behind` | it is `amount` worse than the best option |
    | `ahead` | it is the best option, and `amount` better than the next |
    """

    kind: str
    numbers: dict[str, int | float]


class OptionValue(Struct, frozen=True):
    """What one answer to the open question is worth."""

    choice: str
    """In notation."""
    mean: float
    """What is expected to be counted from now to the end of the round (`Evaluation.unit`)."""
    error: float
    """The standard error of `mean`, from the number of playouts."""
    low: float
    """The lower end of the 90 % interval of what will really be counted from now on."""
    high: float
    """Its upper end."""
    take_chance: float
    """The chance of taking a row in this trick."""
    take_cost: float
    """How many bullheads such a take costs on average; 0 if it never happened."""
    round_win_chance: float
    """The chance of the best result of the round, ties shared."""
    win_chance: float
    """The chance of winning the game, ties shared."""
    cost: float
    """By how much the mean is worse than that of the best option; never negative."""
    playouts: int
    cost_error: float = 0.0
    """The standard error of `cost`; small, since all options live through the same worlds."""
    reasons: tuple[Reason, ...] = ()


class Evaluation(Struct, frozen=True):
    """What the answers to an open question are worth, in the order in which they were asked."""

    game: str
    players: int
    seat: Seat
    kind: str
    """The kind of question."""
    unit: Unit
    better: Literal["less", "more"]
    so_far: int
    """What the round has brought the seat already (0 where that is not known)."""
    options: tuple[OptionValue, ...]
    against: tuple[str, ...]
    """How each seat is expected to play on, the own one included."""
    effort: str
    seed: int
    complete: bool = True
    """False if it was cancelled before all of its work was done."""
    version: int = VERSION

    @property
    def best(self) -> OptionValue:
        """The option with the best mean."""
        return min(self.options, key=lambda option: option.cost)

    @property
    def ranked(self) -> tuple[OptionValue, ...]:
        """The options, best first."""
        return tuple(sorted(self.options, key=lambda option: option.cost))

    def of(self, choice: str) -> OptionValue:
        """Return the option with this notation."""
        return next(option for option in self.options if option.choice == choice)


class Decision(Struct, frozen=True):
    """A choice of a recorded game, and what else there was."""

    moment: int
    """How many choices of the record came before it: `Game.at(record, moment)` is where it was made."""
    round: int
    trick: int
    seat: Seat
    kind: str
    choice: str
    best: str
    cost: float
    """What the choice gave away in expectation, in the unit of the review, as far as chance can be ruled out.

    Never negative, and never more than what the options say.
    """
    win_cost: float
    """What it gave away of the chance to win the game."""
    word: Word
    expected: float
    """What the seat could expect of the whole round before it chose, with the best choice."""
    win_chance: float
    """The seat's chance of winning the game before it chose, with the best choice."""
    options: tuple[OptionValue, ...] = ()
    """The three best options and the chosen one, best first; none where there was nothing to choose."""


class Share(Struct, frozen=True):
    """What made a seat's result in one trick, in whole thousandths: positive is more of what is counted."""

    round: int
    trick: int
    seat: Seat
    deal: int
    """What the cards dealt were better or worse than usual (in the first trick of a round)."""
    others: int
    """What the others' cards and chance brought beyond what could be expected."""
    own: int
    """What the own choices gave away against the best ones."""


class Moment(Struct, frozen=True):
    """A trick worth looking at again."""

    round: int
    trick: int
    seat: Seat
    amount: float
    """How much it changed: expected result for luck, chance of winning for a turning point."""
    moment: int
    """The choice of the record with which the trick's decision was made."""


class PlayerReview(Struct, frozen=True):
    """A player's game: `par + deal + others + own` is exactly a thousand times `result`."""

    seat: Seat
    name: str
    result: int
    """The final score."""
    par: int
    """What a seat of such a game gets on average, in thousandths, as the other three are."""
    deal: int
    others: int
    own: int
    accuracy: float
    """From 0 to 100: the mean over all real decisions of 100 halved for every 1.5 bullheads given away."""
    words: dict[str, int]
    """How many decisions were called what."""
    luckiest: Moment | None = None
    unluckiest: Moment | None = None


class Review(Struct, frozen=True):
    """A finished game, decision by decision."""

    game: str
    unit: Unit
    better: Literal["less", "more"]
    effort: str
    against: tuple[str, ...]
    seed: int
    decisions: tuple[Decision, ...]
    players: tuple[PlayerReview, ...]
    shares: tuple[Share, ...]
    turning_points: tuple[Moment, ...]
    version: int = VERSION


class WhatIf(Struct, frozen=True):
    """How a recorded game would have gone on after other choices."""

    moment: int
    round: int
    """The round that was changed."""
    happened: tuple[int, ...]
    """What the seats scored in that round, as it was played."""
    instead: tuple[int, ...]
    """What they would have scored."""
    happened_total: tuple[int, ...]
    """The final scores, or those when the record ends."""
    instead_total: tuple[int, ...] | None
    """The final scores as they would have been, if the game was played to its end."""
    changed: tuple[str, ...]
    """The choices made instead, in order: `seat:notation`."""
    record: str
    """The other game as a record's document, to be opened, shown or gone on with."""
