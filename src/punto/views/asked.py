"""A command as the API takes it: without who, when and under which key, and without hidden cards."""

from __future__ import annotations

from typing import Any

import msgspec

from punto.cards.source import SourceKind
from punto.table.command import BurnCards, Command, DealCard, Report
from punto.table.header import CommandHeader
from punto.table.state import Table

HEADER = frozenset(CommandHeader.__struct_fields__)
"""What session and server know: a client that sends it is refused."""


def asked_command(table: Table, command: Command) -> dict[str, Any]:
    """The JSON of a command, with the round and the window of now filled in where it can name them."""
    asked: dict[str, Any] = msgspec.to_builtins(command, str_keys=True)
    asked = {name: value for name, value in asked.items() if name not in HEADER}
    state = table.state
    if "round" in command.__struct_fields__ and state.is_in_round and not isinstance(command, Report):
        asked["round"] = state.round
    if "window" in command.__struct_fields__ and state.window is not None:
        asked["window"] = state.window
    if isinstance(command, DealCard | BurnCards) and not is_card_named(table, command):
        asked.pop("card", None)
    return asked


def is_card_named(table: Table, command: Command) -> bool:
    """Whether a person names the card of a command: only where the shoe is a physical one, and not a card
    that was carried over face down.
    """
    if table.terms.source is not SourceKind.ENTERED:
        return False
    carried = table.state.carried
    return not (isinstance(command, DealCard) and carried and not carried[0].face_up)
