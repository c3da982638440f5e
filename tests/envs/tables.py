"""Every game at its smallest, a middle and its largest table, and episodes that are played at random."""

import os
import random
from collections.abc import Iterator

import pytest

from bullpen.engine import Seat
from bullpen.envs.episode import Episode
from bullpen.envs.terms import Terms
from bullpen.rulesets import own_games

SOAK = 10 if os.environ.get("BULLPEN_SOAK") else 1
GAMES = tuple(own_games())
TABLES = [
    pytest.param(game, players, id=f"{game}-{players}")
    for game, kind in own_games().items()
    for players in sorted(
        {kind.player_range[0], kind.player_range[len(kind.player_range) // 2], kind.player_range[-1]}
    )
]


def started(game: str, players: int, seed: int = 1, terms: Terms | None = None) -> Episode:
    episode = Episode(terms or Terms(game=game, players=players))
    episode.reset(seed)
    return episode


def at_random(episode: Episode, rng: random.Random) -> dict[Seat, int]:
    return {seat: rng.choice(episode.legal(seat)) for seat in range(episode.players)}


def steps(episode: Episode, rng: random.Random) -> Iterator[list[float]]:
    """Play on to the end, and give the rewards of every step after it."""
    while not episode.over:
        yield episode.step(at_random(episode, rng))
