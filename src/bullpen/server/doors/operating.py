"""Operating: what the server says about itself to those who run it."""

import os
import sys
from pathlib import Path

from starlette.responses import PlainTextResponse, Response

from bullpen.server.doors.crowd import Crowd
from bullpen.server.doors.door import Door
from bullpen.server.doors.sharing import Sharing
from bullpen.server.live.bots import Pool
from bullpen.server.live.metrics import Gauge
from bullpen.server.store.interface import Replaced

FORGOTTEN = 60.0
"""A message that has waited for so many seconds although the store works is answered by nobody any more."""


class Operating:
    """Liveness, readiness and gauges, measured when somebody asks."""

    def __init__(self, door: Door, crowd: Crowd, pool: Pool, sharing: Sharing | None = None) -> None:
        self._door = door
        self._crowd = crowd
        self._pool = pool
        self._sharing = sharing

    def dead(self) -> str:
        """Return why only a new process would help, if so."""
        hub = self._door.hub
        if not hub.writer.alive:
            return "Nothing is being written."
        if isinstance(hub.writer.fault, Replaced):
            return "Another store lies where this one was; start the server again to use it."
        if not (hub.chores.alive and (self._sharing is None or self._sharing.chores.alive)):
            return "What should go on for ever has ended."
        if hub.metrics.oldest() > FORGOTTEN and hub.writer.trouble is None:
            return "Messages are not answered."
        return ""

    def unready(self) -> str:
        """Return why nobody new should be sent here now, if so."""
        if self._door.closing.is_set():
            return "The server stops."
        if self._door.pulse.busy:
            return "The server is busy."
        owners = self._door.hub.owners
        if owners is not None and not owners.held:
            return "This process has no lease."
        return self._door.hub.writer.trouble or ""

    def gauges(self) -> dict[str, Gauge]:
        """Return what is measured at this moment."""
        hub, door = self._door.hub, self._door
        listeners = [listener for room in hub.rooms.values() for listener in room.listeners]
        return {
            "memory_bytes": Gauge(memory(), "Resident memory of this process."),
            "loop_lag_seconds": Gauge(door.pulse.lag, "By how much the event loop was late."),
            "behind_seconds": Gauge(door.pulse.behind, "How long the slowest recent message waited."),
            "busy": Gauge(door.pulse.busy, "Whether new tables and guests are refused."),
            "storage_ok": Gauge(hub.writer.trouble is None, "Whether the store can be written."),
            "writer_alive": Gauge(hub.writer.alive, "Whether the writer runs."),
            "pending_messages": Gauge(hub.metrics.pending, "Messages that wait for their acknowledgement."),
            "writer_queue": Gauge(hub.writer.waiting, "Tables whose steps wait to be written."),
            "bot_queue": Gauge(self._pool.waiting, "Decisions that wait for a bot's process."),
            "analysis_queue": Gauge(door.analyst.waiting, "Hints and reviews that wait for their turn."),
            "record_queue": Gauge(door.library.waiting, "Records that wait to be read."),
            "tables": Gauge(len(hub.rooms), "Tables in memory."),
            "people": Gauge(len({one.who for one in listeners if one.who}), "Identities that are connected."),
            "listeners": Gauge(len(listeners), "Sockets and streams that follow a table."),
            "connections": Gauge(self._crowd.total, "Open connections of any kind."),
            "sockets": Gauge(door.sockets.total(), "Open WebSocket connections."),
            "streams": Gauge(door.streams.total(), "Open streams of bots."),
            "turned_away": Gauge(self._crowd.refused, "Connections ended unheard since the start."),
            "remembered": Gauge(door.remembered(), "Addresses and people whose budgets are kept."),
            **({} if self._sharing is None else self._sharing.gauges()),
        }


def memory() -> int:
    """Return the resident memory of this process in bytes; 0 where it cannot be told."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return _peak()
    return pages * os.sysconf("SC_PAGE_SIZE")


def _peak() -> int:
    if sys.platform == "win32":
        return 0
    import resource  # noqa: PLC0415  only where there is one

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else 1024 * most


def forbidden() -> Response:
    """Return the answer to somebody whom the figures do not concern."""
    return PlainTextResponse("Metrics are for this machine only.", 403)
