"""Files that a user names for results: checked before the work begins, and put in place whole."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from punto.cli.files import writer
from punto.cli.terminal.say import refuse


def check_writable(name: str) -> Path:
    """The path of a file that can be written; the command ends if it cannot."""
    try:
        return writer.check_writable(name)
    except writer.CannotWrite as error:
        refuse(str(error))


def check_format(name: str, endings: Sequence[str]) -> Path:
    """The same for a file whose format its name tells."""
    if Path(name).suffix.lower() not in endings:
        *others, last = endings
        known = f"{', '.join(others)} or {last}" if others else last
        refuse(f"{name} has no known format; its name must end in {known}")
    return check_writable(name)


def put(path: Path, content: bytes) -> None:
    """Write a file whole, or leave what was there and end the command."""
    try:
        writer.write_whole(path, content)
    except writer.CannotWrite as error:
        refuse(str(error))
