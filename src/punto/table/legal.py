"""What somebody may do now: every command that the table would accept, with amounts and odds.

Each room names the commands worth trying; they are tried on `refusal_of`, the same question that `act`
asks, so the list and the decision cannot differ. A card that lies face down takes no part in either.
"""

from __future__ import annotations

from collections.abc import Iterator

from punto.rules.role import Role
from punto.table.acting import refusal_of
from punto.table.antes import legal as antes
from punto.table.asking import Asking, Legal
from punto.table.betting import legal as betting
from punto.table.command import Command, OpenTable, SettleRound
from punto.table.dealing import legal as dealing
from punto.table.header import CommandHeader, subject
from punto.table.house import legal as house
from punto.table.insurance import legal as insurance
from punto.table.irregularities import legal as irregularities
from punto.table.shuffling import legal as shuffling
from punto.table.state import Phase, Table
from punto.table.terms import default_terms


def legal_commands(table: Table, actor: str, role: Role) -> tuple[Legal, ...]:
    """Everything that this person may do in this role now."""
    candidates = _candidates(Asking(table, actor, role))
    return tuple(legal for legal in candidates if refusal_of(table, legal.command) is None)


def _candidates(asking: Asking) -> Iterator[Legal]:
    if asking.state.phase is Phase.CLOSED:
        return
    if asking.state.terms is None:
        yield asking.offer(OpenTable, terms=default_terms(asking.table.book), free=("terms",))
        return
    for room in (house, betting, dealing, antes, insurance):
        yield from room.candidates(asking)
    yield asking.offer(SettleRound)
    yield from irregularities.candidates(asking)
    yield from shuffling.candidates(asking)


def covers(legal: Legal, command: Command) -> bool:
    """Whether a command is one of those that an entry of the list stands for.

    An entry is for the round and the window of now, whether or not a command names them.
    """
    listed = legal.command
    if type(listed) is not type(command):
        return False
    if subject(listed) != subject(command) and "player" not in legal.free:
        return False
    header = set(CommandHeader.__struct_fields__) | {"player", "round", "window"}
    fields = [name for name in command.__struct_fields__ if name not in header and name not in legal.free]
    return all(getattr(listed, name) == getattr(command, name) for name in fields)
