import pytest

from punto.rules import BookError, Problem
from punto.rules.told import told
from punto.rules.validation import Place, format_place


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ((), ""),
        (("title",), "title: "),
        (("bets", 3, "pays", 0), "bets[3].pays[0]: "),
        (("insurance", "offers", 1, "odds"), "insurance.offers[1].odds: "),
    ],
)
def test_places_as_people_read_them(place: Place, text: str) -> None:
    assert format_place(place) == text


def test_an_error_tells_file_line_place_and_sentence() -> None:
    error = BookError("b.toml", [Problem(("bets", 0), told("empty"), 12), Problem((), told("deep"))])
    assert error.lines == [
        "b.toml: line 12: bets[0]: it must not be empty",
        "b.toml: this is nested too deeply for a book",
    ]
    assert str(error) == "\n".join(error.lines)


def test_an_error_without_a_problem_is_none() -> None:
    with pytest.raises(AssertionError):
        BookError("b.toml", [])
