"""What holds in every position: cards are conserved, questions can be answered, steps can be done."""

import inspect
from collections import Counter
from typing import Any

from bullpen.engine import Ask, BullpenError, Position, Ruleset, Step, parse
from bullpen.testing.claims import claim

MOST_OPTIONS = 500
"""A question with more answers than this should be split into two."""

BOOKKEEPING = frozenset(
    {"points", "scores", "score_sheet", "agenda", "asks", "answers", "news", "known", "piles", "past"}
)
"""Lists of the common position that hold no cards of their own, or are looked after by every game."""


def check_position(rules: Ruleset[Any], position: Position) -> None:
    """Claim everything that can be seen from a position alone."""
    conserved(rules, position)
    answerable(rules, position)
    resolvable(rules, position)


def conserved(rules: Ruleset[Any], position: Position) -> None:
    """Every card of every family is in exactly one place, and what is known of a hand is in it."""
    for family in sorted({zone.family for zone in rules.zones}):
        zones = [zone for zone in rules.zones if zone.family == family]
        lying = Counter(card for zone in zones for card in zone.cards(position))
        wanted = Counter(rules.universe(family))
        where = ", ".join(zone.field for zone in zones)
        claim(
            lying == wanted,
            f"{rules.id}: {family} cards are not conserved in round {position.round}, trick {position.trick}:"
            f" missing {_some(wanted - lying)}, too many {_some(lying - wanted)}; the zones are {where}.",
        )
    for seat, (hand, known) in enumerate(zip(position.hands, position.known, strict=True)):
        gone = Counter(known) - Counter(hand)
        claim(not gone, f"{rules.id}: `known` says that seat {seat} holds {_some(gone)}, but it does not.")


def answerable(rules: Ruleset[Any], position: Position) -> None:
    """A seat has one open question at most, with different legal answers whose notations parse back."""
    asked = [seat for ask in position.asks for seat in ask.seats]
    claim(len(asked) == len(set(asked)), f"{rules.id}: a seat is asked twice at the same time: {asked}.")
    claim(
        set(asked) <= set(range(position.players)),
        f"{rules.id}: seats {asked} are asked, but there are {position.players}.",
    )
    claim(
        bool(position.open_asks) == (position.result is None),
        f"{rules.id}: a game waits for an answer until it has a result, and not after that.",
    )
    for ask in position.asks:
        _declared(rules, ask)
    for ask in position.open_asks:
        _wieldy(rules, ask)


def _declared(rules: Ruleset[Any], ask: Ask) -> None:
    question = rules.questions.get(ask.kind)
    claim(question is not None, f"{rules.id}: {ask.kind!r} is asked but not declared in `questions`.")
    claim(
        ask.prompt and "{" not in ask.prompt,
        f"{rules.id}: {ask.kind!r} has no whole sentence: {ask.prompt!r}.",
    )


def _wieldy(rules: Ruleset[Any], ask: Ask) -> None:
    least = 1 if ask.patient else 2
    claim(
        least <= len(ask.options) <= MOST_OPTIONS,
        f"{rules.id}: {ask.kind!r} has {len(ask.options)} options; it should have {least} to {MOST_OPTIONS}.",
    )
    notations = {option.notation for option in ask.options}
    claim(len(notations) == len(ask.options), f"{rules.id}: two options of {ask.kind!r} are written alike.")
    for option in ask.options:
        try:
            again = parse(option.notation)
        except BullpenError as error:
            claim(
                False, f"{rules.id}: {option!r} is written {option.notation!r}, which cannot be read: {error}"
            )
        else:
            claim(
                again == option, f"{rules.id}: {option!r} is written {option.notation!r}, read as {again!r}."
            )


def resolvable(rules: Ruleset[Any], position: Position) -> None:
    """Every step of the agenda is a method of the ruleset with public arguments, or the shuffle of a pile."""
    for step in position.agenda:
        claim(
            all(isinstance(argument, int | str) for argument in step.args),
            f"{rules.id}: the step {step.name!r} has arguments that are no ints and strings: {step.args}.",
        )
        if step.name == "shuffle":
            pile = step.args[0] if step.args else ""
            claim(
                isinstance(getattr(position, str(pile), None), list),
                f"{rules.id}: {pile!r} is shuffled, but it is no list of the position.",
            )
        else:
            _callable(rules, position, step)


def _callable(rules: Ruleset[Any], position: Position, step: Step) -> None:
    method = getattr(rules, step.name, None)
    claim(callable(method), f"{rules.id}: the agenda holds {step.name!r}, but there is no such method.")
    try:
        inspect.signature(method).bind(position, *step.args)  # type: ignore[arg-type]
    except TypeError as error:
        claim(False, f"{rules.id}: the step {step.name!r} does not take {step.args}: {error}.")


def undeclared(rules: Ruleset[Any], position: Position) -> set[str]:
    """Return the fields that hold a list, or a tuple of cards, and are neither zones nor said to be open."""
    looked_after = {zone.field for zone in rules.zones} | BOOKKEEPING | rules.open_fields
    return {
        field
        for field in position.__struct_fields__
        if field not in looked_after and isinstance(value := getattr(position, field), list | tuple) and value
    }


def _some(cards: Counter[Any]) -> str:
    found = [str(card) for card in cards.elements()]
    return ", ".join(found[:8]) + (" …" if len(found) > 8 else "") if found else "none"
