"""`bullpen evaluate FILE`: a moment of a record, seen by one seat."""

import argparse
from collections.abc import Sequence

import msgspec

from bullpen.analysis.changing import game_at
from bullpen.analysis.errors import AnalysisError
from bullpen.analysis.evaluating import evaluate
from bullpen.analysis.review_command import add_manner, against_of
from bullpen.analysis.screen import console, evaluation_table
from bullpen.records import Record


def parser() -> argparse.ArgumentParser:
    """Return the description of the command."""
    found = argparse.ArgumentParser(
        prog="bullpen evaluate", description="Say what every answer to an open question is worth."
    )
    found.add_argument("file", help="a record")
    found.add_argument(
        "--moment", type=int, default=None, help="after so many choices (default: where it ends)"
    )
    found.add_argument(
        "--seat", type=int, default=None, help="whose question (default: the first that is asked)"
    )
    add_manner(found)
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Carry the command out; a mistake is raised as one sentence."""
    options = parser().parse_args(arguments)
    record = Record.load(options.file)
    game = game_at(record, len(record.choices) if options.moment is None else options.moment)
    if game.over:
        raise AnalysisError("The game is over at this moment; name an earlier one with --moment.")
    seat = game.asks[0].seats[0] if options.seat is None else options.seat
    found = evaluate(game.view(seat), options.effort, against=against_of(options), seed=options.seed)
    if options.json:
        print(msgspec.json.format(msgspec.json.encode(found)).decode())
    else:
        console().print(evaluation_table(found))
