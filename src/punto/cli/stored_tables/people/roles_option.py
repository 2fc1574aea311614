"""The roles that are named on the command line, and passwords that are drawn or read."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.terminal.say import refuse

if TYPE_CHECKING:
    from punto.rules.role import Role

RoleOption = Annotated[
    list[str] | None,
    typer.Option(
        "--role",
        metavar="ROLE",
        help="A role; may be given several times; default: player.",
        show_default=False,
    ),
]
PasswordStdinOption = Annotated[
    bool,
    typer.Option("--password-stdin", help="Read the password from standard input instead of drawing one."),
]


def named_roles(names: list[str]) -> tuple[Role, ...]:
    """The roles of these names; the command ends if one is not a role."""
    from punto.rules.role import Role
    from punto.suggestion import did_you_mean

    known = [role.value for role in Role]
    for name in names:
        if name not in known:
            refuse(f"{name!r} is not a role{did_you_mean(name, known)}; roles are {', '.join(known)}")
    return tuple(role for role in Role if role.value in names)


def chosen_password(*, from_stdin: bool) -> str:
    """A password from standard input, or one that is drawn."""
    from punto.server.access.password import LEAST, MOST, draw_password

    if not from_stdin:
        return draw_password()
    password = sys.stdin.readline().rstrip("\n")
    if not LEAST <= len(password) <= MOST or not password.isprintable():
        refuse(f"a password has {LEAST} to {MOST} printed characters")
    return password
