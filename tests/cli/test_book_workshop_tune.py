from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from punto.books import load
from tests.cli.called import answer, call, refusal

SIX = ("tune", "insurance", "super-six-plus")


def test_tables_for_people_and_for_programs() -> None:
    told = answer(*SIX, "--edge", "4%..8%", "--limit", "3", "--json").json
    assert (told["book"], told["bet"], told["decks"]) == ("insurance", "super-six-plus", 8)
    assert told["candidates"] == 50 ** len(told["rows"])
    assert len(told["tables"]) == 3 <= told["found"]
    assert all(0.04 <= table["edge"] <= 0.08 for table in told["tables"])
    shown = answer(*SIX, "--edge", "4%..8%", "--limit", "3").out
    assert f"{told['found']:,} of {told['candidates']:,} pay tables" in shown
    for table in told["tables"]:
        assert all(odds in shown for odds in table["odds"])


def test_rows_can_be_kept_and_odds_be_halves() -> None:
    kept = answer(*SIX, "--edge", "0..20", "--keep", "1=12", "--half", "--json").json
    assert kept["tables"]
    assert {table["odds"][0] for table in kept["tables"]} == {"12:1"}
    assert any(table["odds"][1].endswith(":2") for table in kept["tables"])


@pytest.mark.parametrize("kept", ["0.95", "0.95:1", "19:20"])
def test_a_row_with_commission_can_be_kept(kept: str) -> None:
    """The only row of Banker stays at 0.95 to 1, so that there is one table: the bet as it is."""
    told = answer("tune", "commission", "banker", "--edge", "0..2", "--keep", f"1={kept}", "--json").json
    assert (told["found"], told["candidates"]) == (1, 1)
    (bet,) = (one for one in answer("odds", "commission", "--json").json["bets"] if one["bet"] == "banker")
    assert (told["tables"][0]["ev"], told["tables"][0]["sd"]) == (bet["ev"], pytest.approx(bet["sd"]))
    assert told["tables"][0]["odds"] == ["19:20"]


def test_a_kept_row_between_others_gives_the_edges_of_a_count() -> None:
    told = answer(*SIX, "--edge", "0..30", "--keep", "1=11.75", "--json").json
    chances = [Fraction(row["chance"]) for row in told["rows"]]
    assert told["tables"]
    for table in told["tables"]:
        odds = [Fraction(*map(int, text.split(":"))) for text in table["odds"]]
        assert odds[0] == Fraction(47, 4)
        won = sum((chance * (one + 1) for chance, one in zip(chances, odds, strict=True)), Fraction(-1))
        assert Fraction(table["ev"]) == won


@pytest.mark.parametrize(
    ("book", "bet", "kept"),
    [
        ("ez", "dragon-7", "Panda 8 pays 25 to 1"),
        ("insurance", "super-six-plus", "Tie pays 8 to 1"),
        ("easy-six", "tie", "Easy Six pays 6 to 1"),
        ("commission", "tie", "Banker 0.95 to 1"),
    ],
)
def test_a_clause_names_the_new_odds_and_not_the_old_ones(tmp_path: Path, book: str, bet: str, kept: str) -> None:
    file = tmp_path / "tuned.toml"
    answer("tune", book, bet, "--edge", "2..17", "-o", str(file))
    tuned, before = load(str(file)), load(book)
    new, old = tuned.bet(bet), before.bet(bet)
    assert new is not None
    assert old is not None
    number = next(row.clause for row in new.pays if row.odds)
    clause = tuned.clause(number)
    assert clause is not None
    assert kept in clause.sense
    for row, was in zip(new.pays, old.pays, strict=True):
        if row.odds is not None and row.odds != was.odds:
            assert f"{row.odds.replace(':', ' to ')}" in clause.sense
    assert clause.sense != before.clause(number).sense  # type: ignore[union-attr]
    assert "Not so" not in clause.sense


def test_the_best_table_is_written_as_a_book(tmp_path: Path) -> None:
    file = tmp_path / "tuned.toml"
    told = answer(*SIX, "--edge", "6", "--edge", "5..7", "-o", str(file), "--json").json
    best = told["tables"][0]
    (bet,) = (one for one in answer("odds", str(file), "--json").json["bets"] if one["bet"] == told["bet"])
    assert (bet["ev"], bet["edge"]) == (best["ev"], best["edge"])
    assert load(str(file)).name == "tuned"
    assert "is already there" in refusal(*SIX, "--edge", "5..7", "-o", str(file))


@pytest.mark.parametrize(("book", "bet"), [("commission", "tie"), ("ez", "panda-8"), ("insurance", "super-six-plus")])
def test_a_tuned_book_is_not_called_by_the_printed_document(tmp_path: Path, book: str, bet: str) -> None:
    """Its odds are not those of the document, so neither is its name, source, version or date."""
    file = tmp_path / "my-tuned.toml"
    answer("tune", book, bet, "--edge", "2..12", "-o", str(file))
    tuned = load(str(file))
    assert (tuned.title, tuned.source) == ("My Tuned", "House rules, draft")
    assert (tuned.version, tuned.effective) == (None, None)


def test_nothing_is_written_where_nothing_is_found(tmp_path: Path) -> None:
    file = tmp_path / "tuned.toml"
    assert "nothing is written" in refusal(*SIX, "--edge", "99.9", "-o", str(file))
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
        (("--edge", "5", "--keep", "1=many"), "--keep takes odds"),
        (("--edge", "5", "--keep", "1=0:1"), "--keep takes odds"),
        (("--edge", "5", "--by", "beauty"), "nearness, deviation or counting"),
        (("--edge", "5", "-o", "mine"), "ends in .toml"),
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
