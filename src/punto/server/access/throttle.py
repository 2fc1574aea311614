"""How often somebody may ask: a bucket of requests per session or address that refills with time.

Each process counts for itself: this guards the process, and nothing follows from it. Failed log-ins and who
is locked out are in the store, for all processes.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

MOST_KEPT = 20_000
"""Buckets in memory; the one used longest ago is forgotten first, and was full long since."""


class Throttle:
    """Buckets by name."""

    def __init__(
        self, rate: float, burst: float | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._clock = rate, clock
        self._burst = burst if burst is not None else max(1.0, 4 * rate)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, name: str, cost: float = 1.0) -> float:
        """Take a request of this cost out of a bucket: 0, or the seconds until there is as much."""
        now, cost = self._clock(), min(cost, self._burst)
        left, then = self._buckets.pop(name, (self._burst, now))
        left = min(self._burst, left + (now - then) * self._rate)
        allowed = left >= cost
        self._buckets[name] = (left - cost if allowed else left, now)
        if len(self._buckets) > MOST_KEPT:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (cost - left) / self._rate
