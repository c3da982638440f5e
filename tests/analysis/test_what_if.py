"""What if: other choices from any moment on."""

import pytest

import bullpen
from bullpen.analysis import AnalysisError, game_at, what_if
from bullpen.records import Record
from tests.analysis.games import finished


def test_without_changes_everything_comes_as_it_came() -> None:
    record = finished("base", 3, "medium").record
    for moment in (0, 7, len(record.choices)):
        found = what_if(record, moment, until="game")
        assert found.instead == found.happened
        assert found.instead_total == found.happened_total
        assert Record.loads(found.record) == record


def test_another_choice_is_made_and_the_rest_is_played() -> None:
    record = finished("base", 3, "medium").record
    game = game_at(record, 4)
    seat = game.asks[0].seats[0]
    other = next(
        option.notation
        for option in game.asks[0].options
        if option.notation not in {entry.notation for entry in record.choices[4:6]}
    )
    found = what_if(record, 4, {seat: other}, others="medium")
    assert found.changed == (f"{seat}:{other}",)
    played = Record.loads(found.record)
    assert played.choices[:4] == record.choices[:4]
    assert (played.choices[4].seat, played.choices[4].notation) == (seat, other)
    assert found.happened == record.result.scores if record.result else ()


def test_the_game_can_be_gone_on_with_by_hand() -> None:
    record = finished("base", 2, "medium").record
    found = what_if(record, 0, [(1, game_at(record, 0).asks[1].options[0])], until="changes")
    game = bullpen.Game.from_record(Record.loads(found.record))
    assert [ask.seats for ask in game.asks] == [(0,)]


@pytest.mark.parametrize("game", ["nifty", "hand", "buffalo", "board-basic"])
def test_other_games_can_be_played_on_from_the_middle(game: str) -> None:
    record = finished(game, 2).record
    found = what_if(record, len(record.choices) // 2, others="random", seed=3)
    assert len(found.instead) == 2


@pytest.mark.parametrize(
    ("moment", "changes", "others", "until", "says"),
    [
        (-1, {}, "medium", "round", "no moment -1"),
        (10_000, {}, "medium", "round", "no moment 10000"),
        (0, {0: "banana"}, "medium", "round", "cannot choose 'banana'"),
        (0, {9: "1"}, "medium", "round", "Seat 9 cannot choose"),
        (0, {}, "wizard", "round", "others cannot be 'wizard'"),
        (0, {}, ["medium"], "round", "others names 1 seats"),
        (0, {}, "medium", "forever", "until cannot be 'forever'"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(
    moment: int, changes: dict[int, str], others: str, until: str, says: str
) -> None:
    record = finished("base").record
    with pytest.raises(AnalysisError, match=says):
        what_if(record, moment, changes, others=others, until=until)
