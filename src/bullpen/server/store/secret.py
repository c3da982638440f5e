"""The secret of a store, which signs cookies, private links, tokens and the talk between processes.

A store without a sound secret is refused: with an empty key anybody could sign anything.
"""

import re
from collections.abc import Sequence
from typing import Any

from bullpen.server.store.interface import StoreError

SECRET = "SELECT value FROM facts WHERE name = 'secret'"
KEEP_SECRET = (
    "INSERT INTO facts (name, value) VALUES ('secret', ?)"
    " ON CONFLICT (name) DO UPDATE SET value = excluded.value"
)
BYTES = 32
WRITTEN = re.compile(rf"[0-9a-f]{{{2 * BYTES}}}")


class NoSecret(StoreError):
    """A store whose secret is missing or damaged."""


def secret_in(rows: Sequence[Any]) -> bytes:
    """Return the secret from the rows that `SECRET` finds."""
    if not rows:
        raise _refusal("is missing")
    ((value,),) = rows
    if not (isinstance(value, str) and WRITTEN.fullmatch(value)):
        raise _refusal("is damaged")
    return bytes.fromhex(value)


def key_from(secret: bytes) -> bytes:
    """Return a secret as a key that signs or verifies; one that is too short is refused."""
    if len(secret) < BYTES:
        raise _refusal("is too short")
    return secret


def _refusal(what: str) -> NoSecret:
    return NoSecret(
        f"The secret that signs everybody's keys {what} in this store: restore a backup, or run"
        " `bullpen admin new-secret`, which signs everybody out."
    )
