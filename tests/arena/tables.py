"""Bots and games that the tests of the arena share: quick ones."""

from collections.abc import Callable, Sequence

from bullpen.arena.contenders import Contender, Handicapped, Inside
from bullpen.arena.match import Job, Match
from bullpen.arena.outcome import Outcome
from bullpen.arena.play import play_with
from bullpen.bots import player
from bullpen.engine import Ask, Choice, OptionValue, PlayCard, View

ONE_ROUND: dict[str, OptionValue] = {"end.kind": "rounds", "end.value": 1}
Maker = Callable[[str], Contender]


class Nearest:
    """Plays the card that lies closest above the end of a row with room; otherwise the first option."""

    def choose(self, view: View, ask: Ask) -> Choice:
        if ask.kind != "commit":
            return ask.options[0]

        def gap(option: Choice) -> int:
            assert isinstance(option, PlayCard)
            fitting = [row for row in view.rows if row[-1] < option.card]
            row = max(fitting, key=lambda each: each[-1], default=[0] * 5)
            return 1000 if len(row) == 5 else option.card - row[-1]

        return min(ask.options, key=gap)


def uniform(seed: str) -> Contender:
    """A bot that plays anything."""
    return Inside(player("random", seed), seed)


def nearest(seed: str) -> Contender:
    return Inside(Nearest(), seed)


def handicapped(share: float) -> Maker:
    """A bot that plays anything now and then."""
    return lambda seed: Handicapped(nearest(seed), share, seed)


def play_match(makers: dict[str, Maker], deals: int, seed: str, players: int = 2) -> list[Outcome]:
    """Play a match of bots that need no name of their own."""
    names = tuple(makers)
    match = Match(game="base", players=players, bots=names, deals=deals, seed=seed, options=dict(ONE_ROUND))
    return [play_with(job, seats(job, makers)) for jobs in match.jobs() for job in jobs]


def seats(job: Job, makers: dict[str, Maker]) -> Sequence[Contender]:
    # With the name in it: two copies of a bot must not have the same chance on the same chair.
    return [makers[name](f"{job.seed}/{job.deal}/{seat}/{name}") for seat, name in enumerate(job.seating)]
