"""Measure the bots against each other: one seat against the others, paired deals, all seat rotations.

    python benchmarks/bots.py --game base --players 4 --rounds 4000 match expert medium
    python benchmarks/bots.py --processes 16 plan benchmarks/bots_base.txt
    python benchmarks/bots.py times
    python benchmarks/bots.py limits medium expert

A *deal* is played as often as there are seats, the first bot sitting in another one each time, so a
round counts once per rotation. The figures are the first bot's, with 95 % intervals over deals.
"""

import argparse
import gc
import math
import multiprocessing
import statistics
import time
from collections import Counter
from pathlib import Path

from bullpen import bots
from bullpen.arena.ladder import rounds_option
from bullpen.arena.rungs import tables
from bullpen.engine import Seeded, new_game, submit, view
from bullpen.rulesets import games, make


def options_for(game: str, players: int) -> dict[str, object]:
    """Return the options of a game of one round."""
    options: dict[str, object] = {"logic.maxPlayers": 10} if game == "logic" and players > 6 else {}
    if game != "two-halves":
        options |= {"end.kind": "rounds", "end.value": 1}
    return options


def play_round(game: str, players: int, seats: list[str], seed: int) -> list[int]:
    """Play one round and return the bullheads by seat."""
    rules = make(game, players, options_for(game, players))  # type: ignore[arg-type]
    chance = Seeded(seed)
    position, _ = new_game(rules, chance)
    minds = [bots.player(level, f"{seed}/{seat}") for seat, level in enumerate(seats)]
    while position.asks:
        for ask in position.open_asks:
            seat = ask.seats[0]
            seen = view(rules, position, seat)
            own = seen.ask
            assert own is not None
            position, _ = submit(rules, position, seat, minds[seat].choose(seen, own), chance)
            if not ask.secret:
                break
    assert position.result is not None
    return list(position.result.scores)


def play_deal(job: tuple[str, int, str, str, int]) -> tuple[float, float, float]:
    """Play a deal in all rotations; return the first bot's mean heads, win share, and the others' mean."""
    game, players, first, others, seed = job
    heads = wins = rest = 0.0
    for seat in range(players):
        seats = [others] * players
        seats[seat] = first
        points = play_round(game, players, seats, seed)
        best = [p for p, score in enumerate(points) if score == min(points)]
        heads += points[seat] / players
        wins += (seat in best) / len(best) / players
        rest += (sum(points) - points[seat]) / (players - 1) / players
    return heads, wins, rest


def interval(values: list[float]) -> tuple[float, float]:
    """Return the mean and half the width of its 95 % interval."""
    mean = statistics.fmean(values)
    return mean, 1.96 * statistics.stdev(values) / math.sqrt(len(values))


Job = tuple[str, int, str, str, int]


def line(job: Job, results: list[tuple[float, float, float]]) -> str:
    """Return a match as a line of a table."""
    game, players, first, others, _ = job
    heads, wins, rest = (list(column) for column in zip(*results, strict=True))
    (h, dh), (w, dw) = interval(heads), interval(wins)
    gap, dgap = interval([b - a for a, b in zip(heads, rest, strict=True)])
    return (
        f"| {game} | {players} | {first} | {others} | {len(results) * players} | {h:.2f} ± {dh:.2f} "
        f"| {statistics.fmean(rest):.2f} | {gap:+.2f} ± {dgap:.2f} | {100 * w:.1f} ± {100 * dw:.1f} % |"
    )


def timed(job: Job) -> tuple[Job, tuple[float, float, float]]:
    """Play a deal and say which."""
    return job, play_deal(job)


def play_matches(jobs: list[Job], processes: int, seconds: float) -> None:
    """Play deals in this order until all are played or the time is up; print a line for every match."""
    found: dict[Job, list[tuple[float, float, float]]] = {}
    end = time.monotonic() + seconds
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        for job, result in pool.imap(timed, jobs):
            found.setdefault((*job[:4], 0), []).append(result)
            if time.monotonic() > end:
                pool.terminate()
                break
    for job, results in found.items():
        if len(results) > 1:
            print(line(job, results), flush=True)


