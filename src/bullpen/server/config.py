"""Configuration: everything that a host can decide."""

import os
from pathlib import Path

from msgspec import Struct

from bullpen.server.limits import Limits


class Config(Struct, frozen=True, kw_only=True):
    """How a server is run; every field has a default that works for a table at home."""

    host: str = "127.0.0.1"
    port: int = 8266
    store: Path | None = None
    """The file of the store; None for the one in the user's data folder."""
    origins: tuple[str, ...] = ()
    """Origins allowed beside the server's own, such as `https://play.example.org`."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses whose X-Forwarded-For and -Proto are believed."""
    open_browser: bool = False
    greet: bool = True
    """Print the address and a QR code."""
    metrics_for_all: bool = False
    bot_workers: int = 0
    """Processes that think for bots; 0 for one less than there are cores."""
    bot_seconds: float = 2.0
    archive_after: float = 24 * 3600.0
    host_grace: float = 30.0
    """After so many seconds without a connection a host hands over."""
    limits: Limits = Limits()
    log_level: str = "info"

    @property
    def store_path(self) -> Path:
        """The file that tables are kept in."""
        return self.store or data_folder() / "tables.sqlite3"

    @property
    def workers(self) -> int:
        """How many processes think for bots."""
        return self.bot_workers or max(1, (os.cpu_count() or 2) - 1)


def data_folder() -> Path:
    """Return the user's folder for this program's data."""
    if os.name == "nt":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "bullpen"
