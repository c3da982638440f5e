"""What lies on the table of the board games, and the questions that their cards bring."""

from bullpen.engine import (
    HAND,
    ROW_CARDS,
    ROWS,
    BoardParts,
    Furniture,
    Holding,
    Marker,
    Question,
    Scoring,
    SpaceKind,
)
from bullpen.rulesets.boards.cards import BoardCard
from bullpen.rulesets.boards.check import TRACK_END
from bullpen.rulesets.boards.position import ACTIONS, LUCK

LUCK_QUESTIONS = {
    "play_luck": Question("Play a luck card for your {0}, or go on.", (LUCK,), "use", passing="Go on"),
    "choose_luck": Question("You passed a clover: choose a luck card.", ("luck_piles",), "draw"),
    "choose_two_tiles": Question("Choose the tiles of row {0} whose oxen count plus.", (ROW_CARDS,), "use"),
}


def action_questions(*families: str) -> dict[str, Question]:
    """Return the question that holders of action cards are asked, who may have cards of these families."""
    # The action cards are hidden: not even that none of them can be played now may be seen.
    asked = Question(
        "Play a card for your {0}, or go on.", (*families, ROWS, HAND), "use",
        secret=True, patient=True, passing="Go on",
    )  # fmt: skip
    return {"play_actions": asked}


SPACE_KINDS = (
    SpaceKind("blank", "blank", "Nothing happens."),
    SpaceKind("double", "two tiles", "While it can be seen, everybody plays two tiles."),
    SpaceKind("green1", "plus its oxen", "The oxen on the tile count plus."),
    SpaceKind("green2", "plus its oxen twice", "The oxen on the tile count plus, twice."),
    SpaceKind("red1", "minus its oxen", "The oxen on the tile count minus."),
    SpaceKind("red2", "minus its oxen twice", "The oxen on the tile count minus, twice."),
    SpaceKind("points", "points", "So many points, plus or minus."),
    SpaceKind(
        "take_ox", "takes the row, oxen count minus", "The oxen on all other tiles of the row count minus."
    ),
    SpaceKind("take_tiles", "takes the tiles", "All other tiles of the row go behind the taker's screen."),
    SpaceKind("draw_tile", "draw a tile", "Draw a tile."),
    SpaceKind("draw_action", "draw an action card", "Draw an action card."),
)

_ACTION_HOLDINGS = (
    Holding(ACTIONS, "Action cards", "held", specials=True, each_seat=True),
    Holding("action_deck", "Action cards to come", "draw", specials=True, counted=True),
    Holding("action_discard", "Used action cards", "discard", specials=True),
)
_LUCK_HOLDINGS = (
    Holding(LUCK, "Luck cards", "held", specials=True, each_seat=True),
    Holding("luck_piles", "Luck cards to choose from", "offer", specials=True),
)
_STOPS = Marker("stop", "Stop", "stops", holds="places", says="Nobody may put a tile at the end of this row.")


def furnished(*cards: BoardCard) -> Furniture:
    """Return the furniture of a board game with these cards beside the tiles."""
    families = {card.family for card in cards}
    return Furniture(
        specials=tuple(card.declared for card in cards),
        markers=(_STOPS,) if ACTIONS in families else (),
        holdings=(
            *(_ACTION_HOLDINGS if ACTIONS in families else ()),
            *(_LUCK_HOLDINGS if LUCK in families else ()),
        ),
        scoring=Scoring(counts="points", better="more", charges="nobody", piles="none"),
        board=BoardParts(SPACE_KINDS, -TRACK_END, TRACK_END),
        pairs=True,
    )
