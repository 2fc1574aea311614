"""What needs two people waits for the second: exactly this command, for this version, until it expires."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from punto.cards.source import SourceKind
from punto.client import Client, Done, Refused, Waiting
from punto.floor.job import FOR_ANOTHER
from punto.floor.pit import approval_for
from punto.rules.authority import LADDER, Authority, Role
from punto.server.app_state import ApprovalDesk, AppState
from punto.store.people import erase_person
from punto.store.pit import StoredApproval
from punto.table.acting import VERBS
from punto.table.antes import GiveUpAnte
from punto.table.house import ComeBack, LeaveSeat, TakeSeat, WalkAway
from tests.server.running_floor import PEOPLE, RunningFloor, running_floor
from tests.server.served_house import wait_until
from tests.server.test_endpoint_roles import give
from tests.server.test_stream import opened

PAUSE = {"type": "pause-table"}
TWO = (Authority("pause-table", LADDER, second=Role.PIT_MANAGER),)


def asked(floor: RunningFloor, id: str, key: str = "k") -> Waiting:
    found = floor.client("Sue").give(id, PAUSE, Role.PIT_SUPERVISOR, key=f"{id}-{key}")
    assert isinstance(found, Waiting), found
    return found


@pytest.fixture
def table(floor: RunningFloor) -> str:
    return floor.new_table("commission", authority=TWO)


def test_a_second_person_carries_it_out(floor: RunningFloor, table: str) -> None:
    waiting = asked(floor, table)
    assert waiting.needs is Role.PIT_MANAGER and floor.version(table) == 1
    listed = floor.client("Mia").http.get("/approvals").json()["approvals"]
    [mine] = [one for one in listed if one["approval"] == waiting.approval]
    assert mine["yours"] and mine["command"] == PAUSE and mine["version"] == 1 and mine["actor"] == "Sue"
    done = floor.client("Mia").decide(waiting.approval)
    assert isinstance(done, Done) and done.version == 2
    assert [record.event["type"] for record in done.events] == ["table-paused"]
    with floor.store.read() as reader:
        command = reader.commands(table)[-1]
    assert '"second":{"name":"Mia","role":"pit-manager"}' in command.body and command.actor == "Sue"


def test_an_administrator_sees_that_something_waits_and_decides_nothing(floor: RunningFloor) -> None:
    correct = {"key": "seen", "account": "Kim", "amount": 500, "reason": "not booked"}
    waits = floor.client("Cas").http.post("/cashier/correct", json=correct)
    paused = asked(floor, floor.new_table("commission", authority=TWO))
    ada = floor.client("Ada").http
    seen = {one["approval"]: one for one in ada.get("/approvals").json()["approvals"]}
    correction, pause = seen[waits.json()["approval"]], seen[paused.approval]
    assert (correction["yours"], correction["command"]["amount"]) == (False, 500)
    assert (pause["yours"], pause["command"]) == (False, {"type": "pause-table"})
    decided = ada.post(f"/approvals/{paused.approval}", json={"decision": "approve"})
    assert (decided.status_code, decided.json()["refusal"]["reason"]) == (403, "rank-needed")
    others = floor.client("Aud").http.get("/approvals").json()["approvals"]
    assert paused.approval not in {one["approval"] for one in others}


def test_of_a_table_others_learn_what_is_asked_for_and_no_card() -> None:
    """Whoever may not decide sees the kind of a command, and not what it says."""
    body = '{"type":"order-cards","actor":"Sue","role":"pit-supervisor","cards":["9H"]}'
    stored = StoredApproval("a", "t1", "Sue", "pit-supervisor", "k", body, 1, "pit-manager", 1, 10**15)
    assert approval_for(stored, "Ada", (Role.ADMINISTRATOR,), 2).command == {"type": "order-cards"}
    assert approval_for(stored, "Mia", (Role.PIT_MANAGER,), 2).command == {"type": "order-cards", "cards": ["9H"]}


def test_the_same_key_has_the_same_answer_before_and_after(floor: RunningFloor, table: str) -> None:
    first = asked(floor, table)
    assert asked(floor, table) == first
    other = floor.client("Sue").give(table, {"type": "close-table"}, Role.PIT_SUPERVISOR, key=f"{table}-k")
    assert isinstance(other, Refused) and (other.status, other.reason) == (409, "key-reused")
    for expected in (floor.version(table), 0):
        other = floor.client("Sue").give(table, PAUSE, Role.PIT_SUPERVISOR, key=f"{table}-k", expected=expected)
        assert isinstance(other, Refused) and (other.status, other.reason) == (409, "key-reused")
    floor.client("Mia").decide(first.approval)
    assert asked(floor, table) == first


@pytest.mark.parametrize(
    ("name", "reason"),
    [("Sue", "own-approval"), ("Dan", "rank-needed"), ("Lee", "rank-needed"), ("Ada", "rank-needed")],
)
def test_it_must_be_another_person_of_the_rank(floor: RunningFloor, table: str, name: str, reason: str) -> None:
    waiting = asked(floor, table)
    answer = floor.client(name).decide(waiting.approval)
    assert isinstance(answer, Refused) and (answer.status, answer.reason) == (403, reason)
    assert floor.version(table) == 1


def test_nobody_is_their_own_second_in_another_role(floor: RunningFloor, table: str) -> None:
    admin = floor.client("Ada")
    body = {"name": f"Two {table}", "password": "something long", "roles": ["pit-supervisor", "pit-manager"]}
    assert admin.http.post("/people", json=body).status_code == 201
    with Client(floor.url) as two:
        two.log_in(f"Two {table}", "something long")
        waiting = two.give(table, PAUSE, Role.PIT_SUPERVISOR)
        assert isinstance(waiting, Waiting)
        answer = two.decide(waiting.approval)
        assert isinstance(answer, Refused) and answer.reason == "own-approval"


def test_it_holds_for_its_version_only(floor: RunningFloor, table: str) -> None:
    waiting = asked(floor, table)
    assert isinstance(floor.client("Lee").give(table, {"type": "take-seat", "box": 1}), Done)
    answer = floor.client("Mia").decide(waiting.approval)
    assert isinstance(answer, Refused) and (answer.status, answer.reason) == (409, "version")
    assert floor.version(table) == 2


def test_it_is_decided_once(floor: RunningFloor, table: str) -> None:
    waiting = asked(floor, table)
    declined = floor.client("Rob").decide(waiting.approval, "decline")
    assert isinstance(declined, Done) and declined.version is None
    late = floor.client("Mia").decide(waiting.approval)
    assert isinstance(late, Refused) and (late.status, late.reason) == (409, "approval-over")
    shown = floor.client("Sue").http.get(f"/approvals/{waiting.approval}").json()
    assert shown["decision"] == "decline" and shown["decided_by"] == "Rob"
    assert floor.version(table) == 1


def test_it_expires(tmp_path: Path) -> None:
    with running_floor(str(tmp_path / "house.db"), approval_minutes=1) as floor:
        id = floor.new_table("commission", authority=TWO)
        waiting = asked(floor, id)
        with floor.store.write() as transaction:
            transaction.connection.run("UPDATE approvals SET expires_ms = expires_ms - 60000")
        answer = floor.client("Mia").decide(waiting.approval)
        assert isinstance(answer, Refused) and (answer.status, answer.reason) == (409, "approval-over")
        assert floor.client("Mia").http.get("/approvals").json() == {"approvals": []}


def test_what_the_table_would_refuse_does_not_wait(floor: RunningFloor, table: str) -> None:
    done = floor.client("Mia").decide(asked(floor, table).approval)
    assert isinstance(done, Done)
    again = floor.client("Sue").give(table, PAUSE, Role.PIT_SUPERVISOR)
    assert isinstance(again, Refused) and (again.status, again.reason) == (409, "paused")
    role = floor.client("Lee").give(table, PAUSE)
    assert isinstance(role, Refused) and (role.status, role.reason) == (403, "not-allowed")


def test_a_stream_tells_of_it(floor: RunningFloor, table: str) -> None:
    with opened(floor.client("Mia"), table) as pit, opened(floor.client("Lee"), table) as player:
        assert {pit.next(60)["type"], player.next(60)["type"]} == {"snapshot"}
        with opened(floor.client("Sue"), table) as stream:
            answer = give(stream, {"role": "pit-supervisor", "command": PAUSE})
        assert answer["needs"] == "pit-manager" and "version" not in answer
        told = pit.next(60)
        assert told["type"] == "approval" and told["approval"] == answer["approval"]
        floor.client("Mia").decide(answer["approval"])
        assert player.next(60)["type"] == "event"


def test_a_correction_at_the_cashier_takes_two(floor: RunningFloor) -> None:
    cas, mia = floor.client("Cas"), floor.client("Mia")
    cas.buy_in("Kim", 5_000)
    before = floor.client("Kim").account()
    body = {"key": "fix", "account": "Kim", "amount": -2_000, "reason": "paid twice"}
    answer = cas.http.post("/cashier/correct", json=body)
    assert answer.status_code == 202 and answer.json()["needs"] == "pit-manager"
    assert cas.http.post("/cashier/correct", json=body).json() == answer.json()
    assert floor.client("Kim").account() == before
    assert isinstance(mia.decide(answer.json()["approval"]), Done)
    after = floor.client("Kim").account()
    assert not isinstance(before, Refused) and not isinstance(after, Refused)
    assert after.free == before.free - 2_000
    lines = floor.client("Kim").http.get("/accounts/me/statement?latest=true&limit=1").json()["lines"]
    assert (lines[0]["kind"], lines[0]["by"], lines[0]["second"]) == ("correction", "Cas", "Mia")


@pytest.mark.parametrize(
    ("account", "amount", "reason"),
    [("Kim", 0, "wrong-amount"), ("Nobody", 100, "no-account"), ("Kim", -(10**12), "not-enough-funds")],
)
def test_a_correction_that_would_be_refused_does_not_wait(
    floor: RunningFloor, account: str, amount: int, reason: str
) -> None:
    body = {"key": f"fix-{reason}", "account": account, "amount": amount, "reason": "miscount"}
    pit = floor.client("Mia").http
    waiting = pit.get("/approvals").json()
    answer = floor.client("Cas").http.post("/cashier/correct", json=body)
    assert answer.status_code == 409 and answer.json()["refusal"]["reason"] == reason
    assert pit.get("/approvals").json() == waiting


# ── Whoever asked must still be who asked ────────────────────────────────────────────────────────


@pytest.mark.parametrize("is_erased", [False, True])
def test_what_was_asked_in_a_role_that_is_gone_is_not_done(floor: RunningFloor, table: str, is_erased: bool) -> None:
    admin, name = floor.client("Ada"), f"Tim {table}"
    body = {"name": name, "password": "something long", "roles": ["pit-supervisor", "player"]}
    assert admin.http.post("/people", json=body).status_code == 201
    with Client(floor.url) as tim:
        tim.log_in(name, "something long")
        waiting = tim.give(table, PAUSE, Role.PIT_SUPERVISOR)
        assert isinstance(waiting, Waiting)
    if is_erased:
        with floor.store.write() as transaction:
            erase_person(transaction, name, "Ada", 0)
    else:
        assert admin.http.put(f"/people/{name}/roles", json={"roles": ["player"]}).status_code == 200
    answer = floor.client("Mia").decide(waiting.approval)
    assert isinstance(answer, Refused) and (answer.status, answer.reason) == (409, "asker-gone")
    assert floor.version(table) == 1
    shown = floor.client("Mia").http.get(f"/approvals/{waiting.approval}").json()
    assert shown["decision"] == "refused" and shown["refusal"]["reason"] == "asker-gone"


def test_what_was_refused_stays_refused_also_when_the_role_comes_back(floor: RunningFloor, table: str) -> None:
    """The same decision has the same answer again; nothing that is over comes back to life."""
    waiting, set_roles = _asked_by_somebody_new(floor, table)
    set_roles("player")
    first = floor.client("Mia").decide(waiting.approval)
    assert isinstance(first, Refused) and first.reason == "asker-gone"
    set_roles("player", "pit-supervisor")
    assert floor.client("Mia").decide(waiting.approval) == first
    assert floor.version(table) == 1


def test_a_role_that_was_taken_and_given_back_brings_nothing_back(floor: RunningFloor, table: str) -> None:
    waiting, set_roles = _asked_by_somebody_new(floor, table)
    set_roles("player")
    set_roles("player", "pit-supervisor")
    answer = floor.client("Mia").decide(waiting.approval)
    assert isinstance(answer, Refused) and (answer.status, answer.reason) == (409, "asker-gone")
    assert floor.version(table) == 1


def test_another_role_that_is_given_or_taken_changes_nothing(floor: RunningFloor, table: str) -> None:
    waiting, set_roles = _asked_by_somebody_new(floor, table)
    set_roles("pit-supervisor", "dealer")
    assert isinstance(floor.client("Mia").decide(waiting.approval), Done)


def test_what_was_done_has_its_answer_again_also_when_the_role_is_gone(floor: RunningFloor, table: str) -> None:
    waiting, set_roles = _asked_by_somebody_new(floor, table)
    done = floor.client("Mia").decide(waiting.approval)
    assert isinstance(done, Done)
    set_roles("player")
    assert floor.client("Mia").decide(waiting.approval) == done


def _asked_by_somebody_new(floor: RunningFloor, table: str) -> tuple[Waiting, Callable[..., None]]:
    """What somebody new asked as a pit supervisor, and what sets that person's roles."""
    admin, name = floor.client("Ada").http, f"Tom {table}"
    body = {"name": name, "password": "something long", "roles": ["pit-supervisor", "player"]}
    assert admin.post("/people", json=body).status_code == 201
    with Client(floor.url) as tom:
        tom.log_in(name, "something long")
        waiting = tom.give(table, PAUSE, Role.PIT_SUPERVISOR)
    assert isinstance(waiting, Waiting)

    def set_roles(*roles: str) -> None:
        assert admin.put(f"/people/{name}/roles", json={"roles": list(roles)}).status_code == 200

    return waiting, set_roles


