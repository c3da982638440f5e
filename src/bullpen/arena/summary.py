"""Summaries: what the games of a match say about its bots, deal by deal so that intervals are honest.

The games of one deal are no independent observations, so a deal is: every figure is first taken over
the games of a deal and then over the deals.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import combinations
from statistics import fmean, stdev
from typing import TypeAlias

from msgspec import Struct

from bullpen.arena.outcome import Outcome
from bullpen.arena.statistics import FEWEST, Estimate, deals_needed, estimate
from bullpen.engine import OptionValue

DealKey: TypeAlias = tuple[str, int]
BotsByDeal: TypeAlias = dict[str, dict[DealKey, float]]


class Setting(Struct, frozen=True, order=True):
    """What is summarised together: a game, a number of players, options, and who sat there."""

    game: str
    players: int
    options: tuple[tuple[str, OptionValue], ...]
    line_up: tuple[str, ...]
    """The bots at the table, as often as they sit there; all of them once if each plays with its own."""


class Standing(Struct, frozen=True):
    """How a bot did."""

    bot: str
    games: int
    score: Estimate
    wins: Estimate
    """The share of games won, a shared win counting for a part."""
    ranks: tuple[Estimate, ...]
    """The share of games in which it came first, second …, seat by seat."""
    milliseconds: float
    """What a decision took on average."""
    faults: int
    first_fault: str = ""
    """What it did wrong the first time."""

    @property
    def mean_rank(self) -> float:
        """The mean of its ranks, 1 being the best."""
        return sum(place * share.mean for place, share in enumerate(self.ranks, 1))


class Comparison(Struct, frozen=True):
    """Two bots on the same deals: positive figures speak for the first."""

    better: str
    worse: str
    points: Estimate
    """By how much the score of the first is the better one."""
    wins: Estimate
    spread: float
    """How much the deals differ in that: their standard deviation."""

    @property
    def enough(self) -> bool:
        """Whether there are enough deals for a verdict."""
        return self.points.count >= FEWEST

    @property
    def clear(self) -> bool:
        """Whether the first is ahead in points: the one verdict, wrong for 5 % of pairs of equal bots.

        Wins do not decide: with two chances to be clear, equal bots would be so in 7 to 16 % of matches.
        """
        return self.enough and self.points.clear

    @property
    def needed(self) -> int | None:
        """How many deals would show such a difference in points with a chance of 80 %."""
        return deals_needed(self.spread, self.points.mean) if self.points.mean and self.spread else None


class Summary(Struct, frozen=True):
    """Everything about one setting."""

    setting: Setting
    deals: int
    together: bool
    """Whether the table won or lost as one."""
    standings: tuple[Standing, ...]
    comparisons: tuple[Comparison, ...]


def summarise(outcomes: Iterable[Outcome]) -> list[Summary]:
    """Return a summary of every setting, in order."""
    groups: dict[Setting, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[_setting(outcome)].append(outcome)
    return [_summary(setting, groups[setting]) for setting in sorted(groups, key=repr)]


def _setting(outcome: Outcome) -> Setting:
    together = outcome.won is not None
    line_up = () if together else tuple(sorted(outcome.seating))
    return Setting(outcome.game, outcome.players, tuple(sorted(outcome.options.items())), line_up)


def _summary(setting: Setting, outcomes: list[Outcome]) -> Summary:
    together = outcomes[0].won is not None
    bots = list(dict.fromkeys(bot for outcome in outcomes for bot in outcome.seating))
    points = _by_deal(outcomes, _advantages(outcomes))
    wins = _by_deal(outcomes, [win_shares(outcome) for outcome in outcomes])
    standings = [_standing(bot, outcomes, wins[bot]) for bot in bots]
    standings.sort(key=lambda standing: -fmean(points[standing.bot].values()))
    order = [standing.bot for standing in standings]
    compared = [_compare(one, other, points, wins) for one, other in combinations(order, 2)]
    deals = len({(outcome.seed, outcome.deal) for outcome in outcomes})
    if together:
        setting = Setting(setting.game, setting.players, setting.options, tuple(order))
    return Summary(setting, deals, together, tuple(standings), tuple(compared))


def win_shares(outcome: Outcome) -> list[float]:
    """Return each seat's share of the win: ties share it, and a team has it or not."""
    if outcome.won is not None:
        return [float(outcome.won)] * outcome.players
    first = outcome.ranks.count(1)
    return [(rank == 1) / first for rank in outcome.ranks]


