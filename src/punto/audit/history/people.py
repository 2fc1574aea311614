"""Who did something, and in which role, in a few words."""

from __future__ import annotations

from punto.rules.role import Role
from punto.table.header import CommandHeader, EventHeader


def who(event: EventHeader) -> str:
    """Who caused an event: players by name, people of the house with their role."""
    return _named(event.by, event.role)


def giver(command: CommandHeader) -> str:
    """Who gave a command."""
    return _named(command.actor, command.role)


def _named(name: str, role: Role) -> str:
    return name if role is Role.PLAYER else f"{name} ({role.value})"
