"""The crowd: everybody who is connected, how many may come from one address and how fast."""

import time
from collections import Counter
from collections.abc import Callable
from functools import lru_cache

from bullpen.server.config import Config
from bullpen.server.limits import Gate, neighbours
from bullpen.server.network import within


class Crowd:
    """Counts connections and frames before anything is read from them.

    A proxy brings many people over its own address, so who comes through one is counted further in.
    """

    def __init__(self, config: Config, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = config.limits
        self.refused = 0
        """How many were turned away unheard."""
        self._proxies = config.trusted_proxies
        self._here: Counter[str] = Counter()
        self._arrivals = Gate(self.limits.connections, clock)
        self._frames = Gate(self.limits.frames_of_address, clock)
        self._is_proxy = lru_cache(maxsize=1024)(self._find_proxy)

    @property
    def total(self) -> int:
        """How many are connected."""
        return self._here.total()

    def arrive(self, address: str) -> bool:
        """Count somebody who comes, or return False for somebody too many."""
        where = neighbours(address)
        full = self._here[where] >= self.limits.connections_per_address
        if not self._is_proxy(address) and (full or self._arrivals.take(address)):
            self.refused += 1
            return False
        self._here[where] += 1
        return True

    def leave(self, address: str) -> None:
        """Count somebody out."""
        where = neighbours(address)
        self._here[where] -= 1
        if self._here[where] <= 0:
            del self._here[where]

    def frame(self, address: str) -> bool:
        """Count a frame, or return False for one too many."""
        return self._is_proxy(address) or not self._frames.take(address)

    def _find_proxy(self, address: str) -> bool:
        return any(within(address, proxy) for proxy in self._proxies)
