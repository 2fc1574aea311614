"""`punto people`: who may log in to a floor, in which roles, with which password, and whose log-in is shut."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli import database_options
from punto.cli.account_commands import NameArgument
from punto.cli.database_options import DatabaseOption
from punto.cli.house_desk import HouseDesk, ServerOption, accepted, house_desk
from punto.cli.ink import show
from punto.cli.options import JsonOption, answer, argument, check_one_of, option
from punto.cli.output import answer_json, one_line, refuse, told_time
from punto.documents.page import Grid
from punto.refusal import RefusalText

if TYPE_CHECKING:
    from punto.floor.answers import OpenSession
    from punto.rules.authority import Role

PasswordStdinOption = Annotated[
    bool, typer.Option("--password-stdin", help="Read the password from standard input instead of drawing one.")
]


def named_roles(names: list[str]) -> tuple[Role, ...]:
    """The roles of these names; the command ends if one is not a role."""
    from punto.rules.authority import ROLES_OF_PEOPLE

    for name in names:
        check_one_of("role", name, [role.value for role in ROLES_OF_PEOPLE])
    return tuple(role for role in ROLES_OF_PEOPLE if role.value in names)


def chosen_password(house: HouseDesk, *, from_stdin: bool) -> tuple[str | None, str]:
    """A password to be shown, unless it comes from standard input, and the password."""
    from punto.floor.password import draw_password

    password = sys.stdin.readline().rstrip("\n") if from_stdin else draw_password(house.shortest_password())
    return None if from_stdin else password, password


def people_new(
    name: Annotated[str, argument("NAME", "The name to log in with.")],
    role: Annotated[list[str] | None, option("--role", "ROLE", "A role; can be repeated. Default: player.")] = None,
    currency: Annotated[str, option("--currency", "CODE", "The currency of a new account.", show_default=True)] = "USD",
    password_stdin: PasswordStdinOption = False,
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Let somebody log in to a floor.

    Somebody who has an account keeps it. The password is drawn and shown once, unless you give one.
    """
    from punto.floor.errand import AdmitErrand
    from punto.rules.authority import Role

    roles = named_roles(role or [Role.PLAYER.value])
    with database_options.removed_on_refusal(database, server), house_desk(database, server, create=True) as house:
        shown, password = chosen_password(house, from_stdin=password_stdin)
        who = {"name": name, "by": house.operator}
        came = house.do(AdmitErrand(**who, password=password, roles=roles, currency=currency))
        is_there = isinstance(came, RefusalText) and came.params.get("player") == name
        hint = f"; punto people password {name} gives a new password" if is_there else ""
        member = accepted(house, came, hint)
    if json:
        import msgspec

        answer_json({**msgspec.structs.asdict(member), "password": shown})
        return
    print(f"{name} may log in as {', '.join(held.value for held in member.roles)}")
    if shown is not None:
        print(f"The password is {shown}; it is not shown again.")


def people_list(database: DatabaseOption = None, server: ServerOption = None, json: JsonOption = False) -> None:
    """List who may log in, and in which roles."""
    with house_desk(database, server) as house:
        members = house.members()
    listed = [member for member in members if member.roles or member.can_log_in or member.shut is not None]
    if json:
        answer_json(listed)
    elif listed:
        rows = []
        for member in listed:
            roles = ", ".join(role.value for role in member.roles)
            can_log_in = "shut" if member.shut is not None else "yes" if member.can_log_in else "no"
            rows.append((one_line(member.account), roles or "none", can_log_in))
        show(Grid(("name", "roles", "can log in"), tuple(rows), grows=1))
    else:
        print("Nobody may log in yet; punto people new NAME --role administrator makes the first")


def roles_of(house: HouseDesk, name: str) -> tuple[Role, ...]:
    """The roles of somebody; the command ends if there is nobody of that name."""
    members = house.members()
    for member in members:
        if member.account == name:
            return member.roles
    from punto.floor.people import no_account

    return accepted(house, no_account(name).text)


