"""Starting the server from the command line."""

import contextlib
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import msgspec
import pytest

from bullpen.server import run
from bullpen.server.config import Config, data_folder
from bullpen.server.doors.app import App


def test_the_store_is_in_the_users_data_folder_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert Config().store_place == str(data_folder() / "tables.sqlite3")
    assert str(data_folder()) == "/somewhere/bullpen"


def test_the_greeting_shows_a_code_for_phones(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr(run, "own_address", lambda: "192.0.2.7")
    run.greet(Config(host="0.0.0.0"), 8266)
    said = capsys.readouterr().out
    assert "http://localhost:8266/" in said
    assert "http://192.0.2.7:8266/" in said
    assert "█" in said


@pytest.mark.parametrize(
    ("config", "says"),
    [
        (Config(port=99999), "Port 99999 at 127.0.0.1 cannot be used: a port is a number from 0 to 65535."),
        (Config(port=0, host="256.1.1.1"), "Port 0 at 256.1.1.1 cannot be used"),
        (Config(port=0, store="/proc/none/store"), "/proc/none: No such file or directory."),
    ],
)
def test_a_place_that_cannot_be_used_is_one_sentence(tmp_path: Path, config: Config, says: str) -> None:
    if config.store is None:
        config = msgspec.structs.replace(config, store=str(tmp_path / "store.sqlite3"))
    with pytest.raises(run.CannotServe, match=re.escape(says)):
        run.serve(config)


def test_the_store_is_nobody_elses_to_read(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "store.sqlite3"
    App.from_config(Config(store=str(path))).hub.store.close()
    assert path.stat().st_mode & 0o077 == 0


def test_a_port_in_use_is_one_sentence(tmp_path: Path) -> None:
    with run.listen(Config(port=0)) as taken:
        taken.listen()
        with pytest.raises(run.CannotServe, match=r"Port \d+ at 127\.0\.0\.1 cannot be used"):
            run.serve(Config(port=taken.getsockname()[1], store=str(tmp_path / "s.sqlite3")))


def wait_until_it_answers(address: str) -> None:
    for _ in range(200):
        with contextlib.suppress(httpx.TransportError):
            httpx.get(f"{address}healthz", timeout=5)
            return
        time.sleep(0.05)
    raise AssertionError("the server did not answer")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_with_one_sentence(tmp_path: Path, sent: signal.Signals) -> None:
    store = str(tmp_path / "s.sqlite3")
    with subprocess.Popen(
        [
            sys.executable,
            "-m",
            "bullpen.cli",
            "serve",
            "--port",
            "0",
            "--store",
            store,
            "--log-level",
            "error",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        wait_until_it_answers(server.stdout.readline().removeprefix("Tables are open at ").strip())
        server.send_signal(sent)
        said, complained = server.communicate(timeout=20)
    # Strong bots may be compiled meanwhile, which is said and ends with the server.
    assert (said.splitlines()[-1], complained) == (
        "The tables are closed; everything that was confirmed is kept.", "",
    )  # fmt: skip
    assert server.returncode == 0
