"""What the twin says that a seat may know and do, byte by byte against the engine's views."""

import random
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bullpen.engine import OptionValue, Position, Ruleset, Seeded
from bullpen.envs.actions import Alphabet
from bullpen.envs.layout import layout, layout_of
from bullpen.envs.observing import Observer
from bullpen.fast import CHOICES, Batch, from_position, load
from bullpen.fast.errors import FastError
from bullpen.fast.games import CODES
from bullpen.game import Game
from bullpen.rulesets import make
from tests.differential.shadow import TABLES

COUNTS = range(2, 11)
MOMENTS = 40


def moments(game: Game, luck: random.Random) -> Iterator[Position]:
    """Play at random and yield every position in which nobody has answered yet, the last one included."""
    while not game.over:
        if not game.position.answers and game.asks[0].kind != "draft_pick":
            yield game.position.copy()
        ask = luck.choice(game.asks)
        game.choose(ask.seats[0], luck.choice(ask.options))
    yield game.position.copy()


def expected(game: Game, position: Position) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return what the engine's views say, and its questions."""
    observer, alphabet = Observer(game.rules), Alphabet(game.rules)
    at, game.position = game.position, position
    shared = observer.share(game.view(None))
    seats = range(game.rules.players)
    seen = np.stack([observer.write(shared, game.view(seat)) for seat in seats])
    legal = np.zeros((len(seats), CHOICES), np.uint8)
    for ask in position.asks:
        legal[ask.seats[0], [alphabet.spell(option)[0] for option in ask.options]] = 1
    legal[~legal.any(1), 0] = 1
    game.position = at
    return seen, legal


def without_draft(rules: Ruleset[Any], seen: NDArray[np.uint8]) -> None:
    """Blank what a batch cannot know of: it deals the hands of Logic."""
    for part in layout_of(rules):
        if part.name in ("known", "held.display", "mark.first"):
            seen[..., part.place] = 0


def gather(game: str, players: int, options: Mapping[str, OptionValue], seed: int) -> tuple[Any, ...]:
    """Return the rules, positions of a random game, and what the engine says of them."""
    played = Game(make(game, players, options), Seeded(seed))
    luck = random.Random(seed)
    positions = list(moments(played, luck))
    positions = luck.sample(positions, min(MOMENTS, len(positions) - 1)) + positions[-1:]
    said = [expected(played, position) for position in positions]
    return played.rules, positions, np.stack([seen for seen, _ in said]), np.stack([may for _, may in said])


@pytest.mark.parametrize(
    ("game", "players"), [("tournament", 3), ("open", 2), ("open", 9), ("double", 4), ("double", 10)]
)
def test_so_does_one_of_a_game_with_a_course_of_its_own(game: str, players: int) -> None:
    rules, positions, seen, legal = gather(game, players, {}, seed=players)
    batch: Any = Batch(game, players, len(positions))
    for b, position in enumerate(positions):
        load(batch, b, from_position(rules, position))
        batch.rounds[b] = position.round
    ours = np.full((batch.size, players, batch.observation_size), 77, np.uint8)
    batch.observe_into(ours)
    mask = np.full((batch.size, players, CHOICES), 77, np.int8)
    batch.legal_into(mask)
    if game == "tournament":
        without_draft(rules, seen)
    assert np.array_equal(ours, seen), differing(rules, ours, seen)
    assert np.array_equal(mask, legal)
    one = np.zeros((batch.size, batch.observation_size), np.uint8)
    batch.observe_into(one, seat=1, where=np.arange(batch.size) % 2 == 0)
    assert np.array_equal(one[::2], seen[::2, 1])
    assert not one[1::2].any()


@pytest.mark.parametrize(("game", "options"), TABLES, ids=lambda value: str(value).replace(" ", ""))
def test_a_batch_says_what_the_views_say(game: str, options: dict[str, OptionValue]) -> None:
    for players in COUNTS:
        rules, positions, seen, legal = gather(game, players, options, seed=players)
        batch = Batch(game, players, len(positions), options=options)
        for b, position in enumerate(positions):
            load(batch, b, from_position(rules, position))
        ours = np.full((batch.size, players, batch.observation_size), 77, np.uint8)
        batch.observe_into(ours)
        mask = np.full((batch.size, players, CHOICES), 77, np.int8)
        batch.legal_into(mask)
        assert batch.observation_size == layout(game, players, options).size
        without_draft(rules, seen)
        assert np.array_equal(ours, seen), (players, differing(rules, ours, seen))
        assert np.array_equal(mask, legal)
        one = np.zeros((batch.size, batch.observation_size), np.uint8)
        batch.observe_into(one, seat=players - 1)
        assert np.array_equal(one, ours[:, -1])


