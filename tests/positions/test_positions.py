"""Positions set up by hand and positions as text: round trips of every game, and what is refused."""

import random
from typing import Any

import msgspec
import pytest

import bullpen
from bullpen.engine import BullpenError, RecordError, Seeded
from bullpen.game import Game
from bullpen.positions import BadPosition, dumps, loads, position
from bullpen.rulesets import find
from bullpen.testing import at_random, step
from bullpen.testing.positions import check_position
from tests.strategies import GAMES, short

ROWS = [[10, 13], [6], [14, 17, 18], [7, 9]]
HANDS = [[1, 3, 19], [2, 4, 23]]


def moments(game: str, seed: int) -> list[Game]:
    """Return a game at some of its moments, on the way to the end of a round."""
    counts = find(game).player_range
    running, rng = Game(short(game, min(3, counts[-1])), Seeded(seed)), random.Random(seed)
    found = []
    for number in range(120):
        if running.over:
            break
        if number % 7 == 0 or running.position.answers:
            found.append(running.copy())
        step(running, rng, at_random)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_position_of_every_game_comes_back_from_its_text(game: str) -> None:
    for running in moments(game, 5):
        again = loads(dumps(running), seed=1)
        want = running.position.copy()
        want.news = []
        assert again.position == want
        assert again.asks == running.asks
        for seat in range(running.rules.players):
            assert again.view(seat) == running.view(seat)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_that_was_read_can_be_played_to_its_end(game: str) -> None:
    running = moments(game, 6)[-1]
    again, rng = loads(dumps(running), seed=2), random.Random(7)
    for _ in range(4000):
        if again.over:
            break
        check_position(again.rules, again.position)
        step(again, rng, at_random)
    assert again.over


@pytest.mark.parametrize("game", GAMES)
def test_the_cards_of_a_new_trick_are_enough_to_set_it_up(game: str) -> None:
    if find(game).furniture.board is not None:
        pytest.skip("where tiles lie on a board is not told by rows alone")
    running = next(
        moment
        for moment in moments(game, 8)
        if not moment.position.table and not moment.position.answers and all(moment.position.rows)
    )
    now = running.position
    made = position(game, now.rows, now.hands, options=running.rules.options, trick=now.trick)
    check_position(made.rules, made.position)
    assert made.position.rows == now.rows
    assert made.position.hands == now.hands
    assert made.asks


def test_rows_ascend_where_a_game_says_so() -> None:
    for game in GAMES:
        rules: Any = find(game)
        if not rules.ascending:
            continue
        for running in moments(game, 9):
            assert all(row == sorted(row) for row in running.position.rows), game


def test_a_low_card_on_the_table_waits_for_its_owner() -> None:
    made = position("tactics", ROWS, [[3, 19], [4, 23]], table=[(1, 0), (2, 1)])
    assert [(ask.kind, ask.seats) for ask in made.asks] == [("choose_row", (0,))]
    made.choose(0, "r2")
    assert made.position.rows[1] == [1, 2]
    assert made.position.piles == [[6], []]


def test_everything_is_known_where_all_cards_are_dealt() -> None:
    made = position("tactics", ROWS, HANDS)
    assert made.position.deck == []
    assert set(made.position.aside) == set(range(1, 25)) - {1, 3, 19, 2, 4, 23, 10, 13, 6, 14, 17, 18, 7, 9}


def test_piles_count_and_can_be_counted_otherwise() -> None:
    assert position("tactics", ROWS, HANDS, piles=[[5], [22, 24]]).position.points == [2, 6]
    assert position("tactics", ROWS, HANDS, points=[3, 4], scores=[10, 20]).position.points == [3, 4]


def test_bots_and_views_work_with_it() -> None:
    from bullpen.bots import player

    made = bullpen.position("base", [[10], [20], [30], [40]], [[1, 11, 44], [2, 3, 50], [5, 6, 7]])
    view = made.view(2)
    assert view.ask is not None
    assert player("medium").choose(view, view.ask) in view.ask.options


