# ruff: noqa: ARG001, ARG005, PLW0108  what is compiled by types must take every argument of its stub
"""How a game of any kind is moved on: which functions belong to which plan, and the loops over games.

A game's plan has a type of its own. By it a kernel finds the game's functions when it is compiled, so that
a game is compiled when it is played and costs nobody else anything.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from bullpen.fast.chance import GAMMA, U, deal, high_draw, mixed, stream
from bullpen.fast.compiled import Array, Int, kernel, numba, piece_by_types, rule
from bullpen.fast.policies import HIGHEST, LOWEST, OWN, WEIGHTED, Minds
from bullpen.fast.rollout import Job, Sums
from bullpen.fast.twins.state import (
    CARD,
    CHOOSE_ROW,
    ROW,
    State,
    cheapest_row,
    holds,
    insert_card,
    is_among,
    is_asked,
)


class Course(NamedTuple):
    """The compiled functions of a game; each is called with the plan, the state and the game's place."""

    start_game: Callable[..., None]
    """Set what a game begins with, and nothing else."""
    start_round: Callable[..., None]
    """Shuffle, deal, and ask the first question."""
    list_options: Callable[..., int]
    """Write every answer of a seat into an array and return how many there are."""
    answer: Callable[..., None]
    """Take the choices of the seats that were asked, and go on to the next question."""
    cards_due: Callable[..., int] | int = 1
    """How many cards of a seat's hand answer the question CARD: always as many, or a function that says."""
    allows: Callable[..., bool] | None = None
    """Whether a choice answers a question other than CARD; without it all answers are listed to see."""
    deal_hidden: Callable[..., None] | None = None
    """Deal what is hidden besides cards of hands and deck, where there is such a thing."""


Policy = Callable[..., int] | None
"""A function of a player's own, or None; its answer is a place in the list of options."""

COURSES: dict[type, Course] = {}
"""The courses by the type of their plans."""


def start_game(plan: Any, s: State, b: Int) -> None:
    """Set what a game begins with."""


def start_round(plan: Any, s: State, b: Int) -> None:
    """Begin a round."""


def list_options(plan: Any, s: State, b: Int, seat: Int, out: Array) -> Int:
    """List the answers of a seat that is asked."""


def answer(plan: Any, s: State, b: Int, choices: Array) -> None:
    """Go on with the choices of all seats that were asked."""


def cards_due(plan: Any, s: State, b: Int, seat: Int) -> Int:
    """Return how many cards a seat plays in this trick."""


def allows(plan: Any, s: State, b: Int, seat: Int, choice: Int, options: Array) -> Int:
    """Whether a choice answers a question other than CARD; `options` has room for a list."""


def deal_hidden(plan: Any, s: State, b: Int) -> None:
    """Deal what is hidden besides cards of hands and deck."""


@piece_by_types(cards_due)
def cards_due_in(plan: Any, s: Any, b: Any, seat: Any) -> Any:
    """Return the number of the plan's game, or its function."""
    own = COURSES[plan.instance_class].cards_due
    if isinstance(own, int):
        return lambda plan, s, b, seat: own
    return lambda plan, s, b, seat: own(plan, s, b, seat)


@piece_by_types(allows)
def allows_in(plan: Any, s: Any, b: Any, seat: Any, choice: Any, options: Any) -> Any:
    """Return the function of the plan's game, or one that looks through its list."""
    own, listing = COURSES[plan.instance_class].allows, COURSES[plan.instance_class].list_options
    if own is None:
        return lambda plan, s, b, seat, choice, options: is_among(
            options, listing(plan, s, b, seat, options), choice
        )
    return lambda plan, s, b, seat, choice, options: own(plan, s, b, seat, choice, options)


@piece_by_types(deal_hidden)
def deal_hidden_of(plan: Any, s: Any, b: Any) -> Any:
    """Return the function of the plan's game, if there is one."""
    own = COURSES[plan.instance_class].deal_hidden
    if own is None:
        return lambda plan, s, b: None
    return lambda plan, s, b: own(plan, s, b)


@piece_by_types(start_game)
def start_game_of(plan: Any, s: Any, b: Any) -> Any:
    """Return the function of the plan's game."""
    own = COURSES[plan.instance_class].start_game
    return lambda plan, s, b: own(plan, s, b)


@piece_by_types(start_round)
def start_round_of(plan: Any, s: Any, b: Any) -> Any:
    """Return the function of the plan's game."""
    own = COURSES[plan.instance_class].start_round
    return lambda plan, s, b: own(plan, s, b)


@piece_by_types(list_options)
def list_options_of(plan: Any, s: Any, b: Any, seat: Any, out: Any) -> Any:
    """Return the function of the plan's game."""
    own = COURSES[plan.instance_class].list_options
    return lambda plan, s, b, seat, out: own(plan, s, b, seat, out)


