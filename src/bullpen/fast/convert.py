"""Between the engine's positions and views and the arrays of the fast twin."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from bullpen.engine import FACE_DOWN, Choice, JoinRow, PlayCard, Played, Position, Ruleset, TakeRow, View
from bullpen.fast.batch import Batch, empty_table
from bullpen.fast.errors import FastError, NotCovered
from bullpen.fast.games import CODES, Plan, not_covered, plan_of
from bullpen.fast.rollout import MOST
from bullpen.fast.rules import HEADS, Table
from bullpen.fast.tables import ASKED, HALF, PLACED, TO_PLAY, Seats
from bullpen.fast.trick import FLIP, ROW, as_play
from bullpen.rulesets import find, make
from bullpen.rulesets.base import TRICK
from bullpen.rulesets.even_odd import EvenOddPosition
from bullpen.rulesets.flippin_digits import FlipPosition
from bullpen.rulesets.jumping_cow import CowPosition
from bullpen.rulesets.mountain import MountainPosition
from bullpen.rulesets.two_halves import HalvesPosition

_PARITIES = ("even", "odd")
_ARROWS = {-1: "up", 1: "down"}


@dataclass(frozen=True)
class Start:
    """A position or a view as arrays: where playouts begin, and what a game of a batch can be set to."""

    plan: Plan
    table: Table
    """One table, with the log of taken cards."""
    hands: NDArray[np.uint8]
    """[2, n, MOST]: the hands now and those of half-time; 0 is a card that the viewer does not know."""
    sizes: NDArray[np.int64]
    """[2, n]: the cards in them."""
    pool: NDArray[np.uint8]
    """The cards that the viewer has not seen; empty for a position."""
    flips: NDArray[np.uint8]
    """[n]: who holds a flip card."""
    plays: tuple[int, ...]
    """The revealed plays still to be placed, the next first."""
    committed: NDArray[np.uint8]
    """[n]: choices that have been made for this trick and are known, else 0."""
    tricks: int
    """Tricks to play before the hands are empty, this one counted while its cards are being chosen."""
    half: int
    scores: NDArray[np.int32]
    asked: int
    """The seat that must choose a row, or -1."""
    seat: int
    """The seat whose choices are compared: the viewer's, or -1 for nobody's."""


def number_of(choice: Choice) -> int:
    """Return a choice of the engine as the number that the twin uses."""
    if isinstance(choice, PlayCard):
        return choice.card + FLIP * choice.flipped
    if isinstance(choice, (TakeRow, JoinRow)):
        return ROW + choice.row
    raise NotCovered(f"The fast twin knows cards and rows, not the choice {choice.notation}.")


def rules_of(view: View) -> Ruleset[Any]:
    """Return the rules that a view is seen under."""
    own = {option.key for option in find(view.game, view.behaviour).offers}
    agreed = {key: value for key, value in view.options.items() if key in own}
    return make(view.game, view.players, agreed, view.behaviour)


def from_view(view: View) -> Start:
    """Return what a seat knows, as arrays.

    >>> import bullpen
    >>> game = bullpen.new_game("base", players=4, seed=7)
    >>> start = from_view(game.view(0))
    >>> len(start.pool), start.tricks
    (90, 10)
    """
    if view.seat is None:
        raise FastError("Playouts need the view of a seat, not a spectator's.")
    return _start(rules_of(view), view.position, [list(pile) for pile in view.piles], view.seat)


def from_position(rules: Ruleset[Any], position: Position, seat: int = -1) -> Start:
    """Return a whole position, as arrays; a seat may be named whose choices playouts shall compare."""
    start = _start(rules, position, position.piles, -1)
    return replace(start, seat=seat)


def _start(rules: Ruleset[Any], position: Position, piles: list[list[int]], seat: int) -> Start:
    if rules.id not in CODES:
        raise not_covered(rules.id)
    if any(ask.kind == "draft_pick" for ask in position.asks):
        raise NotCovered("The fast twin plays logic after the draft, not the draft.")
    plan = plan_of(rules)
    known = [list(hand) for hand in position.hands]
    for owner, seen in enumerate(position.known):
        if FACE_DOWN in known[owner]:
            known[owner][: len(seen)] = seen
    half = position.half - 1 if isinstance(position, HalvesPosition) else 0
    hands, sizes = _hands(plan, known, position.deck, half)
    committed = np.zeros(plan.players, np.uint8)
    if not position.table:
        for owner, choice in position.answers.items():
            committed[owner] = number_of(choice)
    return Start(
        plan=plan,
        table=_table(plan, position, piles),
        hands=hands,
        sizes=sizes,
        pool=_pool(plan, position, piles, hands) if seat >= 0 else np.zeros(0, np.uint8),
        flips=_flips(position),
        plays=tuple(_play(played, plan) for played in position.table),
        committed=committed,
        tricks=max(map(len, known)) + (1 if position.table else 0),
        half=half,
        scores=np.array(position.scores, np.int32),
        asked=position.table[0].seat if position.table and position.asks else -1,
        seat=seat,
    )


def _hands(
    plan: Plan, known: list[list[int]], deck: list[int], half: int
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return the hands of both deals, those of half-time from the top of the deck (HALF-6)."""
    hands = np.zeros((2, plan.players, MOST), np.uint8)
    sizes = np.zeros((2, plan.players), np.int64)
    for seat, hand in enumerate(known):
        if 0 < sum(card == FACE_DOWN for card in hand) < len(hand):
            raise NotCovered("The fast twin takes a hand that is known or one that is not, no mixture.")
        later = [] if half else deck[seat * plan.second : (seat + 1) * plan.second]
        for deal, cards in ((half, hand), (1, later)):
            if cards:
                hands[deal, seat, : len(cards)] = cards
                sizes[deal, seat] = len(cards)
    return hands, sizes


