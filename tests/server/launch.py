"""A real server process for the tests: the product's own application, with fixed sources and a few hooks."""

import argparse
import random
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bullpen.engine import imagine, view
from bullpen.server import logs
from bullpen.server.config import Config
from bullpen.server.doors.app import App
from bullpen.server.limits import Limits, unlimited
from bullpen.server.run import listen, run
from bullpen.server.sources import LETTERS, Sources

LEASE = 1.0


class Fixed(Sources):
    """Codes, ids and secrets that are the same in every run with the same seed."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def secret(self) -> str:
        return self._random.randbytes(32).hex()

    def code(self) -> str:
        return "".join(self._random.choices(LETTERS, k=4))

    def table_id(self) -> str:
        return self._random.randbytes(8).hex()


def another_world(app: App) -> Route:
    """A hook that re-deals, behind everybody's back, all that one seat cannot see."""

    async def swap(request: Request) -> Response:
        body = await request.json()
        room = await app.hub.find(body["table"])
        game: Any = room.table.game
        seen = view(game.rules, game.position, body["seat"])
        before = game.position
        game.position = imagine(game.rules, seen, random.Random(body["seed"]))
        changed = before.hands != game.position.hands or before.deck != game.position.deck
        return JSONResponse({"changed": changed})

    return Route("/test/swap", swap, methods=["POST"])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--store", required=True)
    parser.add_argument("--seed")
    parser.add_argument("--limited", action="store_true")
    parser.add_argument("--host-grace", type=float, default=30.0)
    parser.add_argument("--archive-after", type=float, default=86400.0)
    parser.add_argument("--host-name", action="append", default=[])
    parser.add_argument("--proxy", action="append", default=[])
    parser.add_argument("--sign-up", action=argparse.BooleanOptionalAction, default=True)
    arguments = parser.parse_args()
    config = Config(
        port=arguments.port,
        store=arguments.store,
        limits=Limits() if arguments.limited else unlimited(),
        host_grace=arguments.host_grace,
        archive_after=arguments.archive_after,
        bot_workers=1,
        lease=LEASE,
        host_names=tuple(arguments.host_name),
        trusted_proxies=tuple(arguments.proxy),
        sign_up=arguments.sign_up,
    )
    logs.set_up("info")
    app = App.from_config(config, Fixed(arguments.seed) if arguments.seed else Sources())
    app.http.routes.insert(0, another_world(app))
    listening = listen(config)
    print(f"port {listening.getsockname()[1]}", flush=True)
    run(app, config, listening, app.end_streams, app.crowd)


if __name__ == "__main__":
    main()
