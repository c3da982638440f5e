"""The same deals and choices through engine and twin, compared after every choice."""

from pathlib import Path

import pytest

from bullpen.engine import Event, OptionValue
from bullpen.engine.events import Placed
from bullpen.fast.games import CODES
from bullpen.records import Record, check
from tests.conftest import SOAK
from tests.differential.shadow import TABLES, Disagreement, Shadow, play, replayed, save, shrunk

PLACEMENTS = 10_000_000 if SOAK else 200_000
COUNTS = range(2, 11)
QUOTA = PLACEMENTS // (len(TABLES) * len(COUNTS)) + 1


def test_every_covered_game_is_among_the_tables() -> None:
    assert {game for game, _ in TABLES} == set(CODES)


@pytest.mark.parametrize(("game", "options"), TABLES, ids=lambda value: str(value).replace(" ", ""))
def test_engine_and_twin_agree_after_every_choice(game: str, options: dict[str, OptionValue]) -> None:
    for players in COUNTS:
        placements, seed = 0, 0
        while placements < QUOTA:
            try:
                placements += play(game, players, options, seed)
            except Disagreement as error:
                path = save(shrunk(error.record))
                pytest.fail(f"{game}, {players} players, seed {seed}: {error}. A record is in {path}.")
            seed += 1


def suspicious_of_55(shadow: Shadow, events: tuple[Event, ...]) -> list[str]:
    """Find fault with the 55 being placed, as if the twin had that wrong."""
    differences = shadow.follow(events)
    placed = [event.card for event in events if isinstance(event, Placed)]
    return differences + ["55 was placed"] * (55 in placed)


def test_a_difference_is_shrunk_to_its_round_and_saved_as_a_record(tmp_path: Path) -> None:
    for seed in range(100):
        try:
            play("base", 3, {}, seed, suspicious_of_55)
        except Disagreement as error:
            if len({deal.round for deal in error.record.deals}) > 1:
                found = error
                break
    small = shrunk(found.record, suspicious_of_55)
    saved = Record.load(save(small, tmp_path))
    assert {deal.round for deal in saved.deals} == {1}
    assert len(saved.choices) < len(found.record.choices)
    assert replayed(saved, suspicious_of_55)[1] == ["55 was placed"]
    check(saved)
