"""Large cash: what one person brings, or takes, by itself or in a gaming day. It is marked before it moves, is on
record and in the report of the cashier; and verification misses what was not told."""

from __future__ import annotations

from typing import Any

import pytest

from punto.audit.house_report import CashierReport, ReportKind
from punto.audit.house_report_page import report_bytes
from punto.audit.significant_events import CashPeriod
from punto.audit.verification import verify
from punto.floor.desk import mark_cash
from punto.floor.gaming_day import SpanQuery, house_report
from punto.floor.house_rules import change_rules
from punto.ledger.movement import Movement
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.store.chain import HouseAct
from punto.store.record import AccountOwner
from punto.store.significant_events import EventFilter, significant_lines
from punto.store.store import Store
from punto.table.header import Person
from tests.floor.house import CASHIER, House

HOUR_MS = 3_600_000
NOON = 20 * 24 * HOUR_MS + 12 * HOUR_MS  # Of a gaming day that began at 06:00.
TOMORROW = NOON + 24 * HOUR_MS


@pytest.fixture(autouse=True)
def ruled(house: House) -> None:
    """The house wants to know of 10,000 and more."""
    assert not isinstance(change_rules(house.store, {"large_cash": 1_000_000}, "Ada", NOON - 1), Refusal)


def told(store: Store) -> list[HouseAct]:
    with store.read() as reader:
        return [act for _, act in significant_lines(reader, wanted=EventFilter(("large-cash",)))]


def problems(store: Store) -> list[str]:
    with store.read() as reader:
        return [problem.kind.value for problem in verify(reader).problems]


def moved(house: House, act: str, amount: int, now: int = NOON, **options: Any) -> Movement | Refusal:
    carry = house.desk.buy_in if act == "buy-in" else house.desk.cash_out
    return carry("Ann", amount, CASHIER, now, **options)


def reason(answer: Movement | Refusal) -> Reason | None:
    return answer.reason if isinstance(answer, Refusal) else None


@pytest.mark.gli("2.8.8")
def test_large_cash_is_marked_before_it_moves_and_is_on_record(house: House) -> None:
    assert reason(moved(house, "buy-in", 999_999)) is None
    refused = moved(house, "buy-in", 1)
    assert isinstance(refused, Refusal) and refused.reason is Reason.LARGE_CASH
    assert refused.sentence == (
        "this is large cash: with this 0.01 the gaming day comes to 10,000, and the house records amounts "
        "from 10,000 on; check it, then confirm"
    )
    assert told(house.store) == [] and house.holdings("Ann").free == 100_000 + 999_999, "nothing has moved"
    assert reason(moved(house, "buy-in", 1, is_large=True)) is None
    [act] = told(house.store)
    assert (act.subject, act.who, act.time) == ("cash/Ann", "Cas", NOON)
    together = {"what": "buy-in", "amount": 1, "day": "1970-01-21", "total": 1_000_000}
    assert act.after == {**together, "threshold": 1_000_000, "why": "day"}
    assert reason(moved(house, "buy-in", 5)) is Reason.LARGE_CASH, "everything after it counts too"
    assert reason(moved(house, "cash-out", 999_999)) is None, "what is taken is another sum"
    assert reason(moved(house, "buy-in", 5, TOMORROW)) is None, "the next day begins with nothing"
    assert reason(moved(house, "buy-in", 1_000_000, TOMORROW, is_large=True)) is None
    assert (told(house.store)[-1].after or {})["why"] == "single"
    assert problems(house.store) == []


def test_with_single_each_counts_by_itself(house: House) -> None:
    change_rules(house.store, {"large_cash_period": "single"}, "Ada", NOON)
    assert [reason(moved(house, "buy-in", 900_000)) for _ in range(3)] == [None] * 3
    assert reason(moved(house, "buy-in", 1_000_000)) is Reason.LARGE_CASH
    assert told(house.store) == [] and problems(house.store) == []


