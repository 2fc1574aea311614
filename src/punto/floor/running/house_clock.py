"""The clock of a house: that of the machine, except that it never goes back.

A machine's clock is put right, or wrong, by hours while a floor runs. Where it is put on, the house follows:
what was to last until then is over. Where it is put back, the house goes on from where it was, as fast as
the machine's clock goes. So events stay in the order of their times, no table waits until it is late again,
and what has expired stays expired. The next process begins with the time of the machine.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Lock

TOLD_MS = 1_000
"""The log is told of a clock that goes back by more than this."""
_log = logging.getLogger("punto.house")


class HouseClock:
    """The time of a house in milliseconds; may be asked from any thread."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._last, self._ahead = clock(), 0
        self._lock = Lock()

    def __call__(self) -> int:
        with self._lock:
            machine = self._clock()
            if machine >= self._last:
                self._ahead = 0
            elif machine + self._ahead < self._last:
                back = self._last - self._ahead - machine
                self._ahead = self._last - machine
                if back > TOLD_MS:
                    _log.warning(
                        "the clock of this machine went back by %d s; the house goes on without it until it "
                        "is started again",
                        back // 1000,
                    )
            self._last = machine + self._ahead
            return self._last
