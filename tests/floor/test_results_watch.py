"""Results of a running floor beside its mathematics: what differs is told once, and is an alert until it is seen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from punto import books
from punto.audit.sight import see_table
from punto.audit.watch import watch_floor
from punto.floor.alert import REMEMBERED_MS, AlertBook, AlertKind, acknowledge
from punto.floor.results_watch import ResultsDifference, differences, differences_in, tell_differences
from punto.rules.authority import Role
from punto.store.chain import HouseAct
from punto.store.significant_events import EventFilter, significant_lines
from punto.table.event import Event
from tests.audit.logs import dealt_log, without_cut_card
from tests.floor.house import House

NOW = 1_000_000_000
FOUND = ResultsDifference(tables=("t1",), rounds=200, questions=("winner",), mispaid=2)


def told(house: House) -> list[HouseAct]:
    with house.store.read() as reader:
        return [act for _, act in significant_lines(reader, 0, EventFilter(("results-differ",)))]


def alerts(house: House, now: int) -> list[tuple[str | None, bool]]:
    book = AlertBook()
    with house.store.read() as reader:
        book.look(reader)
    return [
        (one.table, one.acknowledged is not None)
        for one in book.marked((), now)
        if one.kind is AlertKind.RESULTS_DIFFER
    ]


def test_only_tables_that_differ_are_told_of() -> None:
    book, honest = books.load("commission"), list(dealt_log("commission", 2, "log"))
    silent: Iterator[Event] = without_cut_card(iter(honest))
    sights = {"t1": see_table(book, honest), "t2": see_table(book, silent)}
    [found] = [one for one in differences_in(watch_floor(sights)) if len(one.tables) == 1]
    assert (found.tables, found.cut, found.mispaid, found.questions) == (("t2",), 2, 0, ())
    assert found.state == {"cut": 2, "tables": "t2", "rounds": found.rounds}


def test_a_house_without_tables_has_nothing_to_compare(house: House) -> None:
    with house.store.read() as reader:
        assert differences(reader) == ()
    tell_differences(house.store, (), NOW)
    assert told(house) == []


@pytest.mark.parametrize(
    ("later", "times"),
    [
        (FOUND, 1),
        (ResultsDifference(tables=("t1",), rounds=300, questions=("winner",), mispaid=2), 1),
        (ResultsDifference(tables=("t1",), rounds=300, questions=("winner",), mispaid=3), 2),
        (ResultsDifference(tables=("t1",), rounds=300, questions=("winner", "Tie"), mispaid=2), 2),
        (ResultsDifference(tables=("t1", "t2"), rounds=300, questions=("winner",), mispaid=2), 2),
    ],
)
def test_what_was_told_is_told_again_only_where_it_is_something_else(
    house: House, later: ResultsDifference, times: int
) -> None:
    for found in (FOUND, later, later):
        tell_differences(house.store, (found,), NOW)
    acts = told(house)
    assert len(acts) == times
    assert (acts[0].subject, acts[0].table, acts[0].after) == ("results/t1", "t1", FOUND.state)
    assert acts[-1].table == ("t1" if len(later.tables) == 1 else None)


def test_it_is_an_alert_until_somebody_has_seen_it(house: House) -> None:
    tell_differences(house.store, (FOUND,), NOW)
    assert alerts(house, NOW + 1) == alerts(house, NOW + 10 * REMEMBERED_MS) == [("t1", False)]
    book = AlertBook()
    with house.store.read() as reader:
        book.look(reader)
    [alert] = book.marked((), NOW + 1)
    assert alert.params == {"tables": "t1", "rounds": 200, "questions": "winner", "mispaid": 2}
    acknowledge(house.store, book, alert, "Sue", Role.PIT_SUPERVISOR, NOW + 5)
    assert alerts(house, NOW + 6) == [("t1", True)]
    assert alerts(house, NOW + REMEMBERED_MS) == []
