"""What the tests of the fan-card games share: a trick from a picture, and whole games at random."""

from collections.abc import Iterator
from typing import Any

from bullpen.engine import Event, Position, Ruleset, Seeded, new_game, parse, stream, submit
from bullpen.engine.events import MarkerMoved
from bullpen.rulesets import make
from tests.rulebook.tables import Table, set_up


def trick(game: str, rows: list[list[int]], *plays: str, options: Any = None, **fields: Any) -> Table:
    """Return a table at which seat 0, 1 … have played these cards, up to the next question.

    With one card alone, the second seat plays nothing in this trick.
    """
    rules = make(game, max(2, len(plays)), options)
    hands = [[int(play.removesuffix("*"))] for play in plays] + [[]] * (rules.players - len(plays))
    table = set_up(rules, rows, hands, **fields)
    table.position.asks = table.position.asks[: len(plays)]
    for seat, play in enumerate(plays):
        table.choose(seat, parse(play))
    return table


def waits_for_a_row(table: Table, seat: int) -> bool:
    """Return whether that seat has a card that fits nowhere, and may name any of the four rows."""
    ask = table.position.asks[0]
    rows = [choice.notation for choice in ask.options]
    return ask.kind == "choose_row" and ask.seats == (seat,) and rows == ["r1", "r2", "r3", "r4"]


def fan_card(table: Table, field: str) -> Any:
    """Return a field that only the position of a fan-card game has."""
    return getattr(table.position, field)


def moves(table: Table) -> list[tuple[int, str]]:
    """Return where the marker went, and the side it showed there."""
    return [(move.place, move.side) for move in table.happened(MarkerMoved)]


def random_game(
    game: str, players: int, seed: int, options: Any = None
) -> Iterator[tuple[Ruleset[Any], Any, tuple[Event, ...]]]:
    """Play a game at random; after every choice give the rules, the position and what has just happened."""
    rules = make(game, players, options)
    chance, random = Seeded(seed), stream(seed, "choices")
    position: Position
    position, events = new_game(rules, chance)
    yield rules, position, events
    while position.result is None:
        ask = random.choice(position.open_asks)
        position, events = submit(rules, position, ask.seats[0], random.choice(ask.options), chance)
        yield rules, position, events
