"""The board vectors: tiles on a given board, placed one by one through the public verbs.

A step is `[player, tile, options]`. Options name the cards that are played for the tile (`stop`, `exchange`,
`another`, `ascending`, `at_start`, `skip`, `luck` with `chosen`) and what is chosen afterwards (`empty_row`
and `gain`). Whoever plays a card holds it; a tile that comes by exchange or as another one lies behind its
owner's screen.
"""

from collections import Counter
from typing import Any

import pytest

from bullpen.engine import HEADS, PASS, Ask, Choice, IllegalChoice, Played, StartRow, UseSpecial
from bullpen.engine.events import Scored
from bullpen.rulesets.base import PLACE_NEXT
from bullpen.rulesets.boards.basic import BoardBasic
from bullpen.rulesets.boards.basic_luck import BoardBasicLuck
from bullpen.rulesets.boards.check import load_board
from bullpen.rulesets.boards.data import BoardData
from bullpen.rulesets.boards.expert import BoardExpert
from bullpen.rulesets.boards.expert_luck import BoardExpertLuck
from bullpen.rulesets.boards.position import BoardPosition
from tests.rulebook.tables import Runner, Table, Vector

GAMES = {kind.id: kind for kind in (BoardBasic, BoardBasicLuck, BoardExpert, BoardExpertLuck)}
LUCK = {"+5": "plus-five", "positive": "positive-ox"}
CARDS = {
    "exchange": "exchange",
    "another": "another",
    "stop": "stop",
    "ascending": "ascending",
    "at_start": "start",
}
"""Options that are a card with a target, in the order of playing; Skips and luck follow."""
OPTIONS = {*CARDS, "skip", "luck", "chosen", "empty_row", "gain"}
GIVEN = {
    "expert", "players", "board", "tiles", "oxen", "clovers", "screens", "scores", "stops", "steps",
    "luck", "actions", "draw_pile", "action_pile",
}  # fmt: skip
THEN = {
    "tiles",
    "points",
    "stops",
    "screens",
    "scores",
    "luck",
    "actions",
    "two_tiles",
    "without_luck",
    "illegal",
}


def listed(value: Any) -> list[Any]:
    """Return a value, or a list of values, as a list."""
    return value if isinstance(value, list) else [value]


def cards_for(options: dict[str, Any]) -> list[UseSpecial]:
    """Return the cards that a step's options play, in an order in which each is legal."""
    cards = [
        UseSpecial(name, (target,))
        for key, name in CARDS.items()
        if key in options
        for target in listed(options[key])
    ]
    cards += [UseSpecial("skip")] * int(options.get("skip", 0))
    return cards + [UseSpecial(LUCK[name]) for name in listed(options.get("luck") or [])]


