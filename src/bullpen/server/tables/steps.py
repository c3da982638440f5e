"""Steps: what a table's log is made of. A table's state follows from its steps and nothing else."""

from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from bullpen.engine import OptionValue
from bullpen.records import Hint
from bullpen.server.protocol import Settings
from bullpen.server.tables.fair import Dealt


class LogStep(Struct, frozen=True, tag_field="kind", kw_only=True, omit_defaults=True):
    """One entry of the log: when (milliseconds since 1970), and whose message with which id it followed."""

    at: int
    who: str = ""
    message: str = ""
    content: int = 0
    """The digest of that message, 0 where it is not known."""


class Origin(Struct, frozen=True):
    """Where a game is played on from that somebody wants to try again: a record, a moment, whose eyes."""

    record: str
    moment: int
    seat: int


class Created(LogStep, frozen=True, tag="created"):
    """The table was made; `secret` is what the seeds of its deals follow from."""

    code: str
    game: str
    players: int
    options: dict[str, OptionValue]
    settings: Settings
    secret: str
    behaviour: int = 1
    """The rules' behaviour when the table was made: its games are played under it to the end."""
    fair: int = 1
    """The scheme by which the table deals."""
    lock: str = ""
    """What is kept of its password."""
    origin: Origin | None = None
    """Where its games begin, if not with a deal."""


class Sat(LogStep, frozen=True, tag="sat"):
    """A person took a seat."""

    seat: int
    name: str
    named: bool = True
    """Whether the name is the person's own."""
    nonce: str = ""
    """Of scheme 1 only, like the one in `Chosen`: now a nonce names the promise that it answers."""


class BotSat(LogStep, frozen=True, tag="bot"):
    """A bot was put on a seat."""

    seat: int
    level: str
    name: str


class Emptied(LogStep, frozen=True, tag="emptied"):
    """A seat became open."""

    seat: int


class Hosted(LogStep, frozen=True, tag="hosted"):
    """Somebody else became the host."""

    seat: int | None


class Started(LogStep, frozen=True, tag="started"):
    """A game began."""


class Chosen(LogStep, frozen=True, tag="chosen"):
    """A seat's ask was answered: by the person, by the bot that sits there, or by one when time was up.

    When a team's time was up (`team`), those are to blame who had said nothing.
    """

    seat: int
    choice: str
    by: Literal["person", "bot", "clock", "team"] = "person"
    nonce: str | None = None


class Voted(LogStep, frozen=True, tag="voted"):
    """A member of a team said what the team should answer."""

    seat: int
    choice: str


class Retracted(LogStep, frozen=True, tag="retracted"):
    """A hidden answer was taken back."""

    seat: int


class Mixed(LogStep, frozen=True, tag="mixed"):
    """A seat gave a nonce for the next deal."""

    seat: int
    nonce: str


class Away(LogStep, frozen=True, tag="away"):
    """A person went away (a bot plays on) or came back; `by` is who let a bot play for somebody else."""

    seat: int
    away: bool
    by: int | None = None


class Doubted(LogStep, frozen=True, tag="doubted"):
    """Somebody asked for a bot to play for a person."""

    seat: int
    by: int


class Forgot(LogStep, frozen=True, tag="forgot"):
    """A person took the table off the own list."""

    seat: int


class Hinted(LogStep, frozen=True, tag="hinted"):
    """A seat was given a hint."""

    seat: int


class Admitted(LogStep, frozen=True, tag="admitted"):
    """Somebody gave the password of the table, or made the table."""


class Chair(Struct, omit_defaults=True):
    """Who sits on a seat: nobody, a person (`who` is the identity) or a bot (`level`)."""

    who: str = ""
    name: str = ""
    level: str = ""
    away: bool = False
    misses: int = 0
    named: bool = True
    forgotten: bool = False
    """The person does not want to see this table listed."""

    @property
    def open(self) -> bool:
        """Whether nobody sits here."""
        return not self.who and not self.level

    @property
    def person(self) -> bool:
        """Whether a person is expected to answer."""
        return bool(self.who) and not self.away


class Folded(LogStep, frozen=True, tag="folded"):
    """A table after a finished game: stands for all steps up to its number, so that they need no replay."""

    number: int
    created: Created
    chairs: tuple[Chair, ...]
    host: int | None
    played: int
    asked: int
    names: tuple[str, ...]
    """The names in the finished game."""
    position: msgspec.Raw
    dealer: Dealt
    messages: tuple[tuple[int, int], ...] = ()
    """The latest messages, as `Memory` keeps them."""
    admitted: tuple[str, ...] = ()
    """Who gave the password."""
    hints: tuple[Hint, ...] = ()
    """The hints of the finished game."""
    absent_host: str = ""


AnyStep: TypeAlias = (
    Created
    | Sat
    | BotSat
    | Emptied
    | Hosted
    | Started
    | Chosen
    | Voted
    | Retracted
    | Mixed
    | Away
    | Doubted
    | Forgot
    | Hinted
    | Admitted
)

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(AnyStep | Folded).decode
