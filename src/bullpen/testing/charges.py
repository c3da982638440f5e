"""What takes cost: the bullheads that the ruleset shows on its cards, and what the events tell."""

from collections.abc import Sequence
from typing import Any

from bullpen.engine import NUMBERS, Position, Ruleset
from bullpen.engine.events import RoundEnded, RoundStarted, Scored, Shared, Took
from bullpen.game import Game
from bullpen.testing.claims import claim


def check_heads(rules: Ruleset[Any], position: Position) -> None:
    """Claim that every number card has its bullheads."""
    heads, highest = rules.heads_in(position), max(rules.universe(NUMBERS))
    claim(
        highest < len(heads) and min(heads) >= 0,
        f"{rules.id}: `heads` should say for every card up to {highest} how many bullheads are on it.",
    )


def check_charges(game: Game, before: Sequence[int]) -> None:
    """Claim that takes cost what is printed, and that points move as the latest events tell.

    `before` are the points before them. Where a take charges nobody at once, and where events of the
    game's own tell more, points may move otherwise.
    """
    rules, owed = game.rules, list(before)
    for event in game.events:
        if isinstance(event, Took | Shared):
            _check_price(rules, game.position, event)
        if isinstance(event, RoundStarted):
            owed = [0] * rules.players
        elif isinstance(event, RoundEnded):
            _check_points(game, owed, event.points)
            owed = list(event.points)
        else:
            owed = _charged(rules, owed, event)
    if not any(isinstance(event, RoundEnded) for event in game.events):
        _check_points(game, owed, game.position.points)


def _check_price(rules: Ruleset[Any], position: Position, take: Took | Shared) -> None:
    heads = rules.heads_in(position)
    printed = sum(heads[card] for card in take.cards)
    claim(
        take.bullheads == printed,
        f"{rules.id}: a row with the cards {take.cards} was taken for {take.bullheads} bullheads, "
        f"but `heads` shows {printed}; charge by `self.bullheads(cards)`.",
    )


def _charged(rules: Ruleset[Any], owed: list[int], event: Any) -> list[int]:
    """Return the points after an event, as the declared scoring says."""
    charges = rules.furniture.scoring.charges
    if isinstance(event, Shared):
        more = dict.fromkeys(event.seats, event.charged)
    elif isinstance(event, Took) and charges == "team":
        more = dict.fromkeys(range(rules.players), event.bullheads) if event.seat >= 0 else {}
    elif isinstance(event, Took):
        more = {event.seat: event.bullheads}
    elif isinstance(event, Scored):
        more = {event.seat: event.change}
    else:
        more = {}
    return [points + more.get(seat, 0) for seat, points in enumerate(owed)]


def _check_points(game: Game, owed: Sequence[int], points: Sequence[int]) -> None:
    rules = game.rules
    told_otherwise = any(type(event) in rules.own_events for event in game.events)
    ended = any(isinstance(event, RoundEnded) for event in game.events)
    charges = rules.furniture.scoring.charges
    if told_otherwise or charges == "nobody" or (charges == "team" and ended):
        return
    claim(
        list(points) == list(owed),
        f"{rules.id}: the points are {tuple(points)}, but the takes so far cost {tuple(owed)}; charge what "
        f"`Took` tells, or declare in `furniture.scoring` who is charged.",
    )
