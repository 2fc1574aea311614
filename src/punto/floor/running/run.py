"""How a table is run: who deals, at which pace, and which bots sit there."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

import msgspec

from punto.cards.source import SourceKind
from punto.dealer import BOTS, Pace
from punto.refusal import Reason, Refusal
from punto.store.reader import Reader
from punto.store.running.runs import StoredRun, keep_run, stored_run, stored_runs
from punto.store.transaction import Transaction
from punto.table.state import Table
from punto.table.terms import Noticing, boxes_of

LONGEST_MS = 3_600_000
"""No clock runs for more than an hour."""


class DealtBy(Enum):
    """Who deals at a table."""

    AUTOMATIC = "automatic"
    PERSON = "person"


class TableRun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a table is run."""

    dealer: DealtBy = DealtBy.PERSON
    pace: Pace | None = None
    """In milliseconds; None for the pace of the house."""
    bots: tuple[str, ...] = ()
    """Bots that sit there, by name."""

    @property
    def is_automatic(self) -> bool:
        return self.dealer is DealtBy.AUTOMATIC


HUMAN = Pace(
    bets=20_000,
    antes=15_000,
    insurance=15_000,
    squeeze=20_000,
    options=30_000,
    draw=15_000,
    cards=1_200,
    rounds=6_000,
)
"""The pace of a table with people at it."""


def pace_of_seconds(seconds: float) -> Pace:
    """The pace at which bets are open for this long, and everything else in proportion.

    >>> pace_of_seconds(20) == HUMAN
    True
    """
    assert HUMAN.bets is not None
    factor = seconds * 1000 / HUMAN.bets
    clocks = {name: getattr(HUMAN, name) for name in Pace.__dataclass_fields__}
    return Pace(**{name: round(clock * factor) for name, clock in clocks.items()})


def with_clocks(run: TableRun) -> TableRun:
    """The same with every clock that players have, where an older version of Punto did not name it.

    To choose after an irregularity there is as much time as for an ante; to draw, as much as for a squeeze.
    """
    pace = run.pace
    if pace is None:
        return run
    squeeze = pace.antes if pace.squeeze is None else pace.squeeze
    options = pace.antes if pace.options is None else pace.options
    draw = squeeze if pace.draw is None else pace.draw
    return msgspec.structs.replace(run, pace=replace(pace, squeeze=squeeze, options=options, draw=draw))


def wrong_run(table: Table, run: TableRun) -> Refusal | None:
    """What is wrong with a way to run a table."""
    if run.is_automatic and table.state.terms is not None and table.terms.source is SourceKind.ENTERED:
        return _refusal("dealer", run.dealer.value, "the cards of a physical shoe are dealt by a person")
    if run.is_automatic and table.state.terms is not None and table.terms.noticing is not Noticing.STRICT:
        problem = "with noticing=dealer a person says which bets are wrong"
        return _refusal("dealer", run.dealer.value, problem)
    unknown = next((name for name in run.bots if name not in BOTS), None)
    if unknown is not None:
        return _refusal("bots", unknown, f"the bots are {', '.join(BOTS)}")
    if len(set(run.bots)) < len(run.bots):
        return _refusal("bots", ", ".join(run.bots), "a bot is named twice")
    if table.state.terms is not None and len(run.bots) > (boxes := boxes_of(table.book, table.terms)):
        return _refusal("bots", len(run.bots), f"the table has {boxes} boxes")
    for name in Pace.__dataclass_fields__:
        value = getattr(run.pace, name) if run.pace is not None else 0
        if value is not None and not 0 <= value <= LONGEST_MS:
            return _refusal(name, value, f"it must be from 0 to {LONGEST_MS} milliseconds")
        if value is None:
            return _refusal(name, "none", "a table that deals by itself needs a clock")
    return None


def wrong_terms(table: Table, run: TableRun) -> Refusal | None:
    """Which term of a table cannot be, because of how the table is run."""
    problem = "this one deals by itself; have a person deal first"
    if run.is_automatic and table.terms.source is SourceKind.ENTERED:
        return _refusal("source", table.terms.source.value, problem)
    if run.is_automatic and table.terms.noticing is not Noticing.STRICT:
        return _refusal("noticing", table.terms.noticing.value, problem)
    return None


def _refusal(term: str, value: str | int, problem: str) -> Refusal:
    return Refusal(Reason.WRONG_TERMS, None, {"term": term, "value": value, "problem": problem})


# ── As it is kept ────────────────────────────────────────────────────────────────────────────────


def run_of(reader: Reader, table: str) -> TableRun:
    """How a table is run; by a person where nobody has said otherwise."""
    stored = stored_run(reader, table)
    return _read(stored) if stored is not None else TableRun()


def all_runs(reader: Reader) -> dict[str, TableRun]:
    """How every table is run of which somebody has said so."""
    return {stored.table: _read(stored) for stored in stored_runs(reader)}


def keep(transaction: Transaction, table: str, run: TableRun, by: str, now: int) -> None:
    """Keep how a table is run, and who decided so."""
    pace = msgspec.json.encode(run.pace).decode() if run.pace is not None else None
    bots = msgspec.json.encode(run.bots).decode()
    keep_run(transaction, StoredRun(table, run.dealer.value, pace, bots), by, now)


def _read(stored: StoredRun) -> TableRun:
    pace = msgspec.json.decode(stored.pace, type=Pace) if stored.pace is not None else None
    bots = msgspec.json.decode(stored.bots, type=tuple[str, ...])
    return with_clocks(TableRun(DealtBy(stored.dealer), pace, bots))
