"""Records read back as they were written, and replay to the same events."""

import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullpen.engine import (
    BullpenError,
    Event,
    NotAsked,
    OptionValue,
    Position,
    RecordError,
    Ruleset,
    Scripted,
    Seeded,
)
from bullpen.game import Game, new_game
from bullpen.records import Deal, Entry, Record, check, replay, rules_of
from bullpen.rulesets import games, make
from bullpen.testing import at_random, eagerly, step
from tests.games.stacked import play, play_on, stacked
from tests.sentences import is_sentence
from tests.strategies import GAMES, rulesets, short


def played(
    rules: Ruleset[Any], seed: int, steps: int, names: tuple[str, ...] = ()
) -> tuple[Game, list[tuple[Event, ...]]]:
    """Return a game after so many choices (or at its end), and what each of them brought about."""
    game = Game(rules, Seeded(seed), names)
    rng = random.Random(seed)
    history = [game.events]
    while steps and not game.over:
        history.append(step(game, rng, rng.choice((at_random, eagerly))))
        steps -= 1
    return game, history


def bare(position: Position) -> Position:
    """Return a position without what led to it."""
    twin = position.copy()
    twin.news = []
    return twin


def assert_same_game(game: Game, history: list[tuple[Event, ...]]) -> None:
    """Check that the record of a game reads back and leads to the same events and position."""
    record = game.record
    text = record.dumps()
    assert Record.loads(text) == Record.loads(text.encode()) == record
    assert Record.loads(text).dumps() == text
    moments = list(replay(Record.loads(text)))
    assert [moment.events for moment in moments] == history
    assert bare(moments[-1].position) == bare(game.position)
    again = Game.from_record(Record.loads(text))
    assert bare(again.position) == bare(game.position)
    assert again.record == record


@given(rules=rulesets(), seed=st.integers(0, 10**6), steps=st.integers(0, 150), named=st.booleans())
def test_any_record_reads_back_and_replays(rules: Ruleset[Any], seed: int, steps: int, named: bool) -> None:
    names = tuple(f'Ann "{seat}" 牛 \\' for seat in range(rules.players)) if named else ()
    assert_same_game(*played(rules, seed, steps, names))


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_of_every_kind_reads_back_and_replays(game: str) -> None:
    for players in {games()[game].player_range[0], games()[game].player_range[-1]}:
        running, history = played(short(game, players), seed=players, steps=10**6)
        assert running.over
        assert_same_game(running, history)
        assert check(running.record).result == running.result == running.record.result


