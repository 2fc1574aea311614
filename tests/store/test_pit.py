"""Calls for the pit in both databases: one open call of a table, whoever is faster, and one answer."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from punto.rules.authority import Role
from punto.store.pit import add_pit_call, answer_pit_call, live_pit_calls, pit_call
from punto.store.record import PitAnswer, PitCall
from punto.store.store import open_store


def call_of(number: int, table: str = "t1") -> PitCall:
    return PitCall(f"c{number}", table, f"Dan{number}", Role.DEALER, None, number, None, None, None)


def test_many_call_and_many_answer_at_once(database: str) -> None:
    with open_store(database) as store:
        with store.write() as transaction:
            transaction.add_book("d" * 64, "b", "{}")
            for table in ("t1", "t2"):
                transaction.add_table(table, "d" * 64, 0)

        def call(number: int) -> PitCall:
            with store.write() as transaction:
                return add_pit_call(transaction, call_of(number))

        def answer(number: int) -> bool:
            with store.write() as transaction:
                return answer_pit_call(transaction, first.call, PitAnswer.COMING, f"Sue{number}", 100 + number)

        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(call, range(8)))
            [first] = set(found)
            assert first.answer is None and call(9) == first
            assert sum(pool.map(answer, range(8))) == 1
        with store.write() as transaction:
            other = add_pit_call(transaction, call_of(20, "t2"))
            again = add_pit_call(transaction, call_of(21))
        with store.read() as reader:
            kept = pit_call(reader, first.call)
            assert kept is not None and kept.answer is PitAnswer.COMING and kept.answered is not None
            assert live_pit_calls(reader, 0) == [kept, other, again]
            assert live_pit_calls(reader, kept.answered) == [other, again]
