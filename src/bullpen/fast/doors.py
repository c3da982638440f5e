"""The doors of the twin: what is asked of it goes to the part that plays the game."""

from collections.abc import Mapping, Sequence
from typing import Any

from bullpen.engine import Choice, OptionValue, Position, Ruleset, View
from bullpen.fast import convert, games
from bullpen.fast.batch import Batch
from bullpen.fast.convert import Start, rules_of
from bullpen.fast.errors import FastError
from bullpen.fast.playouts import Outcomes, Player
from bullpen.fast.policies import Policy
from bullpen.fast.simulate import Statistics, play_jobs, whole_tricks
from bullpen.fast.twins.batch import TwinBatch
from bullpen.fast.twins.games import TWINS
from bullpen.fast.twins.rounds import whole_rounds
from bullpen.fast.twins.starts import TwinStart, for_seat, load_twin, twin_position, twin_start
from bullpen.rulesets import find, make


def plan_for(game: str, players: int, options: Mapping[str, OptionValue] | None = None) -> Any:
    """Return the plan of a covered game; anything else raises a sentence that names what is covered.

    >>> plan_for("open", 4)
    OpenPlan(players=4, first=0, across=1)
    """
    if find(game).id in TWINS:
        return TWINS[find(game).id].plan_of(make(game, players, options))
    return games.plan_for(game, players, options)


def from_view(view: View) -> Start | TwinStart:
    """Return what a seat knows, as arrays.

    >>> import bullpen
    >>> game = bullpen.new_game("base", players=4, seed=7)
    >>> start = from_view(game.view(0))
    >>> len(start.pool)
    90
    """
    if view.game not in TWINS:
        return convert.from_view(view)
    if view.seat is None:
        raise FastError("Playouts need the view of a seat, not a spectator's.")
    piles = [list(pile) for pile in view.piles]
    return twin_start(rules_of(view), view.position, piles, view.seat, knows_all=False)


def from_position(rules: Ruleset[Any], position: Position, seat: int = -1) -> Start | TwinStart:
    """Return a whole position, as arrays; a seat may be named whose choices playouts shall compare."""
    if rules.id not in TWINS:
        return convert.from_position(rules, position, seat)
    return for_seat(twin_start(rules, position, position.piles, -1, knows_all=True), seat)


def load(batch: Batch, b: int, start: Start | TwinStart) -> None:
    """Set one game of a batch to a position, or to a view with nothing unknown."""
    if isinstance(batch, TwinBatch) and isinstance(start, TwinStart):
        load_twin(batch, b, start)
    elif isinstance(batch, TwinBatch) or isinstance(start, TwinStart):
        raise FastError("The position is of another game, player count or option than the batch.")
    else:
        convert.load(batch, b, start)


def to_position(batch: Batch, b: int, rules: Ruleset[Any], like: Position) -> Position:
    """Return one game of a batch as a position of the engine, with the questions that are open there.

    What the twin does not keep (round, score sheet, the history of a draft) comes from `like`, an earlier
    position of the same round. A batch of one card a trick must keep the piles.
    """
    if isinstance(batch, TwinBatch):
        position: Position = twin_position(batch, b, rules, like)
        return position
    return convert.to_position(batch, b, rules, like)


def number_of(choice: Choice, position: Position | None = None, game: str = "base") -> int:
    """Return a choice of the engine as the number that the twin uses in a game.

    Some numbers depend on what lies on the table, and therefore on the position.
    """
    if game in TWINS:
        return TWINS[game].number(choice, position)
    return convert.number_of(choice)


def playouts(
    origin: View | Start | TwinStart,
    policies: Policy | Sequence[Policy] = "random",
    count: int = 1000,
    *,
    seed: int = 0,
    choices: Sequence[Choice | int] | None = None,
) -> Outcomes:
    """Play the round to its end many times for every choice that the seat has now.

    From a view, the cards that the seat cannot see are dealt anew for every playout, in the same way
    for each candidate (common random numbers). A position, as `from_position` gives it, has no such
    cards: then `choices` may be left out, and all seats play by policy. Rows are chosen as `policies`
    says: the cheapest, the topmost of equals.

    >>> import bullpen
    >>> game = bullpen.new_game("base", players=4, seed=7)
    >>> outcomes = playouts(game.view(0), count=2000)
    >>> best = outcomes.choices[outcomes.mean[:, 0].argmin()]
    >>> events = game.choose(0, best)
    """
    if count < 1:
        raise FastError("playouts need a count of one or more.")
    start = from_view(origin) if isinstance(origin, View) else origin
    if choices is None:
        ask = origin.ask if isinstance(origin, View) else None
        choices = ask.options if ask is not None else (0,)
    position, game = (origin.position, origin.game) if isinstance(origin, View) else (None, "base")
    numbers = [choice if isinstance(choice, int) else number_of(choice, position, game) for choice in choices]
    return Player(start, numbers, policies).run(count, seed)


def simulate(  # noqa: PLR0913  everything but the first four is seldom wanted
    game: str,
    players: int,
    policies: Policy | Sequence[Policy] = "random",
    rounds: int = 1_000_000,
    *,
    seed: int = 0,
    options: Mapping[str, OptionValue] | None = None,
    threads: int = 1,
    plain: bool = False,
) -> Statistics:
    """Play many rounds and return what they cost each seat; the same seed gives the same figures.

    Random seats under base placement are played in lockstep, 64 games at a time; `plain` uses the
    loop that plays one game after the other, with the same result. The number of threads changes
    nothing but the time.

    >>> round(float(simulate("base", 4, "random", 100_000, seed=1).mean.mean()), 1)
    12.1
    """
    plan, twin = plan_for(game, players, options), TWINS.get(find(game).id)
    play = whole_tricks(plan, policies, plain) if twin is None else whole_rounds(twin, plan, policies)
    return play_jobs(play, rounds, seed, threads)
