"""The board game with luck cards: losing points brings cards that turn minus into plus."""

from bullpen.rulesets.board_basic import BoardBasic
from bullpen.rulesets.board_luck import LUCK_CARDS


class BoardBasicLuck(BoardBasic):
    """The basic game, with two open piles of luck cards beside the board.

    Clovers passed when points are lost bring luck cards; `Board.score` and `Board.gain_luck` say how.
    """

    id = "board-basic-luck"
    number = 18
    name = "Board game: basic with luck cards"
    summary = "The basic board game, in which losing points brings luck cards that turn minus into plus."
    cards = LUCK_CARDS
