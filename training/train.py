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
from training.network import SCALE, SHAPES, Network, Shape, load, save
from training.policies import CHANCE, GUESSER, MEDIUM, SELF
from training.selfplay import Samples, SelfPlay, Setting, population
from training.tables import GAMES
from training.tune import tune

WARM_UP = 0.1
"""The share of the time in which everybody plays at random: what Monte Carlo believes, and a first value."""
RATE = 2e-3
MEMORY = 0.998
"""How slowly the judging copy of the network follows the learning one, step by step."""
STEPS, RECENT = 60, 5
"""Steps after each batch of rounds, and from how many of the latest batches the samples come."""
TUNING = 0.12
"""The share of the time for tuning the risk estimate."""


def setting_for(game: str, progress: float, rng: random.Random, uniform: bool) -> Setting:
    """Draw the kind of the next rounds; four players come most often."""
    players = 4 if rng.random() < 0.25 else rng.randint(2, 10)
    deck = 104
    if game == "base" and rng.random() < 0.2:
        deck = 10 * players + 4
    return Setting(game, players, deck, heat=0.3 - 0.25 * progress, stray=0.03, uniform=uniform)


def widened(samples: Samples, options: int) -> Samples:
    """Return samples with room for that many plays."""
    more = options - samples.valid.shape[1]
    pad = torch.nn.functional.pad
    return Samples(
        pad(samples.items, (0, 0, 0, more)),
        samples.scene,
        pad(samples.valid, (0, more)),
        samples.value,
        pad(samples.plays, (0, more)),
    )


def together(parts: list[Samples]) -> Samples:
    """Return all samples in one."""
    most = max(part.valid.shape[1] for part in parts)
    wide = [widened(part, most) for part in parts]
    fields = ("items", "scene", "valid", "value", "plays")
    return Samples(*[torch.cat([getattr(part, field) for part in wide]) for field in fields])


def learn(
    network: Network, optimizer: torch.optim.Optimizer, pool: Samples, batch: int, steps: int
) -> list[float]:
    """Take steps on batches drawn from the pool; return the mean errors of values and of plays."""
    errors = torch.zeros(2, device=pool.scene.device)
    for _ in range(steps):
        part = torch.randint(0, len(pool.value), (batch,), device=pool.value.device)
        seen = Described(pool.items[part], pool.scene[part], pool.valid[part])
        value, plays = network(seen)
        off = (value - pool.value[part]) / SCALE
        gaps = ((plays - pool.plays[part]) / SCALE) * seen.valid
        loss_value = (off * off).mean()
        loss_plays = (gaps * gaps).sum() / seen.valid.sum()
        optimizer.zero_grad(set_to_none=True)
        (loss_value + loss_plays).backward()
        optimizer.step()
        errors += torch.stack([loss_value.detach(), loss_plays.detach()])
    return [float(error) for error in errors / steps]


@torch.no_grad()
def measure(
    play: SelfPlay, game: str, nets: tuple[Network, Network, Network | None], size: int
) -> list[float]:
    """Return mean bullheads and win share of one network seat, without search, against three others."""
    row = []
    for kind in (MEDIUM, GUESSER, CHANCE):
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


def train(
    game: str, seconds: float, size: int, out: Path, seed: int, origin: Path | None, habits: Path | None
) -> None:
    """Train for that long and write the weights, the tuned risk estimate and the learning curve."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(seed)
    torch.set_float32_matmul_precision("high")
    rng = random.Random(seed)
    out.mkdir(parents=True, exist_ok=True)
    play = SelfPlay(device, habits=habits is not None)
    network = (load(origin) if origin else Network(SHAPES.get(game, Shape()))).to(device)
    judge, guesser = copy.deepcopy(network), load(habits).to(device) if habits else None
    optimizer = torch.optim.Adam(network.parameters(), RATE, fused=device.type == "cuda")
    begin, rounds, measured, curve = time.monotonic(), 0, 0.0, []
    recent: list[Samples] = []
    while (spent := time.monotonic() - begin) < seconds:
        progress = spent / seconds
        if guesser is None and progress > WARM_UP:
            guesser = copy.deepcopy(judge)
            tune(play, game, guesser, seconds * TUNING, size, out)
        setting = setting_for(game, progress, rng, uniform=guesser is None)
        count = max(64, int(size * 4 * 10 / (sum(setting.deals) * (setting.players + 8) / 3)))
        kinds = population(count, setting.players, device, 0.1 if habits else 0.25)
        samples, _ = play.rounds(setting, count, 1, (judge, judge, guesser), kinds)
        rounds += count
        recent = [*recent[1 - RECENT :], together(samples)]
        for group in optimizer.param_groups:
            group["lr"] = RATE * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * progress)))
        errors = learn(network, optimizer, together(recent), size // 2, STEPS)
        follow(judge, network, MEMORY**STEPS)
        if spent - measured > seconds / 12 and guesser is not None:
            measured = spent
            row = measure(play, game, (judge, judge, guesser), size // 2)
            curve.append([round(spent, 1), rounds, *errors, *row])
            print(game, *[f"{number:.4g}" for number in curve[-1]], flush=True)
            save(judge, out / f"{game}.npz")
    row = measure(play, game, (judge, judge, guesser), 4 * size)
    curve.append([round(seconds, 1), rounds, *errors, *row])
    print(game, "final", *[f"{number:.4g}" for number in curve[-1]], flush=True)
    save(judge, out / f"{game}.npz")
    write_curve(out / f"{game}.csv", curve)


def write_curve(path: Path, curve: list[list[float]]) -> None:
    """Write the learning curve as a table."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(
            ["seconds", "rounds", "value_error", "play_error",
             "medium_heads", "medium_wins", "guesser_heads", "guesser_wins", "chance_heads", "chance_wins"]
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
    parser.add_argument("--origin", type=Path, help="weights to start from")
    parser.add_argument("--habits", type=Path, help="weights that play like the levels (training.habits)")
    given = parser.parse_args()
    train(
        given.game, given.minutes * 60, given.rounds, given.out, given.seed, given.origin, given.habits
    )  # fmt: skip


if __name__ == "__main__":
    main()
