"""The expert's search in games with a course of their own: imagined worlds, in which the network plays on.

In every world the unseen cards are dealt anew and the others answer what they are asked as the network would,
now and then otherwise. Every candidate is tried in the same worlds, on to the seat's next card; it costs what
the seat has got by then, and what the network says of its best next answer. The worse half of the candidates
is dropped again and again (sequential halving). How many answers are valued is fixed, whatever the table: a
decision takes about as long everywhere, and a seed gives the same choice.
"""

from typing import Any, NamedTuple

import numpy as np

from bullpen.bots.compiled import Array, piece, plain, slow_kernel, whole
from bullpen.bots.network.course_network import Page, Weights, judge_answers, load_for, new_page
from bullpen.bots.registry import Mind
from bullpen.engine import Ask, Choice, View
from bullpen.fast import from_view, number_of
from bullpen.fast.chance import U, high_draw, stream
from bullpen.fast.twins.course import Hidden, Memory, answer, cards_due, imagine, list_options, next_word
from bullpen.fast.twins.rounds import new_memory
from bullpen.fast.twins.starts import TwinStart
from bullpen.fast.twins.state import CARD, State, is_asked

TINY = 1e-12
ALL, OTHERS = plain(0), plain(1)
"""The first seat to answer, counted from the one that thinks."""
NOBODY = np.zeros(0, np.int64)


class Style(NamedTuple):
    """How the others are supposed to play, and how far worlds are lived through."""

    heat: float
    """How many points two answers may differ by and still be nearly alike to the others."""
    doubt: float
    """How often another seat gives any answer."""
    reach: int
    """How many of the seat's next cards are played by the network before it is asked what the rest costs."""


class Inquiry(NamedTuple):
    """A question under search."""

    root: State
    hidden: Hidden
    seat: int
    candidates: Array
    """uint16 [C]: the answers that are compared."""
    sums: Array
    """float64 [C]: what they have cost in all worlds so far."""


class Desk(NamedTuple):
    """Working memory, and the network."""

    memory: Memory
    """Two games: the one that is played, and the world that every candidate begins with."""
    net: Weights
    page: Page


@piece
def uniform(s: State) -> float:
    """Return a number from 0 to 1 of a game's stream."""
    return float(whole(next_word(s, 0) >> U(11))) * 2.0**-53


@piece
def pick(plan: Any, s: State, seat: int, desk: Desk, heat: float, doubt: float) -> int:
    """List a seat's answers with their costs by the network; return the place of nearly the least, or -1."""
    page = desk.page
    count = whole(list_options(plan, s, 0, seat, page.numbers))
    if count and doubt > 0.0 and uniform(s) < doubt:
        return whole(high_draw(next_word(s, 0), U(count)))
    judge_answers(plan, s, 0, seat, desk.net, page, count)
    best = 0 if count else -1
    for k in range(count):
        if heat > 0.0:
            # The least of costs with this noise (Gumbel's) is drawn with the chances of a softmax.
            page.costs[k] += heat * np.log(-np.log(uniform(s) + TINY))
        if page.costs[k] < page.costs[best]:
            best = k
    return best


@piece
def let_answer(plan: Any, desk: Desk, style: Style, seat: int, first: int, choices: Array) -> bool:
    """Let those who are asked answer by the network: the seat what it says, the others nearly that.

    Return whether all of them could: where hands were set up unevenly, one may be empty before its time.
    """
    s = desk.memory.state.games[0]
    for k in range(first, plan.players):
        p = (seat + k) % plan.players
        if is_asked(s, 0, p):
            own = k == 0
            place = pick(plan, s, p, desk, 0.0 if own else style.heat, 0.0 if own else style.doubt)
            if place < 0:
                return False
            choices[p] = desk.page.numbers[place]
    return True


@piece
def live_on(plan: Any, inquiry: Inquiry, desk: Desk, style: Style) -> float:
    """Play on to one of the seat's next cards; return what the seat got, and what the network expects."""
    s, choices, seat = desk.memory.state.games[0], desk.memory.choices, inquiry.seat
    passed, able = 0, True
    answer(plan, s, 0, choices)
    while s.asked[0] and able:
        # The last card is no choice: what it costs is played out, not estimated.
        if is_asked(s, 0, seat) and s.kind[0] == CARD and s.held[0, seat] > cards_due(plan, s, 0, seat):
            passed += 1
            if passed > style.reach:
                break
        able = let_answer(plan, desk, style, seat, ALL, choices[0])
        if able:
            answer(plan, s, 0, choices)
    cost = float(whole(s.points[0, seat]) - whole(inquiry.root.points[0, seat]))
    if s.asked[0] and able:
        place = pick(plan, s, seat, desk, 0.0, 0.0)
        cost += desk.page.costs[place] if place >= 0 else 0.0
    return cost


