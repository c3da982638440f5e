"""Questions: who may see them, what the engine answers by itself, and what may be taken back."""

import random

import pytest

from bullpen.engine import PASS, Ask, PlayCard, Seeded, TakeRow, new_game, retract, submit, view
from bullpen.engine.events import Chose, Committed, Event, ForcedSecretly, Revealed, TookBack
from bullpen.game import Game
from bullpen.rulesets import games, make
from bullpen.testing import eagerly, step
from tests.games.fan import trick
from tests.games.stacked import of, play, play_on, stacked
from tests.rulebook.tables import Table, set_up
from tests.strategies import GAMES

ROWS = [[10], [20], [30], [40]]


def told(events: tuple[Event, ...] | list[Event], seat: int | None) -> list[Event]:
    """Return the events as a seat is told them."""
    return [seen for event in events if (seen := event.seen_by(seat)) is not None]


def one_cannot_choose() -> Table:
    """Return a table at which seat 0 has one card left and the others have several."""
    rules = make("base", 3)
    table = set_up(rules, ROWS, [[41], [31, 32], [21, 22]], spares=0)
    assert table.position.answers == {0: PlayCard(41)}
    return table


# What others see.


def test_a_secret_ask_shows_its_options_to_its_own_seat_only() -> None:
    ask = Ask((1,), "commit", (PlayCard(1), PlayCard(2)), "Choose.", secret=True, about=(7,))
    assert ask.seen_by(1) == ask
    for seat in (None, 0, 2):
        seen = ask.seen_by(seat)
        assert seen.options == ()
        assert (seen.seats, seen.kind, seen.prompt, seen.about, seen.secret) == (
            (1,),
            "commit",
            "Choose.",
            (7,),
            True,
        )
        assert not seen.forced


def test_a_public_ask_shows_its_options_to_all() -> None:
    ask = Ask((1,), "choose_row", (TakeRow(0), TakeRow(1)), "Choose.")
    assert ask.seen_by(None) == ask.seen_by(0) == ask.seen_by(1) == ask


def test_a_team_shares_its_secret_ask() -> None:
    ask = Ask((0, 2), "commit", (PlayCard(1), PASS), "Choose.", secret=True)
    assert ask.seen_by(0) == ask.seen_by(2) == ask
    assert ask.seen_by(1).options == ()


def test_an_ask_with_one_option_is_forced_unless_it_is_patient() -> None:
    assert Ask((0,), "x", (PASS,), "").forced
    assert not Ask((0,), "x", (PASS, PlayCard(1)), "").forced
    assert not Ask((0,), "x", (PASS,), "", secret=True, patient=True).forced
    assert Ask((0,), "x", (PASS,), "", secret=True, patient=True).seen_by(1).patient


def test_others_learn_that_a_card_was_chosen_but_not_which() -> None:
    game = stacked("base", [[1, 2], [3, 4]], [10, 20, 30, 40])
    assert play(game, "0:2") == [Committed(0)]
    for seat in (None, 1):
        seen = game.view(seat)
        assert seen.position.answers == {}
        assert seen.answered == (0,)
        assert seen.waiting == (1,)
        assert seen.position.asks[0].options == ()
    own = game.view(0)
    assert own.position.answers == {0: PlayCard(2)}
    assert own.ask is None
    assert game.view(1).ask is not None


def test_the_news_of_a_view_is_empty() -> None:
    game = stacked("base", [[1, 2], [3, 4]], [10, 20, 30, 40])
    assert game.position.news
    assert game.view(0).position.news == []


# What the engine answers (GEN-13).


def test_a_forced_public_choice_is_an_event_for_all() -> None:
    table = trick(
        "professional", [[10, 25], [35, 50], [60, 80], [90, 95]], "30", options={"pro.tie": "right"}
    )
    (chose,) = table.happened(Chose)
    assert chose == Chose(0, "choose_side", "j1", forced=True)
    assert chose.seen_by(None) == chose.seen_by(1) == chose
    assert table.position.rows[0] == [10, 25, 30]


def test_a_free_public_choice_is_an_event_that_says_so() -> None:
    table = trick("base", ROWS, "5")
    table.choose(0, TakeRow(2))
    assert table.happened(Chose) == [Chose(0, "choose_row", "r3", forced=False)]


def test_a_forced_secret_answer_is_told_to_its_owner_alone() -> None:
    table = one_cannot_choose()
    assert told(table.events, 0) != told(table.events, 1)
    assert ForcedSecretly(0, "commit", "41") in told(table.events, 0)
    for seat in (None, 1, 2):
        assert not of(told(table.events, seat), ForcedSecretly)
        assert not of(told(table.events, seat), Committed)


def test_a_forced_secret_answer_is_not_counted_as_given_in_the_views_of_others() -> None:
    table = one_cannot_choose()
    assert view(table.rules, table.position, 0).answered == (0,)
    assert view(table.rules, table.position, 0).position.answers == {0: PlayCard(41)}
    assert view(table.rules, table.position, 0).ask is None
    for seat in (None, 1, 2):
        seen = view(table.rules, table.position, seat)
        assert seen.answered == ()
        assert seen.position.answers == {}
        assert seen.waiting == (0, 1, 2)
    table.choose(2, PlayCard(22))
    assert view(table.rules, table.position, 1).answered == (2,)
    assert view(table.rules, table.position, 1).waiting == (0, 1)
    table.choose(1, PlayCard(31))
    assert table.happened(Revealed)


