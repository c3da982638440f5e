"""`bullpen arena`, also as `python -m bullpen.arena`."""

import argparse
import sys
from collections.abc import Sequence

from bullpen.arena.commands import add_commands
from bullpen.engine import BullpenError


def parser() -> argparse.ArgumentParser:
    """Return the description of the commands."""
    found = argparse.ArgumentParser(prog="bullpen arena", description="Let bots play against each other.")
    add_commands(found.add_subparsers(required=True, metavar="ACTION"))
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Carry a command out; a mistake is raised as one sentence."""
    options = parser().parse_args(arguments)
    options.run(options)


if __name__ == "__main__":
    try:
        main()
    except BullpenError as error:
        print(f"bullpen arena: {error}", file=sys.stderr)
        sys.exit(2)
