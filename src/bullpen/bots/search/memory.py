"""What the others have played says what they may hold, and how they play.

Who held a card that everybody would have played would have played it. So many hands are guessed for
every opponent, and each counts as much as its owner was likely to play with it what it played, trick by
trick. There are two manners to play: as the levels are used to (`Brain.habits`), and as `expert` does, which
is nearly what the network says (`Brain.net`). Which of them explains better what somebody has played is
most likely its manner. Worlds are made of such guesses, and everybody plays in them in a manner of its own.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullpen.bots.card_sets import U, single
from bullpen.bots.compiled import Array, piece, plain, slow_kernel, whole
from bullpen.bots.estimates.compiled_view import Hand
from bullpen.bots.network.features import WILD, describe
from bullpen.bots.network.network import judge_plays
from bullpen.bots.search.brain import Brain
from bullpen.bots.search.decision import DOUBT, ROOT, Decision
from bullpen.bots.search.regret import HEAT, Regrets, Span, draw_softly, learn
from bullpen.bots.search.trial import Desk, below, hand_of, list_options, uniform
from bullpen.engine import Trick, View
from bullpen.fast.batch import empty_table
from bullpen.fast.chance import deal, stream
from bullpen.fast.convert import as_set
from bullpen.fast.errors import NotCovered
from bullpen.fast.games import Plan
from bullpen.fast.rules import HEADS, Table

LEVELS, EXPERT = plain(0), plain(1)
"""The two manners to play."""
HEATS = (HEAT, 0.15)
"""How many bullheads two plays may differ by and still be nearly alike, in each manner."""
ODDS = (0.1, 0.03)
"""How likely any card is played alike."""
TRUSTS = (0.5, 0.8)
"""How much of what a play says of a hand is believed, as manners are only roughly known (a power)."""
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
    """float64 [2, n, K]: the chances of the hands in each manner, each added to those before it."""
    skilled: Array
    """float64 [n]: how likely each of them plays as `expert` does."""
    manners: Array
    """int64 [n]: how each plays in the world that is imagined."""


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
    return Guesses(
        np.zeros((players, each, 2), np.uint64),
        np.zeros((2, players, each)),
        np.zeros(players),
        np.zeros(players, np.int64),
    )


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
def judge_as(plan: Plan, table: Table, at: int, brain: Brain, me: Hand, manner: int, costs: Array) -> int:
    """Write down what the plays of a seat seem to cost to those of a manner; return how many there are."""
    net, layers = (brain.net, brain.layers) if manner == EXPERT else (brain.habits, brain.habit_layers)
    size = describe(plan.code, table, at, brain.eyes, me, layers.inputs)
    # As `expert` thinks of its opponents; habits were learned without.
    layers.inputs.scene[WILD] = DOUBT if manner == EXPERT else 0.0
    judge_plays(net, size, layers, costs)
    return size


@piece
def chance_of_play(desk: Desk, brain: Brain, size: int, card: int, manner: int) -> float:
    """Return how likely a card was to be played, by what the plays that are listed seem to cost."""
    least = desk.costs[0]
    for i in range(size):
        least = min(least, desk.costs[i])
    total = found = 0.0
    for i in range(size):
        weight = np.exp((least - desk.costs[i]) / HEATS[manner])
        total += weight
        if brain.eyes.cards[i] == card:
            found = weight
    return (1.0 - ODDS[manner]) * found / total + ODDS[manner] / size


@piece
def explains(plan: Plan, past: Past, desk: Desk, brain: Brain, seat: int, manner: int) -> float:
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
        size = judge_as(plan, past.tables, at, brain, me, manner, desk.costs)
        found += np.log(chance_of_play(desk, brain, size, card, manner))
    return found


@piece
def add_up(reach: Array, trust: float) -> float:
    """Turn logarithms of chances into sums of them, as far as trusted; return the logarithm of their mean."""
    best = -np.inf
    for k in range(reach.size):
        best = max(best, reach[k])
    total = mean = 0.0
    for k in range(reach.size):
        mean += np.exp(reach[k] - best) / reach.size
        total += np.exp(trust * (reach[k] - best))
        reach[k] = total
    for k in range(reach.size):
        reach[k] /= total
    return float(best + np.log(mean))


@slow_kernel(8)
def guess_hands(
    plan: Plan, decision: Decision, past: Past, desk: Desk, brain: Brain, guesses: Guesses, seed: np.uint64
) -> None:
    """Guess hands of every opponent, and weigh them and the manners to play by what it has played."""
    desk.states[0] = stream(seed, U(1) << U(40))
    for p in range(plan.players):
        if decision.known[p]:
            continue
        for k in range(guesses.reach.shape[2]):
            guess_hand(decision, desk, p, (U(0), U(0)))
            guesses.sets[p, k, 0], guesses.sets[p, k, 1] = desk.sets[p, 0], desk.sets[p, 1]
            for manner in (LEVELS, EXPERT):
                guesses.reach[manner, p, k] = explains(plan, past, desk, brain, p, manner)
        usual = add_up(guesses.reach[LEVELS, p], TRUSTS[LEVELS])
        skilled = add_up(guesses.reach[EXPERT, p], TRUSTS[EXPERT])
        guesses.skilled[p] = 1.0 / (1.0 + np.exp(usual - skilled))


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
        manner = EXPERT if uniform(desk.states) < guesses.skilled[p] else LEVELS
        guesses.manners[p] = manner
        for _ in range(TRIES):
            guess = guesses.sets[p, find_guess(guesses.reach[manner, p], uniform(desk.states))]
            if not (guess[0] & low | guess[1] & high):
                desk.sets[p, 0], desk.sets[p, 1] = guess[0], guess[1]
                found = True
                break
        if not found:
            guess_hand(decision, desk, p, (low, high))
        low |= desk.sets[p, 0]
        high |= desk.sets[p, 1]


@piece
def choose_in_manner(
    plan: Plan, decision: Decision, desk: Desk, brain: Brain, seat: int, manner: int
) -> None:
    """Let a seat with its imagined hand choose as those of its manner do."""
    list_options(plan, decision, desk, brain.eyes, seat)
    if uniform(desk.states) < ODDS[manner]:
        pick = below(desk.states, desk.counts[seat])
    else:
        me = hand_of(plan, decision, desk, seat)
        size = judge_as(plan, decision.table, ROOT, brain, me, manner, desk.costs)
        pick = draw_softly(desk, size, HEATS[manner])
    desk.chosen[seat] = desk.options[seat, pick]


@slow_kernel(10)
def think_back(
    plan: Plan, decision: Decision, desk: Desk, brain: Brain, r: Regrets, span: Span, guesses: Guesses
) -> None:
    """Learn what the seat's options cost in worlds that explain what has been played."""
    for iteration in range(span.first, span.last):
        desk.states[0] = stream(span.seed, U(iteration))
        remember_hands(plan, decision, desk, guesses)
        for p in range(plan.players):
            choose_in_manner(plan, decision, desk, brain, p, guesses.manners[p])
        learn(plan, decision, desk, brain, r, (decision.seat, float(iteration + 1)))
