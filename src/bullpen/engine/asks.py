"""Asks: the open questions of a position."""

from msgspec import Struct

from bullpen.engine.cards import Seat
from bullpen.engine.choices import Choice


class Ask(Struct, frozen=True, gc=False):
    """A question to one seat (or to a team, any member of which may answer) with every legal answer.

    A secret ask is the answerer's own business until all open asks are answered: nobody else sees
    its options or its answer, and the answer may be taken back until then (GEN-6).
    `about` holds the public facts the question hangs on, such as the card that is too low.
    A patient ask waits for its answer even if there is one option only: going on at once would tell
    the others that the hidden cards of the seat allow nothing else.
    """

    seats: tuple[Seat, ...]
    kind: str
    options: tuple[Choice, ...]
    prompt: str
    secret: bool = False
    about: tuple[int | str, ...] = ()
    patient: bool = False

    @property
    def forced(self) -> bool:
        """Whether there is nothing to decide and nothing to hide by waiting (GEN-13)."""
        return len(self.options) == 1 and not self.patient

    def seen_by(self, seat: Seat | None) -> "Ask":
        """Return the ask as that seat (None: a spectator) may know it."""
        if not self.secret or seat in self.seats:
            return self
        return Ask(self.seats, self.kind, (), self.prompt, True, self.about, self.patient)
