"""Reports and closed days from the command line: the shape that programs rely on, and every kind of file."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.cli.called import answer, refusal

pytestmark = pytest.mark.usefixtures("_played")
KINDS = ("floor", "table", "cashier", "player", "staff", "alterations")
BEGINNINGS = {".txt": b"Report", ".md": b"# Report", ".html": b"<!", ".pdf": b"%PDF", ".csv": b"sheet"}
ROUND = """\
Ann as dealer: load the shoe
Lee: sit 3
Ann as dealer: place your bets
Lee: bet 3 banker 100
Ann as dealer: no more bets
KS 3H 4D 3C
5H
Ann as dealer: settle
"""

MORE = """\
Tom: sit 4
Ann as dealer: place your bets
Tom: bet 4 player 30
Ann as dealer: no more bets
KS 3H 4D 3C
5H
Ann as dealer: settle
"""


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    for name in ("PUNTO_DATABASE", "PUNTO_KEY", "PUNTO_KEY_FILE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def _played(tmp_path: Path) -> None:
    answer("account", "new", "Lee")
    answer("account", "buy-in", "Lee", "1000")
    answer("table", "new", "t1", "commission", "bean-9", "source=entered", "burn=none")
    (tmp_path / "round.punto").write_text(ROUND)
    answer("table", "run", "t1", "round.punto")


@pytest.mark.gli("2.9.1")
@pytest.mark.parametrize("kind", KINDS)
def test_every_report_has_the_shape_that_programs_rely_on(kind: str) -> None:
    report = answer("house", "report", kind, "--json").json
    assert {"kind", "from", "to", "made", "rows", "totals"} <= report.keys()
    assert (report["kind"], report["from"]) == (kind, None) and report["made"] >= report["to"]
    given = answer("house", "report", kind, "--from", "5", "--to", "2026-01-01T00:00", "--json").json
    assert (given["from"], given["to"], given["is_active"]) == (5, 1767225600000, False)


@pytest.mark.gli("2.9.2")
def test_the_figures_of_a_round() -> None:
    report = answer("house", "report", "floor", "--json").json
    [row], totals = report["rows"], report["totals"]
    assert (row["table"], row["rounds"], row["handle"], row["drop"], row["win"]) == (
        "t1",
        1,
        "100.00",
        "100.00",
        "100.00",
    )
    assert (row["hold"], row["commission"], row["theoretical_win"]) == (1.0, "0.00", "1.06")
    assert (totals["free"], totals["held"], totals["liability"]) == ("900.00", "0.00", "900.00")
    [bet] = answer("house", "report", "table", "--table", "t1", "--json").json["rows"]
    assert (bet["area"], bet["decks"], bet["bets"]) == ("banker", 8, 1) and round(bet["edge"], 6) == 0.010579
    [player] = answer("house", "report", "player", "--json").json["rows"]
    assert (player["player"], player["average_bet"], player["net"]) == ("Lee", "100.00", "-100.00")
    [dealer] = answer("house", "report", "staff", "--json").json["rows"]
    assert (dealer["dealer"], dealer["table"], dealer["rounds"]) == ("Ann", "t1", 1)
    [cashier] = answer("house", "report", "cashier", "--json").json["rows"]
    assert (cashier["buy_ins"], cashier["cash_outs"], cashier["drawer_change"]) == ("1000.00", "0.00", "1000.00")


@pytest.mark.gli("2.9.1")
@pytest.mark.parametrize("kind", KINDS)
def test_a_report_as_every_kind_of_file(kind: str, tmp_path: Path) -> None:
    for ending, begins in BEGINNINGS.items():
        told = answer("house", "report", kind, "-o", f"{kind}{ending}", "--json").json
        content = (tmp_path / f"{kind}{ending}").read_bytes()
        assert content.startswith(begins) and told == {"kind": kind, "file": f"{kind}{ending}", "bytes": len(content)}
    answer("house", "report", kind, "-o", "r.json")
    assert json.loads((tmp_path / "r.json").read_bytes())["kind"] == kind
    answer("house", "report", kind, "-o", "r.xlsx")
    with ZipFile(tmp_path / "r.xlsx") as book:
        assert "xl/workbook.xml" in book.namelist()
    sheets = list(csv.reader(io.StringIO((tmp_path / f"{kind}.csv").read_text())))
    assert ["report", "activity", "There was no activity." if kind == "alterations" else "yes"] in sheets


@pytest.mark.gli("A.2.5")
def test_bots_and_test_accounts_stand_apart(tmp_path: Path) -> None:
    answer("account", "new", "Tom", "--test")
    answer("account", "buy-in", "Tom", "500")
    (tmp_path / "more.punto").write_text(MORE)
    answer("table", "run", "t1", "more.punto")
    report = answer("house", "report", "floor", "--json").json
    assert (report["totals"]["handle"], report["totals"]["liability"]) == ("100.00", "900.00")
    assert [(row["accounts"], row["handle"]) for row in report["apart"]] == [("test", "30.00")]
    [cashier] = answer("house", "report", "cashier", "--json").json["apart"]
    assert (cashier["accounts"], cashier["buy_ins"]) == ("test", "500.00")


def test_an_alteration_says_who_and_why() -> None:
    answer("house", "rules", "operator=Casino Punto", "--reason", "a new name")
    report = answer("house", "report", "alterations", "--json").json
    [row] = report["rows"]
    assert (row["what"], row["reason"], row["before"]) == ("rules-changed", "a new name", None)
    assert row["after"] == {"operator": '"Casino Punto"'} and report["operator"] == "Casino Punto"


def test_a_day_is_closed_and_its_reports_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    early = refusal("house", "close-day", "--day", "2026-01-31", "-o", "days")
    assert "gaming day 2026-01-31 was over before this house began; its first day, 20" in early
    assert not (tmp_path / "days").exists()
    monkeypatch.setattr("punto.floor.gaming_day.house_began", lambda _: 0)  # the house is old
    closed = answer("house", "close-day", "--day", "2026-01-31", "-o", "days", "--json").json
    assert closed["day"] == "2026-01-31" and (tmp_path / "days/2026-01-31/SHA256SUMS").exists()
    assert "was closed already, by" in refusal("house", "close-day", "--day", "2026-01-31")
    [fixed] = answer("house", "report", "floor", "--day", "2026-01-31", "--json").json["fixed"]
    assert fixed["is_same"] is True
    assert answer("audit", "verify", "--anchor", "days/2026-01-31/anchor.json", "--json").json["ok"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("report", "money"), "'money' is not a report; reports are floor, table, cashier, player, staff, alterations"),
        (("report", "floor", "--day", "yesterday"), "--day is such as 2026-11-17"),
        (("report", "floor", "--day", "2026-02-30"), "there is no day 2026-02-30"),
        (("report", "floor", "--table", "t9"), "there is no table t9"),
        (("report", "floor", "--rounds", "1-2", "--table", "t1"), "table t1 has not had all of these rounds"),
        (("report", "cashier", "--table", "t1"), "the report of the cashier is not of one table"),
        (("report", "floor", "-o", "x.doc"), ".xlsx"),
        (("close-day", "--day", "2099-01-01"), "gaming day 2099-01-01 is not over yet"),
        (("close-day", "--day", "soon"), "there is no day soon"),
    ],
)
def test_what_is_refused(arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in refusal("house", *arguments)
