"""Sources: the time and the randomness of a server, in one place so that tests can fix them."""

import random
import secrets
import time

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""The letters of table codes: no I and no O, which look like digits."""
SIGNS = "abcdefghijkmnpqrstuvwxyz23456789"


class Sources:
    """The real ones."""

    def now(self) -> int:
        """Return the time in milliseconds since 1970."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Return seconds that only ever go on, whatever is done to the clock on the wall."""
        return time.monotonic()

    def chance(self) -> float:
        """Return a number from 0 up to 1, for what must not happen everywhere at once."""
        return random.random()

    def secret(self) -> str:
        """Return 32 random bytes in hexadecimal."""
        return secrets.token_hex(32)

    def code(self) -> str:
        """Return four random letters."""
        return "".join(secrets.choice(LETTERS) for _ in range(4))

    def table_id(self) -> str:
        """Return a name that no other table will have."""
        return "".join(secrets.choice(SIGNS) for _ in range(16))