def lowest_wins(outcomes: Iterable[Outcome]) -> bool:
    """Whether a low score is the better one, seen from the ranks."""
    for outcome in outcomes:
        best, worst = outcome.ranks.index(min(outcome.ranks)), outcome.ranks.index(max(outcome.ranks))
        if outcome.scores[best] != outcome.scores[worst]:
            return outcome.scores[best] < outcome.scores[worst]
    return True


def _advantages(outcomes: list[Outcome]) -> list[list[float]]:
    """Return every seat's score as something of which more is better."""
    sign = -1.0 if lowest_wins(outcomes) else 1.0
    return [
        [float((outcome.against or 0) - score) for score in outcome.scores]
        if outcome.won is not None
        else [sign * score for score in outcome.scores]
        for outcome in outcomes
    ]


def _by_deal(outcomes: list[Outcome], values: list[list[float]]) -> BotsByDeal:
    """Return the mean of each bot's values in each deal."""
    found: dict[str, dict[DealKey, list[float]]] = defaultdict(lambda: defaultdict(list))
    for outcome, by_seat in zip(outcomes, values, strict=True):
        for bot, value in zip(outcome.seating, by_seat, strict=True):
            found[bot][outcome.seed, outcome.deal].append(value)
    return {bot: {deal: fmean(each) for deal, each in deals.items()} for bot, deals in found.items()}


def _standing(bot: str, outcomes: list[Outcome], wins: Mapping[DealKey, float]) -> Standing:
    own = [outcome for outcome in outcomes if bot in outcome.seating]
    scores = _by_deal(own, [[float(score) for score in outcome.scores] for outcome in own])[bot]
    ranks = [
        _by_deal(own, [[float(rank == place) for rank in outcome.ranks] for outcome in own])[bot]
        for place in range(1, own[0].players + 1)
    ]
    seats = [(outcome, seat) for outcome in own for seat, name in enumerate(outcome.seating) if name == bot]
    decisions = sum(outcome.decisions[seat] for outcome, seat in seats if outcome.decisions)
    thought = sum(outcome.thought[seat] for outcome, seat in seats if outcome.thought)
    faults = [outcome.faults[str(seat)] for outcome, seat in seats if str(seat) in outcome.faults]
    return Standing(
        bot=bot,
        games=len(own),
        score=estimate(list(scores.values())),
        wins=estimate(list(wins.values())),
        ranks=tuple(estimate(list(shares.values())) for shares in ranks),
        milliseconds=1000 * thought / decisions if decisions else 0.0,
        faults=sum(each.total for each in faults),
        first_fault=next((each.first for each in faults if each.first), ""),
    )


def differences(setting: Setting, one: str, other: str, outcomes: Iterable[Outcome]) -> list[float]:
    """Return by how many points one bot is ahead of another, deal by deal."""
    played = [outcome for outcome in outcomes if _same_table(outcome, setting)]
    points = _by_deal(played, _advantages(played))
    both = sorted(points[one].keys() & points[other].keys())
    return [points[one][deal] - points[other][deal] for deal in both]


def lead(one: str, other: str, deal: list[Outcome]) -> float:
    """Return by how many points one bot is ahead of another over the games of one deal."""
    points = _by_deal(deal, _advantages(deal))
    return fmean(points[one].values()) - fmean(points[other].values())


def _same_table(outcome: Outcome, setting: Setting) -> bool:
    found = _setting(outcome)
    alike = (found.game, found.players, found.options) == (setting.game, setting.players, setting.options)
    return alike and found.line_up in (setting.line_up, ())


def _compare(one: str, other: str, points: BotsByDeal, wins: BotsByDeal) -> Comparison:
    """Take the difference in every deal that both have played."""
    both = sorted(points[one].keys() & points[other].keys())
    ahead = [points[one][deal] - points[other][deal] for deal in both]
    more = [wins[one][deal] - wins[other][deal] for deal in both]
    spread = stdev(ahead) if len(ahead) > 1 else 0.0
    return Comparison(one, other, estimate(ahead), estimate(more), spread)
