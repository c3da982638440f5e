"""One command, `bullpen`."""

import argparse
import importlib
import json
import secrets
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from bullpen import __version__
from bullpen.engine import BadOption, BullpenError, OptionValue, Ruleset
from bullpen.records import Record, check
from bullpen.rulesets import find, games, own_games
from bullpen.rulesets.boards.check import check_board
from bullpen.rulesets.pages import rules_page

if TYPE_CHECKING:
    from rich.console import Console


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; a mistake gets one sentence on standard error and exit code 2."""
    commands = parser()
    options, rest = commands.parse_known_args(arguments)
    if rest and not hasattr(options, "module"):
        commands.error(f"unrecognized arguments: {' '.join(rest)}")
    options.rest = rest
    try:
        options.run(options)
    except BullpenError as error:
        print(f"bullpen: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()
    except KeyboardInterrupt:
        print("\nbullpen: interrupted.", file=sys.stderr)
        return 130
    return 0


def parser() -> argparse.ArgumentParser:
    """Return the description of all commands."""
    top = argparse.ArgumentParser(prog="bullpen", description="A family of games of rows and bullheads.")
    top.add_argument("--version", action="version", version=f"bullpen {__version__}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser("games", help="list the games and their options")
    command.add_argument("--json", action="store_true", help="for programs")
    command.set_defaults(run=list_games)

    command = commands.add_parser("rules", help="print the rules of a game")
    command.add_argument("game")
    command.set_defaults(run=print_rules)

    for word, module, extra, text in (
        ("serve", "bullpen.server.__main__", "server", "serve tables to browsers and bots"),
        ("admin", "bullpen.server.admin", "server", "look after the file that tables are kept in"),
        ("arena", "bullpen.arena.__main__", "arena", "let bots play against each other"),
        ("review", "bullpen.analysis.review_command", "bots", "say what every decision of a game cost"),
        ("evaluate", "bullpen.analysis.evaluate_command", "bots", "say what each answer is worth"),
        ("solve", "bullpen.analysis.solve_command", "bots", "play an endgame of two players perfectly"),
    ):
        command = commands.add_parser(word, help=text, add_help=False)
        command.set_defaults(run=pass_on, module=module, extra=extra)

    command = commands.add_parser("prepare", help="compile what strong bots, hints and reviews need, once")
    command.set_defaults(run=prepare_bots)

    _add_tables(commands)
    _add_files(commands)
    return top


def _add_tables(commands: Any) -> None:
    """Add the commands that show a table in the terminal."""
    for word, run, text in (
        ("watch", watch_game, "watch random players"),
        ("play", play_game, "play in the terminal against bots"),
    ):
        command = commands.add_parser(word, help=text)
        command.add_argument("game", nargs="?", default="base")
        command.add_argument("--players", type=int, default=4)
        command.add_argument("--seed", default=None, help="the same seed gives the same deals")
        command.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
        if word == "play":
            command.add_argument("--level", default="medium", help=f"{LEVELS}, or a bot of another package")
        command.set_defaults(run=run)


def _add_files(commands: Any) -> None:
    """Add the commands that look at files."""
    record = commands.add_parser("record", help="look at or check a recorded game")
    actions = record.add_subparsers(required=True, metavar="ACTION")
    for word, run, text in (
        ("show", show_record, "tell a recorded game trick by trick"),
        ("check", check_record, "replay a record and compare its result"),
        ("verify", verify_record, "check that a server dealt as it had promised"),
    ):
        action = actions.add_parser(word, help=text)
        action.add_argument("file")
        action.set_defaults(run=run)
    for kept, text in (("commitment", "a commitment that you saw"), ("nonce", "a nonce that you gave")):
        action.add_argument(
            f"--{kept}", action="append", default=[], metavar="[DEAL:]HEX", help=f"{text} before a deal"
        )

    board = commands.add_parser("board", help="check a file with the boards of the board games")
    actions = board.add_subparsers(required=True, metavar="ACTION")
    action = actions.add_parser("check", help="say what is wrong with a file of boards, tiles and cards")
    action.add_argument("file")
    action.set_defaults(run=check_boards)


def pass_on(arguments: argparse.Namespace) -> None:
    """Let a part that needs more than the core read its own arguments."""
    try:
        importlib.import_module(arguments.module).main(arguments.rest)
    except ImportError as error:
        # The fast twin tells in its own way that Numba is missing, with the reason behind it.
        missing = error if isinstance(error, ModuleNotFoundError) else error.__cause__
        if not isinstance(missing, ModuleNotFoundError):
            raise
        raise BullpenError(
            f"{missing.name} is missing: pip install 'bullpen-games[{arguments.extra}]'."
        ) from None


LEVELS = "random, easy, medium, hard, expert, deep, human, mcs"
"""The levels of our own bots, which need not be imported to be named; not every game has all of them."""


def list_games(arguments: argparse.Namespace) -> None:
    """Print every game."""
    if arguments.json:
        print(json.dumps([game_card(rules) for rules in games().values()], indent=1, ensure_ascii=False))
        return
    for rules in games().values():
        counts = rules.player_range
        _print_column(f"{rules.id:<18} {counts[0]:>2}-{counts[-1]:<2}  ", f"{rules.name}: {rules.summary}")
        for option in rules.offers:
            told = f"{option.key} = {option.default} ({option.takes}): {option.says}"
            if option.instead is not None:
                key, value, default = option.instead.key, option.instead.value, option.instead.default
                told += f" With {key} = {value} it is {default} if nothing is said."
            _print_column(" " * 26, told)
    if outside := [game for game in games() if game not in own_games()]:
        print(f"From other packages: {', '.join(outside)}. A server that was running when such a package was")
        print("installed knows its games and bots once it is started again.")


def _print_column(head: str, text: str) -> None:
    """Print a text beside its head, broken between words where the terminal ends."""
    width = max(60, shutil.get_terminal_size((100, 24)).columns)
    print(textwrap.fill(text, width, initial_indent=head, subsequent_indent=" " * len(head)))


def game_card(rules: type[Ruleset[Any]]) -> dict[str, Any]:
    """Return what a program may want to know of a game."""
    return {
        "id": rules.id,
        "name": rules.name,
        "aliases": rules.aliases,
        "players": list(rules.player_range),
        "source": rules.source,
        "description": rules.summary,
        "options": [
            {
                "key": option.key,
                "type": option.type,
                "default": option.default,
                "allowed": list(option.allowed) or option.takes,
                "description": option.says,
                "instead": msgspec.to_builtins(option.instead),
            }
            for option in rules.offers
        ],
    }


def print_rules(arguments: argparse.Namespace) -> None:
    """Print the page of a game, with headings and tables drawn where rich is installed."""
    page = rules_page(arguments.game)
    try:
        from rich.markdown import Markdown
    except ImportError:
        print(page)
        return
    console().print(Markdown(page))


def watch_game(arguments: argparse.Namespace) -> None:
    """Show random players."""
    screen = console()
    from bullpen.terminal.watch import watch

    watch(screen, arguments.game, arguments.players, seed_of(arguments), options_of(arguments))


def play_game(arguments: argparse.Namespace) -> None:
    """Let a person play."""
    screen = console()
    from bullpen.terminal.play import play

    play(
        screen, arguments.game, arguments.players, seed_of(arguments), options_of(arguments), arguments.level
    )


def prepare_bots(_arguments: argparse.Namespace) -> None:
    """Compile the levels that search and the analysis, so that nobody waits for them at a table."""
    from bullpen.bots import prepare

    prepare("hard", "expert")
    # Without Numba the bots say what to install; the analysis needs the same.
    from bullpen.analysis import prepare as prepare_analysis

    prepare_analysis()
    print("The bots are ready, and so are hints and reviews.")


def show_record(arguments: argparse.Namespace) -> None:
    """Tell a recorded game."""
    record = Record.load(arguments.file)
    screen = console()
    from bullpen.terminal.watch import show_record as show

    show(screen, record)


def check_record(arguments: argparse.Namespace) -> None:
    """Replay a record and say how it stands."""
    record = Record.load(arguments.file)
    position = check(record)
    state = f"over: {position.result.reason}" if position.result else "not finished"
    print(
        f"{arguments.file}: {record.game}, {record.players} players, {len(record.choices)} choices, {state}."
    )


def verify_record(arguments: argparse.Namespace) -> None:
    """Check the promises of the server that dealt."""
    from bullpen.server.tables.proof import Kept, verify

    commitments = [Kept.read(text) for text in arguments.commitment]
    nonces = [Kept.read(text) for text in arguments.nonce]
    print("\n".join(verify(Record.load(arguments.file), commitments, nonces).says()))


def check_boards(arguments: argparse.Namespace) -> None:
    """Say what is wrong with a file of boards, or that all is well."""
    found = check_board(arguments.file)
    if found.wrong:
        raise BullpenError("\n".join(found.wrong))
    for sentence in found.doubtful:
        print(f"Doubtful: {sentence}")
    print(f"{arguments.file}: both boards can be played on.")


def seed_of(arguments: argparse.Namespace) -> str:
    """Return the given seed or a new one."""
    return arguments.seed or str(secrets.randbelow(10**9))


def options_of(arguments: argparse.Namespace) -> dict[str, OptionValue]:
    """Return the options typed as KEY=VALUE."""
    offered = {option.key: option for option in find(arguments.game).offers}
    values: dict[str, OptionValue] = {}
    for typed in arguments.option:
        key, equals, text = typed.partition("=")
        if not equals:
            raise BadOption(f"{typed[:40]!r} should be KEY=VALUE.")
        values[key] = offered[key].read(text) if key in offered else text
    return values


def console() -> "Console":
    """Return a console to draw on, or say what to install."""
    try:
        from rich.console import Console
    except ImportError:
        raise BullpenError("This command draws with rich: pip install 'bullpen-games[terminal]'.") from None
    # Names, seeds and what people type are no markup.
    return Console(markup=False, emoji=False)


if __name__ == "__main__":
    sys.exit(main())
