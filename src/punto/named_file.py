"""Opening a file that a user names, whatever it is: a pipe that nobody writes to must not keep us waiting."""

from __future__ import annotations

import os


def at_once(path: str, flags: int) -> int:
    """An opener for `open`: a pipe without a writer is opened at once, and is empty; nothing else differs."""
    waiting = getattr(os, "O_NONBLOCK", 0)
    handle = os.open(path, flags | waiting, 0o666)
    if waiting:
        os.set_blocking(handle, True)
    return handle
