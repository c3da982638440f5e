"""Measure what `expert` would gain by seeing what no player may see. Only for measurement: no bot does this.

    python benchmarks/seeing.py --others hard --deals 100

Three players of the base game meet the same opponents on the same deals, each from every seat: `expert` as it
is; `hands`, the same search told every hand; and `cards`, which is told the hands and, asked last, what the
others have chosen for this trick, so that nothing of it is left to chance. None of the two is a proven bound:
what comes after the trick they take from the same network, which does not know the hands.
"""

import argparse
import math
import statistics
from typing import Any

import numpy as np

from bullpen import bots
from bullpen.bots.levels import expert
from bullpen.bots.registry import Mind
from bullpen.bots.search.brain import brain_for
from bullpen.bots.search.decision import Question, question
from bullpen.bots.search.regret import cost_of_trial
from bullpen.bots.search.trial import imagine_hands, new_desk
from bullpen.engine import Ask, Choice, OptionValue, Seat, Seeded, View, apply, new_game, view
from bullpen.fast.convert import number_of
from bullpen.rulesets import make

ROUND: dict[str, OptionValue] = {"end.kind": "rounds", "end.value": 1}
SIGHTS = ("expert", "hands", "cards")


def told(asked: Question, hands: list[list[int]]) -> Question:
    """Return the question of somebody who is told every hand."""
    known = np.zeros_like(asked.decision.hands)
    for seat, hand in enumerate(hands):
        known[seat, : len(hand)] = hand
    decision = asked.decision._replace(
        hands=known,
        known=np.ones(len(hands), bool),
        sizes=np.array([len(hand) for hand in hands]),
        pool=np.zeros(0, np.uint8),
    )
    return Question(asked.plan, decision, asked.options)


def by_hands(asked: Question, game: str, mind: Mind) -> Choice:
    """Search as `expert` does."""
    learned = expert.search(asked, game, mind, expert.VALUES)
    return expert.conclude(asked, game, learned)


def by_cards(asked: Question, game: str, answers: dict[Seat, Choice]) -> Choice:
    """Try every card against what the others have chosen."""
    plan, decision = asked.plan, asked.decision
    desk, brain = new_desk(plan.players), brain_for(game, plan.players)
    imagine_hands(plan, decision, desk)
    costs = {}
    for number in asked.options:
        for seat, choice in answers.items():
            desk.chosen[seat] = number_of(choice)
        desk.chosen[decision.seat] = number
        costs[number] = cost_of_trial(plan, decision, desk, brain, decision.seat)
    return asked.options[min(costs, key=lambda number: (costs[number], number))]


def choose(sight: str, position: Any, seen: View, ask: Ask, seed: str) -> Choice:
    """Return what a player of this sight does; rows are named as `expert` names them."""
    if sight == "expert" or ask.kind != "commit" or len(ask.options) == 1:
        return bots.player("expert", seed).choose(seen, ask)
    asked = told(question(seen, ask.options), position.hands)
    if sight == "hands":
        return by_hands(asked, seen.game, Mind(seed, seen, ask))
    return by_cards(asked, seen.game, position.answers)


def play(sight: str, others: str, seat: Seat, players: int, seed: str) -> list[int]:
    """Play a round and return the bullheads by seat; the player with sight is asked last."""
    rules, chance = make("base", players, ROUND), Seeded(seed)
    position, _ = new_game(rules, chance)
    while position.result is None:
        ask = next((each for each in position.open_asks if each.seats[0] != seat), position.open_asks[0])
        mover = ask.seats[0]
        seen, own = view(rules, position, mover), f"{seed}/{mover}"
        if mover == seat:
            choice = choose(sight, position, seen, ask, own)
        else:
            choice = bots.player(others, own).choose(seen, ask)
        apply(rules, position, ask, mover, choice, chance)
    return list(position.result.scores)


def share(points: list[int], seat: Seat) -> float:
    """Return what a seat has of the win, ties shared."""
    best = min(points)
    return (points[seat] == best) / points.count(best)


def interval(values: list[float]) -> str:
    """Return a mean with its 95 % interval."""
    return f"{statistics.fmean(values):.2f} ± {1.96 * statistics.stdev(values) / math.sqrt(len(values)):.2f}"


def main() -> None:
    """Play all three on the same deals and print a line of a table for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--others", default="hard")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", default="seeing")
    parser.add_argument("--sights", nargs="+", choices=SIGHTS, default=SIGHTS)
    args = parser.parse_args()
    print("| sees | against | rounds | bullheads a round | wins, % |\n|---|---|---|---|---|")
    for sight in args.sights:
        heads, wins = [], []
        for deal in range(args.deals):
            rounds = [
                play(sight, args.others, seat, args.players, f"{args.seed}/{deal}")
                for seat in range(args.players)
            ]
            heads.append(statistics.fmean(points[seat] for seat, points in enumerate(rounds)))
            wins.append(100 * statistics.fmean(share(points, seat) for seat, points in enumerate(rounds)))
        count = args.deals * args.players
        print(f"| {sight} | {args.others} | {count} | {interval(heads)} | {interval(wins)} |", flush=True)


if __name__ == "__main__":
    main()
