"""Files that punto keeps for its user: where they lie, and how they are written.

They lie in the user's data folder, which the XDG base directory specification names. A file is written whole
under another name and then put in its place, so whoever reads it, even after a crash, finds the old one or
the new one and never a piece of either.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import msgspec


class CannotKeep(Exception):
    """A file could not be written; the sentence says which and why."""


class _Head(msgspec.Struct):
    """What every file of ours says first."""

    type: str
    version: int


def form_of(content: bytes, kind: str) -> int | None:
    """The version of the form in which a file of this kind is written; None where it is no such file."""
    try:
        head = msgspec.json.decode(content, type=_Head)
    except (msgspec.MsgspecError, RecursionError):
        return None
    return head.version if head.type == kind else None


def data_file(name: str) -> Path:
    """The file of this name in the user's data folder."""
    named = os.environ.get("XDG_DATA_HOME", "")
    # The specification tells us to pass over a relative path.
    folder = Path(named) if Path(named).is_absolute() else Path.home() / ".local" / "share"
    return folder / "punto" / name


def keep(path: Path, content: bytes) -> None:
    """Write a file whole, or leave the old one as it is."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        raise CannotKeep(f"{path} cannot be written: {error.strerror}") from None
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)  # still there after a full disk or Ctrl-C
