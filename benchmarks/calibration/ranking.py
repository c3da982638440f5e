"""How well cards are told apart: `standard` and the work of a review, held against `deep`.

Costs are kept as playouts tell them, before the correction, and corrected when they are reported: so what
took hours need not be done again after a new fit.
"""

import json
import random
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bullpen.analysis import Evaluation, evaluate
from bullpen.analysis.correction import fitted_for, part_of
from bullpen.analysis.effort import REVIEW_SHARE, work_of
from bullpen.analysis.evaluating import expectation, weigh
from bullpen.analysis.opponents import PEOPLE, expected
from bullpen.analysis.reviewing import charged
from bullpen.analysis.samples import no_progress
from bullpen.bots import player
from bullpen.bots.registry import never
from bullpen.engine import View
from bullpen.game import new_game

PLAYERS = 4
CLEAR = 0.3
"""Where the best two differ by so many bullheads, everybody should find the same card."""
DEEP, REVIEW = 9, 3
"""Seeds of the deep evaluation and of a review's; `standard` has 1 and 2."""
LEVELS = ("medium", "expert")
"""Whose own choices are reviewed."""


def positions(first: int, last: int) -> Iterator[tuple[int, View]]:
    """Yield views of seats in the middle of rounds of four of `medium`, with their numbers."""
    for number in range(first, last):
        rng = random.Random(f"ranking/{number}")
        running = new_game("base", players=PLAYERS, seed=f"ranking/{number}")
        bot, trick = player("medium", number), rng.randrange(2, 8)
        while running.position.trick < trick:
            ask = running.asks[0]
            running.choose(ask.seats[0], bot.choose(running.view(ask.seats[0]), ask))
        yield number, running.view(rng.randrange(PLAYERS))


def collect(file: Path, numbers: tuple[int, int], efforts: tuple[str, ...]) -> None:
    """Evaluate positions and keep what was found; what is kept already is not worked out again."""
    known = {number for number, _ in kept(file)} if file.exists() else set()
    with file.open("a") as out:
        for number, seen in positions(*numbers):
            if number not in known and seen.ask is not None:
                found = {effort: costs(judged(seen, effort), slope(len(seen.hand))) for effort in efforts}
                chosen = {level: player(level, number).choose(seen, seen.ask).notation for level in LEVELS}
                out.write(json.dumps([number, len(seen.hand), chosen, found]) + "\n")
                out.flush()


def slope(cards: int) -> float:
    """Return what the correction multiplies costs by, with so many cards in hand."""
    return fitted_for("base", expected(PEOPLE, PLAYERS, 0))[part_of("commit", cards)].slope


def judged(seen: View, effort: str) -> Evaluation:
    """Evaluate a position as an effort, a second `standard`, or a review does."""
    if effort == "review":
        plays = expectation(seen, PEOPLE)
        return weigh(seen, effort, REVIEW_SHARE * work_of("standard"), plays, REVIEW, (no_progress, never))
    seed = {"deep": DEEP, "standard": 1, "again": 2}[effort]
    return evaluate(seen, "deep" if effort == "deep" else "standard", seed=seed)


def costs(found: Evaluation, by: float) -> dict[str, tuple[float, float, float]]:
    """Return what each option costs, how well that is known, and what a review would charge; uncorrected."""
    return {each.choice: (each.cost / by, each.cost_error / by, charged(each) / by) for each in found.options}


def kept(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield what was found in each position, corrected."""
    for line in file.read_text().splitlines():
        number, cards, chosen, found = json.loads(line)
        by = slope(cards)
        yield (
            number,
            {
                "chosen": chosen,
                **{
                    effort: {card: [by * each for each in figures] for card, figures in of_effort.items()}
                    for effort, of_effort in found.items()
                },
            },
        )


def report(deep: Path, other: Path) -> None:
    """Print what `standard` loses against `deep`, how often it agrees with itself, what reviews charge."""
    reference, tried = dict(kept(deep)), dict(kept(other))
    common = sorted(set(reference) & set(tried))
    lost, same = [], []
    for number in common:
        truth, found = reference[number]["deep"], tried[number]
        one, two = (min(found[name], key=lambda card: found[name][card][0]) for name in ("standard", "again"))
        lost += [truth[one][0], truth[two][0]]
        if sorted(cost for cost, _, _ in truth.values())[1] >= CLEAR:
            same.append(one == two)
    doubt = statistics.stdev(lost[::2]) / len(common) ** 0.5
    print(f"{len(common)} positions: standard loses {statistics.fmean(lost):.4f} ± {doubt:.4f} against deep;")
    print(f"two seeds agree in {sum(same)} of the {len(same)} with a clear best card.")
    for level in LEVELS:
        of_deep = [reference[number]["deep"][reference[number]["chosen"][level]][0] for number in common]
        of_review = [tried[number]["review"][reference[number]["chosen"][level]] for number in common]
        plain, charge = (statistics.fmean(each[place] for each in of_review) for place in (0, 2))
        wrong = statistics.fmean(
            each[2] > 0.5 and true <= 0.1 for each, true in zip(of_review, of_deep, strict=True)
        )
        print(
            f"{level}: deep says {statistics.fmean(of_deep):.3f} a decision, a review's playouts {plain:.3f},"
        )
        print(f"  charged is {charge:.3f}; more than 0.5 where deep says at most 0.1: {100 * wrong:.1f} %.")
