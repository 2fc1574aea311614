"""What every command and every event says: its name, who stands behind it, in which role and when."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

import msgspec

from punto.rules.role import Role

if TYPE_CHECKING:
    from punto.table.state import State


def hyphened(name: str) -> str:
    """`PlaceBet` as `place-bet`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


class Person(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody in a role."""

    name: str
    role: Role


class CommandHeader(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag=hyphened
):
    """Who gives a command, in which role, when (milliseconds) and under which key."""

    phrase: ClassVar[str]
    """Its words in a line of notation."""

    actor: str
    role: Role
    time: int = 0
    key: str = ""
    second: Person | None = None
    """The second person, where one is needed."""

    @classmethod
    def name(cls) -> str:
        """The tag of the command."""
        return str(cls.__struct_config__.tag)


class EventHeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag=hyphened):
    """Who caused an event, in which role and when."""

    by: str
    role: Role
    time: int

    @classmethod
    def name(cls) -> str:
        """The tag of the event."""
        return str(cls.__struct_config__.tag)

    def fold(self, state: State) -> State:
        """The state after this event. Nothing is decided here; some events are only for the record."""
        return state


def subject(command: CommandHeader) -> str:
    """The player whom a command is about: whom staff name, or whoever gives it."""
    return getattr(command, "player", None) or command.actor
