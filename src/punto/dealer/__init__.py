"""The automatic dealer: what comes next at a table, as a pure function of table and time.

It remembers nothing from one question to the next. Cards, the time and who is ready come in from outside. So
a person who plays at leisure in a terminal and a floor that runs tables by the clock have the same dealer,
and a process that was killed in mid-round goes on where its table stands.
"""

from __future__ import annotations

from punto.dealer.bot import BOTS, Manner, next_bot
from punto.dealer.dealer import (
    AT_LEISURE,
    AUTOMATIC,
    SKEW_MS,
    Awaited,
    DrawCard,
    Due,
    Give,
    Halt,
    Pace,
    Wait,
    clock_start,
    next_step,
)

__all__ = [
    "AT_LEISURE",
    "AUTOMATIC",
    "BOTS",
    "SKEW_MS",
    "Awaited",
    "DrawCard",
    "Due",
    "Give",
    "Halt",
    "Manner",
    "Pace",
    "Wait",
    "clock_start",
    "next_bot",
    "next_step",
]