def _table(plan: Plan, position: Position, piles: list[list[int]]) -> Table:
    t = empty_table(1, plan.players)
    for row, cards in enumerate(position.rows):
        t.rows[0, row, : len(cards)] = cards
        t.ends[0, row] = cards[-1]
        t.counts[0, row] = len(cards)
        t.heads[0, row] = HEADS[cards].sum()
    t.mark[0] = _mark(position)
    t.points[0] = position.points
    log = [(card, seat) for seat, pile in enumerate(piles) for card in pile]
    for at, (card, seat) in enumerate(log):
        t.taken[0, at], t.takers[0, at] = card, seat
    t.logged[0] = len(log)
    return t


def _mark(position: Position) -> tuple[int, int]:
    if isinstance(position, EvenOddPosition):
        return position.marked, _PARITIES.index(position.side)
    if isinstance(position, MountainPosition):
        return position.marked, -1 if position.arrow == "up" else 1
    return (position.cow, 0) if isinstance(position, CowPosition) else (0, 0)


def _flips(position: Position) -> NDArray[np.uint8]:
    if isinstance(position, FlipPosition):
        return np.array(position.has_flip, np.uint8)
    return np.zeros(position.players, np.uint8)


def _play(played: Played, plan: Plan) -> int:
    """Return a revealed card as a play; a palindrome's flip makes no difference any more (FLIP-6)."""
    flipped = played.value != played.card
    return int(as_play(played.card + FLIP * flipped, played.seat, plan.digits))


