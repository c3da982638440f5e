"""The vector environment step by step beside Gymnasium's own over games of the engine, deal for deal."""

import pickle
import webbrowser
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from numpy.typing import NDArray

from bullpen.engine import BullpenError
from bullpen.envs.drawing import as_text
from bullpen.envs.terms import Terms
from bullpen.envs.vector import VectorEnv
from bullpen.fast.games import CODES
from bullpen.fast.twins.games import TWINS
from tests.envs.deals import WholeTable

GAMES = 3
MODES = list(AutoresetMode)
TERMS: list[dict[str, Any]] = [
    {"game": "base", "players": 4},
    {"game": "base", "players": 4, "episode": "game", "options": {"end.value": 20}},
    {"game": "base", "players": 2, "reward": "rank", "illegal": "first"},
    {"game": "base", "players": 2, "episode": "game", "options": {"end.kind": "rounds", "end.value": 2}},
    {"game": "tactics", "players": 4, "reward": "win", "illegal": "lose"},
    {"game": "two-halves", "players": 4, "reward": "win"},
    {"game": "professional", "players": 10, "reward": "rank"},
    {"game": "professional", "players": 3, "options": {"experimental.shortDeck": True}, "illegal": "lose"},
    {"game": "even-odd", "players": 6},
    {"game": "mountain", "players": 4, "reward": "win", "illegal": "first"},
    {"game": "jumping-cow", "players": 7},
    {
        "game": "flippin-digits", "players": 3, "episode": "game",
        "options": {"flip.supply": "game", "end.value": 25},
    },
    {"game": "open", "players": 2, "episode": "game", "options": {"end.value": 12}},
    {"game": "open", "players": 2, "reward": "rank", "illegal": "lose", "forced": "skip"},
    {
        "game": "double", "players": 7, "reward": "win", "illegal": "first", "episode": "game",
        "options": {"end.value": 40},
    },
    {"game": "double", "players": 3, "forced": "skip", "options": {"double.lowChooser": "cheapestRow"}},
    {"game": "base", "players": 4, "forced": "skip", "illegal": "lose"},
    {"game": "two-halves", "players": 10, "forced": "skip", "reward": "rank"},
    {"game": "professional", "players": 4, "forced": "skip", "illegal": "first"},
    {
        "game": "flippin-digits", "players": 4, "episode": "game", "forced": "skip", "illegal": "first",
        "options": {"end.value": 40},
    },
]  # fmt: skip
"""Every game of the twin whose answers are one word, but those that begin with a draft; and every term.

Under base placement two and four players only: what steps those is compiled for each count by itself.
"""
STEPS = 50
"""More than the tricks and questions of a round of two halves."""


def pair(mode: AutoresetMode, terms: dict[str, Any]) -> tuple[VectorEnv, SyncVectorEnv]:
    """Return both environments."""
    theirs = SyncVectorEnv([lambda: WholeTable(Terms(**terms)) for _ in range(GAMES)], autoreset_mode=mode)
    return VectorEnv(num_envs=GAMES, autoreset_mode=mode, **terms), theirs


def some_actions(mask: NDArray[np.int8], luck: np.random.Generator, wild: float) -> NDArray[np.int64]:
    """Return random legal actions, and now and then any."""
    legal: NDArray[np.int64] = (mask * luck.random(mask.shape)).argmax(2)
    anything = luck.integers(0, mask.shape[2], legal.shape)
    return np.where(luck.random(legal.shape) < wild, anything, legal)


def seat_rewards(infos: dict[str, Any], players: int) -> NDArray[np.float32]:
    """Return what SyncVectorEnv has no place for, from its infos and from those of ended games."""
    rewards = np.zeros((GAMES, players), np.float32)
    for told in (infos, infos.get("final_info", {})):
        if "rewards" in told:
            rewards[told["_rewards"]] = told["rewards"][told["_rewards"]]
    return rewards