@given(name=st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_any_name_reads_back(name: str) -> None:
    game = new_game("base", 2, seed=1, names=(name, "Ben"))
    assert Record.loads(game.record.dumps()).names == (name, "Ben")


@pytest.mark.parametrize("game", GAMES)
def test_every_choice_can_be_told_from_the_file(game: str) -> None:
    """The file names every deal and every choice, so that no random generator is needed."""
    running, _ = played(short(game, games()[game].player_range[0]), seed=3, steps=10**6)
    document = json.loads(running.record.dumps())
    assert (document["format"], document["version"]) == ("bullpen", 1)
    assert list(document)[:3] == ["format", "version", "game"]
    choices = [
        choice for round_ in document["rounds"] for line in round_["tricks"] for choice in line.split()[1:]
    ]
    assert choices == [f"{entry.seat}:{entry.notation}" for entry in running.record.choices]
    deals = [tuple(deal) for round_ in document["rounds"] for deal in round_["deals"]]
    assert deals == [(deal.pile, " ".join(map(str, deal.cards))) for deal in running.record.deals]


def test_choices_are_grouped_by_trick() -> None:
    game = stacked("base", [[11, 12], [13, 4]], [10, 20, 30, 40])
    play(game, "0:11", "1:13", "1:4", "0:12")
    assert json.loads(game.record.dumps())["rounds"][0]["tricks"] == ["1. 0:11 1:13", "2. 1:4 0:12"]
    play(game, "1:r2")
    assert json.loads(game.record.dumps())["rounds"][0]["tricks"][1] == "2. 1:4 0:12 1:r2"


def test_only_options_that_differ_are_written() -> None:
    options: dict[str, OptionValue] = {"end.kind": "target", "end.value": 30, "show.bullPiles": "own"}
    game = new_game("base", 2, seed=1, options=options)
    assert game.record.options == {"end.value": 30}
    assert rules_of(game.record).options == make("base", 2, options).options


def test_a_record_is_a_picture_that_does_not_change() -> None:
    game = new_game("base", 2, seed=1)
    before = game.record
    text = before.dumps()
    play_on(game)
    assert before.dumps() == text
    assert before != game.record


def test_a_record_is_saved_and_loaded(tmp_path: Path) -> None:
    game = new_game("base", 2, seed=1, names=("Änn", "Ben"))
    path = tmp_path / "game.json"
    game.record.save(path)
    assert Record.load(path) == Record.load(str(path)) == game.record
    assert path.read_text(encoding="utf-8") == game.record.dumps()


# Playing on.


@pytest.mark.parametrize("game", GAMES)
def test_a_loaded_game_can_be_played_on(game: str) -> None:
    running, _ = played(short(game, games()[game].player_range[0]), seed=4, steps=9)
    again = Game.from_record(Record.loads(running.record.dumps()), Seeded(99))
    other = Game.from_record(running.record, Seeded(99))
    rng, twin = random.Random(1), random.Random(1)
    while not again.over:
        assert step(again, rng) == step(other, twin)
    assert again.result == other.result
    assert again.record == other.record
    assert check(again.record).result == again.result


def test_a_loaded_game_gets_new_deals() -> None:
    game = new_game("base", 2, seed=1)
    first, second = (Game.from_record(game.record, Seeded(seed)) for seed in (1, 2))
    for twin in (first, second):
        play_on(twin)
    assert first.position.hands != second.position.hands
    with_fresh_chance = Game.from_record(game.record)
    play_on(with_fresh_chance)
    assert with_fresh_chance.position.round == 2


def test_a_taken_back_answer_is_in_no_record() -> None:
    game = stacked("base", [[11, 12], [13, 4], [5, 6]], [10, 20, 30, 40])
    play(game, "0:11", "1:13")
    game.retract(0)
    assert game.record.choices == [Entry(1, 1, 1, "13")]
    again = Game.from_record(game.record)
    assert again.position.answers == game.position.answers
    assert [ask.seats for ask in again.asks] == [(0,), (2,)]
    again.retract(1)
    assert again.record.choices == []
    with pytest.raises(NotAsked):
        again.retract(1)


def test_a_half_answered_trick_reads_back() -> None:
    game = stacked("base", [[11, 12], [13, 4]], [10, 20, 30, 40])
    play(game, "1:13")
    again = Game.from_record(Record.loads(game.record.dumps()))
    assert again.position.answers == game.position.answers
    play(again, "0:11")
    assert again.position.trick == 2


def test_a_game_that_is_over_stays_over() -> None:
    running, _ = played(short("base", 2), seed=1, steps=10**6)
    again = Game.from_record(running.record)
    assert again.over
    assert again.result == running.result


@pytest.mark.parametrize("broken", ["choice", "deal", "behaviour", "result", "surplus"])
def test_a_broken_record_is_no_game(broken: str) -> None:
    running, _ = played(short("base", 2), seed=1, steps=10**6)
    record = running.record
    if broken == "choice":
        record.choices[3] = Entry(1, 2, 0, "r9")
    elif broken == "deal":
        record.deals = []
    elif broken == "behaviour":
        record.behaviour = 99
    elif broken == "result":
        record.result = None
    else:
        record.deals *= 2
    with pytest.raises(BullpenError) as caught:
        Game.from_record(record)
    assert is_sentence(str(caught.value))


# The finished rounds: what may be shown while a round is being played.


def in_the_middle(game: str) -> Game:
    """Return a game in the middle of its second round (or its only one), if possible half answered."""
    kind = games()[game]
    options: dict[str, OptionValue] = {"end.kind": "rounds", "end.value": 5}
    offered = {option.key for option in kind.offers}
    rules = make(game, kind.player_range[-1], options if "end.kind" in offered else None)
    running = Game(rules, Seeded(3))
    rng = random.Random(3)
    last_round = 1 if "end.kind" not in offered and game not in ("tournament", "anniversary") else 2
    while running.position.round < last_round or running.position.trick < 1:
        step(running, rng)
    for _ in range(20):
        if not running.position.answers:
            step(running, rng)
    assert not running.over
    return running


@pytest.mark.parametrize("game", GAMES)
def test_finished_rounds_tell_nothing_of_the_running_one(game: str) -> None:
    running = in_the_middle(game)
    now = running.position.round
    record = running.record
    shown = record.finished_rounds()
    assert [deal for deal in record.deals if deal.round < now] == shown.deals
    assert [entry for entry in record.choices if entry.round < now] == shown.choices
    assert Record.loads(shown.dumps()) == shown
    assert (shown.game, shown.players, shown.options, shown.names) == (
        record.game, record.players, record.options, record.names,
    )  # fmt: skip
    assert record == running.record


@pytest.mark.parametrize("game", GAMES)
def test_finished_rounds_replay_up_to_the_deal_that_is_not_told(game: str) -> None:
    running = in_the_middle(game)
    shown = Record.loads(running.record.finished_rounds().dumps())
    *_, last = replay(shown)
    assert last.position.score_sheet == running.position.score_sheet
    assert last.position.scores == running.position.scores
    if game in ("logic", "tournament"):
        return  # Their rounds begin without a shuffle, so there is nothing that is not told.
    assert last.position.asks == ()
    assert not any(last.position.hands)
    with pytest.raises(RecordError, match="is missing"):
        check(msgspec.structs.replace(shown, running=False))


def test_finished_rounds_of_a_game_that_is_over_are_all() -> None:
    running, _ = played(short("base", 2), seed=1, steps=10**6)
    assert running.record.finished_rounds() == running.record


def test_before_the_first_round_is_finished_there_is_nothing_to_show() -> None:
    shown = new_game("base", 2, seed=1).record.finished_rounds()
    assert shown.deals == []
    assert shown.choices == []


# Written chance.


def test_scripted_chance_gives_what_is_written_and_nothing_else() -> None:
    chance = Scripted([("deck", (3, 1, 2)), ("specials", ("stop", "sort"))])
    assert chance.shuffle("deck", [1, 2, 3]) == [3, 1, 2]
    assert chance.shuffle("specials", ["sort", "stop"]) == ["stop", "sort"]
    assert chance.used == 2
    with pytest.raises(RecordError, match="missing"):
        chance.shuffle("deck", [1, 2, 3])


@pytest.mark.parametrize(
    ("pile", "cards"), [("deck", [1, 2]), ("deck", [1, 2, 4]), ("other", [1, 2, 3]), ("deck", [1, 1, 2, 3])]
)
def test_scripted_chance_refuses_other_piles_and_cards(pile: str, cards: list[int]) -> None:
    with pytest.raises(RecordError):
        Scripted([("deck", (3, 1, 2))]).shuffle(pile, cards)


def test_a_deal_knows_its_round() -> None:
    game = new_game("base", 2, seed=1)
    play_on(game)
    assert [(deal.round, deal.pile, len(deal.cards)) for deal in game.record.deals] == [
        (1, "deck", 104),
        (2, "deck", 104),
    ]
    assert isinstance(game.record.deals[0], Deal)
