"""Firefox and WebKit for the tests, driven over their standard interfaces with a handful of verbs.

Firefox speaks WebDriver BiDi over a WebSocket, without a driver. WebKitGTK's MiniBrowser speaks WebDriver
over HTTP through WebKitWebDriver, on a screen of Xvfb. Playwright drives neither: it needs builds of its own.
"""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import httpx
from websockets.sync.client import connect

T = TypeVar("T")
WIDTH, HEIGHT = 1440, 900
FRAME = 0.06
"""So many seconds after the last look an element that moves has moved."""
NOWHERE = "127.0.0.1:9"
"""A proxy that is not there: Firefox reaches the server on this machine and nothing else."""

MIDDLE = """(() => {
  const free = (node) => !node.disabled && node.getAttribute("aria-disabled") !== "true";
  const node = [...document.querySelectorAll(%s)].find((one) => one.checkVisibility() && free(one));
  node?.scrollIntoView({ block: "nearest", behavior: "instant" });
  const box = node?.getBoundingClientRect();
  const middle = box && [box.x + box.width / 2, box.y + box.height / 2].map(Math.round);
  return middle && node.contains(document.elementFromPoint(...middle)) ? middle : null;
})()"""
"""The middle of the first element that a mouse can click there, or null."""


class Missing(Exception):
    """A program that an engine needs is not installed; the sentence names it."""


class Engine(ABC):
    """A browser with one page, started with a home of its own in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._complaints: list[str] = []
        self._open = contextlib.ExitStack()
        """Processes and connections, ended by `close`."""

    @abstractmethod
    def start(self) -> None:
        """Start the browser, or raise `Missing`."""

    @abstractmethod
    def open(self, address: str) -> None:
        """Open a page and wait until it is loaded."""

    @abstractmethod
    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression in the page, as JSON."""

    @abstractmethod
    def _act(self, mouse: list[dict[str, Any]]) -> None:
        """Move and press the mouse."""

    def until(self, expression: str, seconds: float = 60) -> Any:
        """Wait until an expression is true, and return its value; if it never is, tell what the page says."""
        try:
            return patiently(lambda: self.evaluate(expression), expression, seconds)
        except AssertionError as vain:
            said = self.evaluate("document.body.innerText")
            raise AssertionError(f"{vain}; {self.complaints()}; the page says:\n{said}") from None

    def click(self, selector: str) -> None:
        """Click the first visible element in its middle, as soon as it stands still and nothing covers it."""
        middle = MIDDLE % json.dumps(selector)
        before, now = None, self.until(middle)
        while now != before:
            time.sleep(FRAME)
            before, now = now, self.until(middle)
        x, y = now
        presses = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        self._act([{"type": "pointerMove", "x": x, "y": y}, *presses])

    def text(self, selector: str) -> str:
        """Return the text of the first element, as soon as it has one."""
        found = self.until(f"document.querySelector({json.dumps(selector)})?.innerText")
        assert isinstance(found, str)
        return found

    def complaints(self) -> list[str]:
        """Return the errors since the last call: of scripts, and of requests if the engine reports them."""
        found, self._complaints = self._complaints, []
        return found

    def close(self) -> None:
        """End what was started."""
        self._open.close()

    def _run(self, *command: str, pipes: tuple[int, ...] = (), **environment: str) -> None:
        own = {"HOME": str(self._folder), "XDG_RUNTIME_DIR": str(self._folder), **environment}
        with (self._folder / "engine.log").open("ab") as log:
            process = subprocess.Popen(
                command,
                env={**os.environ, **own},
                stdout=log,
                stderr=log,
                pass_fds=pipes,
                start_new_session=True,
            )
        self._open.callback(end, process)


