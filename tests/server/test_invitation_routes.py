"""Invitations over HTTP and as a sheet: from a code on paper to a guest who has logged in."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from punto.client import Client, Refused
from punto.floor.log_ins import FAILURES_OF_ADDRESS
from tests.cli.called import call
from tests.server.running_floor import RunningFloor, running_floor

GUEST = {"name": "Zoe", "password": "a long password", "display": "Zoe W."}


@pytest.mark.gli("2.5.2")
def test_a_guest_comes_in_with_a_code(floor: RunningFloor, caplog: pytest.LogCaptureFixture) -> None:
    ada = floor.client("Ada").http
    wanted = {"number": 2, "buy_in": 50_000, "hours": 24, "address": floor.url}
    answer = ada.post("/house/invitations", json=wanted)
    assert answer.status_code == 201
    first, second = answer.json()["invitations"]
    assert first["link"] == f"{floor.url}/join#{first['code']}"
    with Client(floor.url) as guest, caplog.at_level(logging.INFO, "punto.server"):
        weak = guest.http.post(f"/invitations/{first['code']}", json={**GUEST, "password": "short"})
        assert (weak.status_code, weak.json()["refusal"]["reason"]) == (409, "weak-password")
        joined = guest.http.post(f"/invitations/{first['code']}", json=GUEST)
        assert joined.status_code == 201
        assert joined.json() == {
            **{"account": "Zoe", "display": "Zoe W.", "currency": "USD"},
            **{"roles": ["player"], "free": 50_000},
        }
        again = guest.http.post(f"/invitations/{first['code']}", json={**GUEST, "name": "Yan"})
        assert (again.status_code, again.json()["refusal"]["reason"]) == (404, "no-invitation")
        assert not isinstance(guest.log_in("Zoe", GUEST["password"]), Refused)
        account = guest.account()
        assert not isinstance(account, Refused) and account.free == 50_000
        [line] = guest.http.get("/accounts/me/statement").json()["lines"]
        assert line["kind"] == "buy-in" and line["by"] == "Ada"
    logged = "\n".join(f"{record.getMessage()} {record.__dict__}" for record in caplog.records)
    assert "/invitations/{code}" in logged and first["code"] not in logged
    assert ada.delete(f"/house/invitations/{second['invitation']}").json()["state"] == "withdrawn"
    listed = ada.get("/house/invitations")
    states = {each["invitation"]: each["state"] for each in listed.json()["invitations"]}
    assert states == {first["invitation"]: "used", second["invitation"]: "withdrawn"}
    assert first["code"] not in listed.text and second["code"] not in listed.text


@pytest.mark.parametrize("name", ["Lee", "Dan", "Rob", "Cas", "Aud"])
def test_only_an_administrator_sees_and_makes_them(floor: RunningFloor, name: str) -> None:
    http = floor.client(name).http
    for answer in (http.get("/house/invitations"), http.post("/house/invitations", json={})):
        assert answer.status_code == 403


def test_guessing_locks_the_address_out(tmp_path: Path) -> None:
    with running_floor(str(tmp_path / "house.db")) as floor, Client(floor.url) as guest:
        code = floor.client("Ada").http.post("/house/invitations", json={}).json()["invitations"][0]["code"]
        for n in range(FAILURES_OF_ADDRESS):
            assert guest.http.post(f"/invitations/guess{n}", json=GUEST).status_code == 404
        locked = guest.http.post(f"/invitations/{code}", json=GUEST)
        assert locked.status_code == 429 and int(locked.headers["retry-after"]) > 0


def test_a_sheet_to_be_cut_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    typed = ("house", "invite", "3", "--buy-in", "500", "--address", "https://floor.example", "--database", "house.db")
    done = call(*typed, "-o", "guests.html", "--json")
    assert done.status == 0, done.err
    made = json.loads(done.out)["invitations"]
    assert [each["buy_in"] for each in made] == ["500.00"] * 3
    sheet = (tmp_path / "guests.html").read_text(encoding="utf-8")
    assert sheet.count("<figure") == 3 and sheet.count("<path") >= 3
    for each in made:
        assert each["code"] in sheet and each["link"] in sheet and "USD 500" in sheet
    assert call(*typed, "-o", "guests.pdf").status == 0
    assert (tmp_path / "guests.pdf").read_bytes().startswith(b"%PDF")
    assert call(*typed, "-o", "guests.doc").status == 2
    listed = call("house", "invitations", "--withdraw", made[0]["invitation"], "--database", "house.db", "--json")
    states = [each["state"] for each in json.loads(listed.out)["invitations"]]
    assert sorted(states) == [*["open"] * 5, "withdrawn"] and made[0]["code"] not in listed.out
