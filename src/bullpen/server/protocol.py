"""The protocol: every message between server and client, typed in one place.

`python -m bullpen.server.schema` writes the JSON Schema and the TypeScript types that follow from this file.

The idea: a table is a log of numbered steps. The server sends a `snapshot` once, then an `update` for the
steps after `since` up to `number`; a client whose last number is not `since` has missed something and asks
to `resume`. Whatever an update leaves out has not changed.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from bullpen.engine import Choice, Event, Foreseen, Furniture, Instead, OptionValue, Played, Question, Result
from bullpen.records import FairDeal
from bullpen.rulesets import own_games

ABSENT_SECONDS = 30
"""After so many seconds without a connection others may let a bot play for a person."""
STRANGERS_CLOCK = 60
"""The seconds a decision at a table where strangers may sit down, unless the maker says otherwise."""
MOST_BYTES = 4096
"""The size of the largest message that a client may send over a socket."""

Id: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]
Number: TypeAlias = Annotated[int, Meta(ge=0, le=2**53)]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=9)]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=24)]
SeatName: TypeAlias = Annotated[str, Meta(max_length=24)]
"""A name at a table; whoever gives none is called by the animal of the seat."""
Level: TypeAlias = Annotated[str, Meta(min_length=1, max_length=20)]
Notation: TypeAlias = Annotated[str, Meta(min_length=1, max_length=80)]
Nonce: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{16,64}\Z")]
Commitment: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
GameId: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]
TableCode: TypeAlias = Annotated[str, Meta(pattern=r"^[A-Za-z]{4}\Z")]
Privacy: TypeAlias = Literal["public", "private"]
TeamSays: TypeAlias = Literal["consent", "captain"]
Phase: TypeAlias = Literal["lobby", "playing", "over"]
Phrase: TypeAlias = Literal[
    "hello", "good-luck", "well-played", "thanks", "sorry", "ouch", "moo", "laugh", "think", "hurry", "wait",
    "bye",
]  # fmt: skip


# What a client sends.


class ClientMessage(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", kw_only=True):
    """A message of a client; its id is the client's own, and the same id is never applied twice."""

    id: Id


class Resume(ClientMessage, frozen=True, tag="resume"):
    """The first message on a socket, and again after a gap: the last number seen, 0 for none."""

    last: Number = 0


class Sit(ClientMessage, frozen=True, tag="sit"):
    """Take a seat before the game, or one that a bot holds in a running game; without a number the first."""

    name: SeatName
    seat: SeatNumber | None = None


class Leave(ClientMessage, frozen=True, tag="leave"):
    """Give the seat up; in a running game a bot plays on until the person comes back."""


class Start(ClientMessage, frozen=True, tag="start"):
    """Host: deal."""


class AddBot(ClientMessage, frozen=True, tag="add_bot"):
    """Host: put a bot on an open seat."""

    level: Level
    seat: SeatNumber | None = None


class Forget(ClientMessage, frozen=True, tag="forget"):
    """Leave, and take the table off my list, until I come back to it."""


class Remove(ClientMessage, frozen=True, tag="remove"):
    """Host: empty a seat before or after a game; in a running game the same as `stand_in`."""

    seat: SeatNumber


class StandIn(ClientMessage, frozen=True, tag="stand_in"):
    """Let a bot play for somebody else until that person is back.

    It is done at once for a person who has not been connected for `ABSENT_SECONDS`, otherwise when at least
    two and more than half of the others who are there ask for it.
    """

    seat: SeatNumber


class Nudge(ClientMessage, frozen=True, tag="nudge"):
    """Remind a person that everybody waits."""

    seat: SeatNumber


class HandOver(ClientMessage, frozen=True, tag="hand_over"):
    """Host: make somebody else the host."""

    seat: SeatNumber


class Rematch(ClientMessage, frozen=True, tag="rematch"):
    """Host: play again with the same seats."""


class Choose(ClientMessage, frozen=True, tag="choose"):
    """Answer one ask, in notation; to a team's ask it is a vote, and an equal vote is consent."""

    ask: Number
    choice: Notation


class TakeBack(ClientMessage, frozen=True, tag="take_back"):
    """Take a hidden answer back, possible until the last one is in."""

    ask: Number


class Mix(ClientMessage, frozen=True, tag="mix"):
    """Give a nonce that is mixed into the next deal, once, naming the commitment that it answers."""

    commitment: Commitment
    nonce: Nonce


