"""Compiling ahead of time: what each searching level needs, in two processes at once.

What a process makes is kept on disk, where every later one finds it.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from bullpen.bots.registry import check
from bullpen.engine import Ask, Seeded, View, new_game, submit, view
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
    """Something to compile: for which levels, how, and the module of whose kernel it is."""

    levels: tuple[str, ...]
    think: Callable[[], None]
    module: str


COURSES = {"open": "open_play", "hand": "hand_turn"}
"""Games that are searched by their course: a kernel each, and a question that is asked there."""

HERE = (
    Part(("expert",), _think("expert", "base", "commit"), "bots-search-regret"),
    Part(("hard", "expert"), _think("expert", "base", "choose_row"), "bots-search-brain"),
    Part(("expert",), _think("expert", "board-basic", "commit"), "bots-search-worlds"),
    Part(("hard", "expert"), _think("hard", "nifty", "commit"), "bots-search-worlds"),
    Part(("expert",), _think("expert", "tactics", "commit", cards=3), "bots-search-endgame-solver"),
    Part(("mcs",), _think("mcs", "base", "commit"), "fast-simd-lockstep"),
)
"""What is compiled in this process, the functions that they have in common but once."""
BESIDE = (
    Part(("hard",), _think("hard", "base", "commit"), "bots-search-playouts"),
    Part(("expert",), _think("expert", "double", "commit"), "bots-search-double"),
    *(
        Part(("expert",), _think("expert", game, kind), "bots-search-course")
        for game, kind in COURSES.items()
    ),
)
"""What is compiled at the same time in another one, if there is a second core and a folder to leave it in."""


def prepare(levels: Sequence[str]) -> None:
    """Compile what these levels need, on two cores where there are two."""
    for level in levels:
        check(level, "base")
    beside = [place for place, part in enumerate(BESIDE) if set(part.levels) & set(levels)]
    other = _start([place for place in beside if _is_missing(BESIDE[place])])
    for part in HERE:
        if set(part.levels) & set(levels):
            part.think()
    if other is not None:
        # Should it have failed, what is missing is compiled here.
        other.wait()
    for place in beside:
        BESIDE[place].think()


def _is_missing(part: Part) -> bool:
    """Whether nothing is kept of a part, though it could be."""
    from bullpen.fast.cache import folder, shelf  # noqa: PLC0415 an extra

    place = folder()
    return place is not None and not any(shelf(place, "bots", part.module).glob("*.nbi"))


def _start(places: Sequence[int]) -> "subprocess.Popen[bytes] | None":
    if not places or (os.cpu_count() or 1) < 2:
        return None
    return subprocess.Popen([sys.executable, "-c", CHILD, *map(str, places)])


CHILD = (
    "import sys; from bullpen.bots.preparing import BESIDE; [BESIDE[int(n)].think() for n in sys.argv[1:]]"
)
