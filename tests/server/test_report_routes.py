"""Reports of the house over HTTP: counted in the count room, for those who may see them; and closing a day."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from punto.audit.house_report import ReportKind
from punto.rules.authority import Role
from tests.server.running_floor import RunningFloor
from tests.server.test_endpoint_roles import PERSON

READERS = {Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.AUDITOR}
BESIDE = {ReportKind.CASHIER: {Role.CASHIER}}
BESIDE |= {kind: {Role.ADMINISTRATOR} for kind in (ReportKind.STAFF, ReportKind.ALTERATIONS)}


@pytest.mark.gli("2.9.1")
@pytest.mark.parametrize("kind", ReportKind)
def test_who_may_see_which_report(floor: RunningFloor, kind: ReportKind) -> None:
    for role, name in PERSON.items():
        answer = floor.client(name).http.get(f"/reports/{kind.value}")
        if role in READERS | BESIDE.get(kind, set()):
            assert answer.status_code == 200, answer.text
            assert {"kind", "from", "to", "made", "rows", "totals", "operator", "version"} <= answer.json().keys()
            assert answer.json()["kind"] == kind.value
        else:
            assert (answer.status_code, answer.json()["refusal"]["reason"]) == (403, "role-needed")


def test_a_report_over_http_has_minor_units(floor: RunningFloor) -> None:
    table, dan = floor.new_table(burn="none"), floor.client("Dan")
    floor.client("Cas").buy_in("Lee", 1_000_000)
    floor.client("Lee").give(table, {"type": "take-seat", "box": 1})
    for kind in ("load-shoe", "call-bets"):
        dan.give(table, {"type": kind}, Role.DEALER, expected=floor.version(table))
    bet = {"type": "place-bet", "round": 1, "box": 1, "area": "banker", "amount": 10_000}
    floor.client("Lee").give(table, bet)
    report = asked(floor, "floor", table=table)
    [row] = report["rows"]
    assert (row["table"], row["in_play"], row["handle"], row["drop"]) == (table, 10_000, 0, 10_000)
    assert asked(floor, "player")["totals"]["liability"] == asked(floor, "floor")["totals"]["liability"] > 0


def asked(floor: RunningFloor, kind: str, **query: Any) -> Any:
    answer = floor.client("Aud").http.get(f"/reports/{kind}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize(
    ("query", "status", "reason"),
    [
        ({"day": "yesterday"}, 400, "malformed"),
        ({"day": "2026-02-30"}, 409, "wrong-span"),
        ({"table": "t999"}, 404, "no-table"),
        ({"from": 5, "to": 4}, 409, "wrong-span"),
        ({"rounds": "1-2"}, 409, "wrong-span"),
    ],
)
def test_what_is_refused(floor: RunningFloor, query: dict[str, Any], status: int, reason: str) -> None:
    answer = floor.client("Aud").http.get("/reports/floor", params=query)
    assert (answer.status_code, answer.json()["refusal"]["reason"]) == (status, reason)


def test_a_kind_that_there_is_not(floor: RunningFloor) -> None:
    assert floor.client("Aud").http.get("/reports/money").status_code == 404


def test_a_day_is_closed_over_http(floor: RunningFloor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    settings = msgspec.structs.replace(floor.app_state.settings, days=str(tmp_path))
    monkeypatch.setattr(floor.app_state, "settings", settings)
    for name in ("Mia", "Cas", "Aud"):
        assert floor.client(name).http.post("/house/close-day", json={}).status_code == 403
    rob = floor.client("Rob").http
    answer = rob.post("/house/close-day", json={"day": "2026-01-31"})
    assert answer.status_code == 200, answer.text
    assert answer.json()["closed_by"] == "Rob" and (tmp_path / "2026-01-31" / "floor.html").exists()
    again = rob.post("/house/close-day", json={"day": "2026-01-31"})
    assert (again.status_code, again.json()["refusal"]["reason"]) == (409, "day-closed")
    late = rob.post("/house/close-day", json={"day": "2999-01-31"})
    assert (late.status_code, late.json()["refusal"]["reason"]) == (409, "day-not-over")
    [fixed] = asked(floor, "floor", day="2026-01-31")["fixed"]
    assert fixed["is_same"] is True
