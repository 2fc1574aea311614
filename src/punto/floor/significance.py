"""What a batch of commands means for the whole house: significant events are written down with the events of the
tables that they follow from, and what players stake and win is added up by gaming day where the house has a
threshold for it.

With no threshold, a bet is looked at by its kind alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from punto.audit.significant_events import DayPart, Thresholds, acts_of, day_parts, large_day_act, thresholds_of
from punto.store.chain import HouseAct
from punto.store.house_settings import stored_settings
from punto.store.record import Record
from punto.store.significant_events import PlayerDay, keep_player_day, lock_player_days
from punto.store.transaction import Transaction
from punto.table.state import State

_MakeAct = Callable[[DayPart, str, int], HouseAct]  # From what is added to a day, stakes or wins, and their total.


class Significance:
    """The significant events of one transaction. Its tables are locked: the rules of the house stand still for them."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._thresholds: Thresholds | None = None
        self._parts: list[tuple[DayPart, _MakeAct]] = []

    def look(self, table: str, before: State, records: Sequence[Record], second: str | None) -> None:
        """Look at what a command did; `before` is the table before its first event."""
        thresholds = self._thresholds
        if thresholds is None:
            thresholds = self._thresholds = thresholds_of(stored_settings(self._transaction))
        watched, state = thresholds.watched, before
        if not any(type(record.event) in watched for record in records):
            return
        for record in records:
            event = record.event
            if type(event) in watched:
                acts = acts_of(table, record.seq, state, event, second, thresholds)
                self._transaction.note_acts(acts)
                made = partial(large_day_act, table, record.seq, event, second)
                self._parts += [(part, made) for part in day_parts(state, event, thresholds)]
            state = event.fold(state)

    def finish(self) -> None:
        """Add up the days, and write down whose have come to the threshold."""
        if not self._parts:
            return
        days = lock_player_days(self._transaction, ((part.player, part.day) for part, _ in self._parts))
        for part, made in self._parts:
            days[part.player, part.day] = self._added(days[part.player, part.day], part, made)
        for day in days.values():
            keep_player_day(self._transaction, day)

    def _added(self, day: PlayerDay, part: DayPart, made: _MakeAct) -> PlayerDay:
        day = msgspec.structs.replace(day, staked=day.staked + part.staked, won=day.won + part.won)
        for what in ("staked", "won"):
            total, told = getattr(day, what), getattr(day, f"{what}_told")
            if total >= part.threshold > told:
                self._transaction.note_acts([made(part, what, total)])
                day = msgspec.structs.replace(day, **{f"{what}_told": part.threshold})
        return day
