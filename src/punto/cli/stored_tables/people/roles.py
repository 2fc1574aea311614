"""`punto people roles`: shows or sets the roles of somebody."""

from __future__ import annotations

from typing import Annotated

import typer

from punto.cli.options.book import JsonOption
from punto.cli.options.database import DatabaseOption, now_ms, opened, operator, reading
from punto.cli.stored_tables.account.names import NameArgument, found_account
from punto.cli.stored_tables.people.roles_option import named_roles
from punto.cli.terminal.say import answer_json, refuse


def roles(
    name: NameArgument,
    role: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ROLE]...",
            help="All roles from now on; without any, the roles are shown.",
            show_default=False,
        ),
    ] = None,
    none: Annotated[bool, typer.Option("--none", help="Take all roles away.")] = False,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Show the roles of somebody, or set them.

    Roles that are not named are taken away. The last administrator stays one.
    """
    from punto.store.access.roles import roles_of, set_roles

    held = named_roles(role or [])
    if none and held:
        refuse("--none takes all roles away; name roles or use --none, not both")
    if held or none:
        with opened(database) as store, store.write() as transaction:
            found_account(transaction, name)
            set_roles(transaction, name, held, operator(), now_ms())
    else:
        with reading(database) as reader:
            found_account(reader, name)
            held = roles_of(reader, name)
    names = [one.value for one in held]
    if json:
        answer_json({"name": name, "roles": names})
    elif names:
        print(f"{name} has the {'role' if len(names) == 1 else 'roles'} {', '.join(names)}")
    else:
        print(f"{name} has no roles any more" if none else f"{name} has no roles")
