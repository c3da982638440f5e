"""review: a finished game, decision by decision."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from bullpen.analysis.effort import REVIEW_SHARE, work_of
from bullpen.analysis.errors import AnalysisError
from bullpen.analysis.evaluating import expectation, weigh
from bullpen.analysis.luck import Stage, shares_of
from bullpen.analysis.measure import Measure, measure_of, of_round, result_of
from bullpen.analysis.opponents import PEOPLE
from bullpen.analysis.rounds import par, scale
from bullpen.analysis.samples import Cancelled, Progress, no_progress
from bullpen.analysis.shapes import Decision, Evaluation, Moment, OptionValue, PlayerReview, Review, Share
from bullpen.analysis.words import accuracy_of, word_for
from bullpen.bots.registry import never
from bullpen.engine import Ask, Choice, Position, Ruleset, Seat, view
from bullpen.records import Record, replay, rules_of

TURNING_POINTS = 5
"""How many tricks that changed the chances most are named."""
BY_LUCK = 0.9
"""How many standard errors the best of several options is likely to look better than it is."""
KEPT = 3
"""How many of the best options are kept of each decision, beside the chosen one."""


def review(
    record: Record,
    effort: str = "standard",
    *,
    against: str | Sequence[str] = PEOPLE,
    seed: int = 0,
    progress: Progress = no_progress,
    cancelled: Cancelled = never,
) -> Review:
    """Return what every decision of a finished game cost, and what of each result was luck.

    Each decision is judged from what its seat could see then, with a fifth of the work that `evaluate` does
    at the same effort. A game that is still running is refused.
    """
    judge = _Judge(rules_of(record), effort, against, seed)
    if record.result is None or record.running:
        raise AnalysisError("A game can be reviewed when it is over; this one is still running.")
    taken = list(_choices_of(record))
    judged = []
    for done, made in enumerate(taken, start=1):
        if cancelled():
            raise AnalysisError("The review was cancelled.")
        judged.append(judge.judge(made))
        progress(done / len(taken))
    return _put_together(record, judge, judged, taken[-1].after)


class Made(NamedTuple):
    """A choice as it was made: where, by whom, and what came of it."""

    moment: int
    before: Position
    ask: Ask
    seat: Seat
    choice: Choice
    after: Position


def _choices_of(record: Record) -> Iterator[Made]:
    """Yield every choice of a record."""
    before: Position | None = None
    for number, moment in enumerate(replay(record)):
        if before is not None and moment.seat is not None and moment.choice is not None:
            ask = next(ask for ask in before.asks if moment.seat in ask.seats)
            yield Made(number - 1, before, ask, moment.seat, moment.choice, moment.position)
        before = moment.position


def charged(chosen: OptionValue) -> float:
    """Return what of an option's cost is charged to whoever chose it.

    The best of many nearly equal options looks better than it is, by luck of the playouts. So a cost that
    chance alone could bring is nothing, and a larger one is charged with what goes beyond.

    >>> from msgspec.structs import replace
    >>> from bullpen.analysis import OptionValue
    >>> costs = OptionValue("44", 0, 0, 0, 0, 0, 0, 0, 0, cost=1.0, playouts=900, cost_error=0.2)
    >>> charged(costs) > 0.9, charged(replace(costs, cost_error=1.2))
    (True, 0.0)
    """
    if chosen.cost <= 0:
        return 0.0
    return max(0.0, chosen.cost - (BY_LUCK * chosen.cost_error) ** 2 / chosen.cost)


class _Judge:
    """Weighs one decision after the other."""

    def __init__(self, rules: Ruleset[Any], effort: str, against: str | Sequence[str], seed: int) -> None:
        self.rules, self.effort, self.against, self.seed = rules, effort, against, seed
        self.work = REVIEW_SHARE * work_of(effort)
        self.measure: Measure = measure_of(rules)
        self.scale = scale(rules.id, rules.players)

    def judge(self, made: Made) -> tuple[Decision, Stage | None]:
        """Return a decision with its figures; one without alternatives costs nothing, no work either."""
        where = made.before
        if len(made.ask.options) == 1:
            notation = made.choice.notation
            forced = Decision(
                made.moment, where.round, where.trick, made.seat, made.ask.kind, notation, notation,
                0.0, 0.0, "forced", 0.0, 0.0,
            )  # fmt: skip
            return forced, None
        seen = view(self.rules, where, made.seat)
        plays = expectation(seen, self.against)
        found = weigh(seen, self.effort, self.work, plays, self.seed, (no_progress, never))
        return self._told(made, found), self._stage(made, found)

    def _told(self, made: Made, found: Evaluation) -> Decision:
        chosen, best = found.of(made.choice.notation), found.best
        cost = charged(chosen)
        win_cost = max(0.0, best.win_chance - chosen.win_chance)
        kept = [*found.ranked[:KEPT], *([] if chosen in found.ranked[:KEPT] else [chosen])]
        return Decision(
            moment=made.moment,
            round=made.before.round,
            trick=made.before.trick,
            seat=made.seat,
            kind=made.ask.kind,
            choice=chosen.choice,
            best=best.choice,
            cost=cost,
            win_cost=win_cost * cost / chosen.cost if cost else 0.0,
            word=word_for(cost, self.scale),
            expected=found.so_far + chosen.mean - self.measure.sign * cost,
            win_chance=best.win_chance,
            options=tuple(kept),
        )

    def _stage(self, made: Made, found: Evaluation) -> Stage:
        """Note both promises of the round in whole thousandths; from there on nothing is rounded."""
        chosen = found.of(made.choice.notation)
        kept, given = round(1000 * (found.so_far + chosen.mean)), round(1000 * charged(chosen))
        return Stage(made.before.round, made.before.trick, made.seat, kept - self.measure.sign * given, kept)


Judged = Sequence[tuple[Decision, Stage | None]]


def _put_together(record: Record, judge: _Judge, judged: Judged, last: Position) -> Review:
    """Add everything up, seat by seat."""
    rules, decisions = judge.rules, tuple(decision for decision, _ in judged)
    stages = [stage for _, stage in judged if stage is not None]
    rounds = max(1, last.round)
    usual = par(rules.id, rules.players)
    shares: list[Share] = []
    players = []
    for seat in range(rules.players):
        results = [of_round(rules, last, number)[seat] for number in range(1, rounds + 1)]
        own = shares_of(stages, seat, results, usual)
        shares += own
        known = record.names[seat] if record.names else f"Seat {seat}"
        # A name may come from a file that somebody else wrote.
        name = "".join(letter if letter.isprintable() else "?" for letter in known)
        result = result_of(rules, last, seat)
        players.append(_player(judge, decisions, own, (seat, name, result, usual * rounds)))
    return Review(
        game=rules.id,
        unit=judge.measure.unit,
        better=judge.measure.better,
        effort=judge.effort,
        against=(judge.against,) if isinstance(judge.against, str) else tuple(judge.against),
        seed=judge.seed,
        decisions=decisions,
        players=tuple(players),
        shares=tuple(sorted(shares, key=lambda share: (share.round, share.trick, share.seat))),
        turning_points=_turning_points(decisions, last),
    )


def _player(
    judge: _Judge, decisions: Sequence[Decision], own: Sequence[Share], who: tuple[Seat, str, int, int]
) -> PlayerReview:
    seat, name, result, usual = who
    mine = [decision for decision in decisions if decision.seat == seat]
    real = [decision for decision in mine if decision.word != "forced"]
    accuracy = [accuracy_of(decision.cost, judge.scale) for decision in real]
    lucky = sorted(own, key=lambda share: judge.measure.sign * share.others)
    return PlayerReview(
        seat=seat,
        name=name,
        result=result,
        par=usual,
        deal=sum(share.deal for share in own),
        others=sum(share.others for share in own),
        own=sum(share.own for share in own),
        accuracy=sum(accuracy) / len(accuracy) if accuracy else 100.0,
        words=dict(Counter(decision.word for decision in mine)),
        luckiest=_moment(lucky[0], mine) if lucky else None,
        unluckiest=_moment(lucky[-1], mine) if lucky else None,
    )


def _moment(share: Share, mine: Sequence[Decision]) -> Moment:
    first = next(
        (
            decision.moment
            for decision in mine
            if (decision.round, decision.trick) == (share.round, share.trick)
        ),
        0,
    )
    return Moment(share.round, share.trick, share.seat, share.others / 1000, first)


def _turning_points(decisions: Sequence[Decision], last: Position) -> tuple[Moment, ...]:
    """Return the tricks after which a seat's chance of winning had changed most, in their order."""
    assert last.result is not None
    found: dict[tuple[int, int], Moment] = {}
    for seat in range(last.players):
        mine = [each for each in decisions if each.seat == seat and each.word != "forced"]
        winners = last.result.winners
        end = 1 / len(winners) if seat in winners else 0.0
        if last.result.won:
            end = 1.0
        after = [*(each.win_chance for each in mine[1:]), end]
        for each, then in zip(mine, after, strict=True):
            moment = Moment(each.round, each.trick, seat, then - each.win_chance, each.moment)
            known = found.get((each.round, each.trick))
            if known is None or abs(known.amount) < abs(moment.amount):
                found[each.round, each.trick] = moment
    largest = sorted(found.values(), key=lambda moment: -abs(moment.amount))[:TURNING_POINTS]
    return tuple(sorted(largest, key=lambda moment: (moment.round, moment.trick)))