class Firefox(Engine):
    """Firefox without a window."""

    _sent = 0

    def start(self) -> None:
        path, profile = program("firefox-esr", "firefox"), str(self._folder)
        self._run(path, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0")
        told = self._folder / "WebDriverBiDiServer.json"
        patiently(lambda: told.exists() and told.read_text().rstrip().endswith("}"), "Firefox to start", 60)
        port = json.loads(told.read_text())["ws_port"]
        wire = connect(f"ws://127.0.0.1:{port}/session", max_size=None, proxy=None)
        self._socket = self._open.enter_context(wire)
        proxy = {"proxyType": "manual", "httpProxy": NOWHERE, "sslProxy": NOWHERE}
        self._ask("session.new", capabilities={"alwaysMatch": {"proxy": proxy}})
        self._ask("session.subscribe", events=["log.entryAdded", "network.responseCompleted"])
        self._page = self._ask("browsingContext.getTree")["contexts"][0]["context"]
        size = {"width": WIDTH, "height": HEIGHT}
        self._ask("browsingContext.setViewport", context=self._page, viewport=size)

    def open(self, address: str) -> None:
        self._ask("browsingContext.navigate", context=self._page, url=address, wait="complete")

    def evaluate(self, expression: str) -> Any:
        told = self._ask(
            "script.evaluate",
            expression=f"JSON.stringify({expression}) ?? null",
            target={"context": self._page},
            awaitPromise=False,
        )
        assert told["type"] == "success", told
        return json.loads(told["result"].get("value", "null"))

    def _act(self, mouse: list[dict[str, Any]]) -> None:
        actions = [{"type": "pointer", "id": "mouse", "actions": mouse}]
        self._ask("input.performActions", context=self._page, actions=actions)

    def _ask(self, method: str, **params: Any) -> Any:
        """Send a command and return its result; hear the events that arrive before it."""
        self._sent += 1
        self._socket.send(json.dumps({"id": self._sent, "method": method, "params": params}))
        while True:
            told = json.loads(self._socket.recv(timeout=60))
            if told["type"] == "event":
                self._hear(told["params"])
            elif told["id"] == self._sent:
                assert told["type"] == "success", f"{method}: {told}"
                return told["result"]

    def _hear(self, told: dict[str, Any]) -> None:
        response = told.get("response", {})
        if told.get("level") == "error":
            self._complaints.append(told["text"])
        elif response.get("status", 0) >= 400:
            self._complaints.append(f"{response['status']} {response['url']}")


class WebKit(Engine):
    """MiniBrowser of WebKitGTK, which has the engine of Safari."""

    _LISTEN = """(() => {
      const heard = (window.complaints = []);
      const told = (event) => event.message ?? event.target.outerHTML;
      // A size that is observed a frame later is an error event in name only.
      const wrong = (event) => !told(event).startsWith("ResizeObserver loop completed");
      addEventListener("error", (event) => wrong(event) && heard.push(told(event)), true);
      addEventListener("unhandledrejection", (event) => heard.push(String(event.reason)));
      console.error = (...words) => heard.push(words.join(" "));
    })()"""
    """Keeps the errors of a page once it is loaded, since WebDriver does not report them."""

    _session = ""

    def start(self) -> None:
        driver = program("WebKitWebDriver")
        port = _free_port()
        # The sandbox needs what containers lack, and the only page is our own.
        self._run(
            driver,
            f"--port={port}",
            DISPLAY=self._screen(),
            NO_AT_BRIDGE="1",
            WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS="1",
        )
        client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False)
        self._http = self._open.enter_context(client)
        patiently(self._ready, "WebKitWebDriver to start", 60)
        self._session = f"/session/{self._ask('/session', capabilities={})['sessionId']}"
        self._ask("/window/rect", x=0, y=0, width=WIDTH, height=HEIGHT)

    def open(self, address: str) -> None:
        self._collect()
        self._ask("/url", url=address)
        self.evaluate(self._LISTEN)

    def evaluate(self, expression: str) -> Any:
        return self._ask("/execute/sync", script=f"return {expression}", args=[])

    def complaints(self) -> list[str]:
        self._collect()
        return super().complaints()

    def _collect(self) -> None:
        self._complaints += self.evaluate("window.complaints?.splice(0) ?? []")

    def _act(self, mouse: list[dict[str, Any]]) -> None:
        self._ask("/actions", actions=[{"type": "pointer", "id": "mouse", "actions": mouse}])

    def _ask(self, path: str, **body: Any) -> Any:
        answer = self._http.post(self._session + path, json=body)
        assert answer.status_code == 200, f"{path}: {answer.text}"
        return answer.json()["value"]

    def _ready(self) -> bool:
        with contextlib.suppress(httpx.TransportError):
            return self._http.get("/status").status_code == 200
        return False

    def _screen(self) -> str:
        """Start a screen that nobody sees, and return its name."""
        read, write = os.pipe()
        screen = f"{WIDTH}x{HEIGHT}x24"
        displayed = ["-displayfd", str(write), "-screen", "0", screen, "-nolisten", "tcp"]
        self._run(program("Xvfb"), *displayed, pipes=(write,))
        os.close(write)
        with os.fdopen(read) as told:
            return f":{told.readline().strip()}"


ENGINES = (Firefox, WebKit)


def program(*names: str) -> str:
    """Return the path of the first program that is installed."""
    for name in names:
        if found := shutil.which(name):
            return found
    raise Missing(f"{names[0]} is not installed")


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it has started."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, how)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=5)


def patiently(look: Callable[[], T], what: str, seconds: float) -> T:
    """Look until there is something."""
    end = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < end, f"waited {seconds} s in vain for {what}"
        time.sleep(0.02)
    return found


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
