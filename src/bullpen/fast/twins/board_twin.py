"""The board games, between the engine and the arrays."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullpen.engine import Choice, Ruleset, StartRow, UseSpecial, step
from bullpen.engine.cards import FACE_DOWN_NAME
from bullpen.fast.errors import NotCovered
from bullpen.fast.twins.board_state import (
    ACTOR,
    CHOOSE_EMPTY_ROW,
    CHOOSE_TWO_TILES,
    CLOVERS,
    DEALS,
    DUE,
    KINDS,
    LARGEST,
    LUCK,
    NO_ROW,
    OWN,
    OXEN,
    PLAY_ACTIONS,
    PLAY_LUCK,
    POINTS,
    ROW_TAKEN,
    ROWS,
    SEATS,
    SPACES,
    SPECIAL,
    TILE_TAKING,
    TILES,
    TRACK_END,
    VEILED,
    BoardPlan,
    board_fields,
    printed_type,
    record_of,
)
from bullpen.fast.twins.boards import HAND
from bullpen.fast.twins.state import CARD, PASS, ROW, Fields, Room, State, arrays_of
from bullpen.fast.twins.twin import Twin, add_up_here
from bullpen.rulesets.base import PLACE_NEXT, TRICK
from bullpen.rulesets.boards.basic import BoardBasic
from bullpen.rulesets.boards.data import Rows
from bullpen.rulesets.boards.expert import MAX_TRICKS, BoardExpert
from bullpen.rulesets.boards.game import PUT_DOWN
from bullpen.rulesets.boards.position import BoardPosition, Plan
from bullpen.rulesets.boards.spaces import Oxen, Points, space_named

NAMES = ("stop", "exchange", "skip", "start", "ascending", "another", "plus-five", "positive-ox")
"""The cards by their numbers."""
SORTS = ("blank", "double", "draw_tile", "draw_action", "take_ox", "take_tiles")
"""The spaces without a number."""
OPEN = ("spaces", "stops", "stopped", "plans", "planned", "discard", "discarded", "piles")
"""The arrays of the boards that everybody sees."""

HIDDEN = ("cards", "veiled", "actions", "acted", "piled", "coming")
"""Those that they do not see, or not as they are."""


class BoardTwin(Twin):
    """One of the four board games."""

    kinds = (
        "commit", "choose_row", "play_actions", "play_luck",
        "choose_luck", "choose_two_tiles", "choose_empty_row",
    )  # fmt: skip
    seats, cards = SEATS, TILES
    nobody = (*Twin.nobody, *HIDDEN)

    def __init__(self, game: str) -> None:
        self.game = game  # type: ignore[misc]  # one object a game

    def plan(self, rules: Ruleset[Any]) -> BoardPlan:
        """Return the game's plan, with what is printed."""
        assert isinstance(rules, BoardBasic)
        expert = isinstance(rules, BoardExpert)
        rows, spaces = len(rules.layout), max(map(len, rules.layout))
        if max(rows, spaces) > LARGEST:
            raise NotCovered(f"The fast twin plays boards of up to {LARGEST} rows of as many spaces.")
        printed = np.zeros(1, printed_type(max(ROWS, rows), max(SPACES, spaces)))
        printed["players"] = rules.players
        printed["expert"] = expert
        printed["luck"] = any(card.name in NAMES[LUCK:] for card in rules.cards)
        printed["deals"] = rules.hands_each()
        printed["first_row"] = rules.first_rows()[0]
        printed["tricks"] = rules.options[MAX_TRICKS.key] if expert else 0
        printed["rows"] = len(rules.layout)
        printed["oxen"] = rules.data.oxen
        printed["cards"] = [rules.data.counts[name] for name in NAMES]
        track = range(-TRACK_END, TRACK_END + 1)
        printed["clovers"] = [sum(clover < place for clover in rules.data.clovers) for place in track]
        self._print_spaces(rules.layout, printed)
        return BoardPlan(rules.players, printed)

    def _print_spaces(self, layout: Rows, printed: NDArray[Any]) -> None:
        sorts, worths, lengths = (printed[name][0] for name in ("sorts", "worths", "lengths"))
        for row, names in enumerate(layout):
            lengths[row] = len(names)
            for at, name in enumerate(names):
                space = space_named(name)
                if isinstance(space, Oxen):
                    sorts[row, at], worths[row, at] = OXEN, space.factor
                elif isinstance(space, Points):
                    sorts[row, at], worths[row, at] = POINTS, space.points
                else:
                    sorts[row, at] = SORTS.index(name)

    def room(self, plan: BoardPlan) -> Room:
        """Return the room that a game needs: for tiles the same in all four, since expert hands may grow."""
        rows, spaces = plan.printed["sorts"].shape[1:]
        hand = TILES if plan.printed["expert"][0] else max(HAND, spaces)
        return Room(
            deck=TILES, hand=TILES, waits=TILES, own=OWN, rows=rows, places=spaces, known=TILES,
            options=hand * (hand - 1) // 2, numbers=SPECIAL + (KINDS << 7),
        )  # fmt: skip

    def widest(self, plan: BoardPlan) -> Fields:
        """Return the arrays of a game's record."""
        room = self.room(plan)
        return super().widest(plan) | board_fields(room.rows, room.places)

    def seen(
        self, s: Any, seat: int, size: int, add_up: Callable[[Any], Any] = add_up_here
    ) -> dict[str, NDArray[Any]]:
        """Return what a seat may know: its own tiles and cards, the luck cards of all, how many actions."""
        boards, players = arrays_of(s), s.held.shape[1]
        parts = {name: boards[name][:size] for name in OPEN}
        held = boards["cards"][:size, :players]
        parts["cards"], parts["luck"] = held[:, seat], held[:, :, LUCK:]
        parts["action_counts"] = add_up(held[:, :, :LUCK])
        return super().seen(s, seat, size) | parts

    def number(self, choice: Choice, position: Any) -> int:
        """Return a choice as a number."""
        if isinstance(choice, StartRow):
            return ROW + choice.row
        if not isinstance(choice, UseSpecial):
            return super().number(choice, position)
        if position is not None and any(ask.kind == "choose_two_tiles" for ask in position.asks):
            low, high = (0, *choice.targets)[-2:] if choice.targets else (0, PASS)
            return low << 7 | high
        return SPECIAL | NAMES.index(choice.name) << 7 | (choice.targets[0] if choice.targets else 0)

    def read(self, plan: BoardPlan, position: BoardPosition, s: State) -> None:
        """Set spaces, signs, plans, cards, and what is still to be done."""
        game = record_of(s, 0)
        for row, spaces in enumerate(position.spaces):
            game.spaces[0, row, : len(spaces)] = spaces
        game.stopped[0] = len(position.stops)
        game.stops[0, : len(position.stops)] = position.stops
        game.planned[0] = len(position.plans)
        for at, (tile, made) in enumerate(position.plans):
            rows = [NO_ROW if row is None else row for row in (made.ascending, made.at_start)]
            game.plans[0, at] = tile, made.skips, *rows, NAMES.index(made.luck) if made.luck else 0
        self._read_cards(plan, position, game)
        self._read_agenda(position, game)

    def _read_cards(self, plan: BoardPlan, position: BoardPosition, game: Any) -> None:
        for seat in range(plan.players):
            for name in (*position.actions[seat], *position.luck[seat]):
                if name == FACE_DOWN_NAME:
                    game.veiled[0, seat] += 1
                else:
                    game.cards[0, seat, NAMES.index(name)] += 1
        for name in position.luck_piles:
            game.piles[0, NAMES.index(name)] += 1
        _fill(game.discard, game.discarded, position.action_discard)
        pile = position.action_deck
        if FACE_DOWN_NAME in pile or game.veiled.any():
            game.own[0, VEILED] = 1
            pile = self._unseen(plan, position)
        _fill(game.actions, game.piled, pile)

    def _unseen(self, plan: BoardPlan, position: BoardPosition) -> list[str]:
        """Return the action cards that lie nowhere in the open."""
        unseen = Counter(_names(plan.printed["cards"][0, :LUCK]))
        unseen.subtract(position.action_discard)
        for held in position.actions:
            unseen.subtract(name for name in held if name != FACE_DOWN_NAME)
        return list(unseen.elements())

    def _read_agenda(self, position: BoardPosition, game: Any) -> None:
        game.own[0, DEALS] = position.deals
        game.own[0, ROW_TAKEN] = NO_ROW
        if position.asks:
            game.own[0, ACTOR] = position.asks[0].seats[0]
        # Whoever has one tile left is asked for one, whatever is due.
        game.own[0, DUE] = max((ask.about[0] for ask in position.asks if ask.kind == "commit"), default=1)
        for name, args in position.agenda:
            if name in ("start_row", "row_chosen", "take_with_luck"):
                game.own[0, ROW_TAKEN], game.own[0, TILE_TAKING] = args[1], args[2]
            elif name == "gain_luck":
                game.own[0, CLOVERS] = int(args[1]) + 1

    def write(self, plan: BoardPlan, s: State, b: int, rules: Any, position: BoardPosition) -> None:
        """Set the same fields, and let the rules ask again what is open."""
        game = record_of(s, b)
        rows = range(len(position.rows))
        position.spaces = tuple(tuple(game.spaces[0, row, : s.counts[b, row]].tolist()) for row in rows)
        position.stops = tuple(game.stops[0, : game.stopped[0]].tolist())
        position.plans = tuple(_plan(numbers) for numbers in game.plans[0, : game.planned[0]].tolist())
        position.deals = int(s.own[b, DEALS])
        held = game.cards[0, : plan.players]
        position.actions = [sorted(_names(cards[:LUCK])) for cards in held]
        position.luck = [_names(cards[LUCK:], NAMES[LUCK:]) for cards in held]
        position.luck_piles = _names(game.piles[0])
        position.action_deck = [NAMES[card] for card in game.actions[0, game.acted[0] : game.piled[0]]]
        position.action_discard = [NAMES[card] for card in game.discard[0, : game.discarded[0]]]
        if s.kind[b] == CARD:
            self.reopen(s, b, rules, position)
        else:
            self._ask_again(s, b, rules, position)

    def _ask_again(self, s: State, b: int, rules: Any, position: BoardPosition) -> None:
        seat, kind = int(s.asked[b]).bit_length() - 1, int(s.kind[b])
        row, tile = int(s.own[b, ROW_TAKEN]), int(s.own[b, TILE_TAKING])
        position.agenda = [TRICK, PLACE_NEXT]
        if kind in (PLAY_ACTIONS, PLAY_LUCK):
            position.next(step("close_window", seat), PUT_DOWN)
            rules.ask(position, self.kinds[kind - 1], seat, about=(position.table[0].card,))
        elif kind == CHOOSE_TWO_TILES:
            rules.choose_plus(position, seat, row, tile)
        elif kind == CHOOSE_EMPTY_ROW:
            rules.start_row(position, seat, row, tile)
        else:
            if row != NO_ROW:
                position.next(step("start_row", seat, row, tile))
            rules.gain_luck(position, seat, int(s.own[b, CLOVERS]))


def _fill(into: Any, count: Any, names: Sequence[str]) -> None:
    into[0, : len(names)] = [NAMES.index(name) for name in names]
    count[0] = len(names)


def _names(counts: Iterable[int], names: Sequence[str] = NAMES) -> list[str]:
    return [name for name, count in zip(names, counts, strict=False) for _ in range(count)]


def _plan(numbers: Sequence[int]) -> tuple[int, Plan]:
    tile, skips, ascending, at_start, luck = numbers
    lowest, first = (None if row == NO_ROW else row for row in (ascending, at_start))
    return tile, Plan(skips, lowest, first, NAMES[luck] if luck else "")
