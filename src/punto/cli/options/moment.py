"""Times on the command line."""

from __future__ import annotations

from datetime import UTC, datetime

from punto.cli.terminal.say import refuse

TIME_HELP = "as 2026-11-15T08:00 (UTC) or milliseconds."


def read_time(option: str, text: str | None) -> int | None:
    """A time in milliseconds; the command ends if it is not one."""
    if text is None:
        return None
    if text.isascii() and text.isdecimal() and len(text) <= 15:
        return int(text)
    try:
        found = datetime.fromisoformat(text)
        if found.tzinfo is None:
            found = found.replace(tzinfo=UTC)
        return int(found.timestamp() * 1000)
    except (ValueError, OverflowError):
        refuse(f"{option} takes a time {TIME_HELP.rstrip('.')}, not {text!r}")
