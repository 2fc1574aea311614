"""What every event says: who caused it, in which role and when."""

from __future__ import annotations

import msgspec

from punto.rules.role import Role
from punto.table.command import hyphened


class EventHeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag=hyphened):
    """Who caused an event, in which role and when."""

    by: str
    role: Role
    time: int

    @classmethod
    def name(cls) -> str:
        """The tag of the event."""
        return str(cls.__struct_config__.tag)


class Stake(msgspec.Struct, frozen=True, omit_defaults=True):
    """An amount of one player on one betting area of one box."""

    box: int
    player: str
    area: str
    amount: int
