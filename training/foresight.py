"""Teach `medium` its foresight: ask `expert` what the cards of many decisions cost, and fit small networks.

    python -m training.foresight gather DECISIONS --seed 1
    python -m training.foresight fit DECISIONS foresight.json

Needs bullpen with its bots, NumPy and Numba, and no GPU. Gathering takes about 15 ms a decision; several
processes with seeds of their own may write a file each, and `fit` takes any number of files.
"""

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen import bots
from bullpen.bots.estimates.catchment import unseen
from bullpen.bots.estimates.foresight import CARDS, NUMBERS, describe, scene_of
from bullpen.bots.levels import expert
from bullpen.bots.registry import Mind
from bullpen.bots.search.brain import brain_for, opinion_of_plays
from bullpen.bots.search.decision import question
from bullpen.engine import Seeded, View, apply, new_game, view
from bullpen.rulesets import make

Floats = NDArray[np.float64]
GROUPS = {2: (2,), 3: (3,), 4: (4, 5), 6: (5, 6, 7), 10: (8, 9, 10)}
"""Which numbers of players a network learns from."""
OFTEN = (26, 24, 12, 3, 10, 2, 3, 4, 16)
"""How often tables of 2 to 10 are played."""
LEVELS = ("medium", "medium", "mcs", "mcs", "easy")
TOGETHER = {2: 2, 3: 3}
"""How many networks are averaged for some numbers of players, where one alone is not steady enough."""
HIDDEN = 16
MOST, WORST, HEAT, BATCH = 10, 8.0, 0.25, 512


class Lesson(NamedTuple):
    """What decisions are gathered, and how they are judged."""

    players: int | None
    """Only tables of so many."""
    levels: Sequence[str]
    """Who plays, drawn for each seat."""
    search: bool
    """Whether `expert` searches; else its network says at once what each card costs."""


def gather(file: Path, seed: str, decisions: int, lesson: Lesson) -> None:
    """Play rounds of the base game and write down what `expert` says of their decisions, a line each."""
    rng = random.Random(seed)
    with file.open("a") as out:
        while decisions > 0:
            players = lesson.players or rng.choices(range(2, 11), OFTEN)[0]
            for seen in _round(players, lesson.levels, rng):
                if rng.random() < 3 / players:
                    out.write(json.dumps(_told(seen, lesson.search, rng)) + "\n")
                    decisions -= 1


def _round(players: int, levels: Sequence[str], rng: random.Random) -> Iterator[View]:
    """Play a round, one card in twenty being any, and yield what was seen before each card."""
    rules, chance = make("base", players, {"end.kind": "rounds", "end.value": 1}), Seeded(rng.getrandbits(40))
    position, _ = new_game(rules, chance)
    minds = [bots.player(rng.choice(levels), rng.getrandbits(32)) for _ in range(players)]
    while position.result is None:
        ask = position.open_asks[0]
        seat = ask.seats[0]
        seen = view(rules, position, seat)
        if ask.kind == "commit" and len(ask.options) > 1:
            yield seen
        choice = minds[seat].choose(seen, ask) if rng.random() > 0.05 else rng.choice(ask.options)
        apply(rules, position, ask, seat, choice, chance)


def _told(seen: View, search: bool, rng: random.Random) -> list[Any]:
    assert seen.ask is not None
    if search:
        mind = Mind(rng.getrandbits(32), seen, seen.ask)
        asked, learned = expert.think_about(seen, seen.ask.options, mind, expert.VALUES)
        found: Any = expert.costs_with_opinion(asked, "base", learned)
    else:
        asked = question(seen, seen.ask.options)
        found = opinion_of_plays(asked, brain_for("base", seen.players))
    costs = [round(float(found[card]), 3) for card in seen.hand]
    rows = [list(row) for row in seen.rows]
    return [seen.players, rows, list(seen.hand), str(unseen(seen, CARDS)), costs]


