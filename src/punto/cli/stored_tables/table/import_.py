"""`punto table import`: a table from the file of another database, to be looked at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from punto.cli.options.book import JsonOption
from punto.cli.options.database import (
    DatabaseOption,
    now_ms,
    opened,
    operator,
    refuse_for,
    removed_on_refusal,
)
from punto.cli.stored_tables.table.new import check_id
from punto.cli.terminal.say import answer_json, refuse


def import_(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="An exported table, JSON Lines or Parquet.", show_default=False),
    ],
    id: Annotated[str, typer.Option("--as-table", metavar="ID", help="The id of the new table.")],
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Read an exported table, to be looked at.

    Its events are replayed and must lead to the state that the file names. It is marked as imported, has no
    postings and cannot go on.
    """
    from punto.floor.archive.export_file import WrongExport
    from punto.floor.archive.imported import import_table
    from punto.refusal import Refusal

    check_id(id)
    try:
        with removed_on_refusal(database), opened(database, create=True) as store:
            version = import_table(store, id, lines_of(Path(file)), now_ms(), operator())
    except WrongExport as error:
        refuse(f"{file} cannot be imported: {error}")
    if isinstance(version, Refusal):
        refuse_for(version)
    if json:
        answer_json({"table": id, "version": version, "imported": True})
    else:
        print(f"table {id} was imported at version {version:,}; punto table show {id} shows it")


def lines_of(path: Path) -> Iterator[bytes]:
    """The lines of an exported table, JSON Lines or Parquet; the command ends if they cannot be read."""
    from punto.cli.files.reader import opened_file
    from punto.floor.archive.export_file import LONGEST_LINE
    from punto.floor.archive.parquet import MAGIC, parquet_lines

    try:
        with opened_file(path) as stream:
            if stream.peek(len(MAGIC))[: len(MAGIC)] == MAGIC:
                yield from parquet_lines(stream)
                return
            while line := stream.readline(LONGEST_LINE + 1):
                if len(line) > LONGEST_LINE:
                    refuse(f"{path} cannot be read: a line is longer than {LONGEST_LINE // 1024 // 1024} MiB")
                yield line.rstrip(b"\r\n")
    except OSError as error:
        refuse(f"{path} cannot be read: {error.strerror}")
    except ValueError:
        refuse(f"{path} cannot be read: no file can be called so")
