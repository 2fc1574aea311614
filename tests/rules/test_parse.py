"""A book of the wrong shape is refused with file, line, place and what is wrong, all of it at once."""

import pytest

from punto.rules import BookError, parse_book
from tests.rules.small_book import FILE, TEXT, altered, complaints, line, read


def test_the_small_book_is_right() -> None:
    assert complaints() == []
    book = read().book
    assert (book.name, book.title, book.effective, book.version) == (
        "small",
        "Small Baccarat",
        "2020-02-29",
        None,
    )
    assert book.decks.allowed == (6, 8)
    assert [bet.area for bet in book.bets] == ["player", "pair", "ante", "wager"]


@pytest.mark.parametrize(
    ("old", "new", "start", "what"),
    [
        # a key that is missing
        ('label = "Mini, 7 boxes"\n', "", "[[layouts]]", "layouts[0]: the key is missing: `label`"),
        ('by = "first-card"\n', "", "[betting.closes]", "betting.closes: the key is missing: `by`"),
        # a key that a book does not have
        ("boxes = 7", "boxes = 7\nseats = 7", "[[layouts]]", "layouts[0]: there is no such key: `seats`"),
        (
            'late_clause = "1"',
            'late_clauze = "1"',
            "[betting]",
            "betting: there is no such key: `late_clauze`",
        ),
        ("[limits]", "[weather]\nx = 1\n\n[limits]", "[weather]", "weather: there is no such key in a book"),
        # a wrong type
        ("boxes = 7", 'boxes = "7"', "boxes", "layouts[0].boxes: expected `int`, got `str`"),
        ("boxes = 7", "boxes = 7.5", "boxes", "layouts[0].boxes: expected `int`, got `float`"),
        ("boxes = 7", "boxes = true", "boxes", "layouts[0].boxes: expected `int`, got `bool`"),
        ("allowed = [6, 8]", "allowed = 6", "allowed", "decks.allowed: expected `array`, got `int`"),
        ('title = "Small Baccarat"', "title = 1", "title", "title: expected `str`, got `int`"),
        # a value out of bounds
        ('title = "Small Baccarat"', 'title = ""', "title", "title: expected `str` of length >= 1"),
        ('name = "small"', 'name = "Small Book"', "name", "name: expected `str` matching regex"),
        ("boxes = 7", "boxes = 0", "boxes", "layouts[0].boxes: expected `int` >= 1"),
        ("allowed = [6, 8]", "allowed = [6, 0]", "allowed", "decks.allowed[1]: expected `int` >= 1"),
        ("naturals = [8, 9]", "naturals = [8, 10]", "naturals", "play.naturals[1]: expected `int` <= 9"),
        ("cards = 5", "cards = 6", '{ name = "five"', "insurance.windows[1].cards: expected `int` <= 5"),
        ("shown_cards = 1", "shown_cards = 4", "shown_cards", "ante.shown_cards: expected `int` <= 3"),
        # a word that is none of the words it may be
        ('kind = "main"', 'kind = "big"', 'kind = "big"', "bets[0].kind: invalid enum value 'big'"),
        (
            'result = "push"',
            'result = "draw"',
            '{ when = { winner = "tie" }',
            "pays[1].result: invalid enum value",
        ),
        (
            'winner = "player" }',
            'winer = "player" }',
            "{ when = { winer",
            "pays[0].when: there is no such key: `winer`",
        ),
        (
            'winner = "player" }',
            'winner = "house" }',
            '{ when = { winner = "house"',
            "pays[0].when.winner: invalid",
        ),
        (
            'order = "counter-clockwise"',
            'order = "any"',
            "order",
            "settlement.order: invalid enum value 'any'",
        ),
        (
            'orders = "shift-manager"',
            'orders = "king"',
            "orders",
            "irregularities[0].orders: invalid enum value",
        ),
        ('by = "first-card"', 'by = "nod"', 'by = "nod"', "betting.closes.by: invalid enum value 'nod'"),
    ],
)
def test_a_wrong_shape_is_told_with_its_line_and_place(old: str, new: str, start: str, what: str) -> None:
    found = complaints((old, new))
    assert len(found) == 1
    assert found[0].startswith(f"{FILE}: line {line(altered((old, new)), start)}: ")
    assert what in found[0]


def test_a_key_of_the_whole_book_that_is_missing_has_no_line() -> None:
    assert complaints(('title = "Small Baccarat"\n', "")) == [f"{FILE}: the key title is missing"]


def test_all_sections_may_be_missing_at_once() -> None:
    with pytest.raises(BookError) as caught:
        parse_book('name = "empty"\n', "empty.toml")
    missing = {
        "title",
        "source",
        "decks",
        "layouts",
        "betting",
        "play",
        "bets",
        "limits",
        "settlement",
        "clauses",
    }
    assert set(caught.value.lines) == {f"empty.toml: the key {name} is missing" for name in missing}


def test_everything_wrong_is_told_at_once_first_lines_first() -> None:
    found = complaints(
        ('clause = "4"\n\n[settlement]', 'clause = "4"\nodd = 1\n\n[settlement]'),
        ("boxes = 7", 'boxes = "7"'),
        ('kind = "side"', 'kind = "sideways"'),
        ("allowed", "permitted"),
        ('odds = "3:1"', "odds = 3"),
        ('remedy = "ruling"', 'remedy = "shrug"'),
    )
    places = ["decks", "layouts[0].boxes", "bets[1].kind", "insurance", "irregularities[0].remedy"]
    assert [place for one in found for place in places if f": {place}" in one] == places
    lines = [int(one.split("line ")[1].split(":")[0]) for one in found]
    assert lines == sorted(lines)


def test_what_is_no_toml_is_told_with_its_line() -> None:
    found = complaints(("boxes = 7", "boxes ="))
    assert found == [f"{FILE}: this is not TOML: Invalid value (at line {line(TEXT, 'boxes')}, column 8)"]


def test_a_book_may_leave_out_what_it_has_not() -> None:
    start, end = TEXT.index("[insurance]"), TEXT.index("[settlement]")
    book = read((TEXT[start:end], "")).book
    assert book.insurance is None
    assert book.squeeze is None


def test_problems_of_sense_come_all_at_once_too() -> None:
    found = complaints(
        ('clause = "1"', 'clause = "9"'),
        ('odds = "1:1"', 'odds = "one"'),
        ("boxes = 7", "boxes = 7\nboxes_most = 3"),
    )
    assert [one.removeprefix(f"{FILE}: ") for one in found] == [
        "line 8: decks.clause: the book has no clause 9",
        "line 10: layouts[0]: 7 boxes do not lie between 7 and 3",
        "line 88: bets[0].pays[0].odds: 'one' are no odds; "
        "write what is won, a colon and the stake, such as 8:1 or 1.5:1",
    ]
