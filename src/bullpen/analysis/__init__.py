"""Analysis: what an answer is worth, what a game could have been, as a chess engine tells it.

>>> import bullpen
>>> from bullpen.analysis import evaluate
>>> game = bullpen.new_game("base", players=4, seed=7)
>>> found = evaluate(game.view(0), "quick", against="medium")
>>> found.best.choice in {option.notation for option in game.view(0).ask.options}
True

Needs NumPy and Numba: `pip install 'bullpen-games[bots]'`.
"""

from bullpen.analysis.changing import game_at, what_if
from bullpen.analysis.errors import AnalysisError
from bullpen.analysis.evaluating import evaluate
from bullpen.analysis.preparing import prepare
from bullpen.analysis.reviewing import review
from bullpen.analysis.shapes import (
    Decision,
    Evaluation,
    Moment,
    OptionValue,
    PlayerReview,
    Reason,
    Review,
    Share,
    WhatIf,
)
from bullpen.analysis.solving import Solution, solve

__all__ = [
    "AnalysisError",
    "Decision",
    "Evaluation",
    "Moment",
    "OptionValue",
    "PlayerReview",
    "Reason",
    "Review",
    "Share",
    "Solution",
    "WhatIf",
    "evaluate",
    "game_at",
    "prepare",
    "review",
    "solve",
    "what_if",
]
