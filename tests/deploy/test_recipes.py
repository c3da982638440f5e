"""The recipes of deploy/: proxies are started in front of a real server and played through."""

import asyncio
import contextlib
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import httpx
import pytest
import yaml  # type: ignore[import-untyped]
from websockets.asyncio.client import connect

from bullpen.server.supervisor import Supervisor
from tests.server.places import Place
from tests.server.running import Server

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
            answer = httpx.get(f"{address}/healthz", headers={"host": NAME}, trust_env=False, verify=False)
            if answer.status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    raise AssertionError(f"nothing answered at {address}")


def nginx(folder: Path, port: int, server: int) -> list[str]:
    """Return the command that starts nginx with our recipe, at another port."""
    recipe = (DEPLOY / "nginx.conf").read_text()
    secret = certificate(folder)
    changes = {
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "listen 443 ssl http2;": f"listen 127.0.0.1:{port} ssl http2;",
        f"/etc/letsencrypt/live/{NAME}/fullchain.pem": str(secret / "cert.pem"),
        f"/etc/letsencrypt/live/{NAME}/privkey.pem": str(secret / "key.pem"),
        "127.0.0.1:8266": f"127.0.0.1:{server}",
    }
    for there, here in changes.items():
        assert there in recipe
        recipe = recipe.replace(there, here)
    return nginx_with(folder, recipe)