class AskHint(ClientMessage, frozen=True, tag="hint"):
    """Note that a seat gets a hint; it is asked for over HTTP only, for the answer takes a while."""

    ask: Number


class Enter(ClientMessage, frozen=True, tag="enter"):
    """Note that somebody gave the password; it is given over HTTP only, since it takes a while to check."""


class Say(ClientMessage, frozen=True, tag="say"):
    """Say one of the phrases; a client shows it in its own language."""

    phrase: Phrase


class Ping(ClientMessage, frozen=True, tag="ping"):
    """Ask whether the server is there."""


FromClient: TypeAlias = (
    Resume | Sit | Leave | Forget | Start | AddBot | Remove | StandIn | HandOver | Rematch | Choose | TakeBack
    | Mix | Say | Nudge | Ping
)  # fmt: skip


# What the server sends.


class Settings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a table agrees on besides the options of its game; `clock` is seconds a decision, 0 for none."""

    clock: Annotated[int, Meta(ge=0, le=86400)] = 0
    privacy: Privacy = "public"
    take_back: bool = True
    team: TeamSays = "consent"
    talk: bool = True
    take_over: bool = True
    """Whether people who come later may take the seats of bots in a running game."""
    hints: bool | None = None
    """Whether players may ask for hints; null: whoever is alone with bots may."""


class SeatInfo(Struct, frozen=True, kw_only=True):
    """Who sits there; `away` means that a bot plays for a person until the person comes back.

    Whoever gave no name is not `named`: then `name` is the seat's animal in English, and a client may say it
    in the reader's language. The animals by seat: fox, goose, hen, pig, sheep, goat, dog, cat, donkey, mouse.
    """

    kind: Literal["open", "person", "bot"]
    name: str = ""
    named: bool = True
    level: str = ""
    away: bool = False
    connected: bool = False


class FairInfo(Struct, frozen=True):
    """The next deal's number and its promise, and the deals of the latest game revealed so far."""

    next: int
    commitment: str
    revealed: tuple[FairDeal, ...] = ()


class TableInfo(Struct, frozen=True, kw_only=True):
    """A table as everybody may know it."""

    id: str
    code: str
    game: str
    behaviour: int
    """The behaviour of the rules that are played here: `GET /api/games/{game}?behaviour=` tells of them."""
    title: str
    options: dict[str, OptionValue]
    settings: Settings
    phase: Phase
    seats: tuple[SeatInfo, ...]
    host: int | None
    captain: int | None
    played: int
    """How many games were finished here."""
    records: tuple[str, ...]
    """The ids of their records, oldest first."""
    fair: FairInfo
    locked: bool
    """Whether others must give a password to come in."""
    hints: bool
    """Whether players may ask for hints now."""
    hinted: tuple[int, ...]
    """How many hints each seat has had in the running or latest game."""


class AskOption(Struct, frozen=True):
    """A legal answer: its notation, the type of choice, and that type's fields beside them.

    On the wire the fields stand in the same object: `{"notation": "r2", "type": "TakeRow", "row": 1}`.
    """

    notation: str
    type: str


class AskInfo(Struct, frozen=True, kw_only=True):
    """The question to answer now; `number` goes back with the choice."""

    number: int
    kind: str
    prompt: str
    about: tuple[int | str, ...]
    secret: bool
    seats: tuple[int, ...]
    options: tuple[AskOption, ...]


class ViewInfo(Struct, frozen=True):
    """What this seat (null: a spectator) may see: face-down cards are 0, face-down special cards "?".

    `piles` is what a perfect memory knows of the bull piles.
    """

    seat: int | None
    position: "PositionInfo"
    piles: tuple[tuple[int, ...], ...]


class PositionInfo(Struct, frozen=True, kw_only=True):
    """The fields that every game's position has; a game adds its own beside them."""

    players: int
    rows: list[list[int]]
    hands: list[list[int]]
    piles: list[list[int]]
    table: list[Played]
    deck: list[int]
    aside: list[int]
    known: list[list[int]]
    points: list[int]
    scores: list[int]
    score_sheet: list[tuple[int, ...]]
    round: int
    trick: int
    result: Result | None


class Clock(Struct, frozen=True):
    """Milliseconds of animation first, then milliseconds until a bot chooses, counted from this message."""

    animation: int
    left: int | None = None


class You(Struct, frozen=True):
    """Who the receiver is at this table: the seat, or null for a spectator."""

    seat: int | None
    host: bool


class ServerMessage(Struct, frozen=True, tag_field="type", kw_only=True, omit_defaults=True):
    """A message of the server."""


