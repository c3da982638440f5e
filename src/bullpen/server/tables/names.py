"""Names: what people may be called, so that everybody can see it and nobody's line is broken by it."""

import unicodedata
from collections.abc import Collection

from bullpen.server.errors import Refused

ANIMALS = ("fox", "goose", "hen", "pig", "sheep", "goat", "dog", "cat", "donkey", "mouse")
"""The animal of each seat, in the order in which clients draw them."""
MOST_LETTERS = 24
MOST_MARKS = 2
"""So many combining marks may stand on one letter; more would climb over the neighbours."""
JOINERS = "\u200c\u200d"
"""Some scripts and many pictures need these between two signs; anywhere else they are invisible."""
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks that are drawn as nothing."""
SELECTORS = frozenset([*map(chr, range(0xFE00, 0xFE10)), *map(chr, range(0x180B, 0x1810))])
"""They choose between forms of the sign before them, and are nothing by themselves."""


def clean_name(name: str, most: int = MOST_LETTERS) -> str:
    """Return a name as everybody will see it, or refuse one that cannot be seen.

    >>> clean_name("  Ann   of Cleves" + chr(0x202E))
    'Ann of Cleves'
    """
    # Forms that only look different, such as full-width letters, become the plain ones.
    plain = unicodedata.normalize("NFKC", name)
    signs = [" " if sign.isspace() else sign for sign in plain]
    kept: list[str] = []
    marks = 0
    for place, sign in enumerate(signs):
        marks = marks + 1 if is_mark(sign) else 0
        following = signs[place + 1] if place + 1 < len(signs) else ""
        if _fits(sign, kept, following) and marks <= MOST_MARKS:
            kept.append(sign)
    cleaned = " ".join("".join(kept).split())
    if not any(is_seen(sign) for sign in cleaned):
        raise Refused("bad-request", "A name needs a letter that can be seen.")
    if len(cleaned) > most:
        raise Refused("bad-request", f"A name has at most {most} letters.")
    return cleaned


def animal_name(seat: int, taken: Collection[str]) -> str:
    """Return what a person without a name is called on a seat: a name that nobody else at the table has.

    >>> animal_name(1, ["Fox", "Ann"]), animal_name(1, ["goose"])
    ('Goose', 'Goose 2')
    """
    animal, number = ANIMALS[seat % len(ANIMALS)].capitalize(), 1
    known = {name.casefold() for name in taken}
    name = animal
    while name.casefold() in known:
        number += 1
        name = f"{animal} {number}"
    return name


def is_seen(sign: str) -> bool:
    """Whether a sign is drawn by itself."""
    return unicodedata.category(sign)[0] in "LNPS" and sign not in BLANK


def is_mark(sign: str) -> bool:
    """Whether a sign is drawn onto the one before it, taking no place of its own."""
    return unicodedata.category(sign) in ("Mn", "Me")


def _fits(sign: str, before: list[str], following: str) -> bool:
    """Whether a sign may stay, after those that did."""
    on_something = bool(before) and (is_seen(before[-1]) or unicodedata.category(before[-1])[0] == "M")
    if sign in JOINERS:
        return on_something and bool(following) and is_seen(following)
    if sign in SELECTORS:
        return on_something and before[-1] not in SELECTORS
    if sign == " " or is_seen(sign):
        return True
    return unicodedata.category(sign)[0] == "M" and sign not in BLANK and on_something
