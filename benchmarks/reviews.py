"""What a review costs the bots: how long their decisions take with and without reviews being worked on.

    python benchmarks/reviews.py [--level expert] [--decisions 40] [--turns 5]

The processes are those of the server: one that thinks for bots, and one that analyses, which lets everybody
else go first. Turns with and without a review follow each other, so that whatever else the machine does
meets both; figures are of all turns together.
"""

import argparse
import asyncio
import random
import statistics
import time

from bullpen.engine import Seeded, view
from bullpen.game import Game
from bullpen.rulesets import make
from bullpen.server.live.analysis_process import AnalysisProcess, ReviewJob, Work
from bullpen.server.live.bot_process import Job, Process

PLAYERS = 4


def played(seed: int) -> Game:
    """Return a whole game of a round, played by chance."""
    rules = make("base", PLAYERS, {"end.kind": "rounds", "end.value": 1})
    game, dice = Game(rules, Seeded(seed)), random.Random(seed)
    while not game.over:
        ask = game.asks[0]
        game.choose(ask.seats[0], dice.choice(ask.options))
    return game


def questions(level: str, count: int) -> list[Job]:
    """Return decisions from first tricks to late ones."""
    found: list[Job] = []
    for seed in range(count):
        game, dice = Game(make("base", PLAYERS), Seeded(seed)), random.Random(seed)
        for _ in range(dice.randrange(24)):
            ask = game.asks[0]
            game.choose(ask.seats[0], dice.choice(ask.options))
        ask = game.asks[0]
        seen = view(game.rules, game.position, ask.seats[0])
        found.append(Job(level, str(seed), seen, ask, 10.0))
    return found


async def decide(bots: Process, jobs: list[Job]) -> list[float]:
    """Return how long each decision took, in milliseconds."""
    taken = []
    for job in jobs:
        begun = time.perf_counter()
        await bots.ask(job)
        taken.append(1000 * (time.perf_counter() - begun))
    return taken


async def review_on(process: AnalysisProcess, made: list[int]) -> None:
    """Review one game after another."""
    while True:
        await process.ask(Work(ReviewJob(played(len(made)).record.dumps(), 10_000, 600.0)))
        made.append(1)


async def compare(level: str, decisions: int, turns: int) -> None:
    """Measure, and say what was found."""
    bots, analyst = await Process.start(), await AnalysisProcess.start()
    jobs = questions(level, decisions)
    try:
        # Whatever has to be compiled is compiled before anything is measured.
        await decide(bots, jobs[:2])
        await analyst.ask(Work(ReviewJob(played(0).record.dumps(), 10_000, 600.0)))
        alone, beside, made = list[float](), list[float](), list[int]()
        for _ in range(turns):
            alone += await decide(bots, jobs)
            reviews = asyncio.create_task(review_on(analyst, made))
            beside += await decide(bots, jobs)
            reviews.cancel()
            await asyncio.gather(reviews, return_exceptions=True)
            await analyst.end()
            analyst = await AnalysisProcess.start()
            await analyst.ask(Work(ReviewJob(played(0).record.dumps(), 10_000, 600.0)))
    finally:
        await bots.end()
        await analyst.end()
    print(f"{level}, {turns} turns of {decisions} decisions each, {PLAYERS} players")
    for name, taken in (("alone", alone), ("beside reviews", beside)):
        slow = statistics.quantiles(taken, n=20)[-1]
        print(f"{name:>16}: median {statistics.median(taken):6.1f} ms, slowest twentieth {slow:6.1f} ms")
    print(f"{'ratio':>16}: median {statistics.median(beside) / statistics.median(alone):.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--level", default="expert")
    parser.add_argument("--decisions", type=int, default=40)
    parser.add_argument("--turns", type=int, default=5)
    wish = parser.parse_args()
    asyncio.run(compare(wish.level, wish.decisions, wish.turns))
