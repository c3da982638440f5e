"""Ladders: every bot against the one below it, in one game or many."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from bullpen.arena.errors import ArenaError
from bullpen.arena.match import Match, Options
from bullpen.engine import OptionValue
from bullpen.rulesets import find


def ladder(
    game: str, players: int, bots: Sequence[str], deals: Sequence[int], seed: str, options: Options
) -> list[Match]:
    """Return a match for each rung: the upper bot alone against a table of the lower one.

    `deals` says how many for each rung, the last number holding for all further ones.
    """
    if len(bots) < 2:
        raise ArenaError("A ladder needs at least two bots, weakest first.")
    rungs = list(pairwise(bots))
    counts = [deals[min(place, len(deals) - 1)] for place in range(len(rungs))]
    return [
        Match(
            game=game, players=players, bots=(upper, lower), deals=count, seed=seed,
            options=dict(options),
        )
        for (lower, upper), count in zip(rungs, counts, strict=True)
    ]  # fmt: skip


def nearest_count(game: str, players: int, options: Options) -> int:
    """Return the number of players nearest to this that a game allows with these options."""
    counts = find(game).player_counts(options)
    return min(counts, key=lambda count: (abs(count - players), count))


def rounds_option(game: str, rounds: int | None) -> Mapping[str, OptionValue]:
    """Return the options that end a game after so many rounds, where it has such options."""
    offered = {option.key for option in find(game).offers}
    if rounds is None or "end.kind" not in offered:
        return {}
    return {"end.kind": "rounds", "end.value": rounds}
