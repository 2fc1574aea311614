"""A verb: how one kind of command is judged and carried out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from punto.refusal import Refusal
from punto.table.draft import Draft
from punto.table.header import CommandHeader
from punto.table.state import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """The two halves of a command, and when it may be given at all."""

    refuse: Callable[[Table, Any], Refusal | None]
    carry_out: Callable[[Draft, Any], None]
    in_a_case: bool = False
    """Whether it may be given while a case is open."""
    in_a_pause: bool = False
    after_close: bool = False
    """Whether it may be given when the table is closed for good."""
    names_player: bool = False
    """Whether staff who give it must say for which player."""
    in_person: bool = False
    """Whether a player who gives it for himself or herself is at the table again."""


Verbs = dict[type[CommandHeader], Verb]
"""The commands of a room."""
