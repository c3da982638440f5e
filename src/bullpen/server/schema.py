"""`python -m bullpen.server.schema` writes what clients need of the Python code: schema, types and pace."""

import sys
from pathlib import Path
from typing import Any

import msgspec

from bullpen.engine import HEADS
from bullpen.server import protocol
from bullpen.server.protocol import choice_types, event_types
from bullpen.server.tables import pace

SCHEMA = Path("docs/protocol.schema.json")
TYPES = Path("web/src/protocol.ts")
PACE = Path("web/src/core/pace.json")
REF = "#/$defs/"
HTTP: tuple[type, ...] = (
    protocol.Games,
    protocol.NewTable,
    protocol.EnterTable,
    protocol.JoinTable,
    protocol.Begin,
    protocol.Seated,
    protocol.Looks,
    protocol.HintWish,
    protocol.Hinting,
    protocol.Reviewing,
    protocol.TryWish,
    protocol.Lobby,
    protocol.About,
    protocol.Me,
    protocol.NewMe,
    protocol.KeyWish,
    protocol.KeyInfo,
    protocol.Devices,
    protocol.Revoke,
    protocol.Records,
    protocol.RecordSummary,
    protocol.Replay,
    protocol.Rules,
    protocol.Handbook,
    protocol.Agreement,
    protocol.Agreed,
    protocol.Invitation,
    protocol.NewToken,
    protocol.Token,
    protocol.BotChoice,
)
RECEIVED = {kind.__name__ for kind in protocol.FromClient.__args__} | {
    "NewTable", "JoinTable", "Begin", "NewMe", "KeyWish", "Revoke", "NewToken", "BotChoice", "Settings",
    "HintWish", "TryWish",
}  # fmt: skip
"""What a client sends may leave out what has a default."""
SPARSE = {kind.__name__ for kind in protocol.FromServer.__args__} - {"Snapshot"}
"""What the server sends without the fields that say nothing."""


def components(template: str = REF + "{name}") -> dict[str, Any]:
    """Return the schema of every type of the protocol by its name."""
    kinds = [protocol.FromClient, protocol.FromServer, protocol.FromStream, *event_types(), *HTTP]
    _, found = msgspec.json.schema_components(kinds, ref_template=template)
    found["Event"] = _any_of([kind.__name__ for kind in event_types()], template)
    found["AskOption"] = _any_of(_options(found), template)
    _tidy(found)
    return dict(sorted(found.items()))


def _any_of(names: list[str], template: str) -> dict[str, Any]:
    return {"anyOf": [{"$ref": template.format(name=name)} for name in names]}


def _options(found: dict[str, Any]) -> list[str]:
    """Describe each kind of choice as it stands among an ask's options."""
    names = []
    for kind in choice_types():
        _, parts = msgspec.json.schema_components([kind])
        fields = parts[kind.__name__]["properties"]
        found[kind.__name__] = {
            "title": kind.__name__,
            "description": (kind.__doc__ or "").strip(),
            "type": "object",
            "properties": {"notation": {"type": "string"}, "type": {"const": kind.__name__}, **fields},
            "required": ["notation", "type", *fields],
        }
        names.append(kind.__name__)
    return sorted(names)


def _tidy(found: dict[str, Any]) -> None:
    """A position may carry a game's own fields; what the server always sends is required."""
    found["PositionInfo"]["additionalProperties"] = True
    for name, schema in found.items():
        properties = schema.get("properties", {})
        for key, kind in properties.items():
            if "enum" in kind and len(kind["enum"]) == 1:
                properties[key] = {"const": kind["enum"][0]}
        if properties and name not in RECEIVED and name not in SPARSE:
            schema["required"] = list(properties)


def json_schema() -> str:
    """Return the schema document: `FromClient` and `FromServer` are what travels over a socket."""
    parts = components()
    parts["FromClient"] = _any_of(_names(protocol.FromClient), REF + "{name}")
    parts["FromServer"] = _any_of(_names(protocol.FromServer), REF + "{name}")
    parts["FromStream"] = _any_of(_names(protocol.FromStream), REF + "{name}")
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The protocol of a bullpen server",
        "$defs": parts,
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=1).decode() + "\n"


def _names(union: Any) -> list[str]:
    return [kind.__name__ for kind in union.__args__]


def typescript() -> str:
    """Return the TypeScript declarations of every type of the protocol."""
    lines = ["// Written by `python -m bullpen.server.schema`; a change here is lost.", ""]
    for name, schema in components().items():
        lines += _declaration(name, schema)
    heads = ", ".join(map(str, HEADS))
    lines += ["/** Bullheads by card number. */", f"export const HEADS: readonly number[] = [{heads}];", ""]
    for name in ("FromClient", "FromServer", "FromStream"):
        members = " | ".join(_names(getattr(protocol, name)))
        lines += [f"export type {name} = {members};", ""]
    return "\n".join(lines)


def _declaration(name: str, schema: dict[str, Any]) -> list[str]:
    note = schema.get("description", "").strip().replace("*/", "* /")
    head = [f"/** {' '.join(note.split())} */"] if note else []
    if schema.get("type") != "object" or "properties" not in schema:
        return [*head, f"export type {name} = {_type(schema)};", ""]
    required = set(schema.get("required", ()))
    body = [
        f"  {_key(key)}{'' if key in required or 'const' in kind else '?'}: {_type(kind)};"
        for key, kind in schema["properties"].items()
    ]
    if schema.get("additionalProperties") is True:
        body.append("  [more: string]: unknown;")
    return [*head, f"export interface {name} {{", *body, "}", ""]


def _key(name: str) -> str:
    return name if name.isidentifier() else msgspec.json.encode(name).decode()


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(REF)
    if "const" in schema or "enum" in schema:
        values = schema.get("enum", [schema.get("const")])
        return " | ".join(msgspec.json.encode(value).decode() for value in values)
    if "anyOf" in schema:
        return " | ".join(_type(part) for part in schema["anyOf"])
    kind = schema.get("type")
    if kind == "array":
        return _array(schema)
    if kind == "object":
        value = schema.get("additionalProperties", {})
        return f"Record<string, {_type(value) if isinstance(value, dict) and value else 'unknown'}>"
    plain = {
        "integer": "number",
        "number": "number",
        "string": "string",
        "boolean": "boolean",
        "null": "null",
    }
    return plain.get(str(kind), "unknown")


def _array(schema: dict[str, Any]) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(_type(item) for item in schema['prefixItems'])}]"
    inner = _type(schema.get("items", {}))
    return f"({inner})[]" if "|" in inner else f"{inner}[]"


def pace_table() -> str:
    """Return how long each event is shown."""
    return msgspec.json.format(msgspec.json.encode(pace.table()), indent=2).decode() + "\n"


def main(root: Path) -> None:
    """Write the files below the root of the repository."""
    (root / SCHEMA).write_text(json_schema(), encoding="utf-8")
    (root / TYPES).parent.mkdir(parents=True, exist_ok=True)
    (root / TYPES).write_text(typescript(), encoding="utf-8")
    (root / PACE).parent.mkdir(parents=True, exist_ok=True)
    (root / PACE).write_text(pace_table(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path.cwd())
