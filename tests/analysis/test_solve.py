"""Exact endgames, held against brute force on the engine, SciPy's linear programs, and best answers."""

import random
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog  # type: ignore[import-untyped]

import bullpen
from bullpen.analysis import Solution, solve
from bullpen.bots.search.matrix import game_value, new_paper
from bullpen.engine import BullpenError, Position, Ruleset, Seeded, find_ask, new_game, submit, view
from bullpen.game import Game
from bullpen.positions import dumps, loads
from bullpen.rulesets import make
from tests.bots.tables import one_round

NEVER = Seeded("never")


def late(game: str, cards: int, seed: int, kind: str = "commit") -> Game:
    """Return a game of two that somebody played at random until so many cards are left in each hand."""
    rules, chance, rng = make(game, 2, one_round(game)), Seeded(seed), random.Random(seed)
    position: Position
    position, _ = new_game(rules, chance)
    while True:
        asks = position.open_asks
        few = len(position.hands[0]) <= cards and getattr(position, "half", 2) == 2
        if few and asks[0].kind == kind and len(position.hands[0]) == len(position.hands[1]):
            return Game.set_up(rules, position, chance)
        position, _ = submit(rules, position, asks[0].seats[0], rng.choice(asks[0].options), chance)


def ahead(position: Position) -> int:
    """Return by how many bullheads seat 0 is ahead in the round."""
    return position.points[1] - position.points[0]


def program(matrix: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
    """Return the value of a matrix game and the mix of who chooses the row, by linear programming."""
    m, n = matrix.shape
    found = linprog(
        [*[0.0] * m, -1.0],
        A_ub=np.hstack([-matrix.T, np.ones((n, 1))]), b_ub=np.zeros(n),
        A_eq=[[*[1.0] * m, 0.0]], b_eq=[1.0],
        bounds=[*[(0, None)] * m, (None, None)],
    )  # fmt: skip
    assert found.success
    return float(found.x[-1]), found.x[:m]


def answered(rules: Ruleset[Any], position: Position, choices: dict[int, Any]) -> Position:
    """Return the position after the seats have made these choices."""
    for seat, choice in choices.items():
        find_ask(position, seat, choice)
        position, _ = submit(rules, position, seat, choice, NEVER)
    return position


def brute(rules: Ruleset[Any], position: Position) -> float:
    """Return what a position is worth to seat 0 in the rest of the round; compare solve at every node."""
    if position.result is not None:
        return 0.0
    before = ahead(position)
    if position.asks[0].kind == "choose_row":
        (ask,) = position.asks
        worths = []
        for option in ask.options:
            after = answered(rules, position, {ask.seats[0]: option})
            worths.append(ahead(after) - before + brute(rules, after))
        value = min(worths) if ask.seats[0] else max(worths)
    else:
        matrix = np.zeros([len(ask.options) for ask in position.asks])
        for (i, mine), (j, theirs) in product(*(enumerate(ask.options) for ask in position.asks)):
            after = answered(rules, position, {0: mine, 1: theirs})
            matrix[i, j] = ahead(after) - before + brute(rules, after)
        value, _ = program(matrix)
    assert solve(Game.set_up(rules, position, NEVER), open_hands=True).value == pytest.approx(value, abs=1e-9)
    return value


SMALL = [("tactics", 3, 1), ("tactics", 3, 2), ("logic", 3, 3), ("two-halves", 3, 4), ("base", 3, 5)]


@pytest.mark.parametrize(("game", "cards", "seed"), [*SMALL, ("tactics", 4, 6)])
def test_brute_force_and_linear_programs_agree_at_every_node(game: str, cards: int, seed: int) -> None:
    running = late(game, cards, seed)
    brute(running.rules, running.position)


def test_low_cards_in_every_trick() -> None:
    """Every card is lower than all rows, so that a row is named again and again."""
    made = bullpen.position("tactics", [[20, 21, 22], [19], [18, 23], [17, 24]], [[1, 4, 6], [2, 3, 7]])
    one = make("tactics", 2, one_round("tactics"))
    brute(one, made.position)


def best_answer(rules: Ruleset[Any], position: Position, seat: int, values: dict[str, float]) -> float:
    """Return the most that a seat can get against the other's mixes, all the way to the end."""
    if position.result is not None:
        return 0.0
    found = solve(Game.set_up(rules, position, NEVER), open_hands=True)
    before, sign = ahead(position), -1 if seat else 1
    asks = {ask.seats[0]: ask for ask in position.asks}
    own = asks[seat].options if seat in asks else (None,)
    totals = []
    for mine in own:
        total = 0.0
        for other, share in (found.mixes[1 - seat] or {"": 1.0}).items():
            if share:
                choices = {} if mine is None else {seat: mine}
                if other:
                    choices[1 - seat] = bullpen.parse(other)
                after = answered(rules, position, choices)
                gain = sign * (ahead(after) - before)
                total += share * (gain + best_answer(rules, after, seat, values))
        totals.append(total)
    return max(totals)


@pytest.mark.parametrize(
    ("game", "cards", "seed"), [("tactics", 3, 11), ("logic", 3, 12), ("tactics", 4, 13)]
)
def test_no_answer_gains_anything(game: str, cards: int, seed: int) -> None:
    running = late(game, cards, seed)
    value = solve(running).value
    for seat, sign in ((0, 1), (1, -1)):
        assert abs(best_answer(running.rules, running.position, seat, {}) - sign * value) < 1e-9


def root(running: Game) -> NDArray[np.float64]:
    """Return what all pairs of cards are worth, each following position solved by itself."""
    rules, position = running.rules, running.position
    first, second = (ask.options for ask in position.asks)
    matrix = np.zeros((len(first), len(second)))
    for (i, mine), (j, theirs) in product(enumerate(first), enumerate(second)):
        after = answered(rules, position, {0: mine, 1: theirs})
        matrix[i, j] = ahead(after) - ahead(position) + solve(Game.set_up(rules, after, NEVER)).value
    return matrix


@pytest.mark.parametrize(
    ("game", "seed"), [("tactics", 21), ("tactics", 22), ("logic", 23), ("two-halves", 24)]
)
def test_larger_hands_are_solved_by_their_own_parts(game: str, seed: int) -> None:
    running = late(game, 5, seed)
    found, matrix = solve(running), root(running)
    mine, theirs = (np.array(list(mix.values())) for mix in found.mixes)
    assert mine.sum() == pytest.approx(1)
    assert theirs.sum() == pytest.approx(1)
    assert (mine @ matrix).min() == pytest.approx(found.value, abs=1e-9)
    assert (matrix @ theirs).max() == pytest.approx(found.value, abs=1e-9)
    assert program(matrix)[0] == pytest.approx(found.value, abs=1e-9)


def test_shares_that_are_all_but_nothing_end_nowhere() -> None:
    """Six cards each, in which a mix with a share of 1e-17 once led to bounds beyond all numbers."""
    running = loads("tactics: 9 19 / 3 6 8 14 / 15 17 20 22 / 23 24 | 2 4 5 10 12 16 / 1 7 11 13 18 21")
    assert solve(running).value == pytest.approx(program(root(running))[0], abs=1e-9)


def test_seats_can_change_places() -> None:
    rows = [[10, 13], [6], [14, 17, 18], [7, 9]]
    one = solve(bullpen.position("tactics", rows, [[1, 3, 8, 19], [2, 4, 16, 23]]))
    other = solve(bullpen.position("tactics", rows[::-1], [[2, 4, 16, 23], [1, 3, 8, 19]]))
    assert one.value == pytest.approx(-other.value, abs=1e-12)


def test_a_row_to_be_named_is_solved_for_its_owner_alone() -> None:
    running = late("tactics", 4, 31, "choose_row")
    found, owner = solve(running), running.asks[0].seats[0]
    assert found.mixes[1 - owner] == {}
    assert sorted(found.mixes[owner]) == ["r1", "r2", "r3", "r4"]
    brute(running.rules, running.position)


def test_a_seat_solves_what_it_sees() -> None:
    running = late("tactics", 4, 41)
    assert solve(running.view(0)) == solve(running.view(1)) == solve(running)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8])
