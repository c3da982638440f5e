"""Watching random players, trick by trick; and reading a record the same way."""

from collections.abc import Iterable, Mapping

from rich.console import Console
from rich.rule import Rule

from bullpen.engine import Event, OptionValue, View, events, stream, view
from bullpen.game import new_game
from bullpen.records import Record, replay, rules_of
from bullpen.terminal import draw
from bullpen.terminal.words import NAMES, Names, called, tell


def watch(
    console: Console, game: str, players: int, seed: int | str, options: Mapping[str, OptionValue]
) -> None:
    """Show a whole game of random players."""
    running = new_game(game, players, seed, options, NAMES[:players])
    names = called(running.names, running.rules.furniture)
    chooser = stream(seed, "bots")
    console.print(Rule(f"{running.rules.name}, {players} players, seed {seed}"))
    show(console, running.events, running.view(), names)
    while not running.over:
        ask = chooser.choice(running.asks)
        running.choose(ask.seats[0], chooser.choice(ask.options))
        show(console, running.events, running.view(), names)


def show_record(console: Console, record: Record) -> None:
    """Show a recorded game."""
    rules = rules_of(record)
    names = called(record.names or NAMES[: record.players], rules.furniture)
    console.print(Rule(f"{rules.name}, {record.players} players"))
    for moment in replay(record):
        show(console, moment.events, view(rules, moment.position, None), names)


def show(console: Console, happened: Iterable[Event], now: View, names: Names) -> None:
    """Tell what happened, as a spectator may know it, and draw the rows when a trick begins."""
    for event in happened:
        seen = event.seen_by(now.seat)
        sentence = tell(seen, names) if seen is not None else None
        if sentence is None or isinstance(seen, events.Dealt):
            continue
        if isinstance(seen, events.RoundStarted | events.GameEnded):
            console.print(Rule(sentence))
        elif isinstance(seen, events.TrickStarted):
            console.print(f"\n{sentence}", style="bold")
            if now.seat is None:
                console.print(draw.rows(now))
        else:
            console.print(sentence, highlight=False)
