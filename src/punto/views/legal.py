"""What a viewer may do now, as the API takes it: commands with round and window, amounts and odds.

The list is the one that the table itself would accept. Where the system draws the cards, nobody names one, so
a command is listed without its card.
"""

from __future__ import annotations

from typing import Any

import msgspec

from punto.cards.source import SourceKind
from punto.floor.cards import refuse_told
from punto.floor.loaded import LoadedTable
from punto.rules.role import Role
from punto.table.asking import Legal
from punto.table.command import BurnCards, DealCard
from punto.table.legal import legal_commands
from punto.table.state import Table
from punto.views.asked import asked_command, is_card_named
from punto.views.viewer import Viewer


class LegalView(msgspec.Struct, frozen=True):
    """A command that would be accepted, and how its free parts may be filled."""

    command: dict[str, Any]
    """As `POST /tables/{id}/commands` takes it, with the least amount."""
    free: tuple[str, ...]
    """Fields that may be filled otherwise."""
    most: int | None
    """The greatest amount that would be taken whole, in minor units."""
    odds: tuple[str, ...]
    """What the bet can pay."""
    second: Role | None
    """The least rank of a second person who must agree, where one is needed."""


def legal_of(loaded: LoadedTable, viewer: Viewer) -> tuple[LegalView, ...]:
    """Everything that a viewer may do at a table now; nothing for whoever has no name."""
    if loaded.imported:
        return ()
    return legal_views(loaded.table, commands_of(loaded.table, viewer))


def commands_of(table: Table, viewer: Viewer) -> tuple[Legal, ...]:
    """The commands that the table would accept from a viewer."""
    return legal_commands(table, viewer.name, viewer.role) if viewer.name is not None else ()


def legal_views(table: Table, legal: tuple[Legal, ...]) -> tuple[LegalView, ...]:
    """The same as the API takes them."""
    views: list[LegalView] = []
    for entry in legal:
        view = _legal_view(table, entry)
        if view is not None and view not in views:
            views.append(view)
    return tuple(views)


def _legal_view(table: Table, entry: Legal) -> LegalView | None:
    command, free = entry.command, entry.free
    if table.state.terms is not None:
        is_system = table.terms.source is not SourceKind.ENTERED
        if is_system and refuse_told(table, command) is not None:
            return None
        if isinstance(command, DealCard | BurnCards) and not is_card_named(table, command):
            free = tuple(name for name in free if name != "card" or not is_system)
    asked = asked_command(table, command) if table.state.terms is not None else _opening(entry)
    second = command.second.role if command.second is not None else None
    return LegalView(asked, free, entry.most, entry.odds, second)


def _opening(entry: Legal) -> dict[str, Any]:
    asked: dict[str, Any] = msgspec.to_builtins(entry.command, str_keys=True)
    return {name: asked[name] for name in ("type", "terms")}
