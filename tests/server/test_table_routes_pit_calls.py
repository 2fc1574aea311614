"""Calling the pit: who may, who hears of it, how it ends, and that the store alone knows of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from punto.client import PitCall, Refused, Stream
from punto.rules.authority import LADDER, PIT_ROLES, ROLES_OF_PEOPLE, Role
from punto.store.pit import live_pit_calls
from punto.store.record import PitAnswer
from tests.server.running_floor import RunningFloor, running_floor
from tests.server.test_endpoint_roles import PERSON


def called(floor: RunningFloor, table: str, reason: str | None = None, by: str = "Dan") -> PitCall:
    found = floor.client(by).call_pit(table, reason)
    assert isinstance(found, PitCall), found
    return found


def watch(floor: RunningFloor, name: str, table: str, role: Role | None = None) -> Stream:
    stream = floor.client(name).stream(table, role=role)
    assert isinstance(stream, Stream)
    assert stream.next(60)["type"] == "snapshot"
    return stream


def heard(stream: Stream, call: str, answer: str | None) -> dict[str, Any]:
    """The frame of a call with this answer; others are passed over."""
    return heard_all(stream, (call, answer))[call]


def heard_all(stream: Stream, *wanted: tuple[str, str | None]) -> dict[str, dict[str, Any]]:
    """The frames of these calls with these answers, in whatever order they come; others are passed over. Calls of the
    same moment have no order."""
    found: dict[str, dict[str, Any]] = {}
    while len(found) < len(wanted):
        frame = stream.next(60)
        if frame["type"] == "pit-call" and (frame["call"]["call"], frame["call"]["answer"]) in wanted:
            found[frame["call"]["call"]] = dict(frame["call"])
    return found


def test_a_call_is_heard_answered_and_over(floor: RunningFloor) -> None:
    table, other = floor.new_table(), floor.new_table()
    with watch(floor, "Mia", other) as far, watch(floor, "Dan", table) as near:
        call = called(floor, table, "  a card fell ")
        assert (call.caller, call.role, call.reason, call.table) == ("Dan", Role.DEALER, "a card fell", table)
        told = heard(far, call.call, None)
        assert (told["table"], told["caller"], told["reason"]) == (table, "Dan", "a card fell")
        heard(near, call.call, None)
        coming = floor.client("Sue").answer_pit_call(call.call)
        assert isinstance(coming, PitCall) and (coming.answer, coming.answered_by) == (PitAnswer.COMING, "Sue")
        assert heard(near, call.call, "coming")["answered_by"] == "Sue"
        heard(far, call.call, "coming")
    for answer in ("coming", "cleared"):
        late = floor.client("Mia").answer_pit_call(call.call, answer)
        assert isinstance(late, Refused) and (late.status, late.reason) == (409, "call-over")
        assert late.params == {"person": "Sue"}
    assert floor.version(table) == 1, "it is no event of the table"


def test_a_table_has_one_open_call(floor: RunningFloor) -> None:
    table = floor.new_table()
    first = called(floor, table, "a dispute")
    assert called(floor, table, "once more", by="Max") == first
    cleared = floor.client("Rob").answer_pit_call(first.call, "cleared")
    assert isinstance(cleared, PitCall) and cleared.answer is PitAnswer.CLEARED
    again = called(floor, table)
    assert again.call != first.call and again.reason is None
    calls = floor.client("Rob").pit_calls()
    assert not isinstance(calls, Refused)
    assert [call.call for call in calls if call.table == table] == [again.call]
    own = floor.client("Dan").answer_pit_call(again.call, "cleared")
    assert isinstance(own, PitCall) and own.answered_by == "Dan"


def test_a_stream_begins_with_the_calls_that_are_live(floor: RunningFloor) -> None:
    table, other = floor.new_table(), floor.new_table()
    waiting, coming = called(floor, table, "who is coming?"), called(floor, other)
    floor.client("Sue").answer_pit_call(coming.call)
    with watch(floor, "Rob", floor.new_table()) as pit:
        told = heard_all(pit, (waiting.call, None), (coming.call, "coming"))
        assert told[coming.call]["answered_by"] == "Sue"
    with watch(floor, "Dan", other) as dealer:
        heard(dealer, coming.call, "coming")
    floor.client("Sue").answer_pit_call(waiting.call, "cleared")


@pytest.mark.parametrize("role", ROLES_OF_PEOPLE)
def test_who_may_call_look_and_answer(role: Role, floor: RunningFloor) -> None:
    table, person = floor.new_table(), floor.client(PERSON[role])
    made = person.call_pit(table)
    assert isinstance(made, PitCall) is (role in LADDER)
    assert isinstance(person.pit_calls(), tuple) is (role in PIT_ROLES)
    call = made if isinstance(made, PitCall) else called(floor, table)
    foreign = called(floor, floor.new_table(), by="Max")
    for id, answer in ((foreign.call, "cleared"), (call.call, "coming")):
        found = person.answer_pit_call(id, answer)
        if role in PIT_ROLES:
            assert isinstance(found, PitCall)
        else:
            reason = "rank-needed" if role is Role.DEALER else "role-needed"
            assert isinstance(found, Refused) and (found.status, found.reason) == (403, reason)
    for id in (call.call, foreign.call):
        floor.client("Rob").answer_pit_call(id, "cleared")


def test_players_and_dealers_elsewhere_hear_nothing(floor: RunningFloor) -> None:
    table, other = floor.new_table(), floor.new_table()
    with (
        watch(floor, "Lee", table) as player,
        watch(floor, "Aud", table) as auditor,
        watch(floor, "Dan", other) as elsewhere,
    ):
        call = called(floor, table, by="Max")
        floor.client("Rob").answer_pit_call(call.call, "cleared")
        for id in (table, other):
            floor.client("Rob").give(id, {"type": "pause-table"}, Role.SHIFT_MANAGER, expected=1)
        for stream in (player, auditor, elsewhere):
            types = []
            while "event" not in types:
                types.append(stream.next(60)["type"])
            assert "pit-call" not in types


def test_somebody_of_the_pit_hears_it_while_playing(floor: RunningFloor) -> None:
    body = {"name": "Pat", "password": "correct horse", "roles": ["player", "pit-supervisor"]}
    assert floor.client("Ada").http.post("/people", json=body).status_code == 201
    table = floor.new_table()
    with watch(floor, "Pat", floor.new_table(), Role.PLAYER) as stream:
        call = called(floor, table)
        heard(stream, call.call, None)
        floor.client("Pat").answer_pit_call(call.call)


@pytest.mark.parametrize("body", [{"reason": "x" * 201}, {"reason": 7}, {"why": "x"}, {"reason": "a\u202eb"}, []])
def test_what_is_not_a_call_is_refused(body: Any, floor: RunningFloor) -> None:
    answer = floor.client("Dan").http.post(f"/tables/{floor.new_table()}/pit-calls", json=body)
    assert (answer.status_code, answer.json()["refusal"]["reason"]) == (400, "malformed")
    assert floor.client("Dan").http.post("/tables/nowhere/pit-calls", json={}).status_code == 404
    assert floor.client("Rob").http.post("/pit-calls/nothing", json={"answer": "coming"}).status_code == 404


def test_it_outlives_the_process(tmp_path: Path) -> None:
    database = str(tmp_path / "house.db")
    with running_floor(database) as first:
        table = first.new_table()
        call = called(first, table, "no light")
    with running_floor(database) as second:
        assert second.client("Sue").pit_calls() == (call,)
        second.client("Sue").answer_pit_call(call.call)
        with second.store.read() as reader:
            assert live_pit_calls(reader, second.app_state.now()) == []
            assert [found.call for found in live_pit_calls(reader, 0)] == [call.call]


def test_calls_are_limited_like_every_request(tmp_path: Path) -> None:
    with running_floor(str(tmp_path / "house.db"), rate=0.01) as slow:
        table, answers = slow.new_table(), list[Any]()
        answers += [slow.client("Dan").call_pit(table) for _ in range(8)]
        assert answers[-1].status == 429 and answers[-1].retry_after >= 1
        assert len({answer.call for answer in answers if isinstance(answer, PitCall)}) == 1
