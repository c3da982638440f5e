"""Compiling ahead of time: what the searching levels need, part by part.

What a process makes is kept on disk, where every later one finds it. `bullpen prepare` compiles in two
processes at once; a server compiles in the background, in one.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from bullpen.bots.registry import check, needed
from bullpen.engine import Ask, Seeded, View, new_game, submit, view
from bullpen.machine_code import note, noted
from bullpen.rulesets import make


def _asked(game: str, kind: str, cards: int) -> tuple[View, Ask]:
    """Return a view of at most so many cards that is asked something; low cards soon lead to rows."""
    rules, chance = make(game, 2), Seeded(0)
    position, _ = new_game(rules, chance)
    while position.open_asks[0].kind != kind or len(position.hands[0]) > cards:
        ask = position.open_asks[0]
        position, _ = submit(rules, position, ask.seats[0], ask.options[0], chance)
    ask = position.open_asks[0]
    return view(rules, position, ask.seats[0]), ask


def _think(level: str, game: str, kind: str, cards: int = 99) -> Callable[[], None]:
    def think() -> None:
        from bullpen.bots import player  # noqa: PLC0415 the package stands above its modules

        seen, ask = _asked(game, kind, cards)
        player(level).choose(seen, ask)

    return think


class Part(NamedTuple):
    """Something to compile: what it is for, in words, and how."""

    says: str
    think: Callable[[], None]
    beside: bool = False
    """Whether it has so little in common with the others that another process may compile it."""


ROLLOUTS = ("playouts", "network")
"""What `hard` needs where one card is played at a time."""
SEARCH = ("search", "network", "endgame")
"""What `expert` needs where one card is played at a time."""

PARTS = {
    "playouts": Part("hard, in the card games", _think("hard", "base", "commit"), beside=True),
    "network": Part("hard, at rows", _think("expert", "base", "choose_row")),
    "search": Part("expert, in the card games", _think("expert", "base", "commit")),
    "endgame": Part("expert, in endgames", _think("expert", "tactics", "commit", cards=3)),
    "double": Part("expert, in Double", _think("expert", "double", "commit"), beside=True),
    "open": Part("expert, in Open", _think("expert", "open", "open_play"), beside=True),
    "hand": Part("expert, in Hand", _think("expert", "hand", "hand_turn"), beside=True),
    "nifty": Part("hard and expert, in Nifty", _think("hard", "nifty", "commit")),
    "boards": Part("expert, on the boards", _think("expert", "board-basic", "commit")),
    "uniform": Part("mcs", _think("mcs", "base", "commit")),
}
"""All parts, first what most tables wait for; functions that several of them use are compiled once."""


def parts_of(levels: Sequence[str]) -> tuple[str, ...]:
    """Return the parts that these levels need, in the order in which they should be compiled."""
    wanted = frozenset().union(*map(needed, levels))
    return tuple(name for name in PARTS if name in wanted)


def missing(names: Sequence[str]) -> tuple[str, ...]:
    """Return those of these parts that have not been compiled on this machine."""
    return tuple(name for name in names if not noted("bots", name))


def compile_part(name: str) -> None:
    """Compile a part, or load what is kept of it, and note that it is there."""
    PARTS[name].think()
    note("bots", name)


def prepare(levels: Sequence[str]) -> None:
    """Compile what these levels need, on two cores where there are two."""
    for level in levels:
        check(level, "base")
    names = parts_of(levels)
    beside = [name for name in names if PARTS[name].beside]
    other = _start(missing(beside))
    for name in names:
        if name not in beside:
            compile_part(name)
    if other is not None:
        # Should it have failed, what is missing is compiled here.
        other.wait()
    for name in beside:
        compile_part(name)


def _start(names: Sequence[str]) -> "subprocess.Popen[bytes] | None":
    if not names or (os.cpu_count() or 1) < 2:
        return None
    return subprocess.Popen([sys.executable, "-c", CHILD, *names])


CHILD = "import sys; from bullpen.bots.preparing import compile_part; [*map(compile_part, sys.argv[1:])]"
