"""Files that punto keeps for its user, in the data folder that the XDG base directory specification names."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from punto.cli.files.reader import CannotRead, read_bytes
from punto.cli.files.writer import CannotWrite, is_special, write_whole
from punto.cli.terminal.say import refuse

LARGEST = 64 * 1024 * 1024
"""Bytes of a file of ours: a game of some hundred thousand commands."""


class _Head(msgspec.Struct):
    """What every file of ours says first."""

    type: str
    version: int


def form_of(content: bytes, kind: str) -> int | None:
    """The version of the form in which a file of this kind is written; None where it is not such a file."""
    try:
        head = msgspec.json.decode(content, type=_Head)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return head.version if head.type == kind else None


def data_file(name: str) -> Path:
    """The file of this name in the user's data folder."""
    named = os.environ.get("XDG_DATA_HOME", "")
    # The specification tells us to pass over a relative path.
    folder = Path(named) if Path(named).is_absolute() else Path.home() / ".local" / "share"
    return folder / "punto" / name


def named_file(option: str, name: str) -> Path:
    """The file that an option names; the command ends if a file cannot be kept there."""
    path = Path(name)
    try:
        if not name.strip() or path.is_dir() or is_special(path):
            refuse(f"{option} takes the path of a file, and {name!r} is not one")
    except OSError as error:
        refuse(f"{name} cannot be read: {error.strerror}")
    return path


def kept(path: Path) -> bytes | None:
    """What was kept in a file; None where there is none, `CannotRead` where there is something else."""
    try:
        if is_special(path):
            raise CannotRead(f"{path} cannot be read: it is not a regular file")
        if not path.exists():
            return None
        return read_bytes(path, LARGEST)
    except OSError as error:
        raise CannotRead(f"{path} cannot be read: {error.strerror}") from None


def keep(path: Path, content: bytes) -> None:
    """Write a file whole, or leave the old one as it is; its folder is made where there is none."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite(f"{path} cannot be written: {error.strerror}") from None
    write_whole(path, content)
