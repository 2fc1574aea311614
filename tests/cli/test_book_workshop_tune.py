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


def test_one_table_is_spoken_of_as_one() -> None:
    shown = " ".join(answer("tune", "ez", "dragon-7", "--edge", "7.6..7.7").out.split())
    assert "1 of 50 pay tables gives a house edge of 7.60 % to 7.70 %. It wins 2.2534 % of the time." in shown


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


MINE = """\
# The house of the photographs.
extends = "commission"
name = "mine"
zh_hans = { title = "我的百家乐" }

[[bets]]
area = "photo-finish"
kind = "side"
labels = { en = "Photo Finish", zh_hans = "险胜", zh_hant = "險勝" }
clause = "house-1"
pays = [
  # The rare one first: odds = "99:1" is not meant.
  { when = { margin = 1, cards = 6 }, odds = "12:1", clause = "house-1" }, # six cards
  { when = { margin = 1, cards = [4, 5] }, clause = 'house-1', odds = "6:1" },
  { otherwise = true, result = "lose", clause = "house-1" },
]

[[bets]]
area = "banker"
kind = "main"
hand = "banker"
labels = { en = "Banker", zh_hans = "庄", zh_hant = "莊" }
clause = "2.1.3"
pays = [
  { when = { winner = "banker" }, odds = "0.95:1", commission = { rate = "5%", clause = "4.1.1" }, clause = "4.1.2" },
  { when = { winner = "tie" }, result = "push", clause = "3.8" },
  { when = { winner = "player" }, result = "lose", clause = "4.1.2" },
]

[[clauses]]
number = "house-1"
kind = "behaviour"
sense = "Photo Finish pays 12 to 1 with six cards, and 6 to 1 otherwise; 112 to 1 never."
zh_hans = { sense = "险胜：六张牌 1 赔 12，否则 1 赔 6。" }
"""


COUNTED = ("--edge", "5%..8%", "--most", "30", "--by", "counting")


def test_a_file_of_ones_own_is_changed_in_the_rows_alone(tmp_path: Path) -> None:
    """Comments, clauses and words in other languages stay, and what was changed is said line by line."""
    mine, tuned = tmp_path / "mine.toml", tmp_path / "tuned.toml"
    mine.write_text(MINE, encoding="utf-8")
    said = answer("tune", str(mine), "photo-finish", *COUNTED, "-o", str(tuned)).out
    expected = MINE.replace('odds = "12:1"', 'odds = "6:1"').replace(
        "clause = 'house-1', odds = \"6:1\"", "clause = 'house-1', odds = \"4:1\""
    )
    assert tuned.read_text(encoding="utf-8") == expected
    for number, (was, now) in enumerate(zip(MINE.splitlines(), expected.splitlines(), strict=True), start=1):
        assert (
            (f"line {number}: {was.strip()}" in said) == (f"line {number}: now {now.strip()}" in said) == (was != now)
        )
    for quoted in ("12 to 1", "6 to 1"):
        assert f"clause house-1 still says '{quoted}' (sense)" in said
    for quoted in ("1 赔 12", "1 赔 6"):
        assert f"clause house-1 still says '{quoted}' (zh_hans.sense)" in said
    assert "112 to 1" not in said


def test_a_commission_goes_with_the_odds_it_was_written_for(tmp_path: Path) -> None:
    mine, tuned = tmp_path / "mine.toml", tmp_path / "tuned.toml"
    mine.write_text(MINE, encoding="utf-8")
    told = answer("tune", str(mine), "banker", "--edge", "-5..0", "-o", str(tuned), "--json").json
    kept = 'odds = "0.95:1", commission = { rate = "5%", clause = "4.1.1" }, clause'
    assert tuned.read_text(encoding="utf-8") == MINE.replace(kept, 'odds = "1:1", clause')
    assert [change["line"] for change in told["changes"]] == [
        MINE.splitlines().index(next(line for line in MINE.splitlines() if kept in line)) + 1
    ]
    assert told["file"] == str(tuned)
    assert {(one["clause"], one["quoted"]) for one in told["stale"]} == {("4.1.1", "5 %"), ("4.1.2", "0.95 to 1")}


def test_a_file_in_another_folder_still_finds_what_it_extends(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "base.toml").write_text(MINE.replace('name = "mine"', 'name = "base"'), encoding="utf-8")
    mine, tuned = tmp_path / "mine.toml", tmp_path / "sub/tuned.toml"
    mine.write_text(MINE.replace('"commission"', '"base.toml"'), encoding="utf-8")
    said = answer("tune", str(mine), "photo-finish", *COUNTED, "-o", str(tuned)).out
    assert 'line 2: now extends = "../base.toml"' in said
    assert [row.odds for row in load(str(tuned)).bet("photo-finish").pays] == ["6:1", "4:1", None]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("book", "bet", "quoted"),
    [
        ("ez", "dragon-7", "40 to 1"),
        ("insurance", "super-six-plus", "12 to 1"),
        ("easy-six", "tie", "8 to 1"),
        ("commission", "tie", "8 to 1"),
    ],
)
def test_no_clause_of_a_built_in_book_is_written_anew_in_silence(
    tmp_path: Path, book: str, bet: str, quoted: str
) -> None:
    """What it still says of the old odds is named, and stands in the draft as comments."""
    file = tmp_path / "tuned.toml"
    said = answer("tune", book, bet, "--edge", "2..17", "-o", str(file)).out
    tuned, before = load(str(file)), load(book)
    assert tuned.clauses == before.clauses
    clause = next(row.clause for row in before.bet(bet).pays if row.odds)  # type: ignore[union-attr]
    assert f"clause {clause} still says '{quoted}'" in said
    text = file.read_text(encoding="utf-8")
    assert f'# number = "{clause}"' in text
    for number, line in enumerate(text.splitlines(), start=1):
        if 'odds = "' in line:
            row = line[line.index('odds = "') :].split('"')[1]
            assert f'line {number}: now odds = "{row}"' in said or quoted.replace(" to ", ":") != f"{row}"


@pytest.mark.parametrize("way", ["take", "template", "extends"])
def test_a_bet_that_is_not_written_row_by_row_is_tuned_in_a_file_that_extends(tmp_path: Path, way: str) -> None:
    template = MINE.replace('area = "photo-finish"', 'area = "photo-{n}"\neach = { n = ["finish"] }')
    texts = {
        "take": 'extends = "commission"\nname = "mine"\ntake = ["dragon-7"]\n',
        "template": template,
        "extends": 'extends = "base.toml"\nname = "mine"\n',
    }
    (tmp_path / "base.toml").write_text(MINE.replace('name = "mine"', 'name = "base"'), encoding="utf-8")
    mine, tuned = tmp_path / "mine.toml", tmp_path / "tuned.toml"
    mine.write_text(texts[way], encoding="utf-8")
    area = "dragon-7" if way == "take" else "photo-finish"
    answer("tune", str(mine), area, "--edge", "5%..20%", "--most", "60", "-o", str(tuned))
    assert 'extends = "mine.toml"' in tuned.read_text(encoding="utf-8")
    new, old = load(str(tuned)), load(str(mine))
    assert new.clauses == old.clauses
    assert [bet for bet in new.bets if bet.area != area] == [bet for bet in old.bets if bet.area != area]
    assert new.bet(area).labels == old.bet(area).labels  # type: ignore[union-attr]


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
