"""A book with mistakes of every kind tells all of them at once, and nothing that comes of another mistake only."""

import pytest

from punto.rules import BookError, BookText
from punto.rules.book import read_resolved
from punto.rules.book_file import BetNotFound, BookSource, no_other_files, resolve_source
from punto.rules.shape import shape_problems, shaped
from tests.rules.small_book import FILE, altered, complaints, line


def told(*changes: tuple[str, str]) -> list[str]:
    """What is wrong with the altered book, without file and line."""
    return [one.removeprefix(f"{FILE}: ").partition(": ")[2] for one in complaints(*changes)]


def test_keys_kinds_references_odds_and_rows_are_told_at_once_by_line() -> None:
    changes = (
        ("boxes = 7", 'boxes = "7"'),
        ('late_clause = "1"', 'late_clauze = "1"'),
        ('area = "pair"\nkind = "side"', 'area = "pair"\nkind = "sideways"'),
        ('odds = "11:1", clause = "3" }', 'odd = "11:1", clause = 3 }'),
        ('{ otherwise = true, result = "lose", clause = "3" },\n]\n\n[[bets]]\narea = "wager"', "]\n\n[[bets]]"),
        ('odds = "1.5:1", clause = "3"', 'odds = "1.5-1", clause = "9"'),
        ('odds = "4:1"\ntie = "win"', 'odds = "4:1"\ntie = "one"'),
        ('remedy = "ruling"', "remedy = 7"),
        ('kind = "behaviour"\nsense = "Insuring."', ""),
    )
    found = complaints(*changes)
    places = [one.split(": ")[2] for one in found]
    assert places == [
        "layouts[0].boxes",
        "betting.late_clauze",
        "bets[1].kind",
        "bets[1].pays[0].odd",
        "bets[1].pays[0].clause",
        "bets[2].pays",
        "bets[3]",
        "bets[3].pays[0].clause",  # no clause 9
        "bets[3].pays[0].odds",
        "insurance.offers[1].tie",
        "irregularities[0].remedy",
        "clauses[3]",
        "clauses[3]",
    ]
    lines = [int(one.split("line ")[1].split(":")[0]) for one in found]
    assert lines == sorted(lines)
    assert "did you mean late_clause?" in found[1]
    assert found[6].endswith("the key is missing: `area`")


def test_a_pay_table_that_is_not_whole_is_told_beside_other_mistakes() -> None:
    found = told(
        ("boxes = 7", 'boxes = "7"'),
        ('{ when = { winner = "banker" }, result = "lose", clause = "3" },', ""),
        ("player_points = [6]", "player_points = [8]"),
    )
    assert [one.split(":")[0] for one in found] == ["layouts[0].boxes", "bets[0].pays", "insurance.offers[0]"]
    assert "no row covers" in found[1]
    assert found[2].endswith("this row can never be offered")


@pytest.mark.parametrize(
    ("old", "new", "only"),
    [
        # A name that is missing or wrong: nothing is said of those who look it up.
        ('area = "ante"', 'aera = "ante"', "bets[2].aera: there is no such key (did you mean area?)"),
        ('area = "ante"', "area = 5", "bets[2].area: a text is expected"),
        ('number = "4"', "number = 4", "clauses[3].number: a text is expected"),
        ('name = "five"', "name = 5", "insurance.windows[1].name: a text is expected"),
        ('kind = "wager"', 'kind = "weger"', "bets[3].kind: 'weger' is not known here"),
        # A value that others of its entry go with.
        ('odds = "1:1"', 'odd = "1:1"', "bets[0].pays[0].odd: there is no such key (did you mean odds?)"),
        ('needs = ["player"]', 'needs = "player"', "bets[1].needs: a list is expected"),
        ('hand = "player"', 'hand = "left"', "bets[0].hand: 'left' is not known here"),
        ('when = { winner = "player" }', 'when = { winner = "house" }', "bets[0].pays[0].when.winner: 'house'"),
        ('remedy = "ruling"', 'remedy = "rulings"', "irregularities[0].remedy: 'rulings' is not known here"),
        ("cards = 5", 'cards = "5"', "insurance.windows[1].cards: a whole number is expected"),
        ("allowed = [6, 8]", "allowed = [6, 0]", "decks.allowed[1]: a whole number of at least 1"),
        ("[settlement]", "[setlement]", "setlement: there is no such key in a book (did you mean settlement?)"),
    ],
)
def test_what_comes_of_another_mistake_is_not_told(old: str, new: str, only: str) -> None:
    [one] = told((old, new))
    assert one.startswith(only)


def test_a_file_that_takes_and_removes_wrongly_is_checked_all_the_same() -> None:
    def taker(name: str) -> BookSource:
        raise BetNotFound(f"the catalogue has no bet {name}")

    text = 'take = ["quick"]\nremove = [7]\nformat = "1"\n' + altered(
        ("boxes = 7", 'boxes = "7"'), ('area = "pair"', 'each = { n = 5 }\narea = "pair"')
    )
    with pytest.raises(BookError) as caught:
        read_resolved(resolve_source(BookSource(FILE, text), no_other_files, taker))
    places = [one.split(": ")[2] for one in caught.value.lines]
    assert places == ["take[0]", "remove[0]", "format", "layouts[0].boxes", "bets[1].each"]


def test_values_of_the_right_shape_stay_what_they_are() -> None:
    source = BookSource(FILE, altered())
    values = resolve_source(source, no_other_files).values
    assert shaped(values).values == values
    assert shape_problems(values) == []


def test_something_of_the_right_shape_stands_in_for_every_key() -> None:
    found = shaped({})
    assert len(found.problems) == len([key for key in BookText.__struct_fields__ if (key,) in found.stand_ins])
    assert shape_problems(found.values) == []


def test_the_line_of_a_key_that_is_missing_is_that_of_its_entry() -> None:
    change = ('clause = "3"\nneeds', "needs")
    entry = line(altered(change), 'area = "pair"') - 1
    assert complaints(change) == [f"{FILE}: line {entry}: bets[1]: the key is missing: `clause`"]
