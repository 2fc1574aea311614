"""A backup has everything, from either database into either, and is never written over anything."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from punto.ledger.movement import Movement, MovementKind, Posting
from punto.store.backup import TABLES, backup, backup_until, moment_of, restore
from punto.store.errors import DiskFull, NoDatabase, NotEmpty, NotOurs, StoreBroken, StoreError
from punto.store.record import StoredAccount, StoredCommand, StoredPerson
from punto.store.store import Store, open_store
from tests.store.earlier import ROWS, rows_of, write_earlier
from tests.store.postgres_server import PostgresServer
from tests.store.sessions import add_table, events_of, state_after

EVENTS = events_of("insurance/banker-insurance-after-four-cards")
BUY_IN = Movement(MovementKind.BUY_IN, (Posting("cash/USD", -500), Posting("player/Lee", 500)), player="Lee")


def fill(store: Store) -> None:
    with store.write() as transaction:
        add_table(transaction, "t1")
        transaction.append("t1", 0, EVENTS, key="k")
        transaction.add_command(StoredCommand("Lee", "k", "{}", "t1", len(EVENTS), 1, len(EVENTS)))
        transaction.add_account(StoredAccount("Lee", "USD", 1))
        transaction.set_person(StoredPerson("Lee", "Lee Wong \N{SNOWMAN}"), "house", 0)
        transaction.post([BUY_IN], time_ms=1)
        transaction.add_seed("t1", 1, "chacha20", bytes(range(256)), 0)
        transaction.keep_snapshot("t1", 5, state_after(EVENTS[:5]))


def content(store: Store) -> dict[str, list[tuple[object, ...]]]:
    with store.connection() as connection:
        return {name: sorted(connection.all(f"SELECT * FROM {name}"), key=repr) for name in TABLES}


def before_restoring(rows: dict[str, list[tuple[Any, ...]]]) -> dict[str, list[tuple[Any, ...]]]:
    """What was restored, without the act that says so: it is the last one of the house."""
    *acts, (seq, body, link) = rows["house_events"]
    assert '"code":"database-restored"' in body
    chains = [(id, seq - 1, acts[-1][2]) if id == "house" else (id, *rest) for id, *rest in rows["chains"]]
    assert ("house", seq, link) in rows["chains"]
    return {**rows, "house_events": acts, "chains": chains}


def with_mark(before: dict[str, list[tuple[object, ...]]]) -> dict[str, list[tuple[object, ...]]]:
    """The same, and that it was restored: its shoes may be known."""
    return {**before, "marks": [*before["marks"], ("restored", "kept.punto")]}


def goes_on(store: Store) -> None:
    """A restored house can be played on."""
    with store.write() as transaction:
        transaction.append("t1", len(EVENTS), EVENTS[:1])
        transaction.add_command(StoredCommand("Lee", "k2", "{}", "t1"))
        transaction.post([BUY_IN], time_ms=2)
    with store.read() as reader:
        assert reader.balances(["player/Lee"]) == {"player/Lee": 1000}
        assert len(reader.commands("t1")) == 2


@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
@pytest.mark.gli("B.3.3")
def test_everything_is_there_again(store: Store, target: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    fill(store)
    count = backup(store, tmp_path / "kept.punto")
    assert [path.name for path in tmp_path.iterdir() if "kept" in path.name] == ["kept.punto"]
    server: PostgresServer | None = request.getfixturevalue("postgres") if target == "postgresql" else None
    address = server.new_database() if server else str(tmp_path / "again.db")
    before = (tmp_path / "kept.punto").read_bytes()
    assert restore(tmp_path / "kept.punto", address) == count
    assert (tmp_path / "kept.punto").read_bytes() == before
    with open_store(address) as again:
        assert before_restoring(content(again)) == with_mark(content(store))
        goes_on(again)


@pytest.mark.gli("B.3.3")
def test_a_backup_is_one_moment(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody writes while the backup is being made: nothing of that is in it."""
    fill(store)
    before = content(store)
    import punto.store.backup as module

    copy = module._copy

    def copy_meanwhile(source: object, target: object) -> int:
        goes_on(store)
        return copy(source, target)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "_copy", copy_meanwhile)
    backup(store, tmp_path / "kept.punto")
    monkeypatch.undo()
    restore(tmp_path / "kept.punto", str(tmp_path / "again.db"))
    with open_store(str(tmp_path / "again.db")) as again:
        assert before_restoring(content(again)) == with_mark(before)


def test_nothing_is_written_over(store: Store, database: str, tmp_path: Path) -> None:
    fill(store)
    there = tmp_path / "there.punto"
    there.write_text("a letter", encoding="utf-8")
    with pytest.raises(NotEmpty):
        backup(store, there)
    assert there.read_text(encoding="utf-8") == "a letter"
    backup(store, tmp_path / "kept.punto")
    before = content(store)
    with pytest.raises(NotEmpty):
        restore(tmp_path / "kept.punto", database)
    assert content(store) == before


def test_what_is_not_a_backup(tmp_path: Path) -> None:
    target = str(tmp_path / "again.db")
    with pytest.raises(NoDatabase):
        restore(tmp_path / "nowhere", target)
    letter = tmp_path / "letter"
    letter.write_bytes(b"Dear Sir or Madam, " * 300)
    with pytest.raises(NotOurs):
        restore(letter, target)
    sqlite3.connect(tmp_path / "empty").close()
    with pytest.raises(NotOurs):
        restore(tmp_path / "empty", target)
    assert not Path(target).exists()