class Snapshot(ServerMessage, frozen=True, tag="snapshot", omit_defaults=False):
    """Everything there is to know now, after the steps up to `number`."""

    number: int
    you: You
    table: TableInfo
    view: ViewInfo | None
    ask: AskInfo | None
    mine: str | None
    waiting: tuple[int, ...]
    votes: dict[int, str]
    clock: Clock | None
    watching: int
    secret: bool = False


NoticeKind: TypeAlias = Literal[
    "left", "removed", "timed_out", "stand_in_asked", "stood_in", "back", "taken_over", "host"
]


class Notice(Struct, frozen=True):
    """Something that people did with the seats: what, which seat, by which seat, and who sat there before."""

    kind: NoticeKind
    seat: int
    by: int | None = None
    before: str = ""


class Update(ServerMessage, frozen=True, tag="update"):
    """What the steps after `since` up to `number` brought; a field that is left out has not changed.

    `mine` is the receiver's own hidden answer, `waiting` the seats that are still being waited for, `secret`
    whether answers to what they are asked stay hidden, `notices` what everybody should be told about seats.
    """

    since: int
    number: int
    events: tuple[Event, ...]
    waiting: tuple[int, ...]
    view: ViewInfo | UnsetType | None = UNSET
    ask: AskInfo | UnsetType | None = UNSET
    mine: str | UnsetType | None = UNSET
    votes: dict[int, str] | UnsetType = UNSET
    clock: Clock | UnsetType | None = UNSET
    you: You | UnsetType = UNSET
    table: TableInfo | UnsetType = UNSET
    notices: tuple[Notice, ...] | UnsetType = UNSET
    secret: bool = False


class Ack(ServerMessage, frozen=True, tag="ack"):
    """The message with this id is done and on disk; `number` is the step it became (0 for none)."""

    id: str
    number: int = 0


ErrorCode: TypeAlias = Literal[
    "malformed", "too-large", "too-fast", "not-seated", "not-host", "not-asked", "illegal", "too-late",
    "closed", "full", "storage", "unknown-table", "unknown-record", "unknown-game", "bad-request",
    "forbidden", "confirm", "no-identity", "first-resume", "cannot-replay", "old-rules", "busy", "internal",
    "banned", "password", "sign-up-closed",
]  # fmt: skip


class Refusal(ServerMessage, frozen=True, tag="error"):
    """What was wrong, for machines and in a sentence; `retry`: after how many milliseconds to try again."""

    code: ErrorCode
    says: str
    id: str | None = None
    retry: int | None = None


Unready: TypeAlias = Literal["preparing", "failed"]


class Presence(ServerMessage, frozen=True, tag="presence"):
    """Which seats are connected now and how many watch; not numbered, the latest counts.

    `absent` tells for how many milliseconds each seat's person has not been connected (null: is there, or
    nobody is expected there). `unready` names the levels of bots that cannot decide in this game: what they
    need is still being compiled, or that failed, and then a bot of level medium decides for them.
    """

    connected: tuple[bool, ...]
    watching: int
    absent: tuple[int | None, ...]
    unready: dict[str, Unready] = {}


class Said(ServerMessage, frozen=True, tag="said"):
    """A seat said something; not numbered, gone when missed."""

    seat: int
    phrase: Phrase


class Nudged(ServerMessage, frozen=True, tag="nudged"):
    """A seat was reminded by another that everybody waits; not numbered, gone when missed."""

    seat: int
    by: int


class Announcement(ServerMessage, frozen=True, tag="announcement"):
    """What the host of the server says to everybody (nothing: no more); or that the server restarts now."""

    says: str = ""
    restarts: bool = False


class Pong(ServerMessage, frozen=True, tag="pong"):
    """The server is there; with an empty id nobody asked, and a table is between two processes."""

    id: str


FromServer: TypeAlias = Snapshot | Update | Ack | Refusal | Presence | Said | Nudged | Announcement | Pong


# What travels over plain HTTP.


class OptionInfo(Struct, frozen=True):
    """An option of a game: what it takes and a sentence about it."""

    key: str
    default: OptionValue
    says: str
    type: str
    allowed: tuple[OptionValue, ...]
    least: int | None
    seat: bool
    """Whether a number is a seat of the table, counted from 0."""
    instead: Instead | None
    """Another default, which holds where another option has a certain value."""
    file: bool
    """Whether a text is that of a file: a client lets a person paste it or choose the file."""


