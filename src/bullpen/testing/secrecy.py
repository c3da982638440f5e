"""Secrecy: what a seat cannot see may be dealt differently, and nothing that the seat is told changes."""

import random
from typing import Any

from bullpen.engine import NOBODY, OWNER, PUBLIC, Choice, Event, Position, Ruleset, Seat, Seeded, submit, view
from bullpen.game import Game
from bullpen.testing.claims import claim
from bullpen.testing.tables import eagerly, step

TRIES = 200


def permuted(rules: Ruleset[Any], position: Position, seat: Seat | None, rng: random.Random) -> Position:
    """Return the position with the cards that a seat cannot see dealt differently."""
    for _ in range(TRIES):
        other = _redealt(rules, position, seat, rng)
        if _answer_again(rules, other, seat, rng):
            return other
    return position


def _redealt(rules: Ruleset[Any], position: Position, seat: Seat | None, rng: random.Random) -> Position:
    """Return the position with the hidden cards mixed."""
    other = position.copy()
    for family in sorted({zone.family for zone in rules.zones}):
        places = _hidden_places(rules, other, family, seat)
        hidden = [held[index] for held, index in places]
        rng.shuffle(hidden)
        for (held, index), card in zip(places, hidden, strict=True):
            held[index] = card
    for hand in other.hands:
        hand.sort()
    return other


def _hidden_places(
    rules: Ruleset[Any], position: Position, family: str, seat: Seat | None
) -> list[tuple[list[Any], int]]:
    """Return every place in which a card of a family lies that the seat cannot see and does not know."""
    places: list[tuple[list[Any], int]] = []
    for zone in rules.zones:
        if zone.family != family or zone.sight == PUBLIC:
            continue
        claim(
            zone.sight in (OWNER, NOBODY),
            f"{rules.id}: zone {zone.field} has an unknown sight {zone.sight!r}.",
        )
        cards = getattr(position, zone.field)
        for owner, held in enumerate(cards) if zone.sight == OWNER else [(-1, cards)]:
            known = position.known[owner] if zone.field == "hands" else []
            places += [
                (held, index) for index, card in enumerate(held) if owner != seat and card not in known
            ]
    return places


def _answer_again(rules: Ruleset[Any], position: Position, seat: Seat | None, rng: random.Random) -> bool:
    """Let other seats' secret questions, and the answers they gave, follow from their new cards.

    False if that cannot be: a question that was seen to be answered must have had a choice.
    """
    asks = position.asks
    position.asks = asks[:0]
    for ask in asks:
        if not ask.secret or seat in ask.seats:
            position.asks = (*position.asks, ask)
            continue
        answered = position.answers.pop(ask.seats[0], None) is not None and not ask.forced
        rules.ask(position, ask.kind, *ask.seats, about=ask.about)
        again = position.asks[-1]
        if answered and again.forced:
            return False
        if answered or again.forced:
            position.answers[ask.seats[0]] = rng.choice(again.options)
    return len(position.answers) < len(position.asks)


def told(events: tuple[Event, ...], seat: Seat | None) -> list[Event]:
    """Return the events as a seat is told them."""
    return [seen for event in events if (seen := event.seen_by(seat)) is not None]


def check_view(rules: Ruleset[Any], position: Position, seat: Seat | None, rng: random.Random) -> None:
    """A seat's view is the same whatever the cards that it cannot see are."""
    one, other = view(rules, position, seat), view(rules, permuted(rules, position, seat, rng), seat)
    if one != other:
        where = _where(one.position, other.position)
        claim(False, f"{rules.id}: the view of {_whose(seat)} tells hidden cards{where}.")


def _where(one: Position, other: Position) -> str:
    fields = [name for name in one.__struct_fields__ if getattr(one, name) != getattr(other, name)]
    return f", in {', '.join(fields)}" if fields else ""


def _whose(seat: Seat | None) -> str:
    return "a spectator" if seat is None else f"seat {seat}"


def check_events(rules: Ruleset[Any], seed: int) -> None:
    """Two worlds that differ in hidden cards tell a seat the same until something is revealed."""
    rng = random.Random(seed)
    running = Game(rules, Seeded(seed))
    for _ in range(rng.randrange(60)):
        if not running.over:
            step(running, rng, eagerly)
    if running.over or len(running.asks) < 2:
        return
    seat, position = running.asks[0].seats[0], running.position
    other = permuted(rules, position, seat, rng)
    for ask in running.asks[1:]:
        answerer = ask.seats[0]
        position, news = submit(rules, position, answerer, _any_answer(position, answerer), Seeded(0))
        other, other_news = submit(rules, other, answerer, _any_answer(other, answerer), Seeded(0))
        claim(
            told(news, seat) == told(other_news, seat),
            f"{rules.id}: events after {ask.kind!r} of seat {answerer} tell hidden cards to seat {seat}.",
        )
        check_view(rules, position, seat, rng)


def _any_answer(position: Position, seat: Seat) -> Choice:
    """Return some legal answer of a seat."""
    return next(ask.options[-1] for ask in position.open_asks if seat in ask.seats)
