"""Whoever asked is told what came of it: done, refused, declined or expired; also after a restart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from punto.audit.verification import verify
from punto.client import Client, Done, Refused, Stream
from punto.rules.authority import LADDER, Authority, Role
from punto.store.pit import StoredApproval, approval_by_id, stored_approvals, take_decision
from punto.store.seal import Seal
from punto.store.store import open_store
from punto.store.transaction import Transaction
from tests.server.running_floor import RunningFloor, running_floor
from tests.server.test_stream import opened
from tests.server.test_table_routes_approvals import PAUSE, TWO, asked, table

__all__ = ["table"]


def told(stream: Stream, id: str) -> dict[str, Any]:
    """The next frame about an approval that is over."""
    while True:
        frame: dict[str, Any] = stream.next(60)
        if frame["type"] == "approval" and frame["approval"] == id and "decision" in frame:
            return frame


def shown(client: Client, id: str) -> dict[str, Any]:
    found: dict[str, Any] = client.http.get(f"/approvals/{id}").json()
    return found


def test_who_asked_is_told_when_it_is_done(floor: RunningFloor, table: str) -> None:
    with opened(floor.client("Sue"), table) as stream:
        assert stream.next(60)["type"] == "snapshot"
        waiting = asked(floor, table)
        floor.client("Mia").decide(waiting.approval)
        frame = told(stream, waiting.approval)
    assert frame["decision"] == "approve" and frame["version"] == 2 and "refusal" not in frame
    found = shown(floor.client("Sue"), waiting.approval)
    assert (found["decision"], found["done"], found["decided_by"]) == ("approve", 2, "Mia")


def test_what_was_agreed_to_and_refused_is_told_as_refused(floor: RunningFloor, table: str) -> None:
    with opened(floor.client("Sue"), table) as stream:
        assert stream.next(60)["type"] == "snapshot"
        waiting = asked(floor, table)
        floor.client("Lee").give(table, {"type": "take-seat", "box": 1})
        floor.client("Mia").decide(waiting.approval)
        frame = told(stream, waiting.approval)
    assert frame["decision"] == "refused" and frame["refusal"]["reason"] == "version"
    found = shown(floor.client("Sue"), waiting.approval)
    assert (found["decision"], found["done"], found["refusal"]) == ("refused", None, frame["refusal"])


def test_a_decision_whose_answer_was_lost_has_it_again(floor: RunningFloor, table: str) -> None:
    waiting = asked(floor, table)
    first = floor.client("Mia").decide(waiting.approval)
    assert isinstance(first, Done) and floor.client("Mia").decide(waiting.approval) == first
    other = floor.client("Rob").decide(waiting.approval)
    assert isinstance(other, Refused) and other.reason == "approval-over"
    turned = floor.client("Mia").decide(waiting.approval, "decline")
    assert isinstance(turned, Refused) and turned.reason == "approval-over"


@pytest.mark.parametrize("left_ms", [0, 300])
def test_what_nobody_decided_is_told_when_it_expires(floor: RunningFloor, table: str, left_ms: int) -> None:
    waiting = asked(floor, table)
    with opened(floor.client("Sue"), table) as stream:
        assert stream.next(60)["type"] == "snapshot"
        with floor.store.write() as transaction:
            end(transaction, floor.app_state.floor.seal, waiting.approval, floor.app_state.now() + left_ms)
        asked(floor, floor.new_table("commission", authority=TWO))  # the desk looks when the next one ends
        frame = told(stream, waiting.approval)
    assert frame["decision"] == "expired"
    late = floor.client("Mia").decide(waiting.approval)
    assert isinstance(late, Refused) and (late.status, late.reason) == (409, "approval-over")
    assert "expired" in late.sentence
    assert shown(floor.client("Sue"), waiting.approval)["decision"] == "expired"


def end(transaction: Transaction, seal: Seal, id: str, at: int) -> None:
    """Let something expire at another time, as if it had been asked for so."""
    approval = approval_by_id(transaction, id)
    assert approval is not None
    mac = seal.sign(*msgspec.structs.replace(approval, expires_ms=at).signed_values())
    statement = "UPDATE approvals SET expires_ms = ?, mac = ? WHERE id = ?"
    transaction.connection.run(statement, (at, mac, id))


def test_after_a_restart_what_was_left_is_finished_and_what_is_late_has_expired(tmp_path: Path) -> None:
    database = str(tmp_path / "house.db")
    with running_floor(database) as floor:
        agreed, late = (floor.new_table("commission", authority=TWO) for _ in range(2))
        first, second = asked(floor, agreed), asked(floor, late)
        seal, now = floor.app_state.floor.seal, floor.app_state.now()
    with open_store(database) as store:  # as if the process had been killed right after it wrote this
        with store.write() as transaction:
            assert take_decision(transaction, first.approval, "approve", "Rob", now, seal)
            end(transaction, seal, second.approval, now)
        with store.read() as reader:
            left = approval_by_id(reader, first.approval)
        assert left is not None and left.answer is None, "it is not carried out yet"
    with running_floor(database) as floor:
        stored = stored_approval(floor, first.approval)
        while stored.answer is None or stored_approval(floor, second.approval).decision is None:
            stored = stored_approval(floor, first.approval)
        with floor.store.read() as reader:
            [*_, command] = reader.commands(agreed)
        assert '"second":{"name":"Rob","role":"shift-manager"}' in command.body
        assert shown(floor.client("Sue"), first.approval)["done"] == floor.version(agreed) == 2
        assert shown(floor.client("Sue"), second.approval)["decision"] == "expired"
        assert floor.version(late) == 1


FORGED = (
    "UPDATE approvals SET decision = 'approve', decided_by = 'Rob', decided_ms = 1",
    "UPDATE approvals SET actor = 'Rob', decision = 'approve', decided_by = 'Mia', decided_ms = 1",
    "INSERT INTO approvals SELECT 'forged', table_id, actor, role, 'another', body, version, needs, "
    "asked_ms, expires_ms, 'approve', 'Rob', 1, NULL, expected, mac FROM approvals",
)


@pytest.mark.parametrize("statement", FORGED)
def test_an_approval_that_was_written_into_the_database_is_not_carried_out(tmp_path: Path, statement: str) -> None:
    database = str(tmp_path / "house.db")
    with running_floor(database) as floor:
        table = floor.new_table("commission", authority=TWO)
        asked(floor, table)
        with floor.store.write() as transaction:
            transaction.connection.run(statement)
    with running_floor(database) as floor:
        with floor.store.read() as reader:
            [forged] = [one for one in stored_approvals(reader) if one.decision == "approve"]
        while stored_approval(floor, forged.id).answer is None:
            pass
        refused = shown(floor.client("Rob"), forged.id)
        assert refused["decision"] == "refused" and refused["refusal"]["reason"] == "not-signed"
        assert floor.version(table) == 1
        with floor.store.read() as reader:
            problems = [problem.problem for problem in verify(reader).problems]
        assert [problem for problem in problems if problem.startswith(f"approval {forged.id} ")], problems


def test_what_was_written_into_the_database_cannot_be_agreed_to(floor: RunningFloor, table: str) -> None:
    """Somebody else's wish, put into their mouth: the second person's word does not make it genuine."""
    waiting = asked(floor, table)
    with floor.store.write() as transaction:
        transaction.connection.run("UPDATE approvals SET actor = 'Rob' WHERE id = ?", (waiting.approval,))
    answer = floor.client("Mia").decide(waiting.approval)
    assert isinstance(answer, Refused) and (answer.status, answer.reason) == (409, "approval-over")
    assert floor.version(table) == 1 and stored_approval(floor, waiting.approval).decision is None


def stored_approval(floor: RunningFloor, id: str) -> StoredApproval:
    with floor.store.read() as reader:
        found = approval_by_id(reader, id)
    assert found is not None
    return found


# ── The same key, the same answer ────────────────────────────────────────────────────────────────


def test_a_refusal_for_the_version_is_kept_under_its_key(floor: RunningFloor, table: str) -> None:
    body = {"key": f"{table}-v", "role": "pit-supervisor", "expected": 2, "command": PAUSE}
    http = floor.client("Sue").http
    first = http.post(f"/tables/{table}/commands", json=body)
    assert (first.status_code, first.json()["refusal"]["reason"]) == (409, "version")
    floor.client("Lee").give(table, {"type": "take-seat", "box": 1})
    assert floor.version(table) == 2, "now it would be taken"
    again = http.post(f"/tables/{table}/commands", json=body)
    assert (again.status_code, again.json()) == (409, first.json())
    other = http.post(f"/tables/{table}/commands", json={**body, "command": {"type": "close-table"}})
    assert other.json()["refusal"]["reason"] == "key-reused"


def test_a_refusal_of_the_table_is_kept_under_its_key(floor: RunningFloor, table: str) -> None:
    body = {"key": f"{table}-r", "role": "pit-supervisor", "command": PAUSE}
    floor.client("Mia").decide(asked(floor, table).approval)
    http = floor.client("Sue").http
    first = http.post(f"/tables/{table}/commands", json=body)
    assert first.json()["refusal"]["reason"] == "paused"
    floor.client("Mia").give(table, {"type": "resume-table"}, Role.PIT_MANAGER)
    again = http.post(f"/tables/{table}/commands", json=body)
    assert (again.status_code, again.json()) == (first.status_code, first.json())


def test_a_correction_that_was_refused_stays_so_under_its_key(floor: RunningFloor) -> None:
    cas = floor.client("Cas")
    body = {"key": "later", "account": "Max", "amount": -3_000, "reason": "paid twice"}
    first = cas.http.post("/cashier/correct", json=body)
    assert first.status_code == 409
    cas.buy_in("Max", 5_000)
    again = cas.http.post("/cashier/correct", json=body)
    assert (again.status_code, again.json()) == (409, first.json())
    money = {"key": "later", "account": "Max", "amount": 100}
    other = cas.http.post("/cashier/buy-in", json=money)
    assert other.json()["refusal"]["reason"] == "key-reused"


@pytest.mark.parametrize("role", [Role.DEALER, Role.PLAYER])
def test_two_people_where_dealers_or_players_begin(floor: RunningFloor, role: Role) -> None:
    """A dealer says for which version; what waited has the same answer after it was done."""
    two = (
        Authority("burn-cards", LADDER, second=Role.PIT_SUPERVISOR),
        Authority("take-seat", (Role.PLAYER,), second=Role.PIT_SUPERVISOR),
    )
    id, name = floor.new_table("commission", authority=two), {Role.DEALER: "Dan", Role.PLAYER: "Lee"}[role]
    command = {"type": "burn-cards"} if role is Role.DEALER else {"type": "take-seat", "box": 1}
    body: dict[str, Any] = {"key": f"{id}-two", "role": role.value, "command": command}
    http = floor.client(name).http
    if role is Role.DEALER:
        answer = http.post(f"/tables/{id}/commands", json=body).json()
        assert answer["refusal"]["reason"] == "version-needed"
        loaded = floor.client("Dan").give(id, {"type": "load-shoe"}, role, expected=1)
        assert isinstance(loaded, Done)
        body = {**body, "key": f"{id}-again", "expected": loaded.version}
    first = http.post(f"/tables/{id}/commands", json=body)
    assert first.status_code == 202, first.text
    assert isinstance(floor.client("Sue").decide(first.json()["approval"]), Done)
    assert http.post(f"/tables/{id}/commands", json=body).json() == first.json()
