"""What the layers promise beside the rules: errors, policies, secrets, the cache, life without Numba."""

import os
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import njit

import bullpen
from bullpen import machine_code
from bullpen.engine import imagine
from bullpen.fast import (
    COVERED,
    FLIP,
    ROW,
    BadChoice,
    Batch,
    FastError,
    NotCovered,
    Player,
    Weighted,
    from_position,
    from_view,
    load,
    plan_for,
    playouts,
    rule,
    simulate,
    to_position,
)
from bullpen.fast.batch import as_cards
from bullpen.fast.games import CODES
from bullpen.fast.rules import Table
from bullpen.rulesets import games
from tests.differential.shadow import differing
from tests.sentences import is_sentence

# What is covered.


def test_every_other_game_is_refused_with_the_names_of_those_covered() -> None:
    for game, kind in games().items():
        if game not in COVERED:
            with pytest.raises(NotCovered) as error:
                plan_for(game, max(2, kind.player_range[0]))
            assert is_sentence(str(error.value))
            assert all(name in str(error.value) for name in COVERED)


def test_the_draft_of_logic_is_refused() -> None:
    table = bullpen.new_game("logic", 3, seed=1)
    with pytest.raises(NotCovered, match="after the draft"):
        from_view(table.view(table.asks[0].seats[0]))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Batch("base", 4, 0),
        lambda: Batch("base", 4, 3, seed=[1, 2]),
        lambda: Batch("base", 4, 3).observe(4),
        lambda: simulate("base", 4, "clever", 10),
        lambda: simulate("base", 4, ["random"] * 3, 10),
        lambda: simulate("base", 4, Weighted(np.ones(104)), 10),
        lambda: simulate("base", 4, "random", 0),
        lambda: playouts(bullpen.new_game("base", 4, seed=1).view(None)),
        lambda: playouts(bullpen.new_game("base", 4, seed=1).view(0), count=0),
        lambda: playouts(bullpen.new_game("base", 4, seed=7).view(0), choices=[1]),
    ],
)
def test_bad_input_gets_a_sentence(wrong: object) -> None:
    assert callable(wrong)
    with pytest.raises(FastError) as error:
        wrong()
    assert is_sentence(str(error.value))


def test_an_illegal_choice_changes_nothing_in_any_game_of_the_batch() -> None:
    batch = Batch("flippin-digits", 3, 50, seed=2)
    choices = batch.random_choices()
    before = [part.copy() for part in (*batch.table, *batch.seats)]
    foreign = next(card for card in range(1, 105) if not batch.legal()[49, 2, card])
    for wrong in (0, foreign, FLIP + 104, ROW, 255):
        bad = choices.copy()
        bad[49, 2] = wrong
        with pytest.raises(BadChoice) as error:
            batch.step(bad)
        assert is_sentence(str(error.value))
        now = (*batch.table, *batch.seats)
        assert all((old == new).all() for old, new in zip(before, now, strict=True))
    batch.step(choices)


# Batches.


def test_games_of_a_batch_depend_on_their_own_seed_only() -> None:
    together = Batch("mountain", 5, 8, seed=np.arange(8))
    alone = Batch("mountain", 5, 1, seed=np.array([6]))
    for _ in range(4):
        together.step(together.random_choices())
        alone.step(alone.random_choices())
    assert (together.table.rows[6] == alone.table.rows[0]).all()
    assert (together.points[6] == alone.points[0]).all()


def test_arrays_are_shared_not_copied() -> None:
    batch = Batch("base", 4, 10, seed=1, low_card="cheapest")
    points = np.asarray(batch.points)
    while not batch.over.all():
        batch.step(batch.random_choices())
    assert points.sum() == batch.points.sum() > 0


def test_scores_add_up_over_rounds_and_flip_cards_come_as_agreed() -> None:
    for supply, renewed in (("round", 1.0), ("game", 0.0)):
        batch = Batch("flippin-digits", 2, 200, seed=1, options={"flip.supply": supply}, low_card="cheapest")
        while not batch.over.all():
            legal = batch.legal()
            flips = legal[:, :, FLIP:ROW].argmax(axis=2)
            batch.step(np.where(flips, flips + FLIP, batch.random_choices()))
        first = batch.points.copy()
        used = batch.seats.flips == 0
        batch.next_round()
        assert batch.seats.flips[used].mean() == renewed
        while not batch.over.all():
            batch.step(batch.random_choices())
        assert (batch.scores == first + batch.points).all()


