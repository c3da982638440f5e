"""Playing a game of a match from beginning to end."""

import hmac
import time
from collections.abc import Sequence

from bullpen.arena.contenders import Contender, contender
from bullpen.arena.match import Job
from bullpen.arena.outcome import Outcome
from bullpen.engine import Seat, Seeded, apply, new_game, view
from bullpen.rulesets import make


def seed_of(job: Job, seat: Seat) -> str:
    """Return the seed of a bot's own chance: the same for the same chair and deal, and silent about the deal.

    The seed of the match, from which the cards follow, is the key of a one-way function.
    """
    return hmac.digest(job.seed.encode(), f"bot/{job.deal}/{seat}".encode(), "sha256").hex()[:32]


def play(job: Job) -> Outcome:
    """Play the game with the bots that the job names."""
    seats = [contender(name, seed_of(job, seat), job.limit) for seat, name in enumerate(job.seating)]
    try:
        return play_with(job, seats)
    finally:
        for bot in seats:
            bot.leave()


def play_with(job: Job, seats: Sequence[Contender]) -> Outcome:
    """Play the game with these bots; every one is asked through its own view only."""
    rules = make(job.game, job.players, dict(job.options))
    chance = Seeded(f"{job.seed}/{job.deal}")
    decisions, thought = [0] * job.players, [0.0] * job.players
    position, _ = new_game(rules, chance)
    while position.result is None:
        ask = position.open_asks[0]
        # A team speaks through its members in turn, so that none decides for all.
        seat = ask.seats[position.trick % len(ask.seats)]
        seen = view(rules, position, seat)
        started = time.perf_counter()
        choice = seats[seat].choose(seen, ask)
        thought[seat] += time.perf_counter() - started
        decisions[seat] += 1
        apply(rules, position, ask, seat, choice, chance)
    result = position.result
    return Outcome(
        game=job.game,
        players=job.players,
        seed=job.seed,
        deal=job.deal,
        seating=job.seating,
        options=dict(job.options),
        limit=job.limit,
        behaviour=rules.behaviour,
        scores=result.scores,
        ranks=result.ranks,
        won=result.won,
        against=result.against,
        faults={str(seat): bot.faults for seat, bot in enumerate(seats) if bot.faults.total},
        decisions=tuple(decisions),
        thought=tuple(round(seconds, 6) for seconds in thought),
    )


def play_deal(jobs: list[Job]) -> list[Outcome]:
    """Play all games of a deal: the portion of work that is handed out."""
    return [play(job) for job in jobs]


def job_of(outcome: Outcome) -> Job:
    """Return the job that an outcome came from, so that it can be played again."""
    return Job(
        outcome.game,
        outcome.players,
        tuple(sorted(outcome.options.items())),
        outcome.seed,
        outcome.deal,
        outcome.seating,
        outcome.limit,
    )
