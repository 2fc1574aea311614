"""`punto people`: who may log in to a floor, in which roles, and with which password."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.account_commands import LONGEST_NAME, NameArgument, found_account, refuse_name
from punto.cli.database_options import DatabaseOption, now_ms, opened, operator, reading
from punto.cli.options import JsonOption
from punto.cli.output import answer_json, one_line, refuse

if TYPE_CHECKING:
    from punto.rules.authority import Role


RoleOption = Annotated[
    list[str] | None,
    typer.Option(
        "--role", metavar="ROLE", help="A role; may be given several times; default: player.", show_default=False
    ),
]
PasswordStdinOption = Annotated[
    bool, typer.Option("--password-stdin", help="Read the password from standard input instead of drawing one.")
]


def named_roles(names: list[str]) -> tuple[Role, ...]:
    """The roles of these names; the command ends if one is not a role."""
    from punto.rules.authority import Role
    from punto.suggestion import did_you_mean

    known = [role.value for role in Role]
    for name in names:
        if name not in known:
            refuse(f"{name!r} is not a role{did_you_mean(name, known)}; roles are {', '.join(known)}")
    return tuple(role for role in Role if role.value in names)


def chosen_password(*, from_stdin: bool) -> str:
    """A password from standard input, or one that is drawn."""
    from punto.server.access import LONGEST_PASSWORD, SHORTEST_PASSWORD, draw_password

    if not from_stdin:
        return draw_password()
    password = sys.stdin.readline().rstrip("\n")
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD or not password.isprintable():
        refuse(f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} printed characters")
    return password


# `punto people new`: somebody who may log in.


def people_new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name to log in with.", show_default=False)],
    role: RoleOption = None,
    currency: Annotated[str, typer.Option("--currency", metavar="CODE", help="The currency of a new account.")] = "USD",
    password_stdin: PasswordStdinOption = False,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Let somebody log in to a floor.

    Somebody who has an account keeps it. The password is drawn and shown once, unless you give one.
    """
    from punto.floor.desk import CURRENCY
    from punto.rules.authority import Role
    from punto.server.access import hash_password
    from punto.store.people import let_in, lock_people, roles_of
    from punto.store.record import StoredPerson

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
        let_in(transaction, StoredPerson(name, display, contact, hashed), currency, roles, operator(), now_ms())
        roles = roles_of(transaction, name)
    shown = None if password_stdin else password
    if json:
        answer_json({"name": name, "roles": [held.value for held in roles], "password": shown})
        return
    print(f"{name} may log in as {', '.join(held.value for held in roles)}")
    if shown is not None:
        print(f"The password is {shown}; it is not shown again.")


# `punto people list`: who may log in.


def people_list(database: DatabaseOption = None, json: JsonOption = False) -> None:
    """List who may log in, and in which roles."""
    from punto.store.people import members

    with reading(database) as reader:
        found = [member for member in members(reader) if member.roles or member.has_password]
    if json:
        answer_json(
            [
                {
                    "name": member.handle,
                    "roles": [role.value for role in member.roles],
                    "can_log_in": member.has_password,
                }
                for member in found
            ]
        )
    elif found:
        from punto.cli.ink import show
        from punto.documents.page import Grid

        rows = tuple(
            (
                one_line(member.handle),
                ", ".join(role.value for role in member.roles) or "none",
                "yes" if member.has_password else "no",
            )
            for member in found
        )
        show(Grid(("name", "roles", "can log in"), rows, grows=1))
    else:
        print("Nobody may log in yet; punto people new NAME --role administrator makes the first")


# `punto people roles`: shows or sets the roles of somebody.


def people_roles(
    name: NameArgument,
    role: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ROLE]...", help="All roles from now on; without any, the roles are shown.", show_default=False
        ),
    ] = None,
    none: Annotated[bool, typer.Option("--none", help="Take all roles away.")] = False,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Show the roles of somebody, or set them.

    Roles that are not named are taken away. The last administrator stays one.
    """
    from punto.store.people import roles_of, set_roles

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


# `punto people password`: gives somebody a new password.


def people_password(
    name: NameArgument,
    password_stdin: PasswordStdinOption = False,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Give somebody a new password.

    Every session of theirs ends.
    """
    from punto.server.access import hash_password
    from punto.store.people import change_password

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