def test_nobody_alone_takes_the_second_person_away(floor: RunningFloor, table: str) -> None:
    """The terms ask for a second person; who changes them asks that person."""
    loaded = floor.app_state.floor.table(table)
    assert loaded is not None
    terms = msgspec.to_builtins(msgspec.structs.replace(loaded.table.terms, authority=()))
    change = {"type": "change-terms", "terms": terms}
    waiting = floor.client("Sue").give(table, change, Role.PIT_SUPERVISOR)
    assert isinstance(waiting, Waiting) and waiting.needs is Role.PIT_MANAGER
    assert isinstance(floor.client("Mia").decide(waiting.approval), Done)
    assert isinstance(floor.client("Sue").give(table, PAUSE, Role.PIT_SUPERVISOR), Done)


# ── Betting for somebody else ────────────────────────────────────────────────────────────────────


def bets_open(floor: RunningFloor, book: str = "insurance") -> str:
    """A table at which Lee sits and bets are open."""
    id = floor.new_table(book, burn="none", source=SourceKind.ENTERED)
    floor.client("Cas").buy_in("Lee", 1_000_000)
    for kind in ("load-shoe", "call-bets"):
        done = floor.client("Dan").give(id, {"type": kind}, Role.DEALER, expected=floor.version(id))
        assert isinstance(done, Done), done
    assert isinstance(floor.client("Lee").give(id, {"type": "take-seat", "box": 1}), Done)
    return id


