"""`python -m bullpen.server`: serve with the settings of command line, environment and file."""

import argparse
import os
import sys
from collections.abc import Sequence

from bullpen.engine import BullpenError
from bullpen.server.settings import add_arguments, config_from


def parser() -> argparse.ArgumentParser:
    """Return the description of the settings."""
    found = argparse.ArgumentParser(
        prog="bullpen serve",
        description="Serve tables to browsers and bots. Every setting can also be given in the environment "
        "(--bot-workers as BULLPEN_BOT_WORKERS) and in a TOML file (bot-workers = 2).",
    )
    add_arguments(found)
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve as the settings say."""
    config = config_from(vars(parser().parse_args(arguments)), os.environ)
    # `--help` and a bad setting are answered without the web server's libraries.
    from bullpen.server.run import serve  # noqa: PLC0415

    serve(config)


if __name__ == "__main__":
    try:
        main()
    except BullpenError as error:
        print(f"bullpen: {error}", file=sys.stderr)
        sys.exit(2)
