"""Action numbers: what a seat says, one number at a time, in every game of the family.

| number | what it says |
|---|---|
| 0 | wait: all that a seat can say that is not asked |
| 1-104 | this card: play, draft, keep or aim at it, or place it first |
| 105-127 | a special card: 105 + its place in the `furniture.specials` of the game |
| 128 + card | this card, flipped |
| 240-249 | this row, the top one being 240: take, join, start or aim at it |
| 250 | pass |
| 251 | that is all: no further card to keep, no further target |
| 252 | the second of two words that a special card may be used with |

The games that can do without the numbers from 244 on are `Discrete(244)` (the nine of one card a trick,
whose own numbers in the compiled twin these are, and `open`, `nifty`, `double`, `tournament` and
`board-basic`); all others are `Discrete(253)`, a game with more than four rows to take among them. A number
keeps its meaning for as long as the version of the environments does.

A choice of one part is one number: the card of `44`, `d44` and `f44`, the row of `r2`, `j2` and `s2`. A
choice of several parts is said part by part: a pair as its lower card and then the other one, the cards to
be kept one by one (ascending) and then 251, a special card and then each of its targets, with 251 behind
them where it is used with fewer targets than it can have. What is the same in all answers to a question is
not asked for, and as soon as one answer is left it is given. So the number that stands for a choice never
depends on anything but the choice, and the other way round the open question decides what a number means.
"""

from collections.abc import Iterable, Sequence
from operator import index
from typing import Any, TypeAlias

from bullpen.engine import (
    HAND,
    PLAYED,
    ROW_CARDS,
    ROWS,
    WORDS,
    BullpenError,
    Choice,
    Draft,
    IllegalChoice,
    JoinRow,
    Keep,
    Pass,
    PlaceFirst,
    PlayCard,
    PlayPair,
    Ruleset,
    StartRow,
    TakeRow,
    UseSpecial,
)

WAIT, SPECIAL, FLIP, ROW, PASS, DONE, SECOND_WORD = 0, 105, 128, 240, 250, 251, 252
PLAIN, FULL = 244, 253
"""How many numbers there are: without, and with special cards, passes and rows below the fourth."""

MOST_SPECIALS, MOST_ROWS = FLIP - SPECIAL, PASS - ROW
TWIN = frozenset(
    {
        "base", "tactics", "logic", "professional", "two-halves",
        "even-odd", "mountain", "jumping-cow", "flippin-digits",
    }
)  # fmt: skip
"""The games of one card a trick: what all of them have is all that their observations hold."""

Spelling: TypeAlias = tuple[int, ...]

_ROW_CHOICES = (TakeRow, JoinRow, StartRow)
_CARD_CHOICES = (Draft, PlaceFirst)
_CARDS = frozenset({HAND, ROW_CARDS, PLAYED})
_FULL = frozenset({"use", "swap", "draw", "keep", "start"})


class Unspeakable(BullpenError):
    """A game has choices for which there is no number."""


def action_count(rules: Ruleset[Any]) -> int:
    """Return how many action numbers a game has.

    >>> from bullpen.rulesets import make
    >>> action_count(make("base", 4)), action_count(make("nifty", 4)), action_count(make("hand", 4))
    (244, 244, 253)
    """
    more_rows = rules.table_size()[0] > PLAIN - ROW
    needs = any(
        question.does in _FULL or question.passing or (more_rows and ROWS in question.at)
        for question in rules.questions.values()
    )
    return FULL if needs else PLAIN


