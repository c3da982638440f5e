"""`python -m bullpen.server`: serve with the settings given on the command line."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bullpen.engine import BullpenError
from bullpen.server.config import Config
from bullpen.server.run import serve


def parser() -> argparse.ArgumentParser:
    """Return the description of the settings."""
    found = argparse.ArgumentParser(prog="bullpen serve", description="Serve tables to browsers and bots.")
    add_arguments(found)
    return found


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Describe the settings."""
    command.add_argument("--host", default="127.0.0.1", help="where to listen; 0.0.0.0 for the whole network")
    command.add_argument("--port", type=int, default=8266)
    command.add_argument("--store", type=Path, help="the file that tables are kept in")
    command.add_argument(
        "--origin", action="append", default=[], help="another origin whose pages may connect"
    )
    command.add_argument("--proxy", action="append", default=[], help="the address of a proxy to be believed")
    command.add_argument("--metrics-for-all", action="store_true", help="show /metrics to other machines too")
    command.add_argument("--bot-workers", type=int, default=0, help="processes that think for bots")
    command.add_argument("--open", action="store_true", help="open the browser")
    command.add_argument("--log-level", default="info", choices=["debug", "info", "warning", "error"])


def config_from(arguments: argparse.Namespace) -> Config:
    """Return the configuration that the settings describe."""
    return Config(
        host=arguments.host,
        port=arguments.port,
        store=arguments.store,
        origins=tuple(arguments.origin),
        trusted_proxies=tuple(arguments.proxy),
        metrics_for_all=arguments.metrics_for_all,
        bot_workers=arguments.bot_workers,
        open_browser=arguments.open,
        log_level=arguments.log_level,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve as the command line says."""
    serve(config_from(parser().parse_args(arguments)))


if __name__ == "__main__":
    try:
        main()
    except BullpenError as error:
        print(f"bullpen: {error}", file=sys.stderr)
        sys.exit(2)
