"""The recipes of deploy/: proxies are started in front of a real server and played through."""

import asyncio
import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
NAME = "play.example.org"
WAIT_SECONDS = 30


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running(*command: str) -> Iterator[None]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(timeout=30)


def wait_for(address: str) -> None:
    end = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < end:
        try:
            if httpx.get(f"{address}/healthz", headers={"host": NAME}, trust_env=False).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    raise AssertionError(f"nothing answered at {address}")


def nginx(folder: Path, port: int, server: int) -> list[str]:
    """Return the command that starts nginx with our recipe, at another port."""
    recipe = (DEPLOY / "nginx.conf").read_text()
    assert "listen 80;" in recipe
    recipe = recipe.replace("listen 80;", f"listen 127.0.0.1:{port};").replace(
        "127.0.0.1:8266", f"127.0.0.1:{server}"
    )
    return nginx_with(folder, recipe)


def nginx_with(folder: Path, recipe: str) -> list[str]:
    """Return the command that starts nginx with a recipe, without a daemon."""
    places = "".join(
        f"{kind}_temp_path {folder / kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = folder / "nginx.conf"
    whole.write_text(
        f"daemon off; pid {folder / 'pid'}; error_log {folder / 'error.log'};\n"
        f"events {{}}\nhttp {{ access_log off; {places}\n{recipe} }}\n"
    )
    return ["nginx", "-p", str(folder), "-c", str(whole)]


def caddy(folder: Path, port: int, server: int) -> list[str]:
    """Return the command that starts Caddy with our recipe, at another port and without TLS."""
    recipe = (DEPLOY / "Caddyfile").read_text()
    assert f"{NAME} {{" in recipe
    recipe = recipe.replace(f"{NAME} {{", f"http://{NAME}:{port} {{").replace(
        "127.0.0.1:8266", f"127.0.0.1:{server}"
    )
    return caddy_with(folder, recipe)


def caddy_with(folder: Path, recipe: str) -> list[str]:
    """Return the command that starts Caddy with a recipe."""
    whole = folder / "Caddyfile"
    whole.write_text(f"{{\n\tadmin off\n\tstorage file_system {folder}\n}}\n{recipe}")
    return ["caddy", "run", "--config", str(whole), "--adapter", "caddyfile"]


@pytest.mark.parametrize("recipe", [nginx, caddy], ids=lambda recipe: recipe.__name__)
def test_a_table_can_be_played_at_through_the_proxy(recipe: type, tmp_path: Path) -> None:
    if shutil.which(recipe.__name__) is None:
        pytest.skip(f"{recipe.__name__} is not installed")
    server, port = free_port(), free_port()
    own = [
        sys.executable,
        "-m",
        "bullpen.server",
        "--port",
        str(server),
        "--store",
        str(tmp_path / "s.sqlite3"),
    ]
    with ExitStack() as stack:
        stack.enter_context(running(*own, "--proxy", "127.0.0.1", "--host-name", NAME))
        wait_for(f"http://127.0.0.1:{server}")
        stack.enter_context(running(*recipe(tmp_path, port, server)))
        wait_for(f"http://127.0.0.1:{port}")
        asyncio.run(sit_down(port))


async def sit_down(port: int) -> None:
    """Make a table and follow it over a socket, as a browser that knows the public name would."""
    headers = {"host": NAME, "origin": f"http://{NAME}"}
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{port}", headers=headers, trust_env=False
    ) as http:
        me = await http.post("/api/me", json={"name": "Ann"})
        assert me.status_code == 200, me.text
        cookie = f"bullpen={me.cookies['bullpen']}"
        wish = {"game": "base", "players": 2, "name": "Ann", "bots": ["random"], "start": True}
        made = await http.post("/api/tables", json=wish, headers={"cookie": cookie})
        assert made.status_code == 201, made.text
    async with connect(
        f"ws://{NAME}/ws/{made.json()['table']['code']}",
        host="127.0.0.1",
        port=port,
        origin=f"http://{NAME}",  # type: ignore[arg-type]
        additional_headers={"cookie": cookie},
        proxy=None,
    ) as table:
        await table.send(json.dumps({"type": "resume", "id": "1", "last": 0}))
        snapshot = json.loads(await asyncio.wait_for(table.recv(), WAIT_SECONDS))
    assert snapshot["you"]["seat"] == 0


def test_the_unit_is_one_that_systemd_understands(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed")
    program = tmp_path / "bullpen"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unit = (DEPLOY / "bullpen.service").read_text()
    assert "/opt/bullpen/bin/bullpen" in unit
    copy = tmp_path / "bullpen.service"
    copy.write_text(unit.replace("/opt/bullpen/bin/bullpen", str(program)))
    said = subprocess.run(
        ["systemd-analyze", "verify", str(copy)], capture_output=True, text=True, check=False
    )
    assert "bullpen.service" not in said.stderr, said.stderr
    assert said.returncode == 0, said.stderr


def test_every_variable_of_the_recipes_is_a_setting() -> None:
    from bullpen.server.settings import SETTINGS

    known = {setting.variable for setting in SETTINGS}
    for recipe in DEPLOY.iterdir():
        words = recipe.read_text().replace("=", " ").replace(":", " ").split()
        assert {word for word in words if word.startswith("BULLPEN_")} <= known, recipe.name
