"""Rungs: every level against the one below it at many tables, each for as long as its test needs.

A results file is all that is remembered, and standings of earlier ones if they were kept. A rung's deals
count in their order, whichever was played first, so a run that was killed goes on to the same verdicts; deals
that were under way when a rung was settled stay in the file and do not count.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from bullpen.arena.errors import ArenaError
from bullpen.arena.ladder import rounds_option
from bullpen.arena.match import Job, Match
from bullpen.arena.outcome import Outcome
from bullpen.arena.play import job_of
from bullpen.arena.results import Results
from bullpen.arena.run import Runner
from bullpen.arena.sequential import Finding, Tally, Trial
from bullpen.arena.summary import lead
from bullpen.bots import LEVELS
from bullpen.rulesets import find

TABLES, TEAMS = (2, 3, 4, 6), (1, 3)
"""The numbers of players that are measured besides the largest; those of games that are won together."""
BESIDE = {"base": (("mcs", "medium"), ("mcs", "hard"))}
"""Rungs besides the ladder's, lower bot first: in the base game we measure ourselves against Monte Carlo."""
MOST = 2000
"""Games a rung: what they do not settle wants a stronger upper level, not a larger sample."""
UNDER_WAY = 16
"""Deals of a rung that are played at the same time, as long as there is another rung to go on with."""


class Rung(Struct, frozen=True):
    """Two bots at a table, the upper one alone against a table of the lower one."""

    game: str
    players: int
    lower: str
    upper: str


def tables(game: str) -> tuple[int, ...]:
    """Return the numbers of players at which a game is measured.

    >>> tables("base"), tables("buffalo"), tables("tournament")
    ((2, 3, 4, 6, 10), (1, 3, 6), (2, 3, 4, 5))
    """
    rules = find(game)
    counts = rules.player_counts({})
    wanted = TABLES if rules.furniture.team is None else TEAMS
    return tuple(count for count in counts if count in wanted or count == max(counts))


def all_rungs(
    games: Sequence[str], bots: Sequence[str] = LEVELS, players: Sequence[int] | None = None
) -> list[Rung]:
    """Return the rungs of these games, the lowest of all games first: they are the quickest to play."""
    if len(bots) < 2:
        raise ArenaError("A ladder needs at least two bots, weakest first.")
    steps = [(game, step) for game in games for step in pairwise(bots)]
    steps += [(game, step) for game in games for step in BESIDE.get(game, ()) if step[1] in bots]
    order = list(dict.fromkeys(step for _, step in steps))
    found = [
        Rung(game, count, *step)
        for game, step in sorted(steps, key=lambda each: order.index(each[1]))
        for count in tables(game)
        if players is None or count in players
    ]
    if not found:
        raise ArenaError("There is no such table: none of these games is measured with so many players.")
    return found


class Measured:
    """A rung that is being measured: which games its deals come to, and what they have shown."""

    def __init__(self, rung: Rung, seed: str, most: int = MOST, tally: Tally | None = None) -> None:
        self.rung = rung
        options = dict(rounds_option(rung.game, 1))
        self.match = Match(
            game=rung.game, players=rung.players, bots=(rung.upper, rung.lower), deals=most, seed=seed,
            options=options,
        )  # fmt: skip
        self.trial = Trial(len(self.match.seatings), most, tally)
        self._most = max(1, most // len(self.match.seatings))
        self._deals: dict[int, list[Outcome]] = {}
        self._given = self._counted = self.trial.tally.deals

    @property
    def under_way(self) -> int:
        """How many deals were given out and have not been counted."""
        return self._given - self._counted

    @property
    def wants_more(self) -> bool:
        """Whether another deal may be needed, besides those that are under way."""
        return not self.trial.settled and self._given < self._most

    def give(self) -> list[Job]:
        """Return the games of the next deal."""
        self._given += 1
        return self.match.deal(self._given - 1)

    def take(self, outcome: Outcome) -> None:
        """Keep a game; deals are counted in their order, as soon as all their games are there."""
        if outcome.deal < self._counted:
            return
        self._deals.setdefault(outcome.deal, []).append(outcome)
        while len(self._deals.get(self._counted, ())) == len(self.match.seatings):
            self.trial.add(lead(self.rung.upper, self.rung.lower, self._deals.pop(self._counted)))
            self._counted += 1
        self._given = max(self._given, self._counted)


class Table:
    """All rungs of a call, with what a results file says of them."""

    def __init__(
        self, rungs: Iterable[Rung], seed: str, most: int = MOST, stood: Mapping[Rung, Tally] | None = None
    ) -> None:
        self.measured = [Measured(rung, seed, most, (stood or {}).get(rung)) for rung in rungs]
        self._of: dict[tuple[object, ...], list[Measured]] = {}
        for one in self.measured:
            for job in one.match.deal(0):
                self._of.setdefault(_place(job), []).append(one)
        self._played: set[Job] = set()
        self._given: set[Job] = set()

    def take(self, outcomes: Iterable[Outcome]) -> None:
        """Count games in; those of other rungs or seeds, and those that are there already, do not matter."""
        for outcome in outcomes:
            job = job_of(outcome)
            if job in self._played:
                continue
            self._played.add(job)
            for one in self._of.get(_place(job), ()):
                one.take(outcome)

    def forget(self, bots: Sequence[str], results: Results) -> int:
        """Leave the games that bots which have changed since played in these rungs out of a results file."""
        for one in self.measured:
            one.match.check()
        playing = {name for one in self.measured for name in (one.rung.upper, one.rung.lower)}
        for bot in bots:
            if bot not in playing:
                raise ArenaError(f"{bot[:40]!r} plays none of these rungs: nothing is forgotten.")
        return results.leave_out(
            lambda one: _place(job_of(one)) in self._of and not set(bots).isdisjoint(one.seating)
        )

    def portions(self) -> Iterator[list[Job]]:
        """Yield deals for as long as any rung is open, asked for one by one while games are counted in.

        The first open rung goes first; if enough of it is under way, the next one is begun.
        """
        while open_rungs := [one for one in self.measured if one.wants_more]:
            free = (one for one in open_rungs if one.under_way < UNDER_WAY)
            one = next(free, None) or min(open_rungs, key=lambda each: each.under_way)
            jobs = [job for job in one.give() if job not in self._played and job not in self._given]
            self._given.update(jobs)
            if jobs:
                yield jobs

    @property
    def settled(self) -> int:
        """How many rungs need no more deals."""
        return sum(one.trial.settled for one in self.measured)

    def tallies(self) -> dict[Rung, Tally]:
        """Return how the rungs stand for which anything was played."""
        return {one.rung: one.trial.tally for one in self.measured if one.trial.tally.deals}

    def findings(self) -> dict[Rung, Finding]:
        """Return what was found, of the rungs for which anything was played."""
        found = {one.rung: one.trial.finding for one in self.measured}
        return {rung: finding for rung, finding in found.items() if finding.games}


def _place(job: Job) -> tuple[object, ...]:
    return job.game, job.players, job.options, job.seed, job.seating


def measure(table: Table, results: Results, runner: Runner) -> Iterator[Measured | None]:
    """Play until every rung is settled, write the games down, and yield each rung as it is; else nothing.

    Whoever asks for the next step learns that a portion of games was played.
    """
    for one in table.measured:
        one.match.check()
    results.repair()
    table.take(results.read())
    waiting = [one for one in table.measured if not one.trial.settled]
    for outcomes in runner(table.portions()):
        results.add(outcomes)
        table.take(outcomes)
        for one in [each for each in waiting if each.trial.settled]:
            waiting.remove(one)
            yield one
        yield None
