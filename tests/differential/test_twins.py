"""The games with a course of their own: followed question by question, and every other way to play them."""

import copy
import json
import pickle
import random
from typing import Any

import numpy as np
import pytest

import bullpen
from bullpen.engine import OptionValue, imagine
from bullpen.fast import (
    COVERED,
    BadChoice,
    Batch,
    FastError,
    NotCovered,
    Player,
    Weighted,
    from_position,
    from_view,
    load,
    number_of,
    playouts,
    rule,
    simulate,
)
from bullpen.fast.chance import GAMMA
from bullpen.fast.games import CODES
from bullpen.fast.twins.games import TWINS
from bullpen.rulesets import find
from bullpen.rulesets.boards.data import OWN, read_source
from tests.conftest import SOAK
from tests.differential.following import TABLES, Follower, follow
from tests.differential.shadow import Disagreement, save
from tests.sentences import is_sentence

PLACEMENTS = 10_000_000 if SOAK else 200_000
SEATINGS = [
    (game, options, players) for game, options in TABLES for players in find(game).player_counts(options)
]
QUOTA = PLACEMENTS // len(SEATINGS) + 1
TABLE_IDS = [f"{game}{''.join(f'-{value}' for value in options.values())}" for game, options in TABLES]


def test_every_game_with_a_course_of_its_own_is_among_the_tables() -> None:
    assert {game for game, _ in TABLES} == set(TWINS) == set(COVERED) - set(CODES)


@pytest.mark.parametrize(("game", "options"), TABLES, ids=TABLE_IDS)
def test_engine_and_twin_agree_at_every_question(game: str, options: dict[str, OptionValue]) -> None:
    for players in find(game).player_counts(options):
        placements, seed = 0, 0
        while placements < QUOTA:
            try:
                placements += follow(game, players, options, seed)
            except Disagreement as error:
                path = save(error.record)
                pytest.fail(f"{game}, {players} players, seed {seed}: {error}. A record is in {path}.")
            seed += 1


@pytest.mark.parametrize("field", ["rows", "hands", "points", "trick", "kind"])
def test_whatever_differs_is_noticed(field: str) -> None:
    follower = Follower("open", 3, {}, seed=1)
    for _ in range(4):
        assert follower.step() == []
    getattr(follower.batch.state, field)[:1].flat[0] += 1  # type: ignore[attr-defined]
    assert follower._compare() != []


# Every way to play them.


def first_seeds(seed: int, count: int) -> Any:
    """Return the streams of the first rounds of a simulation (`chance.stream`)."""

    def mixed(z: int) -> int:
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) % 2**64
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) % 2**64
        return z ^ z >> 31

    return np.array([mixed((mixed(seed) + i * int(GAMMA)) % 2**64) for i in range(count)], np.uint64)


@pytest.mark.parametrize("game", TWINS)
def test_rounds_steps_and_playouts_cost_the_same(game: str) -> None:
    """Seats that play the first of their answers: no chance but the deal."""
    rounds, players = 50, 4
    batch = Batch(game, players, rounds, low_card="cheapest")
    batch.state.states[:rounds] = first_seeds(5, rounds)  # type: ignore[attr-defined]
    batch.reset(None)
    start = pickle.loads(pickle.dumps(batch))
    while not batch.over.all():
        numbers, counts = batch.options()  # type: ignore[attr-defined]
        batch.step(np.where(counts > 0, numbers[..., 0], 0))
    got = simulate(game, players, "lowest", rounds, seed=5)
    assert got.total.tolist() == batch.points.sum(axis=0, dtype=np.int64).tolist()
    assert got.total.any()
    assert simulate(game, players, "lowest", rounds, seed=5, threads=2).total.tolist() == got.total.tolist()
    again = copy.deepcopy(start)
    while not again.over.all():
        again.step(again.mend(np.zeros((rounds, players), np.int64))[0])
    assert (again.points == batch.points).all()
    assert not (start.points == batch.points).all()


