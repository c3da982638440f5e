"""The commands `bullpen arena match`, `ladder` and `report`."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bullpen.arena.cluster import on_cluster
from bullpen.arena.errors import ArenaError
from bullpen.arena.ladder import ladder, nearest_count, rounds_option
from bullpen.arena.match import Match, Options
from bullpen.arena.play import job_of, play
from bullpen.arena.results import Results
from bullpen.arena.run import Runner, all_cores, missing, one_process, run
from bullpen.bots import LEVELS
from bullpen.engine import BadOption
from bullpen.rulesets import find, games

if TYPE_CHECKING:
    from rich.console import Console


def add_commands(commands: Any) -> None:
    """Add `arena` with its three words to the commands of `bullpen`."""
    arena = commands.add_parser("arena", help="let bots play against each other and compare them")
    words = arena.add_subparsers(required=True, metavar="ACTION")

    match = words.add_parser("match", help="bots at one table, on the same deals from every seat")
    match.add_argument("game")
    match.add_argument("bots", nargs="+", help="a level, cmd:PROGRAM, or either with ~SHARE as a handicap")
    match.add_argument("--deals", type=int, default=100)
    match.add_argument("--limit", type=float, default=5.0, help="seconds a program has for a decision")
    _common(match)
    match.set_defaults(run=play_match)

    rungs = words.add_parser("ladder", help="every bot against the one below it, in one game or many")
    rungs.add_argument("games", nargs="+", help="games, or all")
    rungs.add_argument("--bots", default=",".join(LEVELS), help="weakest first, divided by commas")
    rungs.add_argument("--deals", default="100", help="how many; or one number for each rung: 50,50,200,200")
    _common(rungs)
    rungs.set_defaults(run=play_ladder)

    report = words.add_parser("report", help="say what a results file tells")
    report.add_argument("file")
    report.add_argument("--html", metavar="FILE", help="write a page with plots")
    report.add_argument("--replay", type=int, default=0, metavar="N", help="play N of the games again first")
    report.set_defaults(run=print_results)


def _common(command: argparse.ArgumentParser) -> None:
    command.add_argument("--players", type=int, default=4)
    command.add_argument("--seed", default="1", help="the same seed gives the same deals")
    command.add_argument("--rounds", type=int, default=None, help="end after so many rounds, where possible")
    command.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    command.add_argument("--out", default="arena.jsonl", help="the results file; what it holds is not replayed")
    command.add_argument("--workers", type=int, default=None, help="processes (default: all cores)")
    command.add_argument("--cluster", nargs="?", const="", default=None, metavar="ADDRESS", help="run on Ray")


def play_match(arguments: argparse.Namespace) -> None:
    """Play a match and report it."""
    match = Match(
        game=find(arguments.game).id,
        players=arguments.players,
        bots=tuple(arguments.bots),
        deals=arguments.deals,
        seed=arguments.seed,
        options=_options(arguments, arguments.game),
        limit=arguments.limit,
    )
    _play([match], arguments)


def play_ladder(arguments: argparse.Namespace) -> None:
    """Play the rungs of a ladder in every game named and report them."""
    names = list(games()) if arguments.games == ["all"] else [find(name).id for name in arguments.games]
    try:
        deals = [int(count) for count in arguments.deals.split(",")]
    except ValueError:
        raise ArenaError(f"--deals takes numbers divided by commas, not {arguments.deals[:40]!r}.") from None
    matches = [
        match
        for game in names
        for match in ladder(
            game,
            nearest_count(game, arguments.players),
            arguments.bots.split(","),
            deals,
            arguments.seed,
            _options(arguments, game),
        )
    ]
    _play(matches, arguments)


def _play(matches: Sequence[Match], arguments: argparse.Namespace) -> None:
    """Play what is missing, showing how far it is, and report what this call asked for."""
    console = _console()
    from bullpen.arena.report import print_report

    results = Results(arguments.out)
    for match in matches:
        match.check()
    results.repair()
    left = sum(len(deal) for deal in missing(matches, results))
    try:
        for _ in _shown(console, run(matches, results, _runner(arguments)), left):
            pass
    except KeyboardInterrupt:
        console.print(f"Stopped. What was played is in {arguments.out}; the same command goes on from there.")
        sys.exit(130)
    asked = {job for match in matches for deal in match.jobs() for job in deal}
    print_report(console, [outcome for outcome in results.read() if job_of(outcome) in asked])


def _runner(arguments: argparse.Namespace) -> Runner:
    if arguments.cluster is not None:
        return on_cluster(arguments.cluster or None, arguments.workers)
    return one_process if arguments.workers == 1 else all_cores(arguments.workers)


def _shown(console: "Console", steps: Iterator[int], total: int) -> Iterator[int]:
    """Draw a bar with an estimate of what is left."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
    from rich.progress import TimeRemainingColumn as Estimated

    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), Estimated())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("games", total=total)
        for added in steps:
            bar.advance(task, added)
            yield added


def print_results(arguments: argparse.Namespace) -> None:
    """Report a results file, as a table and if wanted as a page."""
    console = _console()
    from bullpen.arena.page import page
    from bullpen.arena.report import print_report

    path = Path(arguments.file)
    if not path.is_file():
        raise ArenaError(f"There is no results file {arguments.file}.")
    outcomes = Results(path).read()
    if not outcomes:
        raise ArenaError(f"{arguments.file} holds no game.")
    if arguments.replay:
        some = outcomes[:: max(1, len(outcomes) // arguments.replay)][: arguments.replay]
        same = sum(outcome.same_game(play(job_of(outcome))) for outcome in some)
        console.print(f"Played again: {same} of {len(some)} games came out the same.")
    print_report(console, outcomes)
    if arguments.html:
        Path(arguments.html).write_text(page(outcomes), encoding="utf-8")
        console.print(f"The page is {arguments.html}.")


def _options(arguments: argparse.Namespace, game: str) -> Options:
    """Return the options typed as KEY=VALUE, and those that `--rounds` stands for."""
    offered = {option.key: option for option in find(game).offers}
    values: Options = dict(rounds_option(game, arguments.rounds))
    for typed in arguments.option:
        key, equals, text = typed.partition("=")
        if not equals:
            raise BadOption(f"{typed[:40]!r} should be KEY=VALUE.")
        values[key] = offered[key].read(text) if key in offered else text
    return values


def _console() -> "Console":
    try:
        from rich.console import Console
    except ImportError:
        raise ArenaError("The arena draws with rich: pip install 'bullpen[arena]'.") from None
    return Console()
