"""`punto table new`: opens a table that is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.options.book import BookArgument, JsonOption, open_book
from punto.cli.options.database import (
    AsOption,
    DatabaseOption,
    named_person,
    now_ms,
    refuse_for,
    running,
)
from punto.cli.terminal.say import answer_json, refuse

if TYPE_CHECKING:
    from punto.table.header import Person
    from punto.table.terms import Terms

OPENER = "house:pit-supervisor"
"""Who opens a table where nobody is named."""


def new(
    id: Annotated[
        str,
        typer.Argument(metavar="ID", help="Lower-case letters, digits and hyphens.", show_default=False),
    ],
    book: BookArgument,
    layout: Annotated[
        str, typer.Argument(metavar="LAYOUT", help="A layout of the book.", show_default=False)
    ],
    terms: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TERM=VALUE]...", help="Terms of the table, such as minimum=25.", show_default=False
        ),
    ] = None,
    who: AsOption = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Open a new table by a rule book.

    The book is stored with the table: the file may change or vanish later.
    """
    from punto.refusal import Refusal
    from punto.rules.digest import digest_of
    from punto.table.command import OpenTable

    check_id(id)
    found = open_book(book)
    person = named_person("--as", who, OPENER)
    agreed = _terms(found.name, layout, terms or [], person)
    command = OpenTable(actor=person.name, role=person.role, time=now_ms(), terms=agreed)
    with running(database, create=True) as floor:
        answer = floor.open_table(id, found, command)
        if isinstance(answer, Refusal):
            refuse_for(answer)
    if json:
        answer_json({"table": id, "version": answer.version, "digest": digest_of(found)})
        return
    print(f"table {id} is open: {found.title}, layout {agreed.layout}, {agreed.source.value} cards")
    print(f"punto table run {id} FILE gives it commands; punto table show {id} shows it")


def check_id(id: str) -> None:
    """End the command if no table can be called so."""
    from punto.floor.floor import TABLE_ID

    if not TABLE_ID.fullmatch(id):
        refuse(f"{id!r} cannot be the id of a table; use 1 to 40 of a-z, 0-9 and -, such as main-1")


def _terms(book: str, layout: str, terms: list[str], person: Person) -> Terms:
    """The terms as the notation reads them behind `open BOOK LAYOUT`."""
    from punto.suggestion import did_you_mean
    from punto.table.command import OpenTable
    from punto.table.notation.phrase import parse_phrase
    from punto.table.notation.word import format_word
    from punto.table.terms import Terms

    special = ("book", "layout", "bet_limits", "authority")
    known = [name for name in Terms.__struct_fields__ if name not in special]
    for term in terms:
        if "=" not in term or any(blank.isspace() for blank in term):
            refuse(f"{term!r} is not a term; write TERM=VALUE, such as minimum=25 or source=entered")
        name = term.partition("=")[0]
        if name not in known and not name.startswith(("limit.", "may.")):
            refuse(f"{name!r} is not a term{did_you_mean(name, known)}; terms are {', '.join(known)}")
    opening = ["open", format_word(book), format_word(layout)]
    by = {"actor": person.name, "role": person.role}
    for term in terms:  # one by one first, so that a wrong one can be named
        try:
            parse_phrase([*opening, term], by)
        except ValueError as error:
            refuse(f"{term} is not taken: {error}")
    try:
        command = parse_phrase([*opening, *terms], by)
    except ValueError as error:
        refuse(str(error))
    assert isinstance(command, OpenTable)
    return command.terms
