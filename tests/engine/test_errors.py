"""Whatever is wrong gets a typed error with a sentence, and changes nothing."""

import random
from typing import Any

import pytest

from bullpen.engine import (
    BadNotation,
    BadOption,
    BullpenError,
    Draft,
    IllegalChoice,
    JoinRow,
    Keep,
    NotAsked,
    PlayCard,
    PlayPair,
    Position,
    Seeded,
    StartRow,
    TakeRow,
    UnknownGame,
    UseSpecial,
    WrongPlayers,
    retract,
    submit,
    view,
)
from bullpen.game import Game, new_game
from bullpen.rulesets import find, games, make
from bullpen.testing import step
from tests.games.stacked import play, stacked
from tests.rulebook.tables import set_up
from tests.sentences import is_sentence
from tests.strategies import GAMES, short

NO_SEATS: list[Any] = [-1, -2, 99, 10**30, None, "0", "", 0.0, 1.0, True, False, (0,), [0]]
"""Nothing of this is a seat of any table."""


def refused(kind: type[BullpenError], wrong: Any, *arguments: Any) -> None:
    """Check that a call is refused with an error of this kind that says one sentence."""
    with pytest.raises(kind) as caught:
        wrong(*arguments)
    assert is_sentence(str(caught.value)), str(caught.value)


def smallest(game: str, seed: int = 1) -> Game:
    """Return a game for as few players as can play it."""
    return new_game(game, games()[game].player_range[0], seed=seed)


# Tables that cannot be.


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("players", [-1, 0, 11, 104, 10**30, 2.0, "4", None, True, [2]])
def test_wrong_player_counts(game: str, players: Any) -> None:
    refused(WrongPlayers, make, game, players)


@pytest.mark.parametrize("game", GAMES)
def test_one_too_few_and_one_too_many(game: str) -> None:
    counts = games()[game].player_range
    refused(WrongPlayers, make, game, counts[0] - 1)
    refused(WrongPlayers, make, game, counts[-1] + 1)


@pytest.mark.parametrize("game", ["", "Base", "bass", "base ", "6", None, 7, "x" * 10_000, "\x1b[2J"])
def test_unknown_games(game: Any) -> None:
    refused(UnknownGame, find, game)
    refused(UnknownGame, new_game, game, 4)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("key", ["", "end", "End.kind", "endvalue", "x" * 1000, "\x1b[2J", 3, None])
def test_unknown_options(game: str, key: Any) -> None:
    refused(BadOption, make, game, games()[game].player_range[0], {key: 1})


EVERY_OPTION = [(game, option) for game in GAMES for option in games()[game].offers]
NO_VALUES: list[Any] = [None, 1.5, [], {}, b"x", "", "no such value", -1, "x" * 1000]


@pytest.mark.parametrize(
    ("game", "option"), EVERY_OPTION, ids=[f"{game}-{option.key}" for game, option in EVERY_OPTION]
)
def test_wrong_values_of_every_option(game: str, option: Any) -> None:
    players = games()[game].player_range[0]
    wrong = [value for value in NO_VALUES if option.type != "text" or not isinstance(value, str)]
    if option.type in ("int", "choice"):
        wrong += [True, False]
    if option.type == "bool":
        wrong += [0, 1, "true", "false"]
    if option.type == "int":
        wrong += [option.least - 1, float(option.least), str(option.default)]
    for value in wrong:
        refused(BadOption, make, game, players, {option.key: value})


@pytest.mark.parametrize(
    ("game", "option"), EVERY_OPTION, ids=[f"{game}-{option.key}" for game, option in EVERY_OPTION]
)
def test_every_allowed_value_is_taken(game: str, option: Any) -> None:
    names_a_seat = option.key.endswith(("Seat", "Picker"))
    more = {"logic.maxPlayers": 10} if option.key == "logic.firstPicker" and game == "logic" else {}
    for value in option.allowed or (option.default, *([] if option.least is None else [option.least])):
        options = {option.key: value, **more}
        players = games()[game].player_counts(options)[-1]
        if names_a_seat and type(value) is int and value >= players:
            refused(BadOption, make, game, players, options)
        else:
            assert make(game, players, options).options[option.key] == value


@pytest.mark.parametrize(
    ("game", "key"),
    [
        ("logic", "logic.firstPicker"),
        ("tournament", "logic.firstPicker"),
        ("open", "open.firstSeat"),
        ("hand", "hand.firstSeat"),
    ],
)
def test_seats_beyond_the_table(game: str, key: str) -> None:
    for players in games()[game].player_range:
        assert make(game, players, {key: players - 1}).options[key] == players - 1
        refused(BadOption, make, game, players, {key: players})
        refused(BadOption, make, game, players, {key: -1})
        refused(BadOption, make, game, players, {key: 10**30})


@pytest.mark.parametrize("names", [("Ann",), ("Ann", "Ben", "Cleo")])
def test_names_that_do_not_fit_the_table(names: tuple[str, ...]) -> None:
    refused(BullpenError, new_game, "base", 2, 1, None, names)


# Choices that cannot be.


def kept(game: Game, kind: type[BullpenError], wrong: Any, *arguments: Any) -> None:
    """Check that a call is refused and that game and record stay as they were."""
    before, events, record = game.position.copy(), game.events, game.record
    refused(kind, wrong, *arguments)
    assert game.position == before
    assert_same_types(game.position, before)
    assert game.events == events
    assert game.record == record


def assert_same_types(position: Position, before: Position) -> None:
    """Check what equality does not see: that no seat or card turned into True or 1.0."""
    assert repr(position) == repr(before)


