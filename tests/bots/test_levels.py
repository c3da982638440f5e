"""Every level at every twin game: legal choices, the same again, and nothing but the view."""

import random
import subprocess
import sys
from collections.abc import Iterator, Sequence

import pytest

from bullpen import bots
from bullpen.bots import Player, registry
from bullpen.engine import Choice, Seeded, View, imagine, new_game, preview, submit, view
from bullpen.rulesets import games, make
from tests.bots.tables import TWIN_GAMES, Witness, one_round, play_round
from tests.conftest import SOAK

ALL = (*bots.LEVELS, *bots.COMPARISON)


BETTER = [level for level in ALL if level != "random"]


def at_first_sight(game: str, seen: View, choice: Choice) -> int:
    """What a choice takes if nobody else does anything."""
    rules = make(game, len(seen.position.scores), one_round(game))
    return sum(foreseen.bullheads for foreseen in preview(rules, seen, choice))


def waste(game: str, levels: Sequence[str], seed: int) -> Iterator[tuple[int, float]]:
    """Play a round; yield by how much more than the average of its options each choice of a seat takes."""
    players = [Witness(bots.player(level, seat)) for seat, level in enumerate(levels)]
    play_round(game, players, seed)
    for seat, player in enumerate(players):
        for seen, ask, choice in player.seen:
            costs = [at_first_sight(game, seen, option) for option in ask.options]
            yield seat, at_first_sight(game, seen, choice) - sum(costs) / len(costs)


@pytest.fixture(scope="module")
def wasted() -> dict[str, float]:
    """The waste of each level: with all others at a table of every game, and alone at tables of ten."""
    found = dict.fromkeys(ALL, 0.0)
    for game in TWIN_GAMES:
        for players in [2, 3, 6] if SOAK else [6]:
            levels = [ALL[(seat + players) % len(ALL)] for seat in range(players)]
            for seat, more in waste(game, levels, players):
                found[levels[seat]] += more
    for level in ALL:
        found[level] += sum(more for seat, more in waste("base", [level, *["random"] * 9], 3) if seat == 0)
    return found


@pytest.mark.parametrize("level", BETTER)
def test_every_level_chooses_to_take_less_than_chance_does(level: str, wasted: dict[str, float]) -> None:
    assert wasted[level] < wasted["random"] - 20


@pytest.mark.parametrize("level", ["easy", "medium"])
@pytest.mark.parametrize("game", TWIN_GAMES)
def test_quick_levels_take_less_than_chance_in_every_game(game: str, level: str) -> None:
    def total(first: str) -> int:
        seats = [[bots.player(first, seed), *chance(seed)] for seed in range(30)]
        return sum(play_round(game, players, seed)[0] for seed, players in enumerate(seats))

    def chance(seed: int) -> list[Player]:
        return [bots.player("random", 31 * seed + seat) for seat in range(1, 4)]

    assert total(level) < 0.95 * total("random")


@pytest.mark.parametrize("level", ALL)
@pytest.mark.parametrize("game", ["base", "flippin-digits", "professional"])
def test_the_same_seed_and_view_give_the_same_choice(game: str, level: str) -> None:
    witness = Witness(bots.player(level, 5))
    others = [bots.player("random", seat) for seat in range(2)]
    play_round(game, [witness, *others], seed=11)
    assert len(witness.seen) >= 8
    for seen, ask, choice in witness.seen:
        assert bots.player(level, 5).choose(seen, ask) == choice


def test_another_seed_gives_another_game_of_chance() -> None:
    games_played = set()
    for seed in range(4):
        witness = Witness(bots.player("random", seed))
        play_round("base", [witness, bots.player("random", 0)], seed=1)
        games_played.add(tuple(choice.notation for _, _, choice in witness.seen))
    assert len(games_played) > 1


@pytest.mark.parametrize("level", bots.LEVELS)
@pytest.mark.parametrize("game", ["base", "even-odd", "two-halves", "flippin-digits"])
def test_what_a_seat_cannot_see_does_not_change_its_choice(game: str, level: str) -> None:
    rules = make(game, 3, one_round(game))
    chance = Seeded(4)
    position, _ = new_game(rules, chance)
    rng = random.Random(9)
    for _ in range(6):
        seen = view(rules, position, 0)
        assert seen.ask is not None
        choice = bots.player(level, 2).choose(seen, seen.ask)
        for _ in range(3):
            other = imagine(rules, seen, rng)
            again = view(rules, other, 0)
            assert again.ask is not None
            assert bots.player(level, 2).choose(again, again.ask) == choice
        position, _ = submit(rules, position, 0, choice, chance)
        while position.asks and position.open_asks[0].seats[0] != 0:
            ask = position.open_asks[0]
            position, _ = submit(rules, position, ask.seats[0], rng.choice(ask.options), chance)


@pytest.mark.parametrize("level", bots.LEVELS)
def test_a_bot_that_is_told_to_stop_still_answers(level: str) -> None:
    rules = make("base", 4, one_round("base"))
    position, _ = new_game(rules, Seeded(1))
    seen = view(rules, position, 2)
    assert seen.ask is not None
    assert bots.player(level, 1, stop=lambda: True).choose(seen, seen.ask) in seen.ask.options


def test_every_game_has_a_player_for_every_level() -> None:
    for game in games():
        for level in bots.LEVELS:
            assert callable(registry.find(level, game).thinker)


def test_an_unknown_level_is_refused_with_a_sentence() -> None:
    with pytest.raises(bots.UnknownLevel, match=r"There is no bot 'grandmaster'; there are random, easy"):
        bots.player("grandmaster")


WITHOUT = """
import sys
sys.modules["numba"] = sys.modules["numpy"] = None
import bullpen
from bullpen import bots
view = bullpen.new_game("base", players=4, seed=7).view(0)
for level in ("random", "easy", "medium"):
    assert bots.player(level, 1).choose(view, view.ask) in view.ask.options
assert bots.levels_for() == bots.levels_for("base") == ("random", "easy", "medium")
assert bots.levels_for("double") == ("random", "easy", "medium", "hard")
try:
    bots.player("expert", 1).choose(view, view.ask)
except bots.NeedsFast as error:
    print(error)
from bullpen.arena import ArenaError, Match
try:
    Match(game="base", players=2, bots=("hard", "easy")).check()
except ArenaError as error:
    print(error)
from bullpen.cli import main
assert main(["prepare"]) == 2
"""


PREPARED = """
import sys
from bullpen.cli import main
if main(["prepare"]):
    sys.exit("not prepared")
from bullpen.bots.search import brain, course, double, playouts, regret
from bullpen.analysis.compiled.playouts import live
from bullpen.fast.playouts import finish_trick
search = (regret.think, brain.value_at_root, playouts.roll, double.roll, course.try_worlds)
print(*(len(kernel.signatures) for kernel in (*search, finish_trick, live)))
"""


def test_prepared_bots_have_nothing_left_to_compile() -> None:
    done = subprocess.run([sys.executable, "-c", PREPARED], capture_output=True, text=True, check=True)
    assert done.stdout == "The bots are ready, and so are hints and reviews.\n1 1 1 1 2 1 1\n"


def test_the_quick_levels_need_neither_numpy_nor_numba() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=True)
    expert, hard = done.stdout.splitlines()
    assert expert.startswith("The level expert needs NumPy and Numba: install them with")
    assert hard.startswith("The level hard needs NumPy and Numba: install them with")
