"""The rulings for all games, GEN-1 to GEN-16, as far as the ten plain card games show them."""

import pytest

from bullpen.engine import BadOption, IllegalChoice, NotAsked, OptionValue, TakeRow, WrongPlayers, bullheads
from bullpen.engine.events import (
    Chose,
    Dealt,
    ForcedSecretly,
    GameEnded,
    MarkerMoved,
    Placed,
    Revealed,
    RoundEnded,
    RoundStarted,
    TookBack,
    TrickStarted,
)
from bullpen.game import new_game
from bullpen.rulesets import games, make
from tests.games.fan import trick, waits_for_a_row
from tests.games.stacked import of, play, play_on, stacked
from tests.rulebook.tables import set_up

CARD_GAMES = {
    "base": range(2, 11),
    "tactics": range(2, 11),
    "logic": range(2, 7),
    "tournament": range(2, 6),
    "professional": range(2, 11),
    "open": range(2, 10),
    "nifty": range(2, 8),
    "hand": range(2, 8),
    "double": range(2, 11),
    "two-halves": range(2, 11),
}
OWN_END = {"tournament", "two-halves"}


def test_gen_1_a_trick_is_a_card_each_and_a_round_one_deal() -> None:
    game = new_game("base", 3, seed=1)
    happened = [*game.events, *play_on(game)]
    assert [event.trick for event in of(happened, TrickStarted)] == [*range(1, 11), 1]
    assert [event.round for event in of(happened, RoundStarted)] == [1, 2]
    assert all(len(event.plays) == 3 for event in of(happened, Revealed))
    assert len(of(happened, Dealt)) == 6


def test_gen_2_a_card_that_no_row_admits_takes_one_of_choice() -> None:
    table = trick("base", [[20], [30], [40], [50]], "19")
    assert waits_for_a_row(table, seat=0)
    # Inside the span of every row: not low, yet shut out.
    table = trick("professional", [[10, 60], [20, 70], [30, 80], [40, 90]], "50")
    assert waits_for_a_row(table, seat=0)
    table.choose(0, TakeRow(2))
    assert table.position.rows == [[10, 60], [20, 70], [50], [40, 90]]


@pytest.mark.parametrize("game", ["base", "professional"])
def test_gen_3_equal_is_not_higher_and_not_lower(game: str) -> None:
    table = trick(game, [[44], [50, 60], [20, 70], [30, 80]], "44")
    assert table.position.rows[0] == [44]
    if game == "base":
        assert waits_for_a_row(table, seat=0)
    else:
        assert table.position.rows[1] == [44, 50, 60]


def test_gen_4_a_taken_row_keeps_its_place() -> None:
    table = trick("base", [[20], [30], [40], [50]], "5")
    table.choose(0, TakeRow(1))
    assert table.position.rows == [[20], [5], [40], [50]]


def test_gen_5_the_row_is_chosen_at_the_placement_knowing_all_and_for_good() -> None:
    rows = [59, 30, 71, 44]
    game = stacked("base", [[31, 62], [45, 29]], rows)
    play(game, "0:31", "1:45")
    assert game.position.rows == [[59], [30, 31], [71], [44, 45]]
    play(game, "0:62", "1:29")
    (ask,) = game.asks
    assert (ask.kind, ask.seats, ask.about) == ("choose_row", (1,), (29,))
    for seat in (None, 0, 1):
        seen = game.view(seat)
        assert [played.card for played in seen.position.table] == [29, 62]
        assert seen.position.asks[0].options == ask.options
    events = play(game, "1:r1")
    assert events[0] == Chose(1, "choose_row", "r1")
    # The 62 was meant for the 59, which is gone.
    assert game.position.rows == [[29], [30, 31], [71], [44, 45, 62]]
    with pytest.raises(NotAsked):
        game.retract(1)


def test_gen_5_an_earlier_card_of_the_trick_is_placed_before_the_choice() -> None:
    table = trick("base", [[20], [30], [40], [50]], "7", "3")
    table.choose(1, TakeRow(3))
    assert table.position.rows == [[20], [30], [40], [3, 7]]


def test_gen_6_a_hidden_card_may_be_taken_back_until_the_last_is_in() -> None:
    game = stacked("base", [[1, 2], [3, 4]], [20, 30, 40, 50])
    play(game, "0:1")
    assert game.retract(0) == (TookBack(0),)
    play(game, "0:2", "1:3")
    with pytest.raises(NotAsked):
        game.retract(0)
    assert 1 in game.position.hands[0]
    assert 2 not in game.position.hands[0]


SHOWN: list[tuple[OptionValue, dict[int | None, list[bool]]]] = [
    ("own", {0: [True, False], 1: [False, True], None: [False, False]}),
    ("counts", {0: [False, False], 1: [False, False], None: [False, False]}),
    ("all", {0: [True, True], 1: [True, True], None: [True, True]}),
]


@pytest.mark.parametrize("game", CARD_GAMES)
@pytest.mark.parametrize(("agreed", "visible"), SHOWN)
def test_gen_7_bull_piles_are_shown_as_agreed(
    game: str, agreed: OptionValue, visible: dict[int | None, list[bool]]
) -> None:
    running = new_game(game, 2, seed=3, options={"show.bullPiles": agreed})
    running.position.piles = [[10, 11], [12, 13, 14]]
    for seat, sights in visible.items():
        seen = running.view(seat)
        for pile, shown, sight in zip(running.position.piles, seen.position.piles, sights, strict=True):
            assert shown == (pile if sight else [0] * len(pile))
        # Every take was public, so a perfect memory has it all the same.
        assert seen.piles == ((10, 11), (12, 13, 14))


