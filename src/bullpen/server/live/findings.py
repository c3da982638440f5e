"""Findings: what analysis says, in the shapes of the protocol. Only a process that analyses imports this."""

from collections.abc import Callable

from bullpen.analysis import AnalysisError, Decision, OptionValue, evaluate
from bullpen.analysis import review as review_of
from bullpen.analysis.opponents import NAMES, OWN, PEOPLE
from bullpen.records import Record
from bullpen.server import protocol
from bullpen.server.live.analysis_process import HintJob, ReviewJob
from bullpen.server.tables.wire import encode

SHOWN = 3
"""So many answers a hint names."""


def hint(job: HintJob, progress: Callable[[float], None], late: Callable[[], bool]) -> str:
    """Return the best answers to the question of a view, as JSON."""
    against = [level if level in NAMES else PEOPLE for level in job.against]
    if job.view.seat is not None:
        against[job.view.seat] = OWN
    found = evaluate(job.view, "standard", against=against, seed=job.ask, progress=progress, cancelled=late)
    best = tuple(worth(option) for option in found.ranked[:SHOWN])
    return encode(protocol.Hint(job.ask, found.unit, found.better, best)).decode()


def worth(option: OptionValue) -> protocol.Worth:
    """Return what an answer is worth, in as many digits as mean something."""
    return protocol.Worth(
        choice=option.choice,
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
    told = protocol.Review(
        version=found.version,
        game=found.game,
        unit=found.unit,
        better=found.better,
        decisions=tuple(_judged(decision) for decision in found.decisions),
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
            )
            for player in found.players
        ),
        shares=tuple(
            protocol.LuckShare(share.round, share.trick, share.seat, share.deal, share.others, share.own)
            for share in found.shares
        ),
        turning_points=tuple(
            protocol.TurningPoint(point.round, point.trick, point.seat, round(point.amount, 4), point.moment)
            for point in found.turning_points
        ),
    )
    return encode(told).decode()


def _judged(decision: Decision) -> protocol.Judged:
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
        options=tuple(worth(option) for option in kept),
    )
