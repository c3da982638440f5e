"""A conformance kit for authors: whether a game or a bot keeps what all of ours keep, and why not.

>>> from bullpen.rulesets.base import Base
>>> from bullpen.testing import check_ruleset
>>> tried = check_ruleset(Base)

It plays the game with all that is installed, and `print(tried)` says what was left out.

It needs no test runner: whatever does not hold is raised as `Broken`, an AssertionError with a sentence.
"""

from bullpen.testing.bot import check_bot
from bullpen.testing.claims import Broken
from bullpen.testing.perft import Perft, perft
from bullpen.testing.ruleset import check_game, check_ruleset
from bullpen.testing.tables import at_random, eagerly, step

__all__ = [
    "Broken",
    "Perft",
    "at_random",
    "check_bot",
    "check_game",
    "check_ruleset",
    "eagerly",
    "perft",
    "step",
]
