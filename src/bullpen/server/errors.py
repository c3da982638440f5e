"""What the server says no with."""

from bullpen.server.protocol import ErrorCode

FINAL: frozenset[ErrorCode] = frozenset({"unknown-table", "old-rules"})
"""Refusals of a table after which nobody need ask for it again."""


class Refused(Exception):
    """A request that was not followed: a word for machines, a sentence for people, when to try again."""

    def __init__(self, code: ErrorCode, says: str, retry: int | None = None) -> None:
        super().__init__(says)
        self.code: ErrorCode = code
        self.says = says
        self.retry = retry


class Moved(Refused):
    """A request that met a table between two processes: nothing was done, and it may be sent again."""

    def __init__(self) -> None:
        super().__init__("storage", "This table is moving to another process; try again in a moment.", 1000)
