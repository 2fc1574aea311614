from __future__ import annotations

import json
from pathlib import Path

import pytest

from punto.books import load
from punto.reports.formats import FORMATS
from punto.rules.book import digest_of
from tests.cli.called import answer, refusal


@pytest.mark.slow
@pytest.mark.usefixtures("_sheets_once")
@pytest.mark.parametrize("ending", FORMATS)
def test_a_sheet_of_every_kind(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"sheet{ending}"
    said = answer("report", "ez", "--decks", "6", "--shoes", "10", "-o", str(file)).out
    assert said.startswith(f"{file}: PAR sheet of EZ Baccarat, 6 decks, ")
    assert file.stat().st_size > 1000
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


@pytest.mark.slow
@pytest.mark.usefixtures("_sheets_once")
def test_what_was_written_for_programs(tmp_path: Path) -> None:
    file = tmp_path / "SHEET.JSON"
    found = answer("report", "commission", "--shoes", "0", "-o", str(file), "--json").json
    assert found == {
        "book": "commission",
        "digest": digest_of(load("commission")),
        "decks": 8,
        "file": str(file),
        "bytes": file.stat().st_size,
    }
    assert json.loads(file.read_text())["book"] == "commission"


@pytest.mark.parametrize("name", ["sheet.txt", "sheet", "sheet.html.gz", ".pdf"])
def test_an_ending_that_we_do_not_write(tmp_path: Path, name: str) -> None:
    assert "its name must end in .html, .pdf, .csv, .parquet or .json" in refusal(
        "report", "ez", "-o", str(tmp_path / name)
    )
    assert list(tmp_path.iterdir()) == []


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    assert "cannot be written: No such file or directory" in refusal(
        "report", "ez", "-o", str(tmp_path / "none" / "sheet.html")
    )
    folder = tmp_path / "folder.pdf"
    folder.mkdir()
    assert "is a folder" in refusal("report", "ez", "-o", str(folder))


def test_nothing_is_written_when_the_game_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "sheet.html"
    assert "not played with 3 decks" in refusal("report", "ez", "--decks", "3", "-o", str(file))
    assert "there is no book" in refusal("report", "nobody", "-o", str(file))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_what_is_signed_is_checked(tmp_path: Path) -> None:
    file = str(tmp_path / "sheet.json")
    assert "is not a date" in refusal("report", "ez", "-o", file, "--date", "15.11.2026")
    assert "give --max" in refusal("report", "ez", "-o", file, "--differential", "500")
    assert refusal("report", "ez", "-o", file, "--max", "-5")
    signed = ("--date", "2026-11-15", "--revision", "2", "--prepared-by", "P. Clerk", "--approved-by", "A. M.")
    answer("report", "ez", "--shoes", "0", "-o", file, "--max", "5000", *signed)
    found = json.loads(Path(file).read_text())
    assert [found[key] for key in ("date", "revision", "prepared_by", "approved_by")] == list(signed[1::2])
    exposure = [b for s in found["page"] for b in s["blocks"] if isinstance(b, dict)]
    [table] = [b for b in exposure if b.get("table") == "Greatest exposure"]
    # Banker's three-card seven: Dragon 7 at 40:1; or Player's three-card eight against an eight, and so on.
    assert ["Dragon 7", "5,000", "200,000"] in table["rows"]
