"""Moderation: what the host of the server has ordered, as a process that runs knows it."""

import ipaddress
import time
from collections.abc import Iterable
from typing import TypeAlias

from bullpen.server.errors import Refused
from bullpen.server.sources import Sources
from bullpen.server.store.interface import MeasureRow, Store

Networks: TypeAlias = dict[tuple[int, int], dict[int, MeasureRow]]
"""Bans of networks: by IP version and length of the prefix, then by the prefix."""
BITS = {4: 32, 6: 128}
SIGN_UP_CLOSED = "This server takes no new people now; those who have been here can go on."


class Moderation:
    """Bans, closed sign-up and the announcement; all of it is read again when it has changed."""

    def __init__(self, store: Store, sources: Sources, sign_up: bool = True) -> None:
        self._store = store
        self._sources = sources
        self._sign_up = sign_up
        self.carried_out: int | None = None
        """The count of the latest measures that were carried out."""
        self._read()

    def look_again(self) -> int | None:
        """Learn in the store's thread what was ordered; return its count, None if it is carried out."""
        counted = self._store.revocations()
        if counted == self.carried_out:
            return None
        self._read()
        return counted

    def _read(self) -> None:
        rows = self._store.measures()
        self._people = {row.about: row for row in rows if row.kind == "person"}
        self._networks = _by_prefix(row for row in rows if row.kind == "address")
        self._closed = any(row.kind == "sign-up" for row in rows)
        self._announced = next((row.says for row in rows if row.kind == "announcement"), "")

    @property
    def announcement(self) -> str:
        """What is announced to everybody; "" for nothing."""
        return self._announced

    @property
    def sign_up(self) -> bool:
        """Whether somebody who was never here may come."""
        return self._sign_up and not self._closed

    def check_sign_up(self) -> None:
        """Refuse somebody who was never here while sign-up is closed."""
        if not self.sign_up:
            raise Refused("sign-up-closed", SIGN_UP_CLOSED)

    def check(self, where: str, who: str) -> None:
        """Refuse somebody who is banned, or who comes from an address that is."""
        ban = self.ban_of(where, who)
        if ban is not None:
            left = ban.until - self._sources.now() if ban.until else None
            raise Refused("banned", sentence(ban), left)

    def ban_of(self, where: str, who: str) -> MeasureRow | None:
        """Return the ban of a person or an address, if there is one in force."""
        found = self._people.get(who) or (self._of_address(where) if self._networks else None)
        return found if found is not None and self._in_force(found) else None

    def _in_force(self, row: MeasureRow) -> bool:
        return not row.until or self._sources.now() < row.until

    def _of_address(self, where: str) -> MeasureRow | None:
        try:
            address = ipaddress.ip_address(where)
        except ValueError:
            return None
        if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        for (version, length), found in self._networks.items():
            prefix = int(address) >> (BITS[version] - length)
            if version == address.version and prefix in found and self._in_force(found[prefix]):
                return found[prefix]
        return None


def _by_prefix(rows: Iterable[MeasureRow]) -> Networks:
    found: Networks = {}
    for row in rows:
        network = ipaddress.ip_network(row.about)
        prefix = int(network.network_address) >> (network.max_prefixlen - network.prefixlen)
        found.setdefault((network.version, network.prefixlen), {})[prefix] = row
    return found


def sentence(ban: MeasureRow) -> str:
    """Return what somebody who is banned is told.

    >>> sentence(MeasureRow("person", "a1", until=1_800_000_000_000, says="Be kind."))
    'The host of this server has banned you until 2027-01-15 08:00 UTC. Be kind.'
    """
    whom = "you" if ban.kind == "person" else "your network address"
    until = time.strftime(" until %Y-%m-%d %H:%M UTC", time.gmtime(ban.until / 1000)) if ban.until else ""
    return f"The host of this server has banned {whom}{until}. {ban.says}".rstrip()
