"""Random numbers and dealing: one stream per game, the same on every processor.

A stream is the counter of SplitMix64 (Steele, Lea, Flood 2014): a 64-bit state that grows by a
constant, and a mixing function that turns it into a random word. A word yields two draws.
"""

import numpy as np

from bullpen.fast.compiled import Array, rule

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_S30 = np.uint64(30)
_S27 = np.uint64(27)
_S31 = np.uint64(31)
_S32 = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@rule
def mixed(state: np.uint64) -> np.uint64:
    """Return the random word that belongs to a state of the stream."""
    z = (state ^ (state >> _S30)) * _MIX1
    z = (z ^ (z >> _S27)) * _MIX2
    return z ^ (z >> _S31)


@rule
def stream(seed: np.uint64, index: int) -> np.uint64:
    """Return the first state of game `index` under a seed."""
    return mixed(mixed(seed) + np.uint64(index) * GAMMA)


@rule
def low_draw(word: np.uint64, below: int) -> int:
    """Return a number from 0 to below - 1 made of the word's lower half."""
    return np.int64(((word & _LOW) * np.uint64(below)) >> _S32)


@rule
def high_draw(word: np.uint64, below: int) -> int:
    """Return a number from 0 to below - 1 made of the word's upper half."""
    return np.int64(((word >> _S32) * np.uint64(below)) >> _S32)


@rule
def draw(states: Array, b: int, below: int) -> int:
    """Move stream b on and return a number from 0 to below - 1."""
    states[b] += GAMMA
    return high_draw(mixed(states[b]), below)


@rule
def shuffle_front(cards: Array, count: int, size: int, state: np.uint64) -> np.uint64:
    """Bring a random draw of `count` of the first `size` cards to the front, in random order."""
    for i in range(0, count, 2):
        state += GAMMA
        word = mixed(state)
        j = i + low_draw(word, size - i)
        cards[i], cards[j] = cards[j], cards[i]
        if i + 1 < count:
            j = i + 1 + high_draw(word, size - i - 1)
            cards[i + 1], cards[j] = cards[j], cards[i + 1]
    return state
