import pytest

from punto import books
from punto.rules import BookError, Hand, compile_book, parse_book
from punto.rules.outcome import Facts, totals_index
from tests.rules.small_book import FILE, TEXT, altered, complaints, read


def test_areas_are_bets_and_insurance() -> None:
    book = read()
    assert book.areas == (
        "player", "pair", "ante", "wager",
        "insurance-player-4", "insurance-banker-4", "insurance-player-5", "insurance-banker-5",
    )  # fmt: skip
    assert book.insurance_areas["insurance-banker-5"] == (Hand.BANKER, 5)


def test_the_main_bet_of_a_hand() -> None:
    book = read()
    assert book.main_area(Hand.PLAYER) == "player"
    assert book.main_area(Hand.BANKER) == ""


def test_what_is_called_out() -> None:
    book = read()
    assert book.declared(Facts(totals_index(8, 2, 8, 2), 0, 0)) == ("natural",)
    assert book.declared(Facts(totals_index(8, 3, 7, 2), 0, 0)) == ()


def test_problems_of_bets_and_insurance_come_together() -> None:
    found = complaints(
        ('{ when = { winner = "tie" }, result = "push", clause = "3" },\n', ""),
        ("player_points = [6]", "player_points = [9]"),
        ('{ player_pair = true }, odds = "11:1"', '{ player_pair = true, pairs = 0 }, odds = "11:1"'),
    )
    assert [one.split(": ")[2] for one in found] == ["bets[0].pays", "bets[1].pays[0]", "insurance.offers[0]"]


def test_a_book_compiles_the_same_with_and_without_its_text() -> None:
    book = parse_book(TEXT, FILE)
    assert compile_book(book).pay_tables == read().pay_tables


def test_without_its_text_a_problem_has_no_line() -> None:
    text = altered(('{ when = { winner = "tie" }, result = "push", clause = "3" },\n', ""))
    book = parse_book(text, FILE)
    with pytest.raises(BookError, match=r"^small: bets\[0\]\.pays: no row covers"):
        compile_book(book)
    with pytest.raises(BookError, match=r"^mine\.toml: bets\[0\]\.pays: no row covers"):
        compile_book(book, "mine.toml")


@pytest.mark.parametrize("name", books.NAMES)
def test_what_a_notebook_prints_of_a_book_is_short(name: str) -> None:
    book = books.load(name)
    tables = book.pay_tables.values()
    offers = [offer for cell in book.offers.cells.values() for offer in cell]
    parts = (book, book.text, book.play, book.offers, book.insurance, *book.bets, *tables, *offers)
    assert max(len(repr(part)) for part in parts) <= 120
    assert max(len(repr(row)) for table in tables for row in table.rows) <= 400
