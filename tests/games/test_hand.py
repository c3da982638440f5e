"""Hand: the rulings HAND-1 to HAND-14."""

import random
from typing import Any

import pytest

from bullpen.engine import (
    PASS,
    BadOption,
    Event,
    IllegalChoice,
    Keep,
    Pass,
    PlayCard,
    TakeRow,
    WrongPlayers,
    bullheads,
    imagine,
    parse,
    view,
)
from bullpen.engine.events import (
    Chose,
    Committed,
    ForcedSecretly,
    GameEnded,
    Kept,
    Laid,
    Placed,
    RoundEnded,
    RoundStarted,
    Took,
    TrickStarted,
)
from bullpen.game import new_game
from bullpen.rulesets import make
from bullpen.rulesets.hand import LAP, HandPosition
from tests.games.fan import random_game
from tests.games.stacked import of
from tests.rulebook.tables import Table

FULL = [21, 24, 26, 30, 33]
ROWS = [[5, 11], FULL, [62], [77, 78]]
FAR = [90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104]


def table(
    *hands: list[int], rows: list[list[int]] = ROWS, options: Any = None, piles: list[list[int]] | None = None
) -> Table:
    """Return a table at the beginning of a lap."""
    rules = make("hand", len(hands), options)
    position = HandPosition(len(hands))
    position.rows = [row[:] for row in rows]
    position.hands = [sorted(hand) for hand in hands]
    position.piles = piles or [[] for _ in hands]
    position.points = [bullheads(*pile) for pile in position.piles]
    position.known, position.scores = [[] for _ in hands], [0] * len(hands)
    position.round = 1
    position.agenda = [LAP]
    told = Table(rules, position)
    told.go_on()
    return told


def play(told: Table, *choices: str) -> None:
    """Make choices such as `0:44`."""
    for choice in choices:
        seat, _, notation = choice.partition(":")
        told.choose(int(seat), parse(notation))


def asked(told: Table) -> tuple[str, int]:
    """Return what is asked, and whom."""
    (ask,) = told.position.open_asks
    return ask.kind, ask.seats[0]


def end(told: Table) -> str | None:
    """Return why the game is over, or None."""
    return told.position.result.reason if told.position.result else None


def kept_at_most(told: Table) -> int:
    """Return how many taken cards may go into the hand."""
    (ask,) = told.position.open_asks
    assert ask.kind == "split_take"
    return max(len(option.cards) for option in ask.options if isinstance(option, Keep))


def test_hand_1_two_to_seven_with_fourteen_cards() -> None:
    game = new_game("hand", 7, seed=1)
    assert [len(hand) for hand in game.position.hands] == [14] * 7
    assert len(game.position.deck) == 2
    for players in (1, 8):
        with pytest.raises(WrongPlayers):
            make("hand", players)


def test_hand_2_a_second_card_is_announced_before_the_first_is_placed() -> None:
    told = table([34, 36, 90], [1, 2])
    play(told, "0:34")
    assert asked(told) == ("second_card", 0)
    assert not told.happened(Placed)
    assert [played.card for played in told.position.table] == [34]
    play(told, "0:36")
    assert [event.card for event in told.happened(Laid)] == [34, 36]
    assert asked(told) == ("split_take", 0)
    play(told, "0:k")
    assert [event.card for event in told.happened(Placed)] == [34, 36]
    assert told.position.rows[1] == [34, 36]


def test_hand_2_or_after_it_was_placed_if_the_table_agreed() -> None:
    told = table([34, 36, 90], [1, 2], options={"hand.secondCard": "sequential"})
    play(told, "0:34")
    assert asked(told) == ("split_take", 0)
    play(told, "0:k")
    assert asked(told) == ("second_card", 0)
    assert [event.card for event in told.happened(Placed)] == [34]
    play(told, "0:36")
    assert told.position.rows[1] == [34, 36]
    assert asked(told) == ("hand_turn", 1)


@pytest.mark.parametrize("mode", ["committed", "sequential"])
def test_hand_2_one_card_is_enough(mode: str) -> None:
    told = table([12, 90], [1, 2], options={"hand.secondCard": mode})
    play(told, "0:12", "0:-")
    assert told.position.rows[0] == [5, 11, 12]
    assert asked(told) == ("hand_turn", 1)
    with pytest.raises(BadOption):
        make("hand", 2, {"hand.secondCard": "both"})


