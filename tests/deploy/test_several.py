"""Several processes behind a proxy as deploy/compose.yaml puts them together, but without containers."""

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
import yaml  # type: ignore[import-untyped]
from msgspec import Struct

from tests.conftest import SOAK
from tests.deploy.test_recipes import DEPLOY, NAME, caddy_with, free_port, nginx_with, running, wait_for
from tests.server.client import Stubborn, full_table, run
from tests.server.places import Place
from tests.server.running import Server
from tests.server.test_crash import confirmed, keep_folded_steps, logs

SHORT = {"end.kind": "rounds", "end.value": 3}
INSIDE = ("table-1:8266", "table-2:8266", "table-3:8266")
"""Where the proxies of the recipes find the processes."""


def nginx(folder: Path, port: int, servers: list[int]) -> list[str]:
    recipe = (DEPLOY / "nginx-several.conf").read_text()
    assert "listen 80 default_server;" in recipe
    recipe = recipe.replace("listen 80 default_server;", f"listen 127.0.0.1:{port};")
    return nginx_with(folder, _at(recipe, servers))


def caddy(folder: Path, port: int, servers: list[int]) -> list[str]:
    recipe = (DEPLOY / "Caddyfile-several").read_text()
    assert f"{NAME} {{" in recipe
    recipe = recipe.replace(f"{NAME} {{", f"http://127.0.0.1:{port} {{")
    return caddy_with(folder, _at(recipe, servers))


def _at(recipe: str, servers: list[int]) -> str:
    for name, port in zip(INSIDE, servers, strict=True):
        assert name in recipe
        recipe = recipe.replace(name, f"127.0.0.1:{port}")
    return recipe


def environment(place: Place, port: int) -> dict[str, str]:
    """What the file for compose gives every process, with places of this machine for those inside of it."""
    found: Any = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    processes = [name for name in found["services"] if f"{name}:8266" in INSIDE]
    assert len(processes) == len(INSIDE)
    (given,) = {tuple(found["services"][name]["environment"].items()) for name in processes}
    here = {
        "BULLPEN_STORE": place.name,
        "BULLPEN_HOST": "127.0.0.1",
        "BULLPEN_PORT": str(port),
        "BULLPEN_LINK": "127.0.0.1:0",
        "BULLPEN_PROXY": "127.0.0.0/8",
        "BULLPEN_HOST_NAME": NAME,
        "BULLPEN_LEASE": "1",
    }
    return {**os.environ, **dict(given), **here}


class Front(Struct):
    """The proxy, as people see it: one address for all processes."""

    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def ws(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws/"


@contextlib.contextmanager
def process(place: Place, port: int) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "bullpen.server"]
    with place.log.open("a") as log:
        started = subprocess.Popen(
            command, env=environment(place, port), stdout=subprocess.DEVNULL, stderr=log
        )
    try:
        yield started
    finally:
        started.kill()
        started.wait(timeout=30)


def owner(ports: list[int]) -> int:
    """Return which of the processes owns the table."""
    texts = [httpx.get(f"http://127.0.0.1:{port}/metrics", trust_env=False).text for port in ports]
    return next(number for number, text in enumerate(texts) if "\nbullpen_owned_tables 1" in text)


@pytest.mark.parametrize("recipe", [nginx, caddy] if SOAK else [nginx], ids=lambda recipe: recipe.__name__)
def test_people_play_on_through_the_proxy_when_a_process_is_killed(
    recipe: Callable[..., list[str]], tmp_path: Path
) -> None:
    if shutil.which(recipe.__name__) is None:
        pytest.skip(f"{recipe.__name__} is not installed")
    place = Place("postgres", tmp_path)
    keep_folded_steps(place)
    ports, front = [free_port() for _ in INSIDE], Front(free_port())
    with ExitStack() as stack:
        processes = [stack.enter_context(process(place, port)) for port in ports]
        for port in ports:
            wait_for(f"http://127.0.0.1:{port}")
        stack.enter_context(running(*recipe(tmp_path, front.port, ports)))
        wait_for(front.url)
        code, cookies = full_table(cast(Server, front), "base", 4, options=SHORT)
        people = [
            Stubborn(cast(Server, front), code, cookie, f"{code}{seat}")
            for seat, cookie in enumerate(cookies)
        ]
        for somebody in people:
            somebody.host = people[0]

        async def play() -> None:
            stop = asyncio.Event()
            players = [asyncio.create_task(somebody.play_on(0.2, stop)) for somebody in people]
            await told_more(people, 8)
            processes[owner(ports)].send_signal(signal.SIGKILL)
            await told_more(people, 8)
            stop.set()
            await asyncio.wait_for(asyncio.gather(*players), 120)

        run(play())
    assert confirmed(logs(place), {code: people}) > 60
    assert "Traceback" not in place.log.read_text()


async def told_more(people: list[Stubborn], steps: int) -> None:
    """Wait until everybody has heard of so many more steps."""
    wanted = [somebody.last + steps for somebody in people]
    async with asyncio.timeout(60):
        while any(somebody.last < number for somebody, number in zip(people, wanted, strict=True)):
            await asyncio.sleep(0.05)
