"""One digest of a book in every output: what `punto rules --digest` prints, and anybody can recompute."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import polars
import pytest

from tests.cli.called import answer, call

SHORT = ("--rounds", "200", "--seed", "1")
COMMANDS = {
    "odds": ("odds", "insurance"),
    "advise": ("advise", "insurance"),
    "insurance": ("insurance", "insurance", "--shoes", "0"),
    "count": ("count", "insurance", "--shoes", "0"),
    "check": ("check", "insurance"),
    "tune": ("tune", "insurance", "tie", "--edge", "14..15"),
    "deal": ("deal", "insurance", "--seed", "1", "--rounds", "2"),
    "settle": ("settle", "insurance", "--cards", "9S KH KD KC", "--bet", "player=10"),
    "simulate": ("simulate", "insurance", *SHORT),
    "strategy": ("simulate", "insurance", "--strategy", "flat", *SHORT),
}


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """Compile first: that it is done is said on stderr, which is to be empty."""
    for strategy in ((), ("--strategy", "flat")):
        assert call("simulate", "insurance", *SHORT, *strategy).status == 0


@pytest.fixture(scope="module")
def digest() -> str:
    """Recomputed from what `punto rules --json` prints."""
    document = answer("rules", "insurance", "--json").json
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    found = hashlib.sha256(text.encode()).hexdigest()
    assert answer("rules", "insurance", "--digest").out.strip() == found
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_json(name: str, digest: str) -> None:
    assert answer(*COMMANDS[name], "--json").json["digest"] == digest


@pytest.mark.slow
@pytest.mark.parametrize("strategy", [(), ("--strategy", "martingale")], ids=["bets", "strategy"])
def test_files_of_simulations(strategy: tuple[str, ...], digest: str, tmp_path: Path) -> None:
    for ending in (".json", ".csv", ".parquet", ".html"):
        file = tmp_path / f"run{ending}"
        answer("simulate", "insurance", *SHORT, "--rounds-per-shoe", "20", *strategy, "-o", str(file))
        if ending == ".parquet":
            assert set(polars.read_parquet(file)["digest"]) == {digest}
        else:
            assert digest in file.read_text()


@pytest.mark.slow
@pytest.mark.usefixtures("_sheets_once")
def test_files_of_a_par_sheet(digest: str, tmp_path: Path) -> None:
    for ending in (".json", ".csv", ".html"):
        file = tmp_path / f"sheet{ending}"
        assert answer("report", "insurance", "--shoes", "0", "-o", str(file), "--json").json["digest"] == digest
        assert digest in file.read_text()
