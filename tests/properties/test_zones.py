"""Every field of a position that could hold cards is declared, so that nothing is shown by oversight."""

import random

import pytest

from bullpen.engine import Position
from bullpen.game import new_game
from bullpen.rulesets import games
from tests.strategies import GAMES, eagerly, step

BOOKKEEPING = {"points", "scores", "score_sheet", "agenda", "asks", "answers", "news", "known"}
"""Lists of the common position that hold no cards of their own (`known` repeats cards of the hands)."""

THE_BOARD = {"board", "clovers", "oxen", "piles", "spaces", "stops"}
OPEN_TO_ALL: dict[str, set[str]] = {
    "logic": {"seats", "picks"},
    "tournament": {"seats", "picks", "sheets", "start"},
    "flippin-digits": {"has_flip"},
    "buffalo": {"firsts", "lasts", "must_fill"},
    "anniversary": {"drew", "sunk"},
    "board-basic": THE_BOARD,
    "board-basic-luck": THE_BOARD,
    "board-expert": THE_BOARD,
    "board-expert-luck": THE_BOARD,
}
"""Fields of variants that repeat what everybody has seen, or hold no cards."""


@pytest.mark.parametrize("game", GAMES)
def test_every_list_is_a_zone_or_known_to_be_open(game: str) -> None:
    """Play a while and look for lists that nobody has declared."""
    rules = games()[game]
    declared = {zone.field for zone in rules.zones} | BOOKKEEPING | OPEN_TO_ALL.get(game, set())
    running = new_game(game, rules.player_range[-1], seed=1)
    rng = random.Random(1)
    undeclared = set()
    while not running.over and running.position.round < 2:
        step(running, rng, eagerly)
        undeclared |= set_fields(running.position) - declared
    assert not undeclared


def set_fields(position: Position) -> set[str]:
    """Return the names of fields that are lists or tuples with something in them."""
    fields = position.__struct_fields__
    return {
        field for field in fields if isinstance(value := getattr(position, field), list | tuple) and value
    }
