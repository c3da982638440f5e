"""What a network is told, written down: `python -m training.golden tests/bots/told.npz`.

The file holds situations (`tests.bots.situations` collects them in play) and what was said of each when the
networks learned. Play and training are held against it, so that no network is ever told anything else.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from training.features import ITEM, SCENE, Sight, describe
from training.tables import GAMES, Tables


def told(situations: Mapping[str, NDArray[Any]]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the plays [S, I, ITEM] and the scene [S, SCENE] of each situation."""
    size, most = situations["cards"].shape
    plays, scenes = np.zeros((size, most, ITEM), np.float32), np.zeros((size, SCENE), np.float32)
    for s in range(size):
        count = int(situations["plays_there"][s])
        cards, values = (
            torch.from_numpy(situations[name][s, :count].astype(np.int64))[None]
            for name in ("cards", "values")
        )
        valid = torch.ones((1, count), dtype=torch.bool)
        found = describe(_sight(situations, s), cards, values, valid)
        plays[s, :count], scenes[s] = found.items[0].numpy(), found.scene[0].numpy()
    return plays, scenes


def _sight(situations: Mapping[str, NDArray[Any]], s: int) -> Sight:
    one = {name: part[s : s + 1] for name, part in situations.items() if part.ndim}
    rows = [
        torch.from_numpy(one[name].astype(np.int32)) for name in ("ends", "firsts", "counts", "heads", "mark")
    ]
    return Sight(
        tables=Tables(GAMES[str(one["game"][0])], *rows),
        players=int(one["players"][0]),
        hand=torch.from_numpy(np.flatnonzero(one["hand"][0]))[None],
        unseen=torch.from_numpy(one["unseen"]),
        own_flip=torch.from_numpy(one["own_flip"]),
        other_flips=torch.from_numpy(one["other_flips"].astype(np.int32)),
        later=int(one["later"][0]),
        wild=torch.from_numpy(one["wild"]),
    )


def main() -> None:
    """Add what training says of the situations in a file."""
    file = Path(sys.argv[1])
    with np.load(file) as parts:
        situations = dict(parts)
    plays, scenes = told(situations)
    situations |= {"plays": plays, "scenes": scenes}
    np.savez_compressed(file, **situations)
    print(f"{file}: {len(scenes)} situations")


if __name__ == "__main__":
    main()
