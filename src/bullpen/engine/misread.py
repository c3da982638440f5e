"""Misread: what is wrong with data from outside, in words for people."""

import re

KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "null": "null",
    "array": "a list",
    "object": "an object",
}
"""What people call the types of JSON."""
BOUNDS = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}
COUNTED = {"str": "letters", "array": "items", "object": "fields"}
PLACE = re.compile(r"^(?P<says>.*?)(?: - at `(?:key` in `)?\$(?P<path>[^`]*)`)?$", re.DOTALL)
LONGEST = 200


def misread(error: Exception, subject: str = "it", given: str = "") -> str:
    """Return what is wrong, without a full stop; `subject` is what was read, `given` what it held.

    >>> from msgspec import ValidationError
    >>> misread(ValidationError("Expected `float`, got `str` - at `$.rounds[0].pace`"))
    '`rounds[0].pace` should be a number, not text'
    >>> misread(ValidationError("Expected `int` >= 1"), "--port", "'0'")
    "--port should be at least 1, not '0'"
    """
    if isinstance(error, UnicodeError):
        return f"{subject} is not text in UTF-8"
    if isinstance(error, RecursionError):
        return f"{subject} is nested too deeply"
    said = "".join(letter if letter.isprintable() else "?" for letter in str(error))
    found = PLACE.match(said)
    says, path = (found["says"], found["path"] or "") if found else (said, "")
    place = path.removeprefix(".")
    return _in_words(says, f"`{place}`" if place else subject, path, given)[:LONGEST]


def _in_words(says: str, subject: str, path: str, given: str) -> str:
    where = f" in {subject}" if path else ""
    instead = f", not {given}" if given else ""
    if found := re.match(r"Expected `([^`]+)`, got `([^`]+)`", says):
        wanted = " or ".join(KINDS.get(kind, kind) for kind in found[1].split(" | "))
        return f"{subject} should be {wanted}{instead or f', not {KINDS.get(found[2], found[2])}'}"
    if found := re.match(r"Expected `(\w+)` of (?:at (?:least|most) )?length ?(>=|<=|>|<)? ?(\d+)", says):
        bound = BOUNDS.get(found[2] or "", "exactly")
        return f"{subject} should have {bound} {found[3]} {COUNTED.get(found[1], 'bytes')}"
    if found := re.match(r"Expected `\w+` (>=|<=|>|<) (-?[\d.]+)", says):
        return f"{subject} should be {BOUNDS[found[1]]} {float(found[2]):g}{instead}"
    if found := re.match(r"Invalid (?:enum )?value (.+)", says):
        return f"{subject} cannot be {found[1]}"
    if found := re.match(r"Object missing required field `([^`]+)`", says):
        return f"`{found[1]}` is missing{where}"
    if found := re.match(r"Object contains unknown field `([^`]+)`", says):
        return f"there is no field `{found[1]}`{where}"
    if found := re.match(r"JSON is malformed: (.+)", says):
        return f"{subject} is not JSON: {found[1]}"
    return _otherwise(says, subject)


def _otherwise(says: str, subject: str) -> str:
    if says == "Input data was truncated":
        return f"{subject} ends too early"
    if says.endswith("out of range"):
        return f"{subject} is too large a number"
    if "matching regex" in says:
        return f"{subject} is not written as it should be"
    return says[:1].lower() + says[1:].rstrip(".")
