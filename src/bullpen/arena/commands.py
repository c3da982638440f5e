"""The commands `bullpen arena match`, `ladder`, `rungs` and `report`."""

import argparse
import importlib
from collections.abc import Callable
from typing import Any

from bullpen.bots import LEVELS

BOTS = "a level, LEVEL~SHARE for a handicap, cmd:PROGRAM, py:MODULE:CLASS, or NAME= before any of these"
SEED = "the same seed gives the same deals (default: that of the results file, or one nobody can guess)"


def add_commands(words: Any) -> None:
    """Add the four words to a parser's commands."""
    match = words.add_parser("match", help="bots at one table, on the same deals from every seat")
    match.add_argument("game")
    match.add_argument(
        "bots",
        nargs="+",
        help=BOTS,
    )
    match.add_argument("--deals", type=int, default=100)
    match.add_argument("--limit", type=float, default=5.0, help="seconds a program has for a decision")
    _common(match)
    match.set_defaults(run=_at_the_desk("play_match"))

    rungs = words.add_parser("ladder", help="every bot against the one below it, in one game or many")
    rungs.add_argument("games", nargs="+", help="games, or all")
    rungs.add_argument("--bots", default=",".join(LEVELS), help="weakest first, divided by commas")
    rungs.add_argument("--deals", default="100", help="how many; or one number for each rung: 50,50,200,200")
    _common(rungs)
    rungs.set_defaults(run=_at_the_desk("play_ladder"))

    every = words.add_parser(
        "rungs", help="every level against the one below, at every table, until it is settled"
    )
    every.add_argument("games", nargs="*", default=["all"], help="games, or all (default)")
    every.add_argument("--bots", default=",".join(LEVELS), help="weakest first, divided by commas")
    every.add_argument(
        "--players", type=int, action="append", help="only tables of so many (may be repeated)"
    )
    every.add_argument(
        "--anew",
        action="append",
        metavar="BOT",
        help="first forget its games here: it has changed (repeatable)",
    )
    every.add_argument(
        "--standings", metavar="FILE", help="go on from how rungs stand there, and write there how they do"
    )
    every.add_argument("--page", metavar="FILE", help="write a page of documentation about all of it")
    every.add_argument("--page-only", action="store_true", help="play nothing: write what the file holds")
    _place(every)
    every.set_defaults(run=_at_the_desk("play_rungs"))

    report = words.add_parser("report", help="say what a results file tells")
    report.add_argument("file")
    report.add_argument("--html", metavar="FILE", help="write a page with plots")
    report.add_argument("--replay", type=int, default=0, metavar="N", help="play N of the games again first")
    report.set_defaults(run=_at_the_desk("print_results"))


def _common(command: argparse.ArgumentParser) -> None:
    command.add_argument("--players", type=int, default=4)
    command.add_argument("--rounds", type=int, default=None, help="end after so many rounds, where possible")
    command.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    _place(command)


def _place(command: argparse.ArgumentParser) -> None:
    command.add_argument("--seed", default=None, help=SEED)
    command.add_argument(
        "--out",
        default="arena.jsonl",
        metavar="FILE",
        help="the results file; what it holds is not played again",
    )
    command.add_argument("--workers", type=int, default=None, help="processes (default: all cores)")
    command.add_argument("--cluster", nargs="?", const="", default=None, metavar="ADDRESS", help="run on Ray")


def _at_the_desk(task: str) -> Callable[[argparse.Namespace], None]:
    """Return how a command is carried out; what that needs is imported then, so that help is always there."""

    def run(options: argparse.Namespace) -> None:
        getattr(importlib.import_module("bullpen.arena.desk"), task)(options)

    return run
