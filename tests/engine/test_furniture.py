"""What a game says about its table: enough for a client that knows no rule."""

import pytest

from bullpen.engine import PLACES, BadOption, Seeded, new_game
from bullpen.rulesets import find, games, make


@pytest.mark.parametrize("game", games())
def test_every_field_and_place_that_furniture_names_exists(game: str) -> None:
    kind = find(game)
    rules = make(game, kind.player_counts({})[-1])
    position, _ = new_game(rules, Seeded(1))
    furniture = kind.furniture
    fields = {holding.field for holding in furniture.holdings}
    for question in kind.questions.values():
        assert set(question.at) <= PLACES | fields
    for card in furniture.specials:
        assert {aim.at for aim in card.aims} <= PLACES | fields
        assert card.title
        assert card.says.endswith(".")
    named = {marker.field for marker in furniture.markers} | fields
    named |= {marker.side for marker in furniture.markers if marker.side}
    named |= {marker.during for marker in furniture.markers if marker.during}
    if furniture.team is not None and furniture.team.cards:
        named.add(furniture.team.cards)
    if furniture.board is not None:
        board = furniture.board
        named |= {board.printed, board.spaces, board.heads, board.clovers}
        printed = {name for row in getattr(position, board.printed) for name in row}
        kinds = {kind.name for kind in board.kinds}
        assert {name for name in printed if name[0] not in "+-"} <= kinds
    assert named <= set(position.__struct_fields__)


def test_the_team_game_is_the_one_against_the_buffalo() -> None:
    assert [game for game in games() if make(game, 4).cooperative] == ["buffalo"]


@pytest.mark.parametrize(
    ("game", "option"),
    [("open", "open.firstSeat"), ("hand", "hand.firstSeat"), ("logic", "logic.firstPicker")],
)
def test_an_option_that_names_a_seat_must_name_one_at_the_table(game: str, option: str) -> None:
    assert make(game, 3, {option: 2}).options[option] == 2
    with pytest.raises(BadOption, match="names seat 3, but the seats are 0 to 2"):
        make(game, 3, {option: 3})
