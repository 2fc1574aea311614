"""`punto account correct`: puts an account right, on the word of two people."""

from __future__ import annotations

from typing import Annotated

import typer

from punto.cli.options.book import JsonOption
from punto.cli.options.completion import complete_person
from punto.cli.options.database import AsOption, DatabaseOption, named_person, now_ms, opened
from punto.cli.stored_tables.account.desk_answer import tell_moved
from punto.cli.stored_tables.account.names import CASHIER, AmountArgument, NameArgument, read_amount
from punto.cli.terminal.say import refuse


def correct(
    name: NameArgument,
    amount: AmountArgument,
    second: Annotated[
        str | None,
        typer.Option(
            "--with",
            metavar="NAME:ROLE",
            help="The second person.",
            show_default=False,
            autocompletion=complete_person,
        ),
    ] = None,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why.", show_default=False)] = "",
    who: AsOption = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Put an account right: two people, and a reason.

    A negative amount takes money off the account, which never goes below zero. The house bears it.
    """
    from punto.floor.desk import Desk

    if second is None:
        refuse("a correction needs a second person; name one with --with, such as --with Ida:pit-manager")
    units, person = read_amount(amount, allow_negative=True), named_person("--as", who, CASHIER)
    other = named_person("--with", second, "")
    with opened(database) as store:
        moved = Desk(store).correct(name, units, person, other, reason, now_ms())
        tell_moved(store, name, moved, json=json)
