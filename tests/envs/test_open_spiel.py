"""OpenSpiel's own tests, a golden playthrough in its own format, and exact algorithms on a small deal."""

import random
from collections import Counter
from math import comb, isclose
from pathlib import Path
from typing import Any

import pytest

from bullpen.engine import BadOption
from bullpen.envs.dealing import Dealing
from bullpen.envs.terms import BadTerms
from bullpen.envs.tree import PARAMETERS, Node, tools_for
from bullpen.rulesets import own_games
from tests.envs.tables import SOAK

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no wheels for Windows")
pytest.importorskip("bullpen.envs.open_spiel")

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
TINY = {"game": "base", "players": 2, "deck": 6, "hand": 2, "limit": 2, "start": "3;6"}
THREE_CARDS = {**TINY, "deck": 8, "hand": 3}


def load(**parameters: Any) -> Any:
    return pyspiel.load_game("python_bullpen", parameters)


def players_of(game: str) -> int:
    counts = own_games()[game].player_range
    return 3 if 3 in counts else counts[0]


@pytest.mark.parametrize("game", own_games())
def test_open_spiel_finds_nothing_wrong(game: str) -> None:
    pyspiel.random_sim_test(
        load(game=game, players=players_of(game)),
        num_sims=SOAK,
        serialize=True,
        verbose=False,
        mask_test=True,
    )


@pytest.mark.parametrize(
    ("game", "episode", "reward"), [("base", "game", "bullheads"), ("nifty", "round", "win")]
)
def test_open_spiel_finds_nothing_wrong_with_other_terms(game: str, episode: str, reward: str) -> None:
    loaded = load(game=game, players=2, episode=episode, reward=reward, forced="ask")
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=True, verbose=False, mask_test=True)


