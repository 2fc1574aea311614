import tomllib
from importlib import resources

import pytest

from punto import books
from punto.rules.validation import Place, line_of

TEXT = """\
# a comment with [brackets] and = signs
name = "x"

[betting]   # a table
late = 1

[betting.opens]
by = "call [ { # no bracket"

[[bets]]
area = "a"
pays = [
  # a comment { in between
  { when = [{ a = 1 },
    { b = 2 }], odds = "1:1" },
  { otherwise = true }]

[[bets]]
area = "b"
needs = [
  "a",
  "c" ]
pays = [{ when = { a = 1 } },
  { otherwise = true },
]

[[bets.deep]]
x = 1

[[bets.deep]]
x = 2

[last]
key = 1
"""


@pytest.mark.parametrize(
    ("place", "line"),
    [
        (("name",), 2),
        (("betting",), 4),
        (("betting", "late"), 5),
        (("betting", "opens"), 7),
        (("betting", "opens", "by"), 8),
        (("bets",), 10),
        (("bets", 0), 10),
        (("bets", 0, "area"), 11),
        (("bets", 0, "pays"), 12),
        (("bets", 0, "pays", 0), 14),
        (("bets", 0, "pays", 1), 16),
        (("bets", 1), 18),
        (("bets", 1, "needs"), 20),
        (("bets", 1, "needs", 0), 21),
        (("bets", 1, "needs", 1), 22),
        (("bets", 1, "pays", 0), 23),
        (("bets", 1, "pays", 1), 24),
        (("bets", 1, "deep", 0, "x"), 28),
        (("bets", 1, "deep", 1, "x"), 31),
        (("last", "key"), 34),
    ],
)
def test_a_place_has_its_line(place: Place, line: int) -> None:
    assert line_of(TEXT, place) == line


@pytest.mark.parametrize(
    ("place", "line"),
    [(("bets", 0, "pays", 0, "when", 1, "b"), 14), (("bets", 1, "labels", "en"), 18), (("betting", "closes"), 4)],
)
def test_else_the_nearest_entry_around_is_named(place: Place, line: int) -> None:
    assert line_of(TEXT, place) == line


def test_what_stands_nowhere_has_no_line() -> None:
    assert line_of(TEXT, ("title",)) is None
    assert line_of(TEXT, ()) is None


@pytest.mark.parametrize("name", books.NAMES)
def test_every_bet_row_offer_and_clause_of_the_built_in_books_is_found(name: str) -> None:
    text = resources.files("punto.books").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    lines, raw = text.splitlines(), tomllib.loads(text)

    def at(*place: str | int) -> str:
        number = line_of(text, place)
        assert number is not None
        return lines[number - 1]

    for i, bet in enumerate(raw["bets"]):
        assert at("bets", i, "area") == f'area = "{bet["area"]}"'
        for j, row in enumerate(bet["pays"]):
            assert tomllib.loads(f"row = {at('bets', i, 'pays', j).strip().removesuffix(',')}")["row"] == row
    for i, clause in enumerate(raw["clauses"]):
        assert at("clauses", i, "number") == f'number = "{clause["number"]}"'
    for i, offer in enumerate(raw.get("insurance", {}).get("offers", ())):
        assert at("insurance", "offers", i, "odds") == f'odds = "{offer["odds"]}"'
