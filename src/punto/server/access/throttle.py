"""How often somebody may ask: a bucket of requests per account or address that refills with time.

Each process counts for itself: this guards the process, and nothing follows from it. Failed log-ins and who
is locked out are in the store, for all processes.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from punto.server.http.rejection import Rejected, ServerReason

MOST_KEPT = 20_000
"""Buckets in memory; the one used longest ago is forgotten first, and was full long since."""


class Throttle:
    """Buckets by name; may be asked from any thread."""

    def __init__(
        self, rate: float, burst: float | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._clock = rate, clock
        self._burst = burst if burst is not None else max(1.0, 4 * rate)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def wait(self, name: str, cost: float = 1.0, *, is_taken: bool = True) -> float:
        """Take a request of this cost out of a bucket, or only look: 0, or the seconds until it is there."""
        now, cost = self._clock(), min(cost, self._burst)
        with self._lock:
            left, then = self._buckets.pop(name, (self._burst, now))
            left = min(self._burst, left + (now - then) * self._rate)
            allowed = left >= cost
            self._buckets[name] = (left - cost if allowed and is_taken else left, now)
            if len(self._buckets) > MOST_KEPT:
                self._buckets.popitem(last=False)
        return 0.0 if allowed else (cost - left) / self._rate


def whole_wait(limit: Throttle, name: str, cost: float = 1.0, *, is_taken: bool = True) -> int:
    """The same in whole seconds, as a client is told: 0, or 1 and more."""
    wait = limit.wait(name, cost, is_taken=is_taken)
    return int(wait) + 1 if wait else 0


def slow_down(limit: Throttle, name: str, cost: float = 1.0, *, is_taken: bool = True) -> None:
    """Refuse whoever asks too often."""
    seconds = whole_wait(limit, name, cost, is_taken=is_taken)
    if seconds:
        raise Rejected(429, ServerReason.TOO_OFTEN, retry_after=seconds, seconds=seconds)
