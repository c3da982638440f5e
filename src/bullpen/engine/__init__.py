"""The engine: nouns and the play loop.

Glossary

- Card, Seat: ints.
- Ruleset: stateless; constants, one method per rulebook verb and per step.
- Position: a game at one moment, as plain data.
- Step: a name and arguments; the agenda of steps is the rest of the trick as data.
- Ask: an open question with every legal answer. Several open asks are answered at the same time, one is
  a turn, with none the engine goes on by itself.
- Choice: an answer, with a short notation.
- Event: a fact about what happened, with who may see it.
- Chance: the only randomness, passed in.
- View: what one seat may know. The one door out of a Position.
- Result: scores, ranks, reason.

Words for time: in a trick everyone plays a card (or two) and all are placed; a round is one deal played
out; a game goes on until a winner is named (GEN-1).
"""

from bullpen.engine.asks import Ask
from bullpen.engine.cards import FACE_DOWN, FACE_DOWN_NAME, HEADS, Card, Seat, bullheads, neighbour
from bullpen.engine.chance import Chance, Scripted, Seeded, stream
from bullpen.engine.choices import (
    PASS,
    PLAY,
    TAKE,
    Choice,
    Draft,
    JoinRow,
    Keep,
    Pass,
    PlaceFirst,
    PlayCard,
    PlayPair,
    StartRow,
    TakeRow,
    UseSpecial,
    parse,
)
from bullpen.engine.errors import (
    BadNotation,
    BadOption,
    BullpenError,
    IllegalChoice,
    NoMoreDeals,
    NoSeat,
    NotAsked,
    RecordError,
    UnknownBehaviour,
    UnknownGame,
    WrongPlayers,
)
from bullpen.engine.events import Event, Played
from bullpen.engine.foresight import Foreseen, preview, unseen
from bullpen.engine.furniture import (
    HAND,
    PLACES,
    PLAYED,
    ROW_CARDS,
    ROWS,
    SEATS,
    SPACES,
    WORDS,
    Aim,
    BoardParts,
    Furniture,
    Holding,
    Marker,
    Question,
    Scoring,
    SpaceKind,
    SpecialCard,
    Team,
)
from bullpen.engine.options import YES_NO, Instead, Option, OptionValue, refuse_files
from bullpen.engine.play import apply, find_ask, go_on, new_game, retract, submit
from bullpen.engine.position import P, Position, Step, Trick, shuffle
from bullpen.engine.result import Result, ranked
from bullpen.engine.ruleset import NOBODY, NUMBERS, OWNER, PUBLIC, Ruleset, Zone, step
from bullpen.engine.views import View, imagine, view

__all__ = [
    "FACE_DOWN",
    "FACE_DOWN_NAME",
    "HAND",
    "HEADS",
    "NOBODY",
    "NUMBERS",
    "OWNER",
    "PASS",
    "PLACES",
    "PLAY",
    "PLAYED",
    "PUBLIC",
    "ROWS",
    "ROW_CARDS",
    "SEATS",
    "SPACES",
    "TAKE",
    "WORDS",
    "YES_NO",
    "Aim",
    "Ask",
    "BadNotation",
    "BadOption",
    "BoardParts",
    "BullpenError",
    "Card",
    "Chance",
    "Choice",
    "Draft",
    "Event",
    "Foreseen",
    "Furniture",
    "Holding",
    "IllegalChoice",
    "Instead",
    "JoinRow",
    "Keep",
    "Marker",
    "NoMoreDeals",
    "NoSeat",
    "NotAsked",
    "Option",
    "OptionValue",
    "P",
    "Pass",
    "PlaceFirst",
    "PlayCard",
    "PlayPair",
    "Played",
    "Position",
    "Question",
    "RecordError",
    "Result",
    "Ruleset",
    "Scoring",
    "Scripted",
    "Seat",
    "Seeded",
    "SpaceKind",
    "SpecialCard",
    "StartRow",
    "Step",
    "TakeRow",
    "Team",
    "Trick",
    "UnknownBehaviour",
    "UnknownGame",
    "UseSpecial",
    "View",
    "WrongPlayers",
    "Zone",
    "apply",
    "bullheads",
    "find_ask",
    "go_on",
    "imagine",
    "neighbour",
    "new_game",
    "parse",
    "preview",
    "ranked",
    "refuse_files",
    "retract",
    "shuffle",
    "step",
    "stream",
    "submit",
    "unseen",
    "view",
]
