"""The network that this machine is in."""

import ipaddress
import socket

ANYWHERE = {"0.0.0.0", "::", ""}
"""Hosts that mean: listen to everybody who can reach this machine."""


def own_address() -> str:
    """Return this machine's address in its own network; no packet is sent to find out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        found: str = probe.getsockname()[0]
        return found


def within(address: str, proxy: str) -> bool:
    """Whether an address is a trusted proxy's: its own, one of its network, or any for `*`."""
    if proxy in ("*", address):
        return True
    try:
        return ipaddress.ip_address(address) in ipaddress.ip_network(proxy, strict=False)
    except ValueError:
        return False