def test_an_observation_holds_what_the_seat_may_know_and_nothing_else() -> None:
    """Permute the cards that a seat cannot see: what it observes stays the same."""
    luck = random.Random(5)
    for game in CODES:
        table = bullpen.new_game(game, 4, seed=3)
        batch = Batch(game, 4, 2)
        for _ in range(60):
            ask = luck.choice(table.asks)
            table.choose(ask.seats[0], luck.choice(ask.options))
            if table.position.answers or any(ask.kind == "draft_pick" for ask in table.asks):
                continue
            other = imagine(table.rules, table.view(1), luck)
            load(batch, 0, from_position(table.rules, table.position))
            load(batch, 1, from_position(table.rules, other))
            for part in batch.observe(1):
                assert (part[0] == part[1]).all()
            assert np.flatnonzero(batch.observe(1).hand[0]).tolist() == table.position.hands[1]


def test_sets_of_cards_become_masks() -> None:
    words = np.array([1 << 1 | 1 << 63, 1 << 0 | 1 << 40], np.uint64)
    assert np.flatnonzero(as_cards(words)).tolist() == [1, 63, 64, 104]


# Conversion.


def test_a_view_holds_the_unseen_cards_in_its_pool() -> None:
    for game in CODES:
        table = bullpen.new_game(game, 3, seed=4)
        luck = random.Random(4)
        for _ in range(80):
            ask = table.asks[0]
            if ask.kind != "draft_pick":
                start = from_view(table.view(2))
                position = table.position
                hidden = {card for hand in position.hands[:2] for card in hand} | set(position.deck)
                known = {card for cards in position.known[:2] for card in cards}
                assert set(start.pool.tolist()) == hidden - known
            table.choose(ask.seats[0], luck.choice(ask.options))


def test_a_batch_refuses_a_start_of_another_game_or_with_unknown_cards() -> None:
    table = bullpen.new_game("base", 4, seed=1)
    for batch, start in (
        (Batch("tactics", 4, 1), from_position(table.rules, table.position)),
        (Batch("base", 4, 1), from_view(table.view(0))),
    ):
        with pytest.raises(FastError) as error:
            load(batch, 0, start)
        assert is_sentence(str(error.value))


def test_a_position_converts_there_and_back() -> None:
    table = bullpen.new_game("professional", 6, seed=9)
    batch = Batch("professional", 6, 3, piles=True)
    load(batch, 2, from_position(table.rules, table.position))
    back = to_position(batch, 2, table.rules, table.position)
    back.news = table.position.news
    assert back == table.position


def test_a_batch_without_piles_takes_a_position_but_cannot_give_one_back() -> None:
    table, luck = bullpen.new_game("base", 3, seed=9), random.Random(9)
    while not any(table.position.piles):
        ask = table.asks[0]
        table.choose(ask.seats[0], luck.choice(ask.options))
    start = from_position(table.rules, table.position)
    kept, counted = Batch("base", 3, 2, piles=True), Batch("base", 3, 2)
    for batch in (kept, counted):
        load(batch, 1, start)
    assert differing(kept, counted) == []
    assert counted.points[1].tolist() == table.position.points
    with pytest.raises(FastError) as error:
        to_position(counted, 1, table.rules, table.position)
    assert is_sentence(str(error.value))


# Policies.


def test_named_policies_play_as_they_are_called() -> None:
    names = ("lowest", "random", "highest")
    means = {name: simulate("base", 4, [name, *["random"] * 3], 20_000, seed=1).mean[0] for name in names}
    assert len({round(mean, 1) for mean in means.values()}) == 3
    one_card = Weighted(np.eye(105)[55])
    start = from_view(bullpen.new_game("base", 2, seed=7).view(0))
    always, never = Player(start, (0,), one_card), Player(start, (0,), "random")
    assert always.run(500).total.tolist() != never.run(500).total.tolist()


