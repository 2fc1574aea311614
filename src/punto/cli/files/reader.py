"""The one reader of files that a user names: what is too large, or never ends, is refused and not read."""

from __future__ import annotations

import sys
from io import BufferedReader
from pathlib import Path

from punto.named_file import at_once


class CannotRead(Exception):
    """A file cannot be read; the sentence says which and why."""


def opened_file(path: Path) -> BufferedReader:
    """A file to be read, opened at once; `OSError` and `ValueError` where it cannot be."""
    return open(path, "rb", opener=at_once)


def read_bytes(path: Path, most: int) -> bytes:
    """What a file holds, if it holds at most this many bytes."""
    try:
        with opened_file(path) as file:
            content = file.read(most + 1)
    except OSError as error:
        raise CannotRead(f"{path} cannot be read: {error.strerror}") from None
    except ValueError:
        raise CannotRead(f"{path} cannot be read: no file can be called so") from None
    if len(content) > most:
        raise CannotRead(f"{path} cannot be read: it is larger than {size_words(most)}")
    return content


def read_text(path: Path, most: int) -> str:
    """The same for text."""
    try:
        return read_bytes(path, most).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CannotRead(f"{path} cannot be read: it is not UTF-8 text") from None


def read_line(most: int) -> str:
    """The next line of stdin, empty at its end; `CannotRead` for one that does not end."""
    line = sys.stdin.readline(most + 1)
    if len(line) > most:
        raise CannotRead(f"a line of more than {most:,} characters came in, and was not read")
    return line


def size_words(number: int) -> str:
    """A number of bytes for people."""
    return f"{number // 1024 // 1024} MiB" if number >= 1024 * 1024 else f"{number // 1024} KiB"
