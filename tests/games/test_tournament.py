"""Tournament: the rulings TRN-1 to TRN-9."""

import random

import pytest

from bullpen.engine import BadOption, WrongPlayers
from bullpen.engine.events import Drafted, GameEnded, RoundEnded, RowsStarted, SheetsPassed
from bullpen.game import Game, new_game
from bullpen.rulesets import make
from bullpen.rulesets.tournament import Tournament, TournamentPosition
from tests.games.stacked import Orders, is_over, of, play_on


def drafted(players: int, seed: int = 1) -> Game:
    """Return a tournament after its draft, in which the picks were made at random."""
    game = new_game("tournament", players, seed=seed)
    rng = random.Random(seed)
    while game.asks[0].kind == "draft_pick":
        game.choose(game.asks[0].seats[0], rng.choice(game.asks[0].options))
    return game


def sheets(game: Game) -> TournamentPosition:
    """Return the position with its sheets."""
    assert isinstance(game.position, TournamentPosition)
    return game.position


def test_trn_1_two_to_five_play() -> None:
    for players in (2, 5):
        assert make("tournament", players).players == players
    for players in (1, 6):
        with pytest.raises(WrongPlayers):
            make("tournament", players)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_trn_2_every_seat_plays_every_hand_once_and_the_sheets_go_to_the_left(players: int) -> None:
    game = drafted(players)
    hands = [list(hand) for hand in game.position.hands]
    held = []
    for number in range(1, players + 1):
        owners = [hands.index(hand) for hand in game.position.hands]
        assert owners == [(seat - number + 1) % players for seat in range(players)]
        held.append(owners)
        passed = of(play_on(game), SheetsPassed)
        assert [list(event.owners) for event in passed] == (
            [[(seat - number) % players for seat in range(players)]] if number < players else []
        )
    assert all(sorted(seats) == list(range(players)) for seats in zip(*held, strict=True))


def test_trn_2_lines_are_filled_clockwise_from_the_owner() -> None:
    game = drafted(4)
    while not game.over:
        play_on(game)
    rules, position = game.rules, sheets(game)
    assert isinstance(rules, Tournament)
    for owner in range(4):
        lines = rules.sheet(position, owner)
        # Line k belongs to the k-th player from the owner, who held this sheet in game k.
        assert lines == [position.score_sheet[line][(owner + line) % 4] for line in range(4)]


@pytest.mark.parametrize("players", [2, 5])
def test_trn_3_the_same_four_cards_start_every_game(players: int) -> None:
    game = drafted(players)
    rows = [row[:] for row in game.position.rows]
    assert rows == sorted(rows)
    while not game.over:
        started = of(play_on(game), RowsStarted)
        if not is_over(game):
            assert started == [RowsStarted(tuple(tuple(row) for row in rows))]
            assert game.position.rows == rows


def test_trn_4_points_are_written_on_the_sheet_just_played() -> None:
    game = drafted(3)
    (ended,) = of(play_on(game), RoundEnded)
    rules = game.rules
    assert isinstance(rules, Tournament)
    assert [rules.sheet(sheets(game), owner) for owner in range(3)] == [[points] for points in ended.points]


def test_trn_5_the_total_is_the_sum_over_all_sheets() -> None:
    game = drafted(3)
    while not game.over:
        play_on(game)
    rules, position = game.rules, sheets(game)
    assert isinstance(rules, Tournament)
    totals = [0, 0, 0]
    for owner in range(3):
        for line, points in enumerate(rules.sheet(position, owner)):
            totals[rules.line_player(owner, line)] += points
    assert game.result is not None
    assert list(game.result.scores) == totals == position.scores


def test_trn_6_it_ends_after_as_many_games_as_players_whatever_the_scores() -> None:
    beyond_66 = 0
    for seed in range(4):
        game = drafted(5, seed)
        for number in range(1, 6):
            assert not game.over
            beyond_66 += max(game.position.scores) >= 66
            (ended,) = of(happened := play_on(game), RoundEnded)
            assert ended.round == number
            assert len(of(happened, GameEnded)) == (number == 5)
    assert beyond_66 > 0
    with pytest.raises(BadOption):
        make("tournament", 3, {"end.value": 66})


def test_trn_7_all_hands_are_public_but_no_chosen_card() -> None:
    game = drafted(3)
    game.choose(0, game.asks[0].options[0])
    for seat in (None, 1, 2):
        seen = game.view(seat)
        assert seen.position.hands == game.position.hands
        assert seen.position.answers == {}
        assert seen.answered == (0,)
    play_on(game)
    assert game.view(None).position.hands == game.position.hands


def test_trn_8_the_order_on_a_sheet_means_nothing() -> None:
    game = new_game("tournament", 2, seed=1)
    for card in range(20, 0, -1):
        game.choose(game.asks[0].seats[0], f"d{card}")
    assert [list(sheet) for sheet in sheets(game).sheets] == game.position.hands
    assert all(list(sheet) == sorted(sheet) for sheet in sheets(game).sheets)


def test_trn_9_there_is_one_draft_and_the_first_picker_may_be_named() -> None:
    game = new_game("tournament", 3, seed=1, options={"logic.firstPicker": 1})
    assert game.asks[0].seats == (1,)
    picks = 0
    while not game.over:
        picks += len(of(play_on(game), Drafted))
    assert picks == 30
    at_random = Game(make("tournament", 3, {"logic.firstPicker": "random"}), Orders([2, 1, 0]))
    assert at_random.asks[0].seats == (2,)
