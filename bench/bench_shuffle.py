"""What a promise costs: committing to the seed of a shoe and opening it, beside shuffling the shoe.

The aim is less than a millisecond per shoe. What is stored of it, one event and one command more, goes with a
transaction that is written anyway.
"""

from __future__ import annotations

import sys
import timeit
from pathlib import Path

from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from punto import books
from punto.audit.shuffle import order_of
from punto.floor.job import Job, decide_job
from punto.floor.loaded_table import LoadedTable
from punto.floor.shoe import Seed, Seeds, fresh_seed, given_seeds
from punto.rules.authority import Role
from punto.store.seal import Seal
from punto.table import Step, Table, act, default_terms
from punto.table.house import CloseTable, LoadShoe, OpenTable

REPEATS = 200
TARGET_MS = 1.0
DEALER = {"actor": "Dan", "role": Role.DEALER}
SEAL = Seal(bytes(32))


def opened() -> LoadedTable:
    """A new table."""
    book = books.load("ez")
    terms = replace(default_terms(book), burn="none")
    step = act(Table(book), OpenTable(actor="Sue", role=Role.PIT_SUPERVISOR, terms=terms))
    assert isinstance(step, Step)
    return LoadedTable("t1", 1, step.table)


def live(table: LoadedTable, seeds: Seeds) -> None:
    """All that is done about the promise of a shoe: it is loaded, sealed, and opened at the close."""
    seed = seeds("t1", 1)
    sealed = SEAL.seal("t1", 1, seed.secret)

    def kept(_: int) -> Seed:
        return Seed(seed.algorithm, SEAL.open("t1", 1, sealed))

    for command in (LoadShoe(**DEALER), CloseTable(actor="Sue", role=Role.PIT_SUPERVISOR)):  # type: ignore[arg-type]
        decided = decide_job(Job("t1", command, table.version), table, kept, lambda: 0)
        assert decided.after is not None, decided.refusal
        table = decided.after


def main() -> None:
    """Measure, and print a row for each."""
    table, given = opened(), given_seeds("7")
    without = min(timeit.repeat(lambda: live(table, given), number=1, repeat=REPEATS)) * 1e3
    with_promise = min(timeit.repeat(lambda: live(table, fresh_seed), number=1, repeat=REPEATS)) * 1e3
    seed = fresh_seed("t1", 1)
    shuffle = min(timeit.repeat(lambda: order_of(seed.algorithm, seed.secret, 8), number=1, repeat=REPEATS)) * 1e3
    added = with_promise - without
    missed = "" if added < TARGET_MS else "  MISSED"
    print(f"shuffling a shoe of 8 decks          {shuffle:8.3f} ms   1.00")
    print(f"loading and closing, no promise      {without:8.3f} ms   {without / shuffle:.2f}")
    print(f"the same with commitment and opening {with_promise:8.3f} ms   {with_promise / shuffle:.2f}")
    print(f"added to a shoe                      {added:8.3f} ms   {added / shuffle:.2f}", end="")
    print(f"   target {TARGET_MS} ms{missed}")


if __name__ == "__main__":
    main()
