"""People: identities without accounts, signed by the server's secret."""

import base64
import hashlib
import hmac
import secrets
from typing import Literal

from msgspec import Struct

Kind = Literal["guest", "link", "bot"]
COOKIE = "bullpen"
YEAR = 365 * 24 * 3600


class Identity(Struct, frozen=True):
    """Somebody: a random id and the name given last."""

    who: str
    name: str


class Signer:
    """Writes and reads signed identities; each kind of signature is good for its own use only."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def new(self, name: str, kind: Kind) -> str:
        """Return the token of a new identity."""
        return self.sign(Identity(secrets.token_hex(10), name), kind)

    def sign(self, identity: Identity, kind: Kind) -> str:
        """Return a token that proves an identity."""
        name = base64.urlsafe_b64encode(identity.name.encode()).decode().rstrip("=")
        body = f"{identity.who}.{name}"
        return f"{body}.{self._mac(kind, body)}"

    def read(self, token: str, kind: Kind) -> Identity | None:
        """Return the identity that a token proves, or None."""
        body, _, mac = token.rpartition(".")
        if not token.isascii() or not hmac.compare_digest(mac, self._mac(kind, body)):
            return None
        who, _, name = body.partition(".")
        return Identity(who, base64.urlsafe_b64decode(name + "=" * (-len(name) % 4)).decode())

    def _mac(self, kind: Kind, body: str) -> str:
        return hmac.new(self._secret, f"{kind}:{body}".encode(), hashlib.sha256).hexdigest()[:40]
