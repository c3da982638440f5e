"""Ratings: openskill's Plackett–Luce over all games of a file, ties counting as ties."""

import importlib
from collections.abc import Iterable
from statistics import fmean
from typing import Any

from msgspec import Struct

from bullpen.arena.errors import ArenaError
from bullpen.arena.outcome import Outcome


class Rating(Struct, frozen=True):
    """What is believed of a bot's strength: a mean and how sure it is."""

    bot: str
    mean: float
    deviation: float

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval."""
        return self.mean - 1.96 * self.deviation

    @property
    def high(self) -> float:
        """The upper end of the 95 % interval."""
        return self.mean + 1.96 * self.deviation


def rate(outcomes: Iterable[Outcome]) -> list[Rating]:
    """Return the ratings of all bots of one game, strongest first.

    A bot that sits on several chairs learns the mean of what its chairs would learn. In a game that is
    won together the table is a player too, named after the game.
    """
    model = _model()
    ratings: dict[str, Any] = {}
    for outcome in outcomes:
        names, ranks = _field(outcome)
        before = [ratings.setdefault(name, model.rating(name=name)) for name in names]
        teams = [[model.rating(mu=each.mu, sigma=each.sigma, name=each.name)] for each in before]
        after = [team[0] for team in model.rate(teams, ranks=ranks)]
        for name in dict.fromkeys(names):
            own = [each for each in after if each.name == name]
            ratings[name] = model.rating(
                mu=fmean(each.mu for each in own), sigma=fmean(each.sigma for each in own), name=name
            )
    found = [Rating(name, each.mu, each.sigma) for name, each in ratings.items()]
    return sorted(found, key=lambda rating: -rating.mean)


def _field(outcome: Outcome) -> tuple[list[str], list[float]]:
    """Return who is rated by a game, with ranks."""
    if outcome.won is None:
        return list(outcome.seating), [float(rank) for rank in outcome.ranks]
    drawn = outcome.against == outcome.scores[0]
    ranks = [1.0, 1.0] if drawn else [1.0, 2.0] if outcome.won else [2.0, 1.0]
    return [outcome.seating[0], f"(the {outcome.game})"], ranks


def _model() -> Any:
    try:
        models = importlib.import_module("openskill.models")
    except ImportError:
        raise ArenaError("Ratings need openskill: pip install 'bullpen-games[arena]'.") from None
    return models.PlackettLuce()
