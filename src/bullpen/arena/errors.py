"""What can be wrong with a match."""

from bullpen.engine import BullpenError


class ArenaError(BullpenError):
    """A match cannot be played or a results file cannot be read."""
