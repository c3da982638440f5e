"""Solve a small deal of the base game: counterfactual regret minimisation, and how exploitable it still is.

Two players with three cards each, two rows that start with 3 and 6, and the third card of a row takes it.

    pip install 'bullpen-games[open-spiel]'
    python examples/solve_small_deal.py [ITERATIONS]
"""

import sys

import pyspiel
from open_spiel.python.algorithms import cfr, exploitability

import bullpen.envs.open_spiel  # noqa: F401 it registers the game


def main(iterations: int = 32) -> list[float]:
    """Print the exploitability after 1, 2, 4, 8 … iterations, and return it."""
    game = pyspiel.load_game("python_bullpen(players=2,deck=8,hand=3,limit=2,start=3;6)")
    turns = pyspiel.convert_to_turn_based(game)
    solver = cfr.CFRPlusSolver(turns)
    found, stop = [], 1
    for iteration in range(1, iterations + 1):
        solver.evaluate_and_update_policy()
        if iteration == stop:
            found.append(exploitability.exploitability(turns, solver.average_policy()))
            print(
                f"after {iteration:>4} iterations a perfect opponent wins {found[-1]:.4f} bullheads",
                flush=True,
            )
            stop *= 2
    return found


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