def opened(game: str, players: int, seed: int, choices: int) -> bullpen.Game:
    """Return a game some random choices after the draft."""
    luck, table = random.Random(seed), bullpen.new_game(game, players, seed=seed)
    while choices or any(ask.kind == "draft_pick" for ask in table.asks):
        choices -= not any(ask.kind == "draft_pick" for ask in table.asks)
        ask = luck.choice(table.position.open_asks)
        table.choose(ask.seats[0], luck.choice(ask.options))
    return table


@pytest.mark.parametrize("game", TWINS)
def test_playouts_and_observations_do_not_look_at_hidden_cards(game: str) -> None:
    luck = random.Random(1)
    for choices in (0, 3, 11, 20):
        table = opened(game, 3, 2, choices)
        view = table.view(table.position.open_asks[0].seats[0])
        assert view.seat is not None
        other = imagine(table.rules, view, luck)
        ours, theirs = (
            playouts(view, count=30),
            playouts(bullpen.view(table.rules, other, view.seat), count=30),
        )
        assert ours.choices == theirs.choices
        assert (ours.total == theirs.total).all()
        assert ours.total.any()
        batch = Batch(game, 3, 2)
        for b, position in enumerate((table.position, other)):
            load(batch, b, from_position(table.rules, position))
        seen: Any = batch.observe(view.seat)
        for name, part in seen.items():
            assert (part[0] == part[1]).all(), name


@pytest.mark.parametrize("game", TWINS)
def test_playouts_start_with_the_choice_and_deal_what_is_hidden(game: str) -> None:
    table = opened(game, 3, 4, 6)
    ask = table.position.open_asks[0]
    view = table.view(ask.seats[0])
    start = from_view(view)
    hidden = [card for seat, hand in enumerate(table.position.hands) if seat != view.seat for card in hand]
    shown = [card for hand in view.position.hands for card in hand if card]
    known = [card for seat, cards in enumerate(view.position.known) if seat != view.seat for card in cards]
    hidden = sorted([*hidden, *table.position.deck])
    for card in known if game != "tournament" else ():
        hidden.remove(card)
    assert start.pool.tolist() == ([] if game == "tournament" else hidden)
    assert shown
    once = playouts(view, count=40, seed=1)
    player = Player(start, once.choices)
    player.run(30, seed=1)
    assert (player.run(10, seed=1).total == once.total).all()
    assert (player.run_plain(40, seed=1).total == once.total).all()


def test_a_position_before_the_last_answer_has_one_outcome() -> None:
    table = bullpen.new_game("nifty", 2, seed=6)
    while len(table.position.hands[0]) > 2:
        ask = table.asks[0]
        table.choose(ask.seats[0], ask.options[0])
    known = from_position(table.rules, table.position, seat=0)
    outcomes = playouts(known, "lowest", count=8)
    assert (outcomes.squares * 8 == outcomes.total**2).all()


@pytest.mark.parametrize("game", TWINS)
def test_an_illegal_choice_changes_nothing(game: str) -> None:
    batch = Batch(game, 3, 5, seed=1)
    batch.step(batch.random_choices())
    before = batch.state.memory.copy()  # type: ignore[attr-defined]
    seat = int(batch.asked[2]).bit_length() - 1
    legal = batch.legal()[2, seat]
    for wrong in (0, 105, int(np.flatnonzero(~legal)[-1]), 255, -1, 70000, 2.5):
        choices = batch.random_choices().astype(np.float64)
        choices[2, seat] = wrong
        with pytest.raises(BadChoice, match=f"Seat {seat} of game 2 cannot choose"):
            batch.step(choices)
        assert (batch.state.memory == before).all()  # type: ignore[attr-defined]
    given = batch.random_choices()
    given[2, seat] = 0
    mended, where = batch.mend(given)
    assert np.argwhere(where).tolist() == [[2, seat]]
    batch.step(mended)


