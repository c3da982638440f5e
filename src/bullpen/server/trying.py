"""Whether a server can tell clients of a game: what the conformance kit tries of it."""

from typing import Any

import msgspec

from bullpen.engine import Ruleset
from bullpen.server.doors.api import game_info


def try_game(kind: type[Ruleset[Any]], players: int, seed: int) -> str:  # noqa: ARG001 as all surfaces
    """Encode the game's `GameInfo`, as a client gets it."""
    msgspec.json.encode(game_info(kind.id))
    return "what a server tells of the game"
