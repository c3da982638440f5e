"""Train the network of a game by self-play: `python -m training.train base --minutes 8`."""

import argparse
import copy
import csv
import math
import random
import time
from pathlib import Path

import torch

from training.features import Described
from training.network import SCALE, Network, save
from training.policies import GUESSER, MEDIUM, SELF
from training.selfplay import Samples, SelfPlay, Setting, population
from training.tables import GAMES

WARM_UP = 0.12
"""The share of the time in which everybody plays at random: what Monte Carlo believes, and a first value."""
RATE = 2e-3
MEMORY = 0.99
"""How slowly the judging copy of the network follows the learning one."""


def setting_for(game: str, progress: float, rng: random.Random, uniform: bool) -> Setting:
    """Draw the kind of the next rounds; four players come most often."""
    players = 4 if rng.random() < 0.25 else rng.randint(2, 10)
    deck = 104
    if game == "base" and rng.random() < 0.2:
        deck = 10 * players + 4
    return Setting(game, players, deck, heat=0.5 - 0.35 * progress, stray=0.03, uniform=uniform)


def learn(network: Network, optimizer: torch.optim.Optimizer, samples: list[Samples], batch: int) -> tuple[float, float]:
    """Take one step per batch of the samples; return the mean errors of values and of plays."""
    errors, steps = torch.zeros(2, device=samples[0].scene.device), 0
    for trick in random.sample(samples, len(samples)):
        for part in torch.randperm(len(trick.value), device=trick.value.device).split(batch):
            seen = Described(trick.items[part], trick.scene[part], trick.valid[part], part, part)
            value, plays = network(seen)
            off = (value - trick.value[part]) / SCALE
            gaps = ((plays - trick.plays[part]) / SCALE) * seen.valid
            loss_value = (off * off).mean()
            loss_plays = (gaps * gaps).sum() / seen.valid.sum()
            optimizer.zero_grad(set_to_none=True)
            (loss_value + loss_plays).backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            errors += torch.stack([loss_value.detach(), loss_plays.detach()])
            steps += 1
    return tuple((errors / max(steps, 1)).tolist())  # type: ignore[return-value]


@torch.no_grad()
def measure(play: SelfPlay, game: str, nets: tuple[Network, Network, Network | None], size: int) -> list[float]:
    """Return mean bullheads and win share of one network seat, without search, against three others."""
    row = []
    for kind in (MEDIUM, GUESSER):
        setting = Setting(game, 4, 104, heat=1e-3, stray=0.0)
        kinds = torch.full((size, 4), kind, device=play.device)
        kinds[:, 0] = SELF
        _, points = play.rounds(setting, size, 0, nets, kinds)
        best = points.amin(1, keepdim=True)
        share = ((points == best) / (points == best).sum(1, keepdim=True))[:, 0].mean()
        row += [points[:, 0].float().mean().item(), share.item()]
    return row


def follow(judge: Network, network: Network, memory: float) -> None:
    """Move the judging copy a little towards the learning network."""
    with torch.no_grad():
        for slow, fast in zip(judge.parameters(), network.parameters(), strict=True):
            slow.lerp_(fast, 1 - memory)


def train(game: str, seconds: float, size: int, out: Path, seed: int) -> None:
    """Train for that long and write the weights and the learning curve."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(seed)
    torch.set_float32_matmul_precision("high")
    rng = random.Random(seed)
    play, network = SelfPlay(device), Network().to(device)
    judge, guesser = copy.deepcopy(network), None
    optimizer = torch.optim.Adam(network.parameters(), RATE)
    begin, rounds, measured, curve = time.monotonic(), 0, 0.0, []
    while (spent := time.monotonic() - begin) < seconds:
        progress = spent / seconds
        if guesser is None and progress > WARM_UP:
            guesser = copy.deepcopy(judge)
        setting = setting_for(game, progress, rng, uniform=guesser is None)
        learners = 2
        fair = 10 * 4 / (sum(setting.deals) * (setting.players + 8) / 3)
        count = max(64, int(size * fair))
        kinds = population(count, setting.players, learners, device)
        samples, _ = play.rounds(setting, count, learners, (judge, judge, guesser), kinds)
        rounds += count
        for group in optimizer.param_groups:
            group["lr"] = RATE * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * progress)))
        errors = learn(network, optimizer, samples, max(256, size // 4))
        for _ in range(len(samples)):
            follow(judge, network, MEMORY)
        if spent - measured > seconds / 40 and guesser is not None:
            measured = spent
            row = measure(play, game, (judge, judge, guesser), max(256, size // 2))
            curve.append([round(spent, 1), rounds, *errors, *row])
            print(game, *[f"{number:.4g}" for number in curve[-1]], flush=True)
    row = measure(play, game, (judge, judge, guesser), 4 * size)
    curve.append([round(seconds, 1), rounds, 0.0, 0.0, *row])
    print(game, "final", *[f"{number:.4g}" for number in curve[-1]], flush=True)
    out.mkdir(parents=True, exist_ok=True)
    save(judge, out / f"{game}.npz")
    with (out / f"{game}.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(
            ["seconds", "rounds", "value_error", "play_error",
             "medium_heads", "medium_wins", "guesser_heads", "guesser_wins"]
        )  # fmt: skip
        writer.writerows(curve)


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--minutes", type=float, default=8.0)
    parser.add_argument("--rounds", type=int, default=16384, help="rounds played at a time")
    parser.add_argument("--out", type=Path, default=Path("trained"))
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    train(given.game, given.minutes * 60, given.rounds, given.out, given.seed)


if __name__ == "__main__":
    main()
