"""A log that is replayed comes to the same states from wherever one begins, and to the rounds that stand."""

from __future__ import annotations

from pathlib import Path

from punto.books import load
from punto.store.record import Record
from punto.store.store import open_store
from punto.table.replay import EndedRound, replayed, rounds_after
from punto.table.settlement import SettlementReversed
from tests.store.sessions import add_table, events_of, state_after

NAME = "commission/wrong-number-noticed-after-settlement"
EVENTS = events_of(NAME)
RECORDS = [Record("t1", seq, 1, None, event) for seq, event in enumerate(EVENTS, start=1)]


def test_each_record_comes_with_the_state_before_it() -> None:
    assert [state for state, _ in replayed(RECORDS)] == [state_after(EVENTS[:n]) for n in range(len(EVENTS))]
    middle = len(EVENTS) // 2
    rest = list(replayed(RECORDS[middle:], state_after(EVENTS[:middle])))
    assert rest == list(replayed(RECORDS))[middle:]
    assert list(replayed([])) == []


def test_a_stored_table_is_the_same_with_a_snapshot_and_without(tmp_path: Path) -> None:
    middle = len(EVENTS) // 2
    with open_store(str(tmp_path / "house.db")) as store:
        with store.write() as transaction:
            add_table(transaction, "t1", "commission")
            transaction.append("t1", 0, EVENTS)
        for _ in range(2):
            with store.read() as reader:
                for seq in range(len(EVENTS) + 1):
                    assert reader.state_at("t1", seq) == state_after(EVENTS[:seq])
                known = (middle, state_after(EVENTS[:middle]))
                assert reader.state_at("t1", len(EVENTS), known) == state_after(EVENTS)
                steps = list(reader.replayed("t1", middle - 1, middle + 1))
                assert [(state, record.event) for state, record in steps] == [
                    (state_after(EVENTS[: middle - 1]), EVENTS[middle - 1]),
                    (state_after(EVENTS[:middle]), EVENTS[middle]),
                ]
            with store.write() as transaction:
                transaction.keep_snapshot("t1", middle, state_after(EVENTS[:middle]))


def test_a_round_that_is_taken_back_has_not_ended() -> None:
    book, rounds, numbers = load("commission"), tuple[EndedRound, ...](), []
    for before, record in replayed(RECORDS):
        was, rounds = rounds, rounds_after(rounds, book, before, record.event, record.seq)
        if isinstance(record.event, SettlementReversed):
            assert [ended.round for ended in was] == [1] and rounds == ()
        numbers.append(len(rounds))
    assert max(numbers) == 1, "the same round, settled or void"
