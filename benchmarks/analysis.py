"""Measure the analysis: whether what it says comes true, ranks the same twice, and how long it takes.

    python benchmarks/analysis.py play runs base-4-expert --rounds 300
    python benchmarks/analysis.py predict runs base-4-expert
    python benchmarks/analysis.py fit runs    # writes correction.json
    python benchmarks/analysis.py check runs  # prints the table and draws the plots of docs/analysis.md
    python benchmarks/analysis.py ranking
    python benchmarks/analysis.py times

A *cell* is a game, a number of players and a table: all `medium`, all `expert`, or mixed. Whole rounds are
played by the real bots on the engine. At some tricks of each round every seat's choice is predicted from
its view, as playouts of the chosen option alone, and compared with what the round really brought.

The correction is fitted to rounds of even number, and `check` looks at those of odd number only.
"""

import argparse
import json
import random
import statistics
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression  # type: ignore[import-untyped]

from bullpen.analysis import evaluate, review
from bullpen.analysis.correction import EARLY, MIDDLE, Correction, Fitted, part_of
from bullpen.analysis.evaluating import sampler_for
from bullpen.analysis.figures import interval
from bullpen.analysis.measure import of_round, so_far
from bullpen.analysis.plots import calibration
from bullpen.analysis.samples import no_progress
from bullpen.bots import player
from bullpen.bots.registry import never
from bullpen.engine import BullpenError, Ruleset, Seeded, View, view
from bullpen.engine.events import RoundEnded, Shared, Took, TrickStarted
from bullpen.fast import COVERED
from bullpen.game import Game, new_game
from bullpen.records import Record, replay, rules_of
from bullpen.rulesets import games, make

MIXED = ("medium", "expert", "easy", "hard", "medium", "expert")
"""Who sits where at a mixed table."""
MOST = 160
"""Results above this are not told apart; those below minus this neither."""
TRUST, TRUST_IN_CHANCE = 100.0, 5.0
"""How many decisions speak for no correction at all, of means and of each group of chances."""
FIELDS = ("number", "seat", "trick", "cards", "row", "mean", "take", "came", "took")
PARTS = ("early", "middle", "late", "rows")
SOURCE = Path(__file__).parent.parent / "src/bullpen/analysis"
IMAGES = Path(__file__).parent.parent / "docs/images"


def levels(table: str, players: int) -> tuple[str, ...]:
    """Return who sits at a table."""
    return MIXED[:players] if table == "mixed" else (table,) * players


def one_round(game: str, players: int) -> Ruleset[Any]:
    """Return rules that end after a round, where the game knows rounds."""
    try:
        return make(game, players, {"end.kind": "rounds", "end.value": 1})
    except BullpenError:
        return make(game, players)


def play(folder: Path, cell: str, rounds: range) -> None:
    """Let bots play rounds, and keep the records."""
    game, players, table = cell.rsplit("-", 2)
    folder.mkdir(exist_ok=True)
    with (folder / f"{cell}.jsonl").open("a") as file:
        for number in rounds:
            running = Game(one_round(game, int(players)), Seeded(f"cal/{game}/{players}/{table}/{number}"))
            bots = [
                player(level, f"{number}/{seat}") for seat, level in enumerate(levels(table, int(players)))
            ]
            while not running.over:
                ask = running.asks[0]
                seat = ask.seats[0]
                running.choose(seat, bots[seat].choose(running.view(seat), ask))
            file.write(json.dumps([number, running.record.dumps()]) + "\n")


def only(seen: View, choice: Any) -> View:
    """Return a view in which the seat is asked for one option alone."""
    position = seen.position.copy()
    position.asks = tuple(
        replace(ask, options=(choice,)) if seen.seat in ask.seats else ask for ask in position.asks
    )
    return replace(seen, position=position)


def takes_of(moments: Sequence[Any]) -> set[tuple[int, int]]:
    """Return who took something in which trick of the first round."""
    found: set[tuple[int, int]] = set()
    trick = 0
    for moment in moments:
        for event in moment.events:
            if isinstance(event, RoundEnded):
                return found
            if isinstance(event, TrickStarted):
                trick = event.trick
            elif isinstance(event, Took):
                found.add((trick, event.seat))
            elif isinstance(event, Shared):
                found |= {(trick, seat) for seat in event.seats}
    return found


