"""What people type at first: names in another case, signs of suits, a word where something else belongs.

Each is read, or the answer says what is wrong and what was most likely meant.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import punto
from punto.books import NAMES, BookNotFound, built_in_name, load
from punto.cards.card import DECK
from punto.refusal import Refusal
from punto.table.notation import parse_line
from tests.cli.called import answer, call, refusal

DEAL = "2S KH 3D 2C KD 5S"
SIGNS = "2♠ K♥ 3♦ 2♣ K♦ 5♠"


@pytest.mark.parametrize("name", NAMES)
def test_a_book_is_read_in_any_case(name: str) -> None:
    for said in (name.upper(), name.title(), name.replace("-", " ").title(), name.replace("-", "_")):
        assert built_in_name(said) == name
        assert load(said) is load(name)
        assert answer("rules", said, "--digest").out == answer("rules", name, "--digest").out


def test_a_file_of_that_name_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("EZ").write_text('extends = "knockout"\nname = "mine"\n', encoding="utf-8")
    assert load("EZ").name == "mine"
    assert load("ez").name == "ez"


def test_a_new_book_extends_a_book_by_its_own_name(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    assert answer("new", str(file), "--from", "EZ", "--json").json["extends"] == "ez"
    assert load(str(file)).bet("dragon-7") is not None
    file.write_text('extends = "EZ"\nname = "mine"\n', encoding="utf-8")
    assert "(did you mean ez?)" in refusal("check", str(file))


def test_what_is_not_a_book_is_named() -> None:
    with pytest.raises(BookNotFound, match="did you mean commission"):
        load("Comission")
    assert "there is no book hello; built in are" in refusal("odds", "hello")


@pytest.mark.parametrize("area", ["Banker", "BANKER", "banker"])
def test_an_area_is_read_in_any_case(area: str) -> None:
    told = answer("settle", "EZ", "--cards", SIGNS, "--bet", f"{area}=5", "--json").json
    assert [line["bet"] for line in told["lines"]] == ["banker"]
    settled = punto.settle("EZ", SIGNS, {area: "5"})
    assert not isinstance(settled, Refusal)
    assert settled == punto.settle("ez", DEAL, {"banker": "5"})


def test_areas_of_several_words() -> None:
    told = answer("settle", "ez", "--cards", DEAL, "--bet", "Dragon 7=5", "--json").json
    assert told["lines"][0]["bet"] == "dragon-7"
    assert answer("tune", "ez", "Dragon_7", "--edge", "0%..20%", "--json").json["bet"] == "dragon-7"


def test_spaces_beside_the_equals_sign_are_nothing() -> None:
    told = answer("settle", "ez", "--cards", DEAL, "--bet", "Dragon 7 = 5", "--json").json
    assert told == answer("settle", "ez", "--cards", DEAL, "--bet", "dragon-7=5", "--json").json
    refusal("settle", "ez", "--cards", DEAL, "--bet", "dragon-7= ")
    play = ("simulate", "ez", "--rounds", "100", "--seed", "1", "--strategy", "flat", "--json", "--bet")
    call(*play, "tie=5")  # the first run may say that it compiles
    assert answer(*play, "tie = 5").json["sessions"] == answer(*play, "tie=5").json["sessions"]


def test_one_area_in_two_cases_is_one_area() -> None:
    bets = ("--bet", "Banker=5", "--bet", "banker=5")
    assert "more than once" in refusal("settle", "ez", "--cards", DEAL, *bets)
    refused = punto.settle("ez", DEAL, {"banker": "5", "Banker": "5"})
    assert isinstance(refused, Refusal)
    assert refused.reason.value == "area-twice"


def test_what_is_not_an_area_is_named_with_what_was_meant() -> None:
    said = refusal("settle", "ez", "--cards", DEAL, "--bet", "Bankr=5")
    assert "Bankr (did you mean banker?)" in said


def test_cards_by_their_signs_everywhere() -> None:
    assert answer("odds", "ez", "--seen", "2♠ 10♥ T♦", "--json").json["bets"]
    assert punto.deal("ez", SIGNS) == punto.deal("ez", DEAL)
    assert parse_line(SIGNS) == parse_line(DEAL)
    for card in DECK:
        assert parse_line(card.symbol) == parse_line(str(card))


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("hello", "'hello' is neither a command nor a card: a command has a person and a colon before it"),
        ("load the shoe", "nobody gives this command: write who does, as in Ann as dealer: load the shoe"),
        ("Lee sit 3", "a colon is missing after the person"),
        ("S2 KH", "'S2' is not a card (did you mean 2S?)"),
        ("1♠", "'1♠' is not a card (did you mean AS?)"),
    ],
)
def test_a_line_that_cannot_be_read_says_what_was_expected(line: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        parse_line(line)


def test_areas_in_lines_of_notation() -> None:
    assert parse_line("Lee: bet 3 Banker 100") == parse_line("Lee: bet 3 banker 100")
    # In quotes a word is taken as it stands, so that whatever was said can be written and read again.
    assert parse_line('Lee: bet 3 "Banker" 100') != parse_line("Lee: bet 3 banker 100")


def test_kinds_of_questions_are_suggested() -> None:
    assert "did you mean draw?" in refusal("drill", "ez", "--only", "Draw")


ONE_DECK = """
extends = "commission"
name = "one-deck"
take = ["dragon-7"]
[decks]
allowed = [1]
"""


@pytest.mark.slow
def test_one_of_anything_is_not_said_in_the_plural(tmp_path: Path) -> None:
    """ "1 decks" stood on the sheet, in titles and in refusals."""
    book = tmp_path / "one.toml"
    book.write_text(ONE_DECK, encoding="utf-8")
    page = tmp_path / "sheet.html"
    answer("report", str(book), "-o", str(page), "--shoes", "0", "--json")
    said = [
        page.read_text(encoding="utf-8"),
        *(answer(command, str(book)).out for command in ("rules", "odds", "check", "deal")),
        answer("compare", str(book), str(book)).out,
        answer("count", str(book), "--shoes", "0", "--cut", "0").out,
        answer("tune", str(book), "dragon-7", "--edge", "0..50").out,
        refusal("count", str(book), "--cut", "40"),
    ]
    for text in said:
        assert not re.search(r"\b1 (decks|cards|shoes|rounds|bets|boxes|rows|questions)\b", text), text
