"""`punto people new`: somebody who may log in."""

from __future__ import annotations

from typing import Annotated

import typer

from punto.cli.options.book import JsonOption
from punto.cli.options.database import DatabaseOption, now_ms, opened, operator
from punto.cli.stored_tables.account.names import LONGEST_NAME, refuse_name
from punto.cli.stored_tables.people.roles_option import (
    PasswordStdinOption,
    RoleOption,
    chosen_password,
    named_roles,
)
from punto.cli.terminal.say import answer_json, one_line, refuse


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name to log in with.", show_default=False)],
    role: RoleOption = None,
    currency: Annotated[
        str, typer.Option("--currency", metavar="CODE", help="The currency of a new account.")
    ] = "USD",
    password_stdin: PasswordStdinOption = False,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Let somebody log in to a floor.

    Somebody who has an account keeps it. The password is drawn and shown once, unless you give one.
    """
    from punto.floor.desk import CURRENCY
    from punto.rules.role import Role
    from punto.server.access.password import hash_password
    from punto.store.access.people import let_in
    from punto.store.access.roles import lock_people, roles_of
    from punto.store.stored import StoredPerson

    if not name.strip() or name != one_line(name).strip() or len(name) > LONGEST_NAME or "/" in name:
        refuse(f"{name!r} cannot be a name; use 1 to {LONGEST_NAME} printed characters without /")
    if not CURRENCY.fullmatch(currency):
        refuse(f"{currency!r} is not a currency; write it in capital letters, such as USD or HKD")
    roles = named_roles(role or [Role.PLAYER.value])
    password = chosen_password(from_stdin=password_stdin)
    hashed = hash_password(password)
    with opened(database, create=True) as store, store.write() as transaction:
        lock_people(transaction)
        person = transaction.person(name)
        if person is not None and person.password is not None:
            refuse(f"{name} can log in already; punto people password {name} gives a new password")
        refuse_name(transaction, name)
        display, contact = (person.display, person.contact) if person is not None else (None, None)
        let_in(
            transaction, StoredPerson(name, display, contact, hashed), currency, roles, operator(), now_ms()
        )
        roles = roles_of(transaction, name)
    shown = None if password_stdin else password
    if json:
        answer_json({"name": name, "roles": [held.value for held in roles], "password": shown})
        return
    print(f"{name} may log in as {', '.join(held.value for held in roles)}")
    if shown is not None:
        print(f"The password is {shown}; it is not shown again.")
