"""OpenAPI: the description of the HTTP interface, derived from the route table and the types."""

import re
from functools import cache
from typing import Any

from starlette.responses import Response

from bullpen import __version__
from bullpen.server.doors.http import Call, Endpoint, Prepared
from bullpen.server.doors.routes import TABLE
from bullpen.server.live.people import COOKIE
from bullpen.server.protocol import Refusal
from bullpen.server.schema import components

REF = "#/components/schemas/"
ALWAYS = (403, 429, 503)
"""Everything may be asked for under a name that is not the server's, too often, or while it cannot answer."""
IN_PATH = {
    "game": "The game's id.",
    "name": "The table's code or id.",
    "record": "The record's id.",
}
IN_QUERY: dict[str, dict[str, Any]] = {
    "language": {
        "description": "The language of the page, where there is one; English else.",
        "schema": {"type": "string", "default": "en"},
    },
    "seat": {
        "description": "Whose eyes: `all` cards open, `none` for a spectator, or a seat's number.",
        "schema": {"type": "string", "default": "all"},
    },
    "from": {
        "description": "The first moment wanted, counted from 0.",
        "schema": {"type": "integer", "minimum": 0, "default": 0},
    },
    "behaviour": {
        "description": "The behaviour of the rules that a table or a replay names; today's else.",
        "schema": {"type": "integer", "minimum": 1},
    },
}


@cache
def document() -> dict[str, Any]:
    """Return the description of the HTTP interface."""
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in TABLE:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = operation(endpoint)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "bullpen",
            "version": __version__,
            "summary": "Tables of a family of card games, for people and bots.",
        },
        "paths": paths,
        "components": {
            "schemas": components(REF + "{name}"),
            "securitySchemes": {
                "bot": {"type": "http", "scheme": "bearer"},
                "guest": {"type": "apiKey", "in": "cookie", "name": COOKIE},
            },
        },
    }


def operation(endpoint: Endpoint) -> dict[str, Any]:
    """Describe one thing that can be asked for."""
    found: dict[str, Any] = {
        "summary": endpoint.says,
        "parameters": _parameters(endpoint),
        "responses": {
            str(endpoint.status): {"description": "Done.", **_content(endpoint.result, endpoint.media)}
        },
    }
    for status in refusals(endpoint):
        found["responses"][str(status)] = {"description": "Refused.", **_content((Refusal,))}
    if endpoint.method == "POST":
        kinds = () if endpoint.body is None else (endpoint.body,)
        found["requestBody"] = {"required": True, **_content(kinds)}
    if endpoint.known:
        found["security"] = [{"bot": []}, {"guest": []}, {}]
    return found


def refusals(endpoint: Endpoint) -> list[int]:
    """Return the states of all refusals: those of its own, and those that follow from what it takes."""
    found = {*ALWAYS, *endpoint.refusals}
    if endpoint.body is not None:
        found |= {400, 413}
    if "{" in endpoint.path:
        found.add(404)
    return sorted(found)


def _parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    in_path = [
        {"name": name, "in": "path", "required": True, "description": IN_PATH[name], "schema": _TEXT}
        for name in re.findall(r"{(\w+)}", endpoint.path)
    ]
    return in_path + [{"name": name, "in": "query", **IN_QUERY[name]} for name in endpoint.query]


_TEXT = {"type": "string"}


def _content(kinds: tuple[type, ...], media: str = "application/json") -> dict[str, Any]:
    """Describe what is sent: one of these types, or an object of a kind of its own."""
    schemas = [{"$ref": REF + kind.__name__} for kind in kinds]
    one = schemas[0] if len(schemas) == 1 else {"anyOf": schemas} if schemas else {"type": "object"}
    return {"content": {media: {"schema": one}}}


@cache
def _prepared() -> Prepared:
    return Prepared(document())


async def describe(call: Call[None]) -> Response:
    """This description."""
    return _prepared().response(call.request)


DESCRIPTION = Endpoint(path="/api", handler=describe, says="This description.")