def people_roles(
    name: NameArgument,
    role: Annotated[
        list[str] | None, argument("[ROLE]...", "All roles from now on; without any, the roles are shown.")
    ] = None,
    none: Annotated[bool, typer.Option("--none", help="Take all roles away.")] = False,
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Show the roles of somebody, or set them.

    Roles that are not named are taken away. The last administrator stays one.
    """
    from punto.floor.errand import RolesErrand

    wanted = named_roles(role or [])
    if none and wanted:
        refuse("--none takes all roles away; name roles or use --none, not both")
    with house_desk(database, server) as house:
        if wanted or none:
            held = accepted(house, house.do(RolesErrand(name=name, roles=wanted, by=house.operator))).roles
        else:
            held = roles_of(house, name)
    names = [one.value for one in held]
    if names:
        sentence = f"{name} has the {'role' if len(names) == 1 else 'roles'} {', '.join(names)}"
    else:
        sentence = f"{name} no longer has any roles" if none else f"{name} has no roles"
    answer({"account": name, "roles": names}, sentence, json=json)


def people_password(
    name: NameArgument,
    password_stdin: PasswordStdinOption = False,
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Give somebody a new password.

    All their sessions end.
    """
    from punto.floor.errand import PasswordErrand

    with house_desk(database, server) as house:
        shown, password = chosen_password(house, from_stdin=password_stdin)
        accepted(house, house.do(PasswordErrand(name=name, password=password, by=house.operator)))
    sentence = f"{name} has a new password"
    if shown is not None:
        sentence = f"The new password of {name} is {shown}; it is not shown again."
    answer({"account": name, "password": shown}, sentence, json=json)


ReasonOption = Annotated[str, option("--reason", "TEXT", "Why, for the records of the house.")]


def people_shut(
    name: NameArgument,
    reason: ReasonOption = "",
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Shut a log-in: no password lets that person in.

    All their sessions end at once. The account stays, and bets on the table are settled by the book.
    """
    from punto.floor.errand import ShutErrand

    with house_desk(database, server) as house:
        member = accepted(house, house.do(ShutErrand(name=name, reason=reason, by=house.operator)))
    answer(member, f"the log-in of {name} is shut", json=json)


def people_open(
    name: NameArgument,
    reason: ReasonOption = "",
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Open a log-in that was shut."""
    from punto.floor.errand import ReopenErrand

    with house_desk(database, server) as house:
        member = accepted(house, house.do(ReopenErrand(name=name, reason=reason, by=house.operator)))
    answer(member, f"the log-in of {name} is open again", json=json)


def people_sessions(
    name: NameArgument,
    end: Annotated[bool, typer.Option("--end", help="End all of them.")] = False,
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """List the open sessions of somebody, or end them."""
    from punto.floor.errand import EndSessionsErrand

    with house_desk(database, server) as house:
        sessions = accepted(house, house.sessions(name))
        if end:
            accepted(house, house.do(EndSessionsErrand(name=name, by=house.operator)))
    if json:
        answer_json({"account": name, "sessions": sessions, "ended": end})
    elif not sessions:
        print(f"{name} has no open sessions")
    else:
        show(Grid(("session", "from", "began", "last act"), tuple(map(_session_row, sessions)), grows=1))
        if end:
            print("All of them have ended.")


def _session_row(session: OpenSession) -> tuple[str, str, str, str]:
    return session.session, one_line(session.address), told_time(session.created), told_time(session.active)


def people_second_factor(
    name: NameArgument,
    enrol: Annotated[bool, typer.Option("--enrol", help="Draw a secret for an authenticator, and show it.")] = False,
    code: Annotated[str | None, option("--code", "CODE", "The first code, which confirms it.")] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove it; a reason is needed.")] = False,
    reason: ReasonOption = "",
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Show the second factor of somebody; set one up, or remove it.

    It is set up in two steps: --enrol shows a picture for an authenticator, --code confirms it with the first code
    and shows recovery codes, once.
    """
    from punto.floor.errand import ConfirmErrand, EnrolErrand, UnenrolErrand
    from punto.floor.second_factor import qr_terminal

    if sum((enrol, code is not None, remove)) > 1:
        refuse("use one of --enrol, --code and --remove at a time")
    with house_desk(database, server) as house:
        who = {"name": name, "by": house.operator}
        if enrol:
            begun = accepted(house, house.do(EnrolErrand(**who)))
            picture = "" if json else qr_terminal(begun.uri)
            sentence = f"The secret is {begun.secret}; confirm it with punto people second-factor {name} --code CODE"
            answer(begun, f"{picture}{sentence}", json=json)
        elif code is not None:
            codes = accepted(house, house.do(ConfirmErrand(**who, code=code)))
            listed = "\n".join(f"  {each}" for each in codes.codes)
            sentence = f"{name} logs in with a second factor. Recovery codes, not shown again:\n{listed}"
            answer(codes, sentence, json=json)
        elif remove:
            member = accepted(house, house.do(UnenrolErrand(**who, reason=reason)))
            answer(member, f"{name} no longer has a second factor", json=json)
        else:
            status = accepted(house, house.factor(name))
            has = f"has one, and {status.recovery_left} recovery codes" if status.enrolled else "has none"
            needs = "; a role needs one" if status.needed and not status.enrolled else ""
            answer(status, f"{name} {has}{needs}", json=json)
