"""What an option costs, estimated by somebody who knows the game's own cards: one small module per game.

A heuristic works on a full position, which for a bot is one that it has imagined from its view. It may
look at the seat's own cards and at what lies open; of hidden cards it may use only how many there are.
"""

from bullpen.bots.heuristics.heuristic import Heuristic

__all__ = ["Heuristic"]
