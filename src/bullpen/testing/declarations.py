"""What a ruleset declares of itself: enough to list it, to ask its questions and to draw its table."""

from typing import Any

from bullpen.engine import PLACES, Marker, Position, Ruleset, SpecialCard
from bullpen.testing.claims import claim


def check_declarations(kind: type[Ruleset[Any]]) -> None:
    """Claim that a ruleset can be listed, and that all it names exists."""
    for name in ("id", "name", "source", "summary"):
        claim(getattr(kind, name), f"{kind.__name__}: a game needs a `{name}`.")
    claim(kind.summary.endswith("."), f"{kind.id}: the summary should be a sentence.")
    claim(kind.behaviour >= 1, f"{kind.id}: `behaviour` should be a whole number from 1 up.")
    counts = kind.player_counts({option.key: option.default for option in kind.offers})
    claim(len(counts) > 0 and counts[0] >= 1, f"{kind.id}: nobody can play it: its players are {counts}.")
    for option in kind.offers:
        claim(option.says.endswith("."), f"{kind.id}: option {option.key} should be told in a sentence.")
        option.check(option.default)
    fields = set(kind.position_type.__struct_fields__)
    for zone in kind.zones:
        claim(
            zone.field in fields,
            f"{kind.id}: zone {zone.field!r} is no field of {kind.position_type.__name__}.",
        )
    _check_questions(kind)
    _check_furniture(kind, fields)


def _check_questions(kind: type[Ruleset[Any]]) -> None:
    claim(kind.questions, f"{kind.id}: it declares no `questions`.")
    places = PLACES | {holding.field for holding in kind.furniture.holdings}
    for name, question in kind.questions.items():
        claim(
            callable(getattr(kind, f"options_{name}", None)),
            f"{kind.id}: the question {name!r} has no method `options_{name}`.",
        )
        claim(question.prompt, f"{kind.id}: the question {name!r} has no prompt.")
        claim(
            question.at and set(question.at) <= places,
            f"{kind.id}: the answers to {name!r} lie at {question.at}; there are {sorted(places)}.",
        )


def _check_furniture(kind: type[Ruleset[Any]], fields: set[str]) -> None:
    furniture = kind.furniture
    places = PLACES | {holding.field for holding in furniture.holdings}
    for holding in furniture.holdings:
        claim(
            holding.field in fields, f"{kind.id}: the holding {holding.field!r} is no field of the position."
        )
    for card in furniture.specials:
        _check_special(kind, card, places)
    for marker in furniture.markers:
        _check_marker(kind, marker, fields)
    if furniture.board is not None:
        board = furniture.board
        for field in (board.printed, board.spaces, board.heads, board.clovers):
            claim(field in fields, f"{kind.id}: the board's {field!r} is no field of the position.")


def _check_special(kind: type[Ruleset[Any]], card: SpecialCard, places: frozenset[str]) -> None:
    claim(card.title, f"{kind.id}: the special card {card.name!r} has no title.")
    claim(card.says.endswith("."), f"{kind.id}: the special card {card.name!r} should be told in a sentence.")
    for aim in card.aims:
        claim(aim.at in places, f"{kind.id}: {card.name!r} points at {aim.at!r}; there are {sorted(places)}.")


def _check_marker(kind: type[Ruleset[Any]], marker: Marker, fields: set[str]) -> None:
    named = {marker.field, marker.side, marker.during} - {""}
    claim(
        named <= fields,
        f"{kind.id}: marker {marker.name!r} names {sorted(named - fields)}: no field has that name.",
    )


def check_furnished(rules: Ruleset[Any], position: Position) -> None:
    """Claim that what lies on the table is what was declared: special cards, markers and their sides."""
    furniture = rules.furniture
    titles = {card.name for card in furniture.specials}
    for holding in furniture.holdings:
        if holding.specials:
            value = getattr(position, holding.field)
            names = {name for held in value for name in held} if holding.each_seat else set(value)
            claim(
                names <= titles,
                f"{rules.id}: {sorted(names - titles)} in {holding.field} are not in its furniture.",
            )
    for marker in furniture.markers:
        if marker.holds == "names":
            at = {name for names in getattr(position, marker.field) for name in names}
            known = {other.name for other in furniture.markers if other.field == marker.field}
            claim(
                at <= known,
                f"{rules.id}: {sorted(at - known)} lie at rows, but its furniture has no such marker.",
            )
        if marker.side:
            side = getattr(position, marker.side)
            claim(
                side in marker.sides,
                f"{rules.id}: marker {marker.name!r} shows {side!r}; declared: {[*marker.sides]}.",
            )