@piece
def copy_game(into: Array, given: Array) -> None:
    """Set a game to another one."""
    for word in range(into.size):
        into[word] = given[word]


class Span(NamedTuple):
    """Which worlds to live through, and the seed of all chance."""

    first: int
    last: int
    seed: np.uint64


@slow_kernel(10)
def try_worlds(plan: Any, inquiry: Inquiry, alive: Array, desk: Desk, style: Style, span: Span) -> None:
    """Try the candidates that are left in some worlds.

    Without any, the seat's answers are listed with what the network says of them, and that is all.
    """
    memory, choices = desk.memory.state.memory, desk.memory.choices
    s = desk.memory.state.games[0]
    for world in range(span.first, span.last):
        copy_game(memory[0], inquiry.root.memory[0])
        s.states[0] = stream(span.seed, U(world))
        imagine(plan, inquiry.hidden, desk.memory)
        if alive.size == 0:
            pick(plan, s, inquiry.seat, desk, 0.0, 0.0)
            return
        if not let_answer(plan, desk, style, inquiry.seat, OTHERS, choices[1]):
            return
        copy_game(memory[1], memory[0])
        for c in alive:
            copy_game(memory[0], memory[1])
            for p in range(plan.players):
                choices[0, p] = choices[1, p]
            choices[0, inquiry.seat] = inquiry.candidates[c]
            inquiry.sums[c] += live_on(plan, inquiry, desk, style)


class Effort(NamedTuple):
    """How hard to think about a question."""

    style: Style
    candidates: int
    """How many answers are tried, the best ones by the network."""
    values: int
    """How many answers of all seats the network values, describing a question counting for some."""
    worlds: int
    """How many worlds are enough, where there is little to choose from."""
    prior: float
    """How many worlds the network's own opinion of an answer is worth."""


EFFORT = Effort(Style(heat=0.7, doubt=0.25, reach=0), candidates=12, values=64_000, worlds=1000, prior=10)
CHUNK = 4
"""Worlds between two looks at the clock."""


def choose(view: View, ask: Ask, mind: Mind) -> Choice:
    """Return the answer that costs least over all worlds."""
    return Search(view, ask, load_for(view.game), mind).best(EFFORT)


class Search:
    """One question under search, and what the network itself thinks of the answers."""

    def __init__(self, view: View, ask: Ask, net: Weights, mind: Mind) -> None:
        start = from_view(view)
        assert isinstance(start, TwinStart)
        self.options = {number_of(option, view.position, view.game): option for option in ask.options}
        self.plan, self.mind = start.plan, mind
        memory = new_memory(start.twin, start.plan, start.hidden.pool.size)
        page, count = new_page(memory.options.size), len(self.options)
        self.desk = Desk(memory, net, page)
        candidates, sums = np.zeros(count, np.uint16), np.zeros(count)
        self.inquiry = Inquiry(start.state, start.hidden, start.seat, candidates, sums)
        self.live_through(NOBODY, Style(0.0, 0.0, 0), 0, 1)
        candidates[:], self.opinion = page.numbers[:count], page.costs[:count].copy()

    def live_through(self, alive: Array, style: Style, first: int, last: int) -> None:
        """Try candidates in some worlds."""
        span = Span(first, last, np.uint64(self.mind.seed))
        try_worlds(self.plan, self.inquiry, alive, self.desk, style, span)

    def by_network(self) -> Choice:
        """Return the answer that costs least by the network, without any search."""
        return self.option(self.opinion.argmin())

    def best(self, effort: Effort) -> Choice:
        """Drop the worse half until one candidate is left."""
        alive = np.argsort(self.opinion, kind="stable")[: effort.candidates]
        stages = max(1, (len(alive) - 1).bit_length())
        worlds = 0
        for stage in range(1, stages + 1):
            while self.spent(effort, worlds) < stage / stages:
                self.live_through(alive, effort.style, worlds, worlds + CHUNK)
                worlds += CHUNK
                if self.mind.stop():
                    return self.option(self.ranked(alive, effort.prior)[0])
            alive = self.ranked(alive, effort.prior)[: (len(alive) + 1) // 2]
        return self.option(alive[0])

    def spent(self, effort: Effort, worlds: int) -> float:
        """Return which part of the effort has been made."""
        return max(float(self.desk.page.valued[0]) / effort.values, worlds / effort.worlds)

    def ranked(self, alive: Array, prior: float) -> Array:
        """Order candidates by what they have cost, the network's opinion counting for some worlds."""
        return alive[np.argsort(self.inquiry.sums[alive] + prior * self.opinion[alive], kind="stable")]

    def option(self, place: int) -> Choice:
        """Return an answer as the engine knows it."""
        return self.options[int(self.inquiry.candidates[place])]