@piece_by_types(answer)
def answer_of(plan: Any, s: Any, b: Any, choices: Any) -> Any:
    """Return the function of the plan's game."""
    own = COURSES[plan.instance_class].answer
    return lambda plan, s, b, choices: own(plan, s, b, choices)


def place_of(  # noqa: PLR0913, PLR0917  the signature of a policy
    policy: Any, s: State, b: Int, seat: Int, out: Array, count: Int, weights: Array, word: Int
) -> Int:
    """Return the place of the answer that a function chooses."""


@piece_by_types(place_of)
def place_by(policy: Any, s: Any, b: Any, seat: Any, out: Any, count: Any, weights: Any, word: Any) -> Any:  # noqa: PLR0913, PLR0917
    """Return a call of the function; where there is none, the last answer."""
    if policy == numba.types.none:
        return lambda policy, s, b, seat, out, count, weights, word: count - 1
    return lambda policy, s, b, seat, out, count, weights, word: policy(s, b, seat, out, count, weights, word)


# Many games, one step.


@rule
def start_at(plan: Any, s: State, b: Int, game: Int) -> None:
    """Start a game anew, or its next round only."""
    if game:
        for seat in range(plan.players):
            s.scores[b, seat] = 0
        start_game(plan, s, b)
    start_round(plan, s, b)


@kernel
def start_games(plan: Any, s: State, seeds: Array, where: Array, game: bool, sow: bool) -> None:
    """Start the games of a mask anew, each from its own seed or in its stream; or their next round."""
    for b in range(where.size):
        if where[b]:
            if sow:
                s.states[b] = stream(seeds[b], U(0))
            start_at(plan, s.games[b], 0, game)


@rule
def plays_from_hand(plan: Any, s: State, b: Int, seat: Int, choice: Int) -> Int:
    """Whether a choice is as many cards of the hand as are played in a trick, the lower one first."""
    low, high = choice >> 7, choice & 127
    if cards_due(plan, s, b, seat) == 1:
        return low == 0 and holds(s, b, seat, high)
    return low < high and holds(s, b, seat, low) and holds(s, b, seat, high)


@rule
def is_legal(plan: Any, s: State, b: Int, seat: Int, choice: Int, options: Array) -> Int:
    """Whether a seat may answer so now; where it is not asked, anything is ignored and therefore legal."""
    if not is_asked(s, b, seat):
        return True
    if s.kind[b] == CARD:
        return plays_from_hand(plan, s, b, seat, choice)
    return allows(plan, s, b, seat, choice, options)


@rule
def step_game(plan: Any, s: State, b: Int, choices: Array, ask: Int) -> None:
    """Answer the open questions of a game, and without `ask` also those for a row: by the cheapest one."""
    going = s.asked[b] != 0
    while going:
        answer(plan, s, b, choices)
        going = not ask and s.kind[b] == CHOOSE_ROW
        if going:
            for seat in range(plan.players):
                choices[b, seat] = ROW + cheapest_row(s, b)


@kernel
def step_games(plan: Any, s: State, choices: Array, options: Array, ask: bool) -> int:
    """Move every game on; or return game * players + seat of the first illegal choice and do nothing."""
    for b in range(choices.shape[0]):
        for seat in range(plan.players):
            if not is_legal(plan, s.games[b], 0, seat, np.int64(choices[b, seat]), options):
                return int(b * plan.players + seat)
    for b in range(choices.shape[0]):
        step_game(plan, s.games[b], 0, choices[b : b + 1], ask)
    return -1


@rule
def list_game(plan: Any, s: State, b: Int, numbers: Array, counts: Array) -> None:
    """List the answers of every seat: numbers[game, seat, place], of which counts[game, seat] are meant."""
    for seat in range(plan.players):
        count = 0
        if is_asked(s, b, seat):
            count = list_options(plan, s, b, seat, numbers[b, seat])
        counts[b, seat] = count


@kernel
def list_games(plan: Any, s: State, numbers: Array, counts: Array) -> None:
    """List the answers of every seat of every game."""
    for b in range(counts.shape[0]):
        list_game(plan, s.games[b], 0, numbers[b : b + 1], counts[b : b + 1])


@rule
def pick_in_game(b: Int, numbers: Array, counts: Array, states: Array, choices: Array) -> None:
    """Choose uniformly among the listed answers of every seat; 0 where a seat is not asked."""
    for seat in range(counts.shape[1]):
        states[b] += GAMMA
        count = counts[b, seat]
        place = np.int64(high_draw(mixed(states[b]), U(count)))
        choices[b, seat] = numbers[b, seat, place] if count else 0


@kernel
def pick_at_random(numbers: Array, counts: Array, states: Array, choices: Array) -> None:
    """Choose uniformly among the listed answers of every seat of every game."""
    for b in range(counts.shape[0]):
        pick_in_game(b, numbers, counts, states, choices)