def certificate(folder: Path) -> Path:
    """Make a certificate that nobody but the test believes."""
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    made += ["-days", "2", "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
    made += ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    subprocess.run(made, check=True, capture_output=True)
    return folder


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


@pytest.mark.parametrize(
    ("recipe", "scheme"), [(nginx, "https"), (caddy, "http")], ids=lambda of: getattr(of, "__name__", of)
)
def test_a_table_can_be_played_at_through_the_proxy(recipe: type, scheme: str, tmp_path: Path) -> None:
    installed(recipe.__name__)
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
        wait_for(f"{scheme}://127.0.0.1:{port}")
        asyncio.run(sit_down(scheme, port))


async def sit_down(scheme: str, port: int) -> None:
    """Make a table and follow it over a socket, as a browser that knows the public name and port would."""
    place, trusting = f"{NAME}:{port}", ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    headers = {"host": place, "origin": f"{scheme}://{place}"}
    async with httpx.AsyncClient(
        base_url=f"{scheme}://127.0.0.1:{port}", headers=headers, trust_env=False, verify=trusting
    ) as http:
        me = await http.post("/api/me", json={"name": "Ann"})
        assert me.status_code == 200, me.text
        assert ("strict-transport-security" in me.headers) == (scheme == "https")
        other = await http.post("/api/me", json={"name": "Eve"}, headers={"origin": f"{scheme}://{NAME}:1"})
        assert other.status_code == 403
        cookie = f"bullpen={me.cookies['bullpen']}"
        wish = {"game": "base", "players": 2, "name": "Ann", "bots": ["random"], "start": True}
        made = await http.post("/api/tables", json=wish, headers={"cookie": cookie})
        assert made.status_code == 201, made.text
    async with connect(
        f"{scheme.replace('http', 'ws')}://{place}/ws/{made.json()['table']['code']}",
        host="127.0.0.1",
        port=port,
        ssl=trusting if scheme == "https" else None,
        origin=f"{scheme}://{place}",  # type: ignore[arg-type]
        additional_headers={"cookie": cookie},
        proxy=None,
    ) as table:
        await table.send(json.dumps({"type": "resume", "id": "1", "last": 0}))
        snapshot = json.loads(await asyncio.wait_for(table.recv(), WAIT_SECONDS))
    assert snapshot["you"]["seat"] == 0


def installed(program: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")


def said_by(*command: str) -> str:
    """Run a command that must succeed, and return what it says."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_units_are_such_as_systemd_understands(tmp_path: Path) -> None:
    installed("systemd-analyze")
    program = tmp_path / "bullpen"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    units = sorted([*DEPLOY.glob("*.service"), *DEPLOY.glob("*.timer")])
    for unit in units:
        text = unit.read_text().replace("/opt/bullpen/bin/bullpen", str(program))
        (tmp_path / unit.name).write_text(text)
    services = [unit for unit in units if unit.suffix == ".service"]
    assert all("/opt/bullpen/bin/bullpen" in unit.read_text() for unit in services)
    said = said_by("systemd-analyze", "verify", *(str(tmp_path / unit.name) for unit in units))
    assert "bullpen" not in said, said


@pytest.mark.parametrize("unit", sorted(path.name for path in DEPLOY.glob("*.service")))
def test_a_unit_gives_its_program_little_to_do_harm_with(unit: str) -> None:
    installed("systemd-analyze")
    said = said_by("systemd-analyze", "security", "--offline=true", str(DEPLOY / unit))
    level = re.search(rf"Overall exposure level for {unit}: ([\d.]+)", said)
    assert level is not None, said
    assert float(level[1]) <= 2.0


def test_the_server_tells_systemd_that_it_is_ready_and_well(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(tmp_path / "notify"))
        ear.settimeout(WAIT_SECONDS)
        told = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "300000"}
        own = [sys.executable, "-m", "bullpen.server", "--port", "0", "--store", str(tmp_path / "s.sqlite3")]
        process = subprocess.Popen(
            own, env={**os.environ, **told}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            heard = [ear.recv(100) for _ in range(4)]
            process.terminate()
            while heard[-1] != b"STOPPING=1":
                heard.append(ear.recv(100))
        finally:
            process.kill()
            process.wait(timeout=WAIT_SECONDS)
    assert heard.count(b"READY=1") == 1
    assert heard.count(b"WATCHDOG=1") >= 3


def test_a_server_that_only_a_restart_would_help_says_nothing() -> None:
    told: list[str] = []

    class Heard(Supervisor):
        def tell(self, word: str) -> None:
            told.append(word)

    async def for_a_while(dead: str) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.1):
                await Heard({"WATCHDOG_USEC": "30000"}).reassure(lambda: dead)

    asyncio.run(for_a_while("Nothing is being written."))
    assert told == []
    asyncio.run(for_a_while(""))
    assert set(told) == {"WATCHDOG=1"}


def test_alerts_ask_for_what_the_server_measures(tmp_path: Path) -> None:
    rules = DEPLOY / "alerts.yaml"
    server = Server(Place("sqlite", tmp_path))
    server.start()
    try:
        text = httpx.get(f"{server.url}/metrics", trust_env=False).text
    finally:
        server.stop()
    measured = set(re.findall(r"^(bullpen_\w+?)(?:\{.*\})? ", text, re.MULTILINE))
    assert set(re.findall(r"\bbullpen_\w+", rules.read_text())) - measured == set()
    installed("promtool")
    assert "SUCCESS" in said_by("promtool", "check", "rules", str(rules))


def test_logs_are_rotated_as_logrotate_understands(tmp_path: Path) -> None:
    installed("logrotate")
    copy = tmp_path / "bullpen"
    copy.write_text((DEPLOY / "logrotate.conf").read_text())
    copy.chmod(0o644)
    assert "error:" not in said_by("logrotate", "--debug", "--state", str(tmp_path / "state"), str(copy))


def test_processes_in_containers_trust_their_proxy_and_nobody_else() -> None:
    found = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    (proxy,) = found["services"]["proxy"]["networks"].values()
    for name, service in found["services"].items():
        if name.startswith("table-"):
            assert service["environment"]["BULLPEN_PROXY"] == proxy["ipv4_address"]


def test_every_variable_of_the_recipes_is_a_setting() -> None:
    from bullpen.server.settings import SETTINGS

    known = {setting.variable for setting in SETTINGS}
    for recipe in DEPLOY.iterdir():
        words = recipe.read_text().replace("=", " ").replace(":", " ").split()
        assert {word for word in words if word.startswith("BULLPEN_")} <= known, recipe.name
