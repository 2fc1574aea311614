"""The page that says which test holds which clause is true, and no clause loses its last test."""

import pytest

from punto.books import load
from tools import conformance
from tools.conformance import WrongMark, collect, format_held, lost, marks_in, page, read_held, unknown

REMEDY = "run `make conformance` and commit what it wrote"


def test_every_mark_names_a_clause() -> None:
    assert unknown(collect()) == []


def test_no_clause_has_lost_its_test() -> None:
    assert lost(collect(), read_held(conformance.HELD.read_text(encoding="utf-8"))) == []


def test_the_list_of_held_clauses_is_complete() -> None:
    held = conformance.HELD.read_text(encoding="utf-8")
    assert set(collect()) <= set(read_held(held)), REMEDY
    assert held == format_held(read_held(held)), REMEDY


def test_the_page_is_up_to_date() -> None:
    assert conformance.PAGE.read_text(encoding="utf-8") == page(collect()), REMEDY


MARKED = """
import pytest

@pytest.mark.clause("ez", "4")
@pytest.mark.clause("ez", "5")
@pytest.mark.parametrize("x", [1])
def test_one(x): ...

class TestMore:
    @pytest.mark.clause("commission", "3.4")
    def test_two(self): ...

def test_three(): ...
"""


def test_marks_are_found_on_functions_and_methods() -> None:
    assert list(marks_in(MARKED, "t.py")) == [
        (("ez", "4"), "t.py::test_one"),
        (("ez", "5"), "t.py::test_one"),
        (("commission", "3.4"), "t.py::test_two"),
    ]


@pytest.mark.parametrize(
    "source",
    [
        "@pytest.mark.clause('ez')\ndef test_x(): ...",
        "@pytest.mark.clause('ez', 4)\ndef test_x(): ...",
        "@pytest.mark.clause(BOOK, '4')\ndef test_x(): ...",
        "@pytest.mark.clause('ez', number='4')\ndef test_x(): ...",
        "@pytest.mark.clause\ndef test_x(): ...",
        "@pytest.mark.clause('ez', '4')\ndef helper(): ...",
        "pytestmark = pytest.mark.clause('ez', '4')",
        "@pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.clause('ez', '4'))])\ndef test_x(x): ...",
    ],
)
def test_a_mark_that_cannot_be_read_is_an_error(source: str) -> None:
    with pytest.raises(WrongMark, match=r"^t\.py:\d: "):
        list(marks_in(source, "t.py"))


def test_unknown_and_lost_clauses_are_told() -> None:
    tests = {("ez", "4"): ["a::b"], ("ez", "99"): ["a::c"], ("macau", "1"): ["a::d"]}
    assert unknown(tests) == [
        "a::c is marked with clause 99 of ez, which does not exist",
        "a::d is marked with clause 1 of macau, which does not exist",
    ]
    assert lost(tests, [("ez", "4"), ("ez", "5")]) == ["clause 5 of ez used to have a test and now has none"]


def test_what_has_no_test_is_told_plainly() -> None:
    text = page({("commission", "3.4"): ["tests/t.py::test_x"]})
    assert "| [commission](#commission) | 20 | 18 | 1 | 17 |" in text
    assert "| [test_x](../../tests/t.py) |" in text
    assert "Behaviour clauses without a test: 2.1.2, 2.1.3, 2.2.1, 3.1, 3.2, 3.3, 3.5, " in text


def test_every_clause_has_its_row() -> None:
    text = page(collect())
    for (book, number), clause in conformance.all_clauses().items():
        chapter = text.split(f"\n## {book}\n")[1].split("\n## ")[0]
        assert chapter.count(f"\n| {number} | {clause.kind.value} | {clause.sense}") == 1


@pytest.mark.gli("4.18.2")
def test_whose_word_a_decision_is() -> None:
    insurance = page(collect()).split("\n## insurance\n")[1].split("\n## ")[0]
    rows = {row.split("`")[1]: row for row in insurance.split("When something goes wrong")[1].splitlines()[4:]}
    assert set(rows) == {entry.kind.value for entry in load("insurance").irregularities}
    # The document names who decides in 5.10, 5.13 and 5.18; 5.4, 5.9 and 5.11 leave nothing to decide.
    named = {kind for kind, row in rows.items() if "house term; the document names nobody" not in row}
    decided = {"drawn-together", "insurance-neglected", "uncovered"}
    assert named == decided | {"interruption", "face-up", "found-late"}
    assert {kind for kind, row in rows.items() if "| nobody has to |" in row} == named - decided
