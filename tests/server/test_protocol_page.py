"""The page about the protocol says what the code does."""

import re
from typing import Any

from bullpen.server import protocol
from bullpen.server.doors import bots_api, transport
from bullpen.server.limits import Limits, Rate
from bullpen.server.run import PING_SECONDS
from bullpen.server.tables.names import MOST_LETTERS
from bullpen.server.tables.table import MOST_STEPS
from tests.server.running import ROOT

PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """The cells of every table below a heading."""
    part = re.split(r"^## ", PAGE.partition(f"## {heading}\n")[2], flags=re.MULTILINE)[0]
    lines = [line for line in part.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_every_limit_stands_in_the_page_with_its_number() -> None:
    written: dict[str, Any] = {}
    for name, *cells in rows("Limits"):
        numbers = [float(cell) for cell in cells if re.fullmatch(r"[0-9.]+", cell)]
        written[name.strip("`")] = Rate(*numbers) if len(numbers) == 2 else numbers[0]
    limits = Limits()
    assert written == {name: getattr(limits, name) for name in Limits.__struct_fields__}


def test_limits_without_a_setting_are_the_codes_own() -> None:
    for number in (
        f"at most {protocol.MOST_BYTES:,} bytes",
        f"a name {MOST_LETTERS} letters",
        f"a table {MOST_STEPS:,} steps",
        f"within {transport.OWED_SECONDS:.0f} to {2 * transport.OWED_SECONDS:.0f} seconds",
        f"has {bots_api.SLOWEST:.0f} seconds for a line",
        f"not answered within {PING_SECONDS:.0f} seconds",
    ):
        assert number in PAGE.replace("\n", " "), number


def test_every_error_code_and_message_stands_in_the_page() -> None:
    codes: tuple[str, ...] = protocol.ErrorCode.__args__  # type: ignore[attr-defined]
    kinds = [kind.__struct_config__.tag for kind in protocol.FromClient.__args__]
    kinds += [kind.__struct_config__.tag for kind in protocol.FromServer.__args__]
    for name in (*codes, *kinds):
        assert f"`{name}`" in PAGE, name


def test_all_sockets_of_an_address_may_come_back_at_once_and_ask_every_second() -> None:
    limits = Limits()
    assert min(limits.handshakes.burst, limits.connections.burst) >= limits.sockets_per_address
    assert limits.address.per_second >= limits.sockets_per_address
    assert limits.frames_of_address.per_second >= limits.sockets_per_address
