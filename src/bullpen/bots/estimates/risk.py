"""The risk estimate of `medium`: how likely a card ends up sixth, or lowest, given the unseen cards.

Every opponent is thought to play some unseen card. A card for a row with room for s more takes the
row if exactly s opponents play between the row's end and the card, so the chance is binomial; a card
that fits nowhere costs the cheapest row if nobody plays lower. The weights were tuned by play
against itself and against Monte Carlo (`training.tune`); `risk.json` holds them by game and number
of players.
"""

import json
from functools import cache
from importlib.resources import files
from math import comb

from bullpen.bots.estimates.catchment import BELOW, catchment, rooms, unseen
from bullpen.engine import HEADS, Choice, PlayCard, View

GRID = 256
EXACT: list[list[list[float]]] = [
    [
        [comb(m, s) * (q / GRID) ** s * (1 - q / GRID) ** (m - s) if s <= m else 0.0 for q in range(GRID + 1)]
        for s in range(6)
    ]
    for m in range(10)
]
"""EXACT[m][s][q]: the chance that exactly s of m opponents do what each does with chance q / GRID."""

Weights = tuple[float, ...]


@cache
def weights(game: str, players: int) -> Weights:
    """Return the weights for a number of players, between the tuned ones in proportion."""
    games = json.loads(files("bullpen.bots.estimates").joinpath("risk.json").read_text())["games"]
    tuned = {int(n): row for n, row in games.get(game, games["base"]).items()}
    below = max(n for n in tuned if n <= players)
    above = min(n for n in tuned if n >= players)
    share = (players - below) / (above - below) if above > below else 0.0
    return tuple((1 - share) * a + share * b for a, b in zip(tuned[below], tuned[above], strict=True))


FLIP_COST = 0.8
"""What using up the flip card costs, in bullheads, with all tricks still to come."""


def size_of(view: View) -> int:
    """Return the number of cards in the deck that a view is about."""
    if view.game in ("tactics", "logic") or view.options.get("experimental.shortDeck"):
        return 10 * view.players + 4
    return 104


def swapped(view: View, card: int) -> int:
    """Return a card's value when it is played with the flip card."""
    if card < 10 and view.options.get("flip.singleDigit") == "identity":
        return card
    return 10 * (card % 10) + card // 10


def risks(view: View, choices: tuple[Choice, ...]) -> list[float]:
    """Return what each playable card is likely to cost, in bullheads or something like them."""
    rows, room = view.rows, rooms(view)
    catch, low = catchment(view)
    cards = size_of(view)
    hidden = unseen(view, cards)
    th = weights(view.game, view.players)
    chances = EXACT[view.players - 1]
    size = hidden.bit_count() or 1
    heads = [sum([HEADS[card] for card in cards]) for cards in rows]
    cheapest = min(heads)
    left = len(view.hand) / 10
    own = sum([1 << card for card in view.hand])
    costs = []
    for choice in choices:
        assert isinstance(choice, PlayCard)
        value = swapped(view, choice.card) if choice.flipped else choice.card
        height = value / cards
        cost = th[5] * height + th[7] * height * left + th[9] * abs(2 * height - 1) * left
        if choice.flipped:
            cost += FLIP_COST * left
        under, bit = hidden & BELOW[value], 1 << value
        mine = own & ~(1 << choice.card)
        for row, mask in enumerate(catch):
            if mask & bit:
                gap = (under & mask).bit_count() / size
                hit = chances[room[row]][min(int(gap * th[0] * GRID), GRID)]
                cost += hit * (heads[row] + room[row] * th[1]) + th[4] * gap + th[6] * (5 - room[row]) * 0.2
                break
        else:
            mask = low
            alone = chances[0][(under & low).bit_count() * GRID // size]
            cost += th[2] * cheapest * alone + th[3] * (1 - alone) + th[8] * left
        beside, lower = mine & mask, BELOW[value]
        cost += (th[10] * (beside & lower).bit_count() + th[11] * (beside & ~lower & ~bit).bit_count()) / 4
        costs.append(cost)
    return costs
