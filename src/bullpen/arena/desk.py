"""Where the commands of the arena are carried out: playing with a bar, reporting, writing pages."""

import argparse
import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from bullpen.arena.cluster import on_cluster
from bullpen.arena.errors import ArenaError
from bullpen.arena.ladder import ladder, nearest_count, rounds_option
from bullpen.arena.match import Match, Options
from bullpen.arena.page import page
from bullpen.arena.play import job_of, play
from bullpen.arena.report import print_report
from bullpen.arena.results import Results
from bullpen.arena.run import Runner, all_cores, missing, one_process, run
from bullpen.arena.rung_page import rung_page, sentence
from bullpen.arena.rungs import Measured, Table, all_rungs, measure
from bullpen.arena.standings import Standings
from bullpen.engine import BadOption
from bullpen.rulesets import find, games


def play_match(arguments: argparse.Namespace) -> None:
    """Play a match and report it."""
    match = Match(
        game=find(arguments.game).id,
        players=arguments.players,
        bots=tuple(arguments.bots),
        deals=arguments.deals,
        seed=_seed(arguments),
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
    seed = _seed(arguments)
    matches = [
        match
        for game in names
        for match in ladder(
            game,
            nearest_count(game, arguments.players, _options(arguments, game)),
            arguments.bots.split(","),
            deals,
            seed,
            _options(arguments, game),
        )
    ]
    _play(matches, arguments)


def play_rungs(arguments: argparse.Namespace) -> None:
    """Measure every rung that is not settled, say each verdict, and write the page if one is wanted."""
    names = list(games()) if arguments.games == ["all"] else [find(name).id for name in arguments.games]
    results, seed = Results(arguments.out), _seed(arguments)
    rungs = all_rungs(names, arguments.bots.split(","), arguments.players)
    standings = Standings(arguments.standings) if arguments.standings else None
    if standings:
        standings.check()
    if arguments.anew:
        gone = Table(rungs, seed).forget(arguments.anew, results)
        print(f"{gone} games were left out of {arguments.out}.")
        if standings:
            standings.forget(seed, rungs, arguments.anew)
    table = Table(rungs, seed, stood=standings.read(seed) if standings else None)
    if arguments.page_only:
        table.take(results.read())
    else:
        try:
            _climb(table, measure(table, results, _runner(arguments)))
        except KeyboardInterrupt:
            print(f"Stopped. What was played is in {arguments.out}; the same command goes on from there.")
    print(
        f"{table.settled} of {len(rungs)} rungs need no more deals; seed {seed}, results in {arguments.out}."
    )
    if standings:
        standings.write(seed, table.tallies())
    if arguments.page:
        command = f"bullpen arena rungs {' '.join(arguments.games)} --seed {seed}"
        _write(Path(arguments.page), rung_page(rungs, table.findings(), command))


def _climb(table: Table, steps: Iterator[Measured | None]) -> None:
    """Say each verdict, with a bar of all rungs below where there is a terminal to show it."""
    console = Console()
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
    )  # fmt: skip
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task, played = bar.add_task("rungs", total=len(table.measured)), 0
        for settled in steps:
            played += settled is None
            if settled is not None:
                console.print(sentence(settled.rung, settled.trial.finding), highlight=False, soft_wrap=True)
            bar.update(task, completed=table.settled, description=f"rungs ({played} deals played)")


def _play(matches: Sequence[Match], arguments: argparse.Namespace) -> None:
    """Play what is missing, showing how far it is, and report what this call asked for."""
    console = Console()
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


def _told(console: Console, steps: Iterator[int], total: int) -> Iterator[int]:
    """Say in lines how far it is: one for every tenth, for a file or a pipe cannot show a bar."""
    done, said, started = 0, 0, time.monotonic()
    for added in steps:
        done += added
        if done * 10 // total > said:
            said = done * 10 // total
            left = (time.monotonic() - started) * (total - done) / done
            console.print(f"{done} of {total} games, about {left:.0f} s left", highlight=False)
        yield added


def _shown(console: Console, steps: Iterator[int], total: int) -> Iterator[int]:
    """Draw a bar with an estimate of what is left."""
    if not console.is_terminal:
        yield from _told(Console(stderr=True), steps, total)
        return
    columns = (
        TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("games", total=total)
        for added in steps:
            bar.advance(task, added)
            yield added


def print_results(arguments: argparse.Namespace) -> None:
    """Report a results file, as a table and if wanted as a page."""
    console = Console()
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
        _write(Path(arguments.html), page(outcomes))
        console.print(f"The page is {arguments.html}.")


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ArenaError(f"{path} cannot be written: {error.strerror or error}.") from None


def _seed(arguments: argparse.Namespace) -> str:
    """Return the seed that was typed, else that of the results file, else one that no bot can guess."""
    results = Results(arguments.out)
    results.check()
    if arguments.seed is not None:
        return str(arguments.seed)
    played = results.read()
    return played[-1].seed if played else secrets.token_hex(16)


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
