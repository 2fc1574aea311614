"""`punto people roles`: sets the roles of somebody."""

from __future__ import annotations

from typing import Annotated

import typer

from punto.cli.options.book import JsonOption
from punto.cli.options.database import DatabaseOption, now_ms, opened
from punto.cli.stored_tables.account.names import NameArgument, found_account
from punto.cli.stored_tables.people.roles_option import PERSON, named_roles
from punto.cli.terminal.say import answer_json


def roles(
    name: NameArgument,
    role: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ROLE]...", help="All roles from now on; none takes them away.", show_default=False
        ),
    ] = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Set the roles of somebody.

    Roles that are not named are taken away.
    """
    from punto.store.access.roles import set_roles

    held = named_roles(role or [])
    with opened(database) as store, store.write() as transaction:
        found_account(transaction, name)
        set_roles(transaction, name, held, PERSON, now_ms())
    names = [one.value for one in held]
    if json:
        answer_json({"name": name, "roles": names})
    else:
        print(f"{name} has the roles {', '.join(names)}" if names else f"{name} has no roles any more")
