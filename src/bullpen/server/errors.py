"""What the server says no with."""

from bullpen.engine import BullpenError
from bullpen.server.protocol import ErrorCode

FINAL: frozenset[ErrorCode] = frozenset({"unknown-table", "old-rules", "banned", "password"})
"""Refusals of a table after which nobody need ask for it again."""
TURNED_AWAY, CLOSED = 4401, 4404
"""Close codes of sockets: come again as somebody else; do not come again."""


class Refused(Exception):
    """A request that was not followed: a word for machines, a sentence for people, when to try again."""

    def __init__(self, code: ErrorCode, says: str, retry: int | None = None) -> None:
        super().__init__(says)
        self.code: ErrorCode = code
        self.says = says
        self.retry = retry


class CannotDo(BullpenError):
    """Something that cannot be done with this store, with the reason."""


class Moved(Refused):
    """A request that met a table between two processes: nothing was done, and it may be sent again."""

    def __init__(self) -> None:
        super().__init__("storage", "This table is moving to another process; try again in a moment.", 1000)
