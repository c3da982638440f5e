"""Furniture: what lies on the table of a game, declared for clients that know no rule.

A ruleset says once which questions point where, what its special cards and markers are called, and which
fields of its position hold what. A client needs nothing else to draw a game that it has never heard of.
Every text is an English sentence; a client that speaks other languages finds its own by the names.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from bullpen.engine.cards import Seat

Place: TypeAlias = str
"""Where an answer lies: one of the places below, or the `field` of a holding."""

HAND = "hand"
"""A card of one's own hand."""
ROWS = "rows"
"""A row as a whole; in targets rows are counted from 1."""
ROW_CARDS = "row-cards"
"""A card in a row."""
PLAYED = "played"
"""A card waiting to be placed."""
SEATS = "seats"
"""A seat."""
SPACES = "spaces"
"""A space of a board."""
WORDS = "words"
"""Words on a button."""
PLACES = frozenset({HAND, ROWS, ROW_CARDS, PLAYED, SEATS, SPACES, WORDS})

Does: TypeAlias = Literal[
    "play", "lay", "take", "join", "start", "pick", "first", "keep", "use", "swap", "draw"
]
"""What an answer does, in a word: a client has a verb for each."""


class Question(Struct, frozen=True):
    """One kind of question: its sentence, where its answers lie and what they do.

    A secret one is the answerer's own business (see `Ask`), a patient one waits even for the only answer.
    `passing` is what a pass means here, where one can pass.
    """

    prompt: str
    at: tuple[Place, ...] = (HAND,)
    does: Does = "play"
    secret: bool = False
    patient: bool = False
    passing: str = ""


class Aim(Struct, frozen=True):
    """What one number behind a special card's name points at; `says` is for words on a button."""

    at: Place
    says: str = ""


class SpecialCard(Struct, frozen=True):
    """A special card: its name in notation, its title, a sentence about it, and what its targets are.

    `marks` says that it lies at a row once it is used; one that is `loose` is no card at all but an act
    written like one.
    """

    name: str
    title: str
    says: str
    aims: tuple[Aim, ...] = ()
    marks: bool = False
    loose: bool = False


class Marker(Struct, frozen=True):
    """A thing that lies at a row or at a seat, and the field of the position that says at which.

    `holds` is how it says so: the number of one `place`, several `places`, for every place a list of
    `names`, or for every place a `flag`. `side` is the field that tells which of `sides` is up. `during`
    names a field: with nothing in it the marker is of no interest. `fills` says that it takes up a place of
    its row.
    """

    name: str
    title: str
    field: str
    at: Literal["row", "seat"] = "row"
    holds: Literal["place", "places", "names", "flags"] = "place"
    says: str = ""
    side: str = ""
    sides: dict[str, str] = {}
    during: str = ""
    fills: bool = False


class Holding(Struct, frozen=True):
    """A field that holds cards beside rows, hands and bull piles: whose they are and how much is seen.

    `role` tells a client what it is for: a `display` to pick from, an `offer` of special cards to use,
    cards `held` by the seats, cards `taken` and not yet divided, a pile to `draw` from, the `discard` pile.
    """

    field: str
    title: str
    role: Literal["display", "offer", "held", "taken", "draw", "discard"]
    specials: bool = False
    each_seat: bool = False
    counted: bool = False
    """Whether one may only count them."""


class Team(Struct, frozen=True):
    """All seats win or lose together, against an opponent that plays by itself.

    `opponent_seat` stands for it in events; `cards` is the holding with its cards. `silent` says that
    nobody talks while hidden cards are being chosen.
    """

    opponent: str
    opponent_seat: Seat = -1
    cards: str = ""
    silent: bool = True


class Scoring(Struct, frozen=True):
    """What is counted, whether less or more is better, and what a take does at once.

    A take raises the running `points` of the `taker` or of the whole `team`, or `nobody`'s because the game
    says in other events what it is worth. Bull piles belong to the `seats`, to the `sides` (the team's is
    the first, its opponent's the second), or there are `none`.
    """

    counts: Literal["bullheads", "points"] = "bullheads"
    better: Literal["less", "more"] = "less"
    charges: Literal["taker", "team", "nobody"] = "taker"
    piles: Literal["seats", "sides", "none"] = "seats"


class SpaceKind(Struct, frozen=True):
    """A kind of space on a board, for the legend."""

    name: str
    title: str
    says: str


class BoardParts(Struct, frozen=True):
    """A board: the fields that tell what is printed where, and what the spaces mean.

    `printed` holds the names of the spaces row by row, `spaces` the space of every tile, `heads` what is on
    each tile by its number, `clovers` the marks on the score track, which runs from `least` to `most`. A
    space whose name is a signed number is of the kind `points`.
    """

    kinds: tuple[SpaceKind, ...]
    least: int
    most: int
    printed: str = "board"
    spaces: str = "spaces"
    heads: str = "oxen"
    clovers: str = "clovers"


class Furniture(Struct, frozen=True):
    """All that lies on the table beside rows and hands."""

    specials: tuple[SpecialCard, ...] = ()
    markers: tuple[Marker, ...] = ()
    holdings: tuple[Holding, ...] = ()
    team: Team | None = None
    scoring: Scoring = Scoring()
    board: BoardParts | None = None
    both_ends: bool = False
    """Whether rows grow to the left, too."""
    twins: bool = False
    """Whether equal cards lie on each other and share a place."""
    pairs: bool = False
    """Whether two cards are, or can be, played at once."""
    in_turn: bool = False
    """Whether cards are laid one seat after another instead of all at once."""
