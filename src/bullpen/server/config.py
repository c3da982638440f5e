"""Configuration: everything that a host can decide."""

import os
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from bullpen.server.limits import Limits


class Config(Struct, frozen=True, kw_only=True):
    """How a server is run; every field has a default that works for a table at home.

    The descriptions are what `bullpen serve --help` prints; `settings` finds the values.
    """

    host: Annotated[str, Meta(description="where to listen; 0.0.0.0 for the whole network")] = "127.0.0.1"
    port: Annotated[int, Meta(description="the port to listen at; 0 for any that is free")] = 8266
    store: Annotated[
        str | None,
        Meta(
            description="the file that tables are kept in (else one in the user's data folder),"
            " or the address of a PostgreSQL database, postgresql://…"
        ),
    ] = None
    link: Annotated[
        str, Meta(description="where other processes on one PostgreSQL store reach this one, as HOST:PORT")
    ] = "127.0.0.1:0"
    lease: Annotated[
        float,
        Meta(ge=0.5, description="seconds after which others take the tables of a process that has died"),
    ] = 5.0
    host_names: Annotated[
        tuple[str, ...],
        Meta(description="a name under which the server is reached, such as play.example.org"),
    ] = ()
    trusted_proxies: Annotated[
        tuple[str, ...],
        Meta(description="the address of a proxy whose X-Forwarded-For and -Proto are believed"),
    ] = ()
    open_browser: Annotated[bool, Meta(description="open the browser")] = False
    greet: Annotated[bool, Meta(description="print the address and a QR code for phones")] = True
    metrics_for_all: Annotated[bool, Meta(description="show /metrics to other machines too")] = False
    bot_workers: Annotated[
        int, Meta(ge=0, description="processes that think for bots; 0 for one less than there are cores")
    ] = 0
    bot_seconds: Annotated[
        float, Meta(gt=0, description="how long a bot may think before chance chooses for it")
    ] = 2.0
    analysis: Annotated[
        bool, Meta(description="give hints and reviews, where the extra for bots is there")
    ] = True
    analysis_seconds: Annotated[
        float, Meta(gt=0, description="how long a review may be worked on before it is given up")
    ] = 600.0
    archive_after: Annotated[
        float, Meta(gt=0, description="seconds after which a table without visitors leaves memory")
    ] = 24 * 3600.0
    host_grace: Annotated[
        float, Meta(ge=0, description="seconds without a connection after which a table's host hands over")
    ] = 30.0
    limits: Annotated[
        Limits,
        Meta(
            description="how much visitors may ask for: public (for strangers), or home (ten times as fast);"
            " single limits stand in the file, below [limit]"
        ),
    ] = Limits()
    sign_up: Annotated[
        bool, Meta(description="let people come who were never here; also bullpen admin sign-up")
    ] = True
    imprint: Annotated[
        str | None, Meta(description="a file with the host's imprint, in Markdown, linked from the home page")
    ] = None
    privacy: Annotated[
        str | None, Meta(description="a file with what the host adds to the page about privacy, in Markdown")
    ] = None
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], Meta(description="how much is logged")
    ] = "info"
    log_requests: Annotated[
        bool,
        Meta(
            description="write a line a request (for files of the client at the level debug only),"
            " except to a terminal that was greeted"
        ),
    ] = True
    log_addresses: Annotated[bool, Meta(description="name in it the address that a request came from")] = (
        False
    )

    @property
    def store_place(self) -> str:
        """The file or database that tables are kept in."""
        return self.store or str(data_folder() / "tables.sqlite3")

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