class GameInfo(Struct, frozen=True):
    """A game of the gallery, with all that a client must know to show it, under one behaviour of its rules.

    `questions` are its kinds of question, `furniture` is what lies on the table, `heads` are the bullheads on
    the cards by number (empty where the position has them), `events` the sentences of its own events.
    """

    id: str
    behaviour: int
    name: str
    players: tuple[int, ...]
    source: str
    summary: str
    options: tuple[OptionInfo, ...]
    questions: dict[str, Question]
    furniture: Furniture
    heads: tuple[int, ...]
    events: dict[str, str]


class Games(Struct, frozen=True):
    """Every game, and the bots' levels from weakest to strongest."""

    games: tuple[GameInfo, ...]
    levels: tuple[str, ...]
    phrases: tuple[str, ...]
    analysis: bool
    """Whether this server gives hints and reviews."""


Wishes: TypeAlias = dict[
    Annotated[str, Meta(max_length=40)],
    bool | Annotated[int, Meta(ge=-(2**31), le=2**31)] | Annotated[str, Meta(max_length=MOST_BYTES)],
]
"""Options by name; a text may be that of a file."""


class Agreement(Struct, frozen=True, forbid_unknown_fields=True):
    """Options that somebody thinks of agreeing on, for so many players."""

    players: Annotated[int, Meta(ge=1, le=10)]
    options: Wishes = {}


class Agreed(Struct, frozen=True):
    """All options as they would be, and the printed spaces of the board row by row, if there is one."""

    options: dict[str, OptionValue]
    board: tuple[tuple[str, ...], ...]


