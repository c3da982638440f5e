"""The expert board game with luck cards."""

from typing import ClassVar

from bullpen.engine import Question
from bullpen.rulesets.boards.actions import ACTION_CARDS
from bullpen.rulesets.boards.events import LuckDrawn
from bullpen.rulesets.boards.expert import BoardExpert
from bullpen.rulesets.boards.furniture import LUCK_QUESTIONS, action_questions, furnished
from bullpen.rulesets.boards.luck import LUCK_CARDS
from bullpen.rulesets.boards.position import ACTIONS, LUCK


class BoardExpertLuck(BoardExpert):
    """The expert game, with the luck cards of the basic one.

    Positive ox on a space that takes tiles scores two of them plus, then all go behind the screen (LUCK-10).
    """

    id = "board-expert-luck"
    number = 20
    name = "Board game: expert with luck cards"
    summary = "Everything at once: the expert board, action cards and luck cards."
    questions: ClassVar[dict[str, Question]] = {
        **BoardExpert.questions,
        **action_questions(ACTIONS, LUCK),
        **LUCK_QUESTIONS,
    }
    own_events = (*BoardExpert.own_events, LuckDrawn)
    furniture = furnished(*ACTION_CARDS, *LUCK_CARDS)
    cards = (*ACTION_CARDS, *LUCK_CARDS)
