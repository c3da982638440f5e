"""Looking to the end of a trick: where cards lie open, what an option brings can simply be played out."""

from collections.abc import Callable
from typing import Any

from bullpen.engine import Ask, Choice, Seeded, Step
from bullpen.rulesets.base import PLACE_NEXT

Answer = Callable[[Any, Any, Ask], Choice]
"""Answers a question that comes up on the way, from the rules, the position and the question."""
Place = Callable[[Any, Any], None]
"""Places the next card on the table, as if nobody wanted to use a special card."""


def end_of_trick(rules: Any, position: Any, ask: Ask, option: Choice, answer: Answer, place: Place) -> Any:
    """Return the position after an option when the cards on the table have been placed.

    Nobody is asked about special cards on the way: listing all that could be done with them, before every
    card, would take most of the time. Last cards play themselves, and go on until somebody is asked.
    """
    after, trick = position.copy(), position.trick
    question: Ask | None = ask
    while question is not None:
        after.answers[question.seats[0]] = option
        question = _next_question(rules, after, trick, place)
        if question is not None:
            option = answer(rules, after, question)
    return after


def _next_question(rules: Any, position: Any, trick: int, place: Place) -> Ask | None:
    """Do step after step until somebody has to decide, or no card of this trick is left to be placed."""
    position.asks = ()
    while position.agenda:
        step = position.agenda.pop()
        if step != PLACE_NEXT or position.trick != trick:
            _do(rules, position, step)
        elif position.table:
            place(rules, position)
        elif any(len(hand) > 1 for hand in position.hands):
            return None
        else:
            rules.place_next(position)
        position.answers = {ask.seats[0]: ask.options[0] for ask in position.asks if _plays_itself(ask)}
        if len(position.answers) < len(position.asks):
            return position.asks[0] if position.table and position.trick == trick else None
        position.asks = ()
    return None


def _plays_itself(ask: Ask) -> bool:
    return len(ask.options) == 1 and ask.forced


def _do(rules: Any, position: Any, step: Step) -> None:
    if step.name == "shuffle":
        (pile,) = step.args
        setattr(position, str(pile), Seeded(0).shuffle(str(pile), getattr(position, str(pile))))
    else:
        getattr(rules, step.name)(position, *step.args)