def test_nothing_is_marked_where_the_house_has_not_asked_for_it(house: House) -> None:
    change_rules(house.store, {"large_cash": None}, "Ada", NOON)
    assert reason(moved(house, "buy-in", 10**9)) is None
    house.desk.mark_account("Ben", AccountOwner.BOT, NOON)
    change_rules(house.store, {"large_cash": 100}, "Ada", NOON)
    assert isinstance(house.desk.buy_in("Ben", 10**9, CASHIER, NOON), Movement), "a bot brings no cash"
    with house.store.read() as reader:
        assert mark_cash(reader, "Ben", "buy-in", 10**9, NOON) is None
        mark = mark_cash(reader, "Ann", "buy-in", 1, NOON)
    assert mark is not None and (mark.total, mark.threshold, mark.why) == (10**9 + 1, 100, CashPeriod.DAY)
    assert told(house.store) == [] and problems(house.store) == []


def test_a_refused_one_is_the_same_again_and_the_known_one_is_done_once(house: House) -> None:
    assert reason(moved(house, "buy-in", 2_000_000, key="one")) is Reason.LARGE_CASH
    assert reason(moved(house, "buy-in", 2_000_000, key="one")) is Reason.LARGE_CASH
    assert reason(moved(house, "buy-in", 2_000_000, key="one", is_large=True)) is Reason.KEY_REUSED
    for _ in range(2):
        assert reason(moved(house, "buy-in", 2_000_000, key="two", is_large=True)) is None
    assert house.holdings("Ann").free == 2_100_000 and len(told(house.store)) == 1


def test_who_may_not_buy_in_is_told_that_first(house: House) -> None:
    own = Person("Ann", Role.CASHIER)
    assert reason(house.desk.buy_in("Ann", 2_000_000, own, NOON)) is Reason.OWN_ACCOUNT
    assert reason(moved(house, "cash-out", 2_000_000)) is Reason.NOT_ENOUGH_FUNDS


@pytest.mark.gli("2.9.1")
def test_the_report_of_the_cashier_has_it_as_it_was_then(house: House) -> None:
    moved(house, "buy-in", 1_200_000, is_large=True)
    moved(house, "cash-out", 1_000_000, TOMORROW, is_large=True)
    change_rules(house.store, {"large_cash": None}, "Ada", TOMORROW)
    with house.store.read() as reader:
        report = house_report(reader, ReportKind.CASHIER, SpanQuery(), TOMORROW + 1)
        first = house_report(reader, ReportKind.CASHIER, SpanQuery(to=TOMORROW), TOMORROW + 1)
    assert isinstance(report, CashierReport) and isinstance(first, CashierReport)
    rows = [(row.player, row.act, row.amount, row.total, row.day, row.why.value, row.cashier) for row in report.large]
    assert rows == [
        ("Ann", "buy-in", 1_200_000, 1_200_000, "1970-01-21", "single", "Cas"),
        ("Ann", "cash-out", 1_000_000, 1_000_000, "1970-01-22", "single", "Cas"),
    ]
    assert first.large == report.large[:1]
    text = report_bytes(report, ".txt").decode()
    assert "large cash" in text.lower() and "12,000" in text
    assert "large" in report_bytes(report, ".csv").decode()


TAMPERED = {
    "cash-untold": "DELETE FROM house_events WHERE body LIKE '%large-cash%'",
    "cash-unfounded": "UPDATE house_events SET body = replace(body, '\"amount\":1200000', '\"amount\":1300000')",
}


@pytest.mark.parametrize("kind", TAMPERED)
def test_verification_misses_what_was_not_told(kind: str, house: House) -> None:
    moved(house, "buy-in", 1_200_000, is_large=True)
    assert problems(house.store) == []
    with house.store.write() as transaction:
        transaction.connection.run(TAMPERED[kind])
    assert kind in problems(house.store)
