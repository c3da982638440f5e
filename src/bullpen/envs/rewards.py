"""Rewards: what an answer was worth, by seat.

| `reward` | after every step | at the end of the episode |
|---|---|---|
| `bullheads` | minus the bullheads that it has cost (on boards: the points it has brought) | nothing more |
| `rank` | 0 | from 1 for the first to -1 for the last, ties sharing what they hold; a team gets 1 or -1 |
| `win` | 0 | 1 shared by the winners; 1 for each member of a team that has won |

Whoever loses an episode by an illegal action gets -1, or minus all bullheads there are; the others get 0.
"""

from typing import Any

from bullpen.engine import NUMBERS, Result, Ruleset, View
from bullpen.envs.terms import Reward


def standing(rules: Ruleset[Any], seen: View) -> list[int]:
    """Return what each seat has got so far, more being better."""
    position = seen.position
    # Points are written down, and so part of the score, when the round ends.
    running = len(position.score_sheet) < position.round
    totals = [
        score + points if running else score
        for score, points in zip(position.scores, position.points or position.scores, strict=True)
    ]
    return totals if rules.furniture.scoring.better == "more" else [-total for total in totals]


def step_rewards(reward: Reward, before: list[int], after: list[int], result: Result | None) -> list[float]:
    """Return the rewards of a step between two standings, with the result if the episode ended with it."""
    if reward == "bullheads":
        return [float(new - old) for old, new in zip(before, after, strict=True)]
    if result is None:
        return [0.0] * len(after)
    return by_rank(result) if reward == "rank" else win_shares(result)


def by_rank(result: Result) -> list[float]:
    """Return 1 for the first, -1 for the last, and the others evenly between them.

    >>> by_rank(Result((3, 9, 3, 30), (1, 3, 1, 4), ""))
    [0.6666666666666667, -0.33333333333333326, 0.6666666666666667, -1.0]
    """
    if result.won is not None:
        return [1.0 if result.won else -1.0] * len(result.ranks)
    last = max(1, len(result.ranks) - 1)
    # A shared rank is worth the mean of the places that it takes up.
    places = [rank - 1 + (result.ranks.count(rank) - 1) / 2 for rank in result.ranks]
    return [1 - 2 * place / last for place in places]


def win_shares(result: Result) -> list[float]:
    """Return the win, shared by those who have won it.

    >>> win_shares(Result((3, 9, 3), (1, 3, 1), "")), win_shares(Result((9, 9), (1, 1), "", won=True))
    ([0.5, 0.0, 0.5], [1.0, 1.0])
    """
    winners = result.winners
    share = 1.0 if result.won else 1 / max(1, len(winners))
    return [share if seat in winners else 0.0 for seat in range(len(result.ranks))]


def penalty(rules: Ruleset[Any], reward: Reward) -> float:
    """Return what an illegal action costs where it loses the episode."""
    return (
        -1.0 if reward != "bullheads" else -float(sum(rules.heads[card] for card in rules.universe(NUMBERS)))
    )
