from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.roads import Result, ResultsError, Winner, format_results, parse_results

results = st.lists(st.builds(Result, st.sampled_from(Winner), st.booleans(), st.booleans())).map(tuple)


def test_the_notation_of_the_manual() -> None:
    assert parse_results("BbPTp") == (
        Result(Winner.BANKER, banker_pair=True),
        Result(Winner.PLAYER),
        Result(Winner.TIE, player_pair=True),
    )


@given(results)
def test_what_is_written_reads_back(shoe: tuple[Result, ...]) -> None:
    assert parse_results(format_results(shoe)) == shoe


def test_both_pairs_may_stand_in_either_order() -> None:
    assert parse_results("Tpb") == parse_results("Tbp") == (Result(Winner.TIE, True, True),)
    assert format_results(parse_results("Tpb")) == "Tbp"


def test_no_results_are_a_row_of_results_too() -> None:
    assert parse_results("") == ()


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("BPX", "character 3 of the results, 'X',", "is not one of"),
        ("BP BP", "character 3 of the results, ' ',", "is not one of"),
        ("t", "character 1 of the results, 't',", "is not one of"),
        ("B\n", "character 2 of the results, '\\n',", "is not one of"),
        ("pB", "character 1 of the results, 'p',", "before any winner"),
        ("Bbb", "character 3 of the results, 'b',", "twice"),
        ("PBpbp", "character 5 of the results, 'p',", "twice"),
        ("BPВ", "character 3 of the results, 'В',", "is not one of"),  # a Cyrillic letter that looks like B
    ],
)
def test_anything_else_is_refused_with_its_place(text: str, place: str, reason: str) -> None:
    with pytest.raises(ResultsError) as refused:
        parse_results(text)
    assert str(refused.value).startswith(place)
    assert reason in str(refused.value)
