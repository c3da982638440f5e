"""The games of one card a trick, chosen by all at once, and their agreed options as plain numbers."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from bullpen.engine import HEADS, OptionValue, Ruleset
from bullpen.fast.errors import NotCovered
from bullpen.fast.rules import BASE, EVEN_ODD, JUMPING_COW, LEFT_ON_TIE, MOUNTAIN, PROFESSIONAL, RIGHT_ON_TIE
from bullpen.fast.trick import FORBIDDEN, IDENTITY, NO_FLIP, PADDED
from bullpen.rulesets import make
from bullpen.rulesets.two_halves import TwoHalves

CODES = {
    "base": BASE,
    "tactics": BASE,
    "logic": BASE,
    "professional": PROFESSIONAL,
    "two-halves": BASE,
    "even-odd": EVEN_ODD,
    "mountain": MOUNTAIN,
    "jumping-cow": JUMPING_COW,
    "flippin-digits": BASE,
}
"""These games, and the placement rule that each follows."""

BOARDS = ("board-basic", "board-basic-luck", "board-expert", "board-expert-luck")
BEHAVIOURS = dict.fromkeys(BOARDS, 2)
"""The behaviour of each game that the twin plays, if it is not the first: any other is declined."""
COVERED = (*CODES, "tournament", "open", "nifty", "hand", "double", *BOARDS)
"""Every game that the twin plays: these, and those with a course of their own (`twins`)."""

_TIES = {"owner": 0, "right": RIGHT_ON_TIE, "left": LEFT_ON_TIE}
_DIGITS = {"padded": PADDED, "identity": IDENTITY, "forbidden": FORBIDDEN}


class Plan(NamedTuple):
    """A covered game for a number of players, in numbers that compiled code can read."""

    code: int
    """The placement rule (`rules.BASE` and so on)."""
    players: int
    first: int
    """Cards a seat is dealt at the start of the round."""
    second: int
    """Cards a seat is dealt at half-time; zero in all games but two-halves."""
    size: int
    """Cards in the deck: 1 to this number."""
    ascending: int
    """Whether the start rows are sorted (LOG-5)."""
    digits: int
    """How single digits flip, or NO_FLIP."""
    flip_once: int
    """Whether a flip card serves a whole game (FLIP-9)."""

    @property
    def tricks(self) -> int:
        """The tricks of a round."""
        return self.first + self.second


def not_covered(game: str) -> NotCovered:
    """Return the sentence about a game that is not of one card a trick, or not covered at all."""
    if game in COVERED:
        return NotCovered(f"{game!r} is no game of one card a trick from all at once: {', '.join(CODES)}.")
    return NotCovered(f"The fast twin does not play {game!r}; it plays {', '.join(COVERED)}.")


def plan_for(game: str, players: int, options: Mapping[str, OptionValue] | None = None) -> Plan:
    """Return the plan of a covered game; anything else raises a sentence that names what is covered.

    >>> plan_for("two-halves", 4)[:5]
    (0, 4, 12, 13, 104)
    >>> plan_for("buffalo", 4)
    Traceback (most recent call last):
    ...
    bullpen.fast.errors.NotCovered: The fast twin does not play 'buffalo'; it plays base, tactics, logic, ...
    """
    rules = make(game, players, options)
    if rules.id not in CODES:
        raise not_covered(rules.id)
    return plan_of(rules)


def plays(game: str, behaviour: int) -> bool:
    """Whether the twin plays a game under this behaviour of its rules.

    >>> plays("board-basic", 2), plays("board-basic", 1)
    (True, False)
    """
    return game in COVERED and behaviour == BEHAVIOURS.get(game, 1)


def check_rules(rules: Ruleset[Any]) -> None:
    """Refuse rules that the twin was not written for, or with other bullheads than those compiled in."""
    if not plays(rules.id, rules.behaviour):
        known = BEHAVIOURS.get(rules.id, 1)
        raise NotCovered(
            f"The fast twin plays behaviour {known} of {rules.id!r}, and not behaviour {rules.behaviour}."
        )
    if rules.heads != HEADS:
        raise NotCovered(f"The fast twin charges the printed bullheads, but {rules.name} has others.")


def plan_of(rules: Ruleset[Any]) -> Plan:
    """Return the plan of the rules of a covered game."""
    check_rules(rules)
    first, second = rules.sizes() if isinstance(rules, TwoHalves) else (10, 0)
    flips = rules.options.get("flip.singleDigit")
    return Plan(
        code=CODES[rules.id] | _TIES[str(rules.options.get("pro.tie", "owner"))],
        players=rules.players,
        first=first,
        second=second,
        size=len(rules.universe("numbers")),
        ascending=int(rules.id == "logic"),
        digits=NO_FLIP if flips is None else _DIGITS[str(flips)],
        flip_once=int(rules.options.get("flip.supply") == "game"),
    )
