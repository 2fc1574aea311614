"""The contract of the store: what is written in one transaction is there as a whole, on both databases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from punto.ledger.movement import Movement, MovementKind, Posting
from punto.store import Store, open_store
from punto.store.errors import LedgerBroken, NotUnique, StoreBroken, StoreError, VersionConflict
from punto.store.record import SCHEMA_VERSION, Record
from punto.store.stored import StoredAccount, StoredCommand, StoredPerson
from punto.store.transaction import Transaction
from tests.store.sessions import add_table, events_of, state_after

NAME = "insurance/banker-insurance-after-four-cards"
EVENTS = events_of(NAME)


def moved(amount: int, source: str, target: str, kind: MovementKind = MovementKind.BUY_IN) -> Movement:
    return Movement(kind, (Posting(source, -amount), Posting(target, amount)))


def test_a_stream_has_no_gaps_and_comes_back_as_it_was(store: Store) -> None:
    with store.write() as transaction:
        add_table(transaction, "t1")
        first = transaction.append("t1", 0, EVENTS[:3], key="k1")
        assert [record.seq for record in first] == [1, 2, 3]
    with store.write() as transaction:
        transaction.append("t1", 3, EVENTS[3:])
    with store.read() as reader:
        records = reader.records("t1")
        assert [record.event for record in records] == list(EVENTS)
        assert [record.seq for record in records] == list(range(1, len(EVENTS) + 1))
        assert records[0] == Record("t1", 1, SCHEMA_VERSION, "k1", EVENTS[0])
        assert records[3].key is None
        assert reader.records("t1", after=5, limit=2) == records[5:7]
        table = reader.table("t1")
        assert table is not None and table.version == len(EVENTS)
        assert reader.tables() == [table]
        assert reader.table("t2") is None and reader.records("t2") == []


def test_long_streams_are_read_page_by_page(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.store.reader.PAGE", 4)
    with store.write() as transaction:
        add_table(transaction, "t1")
        transaction.append("t1", 0, EVENTS)
        assert [record.event for record in transaction.each_record("t1", after=1)] == list(EVENTS[1:])
        for limit in range(10):
            assert len(transaction.records("t1", limit=limit)) == limit


def test_another_version_is_a_conflict_and_nothing_is_kept(store: Store) -> None:
    with store.write() as transaction:
        add_table(transaction, "t1")
        transaction.append("t1", 0, EVENTS[:2])

    def write() -> None:
        with store.write() as transaction:
            transaction.post([moved(5, "cash/USD", "player/Lee")], time_ms=1)
            transaction.append("t1", 1, EVENTS[2:3])

    with pytest.raises(VersionConflict) as caught:
        write()
    assert (caught.value.version, caught.value.expected) == (2, 1)
    with store.read() as reader:
        assert len(reader.records("t1")) == 2
        assert reader.all_balances() == {}


def test_an_error_undoes_everything(store: Store) -> None:
    def write() -> None:
        with store.write() as transaction:
            add_table(transaction, "t1")
            transaction.append("t1", 0, EVENTS)
            transaction.add_command(StoredCommand("Lee", "k", "{}", "t1"))
            transaction.flush()
            raise KeyError

    with pytest.raises(KeyError):
        write()
    with store.read() as reader:
        assert reader.tables() == [] and reader.answer("Lee", "k") is None


def test_a_reader_sees_one_moment(store: Store) -> None:
    with store.write() as transaction:
        add_table(transaction, "t1")
    with store.read() as reader:
        with store.write() as transaction:
            transaction.append("t1", 0, EVENTS)
            transaction.post([moved(5, "cash/USD", "player/Lee")], time_ms=1)
        assert reader.records("t1") == [] and reader.all_balances() == {}
    with store.read() as reader:
        assert len(reader.records("t1")) == len(EVENTS)


def test_two_writers_at_one_version_one_of_them_wins(store: Store) -> None:
    with store.write() as transaction:
        add_table(transaction, "t1")
    together = Barrier(4)

    def write(_: int) -> bool:
        together.wait()
        try:
            with store.write() as transaction:
                transaction.append("t1", 0, EVENTS[:1])
        except VersionConflict:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(write, range(4))) == 1


def test_a_key_belongs_to_a_person_and_is_used_once(store: Store) -> None:
    with store.write() as transaction:
        add_table(transaction, "t1")
        transaction.add_command(StoredCommand("Lee", "k1", '{"a":1}', "t1", 3, 1, 3))
        waiting = transaction.answer("Lee", "k1")
        assert waiting is not None and waiting.body == '{"a":1}'
        transaction.add_command(StoredCommand("Kim", "k1", "{}", "t1", 3, refusal='{"reason":"paused"}'))
        transaction.add_command(StoredCommand("Kim", None, "{}", answer="{}"))
        transaction.add_command(StoredCommand("Kim", None, "{}", "t1"))
    with store.read() as reader:
        found = reader.answers([("Lee", "k1"), ("Kim", "k1"), ("Lee", "k2")])
        assert set(found) == {("Lee", "k1"), ("Kim", "k1")}
        assert found["Lee", "k1"].last_seq == 3 and found["Kim", "k1"].refusal == '{"reason":"paused"}'
        commands = reader.commands("t1")
        assert [command.actor for command in commands] == ["Lee", "Kim", "Kim"]
        assert [c.id for c in reader.commands("t1", after=commands[0].id, limit=1)] == [commands[1].id]
    with pytest.raises(NotUnique), store.write() as transaction:
        transaction.add_command(StoredCommand("Lee", "k1", "{}"))


def test_tables_and_handles_are_unique(store: Store) -> None:
    with store.write() as transaction:
        add_table(transaction, "t1")
        transaction.add_account(StoredAccount("Lee", "USD", 7))
    for again in (
        lambda t: add_table(t, "t1"),
        lambda t: t.add_account(StoredAccount("Lee", "EUR", 8)),
    ):
        with pytest.raises(NotUnique), store.write() as transaction:
            again(transaction)
    with store.read() as reader:
        assert reader.account("Lee") == StoredAccount("Lee", "USD", 7)
        assert reader.account("Kim") is None
        assert reader.accounts() == [StoredAccount("Lee", "USD", 7)]


def test_a_person_can_be_erased_and_the_account_stays(store: Store) -> None:
    with store.write() as transaction:
        transaction.add_account(StoredAccount("Lee", "USD", 7))
        transaction.set_person(StoredPerson("Lee", "Lee Wong", "lee@example.org"))
        transaction.set_person(StoredPerson("Lee", "Lee Wong", None, "secret"))
    with store.write() as transaction:
        assert transaction.person("Lee") == StoredPerson("Lee", "Lee Wong", None, "secret")
        assert transaction.erase_person("Lee")
        assert not transaction.erase_person("Lee")
    with store.read() as reader:
        assert reader.person("Lee") is None and reader.account("Lee") is not None
    with pytest.raises(StoreError), store.write() as transaction:
        transaction.set_person(StoredPerson("Nobody", "has no account"))


def test_money_moves_and_sums_to_zero(store: Store) -> None:
    with store.write() as transaction:
        transaction.post([moved(1000, "cash/USD", "player/Lee")], time_ms=1, actor="Ann", second="Pia")
        assert transaction.lock_balances(["player/Lee", "player/Kim"]) == {
            "player/Lee": 1000,
            "player/Kim": 0,
        }
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
        m = lines[1].movement
        assert (m.table, m.seq, m.round, m.box, m.area) == ("t1", 5, 1, 3, "banker")
        assert (m.player, m.clause, m.reason, m.kind) == ("Lee", "3.1", None, "bet")
        assert (lines[0].movement.actor, lines[0].movement.second) == ("Ann", "Pia")
        assert [line.balance for line in reader.statement("player/Lee", after=lines[0].movement.id)] == [700]
        assert sum(amount for _, _, amount in reader.postings()) == 0
    with store.write() as transaction:
        transaction.post([moved(300, "play/t1/1", "player/Lee")], time_ms=3)
    with store.read() as reader:
        assert reader.all_balances() == {"cash/USD": -1000, "player/Lee": 1000}, (
            "a round that is over is gone"
        )


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
        transaction.post(
            [moved(10, "player/Lee", "player/Kim"), moved(10, "cash/USD", "player/Lee")], time_ms=1
        )
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
        transaction.add_seed("t1", 2, "chacha20", b"\0sealed\xff")
    with store.read() as reader:
        seed = reader.seed("t1", 2)
        assert seed is not None and (seed.algorithm, seed.sealed) == ("chacha20", b"\0sealed\xff")
        assert reader.seed("t1", 1) is None
    with pytest.raises(NotUnique), store.write() as transaction:
        transaction.add_seed("t1", 2, "chacha20", b"another")


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
    for module in ("reader", "transaction"):
        monkeypatch.setattr(f"punto.store.{module}.fingerprint", lambda: "of other code")
    with store.write() as transaction:
        assert transaction.snapshot("t1") is None
        transaction.keep_snapshot("t1", 4, state_after(EVENTS[:4]))
    monkeypatch.undo()
    with store.read() as reader:
        assert reader.snapshot("t1") is None


def test_what_was_written_is_there_when_opened_again(database: str) -> None:
    with open_store(database) as store, store.write() as transaction:
        add_table(transaction, "t1")
        transaction.append("t1", 0, EVENTS, key="a \N{SNOWMAN} key with 'quotes' and %s ?")
    with open_store(database, create=False) as store, store.read() as reader:
        assert [record.event for record in reader.records("t1")] == list(EVENTS)
        assert reader.records("t1")[0].key == "a \N{SNOWMAN} key with 'quotes' and %s ?"


def test_many_names_are_asked_for_at_once(store: Store) -> None:
    people = [f"p{i}" for i in range(900)]
    with store.write() as transaction:
        for person in people:
            transaction.add_command(StoredCommand(person, "k", "{}"))
        transaction.post([moved(1, "cash/USD", f"player/{person}") for person in people], time_ms=1)
    with store.read() as reader:
        assert len(reader.answers((person, "k") for person in people)) == 900
        assert sum(reader.balances(f"player/{person}" for person in people).values()) == 900


def test_a_transaction_is_a_reader(store: Store) -> None:
    """What waits to be written is seen by every reading of the same transaction."""
    with store.write() as transaction:
        assert isinstance(transaction, Transaction)
        add_table(transaction, "t1")
        transaction.append("t1", 0, EVENTS[:2])
        transaction.append("t1", 2, EVENTS[2:4])
        assert len(transaction.records("t1")) == 4
        table = transaction.table("t1")
        assert table is not None and table.version == 4
        assert transaction.lock_tables(["t1", "t9"]) == {"t1": table}
        transaction.add_command(StoredCommand("Lee", None, "{}", "t1"))
        assert len(transaction.commands("t1")) == 1
