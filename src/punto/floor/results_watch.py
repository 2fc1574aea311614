"""Results of a running floor beside its mathematics: what `punto audit watch` says is looked at again and again, and
the pit is told where a table differs from what its book and its cards lead to.

The limits of a watch hold however often one looks, so that looking every hour makes no false alarm more likely. What
was told once is told again only when it is something else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from punto.floor.loaded_table import BookCache
from punto.store.chain import HouseCode, Subject
from punto.store.reader import Reader
from punto.store.record import StoredTable
from punto.store.significant_events import EventFilter, latest_acts
from punto.store.store import Store
from punto.store.transaction import OPENER

if TYPE_CHECKING:  # what computes is loaded where it is computed
    from punto.audit.sight import Sight
    from punto.audit.watch import FloorWatch, Watch


class ResultsDifference(msgspec.Struct, frozen=True, kw_only=True):
    """What speaks against honest tables that pay by the book."""

    tables: tuple[str, ...]  # Several where they say so only together.
    rounds: int  # That were looked at.
    questions: tuple[str, ...] = ()  # What is beyond chance, in English.
    mispaid: int = 0  # Lines that were not paid by the book.
    repeated: int = 0  # Shoes that began as an earlier one.
    cut: int = 0  # Cut cards that were not called out when they were due.

    @property
    def subject(self) -> str:
        return Subject.RESULTS.of("+".join(self.tables))

    @property
    def state(self) -> dict[str, Any]:
        """What is written down of it."""
        counts = {"mispaid": self.mispaid, "repeated": self.repeated, "cut": self.cut}
        found: dict[str, Any] = {name: count for name, count in counts.items() if count}
        if self.questions:
            found["questions"] = "; ".join(self.questions)
        return {**found, "tables": ", ".join(self.tables), "rounds": self.rounds}


def sight_of(reader: Reader, stored: StoredTable, books: BookCache) -> Sight:
    """What could be seen at a stored table from its first event on."""
    from punto.audit.sight import see_table

    return see_table(books.book(reader, stored.digest), (record.event for record in reader.each_record(stored.id)))


def differences(reader: Reader) -> tuple[ResultsDifference, ...]:
    """Every table, and tables of one book together, beside their exact odds; those that differ."""
    from punto.audit.watch import watch_floor

    books = BookCache()
    # A copy of a table is not evidence of its own.
    sights = {stored.id: sight_of(reader, stored, books) for stored in reader.tables() if not stored.imported}
    return differences_in(watch_floor(sights)) if sights else ()


def differences_in(floor: FloorWatch) -> tuple[ResultsDifference, ...]:
    return tuple(_difference(watch) for watch in (*floor.tables, *floor.together) if not watch.is_quiet)


def _difference(watch: Watch) -> ResultsDifference:
    return ResultsDifference(
        tables=watch.tables or (watch.table,),
        rounds=watch.rounds,
        questions=tuple(answer.question for answer in watch.alarms),
        mispaid=len(watch.mispaid),
        repeated=len(watch.repeated),
        cut=len(watch.cut.wrong) if watch.cut is not None else 0,
    )


def tell_differences(store: Store, found: tuple[ResultsDifference, ...], now: int) -> None:
    """Write down what differs, unless the same was the last that was written down of these tables."""
    if not found:
        return
    with store.write() as transaction:
        transaction.connection.lock("results")  # another server of the house may have found the same
        told: dict[str, dict[str, Any]] = {}
        for act in latest_acts(transaction, EventFilter((HouseCode.RESULTS_DIFFER.value,)), MOST_LOOKED_AT):
            told.setdefault(act.subject, act.after or {})
        for one in found:
            before = told.get(one.subject, {})
            if {**before, "rounds": one.rounds} != one.state:
                change = {"before": before or None, "after": one.state}
                table = one.tables[0] if len(one.tables) == 1 else None
                transaction.note(HouseCode.RESULTS_DIFFER, one.subject, OPENER, now, **change, table=table)


MOST_LOOKED_AT = 1_000  # Events in which what was told before is looked for.
