"""Everything that a store must hold after whatever was done: the log, the states and the ledger fit together.

The ledger is found again from the logs and the cashier's movements alone, posting by posting, and compared
with what is stored.
"""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

from punto.audit.verification import verify
from punto.floor.loaded_table import BookCache, load_table
from punto.ledger.movement import float_account, may_go_below_zero, play_account
from punto.ledger.postings import movements_of
from punto.store.reader import Reader
from punto.store.record import state_hash
from punto.store.store import Store
from punto.table.state import State

CASHIER = ("buy-in", "cash-out", "correction")


def check_store(store: Store) -> str:
    """Check a store; a hash of everything in it that a seed decides."""
    with store.read() as reader:
        balances = reader.all_balances()
        assert sum(balances.values()) == 0, "what one account gets another gives"
        for name, amount in balances.items():
            assert amount >= 0 or may_go_below_zero(name), f"{name}: {amount}"
        derived: Counter[str] = Counter()
        postings: dict[str, list[tuple[str, int]]] = {}
        for account, amount in _of_the_cashier(reader):
            derived[account] += amount
        hashes = []
        for stored in reader.tables():
            if stored.imported:
                continue
            state = _replayed(reader, stored.id, derived, postings)
            assert state_hash(load_table(reader, BookCache(), stored).table.state) == state_hash(state)
            lying = sum(stake.amount for stake in state.stakes) if state.settled is None else 0
            assert balances.get(play_account(stored.id, state.round), 0) == lying
            hashes.append(f"{stored.id} {stored.version} {state_hash(state)}")
        stored_postings = _stored_postings(reader)
        assert postings == stored_postings, "every posting is as the log says"
        verification = verify(reader)
        assert verification.problems == () and verification.ok
    kept = {name: amount for name, amount in balances.items() if amount}
    assert {name: amount for name, amount in derived.items() if amount} == kept
    hashes += [f"{name} {amount}" for name, amount in sorted(kept.items())]
    return sha256("\n".join(hashes).encode()).hexdigest()


def _replayed(reader: Reader, id: str, derived: Counter[str], postings: dict[str, list[tuple[str, int]]]) -> State:
    state = State()
    for seq, record in enumerate(reader.each_record(id), start=1):
        assert record.seq == seq, "there is no gap"
        balance = derived[float_account(id)]
        for movement in movements_of(id, state, record.event, float_balance=balance):
            for posting in movement.postings:
                derived[posting.account] += posting.amount
                postings.setdefault(f"{id}/{seq}", []).append((posting.account, posting.amount))
        state = record.event.fold(state)
    return state


def _of_the_cashier(reader: Reader) -> list[tuple[str, int]]:
    rows = reader.rows(
        "SELECT p.account, p.amount FROM postings p JOIN movements m ON m.id = p.movement_id WHERE m.table_id IS NULL"
    )
    return [(account, amount) for account, amount in rows]


def _stored_postings(reader: Reader) -> dict[str, list[tuple[str, int]]]:
    rows = reader.rows(
        "SELECT m.table_id, m.seq, p.account, p.amount FROM postings p JOIN movements m "
        "ON m.id = p.movement_id WHERE m.table_id IS NOT NULL ORDER BY m.id, p.line"
    )
    found: dict[str, list[tuple[str, int]]] = {}
    for table, seq, account, amount in rows:
        found.setdefault(f"{table}/{seq}", []).append((account, amount))
    return found
