"""Metrics: what the server counts about itself, in the text format of Prometheus."""

import logging
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)

log = logging.getLogger("bullpen.server")


class Gauge(Struct, frozen=True):
    """Something that is measured at this moment."""

    value: float
    says: str


class Metrics:
    """Counters since the start."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.messages = 0
        self.refusals: dict[str, int] = {}
        self.commits = 0
        self.steps = 0
        self.store_faults = 0
        self.dropped = 0
        self.bot_choices = 0
        self.bot_faults = 0
        self.errors = 0
        self.renewals = 0
        self.lease_losses = 0
        self.fenced = 0
        self.handovers = 0
        self.inherited = 0
        self._acks = [0] * (len(BOUNDS) + 1)
        self._ack_seconds = 0.0
        self._clock = clock
        self._pending: dict[int, float] = {}
        self._began = 0
        self._slowest = 0.0

    def refused(self, code: str) -> None:
        """Count a refusal by its code."""
        self.refusals[code] = self.refusals.get(code, 0) + 1

    def fault(self, says: str, table: str) -> None:
        """Count a fault of the server itself at a table, and write down the exception of now."""
        self.errors += 1
        log.exception(says, extra={"table": table})

    def began(self) -> int:
        """Take note of a message that will be acknowledged, and return its number."""
        self._began += 1
        self._pending[self._began] = self._clock()
        return self._began

    def settled(self, number: int, *, acked: bool) -> None:
        """Take note that a message was answered, and count it if it was acknowledged."""
        arrived = self._pending.pop(number, None)
        if arrived is None or not acked:
            return
        seconds = self._clock() - arrived
        self._ack_seconds += seconds
        self._slowest = max(self._slowest, seconds)
        self._acks[bisect_left(BOUNDS, seconds)] += 1

    @property
    def pending(self) -> int:
        """How many messages wait for their acknowledgement."""
        return len(self._pending)

    def lateness(self) -> float:
        """Return how long the slowest message since the last question took, or has waited so far."""
        slowest, self._slowest = self._slowest, 0.0
        return max(slowest, self.oldest())

    def oldest(self) -> float:
        """Return for how many seconds the oldest message has waited for its acknowledgement."""
        arrived = next(iter(self._pending.values()), None)
        return 0.0 if arrived is None else self._clock() - arrived

    def text(self, gauges: Mapping[str, Gauge]) -> str:
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
            "renewals": (self.renewals, "Renewals of the lease of this process."),
            "lease_losses": (self.lease_losses, "Leases that ended, or were ended by others."),
            "fenced": (self.fenced, "Steps refused because another process owns their table."),
            "handovers": (self.handovers, "Times this process gave all its tables to others."),
            "inherited": (self.inherited, "Tables left to this process by others that have stopped."),
        }
        for name, (value, says) in counters.items():
            yield f"# HELP bullpen_{name}_total {says}"
            yield f"# TYPE bullpen_{name}_total counter"
            yield f"bullpen_{name}_total {value}"
        yield "# HELP bullpen_refusals_total Requests refused, by reason."
        yield "# TYPE bullpen_refusals_total counter"
        for code, count in sorted(self.refusals.items()):
            yield f'bullpen_refusals_total{{code="{code}"}} {count}'

    def _gauges(self, gauges: Mapping[str, Gauge]) -> Iterator[str]:
        for name, gauge in gauges.items():
            yield f"# HELP bullpen_{name} {gauge.says}"
            yield f"# TYPE bullpen_{name} gauge"
            yield f"bullpen_{name} {gauge.value:g}"

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
