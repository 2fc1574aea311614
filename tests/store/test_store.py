"""The contract of the store: money, people, books, seeds and snapshots that are kept."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from punto.ledger.movement import Movement, MovementKind, Posting
from punto.store.errors import LedgerBroken, NotUnique, StoreBroken, StoreError
from punto.store.people import erase_person
from punto.store.record import StoredAccount, StoredPerson
from punto.store.store import Store
from tests.store.sessions import add_table, events_of, state_after

EVENTS = events_of("insurance/banker-insurance-after-four-cards")


def moved(amount: int, source: str, target: str, kind: MovementKind = MovementKind.BUY_IN) -> Movement:
    return Movement(kind, (Posting(source, -amount), Posting(target, amount)))


def test_tables_and_handles_are_unique(store: Store) -> None:
    with store.write() as transaction:
        add_table(transaction, "t1")
        transaction.add_account(StoredAccount("Lee", "USD", 7))
    for again in (lambda t: add_table(t, "t1"), lambda t: t.add_account(StoredAccount("Lee", "EUR", 8))):
        with pytest.raises(NotUnique), store.write() as transaction:
            again(transaction)
    with store.read() as reader:
        assert reader.account("Lee") == StoredAccount("Lee", "USD", 7)
        assert reader.account("Kim") is None
        assert reader.accounts() == [StoredAccount("Lee", "USD", 7)]


def test_a_person_can_be_erased_and_the_account_stays(store: Store) -> None:
    with store.write() as transaction:
        transaction.add_account(StoredAccount("Lee", "USD", 7))
        transaction.set_person(StoredPerson("Lee", "Lee Wong", "lee@example.org"), "house", 0)
        transaction.set_person(StoredPerson("Lee", "Lee Wong", None, "secret"), "house", 0)
    with store.write() as transaction:
        assert transaction.person("Lee") == StoredPerson("Lee", "Lee Wong", None, "secret")
        assert erase_person(transaction, "Lee", "house", 0)
        assert not erase_person(transaction, "Lee", "house", 0)
    with store.read() as reader:
        assert reader.person("Lee") is None and reader.account("Lee") is not None
    with pytest.raises(StoreError), store.write() as transaction:
        transaction.set_person(StoredPerson("Nobody", "has no account"), "house", 0)


def test_money_moves_and_sums_to_zero(store: Store) -> None:
    with store.write() as transaction:
        transaction.post([moved(1000, "cash/USD", "player/Lee")], time_ms=1, actor="Ann", second="Pia")
        assert transaction.lock_balances(["player/Lee", "player/Kim"]) == {"player/Lee": 1000, "player/Kim": 0}
    bet = Movement(
        MovementKind.BET,
        (Posting("player/Lee", -300), Posting("play/t1/1", 300)),
        table="t1",
        round=1,
        box=3,
        area="banker",
        player="Lee",
        clause="3.1",
    )
    with store.write() as transaction:
        add_table(transaction, "t1")
        transaction.post([bet], time_ms=2, table="t1", seq=5)
        assert transaction.balances(["player/Lee", "play/t1/1"]) == {"player/Lee": 700, "play/t1/1": 300}
    with store.read() as reader:
        assert reader.all_balances() == {"cash/USD": -1000, "play/t1/1": 300, "player/Lee": 700}
        lines = reader.statement("player/Lee")
        assert [(line.amount, line.balance) for line in lines] == [(1000, 1000), (-300, 700)]
        m = lines[1]
        assert (m.table, m.seq, m.round, m.box, m.area) == ("t1", 5, 1, 3, "banker")
        assert (m.clause, m.reason, m.kind) == ("3.1", None, "bet")
        assert reader.rows("SELECT player FROM movements WHERE id = ?", (m.id,)) == [("Lee",)]
        assert (lines[0].by, lines[0].second) == ("Ann", "Pia")
        assert [line.balance for line in reader.statement("player/Lee", after=lines[0].id)] == [700]
        assert sum(amount for _, _, amount in reader.postings()) == 0
    with store.write() as transaction:
        transaction.post([moved(300, "play/t1/1", "player/Lee")], time_ms=3)
    with store.read() as reader:
        assert reader.all_balances() == {"cash/USD": -1000, "player/Lee": 1000}, "a round that is over is gone"


def test_only_bank_and_cash_may_be_below_zero(store: Store) -> None:
    with store.write() as transaction:
        transaction.post([moved(50, "bank/USD", "float/t1"), moved(5, "cash/USD", "player/Lee")], time_ms=1)
    for source in ("player/Lee", "float/t1", "held/t1/Lee", "player/Kim"):
        with pytest.raises(LedgerBroken), store.write() as transaction:
            transaction.post([moved(1000, source, "bank/USD")], time_ms=1)
    with store.read() as reader:
        assert reader.all_balances() == {"bank/USD": -50, "cash/USD": -5, "float/t1": 50, "player/Lee": 5}


def test_within_a_transaction_only_the_sum_counts(store: Store) -> None:
    with store.write() as transaction:
        transaction.post([moved(10, "player/Lee", "player/Kim"), moved(10, "cash/USD", "player/Lee")], time_ms=1)
    with store.read() as reader:
        assert reader.balances(["player/Lee", "player/Kim"]) == {"player/Lee": 0, "player/Kim": 10}


def test_money_is_never_lost_between_many_writers(store: Store) -> None:
    people = [f"player/p{i}" for i in range(4)]
    with store.write() as transaction:
        transaction.post([moved(1000, "cash/USD", person) for person in people], time_ms=1)

    def pass_on(i: int) -> None:
        source, target = people[i % 4], people[(i + 1 + i // 4 % 3) % 4]
        with store.write() as transaction:
            if transaction.lock_balances([source, target])[source] >= 100:
                transaction.post([moved(100, source, target)], time_ms=i)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(pass_on, range(40)))
    with store.read() as reader:
        balances = reader.all_balances()
        assert sum(balances.values()) == 0 and sum(balances[person] for person in people) == 4000


def test_a_book_is_kept_once_by_its_digest(store: Store) -> None:
    for document in ("{}", '{"another":1}'):
        with store.write() as transaction:
            transaction.add_book("d" * 64, "mine", document)
    with store.read() as reader:
        assert reader.book("d" * 64) == "{}" and reader.book("e" * 64) is None
    with pytest.raises(StoreBroken), store.write() as transaction:
        transaction.add_table("t1", "e" * 64, 1)


def test_seeds_are_kept_by_shoe(store: Store) -> None:
    with store.write() as transaction:
        add_table(transaction, "t1")
        transaction.add_seed("t1", 2, "chacha20", b"\0sealed\xff", 0)
    with store.read() as reader:
        seed = reader.seed("t1", 2)
        assert seed is not None and (seed.algorithm, seed.sealed) == ("chacha20", b"\0sealed\xff")
        assert reader.seed("t1", 1) is None
    with pytest.raises(NotUnique), store.write() as transaction:
        transaction.add_seed("t1", 2, "chacha20", b"another", 0)


def test_snapshots_are_a_cache(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with store.write() as transaction:
        add_table(transaction, "t1")
        transaction.append("t1", 0, EVENTS)
        for seq in (4, 9):
            transaction.keep_snapshot("t1", seq, state_after(EVENTS[:seq]))
    with store.read() as reader:
        for at, seq in ((None, 9), (9, 9), (8, 4), (4, 4)):
            found = reader.snapshot("t1", at)
            assert found is not None and (found.seq, found.state) == (seq, state_after(EVENTS[:seq]))
        assert reader.snapshot("t1", 3) is None and reader.snapshot("t2") is None
    monkeypatch.setattr("punto.store.record.fingerprint", lambda: "of other code")
    with store.write() as transaction:
        assert transaction.snapshot("t1") is None
        transaction.keep_snapshot("t1", 4, state_after(EVENTS[:4]))
    monkeypatch.undo()
    with store.read() as reader:
        assert reader.snapshot("t1") is None
