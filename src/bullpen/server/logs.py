"""Logs: a line of JSON per event, without anything secret."""

import json
import logging
import sys

FIELDS = ("table", "why", "kind", "count", "address")


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


def no_client_traces(record: logging.LogRecord) -> bool:
    """A client that sends nonsense is no fault of the server: say it in a line, without a trace."""
    if record.name == "uvicorn.error" and "UTF-8" in record.getMessage():
        record.exc_info = None
    return True


def set_up(level: str) -> None:
    """Send all logs of the server to standard error, a line each."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines())
    handler.addFilter(no_client_traces)
    for name, wanted in (("bullpen.server", level), ("uvicorn.error", "warning"), ("websockets", "critical")):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(wanted.upper())