def test_it_has_no_record() -> None:
    with pytest.raises(RecordError, match="set up by hand has no record"):
        _ = position("tactics", ROWS, HANDS).record


def test_a_line_and_a_short_document_say_the_same() -> None:
    line = loads("tactics: 10 13 / 6 / 14 17 18 / 7, 9 | 19 1 3 / 2 4 23 | 5 / 22")
    document = loads(
        '{"format": "bullpen-position", "game": "tactics", "players": 2, "position": {"rows":'
        ' [[10, 13], [6], [14, 17, 18], [7, 9]], "hands": [[1, 3, 19], [2, 4, 23]], "piles": [[5], [22]]}}'
    )
    assert line.position == document.position
    assert line.position.points == [2, 5]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"game": "nimmt"}, "There is no game 'nimmt'"),
        ({"rows": [*ROWS, [5]]}, "tactics has 4 rows, not 5."),
        ({"rows": [[10, 13], [6], [14, 17, 18], []]}, "Row 4 is empty"),
        ({"rows": [[13, 10], *ROWS[1:]]}, "Row 1 does not ascend: 13 10."),
        ({"rows": [[10, 11, 12, 13, 15, 16], *ROWS[1:]]}, "Row 1 has 6 cards, but there is room for 5."),
        ({"hands": [[1, 3, 10], [2, 4, 23]]}, "The card 10 lies in two places: hands and rows."),
        ({"hands": [[1, 3, 3], [2, 4, 23]]}, "There is one card 3, but 2 are laid out: 2 in hands."),
        ({"hands": [[1, 3, 99], [2, 4, 23]]}, "There is no card 99 in tactics with 2 players."),
        ({"hands": [[1, 3], [2, 4, 23]]}, "The hands have 2 and 3 cards; all must be equal."),
        ({"hands": [[1, 3, 5]]}, "Tactics is for 2 to 10 players, not 1."),
        (
            {"hands": [["a"], [2]]},
            "hands cannot be this: `[0][0]` should be a whole number, not text",
        ),
        ({"piles": [[5]]}, "piles has 1 entries, but tactics with 2 players has 2."),
        ({"piles": [[5], [5]]}, "There is one card 5, but 2 are laid out: 2 in piles."),
        ({"deck": [5]}, "Some cards lie nowhere: 11"),
        ({"herd": [5]}, "A position of tactics has no 'herd'; it has agenda, aside"),
        ({"table": [(5, 7)]}, "The 5 on the table belongs to seat 7, which is nobody."),
        ({"options": {"end.kind": "never"}}, "end.kind"),
        ({"names": ("Ann",)}, "There are 1 names for 2 players."),
        ({"known": [[5], []]}, "known says that seat 0 holds 5, but it does not."),
        ({"scores": [10**9, 0]}, "1000000000 is too large a number."),
    ],
)
def test_the_impossible_is_refused_with_a_sentence(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BullpenError) as refused:
        position(**{"game": "tactics", "rows": ROWS, "hands": HANDS, **arguments})
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "A position is written"),
        ("tactics 1 2 3", "A position is written"),
        ("tactics: 1 | 2 | 3 | 4", "A position is written"),
        ("tactics: 10 x / 6 / 14 / 7 | 1 / 2", "'x' is not the number of a card."),
        ("{", "This is not a position"),
        ('{"format": "bullpen", "game": "base", "players": 2, "position": {}}', "This is not a position"),
        ('{"version": 2, "game": "base", "players": 2, "position": {}}', "of version 2"),
        ('{"game": "base", "players": 2, "position": {"rows": 3}}', "rows cannot be this"),
        ('{"game": "base", "players": 2, "position": {"asks": []}}', "has no 'asks'"),
        (
            '{"game": "board-basic", "players": 2, "options": {"board.data": "/etc/passwd"}, "position": {}}',
            "",
        ),
        ("[" * 100_000, "A position is written"),
        ('{"a":' * 30_000, "is"),
        ("9" * 300_000, "too long"),
    ],
)
def test_bad_text_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(BullpenError) as refused:
        loads(text)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "change",
    [
        {"agenda": [["__init__", []]]},
        {"agenda": [["_reveal", []]]},
        {"agenda": [["deck", []]]},
        {"agenda": [["reveal", [1, 2, 3]]]},
        {"agenda": [["shuffle", ["players"]]]},
        {"agenda": [["row_for", [3]]]},
    ],
)
def test_a_step_that_the_game_does_not_have_is_refused(change: dict[str, Any]) -> None:
    body = msgspec.json.decode(dumps(position("tactics", ROWS, HANDS)))
    body["position"] |= change
    with pytest.raises(BadPosition, match="tactics has no step"):
        loads(msgspec.json.encode(body).decode())


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"asks": [["dance", [0], []]]}, "tactics does not ask 'dance'"),
        ({"asks": [["commit", [5], []]]}, "tactics does not ask 'commit' of seats [5]."),
        ({"asks": [["commit", [], []]]}, "tactics does not ask 'commit' of seats []."),
        ({"asks": [["choose_row", [0], []]]}, "'choose_row' cannot be asked there."),
        ({"answers": {"0": "99"}}, "99 is no answer to this"),
        ({"answers": {"0": "1", "1": "2"}}, "Every question is answered already."),
        ({"answers": {"7": "1"}}, "There is no seat 7"),
    ],
)
def test_questions_that_cannot_be_asked_are_refused(change: dict[str, Any], sentence: str) -> None:
    body = msgspec.json.decode(dumps(position("tactics", ROWS, HANDS)))
    with pytest.raises(BullpenError) as refused:
        loads(msgspec.json.encode(body | change).decode())
    assert sentence in str(refused.value)