def test_weights_for_the_first_trick_only() -> None:
    """A seat that is made to play its lowest card first costs as much as when that is fixed."""
    table = bullpen.new_game("base", 2, seed=3)
    hand = table.position.hands[0]
    start = from_position(table.rules, table.position, seat=0)
    fixed = Player(start, [hand[0]]).run(20_000, seed=1).mean[0]
    lowest_first = Weighted(np.eye(105)[hand[0]], later="random")
    weighted = Player(start, (0,), [lowest_first, "random"]).run(20_000, seed=1)
    assert weighted.mean[0] == pytest.approx(fixed, abs=0.15)


@rule
def nearest_to_an_end(
    table: Table, b: int, hand: object, left: int, seat: int, shown: object, weights: object, word: int
) -> int:
    """Play the card that lies closest above an end."""
    best, gap = 0, 1000
    for i in range(left):
        for row in range(4):
            distance = hand[i] - np.int64(table.ends[b, row])  # type: ignore[index]
            if 0 < distance < gap:
                best, gap = i, distance
    return best


def test_a_function_of_ones_own_beats_random_play() -> None:
    got = simulate("base", 4, [nearest_to_an_end, *["random"] * 3], 20_000, seed=1)
    assert got.mean[0] + 0.4 < got.mean[1:].min()


@rule
def twice(number: int) -> int:
    return 2 * number


@rule
def four_times(number: int) -> int:
    return twice(twice(number))


def five_times(number: int) -> int:
    return four_times(number) + number


def test_what_kernels_take_in_can_be_tried_from_python_and_called_by_any_compiled_function() -> None:
    assert (twice(3), four_times(3)) == (6, 12)
    compiled: Any = njit(five_times)
    assert compiled(3) == 15
    assert pickle.loads(pickle.dumps(four_times))(5) == 20


def test_flips_are_chosen_uniformly_among_the_legal_plays() -> None:
    """In the first trick a seat with ten cards below 100 has twenty plays, ten of them flipped."""
    batch = Batch("flippin-digits", 2, 4000, seed=1)
    choices = batch.random_choices()
    flippable = batch.legal()[:, 0, FLIP:ROW].sum(axis=1)
    expected = (flippable / (10 + flippable)).mean()
    assert (choices[:, 0] >= FLIP).mean() == pytest.approx(expected, abs=0.03)


# Playouts.


def test_playouts_compare_the_choices_of_a_view() -> None:
    table = bullpen.new_game("jumping-cow", 4, seed=7)
    view = table.view(0)
    outcomes = playouts(view, count=300, seed=1)
    assert list(outcomes.choices) == view.hand
    assert outcomes.mean.shape == (10, 4)
    again = playouts(view, count=300, seed=1)
    assert (outcomes.total == again.total).all()


def test_playouts_do_not_look_at_hidden_cards() -> None:
    luck = random.Random(1)
    for game in CODES:
        table = bullpen.new_game(game, 3, seed=2)
        while any(ask.kind == "draft_pick" for ask in table.asks):
            table.choose(table.asks[0].seats[0], luck.choice(table.asks[0].options))
        view = table.view(1)
        other = bullpen.view(table.rules, imagine(table.rules, view, luck), 1)
        assert (playouts(view, count=50).total == playouts(other, count=50).total).all()


def test_a_full_round_known_to_the_last_card_has_one_outcome() -> None:
    """One card each: every playout of a known position is the same."""
    luck = random.Random(3)
    table = bullpen.new_game("base", 2, seed=6)
    while len(table.position.hands[0]) > 2:
        ask = table.asks[0]
        table.choose(ask.seats[0], luck.choice(ask.options))
    if table.asks[0].kind == "choose_row":
        table.choose(table.asks[0].seats[0], luck.choice(table.asks[0].options))
    start = from_position(table.rules, table.position, seat=0)
    outcomes = Player(start, table.position.hands[0], ["random", "highest"]).run(64)
    assert (outcomes.squares * 64 == outcomes.total**2).all()


# Installation.


def run_python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    whole = {**os.environ, **environment}
    return subprocess.run(
        [sys.executable, "-c", code], env=whole, capture_output=True, text=True, check=False
    )


def test_without_numba_the_rest_works_and_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text("raise ImportError('no numba here')\n")
    done = run_python(
        "import bullpen; bullpen.new_game('base', 2)\n"
        "try:\n    import bullpen.fast\nexcept ImportError as error:\n    print(error)",
        PYTHONPATH=os.pathsep.join([str(tmp_path), *sys.path]),
    )
    assert (
        done.stdout
        == "bullpen.fast needs NumPy and Numba: install them with  pip install 'bullpen-games[fast]'\n"
    )