def test_hand_3_the_hand_never_holds_more_than_sixteen() -> None:
    told = table([34, *FAR[:13]], [1, 2])
    play(told, "0:34", "0:-")
    # Fourteen held, one played, five taken: at most three to the hand.
    assert len(told.position.hands[0]) == 13
    assert kept_at_most(told) == 3
    (ask,) = told.position.open_asks
    assert len(ask.options) == 1 + 5 + 10 + 10
    play(told, "0:k21,24,26")
    assert len(told.position.hands[0]) == 16
    assert told.position.piles[0] == [30, 33]


@pytest.mark.parametrize(("held", "most"), [(2, 5), (12, 5), (13, 4), (14, 3), (16, 1)])
def test_hand_3_the_surplus_must_go_to_the_pile(held: int, most: int) -> None:
    told = table([34, *FAR[: held - 1]], [1, 2])
    play(told, "0:34", "0:-")
    assert kept_at_most(told) == most
    too_many = FULL[: most + 1] if most < len(FULL) else [*FULL, 90]
    with pytest.raises(IllegalChoice):
        play(told, "0:k" + ",".join(map(str, too_many)))


def test_hand_3_all_may_go_to_the_hand_or_all_to_the_pile() -> None:
    for keep, hand, pile in (("k", [90], FULL), ("k21,24,26,30,33", [*FULL, 90], [])):
        told = table([34, 90], [1, 2])
        play(told, "0:34", "0:-", f"0:{keep}")
        assert told.position.hands[0] == hand
        assert told.position.piles[0] == pile
        assert told.position.points[0] == bullheads(*pile)


def test_hand_3_a_full_hand_that_plays_one_and_takes_none_back_has_a_single_way() -> None:
    told = table([34, *FAR], [1, 2])
    assert len(told.position.hands[0]) == 16
    play(told, "0:34", "0:-")
    assert kept_at_most(told) == 1


def test_hand_4_an_announced_second_card_is_no_longer_in_hand() -> None:
    told = table([34, *FAR[:13]], [1, 2])
    play(told, "0:34", "0:90")
    assert len(told.position.hands[0]) == 12
    assert kept_at_most(told) == 4


def test_hand_4_in_sequence_the_second_card_still_counts() -> None:
    told = table([34, *FAR[:13]], [1, 2], options={"hand.secondCard": "sequential"})
    play(told, "0:34")
    assert kept_at_most(told) == 3


def test_hand_5_nobody_may_play_nothing() -> None:
    told = table([34, 90], [1, 2])
    (ask,) = told.position.open_asks
    assert ask.options == (PlayCard(34), PlayCard(90))
    play(told, "0:90")
    (ask,) = told.position.open_asks
    assert ask.options == (PASS, PlayCard(34))


def test_hand_5_with_one_card_left_only_one_is_played() -> None:
    told = table([63], [1, 2, 3])
    assert told.happened(ForcedSecretly) == [
        ForcedSecretly(0, "hand_turn", "63"),
        ForcedSecretly(0, "second_card", "-"),
    ]
    assert told.happened(Laid) == [Laid(0, 63)]
    assert asked(told) == ("hand_turn", 1)


def test_hand_6_the_owner_orders_the_two_cards() -> None:
    for first, second in ((34, 36), (36, 34)):
        told = table([34, 36, 90], [1, 2])
        play(told, f"0:{first}", f"0:{second}", "0:k")
        assert told.happened(Placed)[0].card == first
        if first == 36:
            # The 36 stands where the 33 was, so the 34 goes behind the 11.
            assert told.position.rows[:2] == [[5, 11, 34], [36]]


def test_hand_7_a_card_just_taken_is_no_second_card_unless_played_in_sequence() -> None:
    told = table([34, 90], [1, 2])
    play(told, "0:34")
    (ask,) = told.position.open_asks
    assert set(ask.options) == {PASS, PlayCard(90)}
    play(told, "0:-", "0:k21")
    assert asked(told) == ("hand_turn", 1)
    told = table([34, 90], [1, 2], options={"hand.secondCard": "sequential"})
    play(told, "0:34", "0:k21")
    (ask,) = told.position.open_asks
    assert set(ask.options) == {PASS, PlayCard(21), PlayCard(90)}
    play(told, "0:21")
    assert told.position.rows[0] == [5, 11, 21]


