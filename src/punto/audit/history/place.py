"""Where a round stands in the log of its table: from its call to the event before the next call.

What happens between two rounds belongs to the first of them: a settlement can be reversed there. Rounds are
numbered in the order of the log, so a call is found by halving, without reading what lies before it.
"""

from __future__ import annotations

from dataclasses import dataclass

from punto.store.lookup.past import first_of
from punto.store.reader import Reader
from punto.store.record import Record
from punto.store.stored import StoredTable
from punto.table.event import BetsCalled
from punto.table.state import State

CALL = BetsCalled.name()


@dataclass(frozen=True, slots=True)
class RoundPlace:
    """The events of a round, by their places in the log."""

    round: int
    first: int
    """The call for bets."""
    last: int
    """The last event before the next call, or of the log."""
    is_last: bool
    """No later round has been called."""


def place_of(reader: Reader, table: StoredTable, round: int) -> RoundPlace | None:
    """Where a round stands; None where the table has had no round of this number."""
    low, high = 0, table.version
    # The call of the round comes after `low`, if there is one, and not after `high`.
    while low < high:
        middle = (low + high) // 2
        call = first_of(reader, table.id, CALL, middle)
        if call is None or _number(call) > round:
            high = middle
        elif _number(call) < round:
            low = call.seq
        else:
            return _from(reader, table, call)
    return None


def last_round(reader: Reader, table: StoredTable) -> int:
    """The number of a table's latest round, 0 where none was called."""
    low, high, number = 0, table.version, 0
    while low < high:
        middle = (low + high) // 2
        call = first_of(reader, table.id, CALL, middle)
        if call is None:
            high = middle
        else:
            low, number = call.seq, _number(call)
    return number


def state_at(reader: Reader, table: str, seq: int) -> State:
    """The table as it was after an event, from the last snapshot before it and the events since."""
    kept = reader.snapshot(table, seq)
    version, state = (kept.seq, kept.state) if kept is not None else (0, State())
    for record in reader.each_record(table, version, seq - version):
        state = record.event.fold(state)
    return state


def _from(reader: Reader, table: StoredTable, call: Record) -> RoundPlace:
    following = first_of(reader, table.id, CALL, call.seq)
    last = table.version if following is None else following.seq - 1
    return RoundPlace(_number(call), call.seq, last, following is None)


def _number(call: Record) -> int:
    assert isinstance(call.event, BetsCalled)
    return call.event.round
