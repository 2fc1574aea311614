"""Files that a user names for results: checked before the work begins, and put in place whole.

A long run must not end with "cannot be written", and whoever reads a file must never find half of one.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from punto.cli.files.kept_file import is_strange
from punto.cli.terminal.say import refuse

if TYPE_CHECKING:
    import polars

SUFFIXES = (".parquet", ".csv", ".json", ".html", ".svg")
DRAWN = (".html", ".svg")
"""Formats that show pictures."""


def check_writable(name: str) -> Path:
    """The path of a file that can be written; the command ends if it cannot."""
    path = Path(name)
    if not path.name:
        refuse(f"{name!r} cannot be written: it names no file")
    beside = _beside(path)
    try:
        if path.is_dir():
            refuse(f"{name} cannot be written: it is a folder")
        if is_strange(path):
            refuse(f"{name} cannot be written: it is no regular file")
        beside.touch()
        beside.unlink()
    except OSError as error:
        refuse(f"{name} cannot be written: {error.strerror}")
    return path


def check_table(name: str) -> Path:
    """The same for a table of results, whose format its name tells."""
    if Path(name).suffix.lower() not in SUFFIXES:
        refuse(f"{name} has no known format; let its name end in {', '.join(SUFFIXES)}")
    return check_writable(name)


def put(path: Path, content: bytes) -> None:
    """Write a file whole, or leave what was there."""
    beside = _beside(path)
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        refuse(f"{path} cannot be written: {error.strerror}")


def put_table(path: Path, record: dict[str, object], rows: Sequence[dict[str, object]]) -> None:
    """A result as Parquet or CSV, a row for each bet, or as the whole JSON document."""
    import io

    suffix = path.suffix.lower()
    if suffix == ".json":
        import msgspec

        put(path, msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n")
        return
    frame = _frame(rows)
    with io.BytesIO() as file:
        if suffix == ".csv":
            frame.write_csv(file)
        else:
            frame.write_parquet(file)
        put(path, file.getvalue())


def _frame(rows: Sequence[dict[str, object]]) -> polars.DataFrame:
    import polars

    return polars.DataFrame(list(rows), infer_schema_length=None)


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.part")
