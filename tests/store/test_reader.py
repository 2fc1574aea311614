"""Look-ups around a place in a log, on both databases, against reading everything."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from punto.audit.round_history import RoundSearch, find_rounds, last_round, place_of, round_history
from punto.store.reader import (
    balance_before,
    commands_at,
    errors_found_late,
    first_of,
    moved_by_events,
    posted_to,
    records_of,
)
from punto.store.store import Store, open_store
from tests.audit.played import BEGIN, book_of, store_playthrough


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database) as opened:
        store_playthrough(opened, "insurance/error-found-late")
        yield opened


def test_what_is_looked_up_is_what_reading_everything_finds(store: Store) -> None:
    with store.read() as reader:
        records, commands = reader.records("t1"), reader.commands("t1")
        kinds = sorted({record.event.name() for record in records})
        for kind in kinds:
            wanted = [record for record in records if record.event.name() == kind]
            assert list(records_of(reader, "t1", [kind])) == wanted
            assert first_of(reader, "t1", kind) == wanted[0]
            assert first_of(reader, "t1", kind, wanted[-1].seq) is None
        some = [record for record in records if 5 < record.seq <= 15 and record.event.name() in kinds[:3]]
        assert list(records_of(reader, "t1", kinds[:3], 5, 15)) == some
        late = [record for record in records if record.event.name() == "error-found-late"]
        assert errors_found_late(reader, "t1") == late and len(late) == 1
        assert errors_found_late(reader, "t1", late[0].seq) == []
        for first in range(1, len(records) + 2):
            for last in (first, first + 3, len(records)):
                expected = [one for one in commands if first <= (one.version or 0) <= last]
                assert commands_at(reader, "t1", first, last) == expected


def test_money_at_any_moment(store: Store) -> None:
    with store.read() as reader:
        lines = reader.statement("player/Lee")
        for before, line in zip([None, *lines], lines, strict=False):
            assert balance_before(reader, "player/Lee", line.id) == (before.balance if before else 0)
        last = lines[-1].id
        assert posted_to(reader, "player/Lee", 0, last) == lines[-1].balance
        found = moved_by_events(reader, "t1", 1, 99, (BEGIN, BEGIN + 10**6))
        assert sum(amount for _, _, amount in found) == 0
        assert {account for _, account, _ in found} >= {"player/Lee", "held/t1/Lee", "float/t1"}
        assert moved_by_events(reader, "t1", 1, 99, (0, BEGIN - 1)) == []


def test_a_round_and_a_search(store: Store) -> None:
    book = book_of(store, "t1")
    with store.read() as reader:
        table = reader.table("t1")
        assert table is not None and last_round(reader, table) == 2
        place = place_of(reader, table, 1)
        assert place is not None
        history = round_history(reader, table, book, place)
        assert [one.here for one in history.balances] == [10_000] and len(history.late) == 1
        found = find_rounds(reader, RoundSearch(irregularity="found-late"))
        assert [(one.table, one.round) for one in found] == [("t1", 2)]
