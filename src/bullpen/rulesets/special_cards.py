"""What every special card of the family has: a name, a title, a sentence, and what its targets point at."""

from typing import ClassVar, TypeAlias

from bullpen.engine import Aim, SpecialCard

Targets: TypeAlias = tuple[int, ...]
"""What a special card is used on, written as people count."""


class Special:
    """A special card as its player reads it; what it does is for the game to say."""

    name: str
    title: str
    says: str
    aims: ClassVar[tuple[Aim, ...]] = ()
    stays: ClassVar[bool] = False
    """Whether it lies at a row after its use."""

    @property
    def declared(self) -> SpecialCard:
        """The card as the furniture of its game has it."""
        return SpecialCard(self.name, self.title, self.says, self.aims, marks=self.stays)
