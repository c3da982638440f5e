"""The file format of records, version 1: its types, and reading it without trusting it."""

from typing import Literal

import msgspec
from msgspec import Struct, field

from bullpen.engine import OptionValue, RecordError, Result, Seat
from bullpen.engine.misread import misread

VERSION = 1
MOST_BYTES = 8 * 1024 * 1024


class Round(Struct, forbid_unknown_fields=True):
    """The deals of a round, each a pile and its cards; and its choices, a line a trick."""

    deals: list[tuple[str, str]] = field(default_factory=list)
    tricks: list[str] = field(default_factory=list)


class FairDeal(Struct, frozen=True, forbid_unknown_fields=True):
    """A deal that anybody can check: the promise, the seed, the seats' nonces, the piles mixed from them.

    `scheme` says how these hang together, `table` at which table it was (from scheme 2 on).
    """

    number: int
    commitment: str
    seed: str
    nonces: tuple[str, ...]
    piles: tuple[str, ...]
    scheme: int = 1
    table: str = ""


class Hint(Struct, frozen=True, forbid_unknown_fields=True):
    """A hint that a seat was given, and when."""

    round: int
    trick: int
    seat: Seat


class Document(Struct, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A record as it stands in a file."""

    format: Literal["bullpen"] = "bullpen"
    version: int = VERSION
    game: str
    behaviour: int
    players: int
    options: dict[str, OptionValue] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    rounds: list[Round] = field(default_factory=list)
    result: Result | None = None
    fair: list[FairDeal] = field(default_factory=list)
    running: bool = False
    hints: list[Hint] = field(default_factory=list)


class _Header(Struct):
    """What every version must begin with, to say which it is."""

    format: str = ""
    version: int = 0


def write(content: Document) -> str:
    """Return the document as indented JSON, the format and version in front."""
    body = msgspec.to_builtins(content)
    body = {"format": content.format, "version": content.version, **body}
    return msgspec.json.format(msgspec.json.encode(body), indent=1).decode() + "\n"


def read(text: str | bytes) -> Document:
    """Return the document that a text holds, or raise one sentence with the place of the error."""
    content = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(content) > MOST_BYTES:
        raise RecordError(f"the file is larger than {MOST_BYTES // 1024 // 1024} MiB.")
    try:
        header = msgspec.json.decode(content, type=_Header)
        if header.format != "bullpen":
            raise RecordError('this is not a bullpen record: "format" should be "bullpen".')
        if header.version != VERSION:
            raise RecordError(f"this record is of version {header.version}; this program reads {VERSION}.")
        return msgspec.json.decode(content, type=Document)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RecordError(f"not a valid record: {misread(error)}.") from None


def read_cards(text: str) -> tuple[int | str, ...]:
    """Return the cards of a deal: numbers, or names of special cards."""
    return tuple(
        int(card) if card.isascii() and card.isdecimal() and len(card) <= 4 else card for card in text.split()
    )


def read_trick(line: str, place: str) -> tuple[int, list[tuple[Seat, str]]]:
    """Return the number and the choices of a line such as `3. 0:44 1:51 1:r2`."""
    number, *choices = line.split() or [""]
    read = []
    for choice in choices:
        seat, colon, notation = choice.partition(":")
        if not colon or not _small(seat):
            raise RecordError(f"{choice[:30]!r} should be a seat, a colon and a choice - at `{place}`.")
        read.append((int(seat), notation))
    if not number.endswith(".") or not _small(number[:-1]):
        raise RecordError(f"{number[:30]!r} should be the number of a trick and a dot - at `{place}`.")
    return int(number[:-1]), read


def _small(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 6
