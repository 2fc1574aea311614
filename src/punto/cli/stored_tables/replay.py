"""`punto replay`: does an exported table come to the state and the hash that it names?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.options.book import JsonOption
from punto.cli.terminal.say import answer_json, complain, refuse

if TYPE_CHECKING:
    from punto.floor.archive.replay import Replayed
    from punto.rules.book import Book

DIFFERENT = 1
"""Exit status of a replay that differs."""


def replay(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="An exported table: JSON Lines, Parquet or a session.", show_default=False
        ),
    ],
    json: JsonOption = False,
) -> None:
    """Replay an exported table and say whether it is the same.

    Everything is computed again from the file alone, by the book whose digest it names, and compared with
    the state and the hash that it says it comes to. Exit status 1 if it differs. No database is needed.
    """
    from punto.floor.archive.export_file import WrongExport

    try:
        came = _replayed(file)
    except WrongExport as error:
        refuse(f"{file} cannot be replayed: {error}")
    if json:
        same = {"same": came.is_same, "version": came.version, "hash": came.head, "state": came.state}
        named = {"table": came.table, "digest": came.digest, "differences": list(came.differences)}
        answer_json({**same, **named})
    elif came.is_same:
        print(f"{file}: the same: table {came.table}, {came.version:,} events, hash {came.head}")
    for difference in () if json else came.differences:
        complain(f"{file}: {difference}")
    if not came.is_same:
        raise typer.Exit(DIFFERENT)


def _replayed(file: str) -> Replayed:
    from punto.cli.stored_tables.table.import_ import lines_of
    from punto.cli.tables.run import read_session_text
    from punto.floor.archive.parquet import MAGIC
    from punto.floor.archive.replay import replay_export, replay_session

    begin = _beginning(file, len(MAGIC))
    if begin == MAGIC or begin[:1] in (b"{", b"\x00"):
        return replay_export(lines_of(Path(file)))
    return replay_session(read_session_text(file), lambda name: _book(name, Path(file).parent, file))


def _beginning(file: str, size: int) -> bytes:
    from punto.cli.files.reader import opened_file

    try:
        with opened_file(Path(file)) as stream:
            return stream.read(size)
    except FileNotFoundError:
        refuse(f"there is no file {file}")
    except OSError as error:
        refuse(f"{file} cannot be read: {error.strerror}")
    except ValueError:
        refuse(f"{file} cannot be read: no file can be called so")


def _book(name: str, folder: Path, file: str) -> Book:
    from punto.books import BookNotFound, load
    from punto.rules.reading.problem import BookError

    try:
        return load(name, folder)
    except BookNotFound as error:
        refuse(f"{file}: {error}")
    except BookError as error:
        refuse(f"{file}: {error.lines[0]}")
