"""Commands as clients send them: what the reference says of each, without actor, role, time, key and second.

These come from the session and the server. The structs are made from the commands themselves, so a new
command is taken here, and in the OpenAPI document, as soon as it exists.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Annotated, Any, get_args, get_type_hints

import msgspec

from punto.rules.role import Role
from punto.table.command import Command
from punto.table.header import CommandHeader
from punto.views.asked import HEADER

MOST = 10**15
"""The greatest amount of one command, in minor units."""
Amount = Annotated[int, msgspec.Meta(ge=1, le=MOST, description="Minor units.")]
BoundedBox = Annotated[int, msgspec.Meta(ge=1, le=1000)]
Expected = Annotated[int, msgspec.Meta(ge=0, le=MOST)]
LONGEST_KEY = 80

KINDS: dict[str, type[CommandHeader]] = {kind.name(): kind for kind in get_args(Command)}
"""Every command by its name."""


def _body_of(kind: type[CommandHeader]) -> type[msgspec.Struct]:
    """The struct of a command without its header."""
    hints, fields = get_type_hints(kind, include_extras=True), list[Any]()
    for field in msgspec.structs.fields(kind):
        if field.name in HEADER:
            continue
        annotation = {"amount": Amount, "box": BoundedBox}.get(field.name, hints[field.name])
        if field.default is not msgspec.NODEFAULT:
            fields.append((field.name, annotation, field.default))
        elif field.default_factory is not msgspec.NODEFAULT:
            fields.append((field.name, annotation, msgspec.field(default_factory=field.default_factory)))
        else:
            fields.append((field.name, annotation))
    made = msgspec.defstruct(
        f"{kind.__name__}Body",
        fields,
        tag=kind.name(),
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
        omit_defaults=True,
        module=__name__,
    )
    made.__doc__ = (kind.__doc__ or "").strip() or f"{kind.phrase.capitalize()}."
    return made


BODIES: dict[str, type[msgspec.Struct]] = {name: _body_of(kind) for name, kind in KINDS.items()}
CommandBody: Any = reduce(or_, BODIES.values())
"""Any command without its header."""


class CommandRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command for a table, by somebody in one of their roles."""

    key: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_KEY)]
    """Chosen by the client; the same key with the same body is carried out once."""
    role: Role
    command: CommandBody
    expected: Expected | None = None
    """The version of the table that this was decided on; dealing needs it."""


def command_of(body: msgspec.Struct, *, actor: str, role: Role, key: str, time: int) -> Command:
    """The command that a body asks for, given by this person now."""
    kind = KINDS[str(body.__struct_config__.tag)]
    fields = {name: getattr(body, name) for name in body.__struct_fields__}
    made: Any = kind(actor=actor, role=role, key=key, time=time, **fields)
    command: Command = made
    return command
