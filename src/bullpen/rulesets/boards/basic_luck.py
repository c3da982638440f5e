"""The board game with luck cards: losing points brings cards that turn minus into plus."""

from typing import ClassVar

from bullpen.engine import Question
from bullpen.rulesets.boards.basic import BoardBasic
from bullpen.rulesets.boards.events import LuckDrawn
from bullpen.rulesets.boards.furniture import LUCK_QUESTIONS, furnished
from bullpen.rulesets.boards.luck import LUCK_CARDS


class BoardBasicLuck(BoardBasic):
    """The basic game, with two open piles of luck cards beside the board.

    Clovers passed when points are lost bring luck cards; `Board.score` and `Board.gain_luck` say how.
    """

    id = "board-basic-luck"
    number = 18
    name = "Board game: basic with luck cards"
    summary = "The basic board game, in which losing points brings luck cards that turn minus into plus."
    questions: ClassVar[dict[str, Question]] = {**BoardBasic.questions, **LUCK_QUESTIONS}
    own_events = (LuckDrawn,)
    furniture = furnished(*LUCK_CARDS)
    cards = LUCK_CARDS
