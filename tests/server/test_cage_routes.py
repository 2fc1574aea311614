"""The cage over HTTP: racks with a second person, shifts, and receipts that only the right people see."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.running_floor import RunningFloor

CHIPS = [{"value": 10_000, "count": 20}, {"value": 500, "count": 40}]


def agree(floor: RunningFloor, name: str, waits: Any) -> int:
    assert waits.status_code == 202, waits.json()
    answer = floor.client(name).http.post(f"/approvals/{waits.json()['approval']}", json={"decision": "approve"})
    return int(answer.status_code)


@pytest.mark.gli("NJ 13:69D-1.21")
def test_a_rack_over_http_takes_two_people(floor: RunningFloor) -> None:
    table, dan, cas = floor.new_table(), floor.client("Dan").http, floor.client("Cas").http
    path = f"/tables/{table}/rack"
    missing = dan.get(path)
    assert (missing.status_code, missing.json()["refusal"]["reason"]) == (404, "no-rack")
    opening = {"key": "k1", "kind": "open", "chips": CHIPS}
    waits = dan.post(path, json=opening)
    assert waits.json()["needs"] == "pit-supervisor"
    assert dan.get(path).status_code == 404, "nothing is done before somebody agrees"
    assert agree(floor, "Dan", waits) != 200
    assert agree(floor, "Cas", waits) != 200
    assert agree(floor, "Sue", waits) == 200
    assert dan.post(path, json=opening).json() == waits.json(), "the same key has the same answer"
    fill = cas.post(path, json={"key": "k2", "kind": "fill", "chips": CHIPS[:1]})
    assert fill.json()["needs"] == "dealer"
    assert agree(floor, "Dan", fill) == 200
    rack = floor.client("Aud").http.get(path).json()
    assert (rack["opener"], rack["fills"], rack["win"], rack["expected"]) == (220_000, 200_000, 0, 420_000)
    people = [(slip["by"]["name"], slip["second"]["name"]) for slip in rack["slips"]]
    assert people == [("Dan", "Sue"), ("Cas", "Dan")]
    again = dan.post(path, json={"key": "k3", "kind": "open", "chips": CHIPS})
    assert (again.status_code, again.json()["refusal"]["reason"]) == (409, "rack-open")
    wrong = dan.post(path, json={"key": "k4", "kind": "count", "chips": [*CHIPS, CHIPS[0]]})
    assert (wrong.status_code, wrong.json()["refusal"]["reason"]) == (409, "wrong-chips")
    assert floor.client("Lee").http.get(path).status_code == 403
    assert floor.client("Lee").http.post(path, json=opening).status_code == 403
    borrowed = cas.post(path, json={"key": "k5", "kind": "count", "chips": CHIPS, "role": "pit-manager"})
    assert (borrowed.status_code, borrowed.json()["refusal"]["reason"]) == (409, "two-people")


@pytest.mark.gli("MICS")
def test_a_shift_and_its_receipts_over_http(floor: RunningFloor) -> None:
    cas = floor.client("Cas").http
    assert cas.get("/cashier/shift").status_code == 404
    opened = cas.post("/cashier/shift/open", json={"chips": CHIPS})
    assert (opened.status_code, opened.json()["opened"]) == (201, 220_000)
    moved = cas.post("/cashier/buy-in", json={"key": "b1", "account": "Lee", "amount": 5_000}).json()
    again = cas.post("/cashier/buy-in", json={"key": "b1", "account": "Lee", "amount": 5_000}).json()
    assert again == moved and moved["receipt"] > 0
    receipt = cas.get(f"/receipts/{moved['receipt']}").json()
    assert (receipt["account"], receipt["amount"], receipt["by"]) == ("Lee", 5_000, "Cas")
    assert receipt["shift"] == opened.json()["number"]
    assert floor.client("Lee").http.get(f"/receipts/{moved['receipt']}").json() == receipt
    for name, number in (("Kim", moved["receipt"]), ("Cas", 10**9), ("Cas", "x")):
        missing = floor.client(name).http.get(f"/receipts/{number}")
        assert missing.status_code == 404, "others' receipts look like none"
        assert missing.json()["refusal"]["sentence"] == f"there is no receipt {number}"
    closed = cas.post("/cashier/shift/close", json={"chips": [{"value": 500, "count": 450}]}).json()
    assert (closed["expected"], closed["difference"]) == (225_000, 0)
    assert floor.client("Aud").http.get("/cashier/shifts/Cas").json() == cas.get("/cashier/shift").json() == closed
    assert floor.client("Lee").http.get("/cashier/shift").status_code == 403
    assert cas.post("/cashier/shift/close", json={"chips": []}).json()["refusal"]["reason"] == "no-shift"


def test_a_cashier_finds_players_by_a_part_of_their_name(floor: RunningFloor) -> None:
    people = {"Anna_B": "Anna 100%", "Hanna": None, "Tom": "Big Anna", "Annabel": None}
    for name, display in people.items():
        roles = ["player"] if name != "Annabel" else ["dealer"]
        body = {"name": name, "password": "a long password", "roles": roles, "display": display}
        assert floor.fresh_client("Ada").http.post("/people", json=body).status_code == 201
    cas = floor.client("Cas").http

    def found(text: str) -> list[str]:
        answer = cas.get("/cashier/accounts", params={"name": text})
        assert answer.status_code == 200, answer.text
        return [each["account"] for each in answer.json()["accounts"]]

    assert found("anna") == ["Anna_B", "Hanna", "Tom"], "a dealer does not play; who begins with it stands first"
    assert found("ANNA 100%") == found("a_b") == ["Anna_B"] and found("_") == ["Anna_B"], "signs stand for themselves"
    assert found("") == found("  ") == found("nobody") == []
    [tom] = cas.get("/cashier/accounts", params={"name": "tom"}).json()["accounts"]
    assert tom == {"account": "Tom", "display": "Big Anna", "currency": "USD", "kind": "player"}
    for name in ("Lee", "Dan", "Sue", "Mia", "Ada"):
        assert floor.client(name).http.get("/cashier/accounts", params={"name": "a"}).status_code == 403


def test_the_last_movements_of_the_desk(floor: RunningFloor) -> None:
    cas, before = floor.client("Cas").http, len(receipts(floor, limit=200))
    numbers = [
        cas.post(f"/cashier/{act}", json={"key": f"last-{act}", "account": "Kim", "amount": amount}).json()["receipt"]
        for act, amount in (("buy-in", 9_000), ("cash-out", 4_000))
    ]
    told = receipts(floor, limit=2)
    assert [each["number"] for each in told] == numbers[::-1]
    assert [(each["kind"], each["amount"], each["balance"]) for each in told] == [
        ("cash-out", -4_000, 5_000),
        ("buy-in", 9_000, 9_000),
    ]
    assert len(receipts(floor, limit=200)) == before + 2
    assert {each["account"] for each in receipts(floor, account="Kim")} == {"Kim"}
    assert cas.get("/cashier/receipts", params={"limit": 201}).status_code == 400
    for name in ("Lee", "Dan", "Ada"):
        assert floor.client(name).http.get("/cashier/receipts").status_code == 403


def receipts(floor: RunningFloor, **query: Any) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = floor.client("Aud").http.get("/cashier/receipts", params=query).json()["receipts"]
    return told


def test_large_cash_is_told_before_and_known_after(floor: RunningFloor) -> None:
    cas, ada = floor.client("Cas").http, floor.client("Ada").http
    asked: dict[str, str | int] = {"account": "Kim", "act": "buy-in", "amount": 30_000}
    assert ada.put("/house/rules", json={"rules": {"large_cash": 10**9}}).status_code == 200
    before = cas.get("/cashier/cash", params=asked).json()["total"] - 30_000  # other tests of the day
    assert ada.put("/house/rules", json={"rules": {"large_cash": before + 50_000}}).status_code == 200
    try:
        first = cas.get("/cashier/cash", params=asked).json()
        assert (first["total"], first["threshold"], first["why"]) == (before + 30_000, before + 50_000, None)
        body = {"account": "Kim", "amount": 30_000}
        assert cas.post("/cashier/buy-in", json={"key": "l1", **body}).status_code == 200
        second = cas.get("/cashier/cash", params=asked).json()
        assert (second["total"], second["why"]) == (before + 60_000, "day")
        refused = cas.post("/cashier/buy-in", json={"key": "l2", **body})
        assert (refused.status_code, refused.json()["refusal"]["reason"]) == (409, "large-cash")
        assert refused.json()["refusal"]["params"]["total"] == f"{(before + 60_000) // 100}.00"
        assert cas.post("/cashier/buy-in", json={"key": "l3", "is_large": True, **body}).status_code == 200
        [told] = floor.client("Aud").http.get("/audit/events", params={"code": "large-cash"}).json()["events"]
        assert (told["subject"], told["who"], told["after"]["total"]) == ("cash/Kim", "Cas", before + 60_000)
        large = floor.client("Aud").http.get("/reports/cashier").json()["large"]
        assert [(row["player"], row["total"], row["why"]) for row in large] == [("Kim", before + 60_000, "day")]
        assert cas.get("/cashier/cash", params={**asked, "account": "Nobody"}).status_code == 404
        assert {floor.client(who).http.get("/cashier/cash", params=asked).status_code for who in ("Lee", "Ada")} == {
            403
        }
    finally:
        ada.put("/house/rules", json={"rules": {"large_cash": None}})
