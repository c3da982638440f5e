"""The board games: what the space brings that a tile will probably come to lie on."""

from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar

from bullpen.bots.heuristics.card_cost import chance, count_between
from bullpen.bots.heuristics.heuristic import Heuristic, ahead_of_others
from bullpen.engine import Ask, Card, Choice, PlayCard, PlayPair, Seat, StartRow, UseSpecial
from bullpen.rulesets.boards.position import LUCK, Turn
from bullpen.rulesets.boards.spaces import Draw, Oxen, Points, Take, space_named

ACTION, LUCKY, TILE = 2.0, 3.0, -1.0
"""What an action card, a luck card and another tile behind the screen are worth."""
MEAN_OXEN = 2.0


class BoardHeuristic(Heuristic):
    """High scores win here, so costs are points lost."""

    tricks_ahead: ClassVar[int] = 3

    def worth(self, rules: Any, position: Any, seat: Seat, played: int) -> float:
        """The score, and while the game lasts also the cards and tiles held."""
        held = [0.0] * rules.players
        if position.result is None:
            fewest = min(len(hand) for hand in position.hands)
            held = [
                ACTION * len(position.actions[other])
                + LUCKY * len(position.luck[other])
                + TILE * (len(position.hands[other]) - fewest)
                for other in range(rules.players)
            ]
        totals = [float(score + more) for score, more in zip(position.scores, held, strict=True)]
        return ahead_of_others(totals, seat)

    # Choosing tiles.

    def cost_commit(self, rules: Any, position: Any, seat: Seat, ask: Ask) -> Sequence[float]:
        """Weigh each tile by the spaces that it may come to lie on; of two tiles, both."""
        unseen = self.unseen(rules, position, seat)
        due = int(ask.about[0])
        others = (rules.players - 1) * due
        gains = {tile: self._expected(rules, position, tile, unseen, others) for tile in position.hands[seat]}
        costs = []
        for option in ask.options:
            if isinstance(option, PlayPair):
                costs.append(-gains[option.low] - gains[option.high])
            else:
                assert isinstance(option, PlayCard)
                costs.append(-gains[option.card])
        return costs

    def _expected(self, rules: Any, position: Any, tile: Card, unseen: int, others: int) -> float:
        """Return what a tile brings on average, over how many others land before it in its row."""
        row = rules.row_for(position, tile, *position.stops)
        end = position.rows[row][-1]
        low, high = (end, tile) if end < tile else (0, tile)
        share = count_between(unseen, low, high) / (unseen.bit_count() or 1)
        first = position.spaces[row][-1] + 1
        last = len(rules.layout[row]) - 1
        gain = 0.0
        for before in range(min(others, last - first) + 1):
            likely = chance(others, before, share)
            if likely > 0.005:
                gain += likely * self._landing(rules, position, row, first + before, tile, before)
        return gain

    def _landing(self, rules: Any, position: Any, row: int, space: int, tile: Card, joined: int) -> float:
        """Return what a tile brings on a space, if so many tiles have joined the row before it."""
        if space == len(rules.layout[row]) - 1:
            return self._taking(rules, position, row, lucky=False) - MEAN_OXEN * joined
        return space_gain(rules.layout[row][space], rules.data.oxen[tile])

    def _taking(self, rules: Any, position: Any, row: int, *, lucky: bool) -> float:
        """Return what taking a row brings; tiles behind the screen are a loss that can be mended."""
        oxen = sorted([rules.data.oxen[tile] for tile in position.rows[row]], reverse=True)
        take = space_named(rules.layout[row][-1])
        assert isinstance(take, Take)
        kept = TILE * len(oxen) if take.to_screen else 0.0
        return take.balance(sum(oxen), sum(oxen[:2]) if lucky else 0) + kept

    # Before a tile is placed.

    def cost_play_actions(self, rules: Any, position: Any, seat: Seat, ask: Ask) -> Sequence[float]:
        """What the placement brings with each card, less what the card is worth if it is kept."""
        return [self._window(rules, position, seat, option) for option in ask.options]

    cost_play_luck = cost_play_actions

    def _window(self, rules: Any, position: Any, seat: Seat, option: Choice) -> float:
        turn, keep = position.turn, 0.0
        if isinstance(option, UseSpecial):
            card = rules.card_named(option.name)
            turn = dict(card.ways(position, seat, turn))[option.targets]
            keep = LUCKY if card.family == LUCK else ACTION
        return keep - self._placing(rules, position, turn)

    def _placing(self, rules: Any, position: Any, turn: Turn) -> float:
        """Return what placing the tile brings at once."""
        landing = rules.landing(position, turn)
        if turn.plan.luck == "plus-five":
            return 5.0
        if landing.last:
            return self._taking(rules, position, landing.row, lucky=turn.plan.luck == "positive-ox")
        tile = turn.tile
        if turn.plan.at_start is not None and landing.space:
            tile = position.rows[landing.row][landing.space - 1]
        return space_gain(rules.layout[landing.row][landing.space], rules.data.oxen[tile])

    # Smaller questions.

    def cost_choose_empty_row(self, rules: Any, position: Any, seat: Seat, ask: Ask) -> Sequence[float]:
        """Start where the first space brings most, failing that where the row is long."""
        oxen = rules.data.oxen[int(ask.about[0])]
        return [
            -space_gain(rules.layout[option.row][0], oxen) - 0.05 * len(rules.layout[option.row])
            for option in ask.options
            if isinstance(option, StartRow)
        ]

    def cost_choose_luck(self, rules: Any, position: Any, seat: Seat, ask: Ask) -> Sequence[float]:
        """Have some of both; the one that saves a take first."""
        held = position.luck[seat]
        return [
            held.count(option.name) + 0.5 * (option.name == "plus-five")
            for option in ask.options
            if isinstance(option, UseSpecial)
        ]

    def cost_choose_two_tiles(self, rules: Any, position: Any, seat: Seat, ask: Ask) -> Sequence[float]:
        """The most oxen."""
        return [
            -float(rules.oxen(*option.targets)) for option in ask.options if isinstance(option, UseSpecial)
        ]


@cache
def space_gain(name: str, oxen: int) -> float:
    """Return what a space brings that is no take, if a tile with so many oxen lies on it."""
    space = space_named(name)
    if isinstance(space, Oxen):
        return float(space.factor * oxen)
    if isinstance(space, Points):
        return float(space.points)
    if isinstance(space, Draw):
        return ACTION if space.name == "draw_action" else TILE
    return 0.0
