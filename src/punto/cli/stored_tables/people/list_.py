"""`punto people list`: who may log in."""

from __future__ import annotations

from punto.cli.options.book import JsonOption
from punto.cli.options.database import DatabaseOption, reading
from punto.cli.terminal.say import answer_json, one_line


def list_(database: DatabaseOption = None, json: JsonOption = False) -> None:
    """List who may log in, and in which roles."""
    from punto.store.access.roles import members

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
        from punto.cli.terminal.ink import show
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
