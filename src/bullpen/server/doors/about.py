"""About: what the host of the server tells visitors in the imprint and about privacy."""

from pathlib import Path

from bullpen.server import protocol
from bullpen.server.config import Config
from bullpen.server.doors.http import Call
from bullpen.server.store.interface import StoreError


async def about(call: Call[None]) -> protocol.About:
    """The host's own texts."""
    return call.door.about


def host_texts(config: Config) -> protocol.About:
    """Read the files that a host has named; one that cannot be read is said at the start."""
    return protocol.About(imprint=_text(config.imprint), privacy=_text(config.privacy))


def _text(path: str | None) -> str:
    try:
        return Path(path).read_text(encoding="utf-8").strip() if path else ""
    except UnicodeDecodeError:
        raise StoreError(f"{path} is not a text in UTF-8.") from None
