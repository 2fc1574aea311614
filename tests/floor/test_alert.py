"""Alerts of the pit: what of a table is one, from which threshold on, and that another moment is another alert."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from punto.floor.alert import NO_DEALER_MS, REMEMBERED_MS, AlertBook, AlertKind, acknowledge, event_alert, table_alerts
from punto.floor.alert import TableStanding as Standing
from punto.floor.answers import TableStop
from punto.rules.authority import Role
from punto.store.chain import HouseAct, HouseCode
from punto.store.record import PitAnswer, PitCall
from tests.floor.house import House

NOW = 1_000_000_000
QUIET = Standing(table="t1", round=7, players=2, moved=NOW - 9_000, dealt=NOW - 9_000)
CALL = PitCall("c1", "t1", "Dan", Role.DEALER, "a card fell", NOW - 5_000, None, None, None)


def kinds(standing: Standing, *calls: PitCall) -> list[AlertKind]:
    return [one.kind for one in table_alerts(standing, calls, NOW)]


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({}, None),
        ({"case": 2, "finding": "excess"}, AlertKind.CASE_OPEN),
        ({"differential": (3, 899, 1000)}, None),
        ({"differential": (3, 900, 1000)}, AlertKind.DIFFERENTIAL),
        ({"dealt": NOW - NO_DEALER_MS + 1}, None),
        ({"dealt": NOW - NO_DEALER_MS}, AlertKind.NO_DEALER),
        ({"dealt": None, "opened": NOW - NO_DEALER_MS}, AlertKind.NO_DEALER),
        ({"dealt": NOW - NO_DEALER_MS, "players": 0}, None),
        ({"dealt": NOW - NO_DEALER_MS, "is_paused": True}, None),
        ({"dealt": NOW - NO_DEALER_MS, "is_automatic": True}, None),
        ({"problem": "no shoe"}, AlertKind.DEALER_STUCK),
        ({"stop": TableStop("ez", NOW - 60_000)}, AlertKind.STOPPED),
        ({"device": "shoe-7"}, None),
        ({"device": "shoe-7", "lost": NOW - 20_000}, AlertKind.DEVICE_LOST),
        ({"case": 2, "problem": "no shoe", "lost": NOW, "is_open": False}, None),
    ],
)
def test_what_of_a_table_is_an_alert(change: dict[str, Any], kind: AlertKind | None) -> None:
    assert kinds(msgspec.structs.replace(QUIET, **change)) == ([kind] if kind is not None else [])


def test_a_call_is_an_alert_until_it_is_answered_and_only_at_its_table() -> None:
    coming = msgspec.structs.replace(CALL, answer=PitAnswer.COMING, answered_by="Sue", answered=NOW)
    elsewhere = msgspec.structs.replace(CALL, table="t2")
    assert kinds(QUIET, CALL) == [AlertKind.PIT_CALLED]
    assert kinds(QUIET, coming, elsewhere) == []
    closed = msgspec.structs.replace(QUIET, is_open=False)
    assert kinds(closed, CALL) == [AlertKind.PIT_CALLED]  # somebody still waits there


@pytest.mark.parametrize(
    ("change", "later"),
    [
        ({"case": 2}, {"case": 3}),
        ({"differential": (3, 950, 1000)}, {"differential": (3, 950, 1000), "round": 8}),
        ({"lost": NOW - 60_000}, {"lost": NOW - 20_000}),
        ({"stop": TableStop(None, 1)}, {"stop": TableStop(None, 2)}),
    ],
)
def test_what_happens_again_is_another_alert(change: dict[str, Any], later: dict[str, Any]) -> None:
    names = [
        one.alert
        for each in (change, change, later)
        for one in table_alerts(msgspec.structs.replace(QUIET, **each), (), NOW)
    ]
    assert len(names) == 3 and len(set(names)) == 2


def test_software_that_is_as_it_was_installed_is_no_alert() -> None:
    act = HouseAct(seq=9, time=NOW, code=HouseCode.INTEGRITY_CHECKED.value, subject="server/a", who=None)
    assert event_alert(msgspec.structs.replace(act, after={"ok": True})) is None
    found = event_alert(msgspec.structs.replace(act, after={"ok": False, "changed": ["a.py"]}))
    assert found is not None and (found.alert, found.params) == ("event/9", {})


def test_a_count_that_differs_says_where_and_who_counted() -> None:
    differs = HouseCode.COUNT_DIFFERS.value
    figures: dict[str, Any] = {"expected": 100_000, "counted": 95_000, "difference": -5_000}
    rack = HouseAct(
        seq=9, time=NOW, code=differs, subject="difference/rack/t6/4", who="Dan", second="Sue", after=figures
    )
    found = event_alert(rack)
    assert found is not None and (found.table, found.params) == ("t6", figures | {"counter": "Dan + Sue"})
    drawer = msgspec.structs.replace(rack, subject="difference/shift/3", who="Cas", second=None)
    found = event_alert(drawer)
    assert found is not None and (found.table, found.params) == (None, figures | {"drawer": "Cas"})


def test_a_lock_out_says_who_and_from_where() -> None:
    told = {"name": "Lee", "address": "10.0.0.7", "count": 1}
    act = HouseAct(seq=9, time=NOW, code="locked-out", subject="log-in/10.0.0.7/Lee", who=None, after=told)
    found = event_alert(act)
    assert found is not None and found.params == told
    stranger = event_alert(msgspec.structs.replace(act, after=told | {"name": None}))
    assert stranger is not None and stranger.params == {"address": "10.0.0.7", "count": 1}, "a name that nobody has"


def test_events_are_alerts_for_a_day_and_a_server_that_starts_knows_what_was_acknowledged(house: House) -> None:
    details: dict[str, Any] = {"player": "Ann", "stake": 90_000, "area": "banker"}
    with house.store.write() as transaction:
        transaction.note(HouseCode.LARGE_STAKE, "event/t1/5", "Ann", NOW, after=details, table="t1")
    first, other = AlertBook(), AlertBook()
    for book in (first, other):
        with house.store.read() as reader:
            book.look(reader)
    [alert] = first.marked((), NOW + 1)
    assert (alert.kind, alert.table, alert.params["stake"]) == (AlertKind.LARGE_STAKE, "t1", 90_000)
    assert first.marked((), NOW + REMEMBERED_MS) == ()
    seen = acknowledge(house.store, first, alert, "Sue", Role.PIT_SUPERVISOR, NOW + 5)
    again = acknowledge(house.store, other, alert, "Mia", Role.PIT_MANAGER, NOW + 6)
    assert seen.acknowledged is not None and seen.acknowledged.by == "Sue" and again == seen
    fresh = AlertBook()
    with house.store.read() as reader:
        fresh.look(reader)
    assert fresh.marked((), NOW + 9) == (seen,)