def deals(game: str, players: int, first: str, others: str, rounds: int, seed: int) -> list[Job]:
    """Return the deals of a match: each is played once per seat."""
    return [(game, players, first, others, seed + i) for i in range(max(2, rounds // players))]


def warm(args: argparse.Namespace) -> None:
    """Compile everything once."""
    for first in args.levels:
        play_deal(("base", 2, first, "random", 0))


def match(args: argparse.Namespace) -> None:
    """Play a match and print its line."""
    jobs = deals(args.game, args.players, args.first, args.others, args.rounds, args.seed)
    play_matches(jobs, args.processes, args.seconds)


def plan(args: argparse.Namespace) -> None:
    """Play the matches of a file, one a line: game players first others rounds."""
    jobs: list[Job] = []
    for text in args.file.read_text().splitlines():
        if text.strip() and not text.startswith("#"):
            game, players, first, others, rounds = text.split()
            jobs += deals(game, int(players), first, others, int(rounds), args.seed)
    play_matches(jobs, args.processes, args.seconds)


def times(args: argparse.Namespace) -> None:
    """Print the processor time of a decision by level: on average, and what 99 of 100 stay below."""
    for level in args.levels:
        spent: list[float] = []
        rules = make(args.game, args.players, options_for(args.game, args.players))  # type: ignore[arg-type]
        for seed in range(args.rounds + 1):
            chance = Seeded(seed)
            position, _ = new_game(rules, chance)
            while position.asks:
                ask = position.open_asks[0]
                seat = ask.seats[0]
                seen = view(rules, position, seat)
                own = seen.ask
                assert own is not None
                begin = time.process_time()
                choice = bots.player(level, seed).choose(seen, own)
                if seed and len(own.options) > 1:
                    spent.append(time.process_time() - begin)
                position, _ = submit(rules, position, seat, choice, chance)
        spent.sort()
        print(
            f"| {args.game} | {args.players} | {level} | {1e6 * statistics.fmean(spent):.0f} µs "
            f"| {1e6 * spent[int(0.99 * len(spent))]:.0f} µs |",
            flush=True,
        )


def spent_on(game: str, players: int, levels: list[str], most: int) -> dict[str, list[float]]:
    """Return the milliseconds of each level's decisions in a round of `medium`, some of each kind."""
    rules, chance = make(game, players, dict(rounds_option(game, 1))), Seeded(1)
    position, _ = new_game(rules, chance)
    spent: dict[str, list[float]] = {level: [] for level in levels}
    asked: Counter[str] = Counter()
    while position.result is None and position.round == 1:
        ask = position.open_asks[0]
        seen = view(rules, position, ask.seats[0])
        if ask.seats[0] == 0 and len(ask.options) > 1 and asked[ask.kind] < most:
            asked[ask.kind] += 1
            for level in levels:
                begin = time.process_time()
                bots.player(level, 1).choose(seen, ask)
                spent[level].append(1000 * (time.process_time() - begin))
        position, _ = submit(
            rules, position, ask.seats[0], bots.player("medium", 1).choose(seen, ask), chance
        )
    return spent


def limits(args: argparse.Namespace) -> None:
    """Print the processor time of decisions in all games at all tables: mean and longest of each level."""
    bots.prepare(*args.levels)
    # As the server does: nobody's decision waits until all that was loaded has been looked through.
    gc.freeze()
    for game in args.games or games():
        for players in tables(game):
            # The first decision of a kind loads what it needs, once for the whole life of a process.
            spent_on(game, players, args.levels, 1)
            spent = spent_on(game, players, args.levels, args.most)
            cells = [f"{statistics.fmean(times):.2f} | {max(times):.2f}" for times in spent.values()]
            print(f"| {game} | {players} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", default="base")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after this time")
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("match")
    one.add_argument("first")
    one.add_argument("others")
    one.set_defaults(run=match)
    three = commands.add_parser("plan")
    three.add_argument("file", type=Path)
    three.set_defaults(run=plan)
    four = commands.add_parser("warm")
    four.add_argument("levels", nargs="+")
    four.set_defaults(run=warm)
    two = commands.add_parser("times")
    two.add_argument("levels", nargs="*", default=["random", "easy", "medium", "mcs", "hard", "expert"])
    two.set_defaults(run=times)
    five = commands.add_parser("limits")
    five.add_argument("levels", nargs="+")
    five.add_argument("--games", nargs="+")
    five.add_argument("--most", type=int, default=4, help="decisions of each kind at a table")
    five.set_defaults(run=limits)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