def test_hand_8_an_empty_hand_ends_the_game_after_the_lap_only() -> None:
    told = table([63], [64, 65, 66], [79, 80])
    assert told.position.hands[0] == []
    assert end(told) is None
    play(told, "1:64", "1:-")
    assert end(told) is None
    assert asked(told) == ("hand_turn", 2)
    play(told, "2:79", "2:-")
    assert end(told) == "somebody has no card left"
    assert told.position.scores == [0, 2 * bullheads(65, 66), 2 * bullheads(80)]


def test_hand_8_whoever_can_empty_the_hand_in_time_does_it_with_two_cards() -> None:
    told = table([63, 64], [79, 80], [1, 2])
    play(told, "0:63", "0:64", "1:79", "1:80", "2:1")
    assert told.position.result is None


@pytest.mark.parametrize(("cards", "over"), [(15, False), (16, True)])
def test_hand_8_a_pile_of_more_than_twenty_cards_ends_it_after_the_lap(cards: int, over: bool) -> None:
    pile = list(range(40, 40 + cards))
    told = table([34, 90, 91], [79, 80, 81], piles=[pile, []])
    play(told, "0:34", "0:-", "0:k")
    assert len(told.position.piles[0]) == cards + 5
    assert end(told) is None
    play(told, "1:79", "1:-")
    assert end(told) == ("a bull pile holds more than 20 cards" if over else None)


def test_hand_8_cards_count_and_not_bullheads() -> None:
    told = table([63, 90, 91], [79, 80, 81], piles=[[11, 22, 33, 44, 55], []], rows=[[5], [62], [77], [78]])
    assert told.position.points[0] == 27
    play(told, "0:63", "0:-", "1:79", "1:-")
    assert told.position.result is None


def test_hand_9_hands_count_double_and_piles_once() -> None:
    told = table(
        [5, 7, 63], [1, 79], piles=[[55, 10], []], options={"hand.maxRounds": 1}, rows=[[4], [6], [62], [78]]
    )
    play(told, "0:63", "0:-", "1:79", "1:-")
    assert told.position.result is not None
    assert told.position.result.scores == (7 + 3 + 2 * (2 + 1), 2)
    assert told.position.result.winners == (1,)


@pytest.mark.parametrize("laps", [1, 3])
def test_hand_10_the_game_stops_after_the_agreed_laps(laps: int) -> None:
    told = table([91, 92, 93, 94], [95, 96, 97, 98], options={"hand.maxRounds": laps})
    for lap in range(1, laps + 1):
        assert told.position.trick == lap
        for seat in (0, 1):
            play(told, f"{seat}:{told.position.hands[seat][0]}", f"{seat}:-")
            if asked_to_split(told):
                play(told, f"{seat}:k")
    assert told.position.result is not None
    assert told.position.result.reason == "the agreed number of turns was played"
    assert told.position.scores == [
        bullheads(*told.position.piles[seat]) + 2 * bullheads(*told.position.hands[seat]) for seat in (0, 1)
    ]


def asked_to_split(told: Table) -> bool:
    """Return whether taken cards are to be divided now."""
    return any(ask.kind == "split_take" for ask in told.position.open_asks)


def test_hand_10_the_cap_is_200_unless_agreed_otherwise() -> None:
    assert make("hand", 2).options["hand.maxRounds"] == 200
    for wrong in (0, -1, True, "200"):
        with pytest.raises(BadOption):
            make("hand", 2, {"hand.maxRounds": wrong})


def test_hand_11_everybody_sees_what_is_kept() -> None:
    told = table([34, 90], [1, 2])
    play(told, "0:34", "0:-")
    (ask,) = told.position.open_asks
    assert ask.seen_by(1) == ask.seen_by(None) == ask
    play(told, "0:k21,30")
    kept = Kept(0, (21, 30), (24, 26, 33))
    assert told.happened(Kept) == [kept]
    assert kept.seen_by(1) == kept.seen_by(None) == kept
    assert told.position.known == [[21, 30], []]
    seen = view(told.rules, told.position, 1)
    assert seen.position.hands[0] == [0, 0, 0]
    assert seen.position.known[0] == [21, 30]
    told.position.deck = sorted(
        set(range(1, 105)) - {c for z in told.rules.zones for c in z.cards(told.position)}
    )
    seen = view(told.rules, told.position, 1)
    assert {21, 30} <= set(imagine(told.rules, seen, random.Random(1)).hands[0])
    # What is played again is no longer known to be there.
    play(told, "1:1", "1:-", "1:r3", "1:k", "0:21")
    assert told.position.known == [[30], []]


