"""The pit over HTTP: the wall and its figures, alerts and who acknowledged them, and commands that are only tried."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from punto.rules.authority import PIT_ROLES, Role
from punto.table.terms import Offering
from tests.browser.croupier import Croupier
from tests.server.running_floor import RunningFloor
from tests.server.test_endpoint_roles import PERSON


def wall(floor: RunningFloor, name: str = "Sue") -> Any:
    answer = floor.client(name).http.get("/pit/tables")
    assert answer.status_code == 200, answer.text
    return answer.json()


def on_wall(floor: RunningFloor, table: str) -> Any:
    return next(one for one in wall(floor)["tables"] if one["table"] == table)


def alerts_at(floor: RunningFloor, table: str) -> dict[str, Any]:
    return {one["kind"]: one for one in wall(floor)["alerts"] if one["table"] == table}


def seated(croupier: Croupier, name: str, box: int, area: str, amount: int) -> None:
    floor = croupier.floor
    floor.client("Cas").buy_in(name, 10 * amount)
    number = croupier.shown().view["round"]
    croupier.give("take-seat", by=name, role=Role.PLAYER, box=box)
    croupier.give("place-bet", by=name, role=Role.PLAYER, box=box, area=area, amount=amount, round=number)


def tried(floor: RunningFloor, name: str, role: Role, table: str, command: dict[str, Any]) -> Any:
    body = {"role": role.value, "command": command}
    answer = floor.client(name).http.post(f"/pit/tables/{table}/effect", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("role", PERSON)
def test_the_pit_alone_sees_the_wall_and_tries_commands(floor: RunningFloor, role: Role) -> None:
    table, http = floor.new_table(), floor.client(PERSON[role]).http
    pause = {"role": role.value, "command": {"type": "pause-table"}}
    answers = [
        http.get("/pit/tables"),
        http.get(f"/pit/tables/{table}/terms"),
        http.get("/pit/books/ez/terms"),
        http.post(f"/pit/tables/{table}/effect", json=pause),
        http.post("/pit/alerts", json={"alert": "no-such/alert"}),
    ]
    if role in PIT_ROLES:
        assert [one.status_code for one in answers] == [200, 200, 200, 200, 404]
    else:
        assert {one.status_code for one in answers} == {403}
        assert {one.json()["refusal"]["reason"] for one in answers} == {"role-needed"}


def test_the_figures_of_the_wall_are_those_of_the_report(floor: RunningFloor) -> None:
    with floor.store.write() as transaction:
        transaction.mark_account("Max", "test", "Ada", floor.app_state.now())
    croupier = Croupier(floor, "insurance", differential=50_000)
    croupier.open_bets()
    seated(croupier, "Lee", 1, "banker", 30_000)
    seated(croupier, "Kim", 2, "player", 20_000)
    seen = on_wall(floor, croupier.table)
    assert (seen["phase"], seen["seated"], seen["staked"]) == ("betting", 2, 50_000)
    assert seen["players"] == ["Lee", "Kim"]
    assert (seen["largest"]["player"], seen["largest"]["stake"]) == ("Lee", 30_000)
    assert seen["differential"] == {"box": 1, "used": 30_000, "whole": 50_000, "percent": 60}
    assert "differential" not in alerts_at(floor, croupier.table)
    seated(croupier, "Max", 4, "player", 35_000)  # a test account: it is not counted
    croupier.deal("9H 2S KD 3C")
    croupier.finish()
    croupier.open_bets()
    again = {"box": 4, "area": "banker", "amount": 45_000, "round": 2}
    croupier.give("place-bet", by="Max", role=Role.PLAYER, **again)
    alert = alerts_at(floor, croupier.table)["differential"]
    assert alert["params"] == {"box": 4, "used": 45_000, "whole": 50_000}
    seen = on_wall(floor, croupier.table)
    report = floor.client("Aud").http.get("/reports/floor", params={"table": croupier.table}).json()["rows"][0]
    assert (seen["day"]["handle"], seen["day"]["win"]) == (report["handle"], report["win"]) == (50_000, 10_000)
    assert (seen["day"]["rounds"], seen["day"]["largest"]) == (1, 30_000)
    dealing = floor.client("Sue").http.get(f"/tables/{croupier.table}/dealing").json()
    assert seen["dealing"] == dealing and dealing["dealer"] == "Dan"


def test_alerts_come_and_are_acknowledged_on_record(floor: RunningFloor) -> None:
    croupier = Croupier(floor, "insurance")
    table = croupier.table
    croupier.open_bets()
    seated(croupier, "Lee", 1, "player", 10_000)
    croupier.deal("KS 9H")
    croupier.give("report", seen=["wrong-set"])
    floor.client("Dan").http.post(f"/tables/{table}/pit-calls", json={"reason": "a short deck"})
    found = alerts_at(floor, table)
    assert set(found) == {"pit-called", "case-open"}
    assert found["pit-called"]["params"] == {"who": "Dan", "reason": "a short deck"}
    assert found["case-open"]["params"] == {"finding": "wrong-set"}
    [call] = [one for one in wall(floor)["calls"] if one["table"] == table]
    assert (call["caller"], call["reason"]) == ("Dan", "a short deck")
    name = found["case-open"]["alert"]
    first = floor.client("Sue").http.post("/pit/alerts", json={"alert": name}).json()
    again = floor.client("Mia").http.post("/pit/alerts", json={"alert": name}).json()
    assert first["acknowledged"]["by"] == again["acknowledged"]["by"] == "Sue"
    assert alerts_at(floor, table)["case-open"]["acknowledged"] == first["acknowledged"]
    events = floor.client("Aud").http.get("/audit/events", params={"code": "alert-acknowledged", "table": table})
    [act] = events.json()["events"]
    assert (act["who"], act["subject"], act["after"]["kind"]) == ("Sue", f"alert/{name}", "case-open")
    assert (act["after"]["role"], act["table"]) == ("pit-supervisor", table)
    croupier.give("void-round", by="Sue", role=Role.PIT_SUPERVISOR, reason="counted twice")
    assert "case-open" not in alerts_at(floor, table)
    gone = floor.client("Sue").http.post("/pit/alerts", json={"alert": name})
    assert gone.status_code == 404
    assert floor.client("Rob").http.post("/audit/verify", json={}).json()["problems"] == []


def test_a_large_bet_is_an_alert_where_the_house_wants_to_know(floor: RunningFloor) -> None:
    changed = floor.client("Ada").http.put("/house/rules", json={"rules": {"large_stake": 40_000}, "reason": "tonight"})
    assert changed.status_code == 200, changed.text
    croupier = Croupier(floor, "commission")
    croupier.open_bets()
    seated(croupier, "Lee", 1, "banker", 40_000)
    alert = alerts_at(floor, croupier.table)["large-stake"]
    assert (alert["params"]["player"], alert["params"]["stake"]) == ("Lee", 40_000)
    acknowledged = floor.client("Mia").http.post("/pit/alerts", json={"alert": alert["alert"]}).json()
    assert acknowledged["acknowledged"]["by"] == "Mia"
    floor.client("Ada").http.put("/house/rules", json={"rules": {"large_stake": None}, "reason": "over"})


def test_a_change_of_terms_is_tried_before_it_is_made(floor: RunningFloor) -> None:
    table = floor.new_table("insurance")
    choices = floor.client("Sue").http.get(f"/pit/tables/{table}/terms").json()
    assert choices["differential"] and choices["insurance"] and choices["terms"]["behind_cut"] == 14
    before = floor.version(table)
    higher = {"type": "change-terms", "terms": choices["terms"] | {"minimum": 2_000, "decks": 6}}
    effect = tried(floor, "Sue", Role.PIT_SUPERVISOR, table, higher)
    assert {one["term"]: (one["before"], one["after"]) for one in effect["terms"]} == {
        "minimum": (1_000, 2_000),
        "decks": (8, 6),
    }
    assert (effect["refusal"], effect["second"], effect["needs_shoe"]) == (None, None, True)
    without = {"type": "change-terms", "terms": choices["terms"] | {"insurance": False}}
    effect = tried(floor, "Sue", Role.PIT_SUPERVISOR, table, without)
    assert effect["refusal"]["reason"] == "wrong-terms" and effect["refusal"]["params"]["term"] == "insurance"
    assert floor.version(table) == before


def test_a_decision_on_a_case_is_tried_before_it_is_made(floor: RunningFloor) -> None:
    croupier = Croupier(floor, "insurance", offering=Offering.DEALER)
    croupier.open_bets()
    seated(croupier, "Lee", 1, "player", 10_000)
    croupier.deal("KS 9H")
    croupier.give("report", cards=[{"card": card, "lies": "table", "together": True} for card in ("5H", "2C")])
    before = croupier.shown("Sue", Role.PIT_SUPERVISOR).version
    for order, second in (([3, 4], "5H"), ([4, 3], "2C")):
        effect = tried(floor, "Sue", Role.PIT_SUPERVISOR, croupier.table, {"type": "order-cards", "cards": order})
        assert effect["refusal"] is None, effect
        assert [one["card"] for one in effect["hands"]["player"]["cards"]] == ["KS", second]
        assert effect["case"]["awaits"] == "options"
    void = tried(floor, "Rob", Role.SHIFT_MANAGER, croupier.table, {"type": "void-round", "reason": "x"})
    assert void["refusal"] is not None or void["returned"] == [{"player": "Lee", "amount": 10_000}]
    assert croupier.shown("Sue", Role.PIT_SUPERVISOR).version == before
    body = {"role": "pit-supervisor", "command": {"type": "deal-card", "card": "2C"}}
    assert floor.client("Sue").http.post(f"/pit/tables/{croupier.table}/effect", json=body).status_code == 400


def test_what_waits_for_a_second_person_is_on_the_wall(floor: RunningFloor) -> None:
    authority = {"command": "close-table", "roles": ["pit-supervisor"], "second": "pit-manager"}
    table = floor.new_table("commission")
    choices = floor.client("Sue").http.get(f"/pit/tables/{table}/terms").json()
    terms = {"type": "change-terms", "terms": choices["terms"] | {"authority": [authority]}}
    floor.client("Sue").give(table, terms, Role.PIT_SUPERVISOR, expected=floor.version(table))
    effect = tried(floor, "Sue", Role.PIT_SUPERVISOR, table, {"type": "close-table"})
    assert (effect["second"], effect["refusal"], effect["phase"]) == ("pit-manager", None, "closed")
    floor.client("Sue").give(table, {"type": "close-table"}, Role.PIT_SUPERVISOR, expected=floor.version(table))
    mine, theirs = ([one for one in wall(floor, name)["approvals"] if one["table"] == table] for name in ("Sue", "Mia"))
    assert [one["yours"] for one in (*mine, *theirs)] == [False, True]


def test_a_running_table_says_which_bots_could_sit_there(floor: RunningFloor) -> None:
    table = floor.new_table("commission")
    running = floor.client("Sue").http.get(f"/tables/{table}/running").json()
    assert "Amber" in running["known"] and running["usual"]["bets"] > 0 and running["pace"] is None
    body = {"dealer": "automatic", "pace": running["usual"], "bots": ["Amber"]}
    changed = floor.client("Sue").http.put(f"/tables/{table}/running", json=body)
    assert changed.status_code == 200, changed.text
    assert on_wall(floor, table)["automatic"]


@pytest.mark.slow
def test_a_table_whose_shoe_came_twice_is_an_alert_until_somebody_has_seen_it(floor: RunningFloor) -> None:
    croupier = Croupier(floor, "commission", behind_cut=390)
    shoe = 0
    while shoe < 3:  # two shoes, each cut after 26 cards, with the same cards in the same order
        croupier.play("2S 4S 6S 5S")
        shoe = croupier.shown().view["shoe"]["number"]
    asyncio.run(floor.app_state.results.look())
    alert = alerts_at(floor, croupier.table)["results-differ"]
    assert alert["params"]["repeated"] == 1 and alert["params"]["tables"] == croupier.table
    seen = floor.client("Sue").http.post("/pit/alerts", json={"alert": alert["alert"]})
    assert seen.json()["acknowledged"]["by"] == "Sue"
    verified = floor.client("Aud").http.post("/audit/verify", json={}).json()
    assert verified["problems"] == []
