"""How a game ended."""

from msgspec import Struct

from bullpen.engine.cards import Seat


class Result(Struct, forbid_unknown_fields=True, frozen=True):
    """Final scores and ranks by seat, ties shared (GEN-12).

    In a game against the table itself `won` says whether the players won and `against` what the table scored.
    """

    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    reason: str
    won: bool | None = None
    against: int | None = None

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that share the first rank (nobody, when the table won)."""
        if self.won is False:
            return ()
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)


def ranked(scores: list[int], reason: str, *, lowest_wins: bool = True) -> Result:
    """Rank the scores, equal ones alike.

    >>> ranked([12, 70, 12, 30], "someone reached 66").ranks
    (1, 4, 1, 3)
    """
    keys = scores if lowest_wins else [-score for score in scores]
    ranks = tuple(1 + sum(other < key for other in keys) for key in keys)
    return Result(tuple(scores), ranks, reason)
