"""How each table is run: by an automatic dealer or by people, at which pace, with which bots."""

from __future__ import annotations

from typing import Any

import msgspec

from punto.store.chain.house import HouseCode, HouseEvent, Subject
from punto.store.reader import Reader
from punto.store.transaction import Transaction


class StoredRun(msgspec.Struct, frozen=True):
    """How one table is run."""

    table: str
    dealer: str
    """`automatic` or `person`."""
    pace: str | None = None
    """The JSON of its pace; None where it is that of the house."""
    bots: str = "[]"
    """The JSON of the names of the bots that sit there."""


def run_state(run: StoredRun) -> dict[str, Any]:
    """What is written down of it in the chain of the house."""
    return {"dealer": run.dealer, "pace": run.pace, "bots": run.bots}


_RUN = "SELECT table_id, dealer, pace, bots FROM runs"


def stored_runs(reader: Reader) -> list[StoredRun]:
    """Every table that somebody has said this of, by id."""
    return [StoredRun(*row) for row in reader.connection.all(f"{_RUN} ORDER BY table_id")]


def stored_run(reader: Reader, table: str) -> StoredRun | None:
    """How a table is run; None where nobody has said."""
    return next(
        (StoredRun(*row) for row in reader.connection.all(f"{_RUN} WHERE table_id = ?", (table,))), None
    )


def keep_run(transaction: Transaction, run: StoredRun, by: str, now: int) -> None:
    """Keep how a table is run, and who decided so."""
    before = stored_run(transaction, run.table)
    if run != before:
        was = run_state(before) if before is not None else None
        code, subject = HouseCode.RUN_CHANGED.value, Subject.RUN.of(run.table)
        event = HouseEvent(time=now, code=code, subject=subject, who=by, before=was, after=run_state(run))
        transaction.note(event)
    transaction.connection.run(
        "INSERT INTO runs (table_id, dealer, pace, bots) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (table_id) DO UPDATE SET dealer = excluded.dealer, pace = excluded.pace, "
        "bots = excluded.bots",
        (run.table, run.dealer, run.pace, run.bots),
    )
