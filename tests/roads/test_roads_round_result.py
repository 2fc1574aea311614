from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.roads.roads import ResultsError, RoundResult, RoundWinner, format_results, parse_results

results = st.lists(st.builds(RoundResult, st.sampled_from(RoundWinner), st.booleans(), st.booleans())).map(tuple)


def test_the_notation_of_the_manual() -> None:
    assert parse_results("BbPTp") == (
        RoundResult(RoundWinner.BANKER, banker_pair=True),
        RoundResult(RoundWinner.PLAYER),
        RoundResult(RoundWinner.TIE, player_pair=True),
    )


@given(results)
def test_what_is_written_reads_back(shoe: tuple[RoundResult, ...]) -> None:
    assert parse_results(format_results(shoe)) == shoe


def test_both_pairs_may_stand_in_either_order() -> None:
    assert parse_results("Tpb") == parse_results("Tbp") == (RoundResult(RoundWinner.TIE, True, True),)
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
