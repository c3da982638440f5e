"""Matches: who plays what, and the games that this comes to."""

from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct, field

from bullpen.arena.contenders import check_name, name_of
from bullpen.arena.errors import ArenaError
from bullpen.engine import OptionValue
from bullpen.rulesets import find, make

Options = dict[str, OptionValue]


class Job(Struct, frozen=True):
    """One game: the deal by its number, and which bot sits where."""

    game: str
    players: int
    options: tuple[tuple[str, OptionValue], ...]
    seed: str
    deal: int
    seating: tuple[str, ...]
    limit: float
    """Seconds that an outside program has for a decision."""


class Match(Struct, frozen=True, kw_only=True, dict=True):
    """Bots at one table: every deal is played once for each way to turn the seats (paired deals).

    Fewer bots than seats: the last one fills the table, so that two bots are one against all others.
    In a game that is won or lost together each bot plays with copies of itself.
    """

    game: str
    players: int
    bots: tuple[str, ...]
    deals: int = 100
    seed: str = "1"
    options: Options = field(default_factory=dict)
    limit: float = 5.0

    @cached_property
    def seatings(self) -> tuple[tuple[str, ...], ...]:
        """Every different way to turn the seats; or one team of each bot, if they play together."""
        if find(self.game).furniture.team is not None:
            return tuple(dict.fromkeys((bot,) * self.players for bot in self.bots))
        if not 1 <= len(self.bots) <= self.players:
            raise ArenaError(f"There are {len(self.bots)} bots for {self.players} seats.")
        line = self.bots + self.bots[-1:] * (self.players - len(self.bots))
        turned = [line[-turn:] + line[:-turn] for turn in range(self.players)]
        return tuple(dict.fromkeys(turned))

    def check(self) -> None:
        """Raise one sentence if this cannot be played."""
        game = make(self.game, self.players, self.options).id
        for bot in self.bots:
            check_name(bot, game)
        labels = {bot: name_of(bot).label for bot in self.bots}
        if len(set(labels.values())) < len(labels):
            raise ArenaError("Two different bots have the same name.")
        if self.deals < 1:
            raise ArenaError("A match needs at least one deal.")

    def jobs(self) -> Iterator[list[Job]]:
        """Yield the games deal by deal."""
        return map(self.deal, range(self.deals))

    def deal(self, number: int) -> list[Job]:
        """Return the games of one deal."""
        game, options = find(self.game).id, tuple(sorted(self.options.items()))
        return [
            Job(game, self.players, options, self.seed, number, seating, self.limit)
            for seating in self.seatings
        ]