def differing(rules: Ruleset[Any], ours: NDArray[np.uint8], theirs: NDArray[np.uint8]) -> list[str]:
    """Return the names of the slices that differ, for people."""
    return [
        part.name for part in layout_of(rules) if (ours[..., part.place] != theirs[..., part.place]).any()
    ]


def test_every_covered_game_is_observed() -> None:
    assert {game for game, _ in TABLES} == set(CODES)


def test_only_the_games_of_a_mask_are_written() -> None:
    batch = Batch("base", 3, 4, seed=1)
    where = np.array([True, False, False, True])
    seen = np.full((4, 3, batch.observation_size), 77, np.uint8)
    legal = np.full((4, 3, CHOICES), 77, np.uint8)
    batch.observe_into(seen, where=where)
    batch.legal_into(legal, where=where)
    assert [bool((part == 77).all()) for part in seen] == [bool((part == 77).all()) for part in legal]
    assert [bool((part != 77).all()) for part in legal] == where.tolist()


def test_numbers_beyond_a_byte_are_cut() -> None:
    batch = Batch("base", 2, 1, seed=1)
    batch.scores[0] = 300, 7
    seen = np.zeros((1, 2, batch.observation_size), np.uint8)
    batch.observe_into(seen)
    scores = layout("base", 2)["scores"].place
    assert seen[0, :, scores].tolist() == [[255, 7], [7, 255]]


@pytest.mark.parametrize(
    "buffer",
    [
        np.zeros((4, 3, 5), np.uint8),
        np.zeros((4, 3, 257), np.float32),
        np.zeros((4, 257, 3), np.uint8).swapaxes(1, 2),
        np.broadcast_to(np.zeros((1, 3, 257), np.uint8), (4, 3, 257)),
    ],
)
def test_a_buffer_that_does_not_fit_is_refused(buffer: NDArray[Any]) -> None:
    batch = Batch("base", 3, 4)
    assert batch.observation_size == 257
    with pytest.raises(FastError, match=r"The buffer must be \(4, 3, 257\) bytes"):
        batch.observe_into(buffer)


def test_illegal_choices_are_mended_to_the_lowest_legal_one() -> None:
    batch = Batch("base", 4, 200, seed=3)
    mask = np.zeros((200, 4, CHOICES), np.uint8)
    asked_for_rows = 0
    while not batch.over.all():
        batch.legal_into(mask)
        wild = np.random.default_rng(1).integers(0, CHOICES, (200, 4)).astype(np.uint8)
        wild[:50] = batch.random_choices()[:50]
        mended, where = batch.mend(wild)
        legal = np.take_along_axis(mask, wild[..., None].astype(np.int64), 2)[..., 0] != 0
        assert np.array_equal(where, ~legal)
        assert np.array_equal(mended, np.where(where, mask.argmax(2), wild))
        asked_for_rows += int((batch.asked >= 0).sum())
        batch.step(mended)
    assert asked_for_rows


def test_games_of_a_mask_start_anew_and_go_on_in_their_streams() -> None:
    batch, other = Batch("base", 4, 6, seed=5), Batch("base", 4, 6, seed=5)
    where = np.array([True, False] * 3)
    before = batch.seats.hands.copy()
    batch.reset(None, where)
    assert np.array_equal(batch.seats.hands[~where], before[~where])
    assert not np.array_equal(batch.seats.hands[where], before[where])
    other.next_round()
    assert np.array_equal(batch.seats.hands[where], other.seats.hands[where])
    batch.reset(np.arange(6), where)
    assert np.array_equal(batch.seats.hands[where], Batch("base", 4, 6, np.arange(6)).seats.hands[where])


@pytest.mark.parametrize("game", ["base", "two-halves"])
def test_many_games_together_are_told_drawn_and_stepped_as_one_by_one(game: str) -> None:
    """Batches that keep their piles play one game after the other; these have more games than a vector."""
    size, players = 70, 4
    together, alone = (Batch(game, players, size, seed=3, piles=piles) for piles in (False, True))
    for step in range(30):
        where = np.arange(size) % 3 != step % 3
        for kind in ("observe_into", "legal_into"):
            width = together.observation_size if kind == "observe_into" else CHOICES
            mine, theirs = np.full((2, size, players, width), 77, np.uint8)
            getattr(together, kind)(mine, where=where)
            getattr(alone, kind)(theirs, where=where)
            assert np.array_equal(mine, theirs), (kind, step)
        choices = together.random_choices()
        assert np.array_equal(choices, alone.random_choices())
        wrong = choices.copy()
        wrong[step, step % players] = 105
        assert not together.step_as_said(wrong)
        assert not alone.step_as_said(wrong)
        assert together.step_as_said(choices)
        assert alone.step_as_said(choices)
        for batch in (together, alone):
            batch.reset(None, batch.over & where)
