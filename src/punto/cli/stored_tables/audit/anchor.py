"""`punto audit anchor`: where every table stands, signed, to be kept where the database is not."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from punto.cli.files.writer import CannotWrite, check_new, write_whole
from punto.cli.options.book import JsonOption
from punto.cli.options.database import DatabaseOption, now_ms, reading
from punto.cli.terminal.say import answer_json, refuse


def anchor(
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="A new file; default: stdout.", show_default=False
        ),
    ] = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Write down, signed, where every table stands.

    Keep anchors where whoever can write to the database cannot: on another machine, on paper, with a third
    party. punto audit verify --anchor FILE finds every later change to what was there at that moment.
    """
    from punto.audit.chain.anchor import anchor_file, make_anchor
    from punto.audit.chain.signing import ANCHOR_KEY, found_signer

    try:
        path = check_new(output) if output is not None else None
        is_new = not os.environ.get(ANCHOR_KEY.variable) and not ANCHOR_KEY.path(os.environ).exists()
        with reading(database) as reader:
            made = make_anchor(reader, found_signer(os.environ, make=True), now_ms())
        if path is not None:
            write_whole(path, anchor_file(made), is_new=True)
    except CannotWrite as error:
        refuse(str(error))
    if path is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(anchor_file(made))
        sys.stdout.buffer.flush()
        return
    events = sum(chain.seq for chain in made.tables.values())
    if json:
        told = {"file": str(path), "tables": len(made.tables), "events": events}
        answer_json({**told, "public_key": made.public_key})
        return
    tables = f"{len(made.tables):,} table{'' if len(made.tables) == 1 else 's'}"
    count = f"{events:,} event{'' if events == 1 else 's'}"
    print(f"{path}: {tables}, {count}; keep it away from the database")
    place = f", made now in {ANCHOR_KEY.path(os.environ)}" if is_new else ""
    print(f"signed with the key {made.public_key}{place}")
