from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from punto.books import NAMES, load
from punto.reports.comparison import Comparison
from punto.rules.book import Book
from punto.rules.book_text import BookText, BookWords
from punto.rules.pay_table import PayTable, compile_pay_table
from tests.cli.called import answer, refusal


def test_what_differs_and_what_it_does() -> None:
    told = answer("compare", "commission", "ez", "--json").json
    assert [book["digest"] for book in told["books"]] == [
        answer("rules", name, "--digest").out.strip() for name in ("commission", "ez")
    ]
    odds = [answer("odds", name, "--json").json["bets"] for name in ("commission", "ez")]
    for side, key in zip(odds, ("first", "second"), strict=True):
        beside = {bet["bet"]: bet[key] for bet in told["bets"] if bet[key] is not None}
        assert {bet["bet"]: bet["ev"] for bet in side} == {area: bet["ev"] for area, bet in beside.items()}
    assert {"bet": "dragon-7", "when": "anything else", "first": None, "second": "lose"} in told["pays"]
    assert {"section": "Decks", "what": "allowed", "first": "4 5 6 7 8", "second": "6 8"} in told["differences"]


KEPT = ', commission = { rate = "5%", clause = "4.1.1" }'


@pytest.mark.parametrize(
    ("old", "new", "first", "second"),
    [
        (KEPT, "", "0.95:1, after a commission of 5 % (clause 4.1.1)", "0.95:1"),
        (
            f'"0.95:1"{KEPT}',
            '"0.955:1", commission = { rate = "4.5%" }',
            "0.95:1, after a commission of 5 % (clause 4.1.1)",
            "0.955:1, after a commission of 4.5 %",
        ),
    ],
)
def test_a_commission_that_differs_is_listed(old: str, new: str, first: str, second: str, tmp_path: Path) -> None:
    book = tmp_path / "other.toml"
    text = answer("rules", "commission", "--toml").out
    assert text.count(old) == 1
    book.write_text(text.replace(old, new))
    row = {"bet": "banker", "when": "Banker wins", "first": first, "second": second}
    assert row in answer("compare", "commission", str(book), "--json").json["pays"]
    row |= {"first": second, "second": first}
    assert row in answer("compare", str(book), "commission", "--json").json["pays"]
    assert first in " ".join(answer("compare", "commission", str(book), "--html").out.split())


def test_rows_that_only_read_otherwise_are_listed_as_they_are_written(tmp_path: Path) -> None:
    book = tmp_path / "other.toml"
    text = answer("rules", "commission", "--toml").out
    book.write_text(text.replace('odds = "8:1"', 'odds = "8 to 1"'))
    told = answer("compare", "commission", str(book), "--json").json
    [one] = told["differences"]
    assert (told["same"], told["pays"]) == (False, [])
    assert (one["what"], "8:1" in one["first"], "8 to 1" in one["second"]) == ("tie, as written", True, True)


@pytest.mark.parametrize("name", NAMES)
def test_a_book_does_not_differ_from_itself(name: str) -> None:
    told = answer("compare", name, name, "--json").json
    assert (told["same"], told["pays"], told["differences"]) == (True, [], [])
    assert "The two books say the same." in answer("compare", name, name).out


def test_decisions_are_compared_with_optimal_play() -> None:
    told = answer("compare", "insurance", "knockout", "--json").json
    names = {entry["bet"]: (entry["first"], entry["second"]) for entry in told["special"]}
    assert names["Banker with the best insurance"][1] is None
    assert names["Ante (Player), per ante"][0] is None


@pytest.mark.parametrize(("form", "start"), [("--markdown", "# commission and ez"), ("--html", "<!doctype html>")])
def test_other_forms(form: str, start: str) -> None:
    shown = answer("compare", "commission", "ez", form).out
    assert shown.startswith(start)
    assert "Dragon 7" in shown


def test_decks_must_be_allowed_by_both() -> None:
    assert answer("compare", "commission", "ez", "--decks", "6", "--json").json["decks"] == 6
    assert "both books allow: 6, 8" in refusal("compare", "commission", "ez", "--decks", "4")
    assert "give one of them" in refusal("compare", "commission", "ez", "--html", "--json")