def predictions(
    folder: Path, cell: str, limit: int, each: int, work: float
) -> Iterator[tuple[list[float], NDArray[np.float64]]]:
    """Yield what was predicted and what came of it, and the shares of every result in the playouts."""
    _, players, table = cell.rsplit("-", 2)
    plays = levels(table, int(players))
    for line in (folder / f"{cell}.jsonl").read_text().splitlines()[:limit]:
        number, text = json.loads(line)
        record = Record.loads(text)
        rules, moments = rules_of(record), list(replay(record))
        end, takes = of_round(rules, moments[-1].position, 1), takes_of(moments)
        wanted = {1 + (number + step * 9 // each) % 9 for step in range(each)}
        for before, after in pairwise(moments):
            position, seat = before.position, after.seat
            assert seat is not None
            ask = next(ask for ask in position.asks if seat in ask.seats)
            if position.round > 1 or position.trick not in wanted or len(ask.options) < 2:
                continue
            seen = only(view(rules, position, seat), after.choice)
            (sample,) = sampler_for(seen)(seen, plays, number, work, (no_progress, never)).options
            points = sample.points[:, seat]
            came = end[seat] - so_far(rules, position)[seat]
            row = ask.kind != "commit"
            yield (
                [number, seat, position.trick, len(seen.hand), row, points.mean(), sample.took.mean(), came,
                 (position.trick, seat) in takes],
                np.bincount(np.clip(points, -MOST, MOST) + MOST, minlength=2 * MOST + 1) / points.size,
            )  # fmt: skip


def predict(folder: Path, cell: str, limit: int, each: int, work: float) -> None:
    """Predict, and keep it beside the records."""
    found = list(predictions(folder, cell, limit, each, work))
    rows, shares = np.array([row for row, _ in found]), np.array([share for _, share in found], np.float32)
    np.savez_compressed(folder / f"{cell}.npz", rows=rows, shares=shares)
    print(cell, len(rows), "decisions")


class Cell:
    """The predictions of a cell, or of some of its rounds."""

    def __init__(self, rows: NDArray[Any], shares: NDArray[Any]) -> None:
        self.rows, self.shares = rows, shares

    @classmethod
    def load(cls, path: Path) -> "Cell":
        with np.load(path) as kept:
            return cls(kept["rows"], kept["shares"])

    def where(self, which: NDArray[np.bool_]) -> "Cell":
        return Cell(self.rows[which], self.shares[which])

    def half(self, odd: bool) -> "Cell":
        return self.where(self["number"] % 2 == odd)

    def part(self, name: str) -> "Cell":
        row, cards = self["row"] > 0, self["cards"]
        early, middle = cards >= EARLY, cards >= MIDDLE
        return self.where(
            {"rows": row, "early": ~row & early, "middle": ~row & middle & ~early, "late": ~row & ~middle}[
                name
            ]
        )

    def __getitem__(self, field: str) -> NDArray[np.float64]:
        found: NDArray[np.float64] = self.rows[:, FIELDS.index(field)]
        return found

    def __len__(self) -> int:
        return len(self.rows)


def ends_of(share: NDArray[Any], correct: Correction) -> tuple[float, float]:
    """Return the interval that evaluate would tell for these playouts."""
    values = np.flatnonzero(share)
    return interval(values - MOST, share[values] / share[values].sum(), correct)


def covered(cell: Cell, correct: Correction) -> float:
    """Return the share of results within their intervals."""
    ends = [ends_of(share, correct) for share in cell.shares]
    return statistics.fmean(low <= came <= high for (low, high), came in zip(ends, cell["came"], strict=True))


def fit_part(cell: Cell) -> Correction:
    """Fit a correction to some decisions; few of them move it little."""
    mean, came = cell["mean"], cell["came"]
    spread = ((mean - mean.mean()) ** 2).sum()
    trust = spread * TRUST / len(cell)
    slope = (
        (((mean - mean.mean()) * (came - came.mean())).sum() + trust) / (spread + trust) if spread else 1.0
    )
    shift = came.mean() - slope * mean.mean()
    said, happened = fit_chances(cell["take"], cell["took"])
    line = Correction(round(float(shift), 4), round(float(slope), 4), said=said, came=happened)
    tried = [replace(line, level=level / 100) for level in range(80, 100)]
    return min(tried, key=lambda each: abs(covered(cell, each) - 0.90))


def fit_chances(
    take: NDArray[np.float64], took: NDArray[np.float64]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return a rising line through how often takes came in groups of like chances."""
    never = take < 0.002
    groups = [np.flatnonzero(never)]
    order = np.flatnonzero(~never)[np.argsort(take[~never], kind="stable")]
    groups += np.array_split(order, max(1, min(8, order.size // 40)))
    said, came, sizes = [], [], []
    for group in groups:
        if group.size:
            said.append(float(take[group].mean()))
            came.append(
                float((took[group].sum() + TRUST_IN_CHANCE * said[-1]) / (group.size + TRUST_IN_CHANCE))
            )
            sizes.append(group.size + TRUST_IN_CHANCE)
    rising = isotonic_regression(came, weights=sizes).x
    return (
        tuple(round(each, 4) for each in said),
        tuple(round(float(each), 4) for each in rising),
    )


def fit_cell(cell: Cell) -> dict[str, Correction]:
    """Fit the corrections of all parts of a round; a part of few decisions is left as it is."""
    parts = {name: cell.part(name) for name in PARTS}
    return {name: fit_part(part) for name, part in parts.items() if len(part) >= 40}


def fit(folder: Path) -> None:
    """Write the correction."""
    fitted: dict[str, Any] = {}
    for path in sorted(folder.glob("*.npz")):
        game, players, table = path.stem.rsplit("-", 2)
        fitted.setdefault(game, {}).setdefault(players, {})[table] = fit_cell(Cell.load(path).half(odd=False))
    text = msgspec.json.format(msgspec.json.encode(fitted), indent=1)
    (SOURCE / "correction.json").write_bytes(text + b"\n")


def shipped(cell: str) -> dict[str, Correction]:
    """Return the correction that evaluate uses for a cell, whether it was fitted to this game or not."""
    game, players, table = cell.rsplit("-", 2)
    fitted = msgspec.json.decode((SOURCE / "correction.json").read_bytes(), type=Fitted)
    counts = fitted.get(game) or (fitted["base"] if game in COVERED else {})
    nearest = min(counts, key=lambda count: abs(int(count) - int(players)), default="")
    return counts.get(nearest, {}).get(table, {})


def check(folder: Path, cells: Sequence[str]) -> None:
    """Print what came true, and draw it."""
    print("| cell | decisions | rounds | predicted | came | error | worst decile | 90 % intervals |")
    print("|---|---|---|---|---|---|---|---|")
    for path in sorted(folder.glob("*.npz")):
        if not cells or path.stem in cells:
            print(line_of(Cell.load(path), path.stem, shipped(path.stem)))


class Told:
    """What evaluate would have told of decisions that its correction has not seen."""

    def __init__(self, cell: Cell, fitted: dict[str, Correction]) -> None:
        correct = [fitted.get(name, Correction()) for name in parts_of(cell)]
        self.cell = cell
        self.mean = np.array([each.mean(value) for each, value in zip(correct, cell["mean"], strict=True)])
        self.take = np.array([each.chance(value) for each, value in zip(correct, cell["take"], strict=True)])
        ends = [ends_of(share, each) for share, each in zip(cell.shares, correct, strict=True)]
        self.held = np.array(
            [low <= came <= high for (low, high), came in zip(ends, cell["came"], strict=True)]
        )


def parts_of(cell: Cell) -> list[str]:
    """Return the part of the round that each decision is in."""
    return [
        part_of("row" if row else "commit", int(cards))
        for row, cards in zip(cell["row"], cell["cards"], strict=True)
    ]


def line_of(cell: Cell, name: str, fitted: dict[str, Correction]) -> str:
    """Return a cell's line of the table."""
    told = Told(cell.half(odd=True), fitted)
    mean, take, held = told.mean, told.take, told.held
    came, took, row, number = (told.cell[field] for field in ("came", "took", "row", "number"))
    error, doubt = clustered(came - mean, number)
    deciles = by_deciles(take[row == 0], took[row == 0])
    worst = max(abs(said - happened) for said, happened in deciles)
    IMAGES.mkdir(exist_ok=True)
    drawn = calibration(name, by_deciles(mean, came), deciles)
    (IMAGES / f"calibration-{name}.svg").write_text(drawn + "\n")
    figures = f"{len(mean)} | {len(set(number))} | {mean.mean():.2f} | {came.mean():.2f}"
    return (
        f"| {name} | {figures} | {error:+.2f} ± {doubt:.2f} | {100 * worst:.1f} | {100 * held.mean():.1f} % |"
    )


def clustered(missed: NDArray[np.float64], numbers: NDArray[np.float64]) -> tuple[float, float]:
    """Return a mean and its standard error, the decisions of a round hanging together."""
    mean = float(missed.mean())
    sums = [float((missed[numbers == number] - mean).sum()) for number in set(numbers)]
    return mean, float(np.sqrt(np.square(sums).sum()) / missed.size)


def by_deciles(said: NDArray[np.float64], came: NDArray[np.float64]) -> list[tuple[float, float]]:
    """Return what was said and what came, on average, in ten groups by what was said."""
    order = np.argsort(said, kind="stable")
    return [
        (float(said[group].mean()), float(came[group].mean()))
        for group in np.array_split(order, 10)
        if group.size
    ]


def positions(count: int, seed: int = 1) -> Iterator[View]:
    """Yield views of seats in the middle of rounds of four of `medium`."""
    rng = random.Random(seed)
    for number in range(count):
        running = new_game("base", players=4, seed=f"ranking/{number}")
        bot, trick = player("medium", number), rng.randrange(2, 8)
        while running.position.trick < trick:
            ask = running.asks[0]
            running.choose(ask.seats[0], bot.choose(running.view(ask.seats[0]), ask))
        yield running.view(rng.randrange(4))


def ranking(count: int) -> None:
    """Compare `standard` with `deep` and with itself under another seed."""
    lost, same, clear = [], [], 0
    for seen in positions(count):
        if seen.ask is None or seen.ask.kind != "commit":
            continue
        deep = evaluate(seen, "deep", against="medium", seed=9)
        one, two = (evaluate(seen, "standard", against="medium", seed=seed).best.choice for seed in (1, 2))
        lost += [deep.of(one).cost, deep.of(two).cost]
        first, second = deep.ranked[:2]
        if second.cost - first.cost >= 0.3:
            clear += 1
            same.append(one == two)
    print(f"{len(lost) // 2} positions: standard loses {statistics.fmean(lost):.4f} against deep;")
    print(f"two seeds agree in {100 * statistics.fmean(same):.1f} % of the {clear} with a clear best card.")


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


def rounds(seconds: float) -> None:
    """Write what a round usually brings a seat, in every game at tables of `medium`."""
    found: dict[str, dict[str, list[float]]] = {}
    for game, kind in games().items():
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


def main() -> None:
    top = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    words = top.add_subparsers(dest="word", required=True)
    word = words.add_parser("play")
    word.add_argument("folder", type=Path)
    word.add_argument("cells", nargs="+", help="GAME-PLAYERS-TABLE")
    word.add_argument("--rounds", type=int, default=300)
    word.add_argument("--first", type=int, default=0)
    word = words.add_parser("predict")
    word.add_argument("folder", type=Path)
    word.add_argument("cells", nargs="+")
    word.add_argument("--limit", type=int, default=10**6, help="rounds")
    word.add_argument("--each", type=int, default=3, help="tricks looked at in a round")
    word.add_argument("--work", type=float, default=4_000.0, help="for each prediction")
    words.add_parser("fit").add_argument("folder", type=Path)
    word = words.add_parser("check")
    word.add_argument("folder", type=Path)
    word.add_argument("cells", nargs="*")
    words.add_parser("ranking").add_argument("--positions", type=int, default=100)
    words.add_parser("times")
    words.add_parser("rounds").add_argument("--seconds", type=float, default=4.0)
    options = top.parse_args()
    if options.word == "play":
        for cell in options.cells:
            play(options.folder, cell, range(options.first, options.first + options.rounds))
    elif options.word == "predict":
        for cell in options.cells:
            predict(options.folder, cell, options.limit, options.each, options.work)
    elif options.word == "fit":
        fit(options.folder)
    elif options.word == "check":
        check(options.folder, options.cells)
    elif options.word == "ranking":
        ranking(options.positions)
    elif options.word == "times":
        times()
    else:
        rounds(options.seconds)


if __name__ == "__main__":
    main()
