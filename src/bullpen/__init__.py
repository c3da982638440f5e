"""bullpen: a family of twenty games of rows and bullheads, for players, bots and research.

>>> import bullpen
>>> game = bullpen.new_game("base", players=4, seed=7)
>>> while not game.over:
...     ask = game.asks[0]
...     events = game.choose(ask.seats[0], ask.options[0])
>>> game.result.reason
'somebody reached 66'
"""

from bullpen.engine import (
    Ask,
    BullpenError,
    Choice,
    Event,
    IllegalChoice,
    Position,
    Result,
    Ruleset,
    Seeded,
    View,
    bullheads,
    imagine,
    parse,
    retract,
    submit,
    view,
)
from bullpen.game import Game, new_game
from bullpen.positions import position
from bullpen.records import Record, check, replay
from bullpen.rulesets import games, make

__version__ = "0.1.0"

__all__ = [
    "Ask",
    "BullpenError",
    "Choice",
    "Event",
    "Game",
    "IllegalChoice",
    "Position",
    "Record",
    "Result",
    "Ruleset",
    "Seeded",
    "View",
    "bullheads",
    "check",
    "games",
    "imagine",
    "make",
    "new_game",
    "parse",
    "position",
    "replay",
    "retract",
    "submit",
    "view",
]
