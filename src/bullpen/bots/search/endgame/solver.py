"""The kernel: down through tricks to the positions that follow, and up again with what they are worth."""

import numpy as np

from bullpen.bots.compiled import real, slow_kernel
from bullpen.bots.search.endgame.met_before import remember
from bullpen.bots.search.endgame.mixing import Question, keep_usual, next_question, open_level, settle
from bullpen.bots.search.endgame.state import Endgame
from bullpen.bots.search.endgame.tricks import go_on, note, open_trick


@slow_kernel(15)
def solve_cards(e: Endgame, top: int, rows: int, hands: tuple[int, int]) -> float:
    """Return what a position with `top` cards in each hand is worth; leave both mixes in e.levels.mixes[top].

    Numba cannot keep machine code of functions that call themselves, so the way down is written out.
    """
    x, t = e.levels, e.tricks
    level = top
    open_level(e, level, rows, hands, (-np.inf, np.inf))
    asked = next_question(e, level)
    while True:
        if asked.first >= 0:
            open_trick(e, level, asked)
        elif level == top:
            return real(x.value[top])
        else:
            keep_usual(e, level)
            remember(e, level)
            level += 1
            note(t, level, t.gain[level] + x.value[level - 1])
        if go_on(e, level):
            level -= 1
        else:
            tried = Question(t.places[level, 0], t.places[level, 1], t.window[level, 0], t.window[level, 1])
            settle(x, level, tried, -t.sign[level] * t.best[level])
        asked = next_question(e, level)
