"""`punto odds` as programs see it: the shape of the JSON, and its figures."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from punto.books import NAMES
from tests.cli.called import answer

SIDE_BETS = str(Path(__file__).parents[2] / "docs/examples/side-bets.toml")


def odds(*arguments: str) -> Any:
    return answer("odds", *arguments, "--json").json


def composition(folder: Path, counts: dict[str, int]) -> str:
    file = folder / "composition.json"
    file.write_text(json.dumps(counts))
    return str(file)


@pytest.mark.parametrize("name", NAMES)
def test_the_shape_of_the_answer(name: str) -> None:
    found = odds(name)
    parts = {"insurance": ["insurance"], "knockout": ["ante"]}.get(name, [])
    assert list(found) == ["book", "digest", "decks", "cards", "total", "bets", *parts]
    assert (found["book"], found["decks"], found["cards"]) == (name, 8, 416)
    assert found["total"] == "4998398275503360"
    for bet in found["bets"]:
        assert list(bet) == ["bet", "ev", "edge", "sd", "win", "push", "lose"]
        assert float(Fraction(bet["ev"])) == -bet["edge"]
        assert bet["win"] + bet["push"] + bet["lose"] == pytest.approx(1, abs=1e-15)


def test_exact_expectations() -> None:
    found = {bet["bet"]: bet["ev"] for bet in odds("commission")["bets"]}
    assert Fraction(found["player"]) == Fraction(2_230_518_282_592_256 - 2_292_252_566_437_888, 4_998_398_275_503_360)
    assert found["player-pair"] == "-43/415"


def test_insurance_rows() -> None:
    rows = odds("insurance")["insurance"]
    assert list(rows[0]) == ["window", "hand", "player_points", "banker_points", "odds", "reach", "ev"]
    by_cell = {(r["window"], r["hand"], r["player_points"], r["banker_points"]): r for r in rows}
    assert len(by_cell) == len(rows)
    row = by_cell["after-four-cards", "banker", 5, 6]
    assert row["odds"] == "3:1"
    assert f"{float(Fraction(row['ev'])):+.6f}" == "+0.084397"
    assert by_cell["after-players-third-card", "banker", 3, 4]["odds"] == "3:2"
    assert ("after-four-cards", "banker", 5, 5) not in by_cell
    assert all(0 < Fraction(r["reach"]) < 1 for r in rows)


def test_offers_that_cannot_be_reached_are_left_out(tmp_path: Path) -> None:
    found = odds("insurance", "--composition", composition(tmp_path, {"K": 20, "5": 10}))
    assert {(row["player_points"], row["banker_points"]) for row in found["insurance"]} == {(0, 5), (5, 0)}


def test_ante_rows() -> None:
    rows = odds("knockout")["ante"]
    assert [(row["side"], row["first"]) for row in rows] == [
        (side, first) for side in ("player", "banker") for first in range(10)
    ]
    assert all(list(row) == ["side", "first", "play", "best"] for row in rows)
    assert {row["best"] for row in rows} == {"play"}


def test_antes_that_are_better_given_up(tmp_path: Path) -> None:
    rows = odds("knockout", "--composition", composition(tmp_path, {"9": 1, "K": 9}))["ante"]
    assert {(row["side"], row["first"]): (row["play"], row["best"]) for row in rows}["banker", 9] == ("-3/1", "give-up")


def test_decks() -> None:
    found = odds("ez", "--decks", "6")
    assert (found["decks"], found["cards"], found["total"]) == (6, 312, "878869206895680")


def test_a_composition_by_rank_or_by_card(tmp_path: Path) -> None:
    by_rank = dict.fromkeys(("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"), 32)
    by_card = {f"{rank}{suit}": 8 for rank in by_rank for suit in "SHDC"}
    full = odds("easy-six")
    for counts in (by_rank, by_card):
        found = odds("easy-six", "--composition", composition(tmp_path, counts))
        assert found["decks"] is None
        assert {**found, "decks": 8} == full


def test_absent_ranks_are_none_and_seen_cards_are_taken_out(tmp_path: Path) -> None:
    file = composition(tmp_path, {"A": 8, "9": 4})
    assert odds("ez", "--composition", file)["cards"] == 12
    assert odds("ez", "--composition", file, "--seen", "AS 9h, 9c")["cards"] == 9
    assert odds("ez", "--seen", "AS AS AS")["cards"] == 413


def test_a_shoe_beyond_64_bits_keeps_every_digit(tmp_path: Path) -> None:
    found = odds("ez", "--composition", composition(tmp_path, {"A": 10**9, "K": 10**9, "7": 10**9}))
    n = 3 * 10**9
    assert found["total"] == str(n * (n - 1) * (n - 2) * (n - 3) * (n - 4) * (n - 5))


def test_a_users_own_book_that_mixes_pairs_and_totals() -> None:
    found = {bet["bet"]: bet for bet in odds(SIDE_BETS, "--decks", "8")["bets"]}
    assert len(found) > 20
    assert all(Fraction(bet["ev"]) < 0 for bet in found.values())


@pytest.mark.parametrize("name", [*NAMES, SIDE_BETS])
def test_people_get_a_table(name: str) -> None:
    text = answer("odds", name).out
    assert "House edge" in text
    assert "44.6247 %" in text


def test_a_few_shoes_wait_for_no_kernel() -> None:
    """Neither NumPy nor Numba is loaded, so nothing is compiled."""
    script = (
        "import sys; from punto.cli.main import run; status = run(['odds', 'insurance', '--json']);"
        "sys.exit(status or any(name in sys.modules for name in ('numpy', 'numba', 'rich')))"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=False).returncode == 0
