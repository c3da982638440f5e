"""Two halves: the rulings HALF-1 to HALF-6."""

import pytest

from bullpen.engine import BadOption, WrongPlayers, bullheads
from bullpen.engine.events import Dealt, GameEnded, Revealed, RoundEnded, RowsStarted
from bullpen.game import Game, new_game
from bullpen.rulesets import find, make
from tests.games.stacked import of, play_on, stacked

DEALS = {
    2: (25, 25),
    3: (16, 17),
    4: (12, 13),
    5: (10, 10),
    6: (8, 8),
    7: (7, 7),
    8: (6, 6),
    9: (5, 6),
    10: (5, 5),
}


def half_time(game: Game) -> None:
    """Play the first hands out."""
    play_on(game, until=Dealt)


def test_half_1_the_label_in_the_heading_is_no_rule() -> None:
    assert "tcg" not in find("two-halves").id


@pytest.mark.parametrize(("players", "sizes"), DEALS.items())
def test_half_2_the_deal_by_players(players: int, sizes: tuple[int, int]) -> None:
    game = new_game("two-halves", players, seed=1)
    assert [len(hand) for hand in game.position.hands] == [sizes[0]] * players
    half_time(game)
    assert [len(hand) for hand in game.position.hands] == [sizes[1]] * players
    play_on(game)
    assert game.over
    assert game.position.trick == sum(sizes)


def test_half_2_a_table_may_keep_to_the_printed_numbers() -> None:
    for players in range(2, 11):
        if 4 <= players <= 7:
            assert make("two-halves", players, {"half.printedOnly": True}).players == players
        else:
            with pytest.raises(WrongPlayers):
                make("two-halves", players, {"half.printedOnly": True})
        assert make("two-halves", players, {"half.printedOnly": False}).players == players
    with pytest.raises(BadOption):
        make("two-halves", 5, {"half.printedOnly": 1})


@pytest.mark.parametrize("players", DEALS)
def test_half_3_all_cards_are_used_with_2_4_5_and_10_players_only(players: int) -> None:
    game = new_game("two-halves", players, seed=1)
    half_time(game)
    left = {3: 1, 6: 4, 7: 2, 8: 4, 9: 1}.get(players, 0)
    assert len(game.position.deck) == left


def test_half_4_rows_and_piles_carry_over_and_nothing_is_scored() -> None:
    game = new_game("two-halves", 4, seed=7)
    while len(game.position.hands[0]) > 2:
        game.choose(game.asks[0].seats[0], game.asks[0].options[0])
    happened = play_on(game, until=Dealt)
    assert not of(happened, RoundEnded)
    assert not of(happened, RowsStarted)
    position = game.position
    assert position.scores == [0, 0, 0, 0]
    assert position.score_sheet == []
    taken = sum(map(len, position.piles))
    assert taken > 0
    assert taken + sum(map(len, position.rows)) == 4 + 48
    assert position.points == [bullheads(*pile) for pile in position.piles]
    happened = play_on(game)
    assert len(of(happened, RoundEnded)) == 1
    assert of(happened, GameEnded)[0].result.scores == tuple(bullheads(*pile) for pile in position.piles)


def test_half_4_the_deck_is_shuffled_once() -> None:
    game = new_game("two-halves", 5, seed=7)
    while not game.over:
        play_on(game)
    assert [(deal.round, deal.pile) for deal in game.record.deals] == [(1, "deck")]


def test_half_5_leftover_cards_are_never_seen() -> None:
    game = new_game("two-halves", 6, seed=2)
    while not game.over:
        play_on(game)
    assert len(game.position.deck) == 4
    for seat in (None, 0, 5):
        assert game.view(seat).position.deck == [0, 0, 0, 0]


def test_half_6_the_second_hands_come_at_once_from_the_rest_of_the_deck() -> None:
    second = list(range(1, 11))
    game = stacked("two-halves", [[]] * 10, [50, 51, 52, 53], size=5, then=[*second, *range(11, 51 - 1)])
    first_deck = game.position.deck[:]
    happened = play_on(game, until=Dealt)
    dealt = of(happened, Dealt)
    assert [card for event in dealt for card in event.cards] == first_deck
    assert len(of(happened, Revealed)) == 5
    assert all(ask.kind == "commit" for ask in game.asks)
    assert game.position.deck == []
    # Before that nobody knows them.
    assert new_game("two-halves", 10, seed=1).view(0).position.deck == [0] * 50


def test_there_is_no_target() -> None:
    for key, value in (("end.kind", "rounds"), ("end.value", 5)):
        with pytest.raises(BadOption):
            make("two-halves", 4, {key: value})
    game = new_game("two-halves", 2, seed=4)
    play_on(game)
    assert game.result is not None
    assert game.result.reason == "both halves were played"
