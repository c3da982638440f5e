"""Random numbers and dealing: one stream per game, the same on every processor.

A stream is the counter of SplitMix64 (Steele, Lea, Flood 2014): a 64-bit state that grows by a
constant, and a mixing function that turns it into a random word. A word yields two draws.
"""

import numpy as np

from bullpen.fast.compiled import Array, Int, rule

U = np.uint64
"""Counters in hot loops are unsigned: Numba would test a signed index for being negative."""

GAMMA = U(0x9E3779B97F4A7C15)
MIX1 = U(0xBF58476D1CE4E5B9)
MIX2 = U(0x94D049BB133111EB)
_LOW = U(0xFFFFFFFF)


@rule
def mixed(state: Int) -> Int:
    """Return the random word that belongs to a state of the stream."""
    z = (state ^ (state >> U(30))) * MIX1
    z = (z ^ (z >> U(27))) * MIX2
    return z ^ (z >> U(31))


@rule
def stream(seed: Int, index: Int) -> Int:
    """Return the first state of game `index` under a seed."""
    return mixed(mixed(U(seed)) + U(index) * GAMMA)


@rule
def low_draw(word: Int, below: Int) -> Int:
    """Return a number from 0 to below - 1 made of the word's lower half."""
    # Masking `below` tells the compiler that a 32-bit multiplication will do.
    return ((word & _LOW) * (below & _LOW)) >> U(32)


@rule
def high_draw(word: Int, below: Int) -> Int:
    """Return a number from 0 to below - 1 made of the word's upper half."""
    return ((word >> U(32)) * (below & _LOW)) >> U(32)


@rule
def fresh_deck(deck: Array, size: Int) -> None:
    """Put the cards 1 to `size` into the deck, in order."""
    for i in range(U(size)):
        deck[i] = i + U(1)


@rule
def deal(deck: Array, size: Int, out: Array, count: Int, state: Int) -> Int:
    """Draw `count` of the first `size` cards of a deck in random order; the deck is used up.

    `out` may be the deck itself, whose front then holds the drawn cards and whose rest the others.
    Returns the state of the stream afterwards: two draws move it on by one.
    """
    for i in range(U(0), U(count), U(2)):
        state += GAMMA
        word = mixed(state)
        j = i + low_draw(word, size - i)
        card = deck[j]
        deck[j] = deck[i]
        out[i] = card
        if i + U(1) < count:
            j = i + U(1) + high_draw(word, size - i - U(1))
            card = deck[j]
            deck[j] = deck[i + U(1)]
            out[i + U(1)] = card
    return state


@rule
def sort_four(cards: Array, first: Int) -> None:
    """Sort four cards from place `first` on."""
    for i in range(first + 1, first + 4):
        for j in range(first, i):
            x, y = cards[j], cards[i]
            cards[j], cards[i] = min(x, y), max(x, y)
