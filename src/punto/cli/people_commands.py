"""`punto people`: who may log in to a floor, in which roles, and with which password."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.account_commands import NameArgument, accepted, account_named
from punto.cli.database_options import DatabaseOption, now_ms, opened, operator, reading, refuse_for, removed_on_refusal
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


def chosen_password(*, from_stdin: bool) -> tuple[str | None, str]:
    """A password to be shown, unless it comes from standard input, and what is kept of it."""
    from punto.floor.password import draw_password, hash_password
    from punto.refusal import Refusal

    password = sys.stdin.readline().rstrip("\n") if from_stdin else draw_password()
    hashed = hash_password(password)
    if isinstance(hashed, Refusal):
        refuse_for(hashed)
    return None if from_stdin else password, hashed


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
    from punto.floor.people import Author, People
    from punto.refusal import Refusal
    from punto.rules.authority import Role
    from punto.store.record import StoredPerson

    roles = named_roles(role or [Role.PLAYER.value])
    password, hashed = chosen_password(from_stdin=password_stdin)
    with removed_on_refusal(database), opened(database, create=True) as store:
        person, by = StoredPerson(name, password=hashed), Author(operator())
        answer = People(store, now_ms).let_in(person, currency, roles, by)
        is_there = isinstance(answer, Refusal) and answer.params.get("player") == name
        member = accepted(store, answer, f"; punto people password {name} gives a new password" if is_there else "")
    if json:
        import msgspec

        answer_json({**msgspec.structs.asdict(member), "password": password})
        return
    print(f"{name} may log in as {', '.join(held.value for held in member.roles)}")
    if password is not None:
        print(f"The password is {password}; it is not shown again.")


def people_list(database: DatabaseOption = None, json: JsonOption = False) -> None:
    """List who may log in, and in which roles."""
    from punto.store.people import members

    with reading(database) as reader:
        listed = [member for member in members(reader) if member.roles or member.can_log_in]
    if json:
        answer_json(listed)
    elif listed:
        from punto.cli.ink import show
        from punto.documents.page import Grid

        rows = tuple(
            (
                one_line(member.account),
                ", ".join(role.value for role in member.roles) or "none",
                "yes" if member.can_log_in else "no",
            )
            for member in listed
        )
        show(Grid(("name", "roles", "can log in"), rows, grows=1))
    else:
        print("Nobody may log in yet; punto people new NAME --role administrator makes the first")


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
    from punto.floor.people import Author, People

    wanted = named_roles(role or [])
    if none and wanted:
        refuse("--none takes all roles away; name roles or use --none, not both")
    with opened(database) as store:
        if wanted or none:
            held = accepted(store, People(store, now_ms).set_roles(name, wanted, Author(operator()))).roles
        else:
            held = account_named(store, name).roles
    names = [one.value for one in held]
    if json:
        answer_json({"account": name, "roles": names})
    elif names:
        print(f"{name} has the {'role' if len(names) == 1 else 'roles'} {', '.join(names)}")
    else:
        print(f"{name} has no roles any more" if none else f"{name} has no roles")


def people_password(
    name: NameArgument,
    password_stdin: PasswordStdinOption = False,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Give somebody a new password.

    Every session of theirs ends.
    """
    from punto.floor.people import Author, People

    password, hashed = chosen_password(from_stdin=password_stdin)
    with opened(database) as store:
        accepted(store, People(store, now_ms).set_password(name, hashed, Author(operator())))
    if json:
        answer_json({"account": name, "password": password})
    elif password is not None:
        print(f"The new password of {name} is {password}; it is not shown again.")
    else:
        print(f"{name} has a new password")
