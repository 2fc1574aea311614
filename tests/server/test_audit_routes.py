"""The stream of significant events over the API: everything that a house is told, whoever asks in the right role."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from punto.audit.verification import verify
from punto.client import Client, Done, Refused, Waiting
from punto.floor.log_ins import note_refused
from punto.rules.authority import Role
from punto.store.chain import FIRST_HASHES, HOUSE
from punto.store.significant_events import HOUR_MS, MOST_AN_HOUR, tell_repeated
from tests.server.running_floor import RunningFloor, running_floor
from tests.server.test_table_routes_commands import BET, opened_round

CONTRACT = {"seq", "time", "code", "who", "second", "before", "after", "reason"}


def events(floor: RunningFloor, **query: Any) -> list[dict[str, Any]]:
    answer = floor.client("Aud").http.get("/audit/events", params={"limit": 500, **query})
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["events"]
    return found


def since(floor: RunningFloor) -> int:
    last: int = floor.client("Aud").http.get("/audit/events").json()["last"]
    return last


def told(floor: RunningFloor, after: int, code: str) -> dict[str, Any]:
    """The one event of a code since then."""
    [event] = events(floor, after=after, code=code)
    return event


def give(who: Client, id: str, role: Role, command: dict[str, Any]) -> Done | Waiting:
    shown = who.table(id, role)
    assert not isinstance(shown, Refused)
    answer = who.give(id, command, role, expected=shown.version)
    assert not isinstance(answer, Refused), answer
    return answer


@pytest.mark.gli("2.8.8")
@pytest.mark.parametrize("name", ["Aud", "Rob", "Ada"])
def test_auditor_shift_manager_and_administrator_read_the_stream(name: str, floor: RunningFloor) -> None:
    floor.new_table()
    answer = floor.client(name).http.get("/audit/events").json()
    assert answer["events"] and answer["events"][0].keys() >= CONTRACT


@pytest.mark.parametrize("name", ["Lee", "Dan", "Sue", "Mia", "Cas"])
@pytest.mark.parametrize("path", ["/audit/events", "/audit/events/export"])
def test_nobody_else_does(name: str, path: str, floor: RunningFloor) -> None:
    answer = floor.client(name).http.get(path)
    assert (answer.status_code, answer.json()["refusal"]["reason"]) == (403, "role-needed")


@pytest.mark.gli("2.8.8")
def test_what_is_done_to_a_table_is_told_with_who_and_why(floor: RunningFloor) -> None:
    id, after, rob = opened_round(floor, "commission"), since(floor), floor.client("Rob")
    assert isinstance(floor.client("Lee").give(id, BET), Done)
    give(floor.client("Dan"), id, Role.DEALER, {"type": "report", "seen": ["uncovered"]})
    give(rob, id, Role.SHIFT_MANAGER, {"type": "rule", "effect": "void", "reason": "the lights went out"})
    for command in ("pause-table", "resume-table", "close-table"):
        give(rob, id, Role.SHIFT_MANAGER, {"type": command})
    void = told(floor, after, "round-voided")
    assert (void["who"], void["reason"], void["table"], void["round"]) == ("Rob", "the lights went out", id, 1)
    assert told(floor, after, "ruled")["after"]["effect"] == "void"
    assert told(floor, after, "case-closed")["after"]["resolution"]
    assert void["after"]["returned"] == {"Lee": BET["amount"]}
    codes = [event["code"] for event in events(floor, after=after, table=id)]
    assert [code for code in codes if code.startswith("table-")] == ["table-paused", "table-resumed", "table-closed"]
    assert floor.client("Aud").http.post("/audit/verify", json={}).json()["ok"]


@pytest.mark.gli("2.8.8")
def test_terms_rules_and_people_are_told_before_and_after(floor: RunningFloor) -> None:
    id, after, ada = floor.new_table(), since(floor), floor.client("Ada")
    shown = floor.client("Rob").table(id, Role.SHIFT_MANAGER)
    assert not isinstance(shown, Refused) and shown.terms is not None
    terms = msgspec.to_builtins(msgspec.structs.replace(shown.terms, minimum=2_500))
    give(floor.client("Rob"), id, Role.SHIFT_MANAGER, {"type": "change-terms", "terms": terms})
    changed = told(floor, after, "terms-changed")
    assert (changed["before"], changed["after"]) == ({"minimum": shown.terms.minimum}, {"minimum": 2_500})
    body = {"rules": {"operator": "Casa Lu"}, "reason": "a new sign"}
    assert ada.http.put("/house/rules", json=body).status_code == 200
    rules = told(floor, after, "rules-changed")
    assert rules["after"]["operator"] == '"Casa Lu"' and (rules["who"], rules["reason"]) == ("Ada", "a new sign")
    assert ada.http.put("/house/rules", json={"rules": {"operator": None}}).status_code == 200
    person = {"name": "Tod", "password": "something long", "roles": ["dealer"]}
    assert ada.http.post("/people", json=person).status_code == 201
    assert ada.http.put("/people/Tod/roles", json={"roles": ["auditor"]}).status_code == 200
    assert [event["who"] for event in events(floor, after=after, code="roles-changed")] == ["Ada", "Ada"]


@pytest.mark.gli("2.8.8")
def test_large_stakes_wins_and_days_are_told(floor: RunningFloor) -> None:
    id, after, ada = opened_round(floor), since(floor), floor.client("Ada")
    rules = {"large_stake": 10_000, "large_win": 1, "large_day": 10_000}
    assert ada.http.put("/house/rules", json={"rules": rules}).status_code == 200
    try:
        assert isinstance(floor.client("Lee").give(id, BET), Done)
        stake = told(floor, after, "large-stake")
        assert stake["after"] == {"player": "Lee", "box": 1, "area": "banker", "stake": 10_000, "threshold": 10_000}
        won = finish(floor, id)
        assert [event["after"]["won"] for event in events(floor, after=after, code="large-win")] == (
            [won] if won > 0 else []
        )
        [day] = [event for event in events(floor, after=after, code="large-day") if event["after"]["what"] == "staked"]
        assert (day["after"]["player"], day["after"]["amount"], day["round"]) == ("Lee", 10_000, 1)
    finally:
        assert ada.http.put("/house/rules", json={"rules": dict.fromkeys(rules)}).status_code == 200
    assert floor.client("Aud").http.post("/audit/verify", json={}).json()["ok"]


def finish(floor: RunningFloor, id: str) -> int:
    """Play a round to its end; what it brought Lee."""
    dealer = floor.client("Dan")
    while True:
        shown = dealer.table(id, Role.DEALER)
        assert not isinstance(shown, Refused)
        if shown.view["phase"] == "idle":
            break
        assert isinstance(dealer.give(id, shown.view["next"]["command"], Role.DEALER, expected=shown.version), Done)
    net: int = floor.client("Aud").http.get(f"/audit/rounds?table={id}").json()["rounds"][0]["players"]["Lee"]["net"]
    return net


@pytest.mark.gli("2.8.8")
def test_a_correction_names_both_people(floor: RunningFloor) -> None:
    after, cas = since(floor), floor.client("Cas")
    cas.buy_in("Kim", 1_000)
    body = {"account": "Kim", "amount": -400, "reason": "counted twice", "key": "c1"}
    waits = cas.http.post("/cashier/correct", json=body)
    assert waits.status_code == 202, waits.text
    agreed = floor.client("Mia").http.post(f"/approvals/{waits.json()['approval']}", json={"decision": "approve"})
    assert agreed.status_code == 200, agreed.text
    event = told(floor, after, "account-corrected")
    assert (event["who"], event["second"], event["reason"]) == ("Cas", "Mia", "counted twice")
    assert event["after"]["amount"] == -400
    codes = {event["code"] for event in events(floor, after=after)}
    assert {"approval-asked", "approval-decided", "approval-finished"} <= codes


def wrong(floor: RunningFloor, name: str) -> int:
    body = {"name": name, "password": "not this one"}
    return httpx.post(f"{floor.url}/api/v1/sessions", json=body).status_code


@pytest.mark.gli("2.8.8")
def test_a_thousand_failed_log_ins_leave_a_few_events(tmp_path: Path) -> None:
    """Whoever tries names and passwords from one place is told of once an hour, and how often."""
    with running_floor(str(tmp_path / "house.db")) as floor:
        floor.client("Aud")
        wait_until(lambda: events(floor, code="server-started"))  # it comes when the software has been looked at
        after = since(floor)
        for number in range(80):
            wrong(floor, f"guess{number}" if number % 2 else "Lee")
        seen = events(floor, after=after)
        names = {(event["code"], event["after"]["name"]) for event in seen}
        assert names == {(code, name) for code in ("log-in-refused", "locked-out") for name in ("Lee", None)}
        assert len(seen) == 4 and {event["after"]["address"] for event in seen} == {"127.0.0.1"}
        assert "guess" not in json.dumps(seen), "what nobody is called may be a password"
        with floor.store.write() as transaction:  # the rest of a thousand, from a thousand places
            for number in range(1_000):
                now = floor.app_state.now()
                note_refused(
                    transaction, f"x{number}", f"10.0.{number // 250}.{number % 250}", now, is_locked_out=False
                )
        assert len(events(floor, after=after)) <= 4 + MOST_AN_HOUR + 1
        with floor.store.write() as transaction:
            tell_repeated(transaction, floor.app_state.now() + HOUR_MS)
        seen = events(floor, after=after)
        assert len(seen) <= 2 * (MOST_AN_HOUR + 5)
        refused = [event["after"]["count"] for event in seen if event["code"] == "log-in-refused"]
        assert 1_000 < sum(refused) <= 1_080, "every one of them is counted"
        with floor.store.read() as reader:
            assert verify(reader).ok


def test_the_stream_is_read_on_from_a_place_and_by_code_and_time(floor: RunningFloor) -> None:
    id = floor.new_table()
    whole = events(floor, table=id)
    assert [event["code"] for event in whole] == ["table-opened"]
    seq, time = whole[0]["seq"], whole[0]["time"]
    assert events(floor, after=seq, table=id) == []
    assert events(floor, after=seq - 1, limit=1) == whole
    assert events(floor, table=id, **{"from": time}) == whole and events(floor, table=id, to=time) == []
    assert events(floor, table=id, code="round-voided") == []
    assert floor.client("Aud").http.get("/audit/events?code=nonsense").status_code == 400


@pytest.mark.parametrize("name", ["Ann", "Ann_", 'Ann "Q"', "a\\b", "安娜"])
def test_the_stream_is_read_by_whom_it_names(floor: RunningFloor, name: str) -> None:
    """By whom, with whom, about whom; a name that is part of another is another name."""
    admin, others = floor.client("Ada").http, [f"{name}ie", "Annx"]
    for one in (name, *others):
        admin.post("/people", json={"name": one, "password": "long enough", "roles": ["player"]})
    asked = {"key": f"wait {name}", "account": name, "amount": 700, "reason": "x"}
    waits = floor.client("Cas").http.post("/cashier/correct", json=asked).json()["approval"]
    floor.client("Mia").http.post(f"/approvals/{waits}", json={"decision": "approve"}).raise_for_status()
    found = events(floor, person=name)
    codes = [one["code"] for one in found]
    assert {"account-opened", "roles-changed", "account-corrected"} <= set(codes), codes
    assert not [one for one in found if any(other in str(one) for other in others)]
    correction = found[codes.index("account-corrected")]
    for one in ("Cas", "Mia"):
        assert correction in events(floor, person=one)
    assert correction not in events(floor, person="Rob")
    rows = floor.client("Aud").http.get("/audit/events/export", params={"format": "jsonl", "person": name}).text
    assert len(rows.splitlines()) == len(found)


@pytest.mark.gli("2.8.8")
def test_an_outsider_computes_the_chain_again_from_the_file(floor: RunningFloor) -> None:
    floor.new_table()
    answer = floor.client("Aud").http.get("/audit/events/export?format=jsonl")
    assert (
        answer.headers["content-type"] == "application/jsonl"
        and "events.jsonl" in answer.headers["content-disposition"]
    )
    link = FIRST_HASHES[HOUSE]
    for line in answer.content.splitlines():
        link = sha256(link + line).digest()
    with floor.store.read() as reader:
        assert reader.chain_end(HOUSE)[1] == link


def test_a_spreadsheet_has_a_row_for_each_event_and_no_formula(floor: RunningFloor) -> None:
    body = {"rules": {"operator": "Lu"}, "reason": '=HYPERLINK("http://x")'}
    for rules in (body, {"rules": {"operator": None}}):
        assert floor.client("Ada").http.put("/house/rules", json=rules).status_code == 200
    answer = floor.client("Aud").http.get("/audit/events/export?format=csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(answer.text, newline="")))
    assert [int(row["seq"]) for row in rows] == list(range(1, len(rows) + 1))
    [row] = [row for row in rows if "HYPERLINK" in row["reason"]]
    assert row["reason"] == '\'=HYPERLINK("http://x")' and json.loads(row["after"])["operator"] == '"Lu"'


def wait_until(is_so: Callable[[], object]) -> None:
    for _ in range(10_000):
        if is_so():
            return
    raise AssertionError("it never came to be")


@pytest.mark.gli("2.3.2")
def test_a_start_and_every_check_of_the_software_are_kept(tmp_path: Path) -> None:
    with running_floor(str(tmp_path / "house.db")) as floor:
        aud = floor.client("Aud").http
        wait_until(lambda: httpx.get(f"{floor.url}/health").json()["digest"])
        health = httpx.get(f"{floor.url}/health").json()
        assert health["status"] == "ok" and health["version"] and len(health["digest"]) == 64
        found = aud.post("/audit/integrity").json()
        assert (found["digest"], found["version"]) == (health["digest"], health["version"])
        answer = aud.get("/audit/integrity").json()
        assert answer["now"] == found
        assert [act["code"] for act in answer["kept"]] == ["integrity-checked", "server-started"]
        assert answer["kept"][0]["who"] == "Aud" and answer["kept"][1]["after"]["digest"] == found["digest"]
        assert floor.client("Lee").http.post("/audit/integrity").status_code == 403
    with running_floor(str(tmp_path / "house.db")) as floor:
        wait_until(lambda: events(floor, code="server-started")[1:])
        assert [event["after"]["clean"] for event in events(floor, code="server-started")] == [True, True]
        assert len(events(floor, code="server-stopped")) == 1
        with floor.store.read() as reader:
            assert verify(reader).ok
