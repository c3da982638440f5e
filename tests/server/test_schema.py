"""What is written down about the protocol is what the types say."""

from bullpen.server.protocol import event_types
from bullpen.server.schema import PACE, SCHEMA, TYPES, json_schema, pace_table, typescript
from bullpen.server.tables.pace import MILLISECONDS, TOGETHER
from tests.server.running import ROOT

ANEW = "run `python -m bullpen.server.schema` and commit what it writes"


def test_the_json_schema_is_up_to_date() -> None:
    assert (ROOT / SCHEMA).read_text(encoding="utf-8") == json_schema(), ANEW


def test_the_typescript_is_up_to_date() -> None:
    assert (ROOT / TYPES).read_text(encoding="utf-8") == typescript(), ANEW


def test_the_browser_has_the_same_pace() -> None:
    assert (ROOT / PACE).read_text(encoding="utf-8") == pace_table(), ANEW


def test_every_event_with_a_pace_exists() -> None:
    known = {kind.__name__ for kind in event_types()}
    assert set(MILLISECONDS) <= known
    assert set(TOGETHER) <= set(MILLISECONDS)
