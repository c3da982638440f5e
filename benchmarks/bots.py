"""Measure the bots against each other: one seat against the others, paired deals, all seat rotations.

    python benchmarks/bots.py match expert medium --game base --players 4 --rounds 4000
    python benchmarks/bots.py times

A *deal* is played as often as there are seats, the first bot sitting in another one each time, so a
round counts once per rotation. The figures are the first bot's, with 95 % intervals over deals.
"""

import argparse
import math
import multiprocessing
import statistics
import time

from bullpen import bots
from bullpen.engine import Seeded, new_game, submit, view
from bullpen.rulesets import make


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


def match(args: argparse.Namespace) -> None:
    """Play a match and print its line."""
    deals = max(2, args.rounds // args.players)
    jobs = [(args.game, args.players, args.first, args.others, args.seed + i) for i in range(deals)]
    play_deal(jobs[0])
    begin = time.monotonic()
    if args.processes > 1:
        with multiprocessing.get_context("fork").Pool(args.processes) as pool:
            results = pool.map(play_deal, jobs, chunksize=4)
    else:
        results = [play_deal(job) for job in jobs]
    heads, wins, rest = (list(column) for column in zip(*results, strict=True))
    (h, dh), (w, dw) = interval(heads), interval(wins)
    gap, dgap = interval([b - a for a, b in zip(heads, rest, strict=True)])
    print(
        f"| {args.game} | {args.players} | {args.first} | {args.others} | {deals * args.players} "
        f"| {h:.2f} ± {dh:.2f} | {statistics.fmean(rest):.2f} | {gap:+.2f} ± {dgap:.2f} "
        f"| {100 * w:.1f} ± {100 * dw:.1f} % | {time.monotonic() - begin:.0f} s |",
        flush=True,
    )


def times(args: argparse.Namespace) -> None:
    """Print how long a decision takes on average, and the longest, by level."""
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
                begin = time.perf_counter()
                choice = bots.player(level, seed).choose(seen, own)
                if seed and len(own.options) > 1:
                    spent.append(time.perf_counter() - begin)
                position, _ = submit(rules, position, seat, choice, chance)
        spent.sort()
        print(
            f"| {args.game} | {args.players} | {level} | {1e6 * statistics.fmean(spent):.0f} µs "
            f"| {1e6 * spent[int(0.99 * len(spent))]:.0f} µs |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="base")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("match")
    one.add_argument("first")
    one.add_argument("others")
    one.set_defaults(run=match)
    two = commands.add_parser("times")
    two.add_argument("levels", nargs="*", default=["random", "easy", "medium", "mcs", "hard", "expert"])
    two.set_defaults(run=times)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
