"""`punto restore`: a backup into an empty database."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from punto.cli.options.book import JsonOption
from punto.cli.options.database import DatabaseOption, default_database
from punto.cli.terminal.say import answer_json, refuse


def restore(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A backup.", show_default=False)],
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Read a backup into an empty database.

    Nothing is ever written over: a database that holds anything is refused.
    """
    from punto.store.address import parse_address
    from punto.store.backup import restore as read_backup
    from punto.store.errors import StoreError

    try:
        address = parse_address(database if database is not None else default_database(create=True))
        rows = read_backup(Path(file), address)
    except StoreError as error:
        refuse(str(error))
    if json:
        answer_json({"database": str(address), "rows": rows})
    else:
        print(f"{address}: {rows:,} rows were restored")
