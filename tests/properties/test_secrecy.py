"""Permute what a seat cannot see: its view, its asks and the events it is told stay the same."""

import random
from typing import Any

import pytest

from bullpen.engine import (
    FACE_DOWN,
    FACE_DOWN_NAME,
    Choice,
    Event,
    OptionValue,
    Position,
    Ruleset,
    Seat,
    Seeded,
    submit,
    view,
)
from bullpen.engine.ruleset import NOBODY, OWNER, PUBLIC
from bullpen.game import Game, new_game
from bullpen.rulesets import games, make
from tests.strategies import GAMES, at_random, eagerly, step


def permuted(rules: Ruleset[Any], position: Position, seat: Seat | None, rng: random.Random) -> Position:
    """Return the position with the cards that a seat cannot see dealt differently."""
    while True:
        other = redealt(rules, position, seat, rng)
        if answer_again(rules, other, seat, rng):
            return other


def redealt(rules: Ruleset[Any], position: Position, seat: Seat | None, rng: random.Random) -> Position:
    """Return the position with the hidden cards mixed."""
    other = position.copy()
    for family in {zone.family for zone in rules.zones}:
        places: list[tuple[list[Any], int]] = []
        for zone in rules.zones:
            if zone.family != family or zone.sight == PUBLIC:
                continue
            cards = getattr(other, zone.field)
            owned = enumerate(cards) if zone.sight == OWNER else [(-1, cards)]
            assert zone.sight in (OWNER, NOBODY)
            for owner, held in owned:
                known = list(other.known[owner]) if zone.field == "hands" else []
                places += [
                    (held, index) for index, card in enumerate(held) if owner != seat and card not in known
                ]
        hidden = [held[index] for held, index in places]
        rng.shuffle(hidden)
        for (held, index), card in zip(places, hidden, strict=True):
            held[index] = card
    for hand in other.hands:
        hand.sort()
    return other


def answer_again(rules: Ruleset[Any], position: Position, seat: Seat | None, rng: random.Random) -> bool:
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


def told(events: tuple[Event, ...], seat: Seat | None) -> list[Event | None]:
    """Return the events as a seat is told them."""
    return [seen for event in events if (seen := event.seen_by(seat)) is not None]


@pytest.mark.parametrize("game", GAMES)
def test_hidden_cards_do_not_show_in_a_view(game: str) -> None:
    """At many moments of games, for every seat and a spectator."""
    kind = games()[game]
    for players in (kind.player_range[0], min(4, kind.player_range[-1]), kind.player_range[-1]):
        rng = random.Random(players)
        running = new_game(game, players, seed=players)
        for _ in range(150):
            if running.over:
                break
            step(running, rng, rng.choice((at_random, eagerly)))
            if rng.random() < 0.3 and not running.over:
                seat = rng.choice([None, *range(players)])
                other = permuted(running.rules, running.position, seat, rng)
                assert view(running.rules, other, seat) == running.view(seat)


@pytest.mark.parametrize("game", GAMES)
def test_events_do_not_tell_hidden_cards(game: str) -> None:
    """Two worlds that differ in hidden cards tell a seat the same until something is revealed."""
    kind = games()[game]
    players = min(4, kind.player_range[-1])
    rules = make(game, players)
    for seed in range(12):
        rng = random.Random(seed)
        running = Game(rules, Seeded(seed))
        for _ in range(rng.randrange(60)):
            if not running.over:
                step(running, rng, eagerly)
        if running.over or len(running.asks) < 2:
            continue
        seat, position = running.asks[0].seats[0], running.position
        other = permuted(rules, position, seat, rng)
        for ask in running.asks[1:]:
            first = submit(rules, position, ask.seats[0], any_answer(position, ask.seats[0]), Seeded(0))
            second = submit(rules, other, ask.seats[0], any_answer(other, ask.seats[0]), Seeded(0))
            position, other = first[0], second[0]
            assert told(first[1], seat) == told(second[1], seat)
            assert view(rules, position, seat) == view(rules, other, seat)


def any_answer(position: Position, seat: Seat) -> Choice:
    """Return some legal answer of a seat."""
    return next(ask.options[-1] for ask in position.open_asks if seat in ask.seats)


@pytest.mark.parametrize("game", GAMES)
def test_a_deal_tells_others_only_how_many(game: str) -> None:
    """The first events of two games with different hidden cards, seen by a spectator."""
    players = games()[game].player_range[-1]
    running = new_game(game, players, seed=3)
    public = {card for row in running.position.rows for card in row}
    for event in told(running.events, None):
        for card in getattr(event, "cards", ()):
            assert card in (FACE_DOWN, FACE_DOWN_NAME) or card in public


PILES: dict[OptionValue, list[bool]] = {"own": [True, False], "counts": [False, False], "all": [True, True]}


@pytest.mark.parametrize(("show", "visible"), PILES.items())
def test_bull_piles_are_shown_as_agreed_and_always_remembered(show: OptionValue, visible: list[bool]) -> None:
    """GEN-7: the option turns piles up or down; what was public stays in the memory of the view."""
    running = new_game("base", 2, seed=1, options={"show.bullPiles": show})
    rng = random.Random(1)
    while not all(running.position.piles):
        step(running, rng)
    seen = running.view(0)
    assert [FACE_DOWN not in pile for pile in seen.position.piles] == visible
    assert [len(pile) for pile in seen.position.piles] == [len(pile) for pile in running.position.piles]
    assert seen.piles == tuple(tuple(pile) for pile in running.position.piles)