def bet_for(floor: RunningFloor, id: str, player: str = "Lee", by: str = "Dan", **fields: Any) -> Any:
    bet = {"type": "place-bet", "round": 1, "box": 1, "area": "banker", "amount": 10_000, "player": player}
    role = PEOPLE[by][-1]
    return floor.client(by).give(id, {**bet, **fields}, role, expected=floor.version(id))


@pytest.mark.parametrize("by", ["Dan", "Sue", "Mia"])
def test_a_bet_for_a_player_waits_for_that_players_word(floor: RunningFloor, by: str) -> None:
    id = bets_open(floor)
    before, waiting = floor.version(id), bet_for(floor, id, by=by)
    assert isinstance(waiting, Waiting) and floor.version(id) == before
    [mine] = floor.client("Lee").http.get("/approvals").json()["approvals"]
    assert mine["yours"] and mine["command"]["amount"] == 10_000 and mine["actor"] == by
    for name, reason in ((by, "own-approval"), ("Kim", "rank-needed"), ("Cas", "rank-needed")):
        answer = floor.client(name).decide(waiting.approval)
        assert isinstance(answer, Refused) and (answer.status, answer.reason) == (403, reason)
    # Others go on betting meanwhile: it holds for its round.
    assert isinstance(floor.client("Kim").give(id, {"type": "take-seat", "box": 2}), Done)
    done = floor.client("Lee").decide(waiting.approval)
    assert isinstance(done, Done)
    assert [record.event["type"] for record in done.events] == ["bet-placed"]
    assert (done.events[0].event["by"], done.events[0].event["player"]) == (by, "Lee")
    with floor.store.read() as reader:
        command = reader.commands(id)[-1]
    assert '"second":{"name":"Lee","role":"player"}' in command.body and command.actor == by


