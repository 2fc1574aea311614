"""`punto audit watch`: results against exact odds, however often one looks."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.files.result_file import check_format, put
from punto.cli.options.book import JsonOption
from punto.cli.options.completion import complete_table
from punto.cli.options.database import DatabaseOption, found_table, reading
from punto.cli.stored_tables.audit.round import HtmlOption
from punto.cli.terminal.say import answer_json, refuse

if TYPE_CHECKING:
    from punto.audit.watching.seen import Sight
    from punto.store.reader import Reader
    from punto.store.stored import StoredTable

BEYOND = 1
"""Exit status where something is beyond chance, or was not paid by the book."""
LONG = 50_000
"""Events of a table that take long enough to say so."""


def watch(
    table: Annotated[
        list[str] | None,
        typer.Option(
            "--table",
            metavar="ID",
            help="Only this table; can be repeated. Default: all but imported ones.",
            show_default=False,
            autocompletion=complete_table,
        ),
    ] = None,
    level: Annotated[
        float,
        typer.Option(
            "--level", metavar="P", help="Chance of any false alarm about an honest floor, ever: 0.01 is 1 %."
        ),
    ] = 0.01,
    html: HtmlOption = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Compare results with exact odds.

    Winners, totals, pairs, every bet, cards, burn and cut cards, and what players win, over all rounds of the
    tables. The limits hold however often you look. Exit status 1 if something is beyond chance, or was not
    paid by the book.
    """
    path = check_format(html, (".html", ".htm")) if html is not None else None
    if not 0 < level < 1:
        refuse("--level must be between 0 and 1, such as 0.01 for 1 %")
    with reading(database) as reader:
        # A copy of a table is not evidence of its own: imported tables are watched where they are named.
        here = [stored for stored in reader.tables() if not stored.imported]
        tables = [found_table(reader, id) for id in dict.fromkeys(table)] if table else here
        if not tables and not json and path is None:
            print("there are no tables yet; punto table new main-1 ez house opens one")
            return
        sights = {stored.id: _seen(reader, stored) for stored in tables}

    from punto.audit.watching.floor_page import floor_page, floor_record, floor_sentence
    from punto.audit.watching.floor_watch import watch_floor

    found = watch_floor(sights, level)
    if path is not None:
        from punto.documents.html import html_page

        put(path, html_page(floor_page(found)).encode())
    if json:
        answer_json(floor_record(found))
    elif path is not None:
        print(f"{path} is written. {floor_sentence(found)}")
    else:
        from punto.cli.terminal.ink import show_page

        show_page(floor_page(found))
    if not found.is_quiet:
        raise typer.Exit(BEYOND)


def _seen(reader: Reader, stored: StoredTable) -> Sight:
    from punto.audit.watching.seen import Sight
    from punto.floor.shelf import Shelf

    if stored.version >= LONG:
        print(f"reading {stored.version:,} events of table {stored.id}", file=sys.stderr)
    sight = Sight(Shelf().book(reader, stored.digest))
    for record in reader.each_record(stored.id):
        sight.add(record.event)
    return sight
