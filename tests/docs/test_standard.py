"""The page on GLI-19 is true: clauses that are met have tests, marks name clauses, and settings exist."""

from __future__ import annotations

import msgspec
import pytest

from tools import standard
from tools.conformance import GLI, WrongMark, collect_standard, marks_in
from tools.standard import ClauseState, Standard, StandardClause, StandardPart

REMEDY = "run `make conformance` (or `python tools/conformance.py`) and commit what it wrote"


def test_every_clause_and_every_mark_is_true() -> None:
    assert standard.problems(standard.load(), collect_standard()) == []


def test_the_page_is_up_to_date() -> None:
    text = standard.PAGE.read_text(encoding="utf-8")
    assert text == standard.page(standard.load(), collect_standard()), REMEDY


def test_every_clause_has_its_row() -> None:
    text = standard.page(standard.load(), {})
    for clause in standard.load().clauses:
        assert text.count(f"\n| {clause.number} | {clause.asks} | **{clause.state.value}** |") == 1


def test_marks_are_one_literal_number() -> None:
    source = '@pytest.mark.gli("2.5.5")\n@pytest.mark.gli("RTS 2E")\nasync def test_one(): ...'
    assert list(marks_in(source, "t.py", GLI)) == [(("2.5.5",), "t.py::test_one"), (("RTS 2E",), "t.py::test_one")]
    for wrong in ("()", "('2.5', '2.6')", "(NUMBER)", ""):
        with pytest.raises(WrongMark, match=r"^t\.py:\d: "):
            list(marks_in(f"@pytest.mark.gli{wrong}\ndef test_x(): ...", "t.py", GLI))


WHOLE = {
    ClauseState.MET: StandardClause("1", "x", ClauseState.MET, punto="so"),
    ClauseState.PART: StandardClause("1", "x", ClauseState.PART, punto="so", lacks="that"),
    ClauseState.OPERATOR: StandardClause("1", "x", ClauseState.OPERATOR, gives="this"),
    ClauseState.NOT_YET: StandardClause("1", "x", ClauseState.NOT_YET, lacks="all"),
}


@pytest.mark.parametrize("state", ClauseState)
def test_what_each_state_needs(state: ClauseState) -> None:
    needs_test = state in (ClauseState.MET, ClauseState.PART)
    tests = {"1": ["tests/test_a.py::test_x"]} if needs_test else {}
    assert _problems(WHOLE[state], tests) == []
    for missing in ("punto", "lacks", "gives"):
        changed = msgspec.structs.replace(WHOLE[state], **{missing: "" if getattr(WHOLE[state], missing) else "more"})
        assert len(_problems(changed, tests)) == 1


def test_what_is_not_true_is_told() -> None:
    test = {"1": ["a::b"]}
    assert _problems(WHOLE[ClauseState.MET], {}) == ["clause 1 is said to be met and no test is marked with it"]
    assert _problems(WHOLE[ClauseState.NOT_YET], test) == [
        "clause 1 has a test and is said to be missing: say in gli-19.toml how it is met"
    ]
    assert _problems(WHOLE[ClauseState.OPERATOR], {"9": ["a::b"]}) == [
        "a::b is marked with clause 9, which is not in gli-19.toml"
    ]
    unknown = msgspec.structs.replace(WHOLE[ClauseState.MET], settings=("profile.colour", "term.decks", "punto backup"))
    assert _problems(unknown, test) == ["clause 1 names the setting profile.colour, which does not exist"]
    twice = Standard((StandardPart("a", "b", (WHOLE[ClauseState.MET],) * 2),))
    assert standard.problems(twice, test) == ["clause 1 stands twice in gli-19.toml"]


def _problems(clause: StandardClause, tests: standard.Tests) -> list[str]:
    return standard.problems(Standard((StandardPart("a", "b", (clause,)),)), tests)