def test_or_for_a_second_employee_who_heard_it(floor: RunningFloor) -> None:
    id = bets_open(floor)
    waiting = bet_for(floor, id)
    assert isinstance(waiting, Waiting)
    done = floor.client("Sue").decide(waiting.approval)
    assert isinstance(done, Done) and done.events[0].event["player"] == "Lee"


def test_a_player_who_says_no_has_not_bet(floor: RunningFloor) -> None:
    id = bets_open(floor)
    waiting = bet_for(floor, id)
    assert isinstance(waiting, Waiting)
    before = floor.client("Lee").account()
    assert isinstance(floor.client("Lee").decide(waiting.approval, "decline"), Done)
    late = floor.client("Sue").decide(waiting.approval)
    assert isinstance(late, Refused) and late.reason == "approval-over"
    assert floor.client("Lee").account() == before


def test_nobody_bets_the_money_of_a_manager_who_is_not_there(floor: RunningFloor) -> None:
    """As it was done: a dealer seated a manager and bet 2,000 of his money."""
    id = bets_open(floor)
    floor.client("Cas").buy_in("Rob", 500_000)
    seat = {"type": "take-seat", "box": 5, "player": "Rob"}
    floor.client("Dan").give(id, seat, Role.DEALER, expected=floor.version(id))
    waiting = bet_for(floor, id, "Rob", box=5, amount=200_000)
    assert isinstance(waiting, Waiting)
    close = floor.client("Dan").give(id, {"type": "close-bets"}, Role.DEALER, expected=floor.version(id))
    assert isinstance(close, Done)
    asked = f"/approvals/{waiting.approval}"
    wait_until(lambda: floor.client("Rob").http.get(asked).json().get("decision") == "expired")  # nobody is asked now
    late = floor.client("Rob").decide(waiting.approval)
    assert isinstance(late, Refused) and late.reason == "approval-over"


