"""Starts, stops, checks of the software and trouble are written down, on both databases, and stay verifiable."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from punto.audit.verification import verify
from punto.floor.automatic_tables import HouseClock
from punto.floor.caretaker import CHECK_EVERY_MS, Caretaker, kept_integrity
from punto.floor.integrity import Integrity, compared
from punto.store.backup import backup, note_backup
from punto.store.chain import HouseAct
from punto.store.connection import DatabaseKind
from punto.store.errors import NoServer, StoreError
from punto.store.server_lock import in_use
from punto.store.significant_events import HOUR_MS, EventFilter, significant_lines
from punto.store.store import Store, open_store


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database) as opened:
        yield opened


class Machine:
    """A clock and an install that a test can change."""

    def __init__(self) -> None:
        self.now = 10 * HOUR_MS
        self.files = {"punto/a": "1"}

    def clock(self) -> int:
        return self.now

    def look(self) -> Integrity:
        return compared(self.files, {"punto/a": "1"})

    def caretaker(self, store: Store, **settings: Any) -> Caretaker:
        return Caretaker(store, self.clock, {"port": 8317, **settings}, self.look)


def acts(store: Store, *codes: str) -> list[HouseAct]:
    with store.read() as reader:
        assert verify(reader).ok
        return [act for _, act in significant_lines(reader, wanted=EventFilter(codes))]


@pytest.mark.gli("2.3.2")
@pytest.mark.gli("2.8.8")
def test_a_start_has_version_digest_settings_and_how_the_last_one_ended(store: Store) -> None:
    machine = Machine()
    first = machine.caretaker(store)
    first.start()
    first.stop()
    machine.caretaker(store).start()  # and is never stopped
    machine.files["punto/a"] = "2"
    machine.caretaker(store, port=8318).start()
    starts = acts(store, "server-started")
    after = [act.after or {} for act in starts]
    assert [each["clean"] for each in after] == [True, True, False]
    assert [each["ok"] for each in after] == [True, True, False] and after[2]["changed"] == ["punto/a"]
    assert all(len(each["digest"]) == 64 and each["version"] for each in after)
    assert starts[0].before is None and starts[1].before is None
    assert starts[2].before is not None and starts[2].before["settings"] == {"port": 8317}
    assert after[2]["settings"] == {"port": 8318} and starts[2].before["digest"] == after[1]["digest"]
    assert [act.code for act in acts(store)][:2] == ["server-started", "server-stopped"]


@pytest.mark.gli("2.3.2")
@pytest.mark.gli("B.2.6")
def test_the_software_is_looked_at_every_day_and_on_demand(store: Store) -> None:
    machine = Machine()
    caretaker = machine.caretaker(store)
    caretaker.start()
    for hours in range(1, 73):
        machine.now += HOUR_MS
        if hours == 50:
            machine.files["punto/a"] = "2"
        caretaker.tidy()
    found = acts(store, "integrity-checked")
    assert [(act.time - 10 * HOUR_MS) for act in found] == [CHECK_EVERY_MS, 2 * CHECK_EVERY_MS, 3 * CHECK_EVERY_MS]
    assert [(act.after or {})["ok"] for act in found] == [True, True, False]
    assert not caretaker.check("Aud").ok
    assert acts(store, "integrity-checked")[-1].who == "Aud"
    with store.read() as reader:
        assert [act.code for act in kept_integrity(reader, 9)] == ["integrity-checked"] * 4 + ["server-started"]


@pytest.mark.gli("2.8.8")
def test_trouble_is_told_when_it_is_over_once_an_hour(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine()
    caretaker = machine.caretaker(store)
    caretaker.start()
    for _ in range(500):
        caretaker.note_trouble("the disk is full")

    def write() -> None:
        raise NoServer("gone")

    monkeypatch.setattr(store, "write", write)
    with pytest.raises(StoreError):
        caretaker.tidy()
    monkeypatch.undo()
    caretaker.tidy()
    assert [act.after for act in acts(store, "database-trouble")] == [{"problem": "the disk is full", "count": 1}]
    machine.now += HOUR_MS
    caretaker.tidy()
    told = [(act.after or {})["count"] for act in acts(store, "database-trouble")]
    assert len(told) == 2 and told[1] >= 90


@pytest.mark.gli("2.8.8")
def test_a_clock_that_goes_back_is_told(store: Store) -> None:
    machine = Machine()
    caretaker = machine.caretaker(store)
    house = HouseClock(machine.clock, caretaker.note_clock)
    machine.now -= 3 * HOUR_MS
    now = house()
    caretaker.tidy()
    [act] = acts(store, "clock-put-back")
    assert act.after == {"back_ms": 3 * HOUR_MS} and act.time == now == 10 * HOUR_MS


@pytest.mark.gli("2.8.8")
def test_backups_are_told_also_those_made_beside_a_server(store: Store, tmp_path: Path) -> None:
    machine = Machine()
    caretaker = machine.caretaker(store)
    caretaker.start()
    rows = backup(store, tmp_path / "one.punto")
    note_backup(store, tmp_path / "one.punto", rows, "Ada")
    assert [(act.after or {})["file"] for act in acts(store, "backup-made")] == ["one.punto"]
    if store.address.kind is not DatabaseKind.SQLITE:
        return
    waiting = Path(f"{store.address.path}.backups")
    line = '{"time":7,"by":"Bob","file":"two.punto","rows":3,"digest":"ab"}\n'
    waiting.write_text(f"{line}not a note\n", encoding="utf-8")
    caretaker.tidy()
    caretaker.tidy()
    told = acts(store, "backup-made")
    assert [(act.who, (act.after or {})["file"]) for act in told] == [("Ada", "one.punto"), ("Bob", "two.punto")]
    assert not [path.name for path in waiting.parent.iterdir() if ".backups" in path.name]


def test_a_backup_beside_a_server_waits_for_it(tmp_path: Path) -> None:
    """Another process writes nothing to a file that a server has in use."""
    import subprocess
    import sys

    database, target = tmp_path / "house.db", tmp_path / "b.punto"
    with open_store(str(database)) as store:
        machine = Machine()
        caretaker = machine.caretaker(store)
        with in_use(store.address, "http://here"):
            caretaker.start()
            code = "import sys; from punto.cli.main import main; main()"
            made = subprocess.run(
                [sys.executable, "-c", code, "backup", str(target), "--database", str(database)],
                capture_output=True,
                text=True,
                check=False,
            )
            assert made.returncode == 0, made.stderr
            assert not acts(store, "backup-made")
            caretaker.tidy()
        [act] = acts(store, "backup-made")
        assert act.after is not None and act.after["file"] == "b.punto"
