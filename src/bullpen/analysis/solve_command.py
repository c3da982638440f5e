"""`bullpen solve`: what a position is worth if both play perfectly, and how they would."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import msgspec

from bullpen.analysis.errors import AnalysisError
from bullpen.analysis.solving import Solution, solve
from bullpen.game import Game
from bullpen.positions import loads
from bullpen.records import Record

SOONEST = 1e-9
"""A share below this is not shown."""


def parser() -> argparse.ArgumentParser:
    """Return the description of the command."""
    found = argparse.ArgumentParser(
        prog="bullpen solve",
        description="Say what a position of two players who know all cards is worth, and how to play it.",
    )
    found.add_argument(
        "position",
        help="a record, a file with a position, or itself:  'tactics: 10 13 / 6 / 14 / 7 9 | 1 19 / 2 23'",
    )
    found.add_argument(
        "--moment", type=int, default=None, help="of a record: after so many choices (default: where it ends)"
    )
    found.add_argument("--open", action="store_true", help="as if both hands lay open")
    found.add_argument("--json", action="store_true", help="for programs")
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Carry the command out; a mistake is raised as one sentence."""
    options = parser().parse_args(arguments)
    found = solve(game_of(options.position, options.moment), open_hands=options.open)
    if options.json:
        print(msgspec.json.format(msgspec.json.encode(found)).decode())
    else:
        print("\n".join(told(found)))


def game_of(written: str, moment: int | None = None) -> Game:
    """Return the game that a file holds, or that a line describes."""
    if "|" in written and ":" in written:
        text = written
    else:
        text = _content(written)
        if not _is_position(text):
            record = Record.load(written)
            return Game.at(record, len(record.choices) if moment is None else moment)
    if moment is not None:
        raise AnalysisError("--moment is for records; a position is one moment.")
    return loads(text)


def _content(path: str) -> str:
    """Return the text of a file."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise AnalysisError(f"{path[:200]}: {getattr(error, 'strerror', None) or 'no text'}.") from None


def _is_position(text: str) -> bool:
    """Whether a text is a position rather than a record."""
    return not text.lstrip().startswith("{") or '"bullpen-position"' in text


def told(found: Solution) -> list[str]:
    """Return the lines that tell a solution."""
    ahead, amount = (0, found.value) if found.value >= 0 else (1, -found.value)
    worth = (
        f"seat {ahead} comes out {amount:.3f} bullheads ahead" if amount > SOONEST else "both come out even"
    )
    lines = [f"{found.game}, {found.cards} cards each: played perfectly, {worth} on average.", ""]
    lines += ["seat  choice   share"]
    for seat, mix in enumerate(found.mixes):
        for choice, share in sorted(mix.items(), key=lambda item: -item[1]):
            if share >= SOONEST:
                lines.append(f"{seat:>4}  {choice:>6}  {share:6.1%}")
    return lines
