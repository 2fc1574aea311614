"""Logs of every version of the events replay for ever to the same state.

`tools/kept_logs.py` writes them for a new version; those of a released version are never changed.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from punto.store.record import SCHEMA_VERSION, Record, record_of_line, state_hash
from punto.store.store import Store
from punto.table.event import Event
from punto.table.header import EventHeader
from tests.store.sessions import add_table, state_after

KEPT = Path(__file__).with_name("kept")
FILES = sorted(KEPT.glob("v*/*.jsonl"))
EVENTS: tuple[type[EventHeader], ...] = Event.__args__


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def log_of(path: Path) -> tuple[dict[str, object], list[Record]]:
    head, *lines = path.read_text(encoding="utf-8").splitlines()
    return json.loads(head), [record_of_line(line) for line in lines]


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_kept_log_replays_to_the_same_state(path: Path) -> None:
    head, records = log_of(path)
    assert [record.seq for record in records] == list(range(1, len(records) + 1))
    assert len(records) == head["records"]
    assert {f"v{record.v}" for record in records} == {path.parent.name}
    assert state_hash(state_after(tuple(record.event for record in records))) == head["state"]


@pytest.mark.parametrize("version", range(1, SCHEMA_VERSION + 1))
def test_every_event_is_kept(version: int) -> None:
    """Of the newest version every event there is; an event that came later has no older form."""
    kept = {type(record.event) for path in KEPT.glob(f"v{version}/*.jsonl") for record in log_of(path)[1]}
    assert kept
    if version == SCHEMA_VERSION:
        assert set(EVENTS) - kept == set()


def test_what_is_written_now_is_byte_for_byte_what_was_kept(store: Store) -> None:
    """The form of an event is fixed: a change of it needs a new version and an up-cast."""
    for path in KEPT.glob(f"v{SCHEMA_VERSION}/*.jsonl"):
        records = log_of(path)[1]
        table = path.stem[:40]
        with store.write() as transaction:
            add_table(transaction, table)
            transaction.append(table, 0, [record.event for record in records])
        with store.read() as reader:
            lines = [line.replace(f'"table":"{table}"', '"table":"t1"', 1) for line in reader.lines(table)]
        assert lines == path.read_text(encoding="utf-8").splitlines()[1:]
