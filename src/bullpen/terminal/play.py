"""Playing in the terminal: one person, bots on the other seats."""

from collections.abc import Mapping

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from bullpen import bots
from bullpen.engine import Ask, BullpenError, OptionValue
from bullpen.game import Game, new_game
from bullpen.rulesets.pages import rules_page
from bullpen.terminal import draw
from bullpen.terminal.hints import hints
from bullpen.terminal.watch import show
from bullpen.terminal.words import NAMES, called

HELP = (
    "Type a choice such as {example}; options lists them all, h gives a hint, "
    "rules shows the rules, quit leaves."
)


class Quit(Exception):
    """The person has had enough."""


def play(
    console: Console, game: str, players: int, seed: int | str, options: Mapping[str, OptionValue], level: str
) -> None:
    """Play a game as seat 0 against bots of a level."""
    running = new_game(game, players, seed, options, (f"{NAMES[0]} (you)", *NAMES[1:players]))
    names = called(running.names, running.rules.furniture)
    rivals = {seat: bots.player(level, f"{seed}/{seat}") for seat in range(1, players)}
    show(console, running.events, running.view(0), names)
    try:
        while not running.over:
            mine = running.view(0).ask
            if mine is not None:
                choose(console, running, mine, level)
            else:
                ask = running.asks[0]
                seat = ask.seats[0]
                running.choose(seat, rivals[seat].choose(running.view(seat), ask))
            show(console, running.events, running.view(0), names)
    except (Quit, EOFError, KeyboardInterrupt):
        console.print("\nGoodbye.")
        return
    console.print(draw.seats(running.view(0), names))


def choose(console: Console, running: Game, ask: Ask, level: str = "medium") -> None:
    """Ask the person until the answer is legal; hints reckon with opponents of a level."""
    now, names = running.view(0), called(running.names, running.rules.furniture)
    console.print(draw.rows(now), sep="\n")
    console.print(draw.holdings(now, names), draw.seats(now, names), sep="\n")
    console.print("your hand", draw.hand(now))
    while True:
        typed = console.input(Text(f"{ask.prompt} ", style="bold")).strip()
        if typed in ("quit", "q", "exit"):
            raise Quit
        if typed == "rules":
            console.print(Markdown(rules_page(running.rules.id)))
        elif typed in ("h", "hint"):
            console.print(*hints(now, level), sep="\n", highlight=False)
        elif typed == "options":
            console.print(" ".join(option.notation for option in ask.options), highlight=False)
        elif typed in ("", "help", "?"):
            console.print(HELP.format(example=ask.options[0].notation), highlight=False)
        else:
            try:
                running.choose(0, typed)
                return
            except BullpenError as error:
                console.print(str(error), style="red", highlight=False)