def test_a_damaged_backup(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "house.db")) as store:
        fill(store)
        backup(store, tmp_path / "kept.punto")
    whole = (tmp_path / "kept.punto").read_bytes()
    for damaged in (whole[: len(whole) // 2], whole[:8192] + b"\xa5" * (len(whole) - 8192)):
        (tmp_path / "damaged").write_bytes(damaged)
        with pytest.raises(StoreError) as caught:
            restore(tmp_path / "damaged", str(tmp_path / "again.db"))
        assert isinstance(caught.value, (StoreBroken, NotOurs)), caught.value
        assert not (tmp_path / "again.db").exists()


def test_a_full_disk_is_told_of_the_file_that_was_asked_for(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise DiskFull("there is no room left on the disk of .monday.db-1234; nothing of this was kept")

    monkeypatch.setattr("punto.store.backup._copy", full)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(DiskFull) as error:
        backup(store, tmp_path / "monday.db")
    assert str(error.value) == f"there is no room left for {tmp_path / 'monday.db'}; no backup was made"
    assert sorted(tmp_path.iterdir()) == before


def test_a_folder_that_is_not_there(store: Store, tmp_path: Path) -> None:
    with pytest.raises(StoreError) as caught:
        backup(store, tmp_path / "nowhere" / "kept.punto")
    assert "nowhere" in str(caught.value) and "\n" not in str(caught.value)


def test_a_row_of_every_table_is_restored(database: str, tmp_path: Path) -> None:
    with open_store(str(tmp_path / "first.db")) as store:
        with store.connection() as connection:
            write_earlier(connection, "v1")
        backup(store, tmp_path / "old.punto")
    restore(tmp_path / "old.punto", database)
    with open_store(database) as store, store.connection() as opened:
        assert opened.all("SELECT value FROM marks WHERE name = 'restored'") == [("old.punto",)]
        opened.begin_write()
        opened.run("DELETE FROM marks WHERE name = 'restored'")
        opened.commit()
        assert rows_of(opened, "v1") == ROWS["v1"]


HOSTILE = (
    "CREATE VIEW more AS SELECT 1",
    "CREATE TRIGGER more AFTER INSERT ON events BEGIN DELETE FROM events; END",
    "CREATE TABLE more (a)",
    "DROP TABLE pit_calls; CREATE VIEW pit_calls AS WITH RECURSIVE n(a) AS (SELECT 1 UNION ALL SELECT a + 1 "
    "FROM n) SELECT a AS id, a AS table_id, 'x' AS caller, 'x' AS role, 'x' AS reason, a AS called_ms, "
    "NULL AS answer, NULL AS answered_by, NULL AS answered_ms FROM n",
    "ALTER TABLE failures ADD COLUMN more BLOB GENERATED ALWAYS AS (zeroblob(2000000000)) VIRTUAL",
    "CREATE VIRTUAL TABLE more USING fts5(a)",
    "UPDATE commands SET body = x'ff'",
    "UPDATE commands SET version = 'many'",
    "UPDATE people SET display = CAST(x'ff' AS TEXT)",
    "UPDATE accounts SET opened_ms = 1.5",
    "UPDATE tables SET head = 'text'",
    "PRAGMA foreign_keys=OFF; DELETE FROM books",
    "UPDATE punto_schema SET version_num = '9999'",
    "UPDATE punto_schema SET version_num = x'00'",
    "DELETE FROM punto_schema",
    "DROP TABLE events",
    "ALTER TABLE events DROP COLUMN v",
)
"""What somebody can do to a backup so that it is none any more."""


@pytest.mark.parametrize("statement", HOSTILE)
def test_a_hostile_backup_is_refused_and_nothing_is_left(tmp_path: Path, statement: str) -> None:
    kept = tmp_path / "kept.db"
    with open_store(str(tmp_path / "house.db")) as store:
        fill(store)
        backup(store, kept)
    with closing(sqlite3.connect(kept)) as file:
        file.executescript(statement)
        file.commit()
    target = tmp_path / "new" / "house.db"
    target.parent.mkdir()
    with pytest.raises(StoreError) as refused:
        restore(kept, str(target))
    assert "\n" not in str(refused.value)
    assert list(target.parent.iterdir()) == []


def test_the_backup_that_comes_nearest_to_a_moment(store: Store, tmp_path: Path) -> None:
    fill(store)
    folder = tmp_path / "kept"
    folder.mkdir()
    (folder / "a note.txt").write_text("not a backup", encoding="utf-8")
    moments = []
    for number, time_ms in enumerate((10_000, 20_000, 30_000)):
        with store.write() as transaction:
            transaction.post([BUY_IN], time_ms=time_ms)
        backup(store, folder / f"{number}.db")
        moments.append(moment_of(folder / f"{number}.db"))
    assert moments == [10_000, 20_000, 30_000]
    assert backup_until(folder, 29_999) == (folder / "1.db", 20_000), "nothing after the moment is in it"
    assert backup_until(folder, 30_000) == (folder / "2.db", 30_000)
    assert backup_until(folder / "0.db", 15_000) == (folder / "0.db", 10_000)
    for place, until in ((folder, 9_999), (folder / "2.db", 20_000)):
        with pytest.raises(NoDatabase, match="has no backup from before 1970-01-01T00:00"):
            backup_until(place, until)
    with pytest.raises(StoreError):
        backup_until(folder / "a note.txt", 30_000)
