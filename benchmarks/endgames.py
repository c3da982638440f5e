"""Exact endgames: how long they take, and what `expert` without them loses against perfect play.

python benchmarks/endgames.py times --positions 40
python benchmarks/endgames.py losses --positions 200
"""

import argparse
import statistics
import time
from typing import Any

from bullpen.analysis import solve
from bullpen.bots import player
from bullpen.bots.levels import expert
from bullpen.bots.registry import Mind
from bullpen.engine import (
    Choice,
    OptionValue,
    Position,
    Ruleset,
    Seeded,
    new_game,
    parse,
    stream,
    submit,
    view,
)
from bullpen.game import Game
from bullpen.rulesets import make

GAMES = ("tactics", "logic")
ONE_ROUND: dict[str, OptionValue] = {"end.kind": "rounds", "end.value": 1}


def reached(game: str, cards: int, seed: str) -> Game:
    """Return a round of two `medium` players, whose hands were drafted at random, with so many cards left."""
    rules, chance, rng = make(game, 2, ONE_ROUND), Seeded(seed), stream(seed, "draft")
    bot = player("medium", seed)
    position: Position
    position, _ = new_game(rules, chance)
    while True:
        seat = position.open_asks[0].seats[0]
        seen = view(rules, position, seat)
        assert seen.ask is not None
        if seen.ask.kind == "commit" and len(position.hands[0]) == cards and not position.answers:
            return Game.set_up(rules, position, chance)
        drafted = seen.ask.kind == "draft_pick"
        choice = rng.choice(seen.ask.options) if drafted else bot.choose(seen, seen.ask)
        position, _ = submit(rules, position, seat, choice, chance)


def searched(rules: Ruleset[Any], position: Position, seat: int) -> Choice:
    """Return what `expert` would choose if it could not solve anything."""
    seen = view(rules, position, seat)
    assert seen.ask is not None
    mind = Mind("endgames", seen, seen.ask)
    if seen.ask.kind == "commit":
        return expert.searched_card(seen, seen.ask.options, mind)
    return expert.valued_row(seen, seen.ask.options)


def worth(rules: Ruleset[Any], position: Position) -> float:
    """Return by how much seat 0 comes out ahead in the whole round if both play perfectly from here."""
    so_far = position.points[1] - position.points[0]
    if position.result is not None:
        return so_far
    return so_far + solve(Game.set_up(rules, position, Seeded(0))).value


def losses(game: str, cards: int, seed: str) -> list[float]:
    """Return what each decision of a searching seat 0 gives away against a perfect seat 1, to the end."""
    running, rng = reached(game, cards, seed), stream(seed, "perfect")
    rules, position, lost = running.rules, running.position, []
    while position.result is None:
        mixes = solve(Game.set_up(rules, position, Seeded(0))).mixes
        best = worth(rules, position)
        if position.asks[0].kind == "commit":
            mine = searched(rules, position, 0)
            chosen, _ = submit(rules, position, 0, mine, Seeded(0))
            after = {
                other: submit(rules, chosen, 1, parse(other), Seeded(0))[0]
                for other, share in mixes[1].items()
                if share
            }
            lost.append(best - sum(mixes[1][other] * worth(rules, then) for other, then in after.items()))
            position = after[rng.choices(list(after), [mixes[1][other] for other in after])[0]]
        elif position.asks[0].seats == (0,):
            position, _ = submit(rules, position, 0, searched(rules, position, 0), Seeded(0))
            lost.append(best - worth(rules, position))
        else:
            row = max(mixes[1], key=lambda choice: mixes[1][choice])
            position, _ = submit(rules, position, 1, parse(row), Seeded(0))
    return lost


def print_losses(positions: int) -> None:
    """Print a table: by game and cards left, what is lost and how often."""
    print("| game | cards left | endgames | lost in all | decisions that lose something |", flush=True)
    for game in GAMES:
        for cards in range(2, 7):
            found = [losses(game, cards, f"{game}/{cards}/{number}") for number in range(positions)]
            totals = [sum(each) for each in found]
            error = 1.96 * statistics.stdev(totals) / len(totals) ** 0.5
            wrong = statistics.mean(one > 1e-6 for each in found for one in each)
            mean = statistics.mean(totals)
            print(
                f"| {game} | {cards} | {positions} | {mean:.2f} ± {error:.2f} | {wrong:.0%} |",
                flush=True,
            )


def print_times(positions: int, most: int) -> None:
    """Print a table: processor time by cards left."""
    solve(reached(GAMES[0], 3, "warm"))
    print("| game | cards | positions | median | mean | longest, in seconds |", flush=True)
    for game in GAMES:
        for cards in range(2, most + 1):
            taken = []
            for number in range(positions if cards < 7 else max(3, positions // 5)):
                running = reached(game, cards, f"{game}/{cards}/{number}")
                begun = time.process_time()
                solve(running)
                taken.append(time.process_time() - begun)
            print(
                f"| {game} | {cards} | {len(taken)} | {statistics.median(taken):.4f} "
                f"| {statistics.mean(taken):.4f} | {max(taken):.4f} |",
                flush=True,
            )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("what", choices=("times", "losses"))
    arguments.add_argument("--positions", type=int, default=40)
    arguments.add_argument("--most", type=int, default=7, help="times: the most cards in a hand")
    options = arguments.parse_args()
    if options.what == "times":
        print_times(options.positions, options.most)
    else:
        print_losses(options.positions)


if __name__ == "__main__":
    main()
