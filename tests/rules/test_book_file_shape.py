"""A book of the wrong shape is refused with file, line, place and what is wrong, all of it at once."""

import pytest

from punto.rules import BookError, parse_book
from tests.rules.small_book import FILE, TEXT, altered, complaints, line, read


def test_the_small_book_is_right() -> None:
    assert complaints() == []
    book = read().text
    assert (book.name, book.title, book.effective, book.version) == ("small", "Small Baccarat", "2020-02-29", None)
    assert book.decks.allowed == (6, 8)
    assert [bet.area for bet in book.bets] == ["player", "pair", "ante", "wager"]


@pytest.mark.parametrize(
    ("old", "new", "start", "what"),
    [
        # a key that is missing
        ('label = "Mini, 7 boxes"\n', "", "[[layouts]]", "layouts[0]: the key is missing: `label`"),
        ('by = "first-card"\n', "", "[betting.closes]", "betting.closes: the key is missing: `by`"),
        # a key that a book does not have
        ("boxes = 7", "boxes = 7\nseats = 7", "seats", "layouts[0].seats: there is no such key"),
        (
            'late_clause = "1"',
            'late_clauze = "1"',
            "late_clauze",
            "betting.late_clauze: there is no such key (did you mean late_clause?)",
        ),
        ("[limits]", "[weather]\nx = 1\n\n[limits]", "[weather]", "weather: there is no such key in a book"),
        # a wrong type
        ("boxes = 7", 'boxes = "7"', "boxes", "layouts[0].boxes: a whole number is expected, not a text"),
        (
            "boxes = 7",
            "boxes = 7.5",
            "boxes",
            "layouts[0].boxes: a whole number is expected, not a number with decimals",
        ),
        ("boxes = 7", "boxes = true", "boxes", "layouts[0].boxes: a whole number is expected, not true or false"),
        ("allowed = [6, 8]", "allowed = 6", "allowed", "decks.allowed: a list is expected, not a whole number"),
        ('title = "Small Baccarat"', "title = 1", "title", "title: a text is expected, not a whole number"),
        ('effective = "2020-02-29"', "effective = 2020-02-29", "effective", "a text is expected, not a date"),
        ("draws = true", "draws = 1", "draws", "play.player[0].draws: true or false is expected, not a whole"),
        (
            'clause = "1"\n\n[betting]',
            "clause = 1\n\n[betting]",
            "clause = 1",
            "layouts[0].clause: a text is expected, not a whole number",
        ),
        (
            '{ winner = "player" }',
            "{ margin = true }",
            "{ when = { margin",
            "when.margin: a whole number, a text or a list is expected, not true or false",
        ),
        ("allowed = [6, 8]", "allowed = [[6]]", "allowed", "allowed[0]: a whole number is expected, not a list"),
        # a value out of bounds
        ("allowed = [6, 8]", "allowed = [6, 101]", "allowed", "allowed[1]: a whole number of at most 100"),
        ('title = "Small Baccarat"', 'title = ""', "title", "title: it must not be empty"),
        (
            'name = "small"',
            'name = "Small Book"',
            "name",
            "name: a name is expected: lower case and digits with hyphens between, such as banker-pair",
        ),
        ("boxes = 7", "boxes = 0", "boxes", "layouts[0].boxes: a whole number of at least 1 is expected"),
        (
            "allowed = [6, 8]",
            "allowed = [6, 0]",
            "allowed",
            "decks.allowed[1]: a whole number of at least 1 is expected",
        ),
        (
            "naturals = [8, 9]",
            "naturals = [8, 10]",
            "naturals",
            "play.naturals[1]: a whole number of at most 9 is expected",
        ),
        (
            "cards = 5",
            "cards = 6",
            '{ name = "five"',
            "insurance.windows[1].cards: a whole number of at most 5 is expected",
        ),
        (
            "shown_cards = 1",
            "shown_cards = 4",
            "shown_cards",
            "ante.shown_cards: a whole number of at most 3 is expected",
        ),
        # a word that is none of the words it may be
        (
            'kind = "main"',
            'kind = "big"',
            'kind = "big"',
            "bets[0].kind: 'big' is not known here; write main, side, ante or wager",
        ),
        (
            'result = "push"',
            'result = "draw"',
            '{ when = { winner = "tie" }',
            "pays[1].result: 'draw' is not known here; write win, push or lose",
        ),
        (
            'winner = "player" }',
            'winer = "player" }',
            "{ when = { winer",
            "pays[0].when.winer: there is no such key (did you mean winner?)",
        ),
        (
            'winner = "player" }',
            'winner = "house" }',
            '{ when = { winner = "house"',
            "pays[0].when.winner: 'house' is not known here; write player, banker or tie",
        ),
        (
            'order = "counter-clockwise"',
            'order = "any"',
            "order",
            "settlement.order: 'any' is not known here; write counter-clockwise",
        ),
        (
            'orders = "shift-manager"',
            'orders = "king"',
            "orders",
            "irregularities[0].orders: 'king' is not known here; write player, dealer, pit-s",
        ),
        (
            'by = "first-card"',
            'by = "nod"',
            'by = "nod"',
            "betting.closes.by: 'nod' is not known here; write call or first-card",
        ),
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
    missing = {"title", "source", "decks", "layouts", "betting", "play", "bets", "limits", "settlement", "clauses"}
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
    # The key that the decks have not got, and the one that is missing; two offers of insurance.
    places = ["decks", "decks", "layouts[0].boxes", "bets[1].kind", "insurance", "insurance", "irregularities[0]"]
    assert [place for one in found for place in dict.fromkeys(places) if f": {place}" in one] == places
    lines = [int(one.split("line ")[1].split(":")[0]) for one in found]
    assert lines == sorted(lines)


def test_what_is_no_toml_is_told_with_its_line() -> None:
    found = complaints(("boxes = 7", "boxes ="))
    assert found == [f"{FILE}: this is not TOML: Invalid value (at line {line(TEXT, 'boxes')}, column 8)"]
    [found_twice] = complaints(("boxes = 7", "boxes = 7\nboxes = 9"))
    assert f"this is not TOML: a key stands twice (at line {line(TEXT, 'boxes') + 1}" in found_twice


def test_a_book_may_leave_out_what_it_has_not() -> None:
    start, end = TEXT.index("[insurance]"), TEXT.index("[settlement]")
    book = read((TEXT[start:end], "")).text
    assert book.insurance is None
    assert book.squeeze is None


def test_problems_of_sense_come_all_at_once_too() -> None:
    found = complaints(
        ('clause = "1"', 'clause = "9"'), ('odds = "1:1"', 'odds = "one"'), ("boxes = 7", "boxes = 7\nboxes_most = 3")
    )
    assert [one.removeprefix(f"{FILE}: ") for one in found] == [
        "line 8: decks.clause: the book has no clause 9",
        "line 14: layouts[0].boxes_most: 7 boxes are not between 7 and 3",
        "line 88: bets[0].pays[0].odds: 'one' is not valid odds; "
        "write what is won, a colon and the stake, such as 8:1 or 1.5:1",
    ]