BET = """
extends = "commission"
name = "ordered"
[[bets]]
area = "eights"
kind = "side"
labels = { en = "Eights" }
clause = "h"
first_match = true
pays = [
  ROWS
  { otherwise = true, result = "lose", clause = "h" },
]
[[clauses]]
number = "h"
kind = "behaviour"
sense = "House."
"""
TIE = '{ when = { winner = "tie" }, odds = "1:4", clause = "h" },'
EIGHT = '{ when = { player_points = 8 }, odds = "20:1", clause = "h" },'
BANKER_EIGHT = '{ when = { banker_points = 8 }, odds = "9:1", clause = "h" },'


def ordered(tmp_path: Path, name: str, *rows: str) -> str:
    file = tmp_path / f"{name}.toml"
    file.write_text(BET.replace("ROWS", "\n  ".join(rows)), encoding="utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("rows", "others"),
    [
        ((TIE, EIGHT), (EIGHT, TIE)),
        # The words of each row are the same in both: only the order tells what a hand pays.
        ((TIE, EIGHT, BANKER_EIGHT), (TIE, BANKER_EIGHT, EIGHT)),
    ],
)
def test_the_order_of_rows_is_compared(tmp_path: Path, rows: tuple[str, ...], others: tuple[str, ...]) -> None:
    files = ordered(tmp_path, "one", *rows), ordered(tmp_path, "other", *others)
    told = answer("compare", *files, "--json").json
    assert told["same"] is False
    (order,) = [row for row in told["pays"] if row["when"] == "order of the rows"]
    assert order["bet"] == "eights"
    assert order["first"].startswith("1. tie | 2. Player has 8")
    assert order["second"] != order["first"]
    assert "order of the rows" in answer("compare", *files).out


def test_a_row_that_moves_below_another_says_so(tmp_path: Path) -> None:
    files = ordered(tmp_path, "one", EIGHT), ordered(tmp_path, "other", TIE, EIGHT)
    told = answer("compare", *files, "--json").json
    assert {
        "bet": "eights",
        "when": "Player has 8",
        "first": "20:1",
        "second": "20:1 where no row above holds",
    } in told["pays"]


def _changed(text: BookText) -> Iterator[tuple[str, BookText]]:
    """The book with one thing changed at a time, wherever a list has an order or a bet says something."""
    for name in ("layouts", "bets", "clauses", "irregularities", "declarations"):
        entries = getattr(text, name)
        if len(entries) > 1:
            turned = (entries[1], entries[0], *entries[2:])
            yield f"order of {name}", msgspec.structs.replace(text, **{name: turned})
    bet = text.bets[0]
    labels = msgspec.structs.replace(bet.labels, en="Another")
    for what, change in (
        ("labels", {"labels": labels}),
        ("clause", {"clause": text.clauses[0].number}),
        ("first_match", {"first_match": True}),
        ("rows turned", {"pays": bet.pays[::-1]}),
        ("clause of a row", {"pays": (msgspec.structs.replace(bet.pays[0], clause="x"), *bet.pays[1:])}),
    ):
        yield (what, msgspec.structs.replace(text, bets=(msgspec.structs.replace(bet, **change), *text.bets[1:])))
    yield "Chinese title", msgspec.structs.replace(text, zh_hans=BookWords("别的"))


@pytest.mark.parametrize("name", NAMES)
def test_whatever_makes_two_books_differ_is_named(name: str) -> None:
    book = load(name)
    for what, text in _changed(book.text):
        other = Book(text, book.play, _tables(text, book), book.offers, book.declarations)
        comparison = Comparison(book, other, 8)
        assert not comparison.is_same, what
        assert comparison.differences or comparison.pay_rows, what


def _tables(text: BookText, book: Book) -> dict[str, PayTable]:
    tables = {}
    for i, bet in enumerate(text.bets):
        table = compile_pay_table(bet, book.play, ("bets", i), 8, {one.area: one for one in text.bets})
        assert isinstance(table, PayTable)
        tables[bet.area] = table
    return tables
