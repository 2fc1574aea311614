"""The chain of hashes, computed a second time by the words of its definition, on both databases."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import pytest

from punto.books import load
from punto.ledger.movement import Movement, MovementKind, Posting
from punto.rules.authority import Role
from punto.rules.book import digest_of
from punto.store.chain import DESK, HOUSE
from punto.store.errors import NotUnique
from punto.store.people import erase_person, set_roles
from punto.store.reader import Reader
from punto.store.record import StoredAccount, StoredCommand, StoredPerson
from punto.store.store import Store
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
    rows = reader.rows(
        "SELECT id, time_ms, kind, player, clause, reason, actor, second FROM movements "
        "WHERE table_id IS NULL ORDER BY id"
    )
    for number, row in enumerate(rows, start=1):
        postings = reader.rows("SELECT account, amount FROM postings WHERE movement_id = ? ORDER BY line", (row[0],))
        document = {"number": number, **dict(zip(names, row, strict=True)), "postings": postings}
        line = json.dumps(document, separators=(",", ":"), ensure_ascii=False)
        head = sha256(head + line.encode()).digest()
        hashes.append(head)
    return hashes


def stored_hashes(reader: Reader, table: str) -> list[bytes]:
    rows = reader.rows("SELECT hash FROM events WHERE table_id = ? ORDER BY seq", (table,))
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
        rows = reader.rows("SELECT table_id, hash FROM movements ORDER BY id")
        assert [bytes(found) for table, found in rows if table is None] == hashes
        assert [found for table, found in rows if table is not None] == [None]
        [(version, head)] = reader.rows("SELECT version, head FROM chains WHERE id = 'cashier'")
        assert (version, bytes(head)) == (3, hashes[-1])


def test_many_cashiers_at_once_make_one_chain(store: Store) -> None:
    def move(number: int) -> None:
        with store.write() as transaction:
            transaction.post([bought_in(f"P{number}", number + 1)], time_ms=number)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(move, range(12)))
    with store.read() as reader:
        rows = reader.rows("SELECT hash FROM movements ORDER BY id")
        assert [bytes(row[0]) for row in rows] == cashier_again(reader)
        [(version, head)] = reader.rows("SELECT version, head FROM chains")
        assert (version, bytes(head)) == (12, bytes(rows[-1][0]))


def house_again(reader: Reader) -> list[bytes]:
    """The hashes of what the house did, from its lines of JSON."""
    head, hashes = sha256(b"punto/1/house").digest(), []
    for number, (seq, body) in enumerate(reader.rows("SELECT seq, body FROM house_events ORDER BY seq"), start=1):
        assert seq == number == json.loads(body)["seq"]
        head = sha256(head + body.encode()).digest()
        hashes.append(head)
    return hashes


def commands_again(reader: Reader, table: str | None) -> list[bytes]:
    """The hashes of commands, from the rows: an array of the columns."""
    first = "punto/1/desk" if table is None else f"punto/1/{table}/commands"
    where = "table_id IS NULL" if table is None else "table_id = 't1'"
    head, hashes = sha256(first.encode()).digest(), []
    for row in reader.rows(
        "SELECT id, table_id, version, first_seq, last_seq, actor, key, body, refusal, answer, expected "
        f"FROM commands WHERE {where} ORDER BY id"
    ):
        line = json.dumps(row, separators=(",", ":"), ensure_ascii=False)
        head = sha256(head + line.encode()).digest()
        hashes.append(head)
    return hashes


def test_the_hashes_of_commands_follow_from_the_rows(store: Store) -> None:
    with store.write() as transaction:
        add_table(transaction, "t1")
        for number in range(3):
            transaction.add_command(StoredCommand("Lee", f"a{number}", '{"龍":1}', "t1", version=0))
            transaction.add_command(StoredCommand("Cas", f"b{number}", "{}", refusal="{}"))
            transaction.tables()  # whoever reads in between sees what was written
    with store.write() as transaction:
        transaction.add_command(StoredCommand("Lee", None, "{}", "t1", refusal="{}", expected=4))
    with store.read() as reader:
        table = reader.table("t1")
        assert table is not None and table.version == 0
        for name, end in (("t1", (table.asked, table.asked_head)), (None, reader.chain_end(DESK))):
            hashes = commands_again(reader, name)
            where = "table_id IS NULL" if name is None else "table_id = 't1'"
            rows = reader.rows(f"SELECT hash FROM commands WHERE {where} ORDER BY id")
            assert [bytes(found) for (found,) in rows] == hashes
            assert end == (len(hashes), hashes[-1])


@pytest.mark.gli("2.8.8")
def test_what_the_house_did_is_one_chain(store: Store) -> None:
    def employ(number: int) -> None:
        with store.write() as transaction:
            transaction.add_account(StoredAccount(f"P{number}", "USD", number), "Ada")
            transaction.set_person(StoredPerson(f"P{number}", "龍", None, "a hash"), "Ada", number)
            set_roles(transaction, f"P{number}", (Role.DEALER,), "Ada", number)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(employ, range(8)))
    with store.write() as transaction:
        set_roles(transaction, "P0", (Role.DEALER,), "Ada", 9)  # nothing changes, so nothing is written down
        transaction.set_person(StoredPerson("P0", "another name", None, "a hash"), "Ada", 9)
        assert erase_person(transaction, "P0", "Eve", 10)
    with store.read() as reader:
        hashes = house_again(reader)
        assert reader.chain_end(HOUSE) == (8 * 3 + 3, hashes[-1])  # the name that changed, and what was erased
        acts = [json.loads(body) for (body,) in reader.rows("SELECT body FROM house_events ORDER BY seq")]
        assert "龍" not in str(acts) and "a hash" not in str(acts)
        last = {act["subject"]: (act["code"], act["who"], act["before"], act["after"]) for act in acts[-2:]}
        digest = sha256(b"a hash").hexdigest()
        assert last == {
            "password/P0": ("person-erased", "Eve", {"password": digest}, None),
            "roles/P0": ("person-erased", "Eve", {"dealer": ["Ada", 0]}, None),
        }


def test_what_fails_leaves_no_act(store: Store) -> None:
    with store.write() as transaction:
        add_table(transaction, "t1")

    def fail() -> None:
        with store.write() as transaction:
            transaction.add_account(StoredAccount("Lee", "USD", 1), "Ada")
            add_table(transaction, "t1")

    with pytest.raises(NotUnique):
        fail()
    with store.read() as reader:
        assert reader.chain_end(HOUSE) == (1, house_again(reader)[-1]) and len(house_again(reader)) == 1
