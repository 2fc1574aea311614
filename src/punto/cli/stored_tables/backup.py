"""`punto backup`: everything in a database as one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from punto.cli.options.book import JsonOption
from punto.cli.options.database import DatabaseOption, opened
from punto.cli.terminal.say import answer_json


def backup(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A new file; none is written over.", show_default=False)
    ],
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Write everything in a database to one file.

    It is one consistent moment, also while tables are being played, and holds everything but the key that
    seals the order of shuffled shoes: keep that apart.
    """
    from punto.store.backup import backup as write_backup

    with opened(database) as store:
        rows = write_backup(store, Path(file))
    if json:
        answer_json({"file": file, "rows": rows})
    else:
        print(f"{file}: {rows:,} rows; punto restore {file} --database URL reads them into an empty database")
