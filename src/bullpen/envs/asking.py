"""Asking: the open questions of a position, answered in action numbers by the seats that have to."""

from copy import copy

from bullpen.engine import Ask, Choice, IllegalChoice, Position, Seat
from bullpen.envs.actions import WAIT, Alphabet, Answering, Spelling

_ONLY_WAIT = (WAIT,)


class Asking:
    """The questions that are open at the same time, and how far each of them is answered."""

    def __init__(self, alphabet: Alphabet, position: Position) -> None:
        self.asks: dict[Seat, Ask] = {_speaker(ask, position): ask for ask in position.open_asks}
        self.choices: dict[Seat, Choice] = {}
        """The answers that are complete."""
        self._answering = {seat: Answering(alphabet, ask.options) for seat, ask in self.asks.items()}

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats that have to say something, in order."""
        return tuple(sorted(self._answering))

    @property
    def done(self) -> bool:
        """Whether every question that was open is answered."""
        return bool(self.choices) and not self._answering

    def legal(self, seat: Seat) -> Spelling:
        """Return the numbers that a seat may say now, ascending and never none."""
        answering = self._answering.get(seat)
        return _ONLY_WAIT if answering is None else answering.legal

    def said(self, seat: Seat) -> Spelling:
        """Return what a seat has said of an answer that is not complete."""
        answering = self._answering.get(seat)
        return () if answering is None else answering.said

    def say(self, seat: Seat, number: int) -> None:
        """Let a seat say a number that is legal for it."""
        if seat in self._answering:
            choice = self._answering[seat].say(number)
            if choice is not None:
                self.answer(seat, choice)

    def answer(self, seat: Seat, choice: Choice) -> None:
        """Let a seat answer as the engine knows it: a choice among the options of its question."""
        ask = self.asks[seat]
        if choice not in ask.options:
            raise IllegalChoice(f"{str(choice)[:40]} is no answer to this: {ask.prompt}")
        self.choices[seat] = choice
        del self._answering[seat]

    def copy(self) -> "Asking":
        """Return questions that are answered by themselves from here on."""
        twin = copy(self)
        twin.choices = self.choices.copy()
        twin._answering = {seat: copy(answering) for seat, answering in self._answering.items()}
        return twin


def _speaker(ask: Ask, position: Position) -> Seat:
    """Return who answers for a team: the owner of the card that is placed next, or else the first seat."""
    table = position.table
    return table[0].seat if len(ask.seats) > 1 and table and table[0].seat in ask.seats else ask.seats[0]