def test_matrix_games_agree_with_linear_programs(size: int) -> None:
    rng, paper = np.random.default_rng(size), new_paper(10)
    for trial in range(30):
        matrix, mixes = np.zeros((10, 10)), np.zeros((2, 10))
        m, n = rng.integers(1, size + 1, 2)
        # Small whole numbers tie often, which is where simplex methods go round in circles.
        drawn = rng.integers(-2, 3, (m, n)) if trial % 2 else rng.normal(0, 20, (m, n))
        matrix[:m, :n] = drawn
        value = game_value(matrix, m, n, paper, mixes)
        assert value == pytest.approx(program(drawn.astype(np.float64))[0], abs=1e-8)
        assert (mixes[0, :m] @ drawn).min() == pytest.approx(value, abs=1e-9)
        assert (drawn @ mixes[1, :n]).max() == pytest.approx(value, abs=1e-9)


def over(game: str) -> Game:
    running = bullpen.new_game(game, players=2, seed=1, options=one_round(game))
    while not running.over:
        running.choose(running.asks[0].seats[0], running.asks[0].options[0])
    return running


@pytest.mark.parametrize(
    ("running", "sentence"),
    [
        (
            lambda: bullpen.new_game("base", players=2, seed=1),
            "Seat 0 does not know the other hand: 90 cards",
        ),
        (lambda: bullpen.new_game("tactics", players=3, seed=1), "Only positions of two players"),
        (lambda: bullpen.new_game("tactics", players=2, seed=1), "10 cards each; up to 8 can be solved"),
        (lambda: bullpen.new_game("professional", players=2, seed=1), "placing rules of the base game"),
        (lambda: bullpen.new_game("flippin-digits", players=2, seed=1), "placing rules of the base game"),
        (lambda: bullpen.new_game("two-halves", players=2, seed=1), "what the second half will be dealt"),
        (lambda: bullpen.new_game("logic", players=2, seed=1), "after the draft"),
        (lambda: bullpen.new_game("hand", players=2, seed=1), "'hand' is no game of one card a trick"),
        (lambda: over("tactics"), "The game is over"),
        (lambda: late("base", 2, 1).view(1), "Seat 1 does not know the other hand"),
        (lambda: late("tactics", 3, 1).view(None), "view of a seat"),
    ],
)
def test_what_is_not_known_is_refused_with_a_sentence(running: Any, sentence: str) -> None:
    with pytest.raises(BullpenError) as refused:
        solve(running())
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_hidden_answer_is_not_looked_at() -> None:
    running = late("tactics", 4, 51)
    before = solve(running)
    running.choose(0, running.asks[0].options[0])
    assert solve(running) == before