class NewTable(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table to be made; its maker takes seat 0 unless `name` is left out.

    A public table with open seats gets a clock of `STRANGERS_CLOCK` seconds where none is set, unless it is
    to be `unlimited`.
    """

    game: GameId
    players: Annotated[int, Meta(ge=1, le=10)]
    name: SeatName | None = None
    options: Wishes = {}
    bots: Annotated[tuple[Level, ...], Meta(max_length=10)] = ()
    settings: Settings = Settings()
    unlimited: bool = False
    password: Annotated[str, Meta(max_length=64)] = ""
    """What others must know to see a private table or to sit there; "" for nothing."""
    start: bool = False
    """Deal at once; nobody can have mixed that deal, so a client that may mix begins by `Begin` instead."""


class EnterTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The password of a table, which is asked for once: who gave it may come back."""

    password: Annotated[str, Meta(max_length=64)]


class JoinTable(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Take a seat at a table."""

    name: SeatName
    seat: SeatNumber | None = None


class Begin(Struct, frozen=True, forbid_unknown_fields=True):
    """Host: deal, with a nonce of mine in it that answers the commitment."""

    commitment: Commitment
    nonce: Nonce


class Seated(Struct, frozen=True):
    """The table and the seat one has there (null: none)."""

    table: TableInfo
    seat: int | None


class TableSummary(Struct, frozen=True):
    """A line of the lobby."""

    code: str
    game: str
    title: str
    phase: Phase | Literal["old"]
    """`old`: begun under rules that this version no longer plays, so it cannot go on."""
    players: int
    open: int
    names: tuple[str, ...]
    seats: tuple[int, ...]
    """The seats of these names."""
    watching: int


class Lobby(Struct, frozen=True):
    """The public tables that can be joined or watched, newest first.

    `unready` names the levels of bots for which something is still being compiled, `announcement` is what the
    host of the server says to everybody, and without `sign_up` nobody can come who was never here.
    """

    tables: tuple[TableSummary, ...]
    unready: tuple[str, ...] = ()
    announcement: str = ""
    sign_up: bool = True
    imprint: bool = False
    """Whether the host has one, which `GET /api/about` tells."""


class About(Struct, frozen=True):
    """The imprint, and what the host of the server adds about privacy, as Markdown; "" for nothing."""

    imprint: str
    privacy: str


class Me(Struct, frozen=True):
    """Who you are here: a name, and the key of a private link that brings your seats to another device.

    `before` is the name of whom this browser was before it followed such a link; it can be that person again.
    """

    name: str
    link: str
    tables: tuple[TableSummary, ...]
    before: str | None = None


Key: TypeAlias = Annotated[str, Meta(max_length=300)]


class NewMe(Struct, frozen=True, forbid_unknown_fields=True):
    """A name to be known by; or the key of a private link; or `back` to whom one was before.

    A link that would make somebody else of a visitor who is known already needs `replace`.
    """

    name: Name | None = None
    key: Key | None = None
    replace: bool = False
    back: bool = False


class KeyWish(Struct, frozen=True, forbid_unknown_fields=True):
    """A private link to look at."""

    key: Key


class KeyInfo(Struct, frozen=True):
    """Whose a private link is; who you are here; and whether that is the same person."""

    name: str
    you: str | None
    same: bool


class DeviceInfo(Struct, frozen=True):
    """A device that can come as you: its browser, when it first and last came, whether it is this one."""

    id: str
    label: str
    made: int
    seen: int
    this: bool


class BotInfo(Struct, frozen=True):
    """A bot of yours: its name, when its token was made, when it last listened, when the token ends."""

    id: str
    name: str
    made: int
    seen: int
    ends: int


class Devices(Struct, frozen=True):
    """My devices and my bots, the latest first."""

    devices: tuple[DeviceInfo, ...]
    bots: tuple[BotInfo, ...] = ()


class SignOut(Struct, frozen=True, forbid_unknown_fields=True):
    """Leave this device for good, or all devices at once."""

    everywhere: bool = False


class Revoke(Struct, frozen=True, forbid_unknown_fields=True):
    """Turn away a device or a bot, or all `others`, or end the private links that were made so far.

    Bots stay when the other devices are turned away.
    """

    device: Id | None = None
    others: bool = False
    links: bool = False


class RecordSummary(Struct, frozen=True):
    """A line of the list of finished games; `seat` is mine."""

    id: str
    game: str
    title: str
    names: tuple[str, ...]
    finished: int
    """When, in milliseconds since 1970."""
    result: Result | None
    seat: int | None = None


class Records(Struct, frozen=True):
    """My finished games, newest first."""

    records: tuple[RecordSummary, ...]


class Moment(Struct, frozen=True):
    """A step of a replay: who chose what, what happened, and what could be seen then."""

    seat: int | None
    choice: str | None
    events: tuple[Event, ...]
    view: ViewInfo
    waiting: tuple[int, ...]


class Replay(Struct, frozen=True):
    """A part of a finished game for a client that knows no rule: the moments from `first` on, of `total`."""

    id: str
    game: str
    behaviour: int
    title: str
    options: dict[str, OptionValue]
    names: tuple[str, ...]
    result: Result | None
    first: int
    total: int
    moments: tuple[Moment, ...]


class Rules(Struct, frozen=True):
    """The rules of a game for players, as Markdown with drawings, in a language that there is a page in."""

    game: str
    language: str
    markdown: str


class Invitation(Struct, frozen=True):
    """A table's address for other devices, and its QR code: modules a side, the dark ones as an SVG path."""

    url: str
    size: int
    path: str


class Handbook(Struct, frozen=True):
    """The rules of every game at once, for a client that may lose its network."""

    rules: tuple[Rules, ...]


class Looks(Struct, frozen=True):
    """What a view tells on second sight.

    Of each answer, by its notation, what would become of one card after another if nobody else acted; the
    number cards not seen yet; and how many places each row has (null where a board shows them).
    """

    goes: dict[str, tuple[Foreseen, ...]]
    unseen: tuple[int, ...]
    limits: tuple[int, ...] | None


Unit: TypeAlias = Literal["bullheads", "points", "margin"]
Better: TypeAlias = Literal["less", "more"]


class Why(Struct, frozen=True):
    """Something that speaks for or against an answer: a kind, and the numbers that belong to it.

    The kinds are those of `bullpen.analysis.Reason`; a client that does not know one says nothing of it.
    """

    kind: str
    numbers: dict[str, float]


class Worth(Struct, frozen=True, kw_only=True):
    """What one answer is worth: what is expected from now to the end of the round, and chances.

    `cost` is by how much it is worse than the best answer; `take_cost` what a take in this trick costs.
    `goes` tells what would become of one card after another if nobody else acted.
    """

    choice: str
    answer: AskOption
    goes: tuple[Foreseen, ...]
    mean: float
    cost: float
    take_chance: float
    take_cost: float
    win_chance: float
    reasons: tuple[Why, ...]


class HintWish(Struct, frozen=True, forbid_unknown_fields=True):
    """The question that I would like a hint for, by its number."""

    ask: Number


class Hint(Struct, frozen=True):
    """The best answers to a question, best first, worked out from what its seat can see."""

    ask: int
    unit: Unit
    better: Better
    options: tuple[Worth, ...]


class Hinting(Struct, frozen=True):
    """A hint, or how long it will take: the place in the queue (0: being worked on), and how much is done.

    `parts` is null once the work itself goes on; before, what works is being made ready, and so many parts
    of it had to be compiled so far.
    """

    place: int
    done: float
    parts: int | None = None
    hint: Hint | None = None


Word: TypeAlias = Literal["best", "good", "inaccuracy", "mistake", "blunder", "forced"]


class Judged(Struct, frozen=True, kw_only=True):
    """A choice of a finished game: what it cost against the best one, and a word for it.

    `moment` is the moment of the replay at which it was made, `expected` what the seat could expect of the
    whole round then. `options` are the best answer and the one that was given; none where it was forced.
    """

    moment: int
    round: int
    trick: int
    seat: int
    kind: str
    choice: str
    best: str
    cost: float
    win_cost: float
    word: Word
    expected: float
    win_chance: float
    options: tuple[Worth, ...]


class LuckShare(Struct, frozen=True):
    """What made a seat's result in one trick, in whole thousandths: the deal, the others, the own choices."""

    round: int
    trick: int
    seat: int
    deal: int
    others: int
    own: int


class TurningPoint(Struct, frozen=True):
    """A trick worth looking at again: by how much a seat's chance of winning changed, or by luck its result.

    `moment` is the moment of the replay at which the seat chose.
    """

    round: int
    trick: int
    seat: int
    amount: float
    moment: int


class Reviewed(Struct, frozen=True, kw_only=True):
    """A player's game: `par + deal + others + own` is exactly a thousand times `result`.

    `words` counts the choices by their word; `accuracy` goes from 0 to 100. In the luckiest and the
    unluckiest trick the others' cards changed most against what could be expected.
    """

    seat: int
    result: int
    par: int
    deal: int
    others: int
    own: int
    accuracy: float
    words: dict[str, int]
    luckiest: TurningPoint | None
    unluckiest: TurningPoint | None


class Review(Struct, frozen=True, kw_only=True):
    """A finished game, choice by choice."""

    version: int
    game: str
    unit: Unit
    better: Better
    decisions: tuple[Judged, ...]
    players: tuple[Reviewed, ...]
    shares: tuple[LuckShare, ...]
    turning_points: tuple[TurningPoint, ...]


class Reviewing(Struct, frozen=True):
    """A review, or how long it takes, in the same words as with a hint."""

    place: int
    done: float
    parts: int | None = None
    review: Review | None = None


class TryWish(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A moment of a finished game to be played on from, on which seat, against bots of which level."""

    moment: Number
    seat: SeatNumber
    name: SeatName = ""
    level: Level | None = None


class NewToken(Struct, frozen=True, forbid_unknown_fields=True):
    """A bot's name, and for how many days its token is good."""

    name: Name
    days: Annotated[int, Meta(ge=1, le=365)] = 90


class Token(Struct, frozen=True):
    """What a bot puts behind `Authorization: Bearer`, until it ends (milliseconds since 1970)."""

    token: str
    ends: int


class BotChoice(Struct, frozen=True, forbid_unknown_fields=True):
    """A bot's answer to an ask."""

    ask: Number
    choice: Notation
    id: Id | None = None


class BotAsk(Struct, frozen=True, tag_field="type", tag="ask", kw_only=True):
    """A line of a bot's stream: a question to answer."""

    table: str
    game: str
    seat: int
    ask: AskInfo
    view: ViewInfo
    left: int | None


class BotOver(Struct, frozen=True, tag_field="type", tag="over"):
    """A line of a bot's stream: a game has ended."""

    table: str
    game: str
    seat: int
    result: Result
    record: str | None


FromStream: TypeAlias = BotAsk | BotOver


def event_types() -> tuple[type[Event], ...]:
    """Return every kind of event of our own games, by name; an outside game sends its sentences along."""
    own_games()
    ours = [kind for kind in _descendants(Event) if kind.__module__.startswith("bullpen.")]
    return tuple(sorted(ours, key=lambda kind: kind.__name__))


def _descendants(kind: type[Event]) -> list[type[Event]]:
    return [found for child in kind.__subclasses__() for found in (child, *_descendants(child))]


def choice_types() -> tuple[type[Choice], ...]:
    """Return every kind of choice of our own games that has a notation."""
    own_games()
    ours = [kind for kind in Choice.kinds if kind.__module__.startswith("bullpen.")]
    return tuple(kind for kind in ours if not kind.__name__.startswith("_"))