def _pool(
    plan: Plan, position: Position, piles: list[list[int]], hands: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """Return the cards of the deck that are nowhere to be seen."""
    seen = {card for row in position.rows for card in row}
    seen.update(card for pile in piles for card in pile)
    seen.update(played.card for played in position.table)
    seen.update(position.aside)
    seen.update(int(card) for card in hands.ravel())
    return np.array([card for card in range(1, plan.size + 1) if card not in seen], np.uint8)


def load(batch: Batch, b: int, start: Start) -> None:
    """Set one game of a batch to a position, or to a view with nothing unknown."""
    if start.plan != batch.plan:
        raise FastError("The position is of another game, player count or option than the batch.")
    if (start.hands == 0).any(where=np.arange(MOST) < start.sizes[..., None]):
        raise FastError("A game of a batch needs every card: use a position, or imagine one from the view.")
    plan, t, s = batch.plan, batch.table, batch.seats
    for into, given in zip(t, start.table, strict=True):
        if into is not t.taken and into is not t.takers:
            into[b] = given[0]
    if batch.piles:
        t.taken[b], t.takers[b] = start.table.taken[0], start.table.takers[0]
    else:
        t.logged[b] = 0
    _load_seats(s, b, start)
    s.deck[b] = _deck(plan, start)
    s.shown[b] = as_set(shown_in(start))


def shown_in(start: Start) -> set[int]:
    """Return the cards that have been face up in this round."""
    t = start.table
    rows = (t.rows[0, row, : t.counts[0, row]] for row in range(4))
    shown = {int(card) for cards in (*rows, t.taken[0, : t.logged[0]]) for card in cards}
    return shown | {play >> 4 & 127 for play in start.plays}


def _load_seats(s: Seats, b: int, start: Start) -> None:
    n = start.plan.players
    for seat in range(n):
        s.hands[b, seat] = as_set(start.hands[start.half, seat, : start.sizes[start.half, seat]])
    s.flips[b] = start.flips
    s.plays[b] = 0
    s.plays[b, n - len(start.plays) :] = start.plays
    s.stage[b, PLACED] = n - len(start.plays)
    s.stage[b, ASKED] = start.asked
    s.stage[b, TO_PLAY] = start.tricks
    s.stage[b, HALF] = start.half
    s.scores[b] = start.scores


def _deck(plan: Plan, start: Start) -> NDArray[np.uint8]:
    """Return the deal as far as it still matters: the hands of half-time."""
    deck = np.zeros(104, np.uint8)
    if start.half == 0:
        for seat in range(plan.players):
            places = plan.players * (plan.first + np.arange(plan.second)) + seat
            deck[places] = start.hands[1, seat, : plan.second]
    return deck


def as_set(cards: Iterable[int]) -> NDArray[np.uint64]:
    """Return cards as a set: card c is bit c & 63 of word c >> 6."""
    words = [0, 0]
    for card in cards:
        words[int(card) >> 6] |= 1 << (int(card) & 63)
    return np.array(words, np.uint64)


def _cards(words: NDArray[np.uint64]) -> list[int]:
    cards = int(words[0]) | int(words[1]) << 64
    return [card for card in range(1, 105) if cards >> card & 1]


def to_position(batch: Batch, b: int, rules: Ruleset[Any], like: Position) -> Position:
    """Return one game of a batch as a position of the engine, with the questions that are open there.

    What the twin does not keep (round, score sheet, the history of a draft, cards that are never
    dealt) comes from `like`, an earlier position of the same round; the tricks before are forgotten. The
    batch must keep the piles.
    """
    if not batch.piles:
        raise FastError("The batch does not keep the bull piles' cards: make it with piles=True.")
    plan, t, s = batch.plan, batch.table, batch.seats
    position = like.copy()
    position.past = []
    position.rows = [t.rows[b, row, : t.counts[b, row]].tolist() for row in range(4)]
    position.hands = [_cards(s.hands[b, seat]) for seat in range(plan.players)]
    log = list(zip(t.taken[b, : t.logged[b]].tolist(), t.takers[b, : t.logged[b]].tolist(), strict=True))
    position.piles = [[card for card, taker in log if taker == seat] for seat in range(plan.players)]
    position.known = [
        [card for card in known if card in hand]
        for known, hand in zip(like.known, position.hands, strict=True)
    ]
    position.points = t.points[b].tolist()
    waiting = s.plays[b, s.stage[b, PLACED] :].tolist()
    position.table = [Played(play >> 4 & 127, play & 15, play >> 12) for play in waiting]
    _set_extras(plan, position, t, s, b)
    _reopen(plan, rules, position, int(s.stage[b, TO_PLAY]))
    return position


def _set_extras(plan: Plan, position: Position, t: Table, s: Seats, b: int) -> None:
    row, side = (int(value) for value in t.mark[b])
    if isinstance(position, EvenOddPosition):
        position.marked, position.side = row, _PARITIES[side]
    elif isinstance(position, MountainPosition):
        position.marked, position.arrow = row, _ARROWS[side]
    elif isinstance(position, CowPosition):
        position.cow = row
    elif isinstance(position, FlipPosition):
        position.has_flip = tuple(bool(flip) for flip in s.flips[b])
    elif isinstance(position, HalvesPosition) and s.stage[b, HALF] == 1 and position.half == 1:
        position.half = 2
        del position.deck[: plan.players * plan.second]


def _reopen(plan: Plan, rules: Ruleset[Any], position: Position, to_play: int) -> None:
    """Let the rules ask again what is open; the agenda below is the next trick's."""
    position.asks, position.answers, position.agenda = (), {}, []
    total = plan.second + plan.first if getattr(position, "half", 1) == 2 else plan.first
    position.trick = total - to_play
    steps = cast(Any, rules)
    if position.table:
        position.trick += 1
        position.agenda = [TRICK]
        steps.place_next(position)
    else:
        steps.play_trick(position)
    position.news = []
