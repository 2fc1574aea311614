"""Reports of the house over HTTP: counted in the count room, for those who may see them; and closing a day."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from punto.audit.house_report import HouseReport, ReportKind
from punto.audit.house_report_layout import LAYOUTS
from punto.rules.authority import Role
from punto.words import ENGLISH, phrases
from tests.server.running_floor import RunningFloor
from tests.server.test_endpoint_roles import PERSON

READERS = {Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.AUDITOR}
BESIDE = {ReportKind.CASHIER: {Role.CASHIER}}
BESIDE |= {kind: {Role.ADMINISTRATOR} for kind in (ReportKind.STAFF, ReportKind.ALTERATIONS)}


ENDS = {"csv": b"sheet", "json": b"{", "html": b"<!doctype html>", "txt": b"Floor", "xlsx": b"PK", "pdf": b"%PDF"}


@pytest.mark.gli("2.8.1")
@pytest.mark.parametrize("format", ENDS)
def test_a_report_as_a_file(floor: RunningFloor, format: str) -> None:
    asked = {"format": format, "day": "2026-01-31"}
    answer = floor.client("Aud").http.get("/reports/floor/file", params=asked)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"] == f'attachment; filename="floor-2026-01-31.{format}"'
    assert answer.content.strip()[: len(ENDS[format])].lower() == ENDS[format].lower() or format == "txt"
    assert floor.client("Cas").http.get("/reports/floor/file").status_code == 403
    assert floor.client("Cas").http.get("/reports/cashier/file").status_code == 200
    assert floor.client("Aud").http.get("/reports/floor/file", params={"format": "exe"}).status_code == 400


def test_everybody_is_told_the_reports_that_they_may_see(floor: RunningFloor) -> None:
    for role, name in PERSON.items():
        answer = floor.client(name).http.get("/reports")
        kinds = [kind.value for kind in ReportKind if role in READERS | BESIDE.get(kind, set())]
        if not kinds:
            assert answer.status_code == 403
            continue
        told = answer.json()
        assert [each["kind"] for each in told["reports"]] == kinds
        assert told["is_closer"] is (role in (Role.SHIFT_MANAGER, Role.ADMINISTRATOR))
        assert {"csv", "json", "pdf", "xlsx"} <= set(told["formats"])


@pytest.mark.parametrize("kind", ReportKind)
def test_every_column_of_a_layout_is_in_the_report_and_has_words(kind: ReportKind) -> None:
    layout = LAYOUTS[kind]
    report = next(each for each in get_args(HouseReport) if each.__struct_config__.tag == kind.value)
    types = get_type_hints(report)
    words = phrases(ENGLISH, "reports.json")
    rows = {field.encode_name for field in msgspec.structs.fields(get_args(types["rows"])[0])}
    totals = {field.encode_name for field in msgspec.structs.fields(types["totals"])}
    assert {column.field for column in layout.columns} <= rows
    assert {column.field for column in layout.totals} <= totals
    for part, columns in (("columns", layout.columns), ("totals", layout.totals), ("columns", layout.apart)):
        assert [column.field for column in columns if f"{part}.{column.field}" not in words] == []
    for chart in layout.charts:
        assert f"charts.{chart.name}" in words
        fields = {chart.by, chart.value, chart.mark, chart.least, chart.greatest, chart.apart} - {None}
        assert chart.value in totals if chart.of_totals else fields <= rows


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
    with pytest.MonkeyPatch.context() as young:
        young.setattr("punto.floor.gaming_day.house_began", lambda _: floor.app_state.now())
        early = rob.post("/house/close-day", json={"day": "2026-01-31"})
    assert (early.status_code, early.json()["refusal"]["reason"]) == (409, "day-before-house")
    answer = rob.post("/house/close-day", json={"day": "2026-01-31"})
    assert answer.status_code == 200, answer.text
    assert answer.json()["closed_by"] == "Rob" and (tmp_path / "2026-01-31" / "floor.html").exists()
    again = rob.post("/house/close-day", json={"day": "2026-01-31"})
    assert (again.status_code, again.json()["refusal"]["reason"]) == (409, "day-closed")
    late = rob.post("/house/close-day", json={"day": "2999-01-31"})
    assert (late.status_code, late.json()["refusal"]["reason"]) == (409, "day-not-over")
    [fixed] = asked(floor, "floor", day="2026-01-31")["fixed"]
    assert fixed["is_same"] is True
    check_kept(floor, tmp_path)


def check_kept(floor: RunningFloor, folder: Path) -> None:
    """What is told of the day afterwards, to whom, and its files."""
    rob, ada, aud = (floor.client(name).http for name in ("Rob", "Ada", "Aud"))
    told = rob.get("/house/days", params={"day": "2026-01-31"}).json()
    assert told["next"]["refusal"]["reason"] == "day-closed" and told["days"][0]["totals"]["rounds"] == 0
    assert rob.get("/house/days", params={"day": "2999-01-31"}).json()["next"]["refusal"]["reason"] == "day-not-over"
    assert rob.get("/house/days").json()["next"]["refusal"] is None
    assert rob.get("/house/days", params={"day": "2026-02-30"}).status_code == 409
    [kept] = ada.get("/house/days").json()["days"]
    assert kept["totals"] is None and {name.partition(".")[0] for name in kept["files"]} == {
        *("staff", "alterations", "anchor", "SHA256SUMS")
    }
    path = "/house/days/2026-01-31"
    assert aud.get(f"{path}/floor.csv").content == (folder / "2026-01-31/floor.csv").read_bytes()
    assert rob.get(f"{path}/SHA256SUMS").status_code == ada.get(f"{path}/staff.html").status_code == 200
    for http, file in ((ada, "floor.csv"), (aud, "..%2F2026-01-31%2Ffloor.csv"), (aud, "house.db"), (aud, "passwd")):
        assert http.get(f"{path}/{file}").status_code == 404
    assert floor.client("Cas").http.get("/house/days").status_code == 403
    (folder / "2026-01-31/floor.csv").write_text("another")
    changed = aud.get(f"{path}/floor.csv")
    assert (changed.status_code, changed.json()["refusal"]["reason"]) == (404, "day-file-changed")
    (folder / "2026-01-31/floor.csv").unlink()
    assert aud.get(f"{path}/floor.csv").json()["refusal"]["reason"] == "day-file-gone"
