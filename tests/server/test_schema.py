"""What is written down about the protocol is what the types say."""

from bullpen.server.schema import SCHEMA, TYPES, json_schema, typescript
from tests.server.running import ROOT

ANEW = "run `python -m bullpen.server.schema` and commit what it writes"


def test_the_json_schema_is_up_to_date() -> None:
    assert (ROOT / SCHEMA).read_text(encoding="utf-8") == json_schema(), ANEW


def test_the_typescript_is_up_to_date() -> None:
    assert (ROOT / TYPES).read_text(encoding="utf-8") == typescript(), ANEW
