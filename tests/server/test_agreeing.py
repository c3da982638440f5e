"""Options are checked by the server before anybody makes a table with them."""

import json
from pathlib import Path
from typing import Any

import httpx

from bullpen.rulesets.boards.check import load_with_text
from tests.server.client import call
from tests.server.places import Place
from tests.server.running import server


def test_options_are_checked_before_a_table_is_made(tmp_path: Path) -> None:
    board = load_with_text("own")[1]
    with server(Place("sqlite", tmp_path)) as running:

        def ask(game: str, **options: Any) -> httpx.Response:
            body = {"players": 3, "options": options}
            return call(running, "POST", f"/api/games/{game}/options", body=body)

        agreed = ask("board-expert", **{"board.data": board}).json()
        assert agreed["board"][0] == json.loads(board)["board_expert"]["rows"][0]
        assert agreed["options"]["expert.maxTricks"] == 60
        assert ask("hand", **{"end.kind": "rounds"}).json()["options"]["end.value"] == 4
        for game, options, why in (
            ("board-basic", {"board.data": board.replace('"23":5', '"23":3')}, "tile 23 shows 5 oxen"),
            ("board-basic", {"board.data": "/etc/passwd"}, "not the name of a file"),
            ("base", {"board.data": board}, "has no option"),
        ):
            refused = ask(game, **options)
            assert (refused.status_code, refused.json()["code"]) == (400, "bad-request")
            assert why in refused.json()["says"]
        assert call(running, "GET", "/api/tables").json()["tables"] == []
