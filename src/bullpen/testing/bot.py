"""Whether a bot can sit at a table: it answers every question legally, and from its view alone."""

import random
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from bullpen.engine import Ask, Choice, Position, Ruleset, Seat, Seeded, View, view
from bullpen.game import Game
from bullpen.rulesets import games, make
from bullpen.testing.claims import claim
from bullpen.testing.secrecy import permuted
from bullpen.testing.tables import eagerly, player_counts, step


class Player(Protocol):
    """Whatever answers questions from views."""

    def choose(self, view: View, ask: Ask) -> Choice:
        """Return one of the ask's options."""


def check_bot(
    make_bot: Callable[[], Player],
    *,
    game_ids: Iterable[str] = (),
    moments: int = 12,
    seed: int = 1,
    deterministic: bool = True,
) -> None:
    """Raise `Broken` with a sentence unless a bot keeps the promises of a player.

    Asked at many moments of the named games (of all, if none is named) it returns one of the options, leaves
    the view as it was, and is told no more by cards that it cannot see: a new bot with the same view answers
    the same, unless it is said not to be deterministic.
    """
    for game in game_ids or games():
        for players in player_counts(games()[game])[:2]:
            for position, seat, rules in _moments(game, players, moments, seed):
                check_decision(
                    make_bot, rules, position, seat, random.Random(seed), deterministic=deterministic
                )


def _moments(
    game: str, players: int, moments: int, seed: int
) -> Iterable[tuple[Position, Seat, Ruleset[Any]]]:
    """Yield moments all over a game, with a seat that is asked."""
    running, rng = Game(make(game, players), Seeded(seed)), random.Random(seed)
    for _ in range(moments):
        if running.over:
            return
        yield running.position, rng.choice(rng.choice(running.asks).seats), running.rules
        for _ in range(rng.randrange(1, 12)):
            if not running.over:
                step(running, rng, eagerly)


def check_decision(
    make_bot: Callable[[], Player],
    rules: Ruleset[Any],
    position: Position,
    seat: Seat,
    rng: random.Random,
    *,
    deterministic: bool = True,
) -> None:
    """Claim that a bot decides properly once."""
    seen = view(rules, position, seat)
    ask = seen.ask
    assert ask is not None
    where = f"in {rules.id}, asked {ask.kind!r} in trick {position.trick}"
    choice = make_bot().choose(seen, ask)
    claim(choice in ask.options, f"The bot answered {choice!r} {where}, which is not among the options.")
    claim(seen == view(rules, position, seat), f"The bot has changed its view {where}.")
    if deterministic:
        elsewhere = view(rules, permuted(rules, position, seat, rng), seat)
        again = make_bot().choose(elsewhere, ask)
        claim(again == choice, f"The bot answered {choice} and then {again} to the same view {where}.")
