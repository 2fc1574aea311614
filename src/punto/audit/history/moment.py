"""Times of events for people: UTC, to the millisecond."""

from __future__ import annotations

from datetime import UTC, datetime

FIRST = 86_400_000
"""Milliseconds: an earlier time than this was made up, in a lesson or a test, and is shown as a number."""


def moment(time: int) -> str:
    """A time in full.

    >>> moment(1_700_000_000_123)
    '2023-11-14 22:13:20.123 UTC'
    >>> moment(7)
    '7'
    """
    return str(time) if time < FIRST else f"{_iso(time).replace('T', ' ')} UTC"


def time_of_day(time: int) -> str:
    """The time of day alone.

    >>> time_of_day(1_700_000_000_123)
    '22:13:20.123'
    """
    return str(time) if time < FIRST else _iso(time).partition("T")[2]


def _iso(time: int) -> str:
    try:
        found = datetime.fromtimestamp(time // 1000, UTC).replace(microsecond=time % 1000 * 1000)
    except (OverflowError, ValueError, OSError):
        return str(time)  # beyond the calendar
    return found.replace(tzinfo=None).isoformat(timespec="milliseconds")
