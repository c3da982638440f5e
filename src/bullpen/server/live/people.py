"""People: identities without accounts, signed by the server's secret, on devices that can be turned away."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec import Struct

from bullpen.server.sources import Sources
from bullpen.server.store.interface import DeviceRow, Store, VoidRow
from bullpen.server.store.secret import key_from

Kind = Literal["guest", "link", "bot"]
COOKIE = "bullpen"
BEFORE = "bullpen-before"
"""The cookie of whom a browser was before it followed a private link."""
YEAR = 365 * 24 * 3600
DAY = 24 * 3600
KEY_SECONDS = DAY
"""So long a private link can be followed."""
RENEW_SECONDS = 30 * 24 * 3600
"""A cookie older than this is written anew, so that it expires only a year after the last visit."""


FIELDS = 4
"""So many parts of a key follow the name."""


class Identity(Struct, frozen=True):
    """Somebody, as a key tells it: a random id and the name given last, and what makes the key end.

    In a private link the device is the one that made it; a bot is its own device.
    """

    who: str
    name: str
    device: str = ""
    at: int = 0
    """When the key was made, in seconds since 1970."""
    since: int = 0
    """The number of the latest revocation that it follows: earlier keys have a lower one."""
    ends: int = 0
    """When it ends, in seconds since 1970; 0 for a cookie, which ends a year after it was written."""


class Signer:
    """Writes and reads signed identities; each kind of signature is good for its own use only."""

    def __init__(self, secret: bytes) -> None:
        self._secret = key_from(secret)

    def sign(self, identity: Identity, kind: Kind) -> str:
        """Return a token that proves an identity."""
        name = base64.urlsafe_b64encode(identity.name.encode()).decode().rstrip("=")
        numbers = map(str, (identity.at, identity.since, identity.ends))
        body = ".".join([identity.who, name, identity.device, *numbers])
        return f"{body}.{self._mac(kind, body)}"

    def read(self, token: str, kind: Kind) -> Identity | None:
        """Return the identity that a token proves, or None."""
        body, _, mac = token.rpartition(".")
        if not token.isascii() or not hmac.compare_digest(mac, self._mac(kind, body)):
            return None
        who, name, *rest = body.split(".")
        named = base64.urlsafe_b64decode(name + "=" * (-len(name) % 4)).decode()
        if len(rest) < FIELDS:
            # A key of an earlier kind tells only when it was made: the numbers begin at such times.
            device, at = rest or ("", 0)
            return Identity(who, named, device, int(at), int(at))
        device, at, since, ends = rest
        return Identity(who, named, device, int(at), int(since), int(ends))

    def _mac(self, kind: Kind, body: str) -> str:
        return hmac.new(self._secret, f"{kind}:{body}".encode(), hashlib.sha256).hexdigest()[:40]


class TurnedAway(Struct, frozen=True):
    """Who can come no more by what they came with: devices, and people on all devices but the one named."""

    devices: frozenset[str]
    people: Mapping[str, str]

    def includes(self, who: str, device: str) -> bool:
        """Whether somebody on a device is among them."""
        kept = self.people.get(who)
        return device in self.devices or (kept is not None and (not kept or kept != device))


class People:
    """Who comes by which key, and on which device: keys end by themselves, and can be ended.

    A key is good unless it is too old or was ended; that a device is known matters for the list only, so
    devices are written down now and then.
    """

    def __init__(self, store: Store, sources: Sources) -> None:
        self.signer = Signer(store.secret())
        self._store = store
        self._sources = sources
        self._counted = store.revocations()
        self._revoked, self._voids = store.revoked()
        self._seen: dict[str, DeviceRow] = {}
        """What is not written down yet, by device."""

    @property
    def now(self) -> int:
        """The time in seconds."""
        return self._sources.now() // 1000

    # Keys.

    def known(self, token: str) -> Identity | None:
        """Return whom a cookie proves, if its time is not over."""
        found = self.signer.read(token, "guest")
        if found is None or not self._good(found):
            return None
        return None if found.at and self.now - found.at > YEAR else found

    def bot(self, token: str) -> Identity | None:
        """Return the bot that a token proves, if its time is not over."""
        found = self.signer.read(token, "bot")
        return found if found is not None and self.now < found.ends and self._good(found) else None

    def left(self, key: Identity) -> float | None:
        """Return for how many seconds a bot's token is good, None for a cookie."""
        return key.ends - self._sources.now() / 1000 if key.ends else None

    def linked(self, key: str) -> Identity | None:
        """Return whom a private link belongs to, if its time is not over."""
        found = self.signer.read(key, "link")
        if found is None or self.now >= found.ends or not self._good(found):
            return None
        void = self._voids.get(found.who)
        return None if void is not None and found.since < void.links else found

    def _good(self, key: Identity) -> bool:
        void = self._voids.get(key.who)
        kept = void is None or key.since >= void.everything or key.device == void.keep != ""
        return kept and key.device not in self._revoked

    def link(self, identity: Identity) -> str:
        """Return a key that brings an identity to another device, for a day."""
        void = self._voids.get(identity.who) or VoidRow(identity.who)
        now = self.now
        made = msgspec.structs.replace(identity, at=now, since=void.links, ends=now + KEY_SECONDS)
        return self.signer.sign(made, "link")

    # Devices.

    def new(self, name: str) -> Identity:
        """Return somebody new, on a new device."""
        return self.on_new_device(Identity(secrets.token_hex(10), name))

    def on_new_device(self, identity: Identity) -> Identity:
        """Return somebody on a device that was never here."""
        return Identity(identity.who, identity.name, secrets.token_hex(6), self.now, identity.since)

    def cookie(self, identity: Identity) -> str:
        """Return what a browser keeps; a device from before there were devices becomes one."""
        return self.signer.sign(identity if identity.at else self.on_new_device(identity), "guest")

    def must_renew(self, identity: Identity) -> bool:
        """Whether a cookie is so old, or of such an old kind, that it should be written anew."""
        return self.now - identity.at > RENEW_SECONDS

    def saw(self, identity: Identity, label: str) -> None:
        """Note that a device was here."""
        if identity.device:
            now = self._sources.now()
            made, ends = 1000 * identity.at, 1000 * identity.ends
            row = DeviceRow(identity.device, identity.who, label, made, now, identity.since, ends)
            self._seen[identity.device] = row

    # What is written down; these run in the store's thread.

    def write_down(self) -> None:
        """Write down which devices were here."""
        seen, self._seen = self._seen, {}
        try:
            self._store.note_devices(list(seen.values()))
        except Exception:
            self._seen = {**seen, **self._seen}
            raise

    def new_bot(self, name: str, owner: str, days: int) -> Identity:
        """Return a new bot, which its owner can end; without an owner it has only itself."""
        who, now = secrets.token_hex(10), self.now
        bot = Identity(who, name, who, now, ends=now + days * DAY)
        row = DeviceRow(who, owner or who, name, 1000 * now, 1000 * now, ends=1000 * bot.ends)
        self._store.note_devices([row])
        return bot

    def devices(self, who: str) -> list[DeviceRow]:
        """Return the devices and bots of somebody that can still come, the latest first."""
        self.write_down()
        return [row for row in self._store.devices_of(who) if self._comes(row)]

    def _comes(self, row: DeviceRow) -> bool:
        now = self._sources.now()
        alive = now < row.ends if row.ends else now - row.made <= 1000 * YEAR
        # The key of a bot names the bot, not its owner.
        who = row.id if row.ends else row.who
        return alive and self._good(Identity(who, "", row.id, row.made // 1000, row.since))

    def revoke(self, who: str, device: str) -> TurnedAway:
        """Turn a device of somebody away with the links that it made, or a bot."""
        self.write_down()
        own = frozenset(row.id for row in self._store.devices_of(who)) & {device}
        if own:
            self._store.revoke_device(who, device)
            self._revoked = self._revoked | own
        return TurnedAway(own, {})

    def end_links(self, who: str) -> None:
        """Let no private link that was made so far bring anybody here."""
        self._void(VoidRow(who, links=self.now + 1))

    def end_others(self, who: str, keep: str) -> TurnedAway:
        """Turn away every device but one, and every link."""
        ends = self.now + 1
        self._void(VoidRow(who, links=ends, everything=ends, keep=keep))
        return TurnedAway(frozenset(), {who: keep})

    def sign_out(self, key: Identity) -> TurnedAway:
        """Let a device come no more, with the links that it made."""
        if key.device == key.who:
            return self.end_others(key.who, "")
        self.saw(key, "")
        return self.revoke(key.who, key.device)

    def sign_out_everywhere(self, who: str) -> TurnedAway:
        """End every key of somebody, and of the bots that nobody could end any more after that."""
        bots = [row.id for row in self.devices(who) if row.ends]
        for bot in bots:
            self.revoke(who, bot)
        gone = self.end_others(who, "")
        return TurnedAway(frozenset(bots), gone.people)

    def look_again(self) -> TurnedAway:
        """Learn whom others have turned away since, in another process or by hand."""
        counted = self._store.revocations()
        if counted == self._counted:
            return TurnedAway(frozenset(), {})
        revoked, voids = self._store.revoked()
        changed = [row for row in voids.values() if row.everything > self._everything(row.who)]
        new = TurnedAway(revoked - self._revoked, {row.who: row.keep for row in changed})
        self._revoked, self._voids, self._counted = revoked, voids, counted
        # Of somebody whom a host has deleted nothing is written down any more.
        self._seen = {device: row for device, row in self._seen.items() if self._comes(row)}
        return new

    def _everything(self, who: str) -> int:
        return self._voids[who].everything if who in self._voids else 0

    def _void(self, row: VoidRow) -> None:
        self._voids = {**self._voids, row.who: self._store.void(row)}


SYSTEMS = {
    "iphone": "iPhone",
    "ipad": "iPad",
    "android": "Android",
    "cros": "ChromeOS",
    "windows": "Windows",
    "mac os": "macOS",
    "linux": "Linux",
}
"""By what a browser betrays its system, the telling sign first."""
BROWSERS = {
    "edg": "Edge",
    "opr": "Opera",
    "firefox": "Firefox",
    "fxios": "Firefox",
    "samsung": "Samsung Internet",
    "crios": "Chrome",
    "chrome": "Chrome",
    "safari": "Safari",
}


def device_label(user_agent: str) -> str:
    """Return what a person may know a device by, and nothing finer.

    >>> device_label("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox, Linux'
    >>> device_label("curl/8")
    ''
    """
    said = user_agent.lower()
    parts = [next((known[sign] for sign in known if sign in said), "") for known in (BROWSERS, SYSTEMS)]
    return ", ".join(part for part in parts if part)