class Alphabet:
    """The numbers of one game, and how its choices are said with them.

    >>> from bullpen.engine import parse
    >>> from bullpen.rulesets import make
    >>> base, buffalo = Alphabet(make("base", 4)), Alphabet(make("buffalo", 4))
    >>> base.spell(parse("44")), base.spell(parse("r2")), Alphabet(make("nifty", 2)).spell(parse("12+44"))
    ((44,), (241,), (12, 44))
    >>> buffalo.spell(parse("push:7,1")), buffalo.spell(parse("last-card:7")), buffalo.spell(parse("-"))
    ((109, 7, 240), (111, 7, 251), (250,))
    """

    def __init__(self, rules: Ruleset[Any]) -> None:
        self.size = action_count(rules)
        self._specials = {
            card.name: (SPECIAL + i, card.aims) for i, card in enumerate(rules.furniture.specials)
        }
        if len(self._specials) > MOST_SPECIALS:
            raise Unspeakable(f"{rules.name} has more special cards than there are numbers for.")
        self._spelt: dict[Choice, Spelling] = {}

    def spell(self, choice: Choice) -> Spelling:
        """Return the numbers that say this choice, in order."""
        spelling = self._spelt.get(choice)
        if spelling is None:
            spelling = self._spelt[choice] = self._spell(choice)
        return spelling

    def _spell(self, choice: Choice) -> Spelling:
        if isinstance(choice, PlayCard):
            return (FLIP + choice.card if choice.flipped else choice.card,)
        if isinstance(choice, _CARD_CHOICES):
            return (choice.card,)
        if isinstance(choice, _ROW_CHOICES):
            return (_row(choice.row),)
        if isinstance(choice, PlayPair):
            return (choice.low, choice.high)
        if isinstance(choice, Keep):
            return (*choice.cards, DONE)
        if isinstance(choice, Pass):
            return (PASS,)
        if isinstance(choice, UseSpecial) and choice.name in self._specials:
            return self._spell_special(choice)
        raise Unspeakable(f"There is no number for the choice {choice}.")

    def _spell_special(self, choice: UseSpecial) -> Spelling:
        number, aims = self._specials[choice.name]
        # A card can be named in more answers than one: where it is used, and where only it is pointed at.
        targets = [_target(aim.at, target) for aim, target in zip(aims, choice.targets, strict=False)]
        return (number, *targets, DONE) if len(targets) < len(aims) else (number, *targets)

    def meaning(self, number: int) -> str:
        """Return what a number says, for people.

        >>> from bullpen.rulesets import make
        >>> [Alphabet(make("buffalo", 4)).meaning(number) for number in (0, 44, 105, 172, 241, 250)]
        ['wait', 'card 44', 'take-7', 'card 44 flipped', 'row 2', 'pass']
        """
        named = {WAIT: "wait", PASS: "pass", DONE: "that is all", SECOND_WORD: "the second word"}
        named |= {special: name for name, (special, _) in self._specials.items()}
        if number in named and number < self.size:
            return named[number]
        if WAIT < number < SPECIAL:
            return f"card {number}"
        if FLIP < number < FLIP + SPECIAL:
            return f"card {number - FLIP} flipped"
        return f"row {number - ROW + 1}" if ROW <= number < min(PASS, self.size) else "nothing"


def _row(row: int) -> int:
    if not 0 <= row < MOST_ROWS:
        raise Unspeakable(f"There is no number for row {row + 1}.")
    return ROW + row


def _target(at: str, target: int) -> int:
    if at == ROWS:
        return _row(target - 1)
    if at in _CARDS:
        return target
    if at == WORDS and target == 1:
        return SECOND_WORD
    raise Unspeakable(f"There is no number for a special card's target {target} at {at!r}.")


def number_of(action: object) -> int:
    """Return an action as a number; -1, which is never legal, for what is none.

    >>> number_of(44), number_of(None), number_of(3.5)
    (44, -1, -1)
    """
    try:
        return index(action)  # type: ignore[arg-type]
    except TypeError:
        return -1


class Answering:
    """A question being answered, number by number.

    >>> from bullpen.engine import parse
    >>> from bullpen.rulesets import make
    >>> pairs = [parse(text) for text in ("12+44", "12+55", "44+55")]
    >>> answering = Answering(Alphabet(make("nifty", 2)), pairs)
    >>> answering.legal, answering.say(12), answering.said, answering.legal
    ((12, 44), None, (12,), (44, 55))
    >>> answering.say(55)
    PlayPair(low=12, high=55)
    """

    def __init__(self, alphabet: Alphabet, options: Iterable[Choice]) -> None:
        self._ways = [(alphabet.spell(choice), choice) for choice in options]
        self._look()

    def _look(self) -> None:
        self.said: Spelling = _shared([spelling for spelling, _ in self._ways])
        """What needs no further word, said by the seat or common to all answers."""
        place = len(self.said)
        self.legal: Spelling = tuple(sorted({spelling[place] for spelling, _ in self._ways}))
        """The numbers that may be said next, ascending and never none."""

    def say(self, number: int) -> Choice | None:
        """Say a part of the answer; return the choice once there is only one left."""
        place = len(self.said)
        ways = [way for way in self._ways if way[0][place] == number]
        if not ways:
            raise IllegalChoice(f"{number} is no answer now; legal are {', '.join(map(str, self.legal))}.")
        if len(ways) == 1:
            return ways[0][1]
        self._ways = ways
        self._look()
        return None


def _shared(spellings: Sequence[Spelling]) -> Spelling:
    """Return what all of several spellings begin with; of a single one, nothing."""
    if len(spellings) < 2:
        return ()
    first, last = min(spellings), max(spellings)
    place = 0
    while place < len(first) and first[place] == last[place]:
        place += 1
    return first[:place]
