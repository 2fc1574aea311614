"""The contract of the store: what is written in one transaction is there as a whole, on both databases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from punto.store.errors import NotUnique, VersionConflict
from punto.store.record import SCHEMA_VERSION, Record, StoredCommand
from punto.store.store import Store, open_store
from punto.store.transaction import Transaction
from tests.store.sessions import add_table, events_of
from tests.store.test_store import moved

NAME = "insurance/banker-insurance-after-four-cards"
EVENTS = events_of(NAME)


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
