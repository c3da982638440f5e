"""Hold the tensor rules against the compiled twin on random rounds: `python -m training.check`."""

import numpy as np
import torch

from bullpen.fast.batch import Batch
from training.features import heads_table
from training.tables import GAMES, Tables, play_trick, swapped

ROUNDS = 400
PLAYERS = (2, 3, 4, 6, 10)


def tables_of(batch: Batch, code: int) -> Tables:
    """Return the twin's tables as tensors."""
    t = batch.table
    ends, firsts, counts, heads, mark = (
        torch.from_numpy(part.astype(np.int32))
        for part in (t.ends, t.rows[:, :, 0], t.counts, t.heads, t.mark)
    )
    return Tables(code, ends, firsts, counts, heads, mark)


def check(game: str, players: int, seed: int) -> int:
    """Play random rounds in both; return how many tricks were compared, or raise."""
    batch = Batch(game, players, ROUNDS, seed=seed, low_card="cheapest")
    worth = heads_table(torch.device("cpu"))
    tables, tricks = tables_of(batch, GAMES[game]), 0
    while not batch.over.all():
        before = batch.points.copy()
        choices = batch.random_choices()
        cards = torch.from_numpy((choices & 127).astype(np.int64))
        values = torch.where(torch.from_numpy(choices >= 128), swapped(cards), cards)
        costs = play_trick(tables, cards, values, worth)
        batch.step(choices)
        tricks += 1
        twin = tables_of(batch, GAMES[game])
        same = torch.equal(costs, torch.from_numpy((batch.points - before).astype(np.int32)))
        same &= all(
            torch.equal(getattr(tables, name), getattr(twin, name))
            for name in ("ends", "firsts", "counts", "heads")
        )
        if GAMES[game] in (2, 3):
            same &= torch.equal(tables.mark, twin.mark)
        if not same:
            raise SystemExit(f"{game} with {players} players differs from the twin in trick {tricks}")
    return tricks


def main() -> None:
    """Check every game."""
    for game in GAMES:
        for players in PLAYERS:
            tricks = check(game, players, seed=players)
            print(f"{game}, {players} players: {ROUNDS * tricks} tricks alike", flush=True)


if __name__ == "__main__":
    main()
