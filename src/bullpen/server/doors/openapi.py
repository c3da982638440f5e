"""OpenAPI: the description of the HTTP interface, made from the types."""

from functools import cache
from typing import Any

from bullpen import __version__
from bullpen.server.schema import components

REF = "#/components/schemas/"


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": REF + name}


def _json(name: str) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": _ref(name)}}}


def _operation(
    says: str,
    result: str,
    *,
    body: str | None = None,
    status: int = 200,
    parameters: tuple[dict[str, Any], ...] = (),
    refusals: tuple[int, ...] = (),
    token: bool = False,
) -> dict[str, Any]:
    """Describe one thing that can be asked for."""
    found: dict[str, Any] = {
        "summary": says,
        "responses": {str(status): {"description": "Done.", **_json(result)}},
        "parameters": list(parameters),
    }
    for code in sorted({*refusals, 429, 503}):
        found["responses"][str(code)] = {"description": "Refused.", **_json("Refusal")}
    if body is not None:
        found["requestBody"] = {"required": True, **_json(body)}
    if token:
        found["security"] = [{"bot": []}, {"guest": []}]
    return found


def _in_path(name: str, says: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "description": says, "schema": {"type": "string"}}


NAME = _in_path("name", "The table's code or id.")
GAME = _in_path("game", "The game's id.")
RECORD = _in_path("record", "The record's id.")
SEAT = {
    "name": "seat",
    "in": "query",
    "description": "Whose eyes: `all` cards open, `none` for a spectator, or a seat's number.",
    "schema": {"type": "string", "default": "all"},
}


def _paths() -> dict[str, Any]:
    plain = _operation
    stream = plain(
        "The questions to a bot as they come, a line of JSON each.", "BotAsk", refusals=(401,), token=True
    )
    stream["responses"]["200"]["content"] = {
        "application/x-ndjson": {"schema": {"anyOf": [_ref("BotAsk"), _ref("BotOver")]}}
    }
    download = plain("A finished game as a file.", "Refusal", parameters=(RECORD,), refusals=(404,))
    download["responses"]["200"]["content"] = {"application/json": {"schema": {"type": "object"}}}
    upload = plain("Keep a record made elsewhere.", "RecordSummary", status=201, refusals=(400, 403, 413))
    upload["requestBody"] = {
        "required": True,
        "content": {"application/json": {"schema": {"type": "object"}}},
    }
    return {
        "/api/games": {"get": plain("Every game, and the levels of bots.", "Games")},
        "/api/games/{game}/rules": {
            "get": plain("The rules of a game.", "Rules", parameters=(GAME,), refusals=(404,))
        },
        "/api/me": {
            "get": plain("Who I am here.", "Me", refusals=(401,)),
            "post": plain(
                "Take a name, or the identity of a private link.",
                "Me",
                body="NewMe",
                refusals=(400, 403, 413),
            ),
        },
        "/api/tables": {
            "get": plain("The public tables.", "Lobby"),
            "post": plain(
                "Make a table.",
                "Seated",
                body="NewTable",
                status=201,
                refusals=(400, 401, 403, 409, 413),
                token=True,
            ),
        },
        "/api/tables/{name}": {"get": plain("A table.", "Seated", parameters=(NAME,), refusals=(404,))},
        "/api/tables/{name}/looks": {
            "get": plain(
                "What my view tells on second sight.",
                "Looks",
                parameters=(NAME,),
                refusals=(404,),
                token=True,
            )
        },
        "/api/tables/{name}/seat": {
            "post": plain(
                "Take a seat.",
                "Seated",
                body="JoinTable",
                parameters=(NAME,),
                refusals=(400, 401, 403, 404, 409, 413),
                token=True,
            )
        },
        "/api/records": {
            "get": plain("My finished games.", "Records", refusals=(401,), token=True),
            "post": upload,
        },
        "/api/records/{record}": {"get": download},
        "/api/records/{record}/replay": {
            "get": plain(
                "Every moment of a finished game.", "Replay", parameters=(RECORD, SEAT), refusals=(400, 404)
            )
        },
        "/api/bot/token": {
            "post": plain(
                "Make a bot's identity.", "Token", body="NewToken", status=201, refusals=(400, 403, 413)
            )
        },
        "/api/bot/stream": {"get": stream},
        "/api/bot/tables/{name}/choice": {
            "post": plain(
                "Answer a question.",
                "Ack",
                body="BotChoice",
                parameters=(NAME,),
                refusals=(400, 401, 403, 404, 409, 413),
                token=True,
            )
        },
    }


@cache
def document() -> dict[str, Any]:
    """Return the description of the HTTP interface."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "bullpen",
            "version": __version__,
            "summary": "Tables of a family of card games, for people and bots.",
        },
        "paths": _paths(),
        "components": {
            "schemas": components(REF + "{name}"),
            "securitySchemes": {
                "bot": {"type": "http", "scheme": "bearer"},
                "guest": {"type": "apiKey", "in": "cookie", "name": "bullpen"},
            },
        },
    }
