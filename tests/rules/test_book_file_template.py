"""Templates of bets are written out before anything else is asked of a book."""

from __future__ import annotations

import tracemalloc

import pytest

from punto.books import base_of
from punto.rules.book import Book, read_book
from punto.rules.book_file import book_toml
from punto.rules.validation import BookError

TEMPLATE = """
extends = "commission"
name = "egalite"

[[clauses]]
number = "h"
kind = "behaviour"
sense = "House."

[[bets]]
each = { total = [0, 1, 2], pays = ["150:1", "215:1", "225:1"] }
area = "egalite-{total}"
kind = "side"
labels = { en = "Egalité {total}" }
clause = "h"
pays = [
  { when = { winner = "tie", player_points = "{total}" }, odds = "{pays}", clause = "h" },
  { otherwise = true, result = "lose", clause = "h" },
]
"""


def read(text: str) -> Book:
    return read_book(text, "book.toml", base_of)


def test_one_bet_for_each_value() -> None:
    book = read(TEMPLATE)
    bets = [bet for bet in book.bets if bet.area.startswith("egalite")]
    assert [bet.area for bet in bets] == ["egalite-0", "egalite-1", "egalite-2"]
    assert [bet.labels.en for bet in bets] == ["Egalité 0", "Egalité 1", "Egalité 2"]
    assert [bet.pays[0].odds for bet in bets] == ["150:1", "215:1", "225:1"]
    assert [bet.pays[0].when.player_points for bet in bets] == [0, 1, 2]  # type: ignore[union-attr]


def test_a_written_out_book_is_the_same_book() -> None:
    book = read(TEMPLATE)
    assert "each" not in book_toml(book.text)
    assert read_book(book_toml(book.text), "book.toml").text == book.text


def test_what_extends_the_book_names_the_bets() -> None:
    removed = TEMPLATE.replace('name = "egalite"', 'name = "egalite"\nremove = ["bets.tie"]')
    assert read(removed).bet("tie") is None
    replaced = TEMPLATE.replace("egalite-{total}", "{total}-pair")
    replaced = replaced.replace("[0, 1, 2]", '["player", "banker", "x"]')
    replaced = replaced.replace('player_points = "{total}"', "player_points = 0")
    areas = [bet.area for bet in read(replaced).bets]
    assert areas == ["player", "banker", "tie", "player-pair", "banker-pair", "x-pair"]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('each = { total = [0, 1, 2], pays = ["150:1", "215:1", "225:1"] }', "each = 3", "a table of lists"),
        ("total = [0, 1, 2]", "total = 0", "a table of lists"),
        ("total = [0, 1, 2]", "total = [0, 1]", "total has 2, pays has 3"),
        ("total = [0, 1, 2], pays", "total = [], pays", "total has 0, pays has 3"),
        ("total = [0, 1, 2]", f"total = {list(range(65))}, more = [1]", "the same number of values"),
        ('odds = "{pays}"', 'odds = "{odds}"', "{odds} is used in the bet"),
        ("egalite-{total}", "egalite", "the area of a template must contain a value"),
        ("each = { total", "each = { Total", "'Total' is not a name"),
    ],
)
def test_what_is_wrong_with_a_template_is_told_with_its_line(old: str, new: str, sentence: str) -> None:
    assert old in TEMPLATE
    with pytest.raises(BookError, match=r"book.toml: line 1[0-9]: bets.0.") as error:
        read(TEMPLATE.replace(old, new))
    assert sentence in str(error.value)


def test_a_mistake_in_a_written_out_bet_is_told_at_the_template() -> None:
    with pytest.raises(BookError, match="10 is not between 0 and 9") as error:
        read(TEMPLATE.replace("[0, 1, 2]", "[0, 1, 10]"))
    assert "line 17" in str(error.value)


def test_a_long_value_in_thousands_of_slots_is_refused_before_it_is_written_out() -> None:
    """A file of 60 KB would become a text of gigabytes."""
    long = TEMPLATE.replace("[0, 1, 2]", f"['{'x' * 30_000}', 1, 2]").replace("Egalité {total}", "{total}" * 9_000)
    tracemalloc.start()
    try:
        with pytest.raises(BookError, match=r"line 14: bets.0..labels: it has more than 2,000 characters"):
            read(long)
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


def test_templates_make_no_more_bets_than_a_list_may_have() -> None:
    bets = ", ".join(f"{{ each = {{ n = {list(range(64))} }}, area = 'b{i}-{{n}}' }}" for i in range(16))
    with pytest.raises(BookError, match=r"bets: at most 1,000 entries are allowed here, not 1,024") as error:
        read(f'extends = "commission"\nname = "many"\nbets = [{bets}]\n')
    assert len(error.value.problems) == 1
