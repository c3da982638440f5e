"""evaluate: what every answer to the open question of a view is worth."""

from collections.abc import Callable, Sequence

from bullpen.analysis.effort import work_of
from bullpen.analysis.errors import AnalysisError
from bullpen.analysis.figures import figures
from bullpen.analysis.measure import measure_of, so_far
from bullpen.analysis.opponents import PEOPLE, expected
from bullpen.analysis.samples import Cancelled, Progress, Samples, no_progress
from bullpen.analysis.shapes import Evaluation
from bullpen.analysis.twin import sample_cards, sample_rows
from bullpen.analysis.worlds import sample_any
from bullpen.bots.registry import never
from bullpen.engine import View
from bullpen.fast.convert import rules_of
from bullpen.fast.games import CODES, plays

Sampler = Callable[[View, tuple[str, ...], int, float, tuple[Progress, Cancelled]], Samples]


def evaluate(
    view: View,
    effort: str = "standard",
    *,
    against: str | Sequence[str] = PEOPLE,
    seed: int = 0,
    progress: Progress = no_progress,
    cancelled: Cancelled = never,
) -> Evaluation:
    """Return what every option of the question that is open for the view's seat is worth.

    Only the view is looked at. The same seed gives the same answer. `progress` is told how much of the work
    is done (0 to 1); as soon as `cancelled()` is true, what has been found out so far is returned.

    >>> import bullpen
    >>> game = bullpen.new_game("base", players=4, seed=7)
    >>> found = evaluate(game.view(0), "quick")
    >>> len(found.options), found.best.cost
    (10, 0.0)
    """
    return weigh(view, effort, work_of(effort), expectation(view, against), seed, (progress, cancelled))


def expectation(view: View, against: str | Sequence[str]) -> tuple[str, ...]:
    """Return how all seats of a view are expected to play."""
    if view.seat is None:
        raise AnalysisError("Only a seat's view can be evaluated, not a spectator's.")
    return expected(against, view.players, view.seat)


def weigh(
    view: View,
    effort: str,
    work: float,
    plays: tuple[str, ...],
    seed: int,
    watch: tuple[Progress, Cancelled],
) -> Evaluation:
    """Evaluate with a given amount of work."""
    ask, seat = view.ask, view.seat
    if ask is None or seat is None:
        raise AnalysisError("Nothing is asked of this seat now, so there is nothing to evaluate.")
    rules = rules_of(view)
    measure = measure_of(rules)
    samples = sampler_for(view)(view, plays, seed, work, watch)
    return Evaluation(
        game=view.game,
        players=view.players,
        seat=seat,
        kind=ask.kind,
        unit=measure.unit,
        better=measure.better,
        so_far=so_far(rules, view.position)[seat],
        options=figures(view, samples, plays, seed),
        against=plays,
        effort=effort,
        seed=seed,
        complete=samples.complete,
    )


def sampler_for(view: View) -> Sampler:
    """Return who plays a question out: the compiled twin where it can."""
    assert view.ask is not None
    compiled = view.game in CODES and plays(view.game, view.behaviour)
    if compiled and view.ask.kind == "commit":
        return sample_cards
    if compiled and view.ask.kind != "draft_pick":
        return sample_rows
    return sample_any