def test_hand_12_a_low_card_is_divided_like_any_take() -> None:
    told = table([3, 90], [1, 2])
    play(told, "0:3", "0:-")
    assert asked(told) == ("choose_row", 0)
    told.choose(0, TakeRow(3))
    assert told.happened(Took) == [Took(0, 3, (77, 78), 6, "low")]
    (ask,) = told.position.open_asks
    assert set(ask.options) == {Keep(()), Keep((77,)), Keep((78,)), Keep((77, 78))}
    play(told, "0:k77")
    assert told.position.hands[0] == [77, 90]
    assert told.position.piles[0] == [78]
    assert told.position.points == [1, 0]
    assert told.position.rows[3] == [3]


def test_hand_13_there_is_one_deal() -> None:
    happened: list[Event] = []
    rounds = set()
    for _, position, events in random_game("hand", 3, seed=2):
        happened += events
        rounds.add(position.round)
    assert (
        len(of(happened, RoundStarted)) == len(of(happened, RoundEnded)) == len(of(happened, GameEnded)) == 1
    )
    assert rounds == {1}


@pytest.mark.parametrize(
    ("agreed", "reason"),
    [
        ({"end.kind": "rounds"}, "4 rounds were played"),
        ({"end.kind": "rounds", "end.value": 2}, "2 rounds were played"),
        ({"end.kind": "target"}, "somebody reached 66"),
        ({"end.kind": "target", "end.value": 9}, "somebody reached 9"),
    ],
)
def test_hand_13_by_agreement_there_are_several(agreed: dict[str, Any], reason: str) -> None:
    *_, (_, last, _) = random_game("hand", 3, seed=2, options={**agreed, "hand.maxRounds": 3})
    assert last.result is not None
    assert last.result.reason == reason
    totals = [sum(points) for points in zip(*last.score_sheet, strict=True)]
    assert last.scores == totals
    target = agreed.get("end.value", 66)
    if agreed["end.kind"] == "target":
        before = [total - points for total, points in zip(totals, last.score_sheet[-1], strict=True)]
        assert max(before) < target <= max(totals)
    else:
        assert len(last.score_sheet) == agreed.get("end.value", 4)


def test_hand_13_another_end_is_refused() -> None:
    with pytest.raises(BadOption, match="deal or target or rounds"):
        make("hand", 3, {"end.kind": "laps"})


def test_hand_14_unused_cards_stay_out() -> None:
    deck = None
    for _, position, _ in random_game("hand", 2, seed=5):
        deck = deck or position.deck
        assert position.deck == deck
        assert len(deck) == 104 - 2 * 14 - 4


def test_turns_go_clockwise_from_the_first_seat_in_every_lap() -> None:
    told = table([90, 91, 92], [93, 94, 95], [96, 97, 98], options={"hand.firstSeat": 1})
    for seat in (1, 2, 0, 1, 2):
        assert asked(told) == ("hand_turn", seat)
        play(told, f"{seat}:{told.position.hands[seat][0]}", f"{seat}:-")
        if asked_to_split(told):
            play(told, f"{seat}:k")
    assert [event.trick for event in told.happened(TrickStarted)] == [1, 2]


def test_the_hand_is_hidden_while_its_owner_thinks_but_the_played_card_is_not() -> None:
    told = table([34, 36, 90], [1, 2])
    (ask,) = told.position.open_asks
    assert ask.seen_by(1).options == ()
    play(told, "0:36")
    assert told.happened(Committed) == [Committed(0)]
    assert told.happened(Laid) == [Laid(0, 36)]
    (ask,) = told.position.open_asks
    assert ask.seen_by(1).options == ask.seen_by(None).options == ()
    assert any(isinstance(option, Pass) for option in ask.options)
    assert not told.happened(Chose)
