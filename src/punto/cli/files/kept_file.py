"""Files that punto keeps for its user: where they lie, and how they are written.

They lie in the user's data folder, which the XDG base directory specification names. A file is written whole
under another name and then put in its place, so whoever reads it, even after a crash, finds the old one or
the new one and never a piece of either.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

import msgspec

from punto.cli.terminal.say import refuse


class CannotKeep(Exception):
    """A file could not be written; the sentence says which and why."""


class CannotRead(Exception):
    """What lies where a file of ours should lie cannot be one; the sentence says which and why."""


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


def named_file(option: str, name: str) -> Path:
    """The file that an option names; the command ends if no file of ours can be kept there."""
    path = Path(name)
    try:
        if not name.strip() or path.is_dir() or is_strange(path):
            refuse(f"{option} takes the path of a file, and {name!r} is none")
    except OSError as error:
        refuse(f"{name} cannot be read: {error.strerror}")
    return path


def is_strange(path: Path) -> bool:
    """Whether something lies there that is neither a file nor a folder: a device may never end, a pipe never
    begin, and neither may be replaced by a file. `OSError` where nothing can lie under that name.
    """
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def kept(path: Path) -> bytes | None:
    """What was kept in a file; None where there is none, `CannotRead` where it can be none of ours."""
    try:
        if is_strange(path):
            raise CannotRead(f"{path} cannot be read: it is no regular file")
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise CannotRead(f"{path} cannot be read: {error.strerror}") from None


def keep(path: Path, content: bytes) -> None:
    """Write a file whole, or leave the old one as it is."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if is_strange(path):
            raise CannotKeep(f"{path} cannot be written: it is no regular file")
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
