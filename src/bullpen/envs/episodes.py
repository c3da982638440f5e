"""Many episodes side by side, on the compiled twin: what `episode` does with one, for a batch of them."""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bullpen.engine import IllegalChoice, Ruleset
from bullpen.envs.layout import Layout, layout_of
from bullpen.envs.rewards import penalty
from bullpen.envs.terms import BadTerms, Reward, Terms, rules_for
from bullpen.fast import Batch, NotCovered

Seeds: TypeAlias = int | Sequence[int | None] | None
"""One seed, of which each episode gets its own (seed, seed + 1, …), or one for each."""
MOST_SEED = 2**64 - 1


class Episodes:
    """B episodes of a game of the compiled twin, on the terms that one episode would have.

    Logic begins after the draft, with random hands. Seeds are the batch's: an episode gets other deals here
    than from the engine. Errors call the episodes by numbers from `first` on; with `piles` the cards
    in the bull piles are kept, for drawing.

    >>> episodes = Episodes(Terms(game="base", players=2), size=3)
    >>> episodes.reset(7)
    >>> episodes.step(episodes.batch.random_choices()).tolist()
    [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
    """

    def __init__(self, terms: Terms, size: int, first: int = 0, *, piles: bool = False) -> None:
        rules = rules_for(terms)
        self.terms: Final = terms
        self.size: Final = size
        self.first: Final = first
        self.players: Final = rules.players
        self.layout: Final[Layout] = layout_of(rules)
        own = {option.key: rules.options[option.key] for option in rules.offers}
        try:
            self.batch: Final = Batch(rules.id, rules.players, size, options=own, piles=piles)
            assert self.batch.observation_size == self.layout.size
        except NotCovered as error:
            raise BadTerms(str(error)) from None
        kind = rules.options.get("end.kind")
        agreed = kind in ("target", "rounds")
        self._counts_rounds = kind != "target"
        self._limit = int(rules.options["end.value"]) if agreed else self._rounds(rules)
        self._penalty = penalty(rules, terms.reward)
        self.over: Final = np.zeros(size, np.bool_)
        """[B]: whether an episode has ended."""
        self.lost: Final = np.zeros((size, self.players), np.bool_)
        """[B, n]: who has lost an episode by an illegal action."""
        self.corrected: Final = np.zeros((size, self.players), np.bool_)
        """[B, n]: whose latest action was illegal, so that another one was taken."""
        self.rounds: Final = np.ones(size, np.int64)
        """[B]: the number of the round that is being played."""
        self.answered: Final = np.zeros((size, self.players), np.uint8)
        """[B, n]: the one answer that a seat has, which is given for it; 0 where the seat is asked itself."""
        self._before = np.zeros_like(self.batch.points)
        self._plain = terms.illegal == "first" and terms.forced == "ask"
        self._luck = np.random.default_rng()
        self._sown = np.zeros(size, np.bool_)

    def _rounds(self, rules: Ruleset[Any]) -> int:
        """Return how many rounds an episode has where that is not agreed on: every sheet goes round."""
        return rules.players if rules.id == "tournament" and self.terms.episode == "game" else 1

    def reset(self, seed: Seeds = None, where: NDArray[np.bool_] | None = None) -> None:
        """Start all episodes anew, or those of a mask; without a seed on the deals that follow."""
        mask = np.ones(self.size, np.bool_) if where is None else where
        seeds = seeds_of(seed, self.size)
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

    def _begin(self, mask: NDArray[np.bool_]) -> None:
        np.copyto(self.over, False, where=mask)
        np.copyto(self.rounds, 1, where=mask)
        for marks in (self.corrected,) if self._plain else (self.lost, self.corrected, self.answered):
            if marks.any():
                marks[mask] = 0

    def restart(self, where: NDArray[np.bool_]) -> None:
        """Start the episodes of a mask anew on the deals that follow."""
        if where.any():
            self.batch.reset(None, where)
            self._begin(where)

    def check(self, actions: NDArray[Any]) -> None:
        """Raise a sentence if an action is illegal and illegal ones are to be raised; nothing is changed."""
        if self.terms.illegal == "raise":
            wrong = self._mended(actions)[1]
            if wrong.any():
                game, seat = np.argwhere(wrong)[0]
                said = actions[game, seat]
                raise IllegalChoice(f"Seat {seat} of game {self.first + game} cannot say {said} now.")

    def step(self, actions: NDArray[Any]) -> NDArray[np.float32]:
        """Let every seat say a number and return the rewards [B, n]; ended episodes stay as they are.

        An illegal action with `illegal="raise"` raises a sentence and changes nothing in any episode.
        """
        if self._plain and self._step_as_said(actions):
            return self._rewards()
        self.check(actions)
        ended = self.over.copy()
        rewards = self._play(self._settled(actions), self.over)
        if self.terms.forced == "skip":
            self._skip(rewards)
        if self.terms.illegal == "lose":
            rewards[self.lost] = self._penalty
        rewards[ended] = 0.0
        return rewards

    def _step_as_said(self, actions: NDArray[Any]) -> bool:
        """Do what was said, if all of it is legal; return whether it was."""
        # Ended rounds are left alone by the batch, and only they are ended episodes on such terms.
        np.copyto(self._before, self.batch.points)
        fine = self.batch.step_as_said(actions)
        if fine:
            self.corrected[...] = False
        return fine

    def _rewards(self) -> NDArray[np.float32]:
        """Return what the latest step is worth, and end the episodes that it has ended."""
        rewards = np.zeros((self.size, self.players), np.float32)
        if self.terms.reward == "bullheads":
            # Seat by seat, as the points lie in memory.
            for seat in range(self.players):
                np.subtract(self._before[:, seat], self.batch.points[:, seat], out=rewards[:, seat])
        self._end(rewards)
        return rewards

    def _mended(self, actions: NDArray[Any]) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """Return legal choices, and whose were not; where a seat is answered for, it may only wait."""
        choices, wrong = self.batch.mend(actions)
        if self.terms.forced == "skip":
            given = self.answered != 0
            wrong = np.where(given, np.asarray(actions) != 0, wrong)
            choices = np.where(given, self.answered, choices)
        if wrong.any():
            wrong[self.over] = False
        return choices, wrong

    def _settled(self, actions: NDArray[Any]) -> NDArray[np.uint8]:
        """Return legal choices, and note whose were not; who loses by that has ended the episode."""
        choices, wrong = self._mended(actions)
        if self.terms.illegal == "lose" and wrong.any():
            games = wrong.any(1)
            self.lost[games, wrong[games].argmax(1)] = True
            self.over[games] = True
        self.corrected[...] = wrong
        return choices

    def _play(self, choices: NDArray[np.uint8], still: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Make the choices in all episodes but some, and return what they are worth."""
        batch = self.batch
        np.copyto(self._before, batch.points)
        # A batch leaves finished rounds alone, so an episode that must not move is finished for a moment.
        left = batch.running[still].copy()
        batch.running[still] = 0
        batch.step(choices)
        batch.running[still] = left
        return self._rewards()

    def _skip(self, rewards: NDArray[np.float32]) -> None:
        """Answer for seats that have one answer; where nobody else is asked the game goes on at once."""
        while True:
            self.answered[...] = self.batch.only_choices()
            self.answered[self.over] = 0
            asked = self.batch.seats_asked()
            waits = self.over | (asked & (self.answered == 0)).any(1)
            if waits.all():
                return
            rewards += self._play(self.answered, waits)

    def _end(self, rewards: NDArray[np.float32]) -> None:
        """End the episodes whose last round is over, with what that is worth; deal the others a round."""
        over = self.batch.over & ~self.over
        if not over.any():
            return
        scores = self.batch.scores
        last: NDArray[np.bool_] = (self.rounds if self._counts_rounds else scores.max(1)) >= self._limit
        ending = over & last
        self.over[...] |= ending
        if self.terms.reward != "bullheads":
            rewards[ending] = results(self.terms.reward, scores[ending])
        on = over & ~last
        if on.any():
            self.rounds[on] += 1
            self.batch.next_round(on)

    def random_actions(self) -> NDArray[np.uint8]:
        """Return actions drawn uniformly from the legal ones."""
        actions = self.batch.random_choices()
        if self.terms.forced == "skip":
            actions[self.answered != 0] = 0
        return actions

    def observe_into(self, buffer: NDArray[np.uint8], where: NDArray[np.bool_] | None = None) -> None:
        """Write what every seat sees into uint8 [B, n, layout.size]."""
        self.batch.observe_into(buffer, where=where)

    def legal_into(self, mask: NDArray[Any], where: NDArray[np.bool_] | None = None) -> None:
        """Write what every seat may say into bytes [B, n, actions]."""
        self.batch.legal_into(mask, where=where)
        if self.terms.illegal == "lose":
            _let_wait(mask, np.repeat(self.lost.any(1, keepdims=True), self.players, 1), where)
        if self.terms.forced == "skip":
            _let_wait(mask, self.answered != 0, where)


def _let_wait(mask: NDArray[Any], seats: NDArray[np.bool_], where: NDArray[np.bool_] | None) -> None:
    """Let some seats do nothing but wait, in the episodes of a mask."""
    there = seats if where is None else seats & where[:, None]
    mask[there] = 0
    mask[there, 0] = 1


def seeds_of(seed: Seeds, size: int) -> Sequence[int | None]:
    """Return a seed for each of so many episodes.

    >>> seeds_of(7, 3)
    [7, 8, 9]
    """
    if seed is None or isinstance(seed, (int, np.integer)):
        seeds: Sequence[int | None] = [None if seed is None else int(seed) + b for b in range(size)]
    else:
        seeds = seed
    if len(seeds) != size:
        raise BadTerms(f"There are {len(seeds)} seeds for {size} episodes.")
    if any(given is not None and not 0 <= given <= MOST_SEED for given in seeds):
        raise BadTerms(f"A seed is a number from 0 to {MOST_SEED}.")
    return seeds


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