@pytest.mark.parametrize("seat", NO_SEATS, ids=repr)
def test_nobody_sits_there(seat: Any) -> None:
    game = smallest("base")
    for ask in game.asks:
        choice = ask.options[0]
        kept(game, IllegalChoice, game.choose, seat, choice)
        kept(game, IllegalChoice, submit, game.rules, game.position, seat, choice, Seeded(1))
    kept(game, IllegalChoice, game.retract, seat)
    kept(game, IllegalChoice, retract, game.rules, game.position, seat)


@pytest.mark.parametrize("seat", [seat for seat in NO_SEATS if seat is not None], ids=repr)
def test_nobody_looks_from_there(seat: Any) -> None:
    game = smallest("base")
    kept(game, BullpenError, game.view, seat)
    kept(game, BullpenError, view, game.rules, game.position, seat)


def test_a_seat_that_is_true_or_a_float_takes_nothing_back() -> None:
    game = smallest("base")
    game.choose(1, game.asks[1].options[0])
    for seat in (True, 1.0):
        kept(game, IllegalChoice, game.retract, seat)


NO_CHOICES = [
    PlayCard(0), PlayCard(-1), PlayCard(105), PlayCard(10**9), PlayCard(44, flipped=True), PlayPair(1, 1),
    PlayPair(0, 105), TakeRow(-1), TakeRow(4), TakeRow(9), JoinRow(4), StartRow(7), Draft(0), Draft(105),
    Keep((1, 2, 3, 4, 5, 6)), UseSpecial("nothing"), UseSpecial("stop", (99,)), UseSpecial("", ()),
]  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_choices_that_are_no_options(game: str) -> None:
    running = smallest(game)
    rng = random.Random(1)
    for _ in range(25):
        if running.over:
            break
        ask = rng.choice(running.asks)
        for choice in NO_CHOICES:
            if choice not in ask.options:
                kept(running, IllegalChoice, running.choose, ask.seats[0], choice)
                kept(
                    running,
                    IllegalChoice,
                    submit,
                    running.rules,
                    running.position,
                    ask.seats[0],
                    choice,
                    Seeded(1),
                )
        step(running, rng)


@pytest.mark.parametrize("choice", [None, 44.0, True, (44,), b"44"], ids=repr)
def test_what_is_no_choice_at_all(choice: Any) -> None:
    game = stacked("base", [[1, 44], [2]], [10, 20, 30, 40])
    kept(game, IllegalChoice, game.choose, 0, choice)


@pytest.mark.parametrize(
    "text", ["", "banana", "r", "r0", "044", "44 45", "4" * 100, "٤", "\x00", "-1", "1e1", "44**"]
)
def test_text_that_is_no_choice(text: str) -> None:
    game = smallest("base")
    kept(game, BadNotation, game.choose, 0, text)


@pytest.mark.parametrize("game", GAMES)
def test_choices_out_of_turn(game: str) -> None:
    running = new_game(game, games()[game].player_range[-1], seed=2)
    rng = random.Random(2)
    for _ in range(30):
        if running.over:
            break
        asked = {seat for ask in running.position.asks for seat in ask.seats}
        for seat in set(range(running.rules.players)) - asked:
            for choice in (running.asks[0].options[0], PlayCard(1)):
                kept(running, NotAsked, running.choose, seat, choice)
            kept(running, NotAsked, running.retract, seat)
        step(running, rng)


def test_a_second_answer_needs_the_first_one_taken_back() -> None:
    game = stacked("base", [[1, 2], [3, 4]], [10, 20, 30, 40])
    play(game, "0:1")
    for again in ("1", "2", "r1"):
        kept(game, IllegalChoice, game.choose, 0, again)
    game.retract(0)
    play(game, "0:2")
    assert game.position.answers == {0: PlayCard(2)}


# Taking back.


@pytest.mark.parametrize("game", GAMES)
def test_nothing_can_be_taken_back_that_was_not_given(game: str) -> None:
    running = smallest(game)
    for seat in range(running.rules.players):
        kept(running, NotAsked, running.retract, seat)
        kept(running, NotAsked, retract, running.rules, running.position, seat)


def test_nothing_can_be_taken_back_after_the_reveal() -> None:
    game = stacked("base", [[11, 2], [13, 4]], [10, 20, 30, 40])
    play(game, "0:11", "1:13")
    for seat in (0, 1):
        kept(game, NotAsked, game.retract, seat)
    play(game, "0:2", "1:4")
    assert game.asks[0].kind == "choose_row"
    for seat in (0, 1):
        kept(game, NotAsked, game.retract, seat)


def test_a_public_choice_cannot_be_taken_back() -> None:
    game = new_game("logic", 2, seed=1)
    play(game, "0:d3")
    kept(game, NotAsked, game.retract, 0)


def test_a_forced_answer_cannot_be_taken_back() -> None:
    # Seat 0 has one card left, the others have two.
    table = set_up(make("base", 3), [[10], [20], [30], [40]], [[41], [31, 32], [21, 22]], spares=0)
    rules, position, before = table.rules, table.position, table.position.copy()
    assert position.asks[0].forced
    refused(NotAsked, retract, rules, position, 0)
    refused(IllegalChoice, submit, rules, position, 0, PlayCard(41), Seeded(1))
    assert position == before


# After the end.


@pytest.mark.parametrize("game", GAMES)
def test_after_the_end_there_is_nothing_to_choose(game: str) -> None:
    rules = short(game, games()[game].player_range[0])
    running = Game(rules, Seeded(1))
    rng = random.Random(1)
    while not running.over:
        step(running, rng)
    assert running.asks == ()
    for seat in range(rules.players):
        kept(running, NotAsked, running.choose, seat, PlayCard(1))
        kept(running, NotAsked, running.retract, seat)
    with pytest.raises(NotAsked, match="over"):
        running.choose(0, 1)
