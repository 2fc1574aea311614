"""`punto table log`: the stored events of a table, one line of JSON each."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from punto.cli.options.book import JsonOption
from punto.cli.options.database import DatabaseOption, found_table, reading
from punto.cli.stored_tables.table.run import TableArgument


def log(
    id: TableArgument,
    after: Annotated[
        int, typer.Option("--after", metavar="SEQ", min=0, help="Only what comes after this event.")
    ] = 0,
    database: DatabaseOption = None,
    json: JsonOption = False,  # noqa: ARG001
) -> None:
    """Print the stored events of a table.

    They are JSON Lines, with --json or without it: table, seq, v, key and event.
    """
    with reading(database) as reader:
        found_table(reader, id)
        sys.stdout.flush()
        for line in reader.lines(id, after):
            sys.stdout.buffer.write(line.encode() + b"\n")
        sys.stdout.buffer.flush()