def test_the_first_call_says_what_it_does_and_the_next_process_finds_it_done(tmp_path: Path) -> None:
    code = (
        "from bullpen.fast import Batch\n"
        "from bullpen.fast.batch import start_rounds\n"
        "Batch('base', 2, 1).next_round()\n"
        "print(sum(start_rounds.stats.cache_hits.values()), sum(start_rounds.stats.cache_misses.values()))"
    )
    cold, warm = (run_python(code, NUMBA_CACHE_DIR=str(tmp_path)) for _ in range(2))
    assert "compiling bullpen.fast.batch.start_rounds (some seconds; once for this machine)" in cold.stderr
    assert cold.stdout.split() == ["0", "1"]
    assert (warm.stderr, warm.stdout.split()) == ("", ["1", "0"])


def test_processes_that_want_the_same_kernel_compile_it_once(tmp_path: Path) -> None:
    code = (
        "from bullpen.fast import Batch\n"
        "from bullpen.fast.batch import start_rounds\n"
        "Batch('base', 2, 1).next_round()\n"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    together = [
        subprocess.Popen([sys.executable, "-c", code], env=environment, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    said = "".join(process.communicate(timeout=120)[1] for process in together)
    assert [process.returncode for process in together] == [0, 0, 0]
    assert said.count("compiling bullpen.fast.batch.start_rounds") == 1


READ_ONLY = """
import os, tempfile
real = tempfile.TemporaryFile
def refuse(dir):
    if str(dir).endswith("bullpen/__pycache__"):
        raise OSError(30, "Read-only file system")
    return real(dir=dir)
tempfile.TemporaryFile = refuse
os.environ.pop("NUMBA_CACHE_DIR", None)
import bullpen.fast
print(bullpen.machine_code.folder())
"""


def read_only(temporary: Path) -> subprocess.CompletedProcess[str]:
    nowhere = "/proc/nowhere"
    return run_python(READ_ONLY, HOME=nowhere, XDG_CACHE_HOME=nowhere, TMPDIR=str(temporary))


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
def test_a_read_only_installation_without_a_home_keeps_its_code_among_temporary_files(tmp_path: Path) -> None:
    done = read_only(tmp_path)
    (line,) = done.stdout.splitlines()
    assert Path(line).parent == tmp_path
    assert Path(line).stat().st_mode & 0o077 == 0


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
def test_a_temporary_folder_of_somebody_else_is_not_trusted(tmp_path: Path) -> None:
    (tmp_path / f"bullpen-{os.getuid()}").mkdir(mode=0o777)
    (tmp_path / f"bullpen-{os.getuid()}").chmod(0o777)
    done = read_only(tmp_path)
    assert done.stdout == "None\n"
    # It still works, and compiles whatever it needs anew.
    assert done.returncode == 0


def test_code_of_an_older_source_is_thrown_away_unread(tmp_path: Path) -> None:
    """Its index may name types that are gone, which Numba does not survive."""
    here = machine_code.shelf(tmp_path, "bots", "bots-search-brain")
    old = tmp_path / "machine-code" / "bots-0123456789ab" / "bots-search-brain"
    other = machine_code.shelf(tmp_path, "analysis/compiled", "analysis-compiled-plays")
    for place in (here, old, other):
        place.mkdir(parents=True)
    machine_code.clear(here)
    assert here.is_dir()
    assert other.is_dir()
    assert not old.parent.exists()


def test_code_is_as_old_as_all_that_it_may_be_made_of() -> None:
    assert machine_code.stamp("fast") != machine_code.stamp("bots")
    bots = {str(path.relative_to(machine_code.PACKAGE)) for path in sources("bots")}
    assert {"fast/trick.py", "fast/simd/lanes.py", "engine/cards.py", "bots/search/regret.py"} <= bots


def sources(folder: str) -> list[Path]:
    parts = [machine_code.PACKAGE / part for part in machine_code.SOURCES[folder]]
    return [path for part in parts for path in ([part] if part.is_file() else part.rglob("*.py"))]
