"""The chain of hashes, computed a second time by the words of its definition, on both databases."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

from punto.books import load
from punto.ledger.movement import Movement, MovementKind, Posting
from punto.rules.digest import digest_of
from punto.store import Store, open_store
from punto.store.address import parse_address
from punto.store.migrations import upgrade
from punto.store.reader import Reader
from punto.store.store import connect_to
from tests.store.earlier import write_earlier
from tests.store.sessions import add_table, events_of

EVENTS = events_of("insurance/banker-insurance-after-four-cards")


def events_again(reader: Reader, table: str, digest: str) -> list[bytes]:
    """The hashes of a table, from its lines of JSON as anybody can print them."""
    head, hashes = sha256(f"punto/1/{table}/{digest}".encode()).digest(), []
    for line in reader.lines(table):
        head = sha256(head + line.encode()).digest()
        hashes.append(head)
    return hashes


def cashier_again(reader: Reader) -> list[bytes]:
    """The hashes of the cashier's movements, from the rows."""
    head, hashes = sha256(b"punto/1/cashier").digest(), []
    names = ("id", "time", "kind", "player", "clause", "reason", "actor", "second")
    rows = reader._all(
        "SELECT id, time_ms, kind, player, clause, reason, actor, second FROM movements "
        "WHERE table_id IS NULL ORDER BY id"
    )
    for number, row in enumerate(rows, start=1):
        postings = reader._all(
            "SELECT account, amount FROM postings WHERE movement_id = ? ORDER BY line", (row[0],)
        )
        document = {"number": number, **dict(zip(names, row, strict=True)), "postings": postings}
        line = json.dumps(document, separators=(",", ":"), ensure_ascii=False)
        head = sha256(head + line.encode()).digest()
        hashes.append(head)
    return hashes


def stored_hashes(reader: Reader, table: str) -> list[bytes]:
    rows = reader._all("SELECT hash FROM events WHERE table_id = ? ORDER BY seq", (table,))
    return [bytes(row[0]) for row in rows]


def bought_in(handle: str, amount: int) -> Movement:
    postings = (Posting("cash/USD", -amount), Posting(f"player/{handle}", amount))
    return Movement(MovementKind.BUY_IN, postings, player=handle, reason="für „Lée“ 龍")


def test_the_hashes_of_a_table_follow_from_its_lines(store: Store) -> None:
    digest = digest_of(load("insurance"))
    with store.write() as transaction:
        add_table(transaction, "t1")
        transaction.append("t1", 0, EVENTS[:3], key='a "key" 龍')
        transaction.append("t1", 3, EVENTS[3:5])
    with store.write() as transaction:
        add_table(transaction, "t2")
        transaction.append("t1", 5, EVENTS[5:])
        transaction.append("t2", 0, EVENTS)
    with store.read() as reader:
        for table in reader.tables():
            hashes = events_again(reader, table.id, digest)
            assert stored_hashes(reader, table.id) == hashes
            assert table.head == hashes[-1]
        assert stored_hashes(reader, "t1")[-1] != stored_hashes(reader, "t2")[-1]


def test_a_table_without_events_has_a_head(store: Store) -> None:
    with store.write() as transaction:
        add_table(transaction, "t1")
    with store.read() as reader:
        table = reader.table("t1")
        assert table is not None
        assert table.head == sha256(f"punto/1/t1/{digest_of(load('insurance'))}".encode()).digest()


def test_the_hashes_of_the_cashier_follow_from_the_movements(store: Store) -> None:
    with store.write() as transaction:
        transaction.post([bought_in("Lee", 5), bought_in("Kim", 7)], time_ms=1, actor="Cas")
    with store.write() as transaction:
        add_table(transaction, "t1")
        transaction.append("t1", 0, EVENTS)
        transaction.post([bought_in("Lee", 6)], time_ms=2, table="t1", seq=1)
        transaction.post([bought_in("Lee", 1)], time_ms=3, actor="Cas", second="Sue")
    with store.read() as reader:
        hashes = cashier_again(reader)
        rows = reader._all("SELECT table_id, hash FROM movements ORDER BY id")
        assert [bytes(found) for table, found in rows if table is None] == hashes
        assert [found for table, found in rows if table is not None] == [None]
        [(version, head)] = reader._all("SELECT version, head FROM chains WHERE id = 'cashier'")
        assert (version, bytes(head)) == (3, hashes[-1])


def test_many_cashiers_at_once_make_one_chain(store: Store) -> None:
    def move(number: int) -> None:
        with store.write() as transaction:
            transaction.post([bought_in(f"P{number}", number + 1)], time_ms=number)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(move, range(12)))
    with store.read() as reader:
        rows = reader._all("SELECT hash FROM movements ORDER BY id")
        assert [bytes(row[0]) for row in rows] == cashier_again(reader)
        [(version, head)] = reader._all("SELECT version, head FROM chains")
        assert (version, bytes(head)) == (12, bytes(rows[-1][0]))


def test_what_was_there_before_gets_its_hashes(database: str) -> None:
    address = parse_address(database)
    upgrade(address, "0001")
    connection = connect_to(address, create=False)
    write_earlier(connection, "0001")
    connection.close()
    with open_store(database) as store, store.read() as reader:
        [hashed] = events_again(reader, "t1", "d" * 64)
        assert stored_hashes(reader, "t1") == [hashed]
        table = reader.table("t1")
        assert table is not None and table.head == hashed
        [hashed] = cashier_again(reader)
        [(version, head)] = reader._all("SELECT version, head FROM chains")
        assert (version, bytes(head)) == (1, hashed)
