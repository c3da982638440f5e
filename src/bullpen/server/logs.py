"""Logs: a line of JSON per event and per request, without anything secret."""

import atexit
import json
import logging
import queue
import sys
from logging.handlers import QueueHandler, QueueListener

FIELDS = (
    "table", "why", "kind", "count", "method", "route", "status", "bytes", "milliseconds", "seconds",
    "address",
)  # fmt: skip
REQUESTS = "bullpen.server.requests"
"""The logger that gets a line a request."""
MOST_WAITING = 10_000
"""So many lines wait for a slow reader of the log; more are lost, and nobody waits for it."""


class Lines(logging.Formatter):
    """Writes a log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "says": record.getMessage(),
            **{field: getattr(record, field) for field in FIELDS if hasattr(record, field)},
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


class Later(QueueHandler):
    """Hands lines to a thread that writes them: a table must never wait for whoever reads the log."""

    def enqueue(self, record: logging.LogRecord) -> None:
        """Let a line wait, unless there are too many."""
        try:
            self.queue.put_nowait(record)
        except queue.Full:
            return


def no_client_traces(record: logging.LogRecord) -> bool:
    """A client that sends nonsense is no fault of the server: say it in a line, without a trace."""
    if record.name == "uvicorn.error" and "UTF-8" in record.getMessage():
        record.exc_info = None
    return True


def set_up(level: str, *, requests: bool = True) -> None:
    """Send all logs of the server to standard error, a line each; those of requests only where wanted."""
    waiting: queue.Queue[logging.LogRecord] = queue.Queue(MOST_WAITING)
    handler = Later(waiting)
    handler.setFormatter(Lines())
    handler.addFilter(no_client_traces)
    writer = QueueListener(waiting, logging.StreamHandler(sys.stderr))
    writer.start()
    atexit.register(writer.stop)
    levels = {
        "bullpen.server": level,
        REQUESTS: level if requests else "warning",
        "uvicorn.error": "warning",
        "websockets": "critical",
    }
    for name, wanted in levels.items():
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(wanted.upper())
