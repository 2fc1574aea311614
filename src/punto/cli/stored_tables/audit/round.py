"""`punto audit round`: everything about one round, as a dispute needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.files.result_file import check_format, put
from punto.cli.options.book import JsonOption
from punto.cli.options.database import DatabaseOption, found_table, reading
from punto.cli.terminal.say import answer_json, complain, refuse

if TYPE_CHECKING:
    from punto.audit.history.place import RoundPlace
    from punto.store.reader import Reader
    from punto.store.stored import StoredTable

TAMPERED = 1
"""Exit status where records were changed."""
HtmlOption = Annotated[
    str | None,
    typer.Option("--html", metavar="FILE", help="Write it as a web page.", show_default=False),
]


def round(
    id: Annotated[str, typer.Argument(metavar="ID", help="A round, such as main-1/17.", show_default=False)],
    at: Annotated[
        int | None,
        typer.Option(
            "--at", metavar="SEQ", min=1, help="As it was after this event of the round.", show_default=False
        ),
    ] = None,
    html: HtmlOption = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Tell everything about a round.

    Cards in order, who bet what and when, what was refused, what went wrong with its evidence and clauses,
    who decided and who approved it, every line paid, and balances before and after. With --at the table is
    shown as it was after an event. Exit status 1 if the records are not as they were stored.
    """
    from punto.audit.history.chained import chained
    from punto.audit.history.history_page import history_page
    from punto.audit.history.history_record import history_record
    from punto.audit.history.round_history import round_history
    from punto.floor.shelf import Shelf

    path = check_format(html, (".html", ".htm")) if html is not None else None
    table, number = read_id(id)
    with reading(database) as reader:
        stored = found_table(reader, table)
        place = _place(reader, stored, number)
        if at is not None and not place.first <= at <= place.last:
            refuse(f"round {id} has the events {place.first} to {place.last}; --at {at} is not one of them")
        book = Shelf().book(reader, stored.digest)
        history = round_history(reader, stored, book, place, at)
        chain = chained(reader, stored, history.at)
    page = history_page(history)
    if path is not None:
        from punto.documents.html import html_page

        put(path, html_page(page).encode())
    if json:
        same = {"same": chain.is_same, "version": chain.version, "hash": chain.hash}
        answer_json({**history_record(history), **same})
    elif path is not None:
        print(f"{path}: {page.title}")
    else:
        from punto.cli.terminal.ink import show_page

        show_page(page)
    if not chain.is_same:
        complain(f"table {table}: the records up to event {chain.version:,} are not as they were stored")
        raise typer.Exit(TAMPERED)


def read_id(id: str) -> tuple[str, int]:
    """Table and number of a round; the command ends if it is not the id of one."""
    table, slash, number = id.rpartition("/")
    if not slash or not table or not (number.isascii() and number.isdecimal()) or len(number) > 15:
        refuse(f"{id!r} is not a round; write the table, a slash and its number, such as main-1/17")
    return table, int(number)


def _place(reader: Reader, table: StoredTable, number: int) -> RoundPlace:
    from punto.audit.history.place import last_round, place_of

    place = place_of(reader, table, number)
    if place is None:
        last = last_round(reader, table)
        had = f"its rounds are 1 to {last}" if last else "no round has been called there yet"
        refuse(f"table {table.id} has no round {number}; {had}")
    return place
