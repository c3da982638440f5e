"""What the network of the boards was told of some hands when it learned, written down.

`python -m tests.bots.board_situations` writes it anew: right only after the network has learned anew.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullpen.bots.games.heuristic_games import BOARDS
from bullpen.bots.registry import Mind
from bullpen.bots.search import boards
from bullpen.bots.search.worlds import Inquiry
from bullpen.engine import Ask, View
from tests.bots.test_imagined import questions

TOLD = Path(__file__).parent / "told_boards.npz"
TABLES = (2, 4, 6)


def inquiry(seen: View, ask: Ask, seed: int = 1) -> Inquiry:
    """Return a question of which the options have been weighed, in a world that hangs on the seed."""
    return Inquiry(seen, ask, Mind(seed, seen, ask), boards.TILE_EFFORT)


def told(asked: Inquiry) -> NDArray[np.float32]:
    """Return what the network has just been told of the hand."""
    found: NDArray[np.float32] = asked.desk.eyes.page.told[: len(asked.view.hand)].copy()
    return found


def situations() -> Iterator[tuple[str, View, Ask]]:
    """Choices of tiles at some tables of every board game, each with a name."""
    for game in BOARDS:
        for players in TABLES:
            asked = [
                each for each in questions(game, players, seed=players, most=9) if each[1].kind == "commit"
            ]
            for number, (seen, ask) in enumerate(asked[-3:]):
                yield f"{game} {players} {number}", seen, ask


def main() -> None:
    """Write down what is told."""
    found: dict[str, Any] = {
        name: told(inquiry(seen, ask)).astype(np.float16) for name, seen, ask in situations()
    }
    np.savez_compressed(TOLD, **found)


if __name__ == "__main__":
    main()