def test_it_can_be_written_as_json() -> None:
    import msgspec

    found = solve(late("tactics", 3, 61))
    assert msgspec.json.decode(msgspec.json.encode(found), type=Solution) == found


# What `expert` makes of it.


@pytest.mark.parametrize("game", ["tactics", "logic"])
def test_expert_plays_from_the_perfect_mix(game: str) -> None:
    from bullpen.bots import player

    seen: set[str] = set()
    running = late(game, 4, 71)
    mix = solve(running).mixes[0]
    for seed in range(40):
        view_ = running.view(0)
        assert view_.ask is not None
        choice = player("expert", seed).choose(view_, view_.ask).notation
        assert mix[choice] > 0
        seen.add(choice)
    assert seen == {choice for choice, share in mix.items() if share > 0.1} | seen


def test_expert_names_the_perfect_row() -> None:
    from bullpen.bots import player

    for seed in range(80, 84):
        running = late("tactics", 4, seed, "choose_row")
        seat = running.asks[0].seats[0]
        seen = view(running.rules, running.position, seat)
        assert seen.ask is not None
        assert solve(running).mixes[seat][player("expert").choose(seen, seen.ask).notation] == 1.0


def test_expert_searches_where_cards_are_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    from bullpen.bots import player
    from bullpen.bots.search import exact

    def refuse(_start: Any) -> Any:
        raise AssertionError("nothing can be solved here")

    monkeypatch.setattr(exact, "solve", refuse)
    view_ = late("base", 3, 1).view(0)
    assert view_.ask is not None
    assert player("expert").choose(view_, view_.ask) in view_.ask.options


# The command.

LINE = "tactics: 10 13 / 6 / 14 17 18 / 7 9 | 1 3 19 / 2 4 23"


def test_the_command_tells_a_line_and_a_file_alike(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    import json

    from bullpen.cli import main

    file = tmp_path / "position.json"
    file.write_text(dumps(loads(LINE)), encoding="utf-8")
    short = tmp_path / "position.txt"
    short.write_text(LINE, encoding="utf-8")
    outputs = []
    for written in (LINE, str(file), str(short)):
        assert main(["solve", written]) == 0
        outputs.append(capsys.readouterr().out)
    assert len(set(outputs)) == 1
    assert outputs[0].startswith("tactics, 3 cards each: played perfectly, seat ")
    assert main(["solve", LINE, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == solve(loads(LINE)).value


def test_the_command_reads_a_moment_of_a_record(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    from bullpen.cli import main

    running = bullpen.new_game("tactics", players=2, seed=3)
    while len(running.position.hands[0]) > 3 or running.position.table or running.position.answers:
        running.choose(running.asks[0].seats[0], running.asks[0].options[0])
    moment = len(running.record.choices)
    running.choose(0, running.asks[0].options[0])
    running.record.save(tmp_path / "game.json")
    assert main(["solve", str(tmp_path / "game.json"), "--moment", str(moment)]) == 0
    assert "3 cards each" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nowhere.json"], "nowhere.json: No such file"),
        ([LINE, "--moment", "3"], "--moment is for records"),
        (["base: 10 / 20 / 30 / 40 | 1 2 / 3 4"], "does not know the other hand"),
        (["tactics: 10 / 20 | 1 2 / 3 4"], "has 4 rows, not 2"),
    ],
)
def test_the_command_refuses_with_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from bullpen.cli import main

    assert main(["solve", *arguments]) == 2
    said = capsys.readouterr()
    assert not said.out
    assert sentence in said.err
    assert said.err.count("\n") == 1


def test_open_hands_are_solved_where_the_players_see_less(capsys: pytest.CaptureFixture[str]) -> None:
    from bullpen.cli import main

    assert main(["solve", "base: 10 / 20 / 30 / 40 | 1 2 / 3 4", "--open"]) == 0
    assert "base, 2 cards each" in capsys.readouterr().out


def test_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from bullpen import cli
    from bullpen.fast.errors import FastMissing

    def is_missing(_module: str) -> Any:
        raise FastMissing("no Numba") from ModuleNotFoundError("no numba", name="numba")

    monkeypatch.setattr("bullpen.cli.importlib.import_module", is_missing)
    assert cli.main(["solve", LINE]) == 2
    assert capsys.readouterr().err == "bullpen: numba is missing: pip install 'bullpen-games[bots]'.\n"
