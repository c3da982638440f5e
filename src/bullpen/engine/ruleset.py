"""Rulesets: what the play loop, the views and the records need to know of a game."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeAlias

from msgspec import Struct

from bullpen.engine.asks import Ask
from bullpen.engine.cards import FACE_DOWN, FACE_DOWN_NAME, HEADS, Card, Seat
from bullpen.engine.choices import Choice
from bullpen.engine.errors import BadOption, WrongPlayers
from bullpen.engine.events import Event, Played
from bullpen.engine.furniture import Furniture, Question
from bullpen.engine.options import Option, OptionValue, settle
from bullpen.engine.position import P, Step

Whereabouts: TypeAlias = tuple[list[Any], list[tuple[list[Any], int]]]
"""Cards, and the face-down places (a list and an index) among which all of them must be."""

PUBLIC = "public"
"""Everybody may see the cards of the zone."""
OWNER = "owner"
"""The seat whose cards they are may see them."""
NOBODY = "nobody"
"""The cards lie face down."""

NUMBERS = "numbers"
"""The family of the number cards (or tiles); special cards have families of their own."""


class Zone(Struct, frozen=True):
    """A field of the position that holds cards of one family, and who may see them.

    A zone with sight OWNER is a list with one list of cards a seat.
    """

    field: str
    sight: str = PUBLIC
    family: str = NUMBERS

    def cards(self, position: Any) -> list[Any]:
        """Return all cards that lie in this zone."""
        return _flat(getattr(position, self.field))


def _flat(held: Sequence[Any]) -> list[Any]:
    """Return the cards that lie in lists, or on the table; what lies side by side is of one sort."""
    if not held:
        return []
    if isinstance(held[0], Played):
        return [played.card for played in held]
    if isinstance(held[0], (list, tuple)):
        return [card for cards in held for card in _flat(cards)]
    return list(held)


def face_down(cards: Sequence[Any]) -> list[Any]:
    """Return as many backs as there are cards, which are all of one family."""
    back = FACE_DOWN_NAME if cards and isinstance(cards[0], str) else FACE_DOWN
    return [back] * len(cards)


class Ruleset(Generic[P]):
    """A game's rules for a number of players and agreed options; it holds no state of any game.

    Steps of the agenda are methods `name(position, *args)`. A question of kind `k` has a method
    `options_k(position, seat, *about)` that lists every legal answer.
    """

    id: ClassVar[str] = ""
    number: ClassVar[int] = 0
    """Place in the gallery of games."""
    name: ClassVar[str] = ""
    aliases: ClassVar[tuple[str, ...]] = ()
    source: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    behaviour: ClassVar[int] = 1
    """Raised when the same choices would lead to another game than before; records carry it. What a released
    version played stays, as a subclass that sets this number and no `id`: `make(game, …, behaviour=1)`."""
    player_range: ClassVar[range] = range(2, 11)
    offers: ClassVar[tuple[Option, ...]] = ()
    """The options that a table may agree on."""
    position_type: ClassVar[type[Any]]
    zones: ClassVar[tuple[Zone, ...]] = ()
    open_fields: ClassVar[frozenset[str]] = frozenset()
    """Fields of the position that hold no cards of their own, or repeat what everybody has seen."""
    questions: ClassVar[Mapping[str, Question]] = {}
    """Every kind of question with its sentence, where its answers lie and whether it is asked in secret."""
    heads: ClassVar[tuple[int, ...]] = HEADS
    """The bullheads on the cards, by number: what clients show, and what takes cost."""
    furniture: ClassVar[Furniture] = Furniture()
    """What lies on the table, for clients that know no rule."""
    alone: ClassVar[Mapping[str, str]] = {}
    """What a step becomes in a preview, in which nobody else acts: the method to call instead."""
    own_events: ClassVar[tuple[type[Event], ...]] = ()
    """The kinds of event that only this game has; their sentences are sent along."""
    asks_always: bool = False
    """Whether seats are asked even when there is one answer only. People are spared that (GEN-13); whoever
    learns from every answer, and from what it brought about, sets it to True."""

    def __init__(self, players: int, options: Mapping[str, OptionValue] | None = None) -> None:
        self.options = settle(self.offers, options or {}, self.id)
        counts = self.player_counts(self.options)
        if type(players) is not int:
            raise WrongPlayers(f"A number of players is a whole number, not {str(players)[:40]!r}.")
        if players not in counts:
            # GEN-14: printed ranges are rules, even where the cards would suffice for more.
            raise WrongPlayers(f"{self.name} is for {counts[0]} to {counts[-1]} players, not {players}.")
        self.players = players
        for option in self.offers:
            value = self.options[option.key]
            if option.seat and type(value) is int and value >= players:
                raise BadOption(f"{option.key} names seat {value}, but the seats are 0 to {players - 1}.")

    @classmethod
    def descendants(cls) -> list[type["Ruleset[Any]"]]:
        """Return every ruleset that has been imported and stands on this one."""
        return [kind for child in cls.__subclasses__() for kind in (child, *child.descendants())]

    @property
    def cooperative(self) -> bool:
        """Whether all seats win or lose together."""
        return self.furniture.team is not None

    @classmethod
    def player_counts(cls, options: Mapping[str, OptionValue]) -> range:
        """Return how many people can play with these options."""
        return cls.player_range

    def bullheads(self, cards: Iterable[Card]) -> int:
        """Return how many bullheads are printed on these cards of the game (GEN-9)."""
        return sum([self.heads[card] for card in cards])

    @classmethod
    def heads_in(cls, position: Any) -> Sequence[int]:
        """Return the bullheads by number as they are in a position: on a board, what lies on its tiles."""
        board = cls.furniture.board
        heads: Sequence[int] = cls.heads if board is None else getattr(position, board.heads)
        return heads

    # What a game must say.

    def start(self, position: P) -> None:
        """Put the first steps of a new game on the agenda."""
        raise NotImplementedError

    def resume(self, position: P) -> None:
        """Put on the agenda what comes next where cards were laid out by hand."""
        raise NotImplementedError

    def universe(self, family: str) -> list[Any]:
        """Return all cards of a family that are in play in a round."""
        raise NotImplementedError

    # Helpers for steps.

    def ask(self, position: P, kind: str, *seats: Seat, about: tuple[int | str, ...] = ()) -> None:
        """Open a question to one seat, or to a team of which any member may answer."""
        options: tuple[Choice, ...] = getattr(self, "options_" + kind)(position, seats[0], *about)
        prompt, secret = self.sentence(kind, options), self.questions[kind].secret
        prompt = prompt.format(*about) if about else prompt
        patient = self.asks_always or self.waits(position, kind, seats[0])
        ask = Ask(seats, kind, options, prompt, secret, about, patient)
        position.asks = (*position.asks, ask)

    def ask_everybody(self, position: P, kind: str) -> None:
        """Open the same question to every seat at the same time."""
        options, question = getattr(self, "options_" + kind), self.questions[kind]
        prompt, secret, always, waits = question.prompt, question.secret, self.asks_always, self.waits
        asks = []
        for seat in range(self.players):
            patient = always or waits(position, kind, seat)
            asks.append(Ask((seat,), kind, options(position, seat), prompt, secret, (), patient))
        position.asks = tuple(asks)

    def sentence(self, kind: str, options: tuple[Choice, ...]) -> str:
        """Return the sentence of a question with these options; it offers nothing else."""
        return self.questions[kind].prompt

    def waits(self, position: P, kind: str, seat: Seat) -> bool:
        """Whether a question waits for its answer even when there is only one."""
        return self.questions[kind].patient

    def answer(self, position: P) -> Choice:
        """Return the one answer that the latest question got."""
        (choice,) = position.answers.values()
        return choice

    # What previews need.

    def leave_hand(self, position: P, seat: Seat, choice: Any) -> list[Played]:
        """Move the chosen card or cards from the hand to the table."""
        raise NotImplementedError

    def row_limits(self, position: P) -> tuple[int, ...] | None:
        """Return how many places each row has before the next card takes it; None if that is not the rule."""
        return None

    def rows_on_table(self, position: P) -> int:
        """Return how many rows the table has in such a position."""
        raise NotImplementedError

    # What observations of a fixed size need.

    def table_size(self) -> tuple[int, int]:
        """Return how many rows there can be at most, and how many cards can lie in one."""
        raise NotImplementedError

    # What views and imagination need.

    def remembered(self, position: P, seat: Seat | None) -> tuple[tuple[Card, ...], ...]:
        """Return what a perfect memory knows of each bull pile: takes are public (GEN-7)."""
        return tuple(tuple(pile) for pile in position.piles)

    def whereabouts(self, position: P, seat: Seat | None) -> list[Whereabouts]:
        """Return what this seat knows of face-down cards beyond which ones they are in all."""
        return []

    def hide(self, position: P, seat: Seat | None) -> None:
        """Turn face down, in a copy, all that this seat (None: a spectator) may not see."""
        for zone in self.zones:
            cards = getattr(position, zone.field)
            if zone.sight == NOBODY:
                setattr(position, zone.field, face_down(cards))
            elif zone.sight == OWNER:
                shown = [held if owner == seat else face_down(held) for owner, held in enumerate(cards)]
                setattr(position, zone.field, shown)


def step(name: str, *args: int | str) -> Step:
    """Return the step that calls this method of the ruleset with these public arguments."""
    return Step(name, args)