@pytest.mark.parametrize("game", CARD_GAMES)
def test_gen_8_cards_that_were_not_dealt_are_shown_to_nobody(game: str) -> None:
    running = new_game(game, 2, seed=3)
    size = len(running.position.deck)
    assert size > 0 or game in ("tactics", "logic", "tournament")
    for seat in (None, 0, 1):
        assert running.view(seat).position.deck == [0] * size
    while not running.over:
        play_on(running, until=RoundEnded)
    for seat in (None, 0, 1):
        assert set(running.view(seat).position.deck) <= {0}


def test_gen_9_bullheads_follow_the_printed_number() -> None:
    table = trick("double", [[44, 44], [60], [70], [80]], "9")
    table.choose(0, TakeRow(0))
    assert table.position.points[0] == 2 * bullheads(44) == 10


@pytest.mark.parametrize(("game", "key"), [("open", "open.firstSeat"), ("hand", "hand.firstSeat")])
def test_gen_10_the_configuration_names_who_begins(game: str, key: str) -> None:
    for options, first in (({}, 0), ({key: 0}, 0), ({key: 2}, 2)):
        running = new_game(game, 3, seed=1, options=options)
        assert running.asks[0].seats == (first,)
    with pytest.raises(BadOption):
        make(game, 3, {key: 3})


@pytest.mark.parametrize("game", ["logic", "tournament"])
def test_gen_10_the_configuration_names_who_picks_first(game: str) -> None:
    for options, first in (({}, 0), ({"logic.firstPicker": 2}, 2)):
        running = new_game(game, 3, seed=1, options=options)
        assert running.asks[0].seats == (first,)
        assert of(running.events, MarkerMoved) == [MarkerMoved("first", first)]
    with pytest.raises(BadOption):
        make(game, 3, {"logic.firstPicker": 3})


def test_gen_11_variants_are_not_mixed() -> None:
    keys = {option.key for kind in games().values() for option in kind.offers}
    for game, kind in games().items():
        for key in keys - {option.key for option in kind.offers}:
            with pytest.raises(BadOption):
                make(game, kind.player_range[0], {key: 1})


def test_gen_11_professional_on_a_short_deck_only_by_an_experimental_switch() -> None:
    assert make("professional", 3).universe("numbers") == list(range(1, 105))
    short = make("professional", 3, {"experimental.shortDeck": True})
    assert short.universe("numbers") == list(range(1, 35))
    assert [
        game for game, kind in games().items() if "experimental.shortDeck" in {o.key for o in kind.offers}
    ] == ["professional"]


def test_gen_12_the_lowest_total_wins_and_equal_ones_share() -> None:
    rules = make("base", 3, {"end.value": 9})
    # The last card of everybody goes by itself and costs nothing.
    table = set_up(rules, [[10], [20], [30], [40]], [[41], [31], [21]], spares=0, scores=[5, 9, 5])
    (ended,) = table.happened(GameEnded)
    assert ended.result.scores == (5, 9, 5)
    assert ended.result.ranks == (1, 3, 1)
    assert ended.result.winners == (0, 2)


def test_gen_13_what_has_no_alternative_is_done_and_written_down() -> None:
    game = stacked("base", [[1], [2]], [10, 20, 30, 40])
    while len(game.position.hands[0]) > 2:
        play_on(game, until=TrickStarted)
    happened = play_on(game, until=RoundEnded)
    forced = of(happened, ForcedSecretly)
    assert [event.seat for event in forced] == [0, 1]
    last = of(happened, Revealed)[-1]
    assert {event.notation for event in forced} == {str(played.card) for played in last.plays}


def test_gen_13_a_forced_public_choice_is_written_down_for_all() -> None:
    table = trick("professional", [[10, 25], [35, 50], [60, 80], [90, 95]], "30", options={"pro.tie": "left"})
    assert table.happened(Chose) == [Chose(0, "choose_side", "j2", forced=True)]


@pytest.mark.parametrize(("game", "counts"), CARD_GAMES.items())
def test_gen_14_only_the_printed_numbers_of_players_may_play(game: str, counts: range) -> None:
    for players in range(13):
        if players in counts:
            assert make(game, players).players == players
        else:
            with pytest.raises(WrongPlayers):
                make(game, players)


@pytest.mark.parametrize("game", CARD_GAMES)
@pytest.mark.parametrize("option", [("end.kind", "rounds"), ("end.value", 66), ("end.kind", "target")])
def test_gen_15_a_game_with_an_end_of_its_own_takes_no_target(
    game: str, option: tuple[str, OptionValue]
) -> None:
    if game in OWN_END:
        with pytest.raises(BadOption):
            make(game, 2, dict([option]))
    else:
        assert make(game, 2, dict([option])).options[option[0]] == option[1]


def test_gen_16_bullheads_are_stored_as_positive_points_and_the_lowest_wins() -> None:
    game = new_game("base", 4, seed=2)
    while not game.over:
        play_on(game)
    assert game.result is not None
    assert min(game.result.scores) >= 0
    assert game.result.ranks[game.result.scores.index(min(game.result.scores))] == 1
    assert game.result.ranks[game.result.scores.index(max(game.result.scores))] == 4


def test_a_card_that_is_not_in_hand_cannot_be_played() -> None:
    game = stacked("base", [[1], [2]], [10, 20, 30, 40])
    with pytest.raises(IllegalChoice):
        play(game, "0:2")
    assert of(play(game, "0:1", "1:2"), Placed) == []
