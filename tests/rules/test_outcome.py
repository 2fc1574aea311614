from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.rules import Outcome, Result, format_odds, parse_odds, shown_odds
from punto.rules.outcome import MOST_ODDS


@pytest.mark.parametrize(
    ("text", "odds", "written"),
    [
        ("8:1", Fraction(8), "8:1"),
        ("1:2", Fraction(1, 2), "1:2"),
        ("0.95:1", Fraction(19, 20), "19:20"),
        ("1.05:1", Fraction(21, 20), "21:20"),
        ("1.5:1", Fraction(3, 2), "3:2"),
        ("3:2", Fraction(3, 2), "3:2"),
        ("10:20", Fraction(1, 2), "1:2"),
        ("0.5:0.25", Fraction(2), "2:1"),
    ],
)
def test_odds_are_read_exactly_and_written_in_lowest_terms(text: str, odds: Fraction, written: str) -> None:
    assert parse_odds(text) == odds
    assert format_odds(odds) == written


@pytest.mark.parametrize(
    ("odds", "shown"),
    [
        ("8:1", "8:1"),
        ("0.5:1", "1:2"),
        ("1.5:1", "3:2"),
        ("10:9", "10:9"),
        ("19:20", "0.95:1"),
        ("21:20", "1.05:1"),
        ("191:200", "0.955:1"),
        ("7:10", "0.7:1"),
        ("1:1000000", "0.000001:1"),
        ("13:11", "13:11"),
        ("1:128", "1:128"),  # Seven places are no longer read at a glance.
    ],
)
def test_odds_are_shown_as_people_write_them(odds: str, shown: str) -> None:
    assert shown_odds(odds) == shown_odds(parse_odds(odds)) == shown


sides = st.integers(1, MOST_ODDS)


@given(st.builds(Fraction, sides, sides))
def test_odds_read_back(odds: Fraction) -> None:
    assert parse_odds(format_odds(odds)) == odds
    assert parse_odds(shown_odds(odds)) == odds


@pytest.mark.parametrize(
    "text",
    [
        "", "8", ":", "8:", ":1", "0:1", "1:0", "-8:1", "8:-1", "-8:-1", "8:1:1", " 8:1", "8:1\n",
        "1e3:1", "nan:1", "inf:1", "1_0:1", ".5:1", "８:1", "8to1", "8  to 1", "8 FOR 1", "for 1", "0 to 1",
    ],
)  # fmt: skip
def test_what_are_no_odds_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not valid odds; write what is won, a colon and the stake, such as 8:1"):
        parse_odds(text)


def test_the_net_of_one_unit() -> None:
    win = Outcome(Result.WIN, Fraction(19, 20), "4.1.2")
    assert (win.net, win.net_numerator, win.net_denominator) == (Fraction(19, 20), 19, 20)
    assert Outcome(Result.PUSH, None, "3.8").net == 0
    assert Outcome(Result.LOSE, None, "4.1.2").net == -1


@pytest.mark.parametrize("result", [Result.PUSH, Result.LOSE])
def test_only_a_win_has_odds(result: Result) -> None:
    with pytest.raises(AssertionError):
        Outcome(result, Fraction(1), "1")
    with pytest.raises(AssertionError):
        Outcome(Result.WIN, None, "1")
