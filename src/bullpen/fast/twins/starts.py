"""Between the engine's positions and views and the states of games with a course of their own."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullpen.engine import FACE_DOWN, Played, Position, Ruleset
from bullpen.fast.errors import FastError, NotCovered
from bullpen.fast.twins.batch import TwinBatch
from bullpen.fast.twins.course import Hidden
from bullpen.fast.twins.games import TWINS
from bullpen.fast.twins.state import ASIDE, State
from bullpen.fast.twins.twin import Twin


@dataclass(frozen=True)
class TwinStart:
    """A position or a view as arrays: where playouts begin, and what a game of a batch can be set to."""

    twin: Twin
    plan: Any
    state: Any
    """One game; of hands that are not seen it holds the cards that are known."""
    hidden: Hidden
    """The cards that the viewer has not seen, and how many of them each hand holds."""
    committed: NDArray[np.uint16]
    """[n]: answers to the open questions that have been given and are known, else 0."""
    seat: int
    """The seat whose choices are compared: the viewer's, or -1 for nobody's."""

    @property
    def pool(self) -> NDArray[np.uint8]:
        """The cards that the viewer has not seen; of a position, those that lie in the deck."""
        pool: NDArray[np.uint8] = self.hidden.pool
        return pool


def twin_start(
    rules: Ruleset[Any], position: Any, piles: list[list[int]], seat: int, *, knows_all: bool
) -> TwinStart:
    """Return a position, or what a seat sees of one, as arrays."""
    twin = TWINS[rules.id]
    if any(ask.kind == "draft_pick" for ask in position.asks):
        raise NotCovered(f"The fast twin plays {rules.id} after the draft, not the draft.")
    plan = twin.plan_of(rules)
    s = twin.new_state(plan, 1)
    _read_table(s, position, piles)
    unknown = _read_hands(s, position)
    _read_question(twin, s, position)
    twin.read(plan, position, s)
    committed = np.zeros(plan.players, np.uint16)
    for owner, choice in position.answers.items():
        committed[owner] = twin.number(choice, position)
    pool = np.zeros(0, np.uint8) if knows_all else _pool(rules, position, piles)
    return TwinStart(twin, plan, s, Hidden(pool, unknown), committed, seat)


def _read_table(s: State, position: Position, piles: list[list[int]]) -> None:
    for row, cards in enumerate(position.rows):
        s.rows[0, row, : len(cards)] = cards
        s.counts[0, row] = len(cards)
    s.laid[0] = len(position.table)
    for at, played in enumerate(position.table):
        s.waits[0, at] = played.card, played.seat
    log = [(card, seat) for seat, pile in enumerate(piles) for card in pile]
    log += [(card, ASIDE) for card in position.aside]
    for at, (card, taker) in enumerate(log):
        s.taken[0, at], s.takers[0, at] = card, taker
    s.logged[0] = len(log)
    s.points[0] = position.points
    s.scores[0] = position.scores
    s.trick[0] = position.trick
    s.drawn[0] = s.deck.shape[1] - len(position.deck)
    s.deck[0, s.drawn[0] :] = position.deck


def _read_hands(s: State, position: Position) -> NDArray[np.int64]:
    """Set the hands as far as they are known, and return how many cards of each are not."""
    unknown = np.zeros(position.players, np.int64)
    for seat, (hand, known) in enumerate(zip(position.hands, position.known, strict=True)):
        if len(hand) > s.hands.shape[2]:
            raise NotCovered(f"The fast twin takes hands of at most {s.hands.shape[2]} cards here.")
        seen = sorted(known) if FACE_DOWN in hand else hand
        s.hands[0, seat, : len(seen)] = seen
        s.held[0, seat] = len(seen)
        unknown[seat] = len(hand) - len(seen)
        if s.known.shape[2]:
            s.known[0, seat, : len(known)] = known
            s.knows[0, seat] = len(known)
    return unknown


def _read_question(twin: Twin, s: State, position: Position) -> None:
    for ask in position.asks:
        s.asked[0] |= 1 << ask.seats[0]
        s.kind[0] = 1 + twin.kinds.index(ask.kind)


def _pool(rules: Ruleset[Any], position: Position, piles: list[list[int]]) -> NDArray[np.uint8]:
    """Return the cards of the deck that are nowhere to be seen."""
    unseen = Counter(rules.universe("numbers"))
    unseen.subtract(card for row in position.rows for card in row)
    unseen.subtract(card for pile in piles for card in pile)
    unseen.subtract(played.card for played in position.table)
    unseen.subtract(position.aside)
    unseen.subtract(getattr(position, "taken", ()))
    for hand, known in zip(position.hands, position.known, strict=True):
        unseen.subtract(known if FACE_DOWN in hand else hand)
    return np.array(sorted(unseen.elements()), np.uint8)


def load_twin(batch: TwinBatch, b: int, start: TwinStart) -> None:
    """Set one game of a batch to a position, or to a view with nothing unknown."""
    if start.twin is not batch.twin or not _same(start.plan, batch.plan):
        raise FastError("The position is of another game, player count or option than the batch.")
    if start.hidden.unknown.any():
        raise FastError("A game of a batch needs every card: use a position, or imagine one from the view.")
    stream = batch.state.states[b]
    batch.state.memory[b] = start.state.memory[0]
    batch.state.states[b] = stream


def _same(one: Any, other: Any) -> bool:
    """Whether two plans are alike; what is printed on a board is an array."""
    return all(np.array_equal(mine, theirs) for mine, theirs in zip(one, other, strict=True))


def twin_position(batch: TwinBatch, b: int, rules: Ruleset[Any], like: Any) -> Any:
    """Return one game of a batch as a position of the engine, with the questions that are open there."""
    s = batch.state
    position = like.copy()
    position.past = []
    position.rows = [s.rows[b, row, : s.counts[b, row]].tolist() for row in range(len(position.rows))]
    position.hands = [s.hands[b, seat, : s.held[b, seat]].tolist() for seat in range(batch.plan.players)]
    log = list(zip(s.taken[b, : s.logged[b]].tolist(), s.takers[b, : s.logged[b]].tolist(), strict=True))
    position.piles = [[card for card, taker in log if taker == seat] for seat in range(batch.plan.players)]
    position.aside = [card for card, taker in log if taker == ASIDE]
    position.known = [
        s.known[b, seat, : s.knows[b, seat]].tolist()
        if s.known.shape[2]
        else [card for card in like.known[seat] if card in position.hands[seat]]
        for seat in range(batch.plan.players)
    ]
    position.deck = s.deck[b, s.drawn[b] :].tolist()
    position.points, position.scores = s.points[b].tolist(), s.scores[b].tolist()
    position.trick = int(s.trick[b])
    waiting = s.waits[b, s.placed[b] : s.laid[b]].tolist()
    position.table = [Played(card, seat, card) for card, seat in waiting]
    position.asks, position.answers, position.agenda, position.news = (), {}, [], []
    batch.twin.write(batch.plan, s, b, rules, position)
    position.news = []
    return position


def for_seat(start: TwinStart, seat: int) -> TwinStart:
    """Return the same start with the seat whose choices shall be compared."""
    return replace(start, seat=seat)
