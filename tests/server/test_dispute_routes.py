"""Disputes and rounds of one's own over the API: who may, who hears of it, and what was decided for a player."""

from __future__ import annotations

from typing import Any

import pytest

from punto.client import Dispute, Refused, Stream
from punto.floor.dispute import ANSWERERS
from punto.rules.authority import PIT_ROLES, ROLES_OF_PEOPLE, Role
from tests.server.running_floor import RunningFloor
from tests.server.test_endpoint_roles import PERSON
from tests.server.test_table_routes_commands import BET, opened_round

SHOWN = 60


def played(floor: RunningFloor, book: str = "ez", **terms: Any) -> str:
    """A table at which Lee has played one round."""
    id = opened_round(floor, book, **terms)
    assert not isinstance(floor.client("Lee").give(id, BET), Refused)
    for _ in range(6):
        state = floor.app_state.floor.table(id)
        assert state is not None
        if state.table.state.phase.value == "finished":
            break
        act(floor, id, "deal-card")
    act(floor, id, "settle-round")
    return id


def act(floor: RunningFloor, id: str, command: str) -> None:
    answer = floor.client("Dan").give(id, {"type": command}, Role.DEALER, expected=floor.version(id))
    assert not isinstance(answer, Refused), answer


def watch(floor: RunningFloor, name: str, table: str, role: Role | None = None) -> Stream:
    stream = floor.client(name).stream(table, role=role)
    assert isinstance(stream, Stream)
    assert stream.next(SHOWN)["type"] == "snapshot"
    return stream


def heard(stream: Stream, dispute: str, answer: str | None) -> dict[str, Any]:
    while True:
        frame = stream.next(SHOWN)
        if frame["type"] == "dispute" and (frame["dispute"]["dispute"], frame["dispute"]["answer"]) == (
            dispute,
            answer,
        ):
            return dict(frame["dispute"])


@pytest.mark.gli("A.4.4")
def test_a_dispute_comes_to_the_pit_and_the_answer_to_the_player(floor: RunningFloor) -> None:
    table, other = played(floor), floor.new_table()
    with watch(floor, "Sue", other) as pit, watch(floor, "Lee", table) as player:
        dispute = floor.client("Lee").dispute(table, 1, "I was paid too little")
        assert isinstance(dispute, Dispute)
        assert heard(pit, dispute.dispute, None)["text"] == "I was paid too little"
        heard(player, dispute.dispute, None)
        waiting = floor.client("Sue").disputes()
        assert isinstance(waiting, tuple) and dispute in waiting
        answered = floor.client("Mia").answer_dispute(dispute.dispute, "one was pushed")
        assert isinstance(answered, Dispute) and answered.answered_by == "Mia"
        assert heard(player, dispute.dispute, "one was pushed")["answered_by"] == "Mia"
        heard(pit, dispute.dispute, "one was pushed")
    late = floor.client("Rob").answer_dispute(dispute.dispute, "no")
    assert isinstance(late, Refused) and (late.status, late.reason) == (409, "dispute-over")
    mine = floor.client("Lee").http.get("/accounts/me/disputes").json()["disputes"]
    assert mine[0]["dispute"] == dispute.dispute
    record = floor.client("Aud").http.get(f"/audit/rounds/{table}/1").json()
    assert [one["answer"] for one in record["disputes"]] == ["one was pushed"]
    everything = floor.client("Aud").http.get("/disputes?all=true").json()["disputes"]
    assert dispute.dispute in [one["dispute"] for one in everything]


def test_a_stream_of_the_pit_begins_with_what_is_open(floor: RunningFloor) -> None:
    dispute = floor.client("Lee").dispute(played(floor), 1, "look again")
    assert isinstance(dispute, Dispute)
    with watch(floor, "Sue", floor.new_table()) as pit:
        heard(pit, dispute.dispute, None)
    floor.client("Mia").answer_dispute(dispute.dispute, "done")


@pytest.mark.parametrize("role", ROLES_OF_PEOPLE)
def test_who_may_dispute_look_and_answer(role: Role, floor: RunningFloor) -> None:
    table, person = played(floor), floor.client(PERSON[role])
    own = person.dispute(table, 1, "mine")
    if role is Role.PLAYER:
        assert isinstance(own, Dispute) or own.reason == "no-bet-there"
    else:
        assert isinstance(own, Refused) and own.status == 403
    dispute = own if isinstance(own, Dispute) else floor.client("Lee").dispute(table, 1, "mine")
    assert isinstance(dispute, Dispute)
    assert isinstance(person.disputes(), tuple) is (role in (*PIT_ROLES, Role.AUDITOR))
    found = person.answer_dispute(dispute.dispute, "so")
    assert isinstance(found, Dispute) is (role in ANSWERERS)
    floor.client("Rob").answer_dispute(dispute.dispute, "so")


@pytest.mark.parametrize(
    "body", [{}, {"text": ""}, {"text": "  "}, {"text": "x" * 1001}, {"text": 7}, {"why": "x"}, []]
)
def test_what_is_not_a_dispute_is_refused(body: Any, floor: RunningFloor) -> None:
    lee = floor.client("Lee").http
    assert lee.post("/rounds/nowhere/1/dispute", json={"text": "x"}).status_code == 404
    table = floor.new_table()
    assert lee.post(f"/rounds/{table}/1/dispute", json={"text": "x"}).status_code == 404
    assert lee.post(f"/rounds/{table}/one/dispute", json={"text": "x"}).status_code == 404
    assert lee.post(f"/rounds/{table}/1/dispute", json=body).status_code == 400
    assert floor.client("Mia").http.post("/disputes/nothing", json={"answer": "x"}).status_code == 404


def test_a_round_in_play_is_not_disputed(floor: RunningFloor) -> None:
    id = opened_round(floor, "ez")
    floor.client("Lee").give(id, BET)
    answer = floor.client("Lee").dispute(id, 1, "too slow")
    assert isinstance(answer, Refused) and (answer.status, answer.reason) == (409, "still-open")


@pytest.mark.gli("4.14")
@pytest.mark.gli("4.16")
@pytest.mark.gli("2.5.7")
def test_rounds_of_ones_own_say_what_was_decided(floor: RunningFloor) -> None:
    id = opened_round(floor, "ez", drawing="players")
    assert not isinstance(floor.client("Lee").give(id, BET), Refused)
    act(floor, id, "take-draw")
    while (loaded := floor.app_state.floor.table(id)) and loaded.table.state.phase.value != "finished":
        act(floor, id, "deal-card")
    act(floor, id, "settle-round")
    answer = floor.client("Lee").http.get("/accounts/me/rounds?limit=1").json()
    [round] = answer["rounds"]
    assert (round["table"], round["played"]["round"], round["dispute"]) == (id, 1, None)
    [decision] = round["played"]["decided"]
    assert (decision["what"], decision["why"], decision["player"], decision["by"]) == (
        "draw-taken",
        "time",
        "Lee",
        "Dan",
    )
    history = floor.client("Lee").http.get(f"/tables/{id}/history").json()["rounds"]
    assert history[0]["decided"] == [decision]
    assert floor.client("Kim").http.get(f"/tables/{id}/history").json()["rounds"][0]["decided"] == []
    more = floor.client("Lee").http.get(f"/accounts/me/rounds?limit=50&before={answer['last']}").json()
    assert id not in [one["table"] for one in more["rounds"]] and more["last"] is None
    record = floor.client("Aud").http.get(f"/audit/rounds/{id}/1").json()
    assert [one["what"] for one in record["decided"]] == ["draw-taken"]
