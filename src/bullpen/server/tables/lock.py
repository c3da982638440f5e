"""Passwords of tables: kept as what follows from them slowly, and never as they are."""

import hashlib
import hmac
import secrets
import unicodedata


def locked(password: str) -> str:
    """Return what is kept of a password; this takes a few hundredths of a second, so call it in a thread."""
    salt = secrets.token_hex(16)
    return f"{salt}:{_slow(password, salt)}"


def opens(password: str, lock: str) -> bool:
    """Whether a password is the one that a lock was made of, however its letters were typed.

    >>> opens("moo", locked("moo")), opens("Moo", locked("moo"))
    (True, False)
    """
    salt, _, kept = lock.partition(":")
    return hmac.compare_digest(_slow(password, salt), kept)


def _slow(password: str, salt: str) -> str:
    text = unicodedata.normalize("NFKC", password).encode("utf-8", "replace")
    return hashlib.scrypt(text, salt=bytes.fromhex(salt), n=2**13, r=8, p=1).hex()