def test_a_finished_game_has_no_position_to_write() -> None:
    running = bullpen.new_game("two-halves", players=2, seed=1)
    while not running.over:
        running.choose(running.asks[0].seats[0], running.asks[0].options[0])
    with pytest.raises(BadPosition, match="The game is over"):
        dumps(running)


def test_special_cards_that_are_named_nowhere_lie_in_their_pile() -> None:
    held = position("anniversary", rows=ROWS, hands=HANDS, specials=[["stop"], ["insert", "seven"]])
    assert held.position.specials == [["stop"], ["insert", "seven"]]  # type: ignore[attr-defined]
    assert len(held.position.special_deck) == 25  # type: ignore[attr-defined]
    shown = position("buffalo", rows=ROWS, hands=HANDS, face_up=["stop", "sort"])
    assert shown.position.face_up == ["stop", "sort"]  # type: ignore[attr-defined]
    check_position(shown.rules, shown.position)
    with pytest.raises(BadPosition, match="There are 4 cards stop, but 5 are laid out"):
        position("anniversary", rows=ROWS, hands=HANDS, specials=[["stop"] * 5, []])


def test_points_follow_the_bullheads_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find("base"), "heads", (9,) * 105)
    assert position("base", rows=ROWS, hands=HANDS, piles=[[55, 66], []]).position.points == [18, 0]


def test_a_row_that_waits_to_be_filled_may_be_empty() -> None:
    game = position("buffalo", ROWS, HANDS, face_up=["push", "push"], options={"buffalo.anytime": True})
    alone = next(row[0] for row in ROWS if len(row) == 1)
    pushed = next(o for o in game.asks[0].options if o.notation.startswith(f"push:{alone},"))
    game.choose(0, pushed)
    assert [] in game.position.rows
    assert loads(dumps(game)).position.rows == game.position.rows
    with pytest.raises(BadPosition, match="a row always has a card"):
        position("buffalo", [[], *ROWS[1:]], HANDS)
