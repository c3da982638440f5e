"""Looking to the end of a trick: where cards lie open, what an option brings can simply be played out."""

from collections.abc import Callable
from typing import Any

from bullpen.engine import Ask, Choice, Seeded, apply

Answer = Callable[[Any, Any, Ask], Choice]
"""Answers a question that comes up on the way, from the rules, the position and the question."""


def end_of_trick(rules: Any, position: Any, ask: Ask, option: Choice, answer: Answer) -> Any:
    """Return the position after an option when the cards on the table have been placed."""
    after, chance = position.copy(), Seeded(0)
    trick, number = position.trick, position.round
    apply(rules, after, ask, ask.seats[0], option, chance)
    while after.table and after.result is None and (after.round, after.trick) == (number, trick):
        (question,) = after.open_asks
        apply(rules, after, question, question.seats[0], answer(rules, after, question), chance)
    return after
