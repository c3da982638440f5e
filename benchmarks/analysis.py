"""Measure the analysis: whether what it says comes true, ranks the same twice, and how long it takes.

    python benchmarks/analysis.py play FOLDER base-4-expert --rounds 300 --deals check
    python benchmarks/analysis.py predict FOLDER base-4-expert
    python benchmarks/analysis.py fit FOLDER... # writes correction.json
    python benchmarks/analysis.py check FOLDER  # prints the table and draws the plots of docs/analysis.md
    python benchmarks/analysis.py deep FILE     # positions for ranking, evaluated deep
    python benchmarks/analysis.py ranking FILE  # what `standard` and a review make of them
    python benchmarks/analysis.py times         # also without any word
    python benchmarks/analysis.py rounds        # writes rounds.json, of all games or of those named

A *cell* is a game, a number of players and a table: all `medium`, all `expert`, or mixed. Whole rounds are
played by the real bots on the engine. At some tricks of each round every seat's choice is predicted from
its view, as playouts of the chosen option, and compared with what the round really brought. How
everybody plays (`against`) is told as it truly is. In games without a twin all options are evaluated, at
`standard`.

The correction is fitted to the rounds of some folders (`--deals cal`) and checked with those of another
(`--deals check`), which nothing was settled with.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bullpen.analysis import evaluate, review
from bullpen.analysis.measure import of_round
from bullpen.bots import player
from bullpen.engine import Seeded
from bullpen.game import Game, new_game
from bullpen.rulesets import games

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.calibration.checking import check
from benchmarks.calibration.fitting import fit
from benchmarks.calibration.playing import one_round, play
from benchmarks.calibration.predicting import predict
from benchmarks.calibration.ranking import collect, report

SOURCE = Path(__file__).parent.parent / "src/bullpen/analysis"
IMAGES = Path(__file__).parent.parent / "docs/images"


def times() -> None:
    """Print the processor time of each effort in every game, and of a review."""
    for game, kind in games().items():
        running = new_game(game, players=min(4, kind.player_range[-1]), seed=1)
        seen = running.view(running.asks[0].seats[0])
        evaluate(seen, "quick", against="medium")
        took = {}
        for effort in ("quick", "standard"):
            start = time.process_time()
            evaluate(seen, effort, against="people")
            took[effort] = time.process_time() - start
        print(game, " ".join(f"{effort} {1000 * spent:.0f} ms" for effort, spent in took.items()), flush=True)
    running, bot = new_game("base", players=4, seed=1), player("medium", 1)
    while not running.over:
        ask = running.asks[0]
        running.choose(ask.seats[0], bot.choose(running.view(ask.seats[0]), ask))
    start = time.process_time()
    found = review(running.record)
    print(f"review: {len(found.decisions)} decisions in {time.process_time() - start:.1f} s")


def rounds(names: list[str], seconds: float) -> None:
    """Write what a round usually brings a seat at tables of `medium`, in every game or in those named."""
    found: dict[str, dict[str, list[float]]] = json.loads((SOURCE / "rounds.json").read_text())
    for game, kind in games().items():
        if names and game not in names:
            continue
        counts = kind.player_range
        for players in sorted({each for each in (1, 2, 3, 4, 6, 10) if each in counts} | {counts[-1]}):
            came = np.array(list(_results(game, players, seconds)))
            steps = np.quantile(came, (np.arange(40) + 0.5) / 40, method="hazen")
            steps += came.mean() - steps.mean()
            found.setdefault(game, {})[str(players)] = [round(float(step), 2) for step in steps]
    (SOURCE / "rounds.json").write_text(json.dumps(found))


def _results(game: str, players: int, seconds: float) -> Iterator[int]:
    end, number = time.process_time() + seconds, 0
    while time.process_time() < end and number < 2_000:
        running, bot = Game(one_round(game, players), Seeded(number)), player("medium", number)
        number += 1
        while not running.over:
            ask = running.asks[0]
            running.choose(ask.seats[0], bot.choose(running.view(ask.seats[0]), ask))
        for each in range(1, running.position.round + 1):
            yield from of_round(running.rules, running.position, each)


def arguments() -> argparse.Namespace:
    """Return what is to be measured."""
    top = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    words = top.add_subparsers(dest="word")
    word = words.add_parser("play")
    word.add_argument("folder", type=Path)
    word.add_argument("cells", nargs="+", help="GAME-PLAYERS-TABLE")
    word.add_argument("--rounds", type=int, default=300)
    word.add_argument("--first", type=int, default=0)
    word.add_argument("--deals", default="cal", help="names the deals: others for every name")
    word = words.add_parser("predict")
    word.add_argument("folder", type=Path)
    word.add_argument("cells", nargs="+")
    word.add_argument("--limit", type=int, default=10**6, help="rounds")
    word.add_argument("--each", type=int, default=4, help="tricks looked at in a round")
    word.add_argument("--worlds", type=int, default=250, help="playouts of each prediction")
    words.add_parser("fit").add_argument("folders", type=Path, nargs="+")
    word = words.add_parser("check")
    word.add_argument("folder", type=Path)
    word.add_argument("cells", nargs="*")
    for name in ("deep", "ranking"):
        word = words.add_parser(name)
        word.add_argument("file", type=Path)
        word.add_argument("--positions", type=int, default=200)
    words.add_parser("times")
    word = words.add_parser("rounds")
    word.add_argument("games", nargs="*")
    word.add_argument("--seconds", type=float, default=4.0)
    return top.parse_args()


def rank(deep: Path, count: int) -> None:
    """Let `standard` and a review look at positions, and compare them with `deep`."""
    other = deep.with_suffix(".standard")
    collect(other, (0, count), ("standard", "again", "review"))
    report(deep, other)


def main() -> None:
    options = arguments()
    if options.word == "play":
        for cell in options.cells:
            numbers = range(options.first, options.first + options.rounds)
            play(options.folder, cell, numbers, options.deals)
    elif options.word == "predict":
        for cell in options.cells:
            predict(options.folder, cell, options.limit, options.each, options.worlds)
    elif options.word == "fit":
        fit(options.folders, SOURCE / "correction.json")
    elif options.word == "check":
        check(options.folder, tuple(options.cells), IMAGES)
    elif options.word == "deep":
        collect(options.file, (0, options.positions), ("deep",))
    elif options.word == "ranking":
        rank(options.file, options.positions)
    elif options.word == "rounds":
        rounds(options.games, options.seconds)
    else:
        times()


if __name__ == "__main__":
    main()
