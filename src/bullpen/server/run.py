"""Running: `bullpen serve` from a configuration to the last goodbye."""

import contextlib
import gc
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from types import FrameType
from typing import Any

import segno
import uvicorn

from bullpen.engine import BullpenError
from bullpen.server import logs
from bullpen.server.config import Config
from bullpen.server.doors.app import App
from bullpen.server.doors.crowd import Crowd
from bullpen.server.doors.proxies import BehindProxies
from bullpen.server.doors.transport import protocols
from bullpen.server.network import ANYWHERE, own_address
from bullpen.server.protocol import MOST_BYTES
from bullpen.server.store.interface import StoreError

if sys.platform != "win32":
    import resource

MANY_FILES = 10_240
BACKLOG = 4096
PING_SECONDS = 4.0
SILENCE_SECONDS = 20


class CannotServe(BullpenError):
    """The server cannot start, for the reason in its sentence."""


def serve(config: Config) -> None:
    """Serve until interrupted; raise a sentence if that cannot begin."""
    # Whoever sits before the greeting wants to play, not to read what the browser asks for.
    at_home = config.greet and sys.stderr.isatty()
    logs.set_up(config.log_level, requests=config.log_requests and not at_home)
    raise_file_limit()
    try:
        app = App.from_config(config)
        listening = listen(config)
    except StoreError as error:
        raise CannotServe(str(error)) from None
    except OSError as error:
        raise CannotServe(f"{error.filename}: {error.strerror}." if error.filename else str(error)) from None
    if config.greet:
        greet(config, listening.getsockname()[1])
        app.hub.readiness.say = lambda text: print(text, flush=True)
    run(app, config, listening, app.end_streams, app.crowd)
    if config.greet:
        print("The tables are closed; everything that was confirmed is kept.", flush=True)


def raise_file_limit() -> None:
    """Allow as many open connections as the system lets a user have: often only 1,024 are on by default."""
    if sys.platform != "win32":
        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MANY_FILES if most == resource.RLIM_INFINITY else most
        # macOS says that there is no limit and then refuses what it calls too many.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(now, wanted), most))


def listen(config: Config) -> socket.socket:
    """Return a socket that listens where the configuration says."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        # A peer that has gone without a word is found as soon as it leaves something unconfirmed for so long.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * SILENCE_SECONDS)
    try:
        listening.bind((config.host, config.port))
    except (OSError, OverflowError) as error:
        listening.close()
        why = error.strerror if isinstance(error, OSError) else "a port is a number from 0 to 65535"
        raise OSError(f"Port {config.port} at {config.host} cannot be used: {why}.") from None
    # Whoever comes between the greeting and the first answer waits in line.
    listening.listen(BACKLOG)
    return listening


class _Server(uvicorn.Server):
    """Says that the end is near before it waits for open connections."""

    on_exit: Callable[[], None]

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to stop."""
        self.on_exit()
        super().handle_exit(sig, frame)


def run(
    app: Any,
    config: Config,
    listening: socket.socket,
    on_exit: Callable[[], None] = lambda: None,
    crowd: Crowd | None = None,
) -> None:
    """Run an application on this server's stack; `crowd` counts who is connected."""
    http, sockets = protocols(crowd or Crowd(config))
    settings = uvicorn.Config(
        BehindProxies(app, config.trusted_proxies) if config.trusted_proxies else app,
        loop="uvloop" if sys.platform != "win32" else "asyncio",
        http=http,
        ws=sockets,
        ws_max_size=MOST_BYTES,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_per_message_deflate=False,
        lifespan="on",
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=10,
        backlog=BACKLOG,
    )
    # Thousands of long-lived objects make the collector's default pace expensive.
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    server = _Server(settings)
    server.on_exit = on_exit
    # uvicorn raises the signal that ended it once more, after it has stopped in good order.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listening])


def greet(config: Config, port: int) -> None:
    """Say where the tables are; show a code for phones when other machines can reach us; open a browser."""
    own = f"http://{'localhost' if config.host in ANYWHERE else config.host}:{port}/"
    print(f"Tables are open at {own}", flush=True)
    if config.host in ANYWHERE:
        there = f"http://{own_address()}:{port}/"
        print(f"From other devices in this network: {there}", flush=True)
        if sys.stdout.isatty():
            segno.make(there, error="l").terminal(compact=True)
    if config.open_browser:
        threading.Timer(1.0, webbrowser.open, (own,)).start()