def assert_same_masks(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    told = theirs["_action_mask"]
    assert np.array_equal(ours["action_mask"][told], theirs["action_mask"][told])
    assert ours["_action_mask"].all()
    assert ours["action_mask"].any(2).all()


def assert_same_ends(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    assert ("final_obs" in ours) == ("final_obs" in theirs)
    if "final_obs" not in ours:
        return
    for key in ("_final_obs", "_final_info"):
        assert np.array_equal(ours[key], theirs[key])
    for mine, other in zip(ours["final_obs"], theirs["final_obs"], strict=True):
        assert (mine is None) == (other is None)
        assert mine is None or np.array_equal(mine, other)
    for key in ("action_mask", "_action_mask"):
        assert np.array_equal(ours["final_info"][key], theirs["final_info"][key])


def follow(
    ours: VectorEnv, theirs: SyncVectorEnv, wild: float, steps: int = STEPS
) -> Iterator[NDArray[np.bool_]]:
    """Step both with the same actions and hold them against each other; yield which games have ended."""
    luck = np.random.default_rng(5)
    seen, infos = ours.reset(seed=11)
    others, told = theirs.reset(seed=11)
    assert np.array_equal(seen, others)
    for _ in range(steps):
        actions = some_actions(infos["action_mask"], luck, wild)
        seen, rewards, ended, cut, infos = ours.step(actions)
        others, sums, over, cut_there, told = theirs.step(actions)
        assert np.array_equal(seen, others)
        assert np.array_equal(rewards, seat_rewards(told, ours.players))
        assert np.allclose(rewards.sum(1), sums, atol=1e-5)
        assert np.array_equal(ended, over)
        assert np.array_equal(cut, cut_there)
        assert_same_masks(infos, told)
        assert_same_ends(infos, told)
        if ours.autoreset_mode == AutoresetMode.DISABLED and ended.any():
            seen, infos = ours.reset(options={"reset_mask": ended})
            others, told = theirs.reset(options={"reset_mask": ended.copy()})
            assert np.array_equal(seen, others)
            assert_same_masks(infos, told)
        yield ended


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "terms", TERMS, ids=lambda terms: f"{terms['game']}-{terms['players']}-{terms.get('forced', 'ask')}"
)
def test_it_follows_gymnasiums_own_over_the_engine(mode: AutoresetMode, terms: dict[str, Any]) -> None:
    ours, theirs = pair(mode, terms)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"] == mode
    ends = sum(ended.sum() for ended in follow(ours, theirs, wild=0.1 if "illegal" in terms else 0.0))
    assert ends


@pytest.mark.parametrize(
    "terms",
    [
        {"game": "base", "players": 4, "forced": "skip"},
        {"game": "two-halves", "players": 4},
        {"game": "mountain", "players": 2, "episode": "game", "options": {"end.value": 20}},
        {"game": "flippin-digits", "players": 3, "forced": "skip"},
    ],
    ids=lambda terms: terms["game"],
)
def test_it_draws_what_the_engine_draws(terms: dict[str, Any]) -> None:
    mode = AutoresetMode.DISABLED
    ours, theirs = pair(mode, terms)
    ours = VectorEnv(num_envs=GAMES, autoreset_mode=mode, render_mode="ansi", **terms)
    for _ in follow(ours, theirs, wild=0.0):
        tables = [as_text(env.episode.view(None)) for env in theirs.envs]
        assert ours.render() == tuple(tables)


def test_a_drawing_shows_every_game_and_the_page_the_first_one(monkeypatch: pytest.MonkeyPatch) -> None:
    pages: list[str] = []
    monkeypatch.setattr(webbrowser, "open", pages.append)
    frames = _drawn("rgb_array").render()
    assert frames is not None
    assert [frame.ndim for frame in frames] == [3] * 2
    envs = _drawn("human")
    envs.step(envs.random_actions())
    assert len(pages) == 1
    envs.close()
    assert _drawn(None).render() is None


def _drawn(mode: str | None) -> VectorEnv:
    envs = VectorEnv("logic", players=3, num_envs=2, render_mode=mode)
    envs.reset(seed=4)
    return envs


@pytest.mark.parametrize("mode", MODES)
def test_threads_change_nothing(mode: AutoresetMode) -> None:
    """Games of all threads' parts start from their own seeds, end by themselves and are written in place."""
    terms: dict[str, Any] = {"num_envs": 7, "players": 3, "autoreset_mode": mode, "episode": "round"}
    alone, crew = VectorEnv("mountain", **terms), VectorEnv("mountain", threads=3, **terms)
    luck = np.random.default_rng(2)
    seen, infos = alone.reset(seed=5)
    assert np.array_equal(crew.reset(seed=5)[0], seen)
    for _ in range(STEPS):
        actions = some_actions(infos["action_mask"], luck, 0.1)
        assert np.array_equal(alone.random_actions(), crew.random_actions())
        one, other = alone.step(actions), crew.step(actions)
        pairs: Any = zip(one[:4], other[:4], strict=True)
        assert all(np.array_equal(mine, theirs) for mine, theirs in pairs)
        infos = one[4]
        assert_same_masks(other[4], infos)
        assert_same_ends(other[4], infos)
        if mode == AutoresetMode.DISABLED and one[2].any():
            wish = {"reset_mask": one[2]}
            seen, infos = alone.reset(options=wish)
            assert np.array_equal(crew.reset(options=wish)[0], seen)
    twin = pickle.loads(pickle.dumps(crew))
    assert np.array_equal(twin.random_actions(), crew.random_actions())
    crew.close()


def test_an_illegal_action_is_refused_before_any_thread_has_begun() -> None:
    envs = VectorEnv("base", players=2, num_envs=4, threads=2, illegal="raise")
    _, infos = envs.reset(seed=1)
    actions = infos["action_mask"].argmax(2)
    wrong = actions.copy()
    wrong[3, 1] = 0
    with pytest.raises(BullpenError, match=r"Seat 1 of game 3 cannot say 0 now"):
        envs.step(wrong)
    fresh = VectorEnv("base", players=2, num_envs=4)
    fresh.reset(seed=1)
    assert np.array_equal(envs.step(actions)[0], fresh.step(actions)[0])


def test_every_game_of_the_twin_is_followed_but_logic() -> None:
    heard = {name for name, twin in TWINS.items() if twin.one_word}
    assert {terms["game"] for terms in TERMS} == (set(CODES) | heard) - {"logic", "tournament"}


def test_logic_is_played_after_the_draft() -> None:
    envs = VectorEnv("logic", players=4, num_envs=2)
    _, infos = envs.reset(seed=1)
    assert infos["action_mask"].sum(2).tolist() == [[10] * 4] * 2
    for _ in range(20):
        _, _, ended, _, infos = envs.step(infos["action_mask"].argmax(2))
        if ended.all():
            return
    pytest.fail("no round has ended")


def test_seeds_are_the_games_own() -> None:
    envs = VectorEnv("base", num_envs=3)
    one, _ = envs.reset(seed=[5, 6, 7])
    other, _ = envs.reset(seed=5)
    assert np.array_equal(one, other)
    kept, _ = envs.reset(seed=[5, None, 5])
    assert np.array_equal(kept[0], one[0])
    assert np.array_equal(kept[2], one[0])
    assert not np.array_equal(kept[1], one[1])
    assert np.array_equal(VectorEnv("base", num_envs=1).reset(seed=6)[0][0], one[1])


def test_without_a_seed_chance_decides() -> None:
    one, other = (VectorEnv("base", num_envs=2).reset()[0] for _ in range(2))
    assert not np.array_equal(one, other)
    assert not np.array_equal(one[0], one[1])


def test_actions_of_the_action_space_are_in_order() -> None:
    envs = VectorEnv("flippin-digits", players=3, num_envs=5)
    envs.action_space.seed(1)
    envs.reset(seed=1)
    for _ in range(12):
        seen, *_ = envs.step(envs.action_space.sample())
        assert envs.observation_space.contains(seen)


def test_an_illegal_action_can_be_refused_and_changes_nothing() -> None:
    envs = VectorEnv("base", players=2, num_envs=3, illegal="raise")
    _, infos = envs.reset(seed=1)
    actions = infos["action_mask"].argmax(2)
    wrong = actions.copy()
    wrong[1, 1] = 104 if infos["action_mask"][1, 1, 104] == 0 else 103
    with pytest.raises(BullpenError, match=r"Seat 1 of game 1 cannot say"):
        envs.step(wrong)
    fresh = VectorEnv("base", players=2, num_envs=3)
    fresh.reset(seed=1)
    assert np.array_equal(envs.step(actions)[0], fresh.step(actions)[0])


def test_memory_is_shared_only_if_wanted() -> None:
    for copy in (True, False):
        envs = VectorEnv("base", num_envs=2, copy=copy)
        seen, infos = envs.reset(seed=1)
        kept = seen.copy()
        later, *_ = envs.step(infos["action_mask"].argmax(2))
        assert np.shares_memory(seen, later) != copy
        assert np.array_equal(seen, kept) == copy


def test_a_pickled_environment_goes_on_alike() -> None:
    envs = VectorEnv("mountain", num_envs=4, episode="game")
    _, infos = envs.reset(seed=3)
    for _ in range(15):
        *_, infos = envs.step(infos["action_mask"].argmax(2))
    twin = pickle.loads(pickle.dumps(envs))
    for _ in range(15):
        actions = infos["action_mask"].argmax(2)
        one, other = envs.step(actions), twin.step(actions)
        assert np.array_equal(one[0], other[0])
        infos = one[4]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"game": "hand"}, "not made for hand"),
        ({"game": "buffalo"}, "does not play 'buffalo'"),
        ({"num_envs": 0}, "one game or more"),
        ({"threads": 0}, "1 to 1 threads"),
        ({"threads": 9, "num_envs": 8}, "1 to 8 threads"),
        ({"forced": "never"}, "forced is one of"),
        ({"players": 11}, "2 to 10 players"),
        ({"reward": "money"}, "reward is one of"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BullpenError, match=sentence):
        VectorEnv(**wrong)


