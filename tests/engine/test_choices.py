"""Choices and their notation."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullpen.engine import (
    BadNotation,
    Choice,
    Draft,
    JoinRow,
    Keep,
    Pass,
    PlaceFirst,
    PlayCard,
    PlayPair,
    Seeded,
    StartRow,
    TakeRow,
    UseSpecial,
    choices,
    parse,
)
from bullpen.game import Game
from bullpen.rulesets import games
from bullpen.testing import at_random, eagerly, step
from tests.sentences import is_sentence
from tests.strategies import GAMES, rulesets

cards = st.integers(0, 9999)
rows = st.integers(0, 9998)
words = st.text("abcdefghijklmnopqrstuvwxyz0123456789", min_size=1, max_size=8)
names = st.lists(words, min_size=1, max_size=3).map("-".join)

EVERY_KIND: dict[type[Choice], st.SearchStrategy[Choice]] = {
    PlayCard: st.builds(PlayCard, cards, st.booleans()),
    PlayPair: st.tuples(cards, cards).map(lambda pair: PlayPair(min(pair), max(pair))),
    TakeRow: st.builds(TakeRow, rows),
    JoinRow: st.builds(JoinRow, rows),
    StartRow: st.builds(StartRow, rows),
    Draft: st.builds(Draft, cards),
    PlaceFirst: st.builds(PlaceFirst, cards),
    Keep: st.lists(cards, max_size=8).map(lambda kept: Keep(tuple(sorted(kept)))),
    UseSpecial: st.builds(UseSpecial, names, st.lists(cards, max_size=8).map(tuple)),
    Pass: st.just(Pass()),
}


def test_no_kind_of_choice_is_forgotten() -> None:
    """Kinds that a game brings along are met in the asks of that game, below."""
    named = {kind for kind in Choice.kinds if kind.__module__ == choices.__name__}
    assert {kind for kind in named if not kind.__name__.startswith("_")} == set(EVERY_KIND)


@pytest.mark.parametrize("kind", EVERY_KIND)
@given(data=st.data())
def test_every_choice_parses_back(kind: type[Choice], data: st.DataObject) -> None:
    choice = data.draw(EVERY_KIND[kind])
    assert parse(choice.notation) == choice
    assert parse(f"  {choice.notation}\n") == choice
    assert type(parse(choice.notation)) is kind
    assert str(choice) == choice.notation


@given(st.one_of(*EVERY_KIND.values()), st.one_of(*EVERY_KIND.values()))
def test_different_choices_are_written_differently(one: Choice, other: Choice) -> None:
    assert (one == other) == (one.notation == other.notation)


def test_what_is_written_in_another_order_is_the_same_choice() -> None:
    assert parse("44+12") == PlayPair(12, 44)
    assert parse("k15,12") == Keep((12, 15))


ALPHABET = "0123456789rjsdfk+*,:-. stop\n٤²Ⅷ"


@given(st.one_of(st.text(max_size=200), st.text(ALPHABET, max_size=30)))
def test_any_text_is_a_choice_or_bad_notation(text: str) -> None:
    said = ""
    try:
        choice = parse(text)
    except BadNotation as error:
        said = str(error)
    else:
        assert parse(choice.notation) == choice
    assert not said or is_sentence(said)


@given(st.sampled_from(["r", "j", "s", "d", "f", "", "k", "x:"]), st.integers(10_000, 10**40))
def test_numbers_too_long_for_a_card_are_refused(letter: str, number: int) -> None:
    with pytest.raises(BadNotation):
        parse(f"{letter}{number}")


@pytest.mark.parametrize("cut", [78, 79, 80, 81])
def test_a_long_text_is_never_read_in_part(cut: int) -> None:
    text = ("k" + "11," * 60)[:cut] + "1" * 200
    with pytest.raises(BadNotation):
        parse(text)


@pytest.mark.parametrize(
    "text", ["r0", "j0", "s0", "044", "00", "+", "1+", "+1", "1+2+3", "k,", "k1,", ":", "x:1,", "--", "*"]
)
def test_near_misses(text: str) -> None:
    with pytest.raises(BadNotation):
        parse(text)


def check_asks(running: Game) -> None:
    """Check that all options of every ask are written differently and read back."""
    for ask in running.position.asks:
        notations = [option.notation for option in ask.options]
        assert len(set(notations)) == len(notations)
        assert [parse(notation) for notation in notations] == list(ask.options)
        assert all(notation == notation.strip() and " " not in notation for notation in notations)


@pytest.mark.parametrize("game", GAMES)
def test_the_options_of_any_ask_read_back(game: str) -> None:
    for players in {games()[game].player_range[0], games()[game].player_range[-1]}:
        rng = random.Random(players)
        for chooser in (at_random, eagerly):
            running = Game(games()[game](players), Seeded(players))
            for _ in range(60):
                check_asks(running)
                if not running.over:
                    step(running, rng, chooser)


@given(rules=rulesets(), seed=st.integers(0, 999))
def test_the_options_of_any_ask_read_back_with_any_options(rules: Any, seed: int) -> None:
    running = Game(rules, Seeded(seed))
    rng = random.Random(seed)
    for _ in range(40):
        check_asks(running)
        if not running.over:
            step(running, rng)
