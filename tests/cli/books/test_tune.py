from __future__ import annotations

from pathlib import Path

import pytest

from punto.books import load
from tests.cli.called import answer, call, refusal

SIX = ("tune", "insurance", "super-six-plus")


def test_tables_for_people_and_for_programs() -> None:
    told = answer(*SIX, "--edge", "4%..8%", "--show", "3", "--json").json
    assert (told["book"], told["bet"], told["decks"]) == ("insurance", "super-six-plus", 8)
    assert told["candidates"] == 50 ** len(told["rows"])
    assert len(told["tables"]) == 3 <= told["found"]
    assert all(0.04 <= table["edge"] <= 0.08 for table in told["tables"])
    shown = answer(*SIX, "--edge", "4%..8%", "--show", "3").out
    assert f"{told['found']:,} of {told['candidates']:,} pay tables" in shown
    for table in told["tables"]:
        assert all(odds in shown for odds in table["odds"])


def test_rows_can_be_kept_and_odds_be_halves() -> None:
    kept = answer(*SIX, "--edge", "0..20", "--keep", "1=12", "--half", "--json").json
    assert kept["tables"]
    assert {table["odds"][0] for table in kept["tables"]} == {"12:1"}
    assert any(table["odds"][1].endswith(":2") for table in kept["tables"])


def test_the_best_table_is_written_as_a_book(tmp_path: Path) -> None:
    file = tmp_path / "tuned.toml"
    told = answer(*SIX, "--edge", "6", "--edge", "5..7", "--write", str(file), "--json").json
    best = told["tables"][0]
    (bet,) = (one for one in answer("odds", str(file), "--json").json["bets"] if one["bet"] == told["bet"])
    assert (bet["ev"], bet["edge"]) == (best["ev"], best["edge"])
    assert load(str(file)).name == "tuned"
    assert "is already there" in refusal(*SIX, "--edge", "5..7", "--write", str(file))


def test_nothing_is_written_where_nothing_is_found(tmp_path: Path) -> None:
    file = tmp_path / "tuned.toml"
    assert "nothing is written" in refusal(*SIX, "--edge", "99.9", "--write", str(file))
    assert not file.exists()
    assert "None of 2,500 pay tables" in answer(*SIX, "--edge", "99.9").out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--edge", "many"), "--edge takes a range in per cent"),
        (("--edge", "8%..4%"), "takes the lower end first"),
        (("--edge", "5", "--least", "0"), "--least takes odds"),
        (("--edge", "5", "--most", "1e9"), "--most takes odds"),
        (("--edge", "5", "--least", "9", "--most", "8"), "--least 9 is more than --most 8"),
        (("--edge", "5", "--keep", "9=1"), "the number of a row that wins: 1, 2"),
        (("--edge", "5", "--keep", "1=1.5"), "1.5 is not whole odds; give --half"),
        (("--edge", "5", "--by", "beauty"), "nearness, deviation or counting"),
        (("--edge", "5", "--write", "mine"), "ends in .toml"),
        (("--edge", "5", "--decks", "3"), "3"),
        ((), "--edge"),
    ],
)
def test_what_cannot_be_is_refused(options: tuple[str, ...], said: str) -> None:
    assert said in refusal(*SIX, *options)


@pytest.mark.parametrize("bet", ["nothing", "insurance-banker-4"])
def test_only_bets_before_the_deal_are_tuned(bet: str) -> None:
    assert f"has no bet {bet} that can be tuned" in refusal("tune", "insurance", bet, "--edge", "5")


def test_an_ante_is_not_tuned_alone() -> None:
    assert call("tune", "knockout", "ante-player", "--edge", "5").status == 2