def test_resets_are_asked_for_where_they_are_needed() -> None:
    envs = VectorEnv("base", num_envs=2, autoreset_mode="Disabled")
    with pytest.raises(ResetNeeded, match="must be reset"):
        envs.step(np.zeros((2, 4), np.int64))
    _, infos = envs.reset(seed=1)
    ended = np.zeros(2, np.bool_)
    while not ended.any():
        _, _, ended, _, infos = envs.step(infos["action_mask"].argmax(2))
    with pytest.raises(ResetNeeded, match="has ended"):
        envs.step(infos["action_mask"].argmax(2))


@pytest.mark.parametrize(
    ("mask", "error"),
    [([True, False], TypeError), (np.ones(2), TypeError), (np.ones(3, np.bool_), ValueError),
     (np.zeros(2, np.bool_), ValueError)],
)  # fmt: skip
def test_a_mask_that_is_none_is_refused(mask: Any, error: type[Exception]) -> None:
    envs = VectorEnv("base", num_envs=2)
    with pytest.raises(error, match="reset_mask"):
        envs.reset(options={"reset_mask": mask})


@pytest.mark.parametrize("seed", [-1, [1], [1, -2], 2**64])
def test_a_seed_that_is_none_is_refused(seed: Any) -> None:
    with pytest.raises(BullpenError, match="seed"):
        VectorEnv("base", num_envs=2).reset(seed=seed)
