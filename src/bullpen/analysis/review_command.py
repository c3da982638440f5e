"""`bullpen review FILE`."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from bullpen.analysis.effort import WORK
from bullpen.analysis.errors import AnalysisError
from bullpen.analysis.opponents import PEOPLE
from bullpen.analysis.page import page
from bullpen.analysis.reviewing import review
from bullpen.analysis.samples import no_progress
from bullpen.analysis.screen import console, review_tables
from bullpen.analysis.shapes import Review
from bullpen.records import Record


def parser() -> argparse.ArgumentParser:
    """Return the description of the command."""
    found = argparse.ArgumentParser(
        prog="bullpen review", description="Say what every decision of a finished game cost."
    )
    found.add_argument("file", help="a record")
    add_manner(found)
    found.add_argument("--html", metavar="FILE", help="write a page with graphs")
    return found


def add_manner(found: argparse.ArgumentParser) -> None:
    """Add what both commands take: how hard, against whom, which seed, and JSON."""
    found.add_argument("--effort", default="standard", help=", ".join(WORK))
    found.add_argument("--against", default=PEOPLE, help="people, a level, or one a seat divided by commas")
    found.add_argument("--seed", type=int, default=0, help="the same seed gives the same answer")
    found.add_argument("--json", action="store_true", help="for programs")


def against_of(options: argparse.Namespace) -> str | list[str]:
    """Return the typed expectation: one word for all, or one a seat."""
    words: list[str] = options.against.split(",")
    return words[0] if len(words) == 1 else words


def main(arguments: Sequence[str] | None = None) -> None:
    """Carry the command out; a mistake is raised as one sentence."""
    options = parser().parse_args(arguments)
    record = Record.load(options.file)
    if options.json:
        print(msgspec.json.format(msgspec.json.encode(_review(record, options))).decode())
        return
    screen = console()
    found = _with_bar(screen, record, options)
    if options.html:
        _write(options.html, page(found))
        screen.print(f"Written to {options.html}.")
        return
    for table in review_tables(found):
        screen.print(table)


def _review(record: Record, options: argparse.Namespace, progress: Any = no_progress) -> Review:
    return review(record, options.effort, against=against_of(options), seed=options.seed, progress=progress)


def _with_bar(screen: Any, record: Record, options: argparse.Namespace) -> Review:
    """Review with a bar that shows how much is done."""
    from rich.progress import Progress  # noqa: PLC0415 an extra; the console has been found already

    with Progress(console=screen, transient=True) as bar:
        task = bar.add_task("Looking at every decision", total=1.0)
        return _review(record, options, lambda done: bar.update(task, completed=done))


def _write(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise AnalysisError(f"{path}: {error.strerror or error}.") from None
