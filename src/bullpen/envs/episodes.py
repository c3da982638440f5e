"""Many episodes side by side, on the compiled twin: what `episode` does with one, for a batch of them."""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bullpen.engine import IllegalChoice
from bullpen.envs.layout import Layout, layout_of
from bullpen.envs.rewards import penalty
from bullpen.envs.terms import BadTerms, Reward, Terms, rules_for
from bullpen.fast import Batch, NotCovered
from bullpen.fast.tables import TO_PLAY
from bullpen.rulesets.base import END

Seeds: TypeAlias = int | Sequence[int | None] | None
"""One seed, of which each episode gets its own (seed, seed + 1, …), or one for each."""
MOST_SEED = 2**64 - 1


class Episodes:
    """B episodes of a game of the compiled twin, on the terms that one episode would have.

    Every seat is asked for the last card of its hand as well (`forced="ask"`); Logic begins after the
    draft, with random hands. Seeds are the batch's: an episode gets other deals here than from the engine.

    >>> episodes = Episodes(Terms(game="base", players=2), size=3)
    >>> episodes.reset(7)
    >>> episodes.step(episodes.batch.random_choices()).tolist()
    [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
    """

    def __init__(self, terms: Terms, size: int) -> None:
        if terms.forced != "ask":
            raise BadTerms("A batch asks every seat, also where there is one answer: forced must be 'ask'.")
        rules = rules_for(terms)
        self.terms: Final = terms
        self.size: Final = size
        self.players: Final = rules.players
        self.layout: Final[Layout] = layout_of(rules)
        own = {option.key: rules.options[option.key] for option in rules.offers}
        try:
            self.batch: Final = Batch(rules.id, rules.players, size, options=own)
        except NotCovered as error:
            raise BadTerms(str(error)) from None
        ends = set(END) <= set(rules.offers)
        kind, value = (rules.options[END[0].key], rules.options[END[1].key]) if ends else ("rounds", 1)
        self._counts_rounds = kind == "rounds"
        self._limit = int(value)
        self._penalty = penalty(rules, terms.reward)
        self.over: Final = np.zeros(size, np.bool_)
        """[B]: whether an episode has ended."""
        self.lost: Final = np.zeros((size, self.players), np.bool_)
        """[B, n]: who has lost an episode by an illegal action."""
        self.corrected: Final = np.zeros((size, self.players), np.bool_)
        """[B, n]: whose latest action was illegal, so that another one was taken."""
        self._rounds = np.ones(size, np.int64)
        self._luck = np.random.default_rng()
        self._sown = np.zeros(size, np.bool_)

    def reset(self, seed: Seeds = None, where: NDArray[np.bool_] | None = None) -> None:
        """Start all episodes anew, or those of a mask; without a seed on the deals that follow."""
        mask = np.ones(self.size, np.bool_) if where is None else where
        seeds = self._seeds(seed)
        fresh = mask & np.array([given is not None for given in seeds])
        # Whoever never gave a seed gets one by chance, once.
        by_chance = mask & ~fresh & ~self._sown
        words = self._luck.integers(0, MOST_SEED, self.size, np.uint64, endpoint=True)
        for b, given in enumerate(seeds):
            if given is not None:
                words[b] = given
        sown = fresh | by_chance
        if sown.any():
            self.batch.reset(words, sown)
        if (mask & ~sown).any():
            self.batch.reset(None, mask & ~sown)
        self._sown |= mask
        self._begin(mask)

    def _seeds(self, seed: Seeds) -> Sequence[int | None]:
        if seed is None or isinstance(seed, (int, np.integer)):
            seeds: Sequence[int | None] = [None if seed is None else int(seed) + b for b in range(self.size)]
        else:
            seeds = seed
        if len(seeds) != self.size:
            raise BadTerms(f"There are {len(seeds)} seeds for {self.size} episodes.")
        if any(given is not None and not 0 <= given <= MOST_SEED for given in seeds):
            raise BadTerms(f"A seed is a number from 0 to {MOST_SEED}.")
        return seeds

    def _begin(self, mask: NDArray[np.bool_]) -> None:
        self.over[mask] = False
        self.lost[mask] = False
        self.corrected[mask] = False
        self._rounds[mask] = 1

    def restart(self, where: NDArray[np.bool_]) -> None:
        """Start the episodes of a mask anew on the deals that follow."""
        if where.any():
            self.batch.reset(None, where)
            self._begin(where)

    def step(self, actions: NDArray[Any]) -> NDArray[np.float32]:
        """Let every seat say a number and return the rewards [B, n]; ended episodes stay as they are.

        An illegal action with `illegal="raise"` raises a sentence and changes nothing in any episode.
        """
        ended, batch = self.over.copy(), self.batch
        choices = self._settled(np.asarray(actions), ended)
        before = batch.points.copy()
        # A batch leaves finished rounds alone, so an episode that must not move is finished for a moment.
        to_play, still = batch.seats.stage[:, TO_PLAY], self.over
        left = to_play[still].copy()
        to_play[still] = 0
        batch.step(choices)
        to_play[still] = left
        rewards = (before - batch.points).astype(np.float32)
        if self.terms.reward != "bullheads":
            rewards[:] = 0.0
        self._end(rewards)
        rewards[self.lost] = self._penalty
        rewards[ended] = 0.0
        return rewards

    def _settled(self, actions: NDArray[Any], ended: NDArray[np.bool_]) -> NDArray[np.uint8]:
        """Return legal choices, and note whose were not; who loses by that has ended the episode."""
        choices, wrong = self.batch.mend(actions)
        wrong[ended] = False
        if wrong.any():
            if self.terms.illegal == "raise":
                game, seat = np.argwhere(wrong)[0]
                raise IllegalChoice(f"Seat {seat} of game {game} cannot say {actions[game, seat]} now.")
            if self.terms.illegal == "lose":
                games = wrong.any(1)
                self.lost[games, wrong[games].argmax(1)] = True
                self.over[games] = True
        self.corrected[...] = wrong
        return choices

    def _end(self, rewards: NDArray[np.float32]) -> None:
        """End the episodes whose last round is over, with what that is worth; deal the others a round."""
        over = self.batch.over & ~self.over
        if not over.any():
            return
        scores = self.batch.scores
        last = (self._rounds if self._counts_rounds else scores.max(1)) >= self._limit
        ending = over & last
        self.over[ending] = True
        if self.terms.reward != "bullheads":
            rewards[ending] = results(self.terms.reward, scores[ending])
        on = over & ~last
        if on.any():
            self._rounds[on] += 1
            self.batch.next_round(on)

    def observe_into(self, buffer: NDArray[np.uint8], where: NDArray[np.bool_] | None = None) -> None:
        """Write what every seat sees into uint8 [B, n, layout.size]."""
        self.batch.observe_into(buffer, where=where)

    def legal_into(self, mask: NDArray[Any], where: NDArray[np.bool_] | None = None) -> None:
        """Write what every seat may say into bytes [B, n, actions]."""
        self.batch.legal_into(mask, where=where)
        if self.terms.illegal == "lose":
            lost = self.lost.any(1) if where is None else self.lost.any(1) & where
            mask[lost] = 0
            mask[lost, :, 0] = 1


def results(reward: Reward, scores: NDArray[Any]) -> NDArray[np.float32]:
    """Return what ended episodes with these scores ([B, n]) are worth, as `rewards` says for one.

    >>> results("rank", np.array([[3, 9, 3, 30]])).round(3).tolist()
    [[0.6669999957084656, -0.3330000042915344, 0.6669999957084656, -1.0]]
    >>> results("win", np.array([[3, 9, 3]])).tolist()
    [[0.5, 0.0, 0.5]]
    """
    if reward == "win":
        winners = scores == scores.min(1, keepdims=True)
        worth: NDArray[np.float64] = winners / winners.sum(1, keepdims=True)
    else:
        mine, theirs = scores[:, :, None], scores[:, None, :]
        ahead, level = (theirs < mine).sum(2), (theirs == mine).sum(2)
        worth = 1 - (2 * ahead + level - 1) / max(1, scores.shape[1] - 1)
    return worth.astype(np.float32)
