"""Somebody asks what a table allows: one person in one role, and how a legal command is listed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any, cast

import msgspec

from punto.cards.card import DECK, Card
from punto.rules.authority import Authority, authority_over
from punto.rules.role import Role
from punto.table.command import Command
from punto.table.header import CommandHeader, Person
from punto.table.state import Table


class Legal(msgspec.Struct, frozen=True, omit_defaults=True):
    """A command that would be accepted, and how its free parts may be filled."""

    command: Command
    """With the least amount, any card that fits, and a second person of the rank that is needed."""
    free: tuple[str, ...] = ()
    """Fields that may be filled otherwise."""
    most: int | None = None
    """The greatest amount that would be taken whole."""
    odds: tuple[str, ...] = ()
    """What the bet can pay."""


class Asking:
    """One person asking what a table allows."""

    def __init__(self, table: Table, actor: str, role: Role) -> None:
        self.table, self.state, self.actor, self.role = table, table.state, actor, role
        known = dict.fromkeys((*self.state.seats.values(), *self.state.bettors, *sorted(self.state.away)))
        self.players: list[str | None] = [None] if role is Role.PLAYER else list(known)
        self._authorities: dict[type[CommandHeader], Authority] = {}
        self.newcomer = next(name for name in _newcomers() if name not in known)
        """Stands for a player whom the table does not know yet."""
        self.newcomers: list[str | None] = [] if role is Role.PLAYER else [self.newcomer]

    def offer(
        self,
        command: type[CommandHeader],
        *,
        free: tuple[str, ...] = (),
        most: int | None = None,
        odds: tuple[str, ...] = (),
        **fields: Any,
    ) -> Legal:
        """A command worth trying, with a second person of the rank that is needed."""
        rank = self._authority(command).second
        second = Person("somebody else", rank) if rank else None
        made = cast("Command", command(actor=self.actor, role=self.role, second=second, **fields))
        return Legal(made, free, most, odds)

    def _authority(self, command: type[CommandHeader]) -> Authority:
        if command not in self._authorities:
            of_terms = self.table.terms.authority if self.state.terms else ()
            of_book = self.table.book.authority
            self._authorities[command] = authority_over(command.name(), of_book, of_terms)
        return self._authorities[command]

    def may(self, command: type[CommandHeader]) -> bool:
        """Whether the role may give such a command at all: there are many to try of some."""
        return self.role in self._authority(command).roles

    def any_name(self, player: str | None) -> tuple[str, ...]:
        """The name of a newcomer may be any other."""
        return ("player",) if player == self.newcomer else ()

    def odds(self, area: str) -> tuple[str, ...]:
        """What a bet on this area can pay, as the book writes it."""
        bet = self.table.book.bet(area)
        return tuple(row.odds for row in bet.pays if row.odds) if bet else ()

    def card_left(self) -> Card | None:
        """Some card that the shoe can still hold, the likeliest one: of it most are left."""
        if self.state.shoe is None:
            return DECK[0]
        out = self.state.shoe.out
        return min(DECK, key=out.count)


def _newcomers() -> Iterator[str]:
    yield "somebody new"
    yield from (f"somebody new ({number})" for number in count(2))
