"""Metrics: what the server counts about itself, in the text format of Prometheus."""

import logging
from collections.abc import Iterator

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)

log = logging.getLogger("bullpen.server")


class Metrics:
    """Counters since the start."""

    def __init__(self) -> None:
        self.messages = 0
        self.refusals: dict[str, int] = {}
        self.commits = 0
        self.steps = 0
        self.store_faults = 0
        self.dropped = 0
        self.bot_choices = 0
        self.bot_faults = 0
        self.errors = 0
        self._acks = [0] * (len(BOUNDS) + 1)
        self._ack_seconds = 0.0

    def refused(self, code: str) -> None:
        """Count a refusal by its code."""
        self.refusals[code] = self.refusals.get(code, 0) + 1

    def fault(self, says: str, table: str) -> None:
        """Count a fault of the server itself at a table, and write down the exception of now."""
        self.errors += 1
        log.exception(says, extra={"table": table})

    def acked(self, seconds: float) -> None:
        """Count a message that was acknowledged after so long."""
        self._ack_seconds += seconds
        for place, bound in enumerate(BOUNDS):
            if seconds <= bound:
                self._acks[place] += 1
                return
        self._acks[-1] += 1

    def text(self, gauges: dict[str, float]) -> str:
        """Return everything as text, with what is measured at this moment."""
        return "\n".join([*self._counters(), *self._gauges(gauges), *self._histogram()]) + "\n"

    def _counters(self) -> Iterator[str]:
        counters = {
            "messages": (self.messages, "Messages received from clients."),
            "commits": (self.commits, "Groups committed to the store."),
            "steps": (self.steps, "Steps committed to the store."),
            "store_faults": (self.store_faults, "Groups that the store could not write."),
            "dropped": (self.dropped, "Connections dropped because they read too slowly."),
            "bot_choices": (self.bot_choices, "Choices made by bots."),
            "bot_faults": (self.bot_faults, "Choices that a bot failed to make in time."),
            "errors": (self.errors, "Faults of the server itself."),
        }
        for name, (value, says) in counters.items():
            yield f"# HELP bullpen_{name}_total {says}"
            yield f"# TYPE bullpen_{name}_total counter"
            yield f"bullpen_{name}_total {value}"
        yield "# HELP bullpen_refusals_total Requests refused, by reason."
        yield "# TYPE bullpen_refusals_total counter"
        for code, count in sorted(self.refusals.items()):
            yield f'bullpen_refusals_total{{code="{code}"}} {count}'

    def _gauges(self, gauges: dict[str, float]) -> Iterator[str]:
        for name, value in gauges.items():
            yield f"# TYPE bullpen_{name} gauge"
            yield f"bullpen_{name} {value}"

    def _histogram(self) -> Iterator[str]:
        yield "# HELP bullpen_ack_seconds From a choice's arrival to its acknowledgement."
        yield "# TYPE bullpen_ack_seconds histogram"
        total = 0
        for bound, count in zip(BOUNDS, self._acks, strict=False):
            total += count
            yield f'bullpen_ack_seconds_bucket{{le="{bound}"}} {total}'
        total += self._acks[-1]
        yield f'bullpen_ack_seconds_bucket{{le="+Inf"}} {total}'
        yield f"bullpen_ack_seconds_sum {self._ack_seconds:.6f}"
        yield f"bullpen_ack_seconds_count {total}"
