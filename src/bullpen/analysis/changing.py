"""what_if: go to a moment of a record, choose differently, play on, and compare with what happened."""

from collections.abc import Mapping, Sequence
from typing import Any

from bullpen.analysis.errors import AnalysisError
from bullpen.analysis.measure import of_round, result_of
from bullpen.analysis.opponents import NAMES, PEOPLE
from bullpen.analysis.shapes import WhatIf
from bullpen.bots import player
from bullpen.engine import (
    BullpenError,
    Chance,
    Choice,
    NoMoreDeals,
    Position,
    RecordError,
    Ruleset,
    Scripted,
    Seat,
    Seeded,
)
from bullpen.engine.chance import T
from bullpen.game import Game
from bullpen.records import Record, check

Changes = Mapping[Seat, str | Choice] | Sequence[tuple[Seat, str | Choice]]
"""Choices to make instead: one a seat, or any number in their order."""
AS_PLAYED = "as played"
"""Stands for a seat that does what it did, as long as it can; then it plays on like `FALLBACK`."""
FALLBACK = "medium"
UNTIL = ("changes", "trick", "round", "game")
MOST_CHOICES = 20_000


class Resumed:
    """Chance that goes on with the deals of a record, and with new ones where those do not fit any more."""

    def __init__(self, record: Record, used: int, seed: int | str) -> None:
        self._written = Scripted((deal.pile, deal.cards) for deal in record.deals[used:])
        self._new: Chance = Seeded(seed)
        self._fits = True

    def shuffle(self, pile: str, cards: list[T]) -> list[T]:
        """Give the written order, if it is of these cards."""
        if self._fits:
            try:
                return self._written.shuffle(pile, cards)
            except (RecordError, NoMoreDeals):
                self._fits = False
        return self._new.shuffle(pile, cards)


def game_at(record: Record, moment: int, seed: int | str = 0) -> Game:
    """Return a recorded game after so many choices, to be played on; later deals are those of the record."""
    if type(moment) is not int or not 0 <= moment <= len(record.choices):
        raise AnalysisError(
            f"There is no moment {str(moment)[:20]}: the record has {len(record.choices)} choices, "
            "and 0 is its start."
        )
    before = Game.at(record, moment)
    return Game.at(record, moment, Resumed(record, len(before.record.deals), seed))


def what_if(
    record: Record,
    moment: int,
    changes: Changes = (),
    *,
    others: str | Sequence[str] = AS_PLAYED,
    until: str = "round",
    seed: int = 0,
) -> WhatIf:
    """Return how a recorded game would have gone on with other choices from a moment on.

    `changes` are made in their order; whoever is asked in between, and everybody afterwards, plays like
    `others` says: as in the record as long as that is possible, or like a level (one for all, or one a seat).
    Play goes on until the changes are made, or to the end of the trick, the round or the game. With until
    "changes" the record that is returned can be played on by hand.
    """
    _check(record, others, until)
    game = game_at(record, moment, seed)
    number, trick = max(1, game.position.round), game.position.trick
    seats = _Seats(record, moment, others, seed)
    changed = seats.make(game, list(changes.items()) if isinstance(changes, Mapping) else list(changes))
    for _ in range(MOST_CHOICES):
        if game.over or until == "changes" or _reached(game.position, until, number, trick):
            break
        seats.answer(game)
    last = check(record)
    return WhatIf(
        moment=moment,
        round=number,
        happened=_scored(game.rules, last, number),
        instead=_scored(game.rules, game.position, number),
        happened_total=_totals(game.rules, last),
        instead_total=_totals(game.rules, game.position) if game.over else None,
        changed=changed,
        record=game.record.dumps(),
    )


def _check(record: Record, others: str | Sequence[str], until: str) -> None:
    if until not in UNTIL:
        raise AnalysisError(f"until cannot be {str(until)[:40]!r}; it can be {', '.join(UNTIL)}.")
    named = [others] if isinstance(others, str) else list(others)
    if not isinstance(others, str) and len(named) != record.players:
        raise AnalysisError(f"others names {len(named)} seats, but {record.players} play.")
    levels = [name for name in NAMES if name != PEOPLE]
    for name in named:
        if name != AS_PLAYED and name not in levels:
            raise AnalysisError(
                f"others cannot be {str(name)[:40]!r}; it can be {AS_PLAYED!r}, {', '.join(levels)}."
            )


def _reached(position: Position, until: str, number: int, trick: int) -> bool:
    """Whether play has gone as far as was wished."""
    if until == "game":
        return False
    beyond = position.round > number or len(position.score_sheet) >= number
    return beyond or (until == "trick" and position.trick > trick)


class _Seats:
    """Whoever answers: by the changes, as it was played, or as a bot."""

    def __init__(self, record: Record, moment: int, others: str | Sequence[str], seed: int) -> None:
        names = [others] * record.players if isinstance(others, str) else list(others)
        self.as_played = [name == AS_PLAYED for name in names]
        self.bots = [
            player(FALLBACK if name == AS_PLAYED else name, f"{seed}/{seat}")
            for seat, name in enumerate(names)
        ]
        self.written: list[list[str]] = [[] for _ in names]
        for entry in reversed(record.choices[moment:]):
            self.written[entry.seat].append(entry.notation)

    def make(self, game: Game, changes: list[tuple[Seat, str | Choice]]) -> tuple[str, ...]:
        """Make the changes in their order; others who are asked before answer in between."""
        made = []
        for seat, choice in changes:
            for _ in range(MOST_CHOICES):
                if game.over or any(seat in ask.seats for ask in game.asks):
                    break
                self.answer(game)
            notation = choice if isinstance(choice, str) else choice.notation
            try:
                game.choose(seat, notation)
            except BullpenError as error:
                raise AnalysisError(
                    f"Seat {str(seat)[:20]} cannot choose {notation[:20]!r} there: {error}"
                ) from None
            self._skip(seat)
            made.append(f"{seat}:{notation}")
        return tuple(made)

    def _skip(self, seat: Seat) -> None:
        """Forget what the seat chose in the record where it now chose something else."""
        if self.written[seat]:
            self.written[seat].pop()

    def answer(self, game: Game) -> None:
        """Let one seat answer."""
        ask = game.asks[0]
        seat = next((each for each in ask.seats if self.written[each]), ask.seats[0])
        if self.as_played[seat] and self.written[seat]:
            notation = self.written[seat].pop()
            if notation in {option.notation for option in ask.options}:
                game.choose(seat, notation)
                return
            # What was done then cannot be done now: from here on it is another game for this seat.
            self.written[seat].clear()
        game.choose(seat, self.bots[seat].choose(game.view(seat), ask))


def _scored(rules: Ruleset[Any], position: Position, number: int) -> tuple[int, ...]:
    """Return what a round brought the seats: all of it if it is over, else so far."""
    if position.result is not None or len(position.score_sheet) >= number:
        return tuple(of_round(rules, position, number))
    return tuple(position.points)


def _totals(rules: Ruleset[Any], position: Position) -> tuple[int, ...]:
    if position.result is None:
        return tuple(position.scores)
    return tuple(result_of(rules, position, seat) for seat in range(rules.players))