@pytest.mark.parametrize("game", ["base", "nifty", "buffalo", "board-expert-luck"])
def test_games_can_be_played_in_turns(game: str) -> None:
    turns = pyspiel.convert_to_turn_based(load(game=game, players=2))
    pyspiel.random_sim_test(turns, num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("path", sorted(PLAYTHROUGHS.glob("*.txt")), ids=lambda path: path.stem)
def test_a_playthrough_is_what_it_was(path: Path) -> None:
    from absl import flags
    from open_spiel.python.algorithms import generate_playthrough

    flags.FLAGS.mark_as_parsed()
    written, played = generate_playthrough.replay(str(path))
    assert played == written


def test_the_name_of_a_game_loads_it_again() -> None:
    game = load(**THREE_CARDS)
    assert str(pyspiel.load_game(str(game))) == str(game)
    assert game.num_players() == 2


def test_cfr_makes_the_small_deal_hard_to_exploit() -> None:
    from open_spiel.python.algorithms import cfr, exploitability

    game = pyspiel.convert_to_turn_based(load(**TINY))
    solver = cfr.CFRPlusSolver(game)
    found = []
    for _ in range(3):
        for _ in range(5):
            solver.evaluate_and_update_policy()
        found.append(exploitability.exploitability(game, solver.average_policy()))
    assert found[0] > found[1] > found[2] > 0
    assert found[2] < 0.1


def nodes(node: Node) -> list[Node]:
    """Return every node from here on, in a small game."""
    if node.position.result is not None:
        return [node]
    if node.dealing is not None:
        following = [node.drawn(node.tools.number_of(card)) for card, _ in node.dealing.outcomes()]
    else:
        assert node.asking is not None
        joint: list[tuple[tuple[int, int], ...]] = [()]
        for seat in node.waiting:
            joint = [(*before, (seat, number)) for before in joint for number in node.asking.legal(seat)]
        following = [node.said(*numbers) for numbers in joint]
    return [node, *(later for child in following for later in nodes(child))]


def test_information_states_tell_what_a_player_was_told_and_no_more() -> None:
    """Nodes that look alike to a player have the same rows, questions and hand, whatever is hidden."""
    tools = tools_for(tuple(sorted({**PARAMETERS, **TINY}.items())))
    alike: dict[str, list[Node]] = {}
    for node in nodes(tools.root):
        if 0 in node.waiting:
            alike.setdefault(node.told[0], []).append(node)
    first = [group for group in alike.values() if group[0].position.trick == 1 and len(group[0].waiting) == 2]
    assert len(first) == comb(4, 2)
    for group in alike.values():
        assert len({tuple(node.position.hands[0]) for node in group}) == 1
        assert len({node.asking.legal(0) for node in group if node.asking}) == 1
        assert len({tuple(map(tuple, node.position.rows)) for node in group}) == 1


def test_information_states_are_as_different_as_tensors_as_they_are_as_texts() -> None:
    """Whoever learns from tensors can tell apart what can be told apart, and remembers all of it."""
    game = load(**TINY)
    observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    texts: dict[tuple[int, bytes], str] = {}
    tensors: dict[str, bytes] = {}
    state = game.new_initial_state()
    for node in nodes(state.node):
        state.node = node
        for player in range(2):
            observer.set_from(state, player)
            text, tensor = observer.string_from(state, player), observer.tensor.tobytes()
            assert texts.setdefault((player, tensor), text) == text
            assert tensors.setdefault(text, tensor) == tensor
    assert len(texts) > 100


def test_whole_games_have_no_tensor_of_all_that_was_told() -> None:
    kind = load(game="base", players=2, episode="game").get_type()
    assert not kind.provides_information_state_tensor
    assert kind.provides_observation_tensor
    assert load(game="base", players=2).get_type().provides_information_state_tensor


def test_what_is_public_names_no_hand() -> None:
    game = load(**THREE_CARDS)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    public = pyspiel.IIGObservationType(True, False, pyspiel.PrivateInfoType.NONE)
    private = pyspiel.IIGObservationType(False, False, pyspiel.PrivateInfoType.SINGLE_PLAYER)
    texts = {game.make_py_observer(public).string_from(state, player) for player in (0, 1)}
    assert len(texts) == 1
    assert "1   2   4" not in texts.pop()
    assert game.make_py_observer(private).string_from(state, 1) == "seat 1 holds [5, 7, 8]\n"


def test_hands_are_dealt_as_sets_and_all_are_equally_likely() -> None:
    chances: Counter[tuple[Any, ...]] = Counter()

    def deal(dealing: Dealing, chance: float) -> None:
        if dealing.order is not None:
            chances[dealing.drawn] += chance  # type: ignore[assignment]
            return
        for card, share in dealing.outcomes():
            deal(dealing.draw(card), chance * share)

    deal(Dealing("deck", tuple(range(1, 8)), (2, 3, 1)), 1.0)
    assert len(chances) == comb(7, 2) * comb(5, 3) * 2
    assert all(isclose(chance, 1 / len(chances)) for chance in chances.values())


def test_equal_cards_are_drawn_as_often_as_there_are() -> None:
    assert Dealing("deck", (1, 1, 2, 3), (1, 1)).outcomes() == [(1, 0.5), (2, 0.25), (3, 0.25)]


def test_the_margin_adds_up_to_nothing() -> None:
    rng = random.Random(3)
    state = load(game="base", players=3).new_initial_state()
    while not state.is_terminal():
        if state.is_simultaneous_node():
            state.apply_actions([rng.choice(state.legal_actions(player)) for player in range(3)])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    scores = state.node.position.result.scores
    margins = [(sum(scores) - score) / 2 - score for score in scores]
    assert state.returns() == pytest.approx(margins)
    assert sum(state.returns()) == pytest.approx(0)
    assert any(state.returns())


@pytest.mark.parametrize(
    ("wrong", "error", "says"),
    [
        ({"reward": "money"}, BadTerms, "reward is one of margin, bullheads, rank, win, not 'money'."),
        ({"deck": 5}, BadTerms, "24 cards are dealt, but the deck has 5."),
        ({"game": "hand", "deck": 20}, BadTerms, "Hand has no small deck"),
        ({"start": "a"}, BadTerms, "start is numbers divided by semicolons"),
        ({"hand": 1, "start": "3;3"}, BadTerms, "The start cards are 2 different cards of the deck"),
        ({"options": "end.colour:red"}, BadOption, "base has no option 'end.colour'"),
    ],
)
def test_bad_parameters_get_a_sentence(wrong: dict[str, Any], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        tools_for(tuple(sorted({**PARAMETERS, "players": 2, **wrong}.items())))