class BoardTable(Table):
    """A board in the middle of a trick: the tiles of all steps lie ready, to be placed as they are listed."""

    rules: BoardBasic
    position: BoardPosition

    def __init__(self, vector: Vector, steps: list[tuple[str, int, dict[str, Any]]]) -> None:
        given = vector["given"]
        assert set(given) <= GIVEN, f"unknown fields {set(given) - GIVEN}"
        named = [*given.get("players", []), *(player for player, _, _ in steps), *given.get("screens", {})]
        self.names = list(dict.fromkeys(named))
        self.options = {(self.names.index(player), tile): dict(options) for player, tile, options in steps}
        self.to_play = {key: cards_for(options) for key, options in self.options.items()}
        for options in self.options.values():
            assert set(options) <= OPTIONS, f"unknown options {set(options) - OPTIONS}"
        rules = GAMES[vector["variant"]](max(2, len(self.names)))
        assert given.get("expert", False) == isinstance(rules, BoardExpert) or "expert" not in given
        rules.data = self.data(rules.data, given)
        super().__init__(rules, self.set_up(rules, given, steps))
        self.go_on()
        while self.position.open_asks:
            ask = self.position.open_asks[0]
            self.choose(ask.seats[0], self.answer(ask))
        if any(self.to_play.values()):
            # The rules never asked, because nothing could be played.
            raise IllegalChoice(f"{self.to_play} could not be played.")

    def data(self, own: BoardData, given: dict[str, Any]) -> BoardData:
        """Return the given board, with one ox on every tile that the vector says nothing about."""
        oxen = tuple(int(given.get("oxen", {}).get(str(tile), 1)) for tile in range(101))
        rows = tuple(tuple(row) for row in given["board"])
        return BoardData(oxen, rows, rows, tuple(given.get("clovers", ())), own.counts)

    def set_up(self, rules: BoardBasic, given: dict[str, Any], steps: list[Any]) -> BoardPosition:
        """Lay out tiles, screens and cards."""
        position = BoardPosition(rules.players, round=1, trick=1)
        rules.clear_table(position)
        for row, tiles in enumerate(given["tiles"]):
            spaces = sorted(map(int, tiles))
            position.lay_out(
                row, [tiles[str(space)] for space in spaces], tuple(space - 1 for space in spaces)
            )
        drawn = {
            tile
            for _, _, options in steps
            for key in ("exchange", "another")
            for tile in listed(options.get(key))
        }
        position.table = [
            Played(tile, self.names.index(player), tile) for player, tile, _ in steps if tile not in drawn
        ]
        position.stops = tuple(row - 1 for row in given.get("stops", ()))
        position.scores = [given.get("scores", {}).get(name, 0) for name in self.seats(rules)]
        self.give_tiles(position, given)
        self.give_cards(position, given)
        position.agenda = [PLACE_NEXT]
        return position

    def seats(self, rules: BoardBasic) -> list[str]:
        """Return a name for every seat."""
        return [*self.names, *["nobody"] * (rules.players - len(self.names))]

    def give_tiles(self, position: BoardPosition, given: dict[str, Any]) -> None:
        """Fill the screens and the draw pile."""
        for name, tiles in given.get("screens", {}).items():
            position.hands[self.names.index(name)] = sorted(tiles)
        for (seat, _), options in self.options.items():
            for key in ("exchange", "another"):
                position.hands[seat] = sorted({*position.hands[seat], *listed(options.get(key, []))})
        used = {tile for row in [*position.rows, *position.hands] for tile in row}
        used |= {played.card for played in position.table}
        top = given.get("draw_pile", [])
        position.deck = [*top, *(tile for tile in range(1, 101) if tile not in used and tile not in top)]

    def give_cards(self, position: BoardPosition, given: dict[str, Any]) -> None:
        """Give everybody the cards that the vector names or that the steps play."""
        for (seat, _), cards in self.to_play.items():
            for card in cards:
                held = position.luck if card.name in LUCK.values() else position.actions
                held[seat].append(card.name)
        for name, cards in given.get("luck", {}).items():
            position.luck[self.names.index(name)] = [LUCK[card] for card in cards]
        for name, cards in given.get("actions", {}).items():
            position.actions[self.names.index(name)] = list(cards)
        left = Counter(position.luck_piles) - Counter(card for held in position.luck for card in held)
        position.luck_piles = sorted(left.elements())
        left = Counter(position.action_deck) - Counter(card for held in position.actions for card in held)
        position.action_deck = given.get("action_pile", sorted(left.elements()))

    def answer(self, ask: Ask) -> Choice:
        """Return what the steps say about a question, or the first option where they say nothing."""
        seat = ask.seats[0]
        if ask.kind in ("play_actions", "play_luck"):
            return self.next_card(seat, int(ask.about[0]))
        if ask.kind == "choose_luck":
            return self.gained(ask)
        tile = int(ask.about[-1])
        options = self.options.get((seat, tile), {})
        if ask.kind == "choose_empty_row" and "empty_row" in options:
            return StartRow(options["empty_row"] - 1)
        if ask.kind == "choose_two_tiles" and "chosen" in options:
            return UseSpecial("positive-ox", tuple(sorted(options["chosen"])))
        return ask.options[0]

    def next_card(self, seat: int, tile: int) -> Choice:
        """Play the tile's next card; after an exchange what is left is for the new tile."""
        cards = self.to_play.get((seat, tile), [])
        if not cards:
            return PASS
        card = cards.pop(0)
        if card.name == "exchange":
            self.to_play[seat, card.targets[0]] = self.to_play.pop((seat, tile))
            self.options[seat, card.targets[0]] = self.options.pop((seat, tile))
        return card

    def gained(self, ask: Ask) -> Choice:
        """Take the luck card that the latest step of the seat wants for its clovers."""
        for (seat, _), options in self.options.items():
            if seat == ask.seats[0] and options.get("gain"):
                wanted = listed(options["gain"])
                options["gain"] = wanted[1:]
                return UseSpecial(LUCK[wanted[0]])
        return ask.options[0]

    def points(self) -> list[list[Any]]:
        """Return who scored what, in order."""
        return [[self.names[scored.seat], scored.change] for scored in self.happened(Scored)]


