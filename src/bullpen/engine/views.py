"""Views: the one door out of a position; and imagination, the way back in for bots."""

import random
from collections import Counter
from typing import Any

from msgspec import Struct

from bullpen.engine.asks import Ask
from bullpen.engine.cards import FACE_DOWN, FACE_DOWN_NAME, Card, Seat
from bullpen.engine.choices import Choice
from bullpen.engine.drawing import as_text
from bullpen.engine.errors import NoSeat
from bullpen.engine.options import OptionValue
from bullpen.engine.position import P, Position
from bullpen.engine.result import Result
from bullpen.engine.ruleset import NUMBERS, Ruleset


class View(Struct, frozen=True):
    """What one seat (None: a spectator) may know.

    `position` is the game with everything unknown turned face down (0, or "?" for special cards).
    `piles` is what a perfect memory knows of the bull piles, whether or not they may be looked into.
    `answered` names the seats whose hidden answer is in.
    """

    game: str
    options: dict[str, OptionValue]
    seat: Seat | None
    position: Position
    piles: tuple[tuple[Card, ...], ...]
    answered: tuple[Seat, ...]
    behaviour: int
    """Under which behaviour of the rules the game is played."""

    def __str__(self) -> str:
        """Return the table as text."""
        for kind in Ruleset.descendants():
            if (kind.id, kind.behaviour) == (self.game, self.behaviour):
                return as_text(kind, self)
        return repr(self)

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.position.players

    @property
    def rows(self) -> list[list[Card]]:
        """The rows on the table, top row first."""
        return self.position.rows

    @property
    def hand(self) -> list[Card]:
        """The viewer's own hand (empty for a spectator)."""
        return [] if self.seat is None else self.position.hands[self.seat]

    @property
    def ask(self) -> Ask | None:
        """The question that this seat should answer now, if any."""
        for ask in self.position.asks:
            if self.seat in ask.seats and self.position.answer_to(ask) is None:
                return ask
        return None

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """The seats that have not answered yet, as far as the viewer may know."""
        return tuple(
            seat
            for ask in self.position.asks
            if not any(other in self.answered for other in ask.seats)
            for seat in ask.seats
        )

    @property
    def result(self) -> Result | None:
        """How the game ended, once it has."""
        return self.position.result


def view(rules: Ruleset[P], position: P, seat: Seat | None) -> View:
    """Return what a seat (None: a spectator) may know of a position."""
    shown = face_up(rules, position, seat)
    shown.asks = tuple(ask.seen_by(seat) for ask in position.asks)
    answered = tuple(
        other
        for ask in position.asks
        for other in ask.seats
        # A hidden answer that had no alternative would betray the card, so others do not learn of it.
        if other in position.answers and (other == seat or not (ask.secret and ask.forced))
    )
    own = {other: choice for other, choice in position.answers.items() if _may_see(position, other, seat)}
    shown.answers = own
    remembered = rules.remembered(position, seat)
    return View(rules.id, rules.options, seat, shown, remembered, answered, rules.behaviour)


def face_up(rules: Ruleset[P], position: P, seat: Seat | None) -> P:
    """Return a position with the cards that a seat (None: a spectator) may see, without its questions."""
    if seat is not None and (type(seat) is not int or not 0 <= seat < position.players):
        raise NoSeat(f"There is no seat {str(seat)[:20]}; the seats are 0 to {position.players - 1}.")
    shown = position.copy()
    shown.asks, shown.answers, shown.news = (), {}, []
    rules.hide(shown, seat)
    return shown


def _may_see(position: Position, answerer: Seat, seat: Seat | None) -> bool:
    return answerer == seat or any(answerer in ask.seats and not ask.secret for ask in position.asks)


def imagine(rules: Ruleset[P], view: View, rng: random.Random) -> P:
    """Return a position that the viewer could be in, uniformly over the hidden cards."""
    position = _imagine_cards(rules, view, rng)
    while not _imagine_answers(rules, position, view, rng):
        position = _imagine_cards(rules, view, rng)
    return position


def _imagine_cards(rules: Ruleset[P], view: View, rng: random.Random) -> P:
    """Turn every face-down card into one that it could be."""
    position: P = view.position.copy()  # type: ignore[assignment]
    position.piles = [list(pile) for pile in view.piles]
    for seat, known in enumerate(position.known):
        # Cards that were seen going into a hand are there, hidden or not.
        hand = position.hands[seat]
        if FACE_DOWN in hand:
            hand[: len(known)] = known
    for cards, places in rules.whereabouts(position, view.seat):
        for card, (held, place) in zip(cards, rng.sample(places, len(cards)), strict=True):
            held[place] = card
    for family in sorted({zone.family for zone in rules.zones}):
        _fill(rules, position, family, rng)
    for hand in position.hands:
        hand.sort()
    return position


def _fill(rules: Ruleset[P], position: P, family: str, rng: random.Random) -> None:
    """Deal the unseen cards of a family to the face-down places."""
    zones = [zone for zone in rules.zones if zone.family == family]
    back = FACE_DOWN if family == NUMBERS else FACE_DOWN_NAME
    seen: Counter[Any] = Counter()
    for zone in zones:
        seen.update(zone.cards(position))
    pool = _without(sorted(rules.universe(family)), seen)
    rng.shuffle(pool)
    for zone in zones:
        value = getattr(position, zone.field)
        for cards in value if value and isinstance(value[0], list) else [value]:
            for place, card in enumerate(cards):
                if card == back:
                    cards[place] = pool.pop()


def _without(cards: list[Any], seen: Counter[Any]) -> list[Any]:
    """Return the cards of which fewer have been seen than there are, and use the seen ones up."""
    left = []
    for card in cards:
        if seen[card] > 0:
            seen[card] -= 1
        else:
            left.append(card)
    return left


def _imagine_answers(rules: Ruleset[P], position: P, view: View, rng: random.Random) -> bool:
    """Let the other seats' hidden questions and answers follow from their imagined cards.

    False if they cannot: a seat that was seen to answer has no choice with these cards, or nobody is left
    for whom the game could be waiting.
    """
    asks = position.asks
    position.asks = ()
    for ask in asks:
        if ask.options:
            position.asks = (*position.asks, ask)
        else:
            rules.ask(position, ask.kind, *ask.seats, about=ask.about)
    for ask in position.asks:
        missing = position.answer_to(ask) is None
        answered = any(seat in view.answered for seat in ask.seats)
        if missing and answered and ask.secret and ask.forced:
            return False
        if missing and (answered or (ask.secret and ask.forced)):
            options: tuple[Choice, ...] = ask.options
            position.answers[ask.seats[0]] = rng.choice(options)
    return not position.asks or len(position.answers) < len(position.asks)
