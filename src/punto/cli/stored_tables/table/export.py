"""`punto table export`: a table as a file, for archives or for people."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.files.writer import CannotWrite, check_writable, write_whole
from punto.cli.options.book import JsonOption
from punto.cli.options.database import DatabaseOption, found_table, reading
from punto.cli.stored_tables.table.run import TableArgument
from punto.cli.terminal.say import answer_json, refuse
from punto.suggestion import did_you_mean

if TYPE_CHECKING:
    from punto.floor.loaded import LoadedTable
    from punto.store.reader import Reader

ENDINGS = {".punto": "punto", ".parquet": "parquet"}
"""The format of a file by the end of its name; any other is JSON Lines."""
FORMATS = ("jsonl", "parquet", "punto")


def export(
    id: TableArgument,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where to; FILE.punto is a session, FILE.parquet Parquet, any other name JSON Lines.",
            show_default=False,
        ),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="jsonl, parquet or punto; default: as the name of the file ends.",
            show_default=False,
        ),
    ] = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Write a table to a file: JSON Lines, Parquet, or a session.

    JSON Lines have every event and the book, and can be imported; Parquet has the same in columns. A session
    has the commands as people write them, with the cards, and punto run plays it again. A book that is not
    built in is written beside it. punto replay says whether a file comes to what it says.
    """
    from punto.floor.loaded import load
    from punto.floor.shelf import Shelf

    form = _format(form, output)
    try:
        path = check_writable(output) if output is not None else None
        with reading(database) as reader:
            loaded = load(reader, Shelf(), found_table(reader, id))
            if path is None:
                _print(reader, loaded, form)
                return
            files = _files(reader, loaded, path, form)
        for file, content in files.items():
            write_whole(file, content)
    except CannotWrite as error:
        refuse(str(error))
    if json:
        answer_json({"table": id, "version": loaded.version, "files": [str(file) for file in files]})
    else:
        print(f"table {id}, version {loaded.version:,}: {' and '.join(map(str, files))}")


def _format(asked: str | None, output: str | None) -> str:
    form = asked or ENDINGS.get(Path(output or "").suffix.lower(), "jsonl")
    if form not in FORMATS:
        refuse(f"{form!r} is not a format{did_you_mean(form, FORMATS)}; formats are {', '.join(FORMATS)}")
    if form == "parquet" and output is None:
        refuse("Parquet is not for the screen; name a file with -o FILE.parquet")
    return form


def _print(reader: Reader, loaded: LoadedTable, form: str) -> None:
    from punto.floor.archive.export import export_lines, session_lines

    if form == "punto":
        _check_commands(loaded)
    sys.stdout.flush()
    for line in (session_lines if form == "punto" else export_lines)(reader, loaded):
        sys.stdout.buffer.write(line.encode() + b"\n")
    sys.stdout.buffer.flush()


def _check_commands(loaded: LoadedTable) -> None:
    if loaded.imported:
        refuse(f"table {loaded.id} was imported and has no commands; export it as JSON Lines")


def _files(reader: Reader, loaded: LoadedTable, path: Path, form: str) -> dict[Path, bytes]:
    """What is to be written, by its path; the book comes before the session that names it."""
    from punto.floor.archive.export import export_lines, session_lines

    if form == "parquet":
        from punto.floor.archive.parquet import export_parquet

        return {path: export_parquet(reader, loaded)}
    if form == "jsonl":
        return {path: _text(export_lines(reader, loaded))}
    _check_commands(loaded)
    book = _book_beside(loaded, path)
    session = _text(session_lines(reader, loaded, book.name if book is not None else None))
    if book is None:
        return {path: session}
    from punto.rules.book_toml import book_toml

    return {book: book_toml(loaded.table.book.text).encode(), path: session}


def _text(lines: object) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()  # type: ignore[attr-defined]


def _book_beside(loaded: LoadedTable, path: Path) -> Path | None:
    """Where the book goes; None where the one of that name is built in and says the same."""
    from punto.books import NAMES, load
    from punto.rules.digest import digest_of

    book = loaded.table.book
    if book.name in NAMES and digest_of(load(book.name)) == digest_of(book):
        return None
    beside = path.with_suffix(".toml")
    if beside.exists() and beside.read_bytes() != _book_text(loaded):
        refuse(f"{beside} exists already and is another book: export to another name")
    return beside


def _book_text(loaded: LoadedTable) -> bytes:
    from punto.rules.book_toml import book_toml

    return book_toml(loaded.table.book.text).encode()
