"""`bullpen admin` for a public server: bans, sign-up and announcements."""

import argparse
import ipaddress
import re
import time
from collections.abc import Callable
from typing import Any

from bullpen.server.errors import CannotDo
from bullpen.server.limits import neighbours
from bullpen.server.store.care import Caretaker
from bullpen.server.store.interface import MeasureKind, MeasureRow

DAY = 24 * 3600 * 1000
WIDEST = {4: 8, 6: 16}
"""The shortest prefix that may be banned, by IP version: a shorter one is a slip of the finger."""
MOST_LETTERS = 200
LEARNED = "Running servers know it within two seconds."
NO_ADDRESS = "is or holds this machine. Name a proxy with --proxy, and its visitors have their own addresses."


def add_reading(add: Callable[..., Any]) -> None:
    """Add what only looks."""
    add("bans", list_bans, "list who is banned, whether sign-up is closed, and what is announced")


def add_changing(add: Callable[..., Any]) -> None:
    """Add what changes something."""
    ban_ = add("ban", ban, "keep a person (by identity), an address or a network away", "what")
    ban_.add_argument("--days", type=float, help="for so many days, such as 0.5 (else until it is lifted)")
    ban_.add_argument("--reason", default="", help="what they are told beside that they are banned")
    add("unban", unban, "lift the ban of a person, an address or a network", "what")
    sign_up_ = add("sign-up", sign_up, "close sign-up, so that only those who have been here can come")
    sign_up_.add_argument("state", choices=("open", "closed"))
    announce_ = add("announce", announce, "tell everybody who is connected, and all who come")
    announce_.add_argument("text", nargs="?", default="")
    announce_.add_argument("--clear", action="store_true", help="announce nothing any more")


def now() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def list_bans(care: Caretaker, _: argparse.Namespace) -> None:
    """Print a line a measure that is in force."""
    rows = [row for row in care.measures() if not row.until or now() < row.until]
    for row in rows:
        until = time.strftime("until %Y-%m-%d %H:%M", time.localtime(row.until / 1000)) if row.until else ""
        print(f"{row.kind:<12}  {row.about:<20}  {until:<22}  {row.says}".rstrip())
    print(f"{sum(row.kind in ('person', 'address') for row in rows)} bans")


def whom(care: Caretaker, what: str) -> tuple[MeasureKind, str]:
    """Return what is to be banned: a person, or a network; an IPv6 address means its /64, as for limits."""
    if re.fullmatch("[0-9a-f]{20}", what) or what in {who for who, _, _ in care.people()}:
        return "person", what
    try:
        network = ipaddress.ip_network(neighbours(what), strict=False)
    except ValueError:
        raise CannotDo(
            f"{what[:40]!r} is neither the identity of somebody nor an address of numbers or a network."
        ) from None
    if any(ipaddress.ip_address(own) in network for own in ("127.0.0.1", "::1")) or network.is_loopback:
        raise CannotDo(f"{what} {NO_ADDRESS}")
    if network.prefixlen < WIDEST[network.version]:
        raise CannotDo(f"{network} is too wide: at least /{WIDEST[network.version]} is wanted.")
    return "address", str(network)


def ban(care: Caretaker, options: argparse.Namespace) -> None:
    """Keep somebody away."""
    if options.days is not None and not 0 < options.days <= 36_500:
        raise CannotDo("A ban lasts for more than 0 and at most 36500 days.")
    kind, about = whom(care, options.what)
    until = 0 if options.days is None else now() + round(options.days * DAY)
    care.order(MeasureRow(kind, about, now(), until, _line(options.reason)))
    print(f"{about} is banned. {LEARNED}")


def unban(care: Caretaker, options: argparse.Namespace) -> None:
    """Let somebody come again."""
    kind, about = whom(care, options.what)
    if not care.lift(kind, about):
        raise CannotDo(f"{about} is not banned.")
    print(f"{about} is not banned any more. {LEARNED}")


def sign_up(care: Caretaker, options: argparse.Namespace) -> None:
    """Close sign-up, or open it."""
    if options.state == "closed":
        care.order(MeasureRow("sign-up", made=now()))
    else:
        care.lift("sign-up")
    print(f"Sign-up is {options.state}. {LEARNED}")


def announce(care: Caretaker, options: argparse.Namespace) -> None:
    """Announce something in the place of what was announced before, or nothing."""
    text = _line(options.text)
    if bool(text) == options.clear:
        raise CannotDo("Say what to announce, or --clear.")
    if text:
        care.order(MeasureRow("announcement", made=now(), says=text))
    else:
        care.lift("announcement")
    print(f"{'Announced.' if text else 'Nothing is announced any more.'} {LEARNED}")


def _line(text: str) -> str:
    """Return a text that can be shown in a line."""
    if len(text) > MOST_LETTERS or not all(letter.isprintable() for letter in text):
        raise CannotDo(f"A sentence is a line of at most {MOST_LETTERS} letters.")
    return text.strip()
