"""Verification finds every change to a house, or says that nobody vouches for what was changed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from punto.audit.anchor import Anchor
from punto.audit.verification import VerifiedChain, several_processes, verify
from punto.store.backup import backup, restore
from punto.store.connection import Connection
from punto.store.store import open_store
from punto.store.witness import RESTORED, remove_mark
from tests.audit import rehashing, tampered_rows
from tests.audit.house import EVENTS, anchor_of, build, move_money, opened, play, refuse_something
from tests.audit.rehashing import event_rehashed, events_cut_off_neatly
from tests.audit.tampered_rows import COVERED, HARMLESS
from tests.audit.tampering import KINDS, is_honest, look, tamper
from tests.crash.house import floor_of
from tests.store.reflected import metadata


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Anchor]:
    """A house in an SQLite file, and the anchor of its first half."""
    address = str(tmp_path_factory.mktemp("house") / "house.db")
    return address, build(address)


@pytest.fixture
def owned(house: tuple[str, Anchor]) -> Iterator[tuple[Connection, Anchor]]:
    """The house for somebody who owns it; whatever is done to it is undone."""
    address, anchor = house
    with opened(address) as connection:
        connection.begin_write()
        yield connection, anchor
        connection.roll_back()


@pytest.mark.slow
def test_a_house_that_nobody_touched(owned: tuple[Connection, Anchor]) -> None:
    connection, anchor = owned
    found = look(connection, anchor)
    assert found.ok and found.problems == ()
    assert found.anchored == {id: chain.seq for id, chain in anchor.tables.items()}
    assert found.events == sum(found.last.values())
    assert all(found.anchored[id] < found.last[id] for id in anchor.tables)
    assert found.last.keys() - anchor.tables.keys() == {"seen"}
    assert found.cashier == VerifiedChain(7, 10)
    assert anchor.house is not None
    assert found.house.anchored == anchor.house.seq < (found.house.last or 0)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
@pytest.mark.gli("B.3.2")
def test_two_hundred_changes_are_found_or_reported_as_unanchored(house: tuple[str, Anchor], block: int) -> None:
    address, anchor = house
    with opened(address) as connection:
        for seed in range(block * 20, block * 20 + 20):
            connection.begin_write()
            done = tamper(connection, random.Random(seed))
            assert is_honest(done, look(connection, anchor), anchor), f"seed {seed}: {done}"
            connection.roll_back()


@pytest.mark.slow
def test_every_kind_of_change_without_an_anchor(house: tuple[str, Anchor]) -> None:
    """What leaves nothing that does not fit is exactly what computes everything again."""
    address, _ = house
    missed = set()
    with opened(address) as connection:
        for kind in KINDS:
            for seed in range(3):
                connection.begin_write()
                kind(connection, random.Random(seed))
                if look(connection, None).ok:
                    missed.add(kind.__name__)
                connection.roll_back()
    fitting = {name for name in vars(rehashing) if name in {kind.__name__ for kind in KINDS}}
    # What follows from something else that is stored is found all the same.
    assert missed == {name for name in fitting if not name.startswith("significant_")}


@pytest.mark.gli("B.3.2")
def test_every_column_of_the_schema_is_covered_or_harmless() -> None:
    """A new column: say in `tampered_rows` whether a change of it is found, or why it does no harm."""
    listed = [f"{table}.{column}" for table, columns in COVERED.items() for column in columns]
    known = {f"{table.name}.{column.name}" for table in metadata.tables.values() for column in table.columns}
    assert len(listed) == len(set(listed)) and not set(listed) & HARMLESS.keys()
    assert set(listed) | HARMLESS.keys() == known
    assert all(HARMLESS.values())


@pytest.mark.slow
@pytest.mark.parametrize("table", sorted(COVERED))
def test_every_row_that_can_be_added(
    owned: tuple[Connection, Anchor], table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection, _ = owned
    monkeypatch.setattr(tampered_rows, "COVERED", {table: COVERED[table]})
    done = tampered_rows.row_added(connection, random.Random(1))
    assert not look(connection, None).ok, done


@pytest.mark.slow
@pytest.mark.parametrize("place", range(len(tampered_rows.CHANGED)))
def test_every_column_that_can_be_changed(
    owned: tuple[Connection, Anchor], place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection, _ = owned
    monkeypatch.setattr(tampered_rows, "CHANGED", (tampered_rows.CHANGED[place],))
    done = tampered_rows.row_changed(connection, random.Random(place))
    assert not look(connection, None).ok, done


@pytest.mark.slow
@pytest.mark.parametrize("place", range(len(tampered_rows.GONE)))
def test_every_row_that_can_be_deleted(
    owned: tuple[Connection, Anchor], place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection, _ = owned
    monkeypatch.setattr(tampered_rows, "GONE", (tampered_rows.GONE[place],))
    done = tampered_rows.row_deleted(connection, random.Random(place))
    assert not look(connection, None).ok, done


@pytest.mark.slow
@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO events SELECT table_id, seq + 1, v, key, body, hash FROM events "
        "WHERE table_id = 't1' ORDER BY seq DESC LIMIT 1",
        "UPDATE commands SET version = version + 1, last_seq = last_seq + 1 "
        "WHERE id = (SELECT max(id) FROM commands WHERE table_id = 't1' AND last_seq IS NOT NULL)",
    ],
)
def test_what_comes_after_the_last_version(owned: tuple[Connection, Anchor], statement: str) -> None:
    connection, _ = owned
    assert connection.run(statement) == 1
    found = look(connection, None)
    assert {problem.table for problem in found.problems} == {"t1"}
    assert any("after the last version" in problem.problem for problem in found.problems)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [event_rehashed, events_cut_off_neatly])
def test_the_anchor_divides_what_is_found_from_what_is_not(house: tuple[str, Anchor], kind: Any) -> None:
    """Whoever makes everything fit is found up to the anchor, and not one event later."""
    address, anchor = house
    found, missed = set[int](), set[int]()
    with opened(address) as connection:
        for seed in range(60):
            connection.begin_write()
            done = kind(connection, random.Random(seed))
            if done.chain in anchor.tables:
                (missed if look(connection, anchor).ok else found).add(done.fits_from)
            connection.roll_back()
    [border] = {chain.seq for chain in anchor.tables.values()}
    assert found and missed
    assert max(found) <= border < min(missed)


@pytest.mark.slow
def test_a_value_of_another_kind_is_found(house: tuple[str, Anchor]) -> None:
    """SQLite keeps anything in any column: text for a number, bytes that are not text."""
    address, _ = house
    changes = [
        f"UPDATE {table} SET {column} = {value} WHERE rowid IS NOT NULL"
        if table in ("movements", "commands", "snapshots")
        else f"UPDATE {table} SET {column} = {value}"
        for table, column in (
            *(("events", name) for name in ("v", "key", "body", "hash")),
            *(("movements", name) for name in ("seq", "time_ms", "kind", "round", "player", "hash")),
            *(("postings", name) for name in ("account", "amount")),
            *(("balances", name) for name in ("amount",)),
            *(("commands", name) for name in ("first_seq", "last_seq", "version")),
            ("snapshots", "body"),
            ("books", "document"),
            ("tables", "digest"),
        )
        for value in ("'odd'", "x'c3'", "CAST(x'c3' AS TEXT)", "1.5")
    ]
    with opened(address) as connection:
        for change in changes:
            connection.begin_write()
            connection.run(change)
            assert not look(connection, None).ok, change
            connection.roll_back()


@pytest.mark.slow
def test_changes_on_both_databases(database: str) -> None:
    anchor = build(database)
    with opened(database) as connection:
        for seed in range(40):
            connection.begin_write()
            kind = KINDS[seed % len(KINDS)]
            done = kind(connection, random.Random(seed))
            assert is_honest(done, look(connection, anchor), anchor), f"seed {seed}: {done}"
            connection.roll_back()
        assert look(connection, anchor).ok


@pytest.mark.slow
def test_one_table_by_itself(owned: tuple[Connection, Anchor], house: tuple[str, Anchor]) -> None:
    connection, anchor = owned
    with open_store(house[0]) as store, store.read() as reader:
        whole = verify(reader, anchor=anchor)
        for table in reader.tables():
            alone = verify(reader, table, anchor)
            assert alone.ok and alone.last == {table.id: whole.last[table.id]} and alone.cashier == VerifiedChain()
            known = {id: seq for id, seq in whole.anchored.items() if id == table.id}
            assert alone.anchored == known
    connection.run("UPDATE events SET body = body || ' ' WHERE table_id = 't2' AND seq = 5")
    [problem] = look(connection, anchor).problems
    assert (problem.table, problem.seq) == ("t2", 5)


@pytest.mark.slow
def test_several_processes_find_what_one_does(house: tuple[str, Anchor], tmp_path: Path) -> None:
    address, anchor = house
    with open_store(address) as store:
        backup(store, tmp_path / "kept.db")
    restore(tmp_path / "kept.db", str(tmp_path / "again.db"))
    with opened(str(tmp_path / "again.db")) as connection:
        for change in (
            "UPDATE events SET hash = body WHERE seq % 2 = 0",
            "UPDATE postings SET amount = amount + 1 WHERE movement_id % 5 = 0",
        ):
            connection.run(change)
    for file in (address, str(tmp_path / "again.db")):
        with open_store(file) as store, several_processes(store.address, 2) as begin, store.read() as reader:
            assert verify(reader, None, anchor, begin) == verify(reader, None, anchor)


@pytest.mark.slow
def test_tables_that_are_being_played(house: tuple[str, Anchor], tmp_path: Path) -> None:
    """Everything is seen at one moment, also by processes that look at the tables later."""
    address, anchor = house
    with open_store(address) as store:
        backup(store, tmp_path / "kept.db")
    restore(tmp_path / "kept.db", str(tmp_path / "again.db"))
    with open_store(str(tmp_path / "again.db")) as store, store.write() as transaction:
        remove_mark(transaction, RESTORED)  # nobody has played since the backup: its shoes are dealt on
    with open_store(str(tmp_path / "again.db")) as store, store.read() as reader:
        before = verify(reader, anchor=anchor)
        with floor_of(store) as floor:
            play(floor, EVENTS + 80, ("t1", "t2"))
            refuse_something(floor)
        move_money(store)
        with several_processes(store.address, 2) as begin:
            assert verify(reader, anchor=anchor, begin=begin) == before
        with store.read() as later:
            after = verify(later, anchor=anchor)
            assert after.ok and after.last["t1"] >= EVENTS + 80 > before.last["t1"]


@pytest.mark.slow
def test_a_backup_has_the_same_chain(house: tuple[str, Anchor], tmp_path: Path) -> None:
    address, anchor = house
    with open_store(address) as store:
        backup(store, tmp_path / "kept.db")
        now = anchor_of(store)
    restore(tmp_path / "kept.db", str(tmp_path / "again.db"))
    with open_store(str(tmp_path / "again.db")) as store, store.read() as reader:
        assert verify(reader, anchor=anchor).ok and verify(reader, anchor=now).ok
        again = anchor_of(store)
        assert (again.tables, again.cashier) == (now.tables, now.cashier)
        assert again.house.seq == now.house.seq + 1, "that it was restored is told"


@pytest.mark.slow
def test_a_tail_cut_off_shows_against_a_later_anchor(owned: tuple[Connection, Anchor]) -> None:
    connection, anchor = owned
    done = events_cut_off_neatly(connection, random.Random(0))
    seed = 0
    while not look(connection, anchor).ok:
        connection.roll_back()
        connection.begin_write()
        done = events_cut_off_neatly(connection, random.Random(seed := seed + 1))
    with open_store(str(connection._path)) as store:  # type: ignore[attr-defined]
        later = anchor_of(store)  # what others see: nothing of the change is kept yet
    assert look(connection, anchor).ok
    assert {problem.table for problem in look(connection, later).problems} >= {done.chain}