def test_rules_that_always_ask_leave_every_answer_to_its_seat() -> None:
    rules = make("base", 2)
    rules.asks_always = True
    table = set_up(rules, ROWS, [[41], [31]], spares=0)
    assert [ask.options for ask in table.position.open_asks] == [(PlayCard(41),), (PlayCard(31),)]
    assert not table.happened(ForcedSecretly)
    table.choose(0, PlayCard(41))
    table.choose(1, PlayCard(31))
    assert len(table.happened(Revealed)) == 1


def test_when_nobody_can_choose_the_trick_plays_itself() -> None:
    table = set_up(make("base", 2), ROWS, [[41], [31]], spares=0)
    assert [event.seat for event in table.happened(ForcedSecretly)] == [0, 1]
    assert len(table.happened(Revealed)) == 1


@pytest.mark.parametrize("game", GAMES)
def test_no_open_ask_is_forced(game: str) -> None:
    running = Game(games()[game](games()[game].player_range[0]), Seeded(5))
    rng = random.Random(5)
    while not running.over:
        assert not [ask for ask in running.asks if ask.forced]
        assert running.asks
        step(running, rng, eagerly)


@pytest.mark.parametrize("game", GAMES)
def test_every_forced_answer_is_an_event_with_the_only_option(game: str) -> None:
    """Every answer in a position was either submitted or told as forced."""
    running = Game(games()[game](games()[game].player_range[0]), Seeded(6))
    rng = random.Random(6)
    given: set[int] = set()
    while not running.over:
        ask = rng.choice(running.asks)
        seat = ask.seats[0]
        given.add(seat)
        happened = running.choose(seat, eagerly(rng, ask))
        if len(running.position.answers) == 0 or not given <= set(running.position.answers):
            given = set()
        forced = {event.seat for event in of(happened, ForcedSecretly)} | {
            event.seat for event in of(happened, Chose) if event.forced
        }
        for answerer in set(running.position.answers) - given:
            assert answerer in forced
            given.add(answerer)


# Taking back (GEN-6).


def test_a_hidden_answer_is_taken_back_and_everybody_learns_of_it() -> None:
    rules = make("base", 2)
    position, _ = new_game(rules, Seeded(1))
    choice = position.asks[0].options[3]
    after, _ = submit(rules, position, 0, choice, Seeded(1))
    back, events = retract(rules, after, 0)
    assert events == (TookBack(0),)
    assert TookBack(0).seen_by(None) == TookBack(0).seen_by(1) == TookBack(0)
    assert back.answers == {}
    assert back.open_asks == position.asks
    assert after.answers == {0: choice}
    assert view(rules, back, 1).answered == ()


def test_a_game_forgets_what_was_taken_back() -> None:
    game = stacked("base", [[1, 2], [3, 4]], [10, 20, 30, 40])
    play(game, "1:3", "0:1")
    game = stacked("base", [[1, 2], [3, 4], [5, 6]], [10, 20, 30, 40])
    play(game, "1:3", "0:1")
    game.retract(0)
    play(game, "2:5")
    assert [(entry.seat, entry.notation) for entry in game.record.choices] == [(1, "3"), (2, "5")]
    play(game, "0:2")
    assert [entry.notation for entry in game.record.choices] == ["3", "5", "2"]


def test_only_the_latest_answer_of_a_seat_is_taken_back() -> None:
    game = stacked("base", [[11, 12], [13, 14]], [10, 20, 30, 40])
    play(game, "0:11", "1:13", "0:12")
    game.retract(0)
    assert [entry.notation for entry in game.record.choices] == ["11", "13"]


def test_others_answers_stay_when_one_is_taken_back() -> None:
    game = stacked("base", [[1, 2], [3, 4], [5, 6]], [10, 20, 30, 40])
    play(game, "0:1", "2:5")
    game.retract(0)
    assert game.position.answers == {2: PlayCard(5)}
    assert [ask.seats for ask in game.asks] == [(0,), (1,)]


def test_answers_are_revealed_together_when_the_last_is_in() -> None:
    game = stacked("base", [[11, 2], [12, 4], [13, 6]], [10, 20, 30, 40])
    for choice in ("2:13", "0:11"):
        assert not of(play(game, choice), Revealed)
    (revealed,) = of(play(game, "1:12"), Revealed)
    assert [(played.seat, played.card) for played in revealed.plays] == [(0, 11), (1, 12), (2, 13)]


def test_the_order_in_which_hidden_cards_are_chosen_does_not_matter() -> None:
    games_ = [stacked("base", [[11, 2], [12, 4], [13, 6]], [10, 20, 30, 40]) for _ in range(2)]
    play(games_[0], "0:11", "1:12", "2:13")
    play(games_[1], "2:13", "1:12", "0:11")
    first, second = (game.position.copy() for game in games_)
    first.news = second.news = []
    assert first == second
    play_on(games_[0])
