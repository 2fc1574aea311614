"""`punto people password`: gives somebody a new password."""

from __future__ import annotations

from punto.cli.options.book import JsonOption
from punto.cli.options.database import DatabaseOption, now_ms, opened, operator
from punto.cli.stored_tables.account.names import NameArgument, found_account
from punto.cli.stored_tables.people.roles_option import PasswordStdinOption, chosen_password
from punto.cli.terminal.say import answer_json


def password(
    name: NameArgument,
    password_stdin: PasswordStdinOption = False,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Give somebody a new password.

    Every session of theirs ends.
    """
    from punto.server.access.password import hash_password
    from punto.store.access.people import change_password

    given = chosen_password(from_stdin=password_stdin)
    hashed = hash_password(given)
    with opened(database) as store, store.write() as transaction:
        found_account(transaction, name)
        change_password(transaction, name, hashed, operator(), now_ms())
    shown = None if password_stdin else given
    if json:
        answer_json({"name": name, "password": shown})
    elif shown is not None:
        print(f"The new password of {name} is {shown}; it is not shown again.")
    else:
        print(f"{name} has a new password")