def run_steps(vector: Vector) -> None:
    """Place the tiles of all steps and compare the table with the vector."""
    then = vector["then"]
    assert set(then) <= THEN, f"unknown fields {set(then) - THEN}"
    steps = [(player, tile, options) for player, tile, options in vector["given"]["steps"]]
    if then.get("illegal"):
        with pytest.raises(IllegalChoice):
            BoardTable(vector, steps)
        return
    compare(BoardTable(vector, steps), then)
    if "without_luck" in then:
        unlucky = [
            (player, tile, {key: value for key, value in options.items() if key not in ("luck", "chosen")})
            for player, tile, options in steps
        ]
        assert [change for _, change in BoardTable(vector, unlucky).points()] == [then["without_luck"]]


def compare(table: BoardTable, then: dict[str, Any]) -> None:
    """Compare every field that the vector names."""
    position = table.position
    seat = table.names.index
    found = {
        "tiles": [
            {str(space + 1): tile for space, tile in zip(spaces, row, strict=True)}
            for spaces, row in zip(position.spaces, position.rows, strict=True)
        ],
        # A balance of zero moves no counter, so it is no change of points.
        "points": table.points(),
        "stops": sorted(row + 1 for row in position.stops),
        "screens": {name: position.hands[seat(name)] for name in then.get("screens", {})},
        "scores": {name: position.scores[seat(name)] for name in then.get("scores", {})},
        "luck": {name: sorted(position.luck[seat(name)]) for name in then.get("luck", {})},
        "actions": {name: sorted(position.actions[seat(name)]) for name in then.get("actions", {})},
        "two_tiles": table.rules.two_tiles_due(position),
    }
    wanted = {
        **then,
        "points": [[player, change] for player, change in then.get("points", []) if change],
        "stops": sorted(then.get("stops", [])),
        "screens": {name: sorted(tiles) for name, tiles in then.get("screens", {}).items()},
        "luck": {name: sorted(LUCK[card] for card in cards) for name, cards in then.get("luck", {}).items()},
        "actions": {name: sorted(cards) for name, cards in then.get("actions", {}).items()},
    }
    for key in then.keys() & found.keys():
        assert found[key] == wanted[key], key


def run_data(vector: Vector) -> None:
    """Our own tiles keep what the rulebook's examples say about the printed ones."""
    given, then = vector["given"], vector["then"]
    oxen = load_board("own").oxen
    tiles = range(1, given["tiles"] + 1)
    assert len(oxen) == 1 + given["tiles"]
    assert {oxen[tile] for tile in tiles} == set(given["oxen_values"])
    assert {tile: oxen[int(tile)] for tile in then.get("oxen", {})} == then.get("oxen", {})
    for some, total in then.get("sum", []):
        assert sum(oxen[tile] for tile in some) == total
    if "not_card_rule" in then:
        assert any(oxen[tile] != HEADS[tile] for tile in tiles) == then["not_card_rule"]


def run_clamp(vector: Vector) -> None:
    """The counter stops at the end of the track."""
    rules = BoardBasic(2)
    for (before, change), after in zip(vector["given"]["cases"], vector["then"]["score"], strict=True):
        position = BoardPosition(2, scores=[before, 0])
        rules.score(position, 0, change, "vector")
        assert position.scores == [after, 0]


RUNNERS: dict[str, Runner] = {
    **dict.fromkeys(GAMES, run_steps),
    "board-data-constraints": run_data,
    "board-clamp": run_clamp,
}
