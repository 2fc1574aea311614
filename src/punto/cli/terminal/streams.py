"""The three streams of a command: there from the start, and quiet when the other side has failed.

A shell may hand over a stream closed, a disk may be full, and a terminal may lack ♠. None of this is worth a
traceback: whoever cannot read an answer can still read the exit status.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TextIO

from punto.cli.terminal.plain_letters import use_plain_letters


def ready_streams() -> None:
    """Put something in place of each stream that was closed, and let the others show what they can."""
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY), encoding="utf-8")
    if sys.stdout is None:
        # A pipe that nobody reads: the first word ends the command, as in any other closed pipe.
        reading, writing = os.pipe()
        os.close(reading)
        sys.stdout = os.fdopen(writing, "w", encoding="utf-8")
    if sys.stderr is None:
        # Not so here: `print` takes None for stdout, and a refusal is not an answer.
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        use_plain_letters(stream)


def hush(stream: TextIO) -> None:
    """Let what is still buffered go nowhere: it would fail again when Python closes the stream."""
    with suppress(OSError, ValueError):  # a stream without a file has nothing to close
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
