"""What the others have played says what they may hold: hands that explain it are imagined more often.

Who held a card that everybody would have played would have played it. So many hands are guessed for
every opponent, and each counts as much as its owner was likely to play with it what it played, trick by
trick, if it plays as the levels are used to (`Brain.habits`) and at times anything. Worlds are then made
of such guesses.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.bots.card_sets import U, single
from bullpen.bots.compiled import Array, piece, slow_kernel, whole
from bullpen.bots.estimates.compiled_view import Hand
from bullpen.bots.network.features import WILD, describe
from bullpen.bots.network.network import judge_plays
from bullpen.bots.search.brain import Brain
from bullpen.bots.search.decision import Decision
from bullpen.bots.search.regret import HEAT, Regrets, Span, choose_and_learn
from bullpen.bots.search.trial import Desk, below, uniform
from bullpen.engine import Trick, View
from bullpen.fast.batch import empty_table
from bullpen.fast.chance import deal, stream
from bullpen.fast.convert import as_set
from bullpen.fast.errors import NotCovered
from bullpen.fast.games import Plan
from bullpen.fast.rules import HEADS, Table

ODD = 0.1
"""How likely we take an opponent to have played any card alike."""
TRUST = 0.5
"""How much of what a play says is believed, as habits are only roughly known (a power of its chance)."""
TRIES = 12
"""How many guesses are tried for a seat, if others hold some of the same, before its cards are just dealt."""


class Past(NamedTuple):
    """The tricks of the round that have been played."""

    tables: Table
    """As many tables: the rows before each trick."""
    hidden: Array
    """uint64 [T, 2]: the cards that had not been face up before it."""
    cards: Array
    """int64 [T, n]: who played what."""


class Guesses(NamedTuple):
    """Hands that opponents may have."""

    sets: Array
    """uint64 [n, K, 2]."""
    reach: Array
    """float64 [n, K]: the chances of the hands, each added to those before it."""


def past_of(view: View, hidden: NDArray[np.uint64]) -> Past:
    """Return the tricks that a view remembers; `hidden` are the cards that have not been face up yet."""
    tricks = view.position.past
    check(tricks, view.players)
    tables = empty_table(len(tricks), view.players, log=0)
    sets = np.zeros((len(tricks), 2), np.uint64)
    cards = np.zeros((len(tricks), view.players), np.int64)
    for at in reversed(range(len(tricks))):
        for played in tricks[at].plays:
            cards[at, played.seat] = played.card
        hidden = hidden | as_set(cards[at].tolist())
        sets[at] = hidden
        for row, laid in enumerate(tricks[at].rows):
            tables.rows[at, row, : len(laid)] = laid
            tables.ends[at, row] = laid[-1]
            tables.counts[at, row] = len(laid)
            tables.heads[at, row] = HEADS[list(laid)].sum()
    return Past(tables, sets, cards)


def check(tricks: Sequence[Trick], players: int) -> None:
    """Refuse a past that no round can have had, as somebody may set it up."""
    for number, trick in enumerate(tricks, 1):
        cards = [card for row in trick.rows for card in row] + [played.card for played in trick.plays]
        rows = len(trick.rows) == 4 and all(1 <= len(row) <= 5 for row in trick.rows)
        seats = sorted(played.seat for played in trick.plays) == list(range(players))
        if not (rows and seats and len(set(cards)) == len(cards) and all(1 <= card <= 104 for card in cards)):
            raise NotCovered(f"Trick {number} of those remembered cannot have been played: {trick!r:.200}.")


def new_guesses(players: int, each: int) -> Guesses:
    """Return room for that many guesses of every hand."""
    return Guesses(np.zeros((players, each, 2), np.uint64), np.zeros((players, each)))


@piece
def guess_hand(decision: Decision, desk: Desk, seat: int, gone: tuple[np.uint64, np.uint64]) -> None:
    """Deal a seat a hand of the unseen cards that are not gone."""
    size = 0
    for i in range(decision.pool.size):
        low, high = single(whole(decision.pool[i]))
        if not (low & gone[0] | high & gone[1]):
            desk.deck[size] = decision.pool[i]
            size += 1
    need = decision.sizes[seat]
    desk.states[0] = deal(desk.deck, U(size), desk.drawn, U(need), desk.states[0])
    desk.sets[seat, 0] = desk.sets[seat, 1] = U(0)
    for k in range(need):
        card = whole(desk.drawn[k])
        desk.sets[seat, card >> 6] |= U(1) << U(card & 63)


@piece
def chance_of_play(desk: Desk, brain: Brain, size: int, card: int) -> float:
    """Return how likely a card was to be played, by what the plays that are listed seem to cost."""
    least = desk.costs[0]
    for i in range(size):
        least = min(least, desk.costs[i])
    total = found = 0.0
    for i in range(size):
        weight = np.exp((least - desk.costs[i]) / HEAT)
        total += weight
        if brain.eyes.cards[i] == card:
            found = weight
    return (1.0 - ODD) * found / total + ODD / size


@piece
def explains(plan: Plan, past: Past, desk: Desk, brain: Brain, seat: int) -> float:
    """Return the logarithm of how likely a seat with its imagined hand was to play what it played."""
    low, high = desk.sets[seat, 0], desk.sets[seat, 1]
    found = 0.0
    for back in range(past.cards.shape[0]):
        at = past.cards.shape[0] - 1 - back
        card = past.cards[at, seat]
        more_low, more_high = single(card)
        low |= more_low
        high |= more_high
        unseen = past.hidden[at, 0] & ~low, past.hidden[at, 1] & ~high
        me = Hand(low, high, unseen[0], unseen[1], plan.players, False, 0, 0, plan.digits, 0.0)
        size = describe(plan.code, past.tables, at, brain.eyes, me, brain.habit_layers.inputs)
        brain.habit_layers.inputs.scene[WILD] = 0.0
        judge_plays(brain.habits, size, brain.habit_layers, desk.costs)
        found += np.log(chance_of_play(desk, brain, size, card))
    return found


@slow_kernel(8)
def guess_hands(
    plan: Plan, decision: Decision, past: Past, desk: Desk, brain: Brain, guesses: Guesses, seed: np.uint64
) -> None:
    """Guess hands of every opponent, and weigh them by what it has played."""
    each = guesses.reach.shape[1]
    desk.states[0] = stream(seed, U(1) << U(40))
    for p in range(plan.players):
        if decision.known[p]:
            continue
        reach = guesses.reach[p]
        best = -np.inf
        for k in range(each):
            guess_hand(decision, desk, p, (U(0), U(0)))
            guesses.sets[p, k, 0], guesses.sets[p, k, 1] = desk.sets[p, 0], desk.sets[p, 1]
            reach[k] = TRUST * explains(plan, past, desk, brain, p)
            best = max(best, reach[k])
        total = 0.0
        for k in range(each):
            total += np.exp(reach[k] - best)
            reach[k] = total
        for k in range(each):
            reach[k] /= total


@piece
def find_guess(reach: Array, at: float) -> int:
    """Return the first guess whose chances, with those before it, reach so far."""
    first, last = 0, reach.size - 1
    while first < last:
        middle = (first + last) // 2
        if reach[middle] < at:
            first = middle + 1
        else:
            last = middle
    return first


@piece
def remember_hands(plan: Plan, decision: Decision, desk: Desk, guesses: Guesses) -> None:
    """Imagine all hands: of each opponent one of the guesses, of which no two may share a card."""
    n = plan.players
    low = high = U(0)
    for p in range(n):
        if decision.known[p]:
            desk.sets[p, 0] = desk.sets[p, 1] = U(0)
            for k in range(decision.sizes[p]):
                card = whole(decision.hands[p, k])
                desk.sets[p, card >> 6] |= U(1) << U(card & 63)
            low |= desk.sets[p, 0]
            high |= desk.sets[p, 1]
    first = below(desk.states, n)
    for k in range(n):
        p = (first + k) % n
        if decision.known[p]:
            continue
        found = False
        for _ in range(TRIES):
            guess = guesses.sets[p, find_guess(guesses.reach[p], uniform(desk.states))]
            if not (guess[0] & low | guess[1] & high):
                desk.sets[p, 0], desk.sets[p, 1] = guess[0], guess[1]
                found = True
                break
        if not found:
            guess_hand(decision, desk, p, (low, high))
        low |= desk.sets[p, 0]
        high |= desk.sets[p, 1]


@slow_kernel(10)
def think_back(
    plan: Plan, decision: Decision, desk: Desk, brain: Brain, r: Regrets, span: Span, guesses: Guesses
) -> None:
    """Go through some iterations as `think` does, in worlds that explain what has been played."""
    for iteration in range(span.first, span.last):
        desk.states[0] = stream(span.seed, U(iteration))
        remember_hands(plan, decision, desk, guesses)
        choose_and_learn(plan, decision, desk, brain, r, (iteration, span.rivals))