def test_what_else_is_done_with_a_players_money_waits_too(floor: RunningFloor) -> None:
    id = bets_open(floor)
    own = {"type": "place-bet", "round": 1, "box": 1, "area": "banker", "amount": 10_000}
    assert isinstance(floor.client("Lee").give(id, own), Done)
    spot = {"round": 1, "box": 1, "area": "banker", "player": "Lee"}
    for kind, fields in (("withdraw-bet", {}), ("reduce-bet", {"amount": 5_000})):
        command = {"type": kind, **spot, **fields}
        answer = floor.client("Dan").give(id, command, Role.DEALER, expected=floor.version(id))
        assert isinstance(answer, Waiting), answer
    stream = floor.client("Lee").stream(id)
    assert not isinstance(stream, Refused)
    with stream:
        assert stream.next(60)["type"] == "snapshot", "from here on everything is told"
        told = bet_for(floor, id, area="tie")
        while (frame := stream.next(60))["type"] != "approval":
            pass
        assert frame["approval"] == told.approval, "whose word it is hears of it"


def test_every_command_with_a_players_money_is_in_the_list() -> None:
    """Whoever adds a command that staff give for a player says whether it takes the player's word."""
    for_players = {kind for kind, verb in VERBS.items() if verb.names_player}
    free = {TakeSeat, LeaveSeat, WalkAway, ComeBack, GiveUpAnte}
    assert for_players - free == set(FOR_ANOTHER) - {GiveUpAnte}


def test_what_has_expired_does_not_come_back_with_the_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where nobody looked in between but whoever came too late."""
    now = 10**12
    monkeypatch.setattr(AppState, "now", lambda _: now)
    monkeypatch.setattr(ApprovalDesk, "keep_running", lambda _: asyncio.Event().wait())
    with running_floor(str(tmp_path / "house.db")) as floor:
        id, mia = floor.new_table("commission", authority=TWO), floor.client("Mia")
        waiting = asked(floor, id)
        hours = 5 * 3_600_000
        now += hours
        mia = floor.fresh_client("Mia")
        late = mia.decide(waiting.approval)
        now -= hours
        again = mia.decide(waiting.approval)
        for answer in (late, again):
            assert isinstance(answer, Refused) and (answer.status, answer.reason) == (409, "approval-over")
        assert floor.version(id) == 1
