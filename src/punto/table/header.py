"""What every command and every event says, and how a command becomes events.

A header has the name, who stands behind it, in which role and when. A verb says how one kind of command is
judged and carried out. A draft collects the events that a command is about to cause: later events depend
on earlier ones, so each is folded in as it is added, and nothing has happened until the whole draft is
returned.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec

import msgspec

from punto.money import Money
from punto.rules.authority import Role
from punto.rules.book import Book
from punto.table.irregularity_case import Resolution
from punto.table.state import Case, LaidBet, State, Table
from punto.table.terms import Terms


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

    actor: str
    role: Role
    time: int = 0
    key: str = ""
    second: Person | None = None  # The second person, where one is needed.

    @classmethod
    def name(cls) -> str:
        return str(cls.__struct_config__.tag)


class StakeCommand(CommandHeader, frozen=True, kw_only=True):
    """A command about an amount on one betting area of one box."""

    box: int
    area: str
    amount: Money
    player: str | None = None  # On whose behalf a pit employee acts.
    round: int | None = None


class EventHeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag=hyphened):
    """Who caused an event, in which role and when."""

    by: str
    role: Role
    time: int

    @classmethod
    def name(cls) -> str:
        return str(cls.__struct_config__.tag)

    def fold(self, state: State) -> State:
        """The state after this event. Nothing is decided here; some events are only for the record."""
        return state


class BetEvent(EventHeader, frozen=True):
    """An event of what one player has on one betting area of one box."""

    box: int
    player: str
    area: str

    def laid_bet(self, state: State) -> LaidBet:
        """The bet, where it must lie there."""
        bet = state.bet(self.box, self.player, self.area)
        assert bet is not None
        return bet


def subject(command: CommandHeader) -> str:
    """The player whom a command is about: whom staff name, or whoever gives it."""
    return getattr(command, "player", None) or command.actor


Fields = ParamSpec("Fields")  # Of an event, after its header.


class Draft:
    """Events in the making, all caused by one command."""

    def __init__(self, table: Table, command: CommandHeader, judged: object = None) -> None:
        self.table = table  # As the events so far leave it.
        self.book: Book = table.book
        self.state: State = table.state
        self.events: list[EventHeader] = []
        self.judged: object = judged  # What the judgement of the command worked out that carrying it out needs too.
        self.closed: tuple[Case, Resolution] | None = None
        """A case that these events closed, until what follows from that is done."""
        self._stamp = command.actor, command.role, command.time

    @property
    def terms(self) -> Terms:
        return self.table.terms

    def add(
        self,
        kind: Callable[Concatenate[str, Role, int, Fields], EventHeader],
        *fields: Fields.args,
        **named: Fields.kwargs,
    ) -> None:
        """Add an event with these fields, caused by whoever gave the command, and fold it in."""
        event = kind(*self._stamp, *fields, **named)
        self.events.append(event)
        self.state = event.fold(self.state)
        self.table = Table(self.book, self.state)


@dataclass(frozen=True, slots=True)
class Verb:
    """A command: its words in a line of notation, its two halves, and when it may be given at all."""

    phrase: str
    judge: Callable[[Table, Any], object]
    """A refusal; else None, or what `carry_out` finds as `Draft.judged`, so that it is worked out once."""
    carry_out: Callable[[Draft, Any], None]
    in_a_case: bool = False  # Whether it may be given while a case is open.
    in_a_pause: bool = False
    after_close: bool = False  # Whether it may be given when the table is closed for good.
    names_player: bool = False  # Whether staff who give it must say for which player.
    in_person: bool = False  # Whether a player who gives it for himself or herself is at the table again.


Verbs = dict[type[CommandHeader], Verb]  # The commands of a room.