# Whole rounds.


class Hidden(NamedTuple):
    """What is dealt anew for every playout."""

    pool: Array
    """uint8 [P]: the cards that nobody has seen; those that are not dealt become the deck."""
    unknown: Array
    """int64 [n]: how many of them each hand holds."""


class Memory(NamedTuple):
    """Working memory of playouts, made once."""

    state: State
    choices: Array
    """uint16 [1, n]."""
    options: Array
    """uint16 [most]."""
    deck: Array
    """uint8 [P]."""


@rule
def next_word(s: State, b: Int) -> Int:
    """Move a game's stream on and return a random word."""
    s.states[b] += GAMMA
    return mixed(s.states[b])


@rule
def weighted_place(options: Array, count: Int, weights: Array, word: Int) -> Int:
    """Choose an answer with a chance proportional to the weight of its card; any if none has weight."""
    total = 0.0
    for i in range(count):
        total += weights[options[i]] if options[i] < weights.size else 0.0
    if total == 0.0:
        return np.int64(high_draw(word, U(count)))
    reach = total * (np.float64(word >> U(11)) * 2.0**-53)
    for i in range(count - 1):
        reach -= weights[options[i]] if options[i] < weights.size else 0.0
        if reach < 0.0:
            return i
    return count - 1


@rule
def choose(  # noqa: PLR0913, PLR0917  a decision needs all of it
    plan: Any, s: State, b: Int, seat: Int, kind: Int, weights: Array, policy: Policy, out: Array
) -> Int:
    """Return what a seat answers by its policy; rows are chosen alike by all, the cheapest one."""
    if s.kind[b] == CHOOSE_ROW:
        return ROW + cheapest_row(s, b)
    count = list_options(plan, s, b, seat, out)
    word = next_word(s, b)
    place: Int = np.int64(high_draw(word, U(count)))
    if kind == LOWEST:
        place = 0
    elif kind == HIGHEST:
        place = count - 1
    elif kind == WEIGHTED:
        place = weighted_place(out, count, weights, word)
    elif kind == OWN:
        place = place_of(policy, s, b, seat, out, count, weights, word)
    return np.int64(out[place])


@rule
def play_out(plan: Any, minds: Minds, policy: Policy, x: Memory, fixed: Array) -> None:
    """Play the round to its end; `fixed` holds answers given already to the first question, else 0."""
    first, s = 0, x.state.games[0]
    while s.asked[0]:
        for seat in range(plan.players):
            if is_asked(s, 0, seat):
                choice = np.int64(fixed[seat]) if first == 0 else 0
                if choice == 0:
                    kind, weights = minds.kinds[first, seat], minds.weights[seat]
                    choice = choose(plan, s, 0, seat, kind, weights, policy, x.options)
                x.choices[0, seat] = choice
        answer(plan, s, 0, x.choices)
        first = 1


@rule
def imagine(plan: Any, hidden: Hidden, x: Memory) -> None:
    """Deal the unseen cards to the hands that hold them, and the rest to the deck."""
    size, s = hidden.pool.size, x.state.games[0]
    for i in range(size):
        x.deck[i] = hidden.pool[i]
    s.states[0] = deal(x.deck, U(size), x.deck, U(size), s.states[0])
    at = 0
    for seat in range(plan.players):
        for _ in range(hidden.unknown[seat]):
            insert_card(s, 0, seat, x.deck[at])
            at += 1
    for i in range(at, size):
        s.deck[0, np.int64(s.drawn[0]) + i - at] = x.deck[i]
    deal_hidden(plan, s, 0)


@kernel
def roll(  # noqa: PLR0913, PLR0917  a kernel is told everything at once
    plan: Any, minds: Minds, policy: Policy, x: Memory, root: State, hidden: Hidden, fixed: Array,
    job: Job, sums: Sums,
) -> None:  # fmt: skip
    """Play rounds to their end for every candidate, with the same chance for all; whole ones without any.

    What is added up is what the seats get from the root on.
    """
    for c in range(sums.total.shape[0]):
        for i in range(job.rounds):
            given = x.choices[1]
            if fixed.shape[0]:
                given = fixed[c]
                for word in range(root.memory.shape[1]):
                    x.state.memory[0, word] = root.memory[0, word]
            x.state.states[0] = stream(job.seed, U(job.first + i))
            if fixed.shape[0]:
                imagine(plan, hidden, x)
            else:
                start_at(plan, x.state.games[0], 0, True)
            play_out(plan, minds, policy, x, given)
            for seat in range(plan.players):
                points = np.int64(x.state.points[0, seat]) - np.int64(root.points[0, seat])
                sums.total[c, seat] += points
                sums.squares[c, seat] += points * points
