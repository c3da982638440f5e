"""Findings: what analysis says, in the shapes of the protocol. Only a process that analyses imports this."""

from collections.abc import Callable
from typing import Any, cast

from bullpen.analysis import AnalysisError, Decision, Evaluation, OptionValue, evaluate
from bullpen.analysis import Review as WholeReview
from bullpen.analysis import review as review_of
from bullpen.analysis.opponents import NAMES, OWN, PEOPLE
from bullpen.analysis.shapes import Moment
from bullpen.engine import Ruleset, View, parse, preview, view
from bullpen.fast.convert import rules_of as rules_of_view
from bullpen.records import Record, replay, rules_of
from bullpen.server import protocol
from bullpen.server.live.analysis_process import HintJob, ReviewJob
from bullpen.server.tables.wire import encode
from bullpen.server.tables.wire import option as as_option

SHOWN = 3
"""So many answers a hint names."""


def hint(job: HintJob, progress: Callable[[float], None], late: Callable[[], bool]) -> str:
    """Return the best answers to the question of a view, as JSON."""
    against = [level if level in NAMES else PEOPLE for level in job.against]
    if job.view.seat is not None:
        against[job.view.seat] = OWN
    found = evaluate(job.view, "standard", against=against, seed=job.ask, progress=progress, cancelled=late)
    return encode(hint_of(job.ask, job.view, found)).decode()


def hint_of(ask: int, seen: View, found: Evaluation) -> protocol.Hint:
    """Return the best answers of an evaluation of a view."""
    rules = rules_of_view(seen)
    best = tuple(worth(rules, seen, option) for option in found.ranked[:SHOWN])
    return protocol.Hint(ask, found.unit, found.better, best)


def worth(rules: Ruleset[Any], seen: View, option: OptionValue) -> protocol.Worth:
    """Return what an answer is worth, in as many digits as mean something, and where its cards would go."""
    choice = parse(option.choice)
    return protocol.Worth(
        choice=option.choice,
        answer=cast(Any, as_option(choice)),
        goes=preview(rules, seen, choice),
        mean=round(option.mean, 3),
        cost=round(option.cost, 3),
        take_chance=round(option.take_chance, 4),
        take_cost=round(option.take_cost, 2),
        win_chance=round(option.win_chance, 4),
        reasons=tuple(protocol.Why(reason.kind, dict(reason.numbers)) for reason in option.reasons),
    )


def review(job: ReviewJob, progress: Callable[[float], None], late: Callable[[], bool]) -> str:
    """Return the review of a record, as JSON; names are left out, for the record has them."""
    record = Record.loads(job.record)
    if len(record.choices) > job.most_choices:
        raise AnalysisError(f"This game is too long to be reviewed here: over {job.most_choices} choices.")
    found = review_of(record, "standard", progress=progress, cancelled=late)
    return encode(review_told(record, found)).decode()


def review_told(record: Record, found: WholeReview) -> protocol.Review:
    """Return a review as it is told."""
    return protocol.Review(
        version=found.version,
        game=found.game,
        unit=found.unit,
        better=found.better,
        decisions=_decisions(record, found.decisions),
        players=tuple(
            protocol.Reviewed(
                seat=player.seat,
                result=player.result,
                par=player.par,
                deal=player.deal,
                others=player.others,
                own=player.own,
                accuracy=round(player.accuracy, 1),
                words=player.words,
                luckiest=_turning_point(player.luckiest),
                unluckiest=_turning_point(player.unluckiest),
            )
            for player in found.players
        ),
        shares=tuple(
            protocol.LuckShare(share.round, share.trick, share.seat, share.deal, share.others, share.own)
            for share in found.shares
        ),
        turning_points=tuple(filter(None, map(_turning_point, found.turning_points))),
    )


def _turning_point(found: Moment | None) -> protocol.TurningPoint | None:
    if found is None:
        return None
    return protocol.TurningPoint(found.round, found.trick, found.seat, round(found.amount, 4), found.moment)


def _decisions(record: Record, found: tuple[Decision, ...]) -> tuple[protocol.Judged, ...]:
    """Return all decisions, each seen from where it was made."""
    rules = rules_of(record)
    positions = [moment.position for moment in replay(record)]
    return tuple(_judged(rules, view(rules, positions[one.moment], one.seat), one) for one in found)


def _judged(rules: Ruleset[Any], seen: View, decision: Decision) -> protocol.Judged:
    named = dict.fromkeys((decision.best, decision.choice))
    kept = [option for option in decision.options if option.choice in named]
    return protocol.Judged(
        moment=decision.moment,
        round=decision.round,
        trick=decision.trick,
        seat=decision.seat,
        kind=decision.kind,
        choice=decision.choice,
        best=decision.best,
        cost=round(decision.cost, 3),
        win_cost=round(decision.win_cost, 4),
        word=decision.word,
        expected=round(decision.expected, 3),
        win_chance=round(decision.win_chance, 4),
        options=tuple(worth(rules, seen, option) for option in kept),
    )
