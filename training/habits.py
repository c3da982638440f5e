"""Learn how the levels play, for `expert` to expect it of others.

    python -m training.habits DECISIONS.npy base --out trained

A network of the usual shape learns the chances of plays from gathered decisions (`training.decisions`). It
starts as the network that the game is played with, and a CPU is enough: some seconds a game.
"""

import argparse
import copy
import math
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from bullpen.fast.trick import FLIP
from training.decisions import GAMES, LEVELS, MOST, Records
from training.features import Described, Sight, describe
from training.network import Network, load, save
from training.policies import HABIT_HEAT
from training.tables import GAMES as CODES
from training.tables import Tables, swapped

WEIGHTS = Path(__file__).parent.parent / "src/bullpen/bots/network/weights"
RATE, BATCH = 1e-3, 512
ORIGINS = {"base": "logic"}
"""Games whose own network is larger than habits need: they start as that of another game."""
ASIDE = 20
"""One decision of so many is not learned from but measured on."""


def as_cards(sets: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return sets of cards [N, 2] as [N, 105]."""
    numbers = np.arange(105)
    words = sets[:, numbers >> 6] >> (numbers & 63).astype(np.uint64)
    return (words & np.uint64(1)).astype(np.bool_)


def described(records: Records, game: str, device: Any) -> tuple[Described, Tensor]:
    """Return what the network is told of decisions at tables alike, and the place of what was played."""

    def there(field: str, kind: Any) -> Tensor:
        return torch.from_numpy(records[field].astype(kind)).to(device)

    hand, flip = there("hand", np.int64), there("flip", np.bool_)
    unseen = torch.from_numpy(as_cards(records["hidden"])).to(device)
    unseen = unseen.scatter(1, hand, False)
    unseen[:, 0] = False
    tables = Tables(
        CODES[game], *[there(name, np.int32) for name in ("ends", "firsts", "counts", "heads", "mark")]
    )
    nobody = torch.zeros(len(records), device=device)
    first = records[0]
    sight = Sight(
        tables, int(first["players"]), hand, unseen, flip, there("others_flips", np.int32),
        int(first["later"]), nobody,
    )  # fmt: skip
    exists, turned = hand > 0, swapped(hand)
    useful = exists & flip[:, None] & (hand < 100) & (turned != hand)
    cards, values = torch.cat([hand, hand], 1), torch.cat([hand, turned], 1)
    valid = torch.cat([exists, useful], 1)
    chosen = there("choice", np.int64)
    match = (cards == (chosen & 127)[:, None]) & valid
    match[:, :MOST] &= (chosen < FLIP)[:, None]
    match[:, MOST:] &= (chosen >= FLIP)[:, None]
    seen = describe(sight, cards, values, valid)
    return Described(seen.items, seen.scene, seen.valid), match.int().argmax(1)


def together(records: Records, game: str, device: Any) -> tuple[Described, Tensor]:
    """Return all decisions of a game, described, the plays that none of them has left out."""
    tables = np.unique(records[["players", "later"]])
    parts = [
        described(records[(records["players"] == table["players"]) & (records["later"] == table["later"])],
                  game, device)
        for table in tables
    ]  # fmt: skip
    items = torch.cat([seen.items for seen, _ in parts])
    scene = torch.cat([seen.scene for seen, _ in parts])
    valid = torch.cat([seen.valid for seen, _ in parts])
    played = torch.cat([place for _, place in parts])
    used = valid.any(0)
    places = used.cumsum(0) - 1
    return Described(items[:, used], scene, valid[:, used]), places[played]


def loss_of(network: Network, seen: Described, played: Tensor) -> Tensor:
    """Return how surprising what was played is to the network, decision by decision."""
    costs = network(seen)[1]
    chances = torch.log_softmax((-costs / HABIT_HEAT).masked_fill(~seen.valid, -1e9), 1)
    return -chances.gather(1, played[:, None])[:, 0]


def decisions_of(file: Path, game: str, shares: dict[str, float]) -> Records:
    """Return the decisions of a game; of those of each level only a share."""
    records, rng = np.load(file), np.random.default_rng(1)
    records = records[records["game"] == GAMES.index(game)]
    parts = [records[records["level"] == LEVELS.index(level)] for level in shares]
    return np.concatenate(
        [part[rng.random(len(part)) < share] for part, share in zip(parts, shares.values(), strict=True)]
    )


def fit(file: Path, game: str, turns: int, shares: dict[str, float], out: Path) -> None:
    """Learn the chances of the plays, and write the weights that knew the decisions kept aside best."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(1)
    records = decisions_of(file, game, shares)
    seen, played = together(records, game, device)
    order = torch.randperm(len(played), device=device)
    aside, train = order[: len(order) // ASIDE], order[len(order) // ASIDE :]
    network = load(WEIGHTS / f"{ORIGINS.get(game, game)}.npz").to(device)
    optimizer = torch.optim.AdamW(network.parameters(), RATE, weight_decay=0.02)

    def part(places: Tensor) -> tuple[Described, Tensor]:
        return Described(seen.items[places], seen.scene[places], seen.valid[places]), played[places]

    @torch.no_grad()
    def measure(word: str) -> float:
        told, place = part(aside)
        off = loss_of(network, told, place).mean().item()
        hit = (network(told)[1].masked_fill(~told.valid, 1e9).argmin(1) == place).float().mean().item()
        print(f"{game} {word}: surprise {off:.4f}, hit {hit:.4f}", flush=True)
        return off

    least, best = measure(f"{len(train)} decisions, before"), copy.deepcopy(network)
    for turn in range(turns):
        for group in optimizer.param_groups:
            group["lr"] = RATE * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * turn / turns)))
        for batch in train[torch.randperm(len(train), device=device)].split(BATCH):
            loss = loss_of(network, *part(batch)).mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
        surprise = measure(f"turn {turn + 1}")
        if surprise < least:
            least, best = surprise, copy.deepcopy(network)
    out.mkdir(parents=True, exist_ok=True)
    save(best, out / f"{game}.npz", np.float16)


def main() -> None:
    """Read the command line and learn."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--turns", type=int, default=12, help="how often every decision is learned from")
    parser.add_argument(
        "--shares",
        nargs=len(LEVELS),
        type=float,
        default=[1.0] * len(LEVELS),
        help=f"how many of the decisions of {', '.join(LEVELS)} to learn from, 0 to 1",
    )
    parser.add_argument("--out", type=Path, default=Path("trained"))
    given = parser.parse_args()
    fit(given.file, given.game, given.turns, dict(zip(LEVELS, given.shares, strict=True)), given.out)


if __name__ == "__main__":
    main()
