"""What is wrong with data from outside is said in our words, whatever the library that reads it calls it."""

from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from bullpen.engine.misread import misread


class Inner(Struct, forbid_unknown_fields=True):
    seat: int


class Sample(Struct, forbid_unknown_fields=True):
    number: int = 0
    pace: Annotated[float, Meta(gt=0)] = 1.0
    lives: Annotated[int, Meta(ge=1, le=5)] = 1
    name: Annotated[str, Meta(min_length=1, max_length=3)] = "Ann"
    word: Annotated[str, Meta(pattern="^a")] = "a"
    light: Literal["day", "night"] = "day"
    cards: Annotated[tuple[int, ...], Meta(max_length=2)] = ()
    pair: tuple[int, str] = (1, "a")
    likes: dict[str, int] = {}
    maybe: list[int] | None = None
    on: bool = False
    inner: tuple[Inner, ...] = ()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"number": "x"}', "`number` should be a whole number, not text"),
        ('{"number": 1.5}', "`number` should be a whole number, not a number"),
        ('{"number": 1e400}', "`number` is too large a number"),
        ('{"pace": "x"}', "`pace` should be a number, not text"),
        ('{"pace": 0}', "`pace` should be more than 0"),
        ('{"lives": 9}', "`lives` should be at most 5"),
        ('{"lives": 0}', "`lives` should be at least 1"),
        ('{"name": "Anna"}', "`name` should have at most 3 letters"),
        ('{"name": ""}', "`name` should have at least 1 letters"),
        ('{"word": "b"}', "`word` is not written as it should be"),
        ('{"light": "dusk"}', "`light` cannot be 'dusk'"),
        ('{"cards": [1, 2, 3]}', "`cards` should have at most 2 items"),
        ('{"pair": [1]}', "`pair` should have exactly 2 items"),
        ('{"likes": {"a": "b"}}', "`likes[...]` should be a whole number, not text"),
        ('{"likes": []}', "`likes` should be an object, not a list"),
        ('{"maybe": ["x"]}', "`maybe[0]` should be a whole number, not text"),
        ('{"maybe": "x"}', "`maybe` should be a list or null, not text"),
        ('{"on": 1}', "`on` should be true or false, not a whole number"),
        ('{"inner": [{}]}', "`seat` is missing in `inner[0]`"),
        ('{"inner": [{"seat": 1, "hat": 2}]}', "there is no field `hat` in `inner[0]`"),
        ('{"hat": 2}', "there is no field `hat`"),
        ("[]", "it should be an object, not a list"),
        ("{", "it ends too early"),
        ("", "it ends too early"),
        ("{a: 1}", "it is not JSON: object keys must be strings (byte 1)"),
        ("[" * 100_000, "it is nested too deeply"),
    ],
)  # fmt: skip
def test_it_is_said_in_our_words(text: str, says: str) -> None:
    kind: Any = Sample if not text.startswith("[[") else Any
    with pytest.raises((msgspec.DecodeError, RecursionError)) as wrong:
        msgspec.json.decode(text, type=kind)
    assert misread(wrong.value) == says


def test_what_is_no_text_or_no_line_is_told_in_a_line() -> None:
    with pytest.raises(UnicodeDecodeError) as wrong:
        b"\xff".decode()
    assert misread(wrong.value, "the file") == "the file is not text in UTF-8"
    assert misread(ValueError("A\nB" + chr(0x202E) + ".")) == "a?B?"