def load(files: list[Path], counts: tuple[int, ...]) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Return numbers [N, MOST, 2 * NUMBERS], regrets and which of them are there, for these tables."""
    told = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    told = [each for each in told if each[0] in counts]
    if not told:
        raise SystemExit(f"There is no decision at tables of {counts}: gather more.")
    numbers = np.zeros((len(told), MOST, 2 * NUMBERS))
    regrets, there = np.zeros((len(told), MOST)), np.zeros((len(told), MOST), bool)
    for place, (players, rows, hand, hidden, costs) in enumerate(told):
        scene = scene_of(rows, int(hidden), players)
        each = np.array([describe(scene, hand, card) for card in hand])
        numbers[place, : len(hand)] = np.hstack([each, each * len(hand) / 10])
        regrets[place, : len(hand)] = np.minimum(np.array(costs) - min(costs), WORST)
        there[place, : len(hand)] = True
    return numbers, regrets, there


def fit(
    data: tuple[Floats, Floats, NDArray[np.bool_]], steps: int, seed: int, hidden: int = HIDDEN
) -> dict[str, Any]:
    """Return weights under which a card drawn by them is regretted least (Adam, by hand)."""
    numbers, regrets, there = data
    mean, spread = numbers[there].mean(0), numbers[there].std(0) + 1e-3
    numbers = np.where(there[..., None], (numbers - mean) / spread, 0)
    rng = np.random.default_rng(seed)
    size = 2 * NUMBERS
    weights = [rng.normal(0, size**-0.5, (size, hidden)), np.zeros(hidden),
               rng.normal(0, hidden**-0.5, hidden), np.zeros(size)]  # fmt: skip
    first, second = [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights]
    for step in range(1, steps + 1):
        some = rng.integers(0, len(numbers), BATCH)
        slopes = _slopes(weights, numbers[some], regrets[some], there[some])
        rate = 0.012 * min(1.0, step / 50) * (1 - step / steps)
        for k, weight in enumerate(weights):
            slope = slopes[k] + 3e-5 * weight
            first[k] = 0.9 * first[k] + 0.1 * slope
            second[k] = 0.99 * second[k] + 0.01 * slope * slope
            ahead, around = first[k] / (1 - 0.9**step), second[k] / (1 - 0.99**step)
            weights[k] = weight - rate * ahead / (np.sqrt(around) + 1e-9)
    return _plain(weights, mean, spread)


def _slopes(weights: list[Floats], x: Floats, regrets: Floats, there: NDArray[np.bool_]) -> list[Floats]:
    """Return how the expected regret of a card drawn by a softmax of the costs grows with each weight."""
    layer, bias, out, skip = weights
    sums = x @ layer + bias
    costs = np.maximum(sums, 0) @ out + x @ skip
    chances = np.where(
        there, np.exp(-(costs - np.where(there, costs, np.inf).min(1, keepdims=True)) / HEAT), 0
    )
    chances /= chances.sum(1, keepdims=True)
    slope = -chances * (regrets - (chances * regrets).sum(1, keepdims=True)) / HEAT / len(x)
    inner = slope[..., None] * out * (sums > 0)
    both = ((0, 1), (0, 1))
    return [
        np.tensordot(x, inner, both),
        inner.sum((0, 1)),
        np.tensordot(np.maximum(sums, 0), slope, both),
        np.tensordot(x, slope, both),
    ]


def _plain(weights: list[Floats], mean: Floats, spread: Floats) -> dict[str, Any]:
    """Return the weights for numbers as they are, in the words of `foresight.json`."""
    layer, bias, out, skip = weights[0] / spread[:, None], weights[1], weights[2], weights[3] / spread
    found = {
        "hidden": layer[:NUMBERS].T, "hidden_left": layer[NUMBERS:].T, "bias": bias - mean @ layer,
        "out": out, "skip": skip[:NUMBERS], "skip_left": skip[NUMBERS:],
    }  # fmt: skip
    return {name: np.round(values, 4).tolist() for name, values in found.items()}


def average(nets: list[dict[str, Any]]) -> dict[str, Any]:
    """Return one network that says the mean of what several do: their hidden layers side by side."""
    found = {name: [row for net in nets for row in net[name]] for name in ("hidden", "hidden_left", "bias")}
    found["out"] = [weight / len(nets) for net in nets for weight in net["out"]]
    for name in ("skip", "skip_left"):
        found[name] = np.mean([net[name] for net in nets], 0).tolist()
    return found


def main() -> None:
    """Carry a command out."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    words = parser.add_subparsers(required=True, dest="word")
    one = words.add_parser("gather")
    one.add_argument("file", type=Path)
    one.add_argument("--seed", default="1")
    one.add_argument("--decisions", type=int, default=100_000)
    one.add_argument("--players", type=int, help="only tables of so many (default: 2 to 10)")
    one.add_argument("--levels", default=",".join(LEVELS), help="who plays, drawn for each seat")
    one.add_argument("--opinion", action="store_true", help="ask the network only: less exact, very quick")
    two = words.add_parser("fit")
    two.add_argument("files", type=Path, nargs="+")
    two.add_argument("out", type=Path)
    two.add_argument("--steps", type=int, default=5000)
    two.add_argument("--players", type=int, choices=GROUPS, help="only this table: OUT keeps the others")
    two.add_argument("--hidden", type=int, help="one network with so many hidden numbers, no mean of several")
    args = parser.parse_args()
    if args.word == "gather":
        lesson = Lesson(args.players, args.levels.split(","), not args.opinion)
        gather(args.file, args.seed, args.decisions, lesson)
        return
    found = json.loads(args.out.read_text())["players"] if args.players else {}
    for players in [args.players] if args.players else GROUPS:
        data = load(args.files, GROUPS[players])
        seeds = range(1 if args.hidden else TOGETHER.get(players, 1))
        nets = [fit(data, args.steps, seed, args.hidden or HIDDEN) for seed in seeds]
        found[str(players)] = average(nets)
    about = "What medium makes of a card in the base game, by number of players."
    args.out.write_text(json.dumps({"about": about, "players": found}))


if __name__ == "__main__":
    main()
