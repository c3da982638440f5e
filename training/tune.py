"""Tune the risk estimate of `medium` by the cross-entropy method: play, keep the best, draw around them."""

import json
import time
from pathlib import Path

import torch
from torch import Tensor

from training.network import Network
from training.policies import GUESSER, MEDIUM, between
from training.selfplay import SelfPlay, Setting

PLAYERS = (2, 3, 4, 6, 10)
CANDIDATES, BEST = 48, 10


def tune(play: SelfPlay, game: str, guesser: Network, seconds: float, size: int, out: Path) -> None:
    """Tune for some numbers of players, against Monte Carlo as guessed and itself; write it down."""
    tuned = {n: _tune_for(play, game, n, guesser, seconds / len(PLAYERS), size) for n in PLAYERS}
    for n in range(2, 11):
        play.thumbs[game, n] = torch.tensor(between(tuned, n), device=play.device)
    (out / f"{game}.json").write_text(
        json.dumps({str(n): [round(x, 4) for x in w] for n, w in tuned.items()})
    )


def _tune_for(
    play: SelfPlay, game: str, players: int, guesser: Network, seconds: float, size: int
) -> list[float]:
    setting = Setting(game, players, 104, heat=1.0, stray=0.0)
    middle = play.thumbs[game, players].clone()
    spread = 0.3 * middle.abs() + 0.3
    end = time.monotonic() + seconds
    best = middle
    score = torch.zeros(())
    while time.monotonic() < end:
        drawn = middle + spread * torch.randn((CANDIDATES, 12), device=play.device)
        drawn[0] = middle
        drawn[:, :2].clamp_(min=0.1)
        scores = _scores(play, setting, drawn, middle, guesser, size)
        order = scores.argsort()[:BEST]
        best, score = drawn[order], scores[order].mean()
        middle = 0.5 * middle + 0.5 * best.mean(0)
        spread = 0.5 * spread + 0.5 * best.std(0) + 0.01
    print(f"{game}, {players} players: risk estimate {score.item():.2f}", flush=True)
    return [float(x) for x in middle]


def _scores(
    play: SelfPlay, setting: Setting, drawn: Tensor, middle: Tensor, guesser: Network, size: int
) -> Tensor:
    """Return what each set of weights costs its seat: two thirds of the tables are Monte Carlo's."""
    n = setting.players
    each = max(24, size * 40 // (sum(setting.deals) * n * 3) // CANDIDATES * 3)
    count = CANDIDATES * each
    kinds = torch.full((count, n), MEDIUM, device=play.device)
    kinds[torch.arange(count, device=play.device) % 3 > 0, 1:] = GUESSER
    trial = middle.expand(count, n, 12).clone()
    trial[:, 0] = drawn.repeat_interleave(each, 0)
    play.trial = trial.reshape(-1, 12)
    _, points = play.rounds(setting, count, 0, (guesser, guesser, guesser), kinds)
    play.trial = None
    return points[:, 0].float().reshape(CANDIDATES, each).mean(1)