@pytest.mark.parametrize("game", TWINS)
def test_what_is_not_listed_is_refused(game: str) -> None:
    """A choice is checked without a list where that is faster: both must come to the same."""
    batch = Batch(game, 3, 30, seed=3)
    for _ in range(25):
        if batch.over.all():
            batch.next_round()
        numbers, counts = batch.options()  # type: ignore[attr-defined]
        listed = np.arange(numbers.shape[2]) < counts[..., None]
        anywhere = {int(number) for number in numbers[listed]}
        game_asked = int(np.flatnonzero(batch.asked)[0])
        seat = int(batch.asked[game_asked]).bit_length() - 1
        own = set(numbers[game_asked, seat, : counts[game_asked, seat]].tolist())
        near = {number + by for number in own for by in (-128, -1, 1, 128, 1 << 14)}
        choices = batch.random_choices()
        given = int(choices[game_asked, seat])
        for wrong in sorted((anywhere | near | {0}) - own)[::3]:
            choices[game_asked, seat] = wrong % (1 << 16)
            with pytest.raises(BadChoice):
                batch.step(choices)
        choices[game_asked, seat] = given
        batch.step(choices)


def long_board() -> str:
    """Return a board file with a row that is far too long."""
    _, text = read_source(OWN)
    board = json.loads(text)
    board["board_basic"]["rows"].append(["blank"] * 100 + ["take_ox"])
    return json.dumps(board)


def test_sentences_say_what_cannot_be() -> None:
    table = bullpen.new_game("open", 3, seed=1)
    start = from_position(table.rules, table.position)
    base = bullpen.new_game("base", 3, seed=1)
    for attempt in (
        lambda: Batch("open", 3, 0),
        lambda: Batch("board-basic", 3, 1, options={"board.data": long_board()}),
        lambda: Batch("open", 3, 2, seed=[1, 2, 3]),
        lambda: Batch("open", 3, 2).observe(3),
        lambda: Batch("open", 3, 2).observe_into(np.zeros((2, 3, 9), np.uint8)),
        lambda: Batch("board-basic", 3, 2).observe_into(np.zeros((2, 3, 9), np.uint8)),
        lambda: Batch("nifty", 3, 2).observation_size,
        lambda: load(Batch("open", 4, 1), 0, start),
        lambda: load(Batch("base", 3, 1), 0, start),
        lambda: load(Batch("open", 3, 1), 0, from_position(base.rules, base.position)),
        lambda: load(Batch("open", 3, 1), 0, from_view(table.view(0))),
        lambda: from_view(table.view(None)),
        lambda: from_view(bullpen.new_game("tournament", 3, seed=1).view(0)),
        lambda: Player(start, (44,)),
        lambda: Player(from_view(table.view(0)), (255,)),
        lambda: playouts(table.view(0), count=0),
        lambda: simulate("open", 3, rounds=0),
        lambda: number_of(bullpen.parse("d4"), table.position, "open"),
        lambda: number_of(bullpen.parse("k"), None, "hand"),
    ):
        with pytest.raises(FastError) as error:
            attempt()
        assert is_sentence(str(error.value))


def test_the_marker_of_open_travels_on_or_starts_anew() -> None:
    for across, first in ((True, 1), (False, 0)):
        batch = Batch("open", 3, 4, options={"open.rotateAcrossRounds": across})
        while not batch.over.all():
            batch.step(batch.random_choices())
        batch.next_round(np.array([True, False, True, True]))
        assert batch.asked.tolist() == [1 << first, 0, 1 << first, 1 << first]
        assert (batch.scores.sum(axis=1) > 0).all()


@rule
def the_middle(s: Any, b: int, seat: int, options: Any, count: int, weights: Any, word: int) -> int:
    """Choose the answer in the middle."""
    return count // 2


def test_policies_of_ones_own() -> None:
    high = np.zeros(105)
    high[60:] = 1.0
    low = simulate("open", 2, ["lowest", "random"], 2000).mean[0]
    assert simulate("open", 2, [Weighted(high), "random"], 2000).mean[0] != low
    assert simulate("open", 2, [the_middle, "random"], 2000).mean[0] != low


def test_the_rest_of_the_family_is_not_covered() -> None:
    with pytest.raises(NotCovered, match="it plays base"):
        Batch("buffalo", 3, 1)
