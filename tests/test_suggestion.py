from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.books import NAMES
from punto.suggestion import did_you_mean, nearest


@given(st.sampled_from(NAMES), st.data())
def test_one_wrong_letter_is_forgiven(name: str, data: st.DataObject) -> None:
    """A letter doubled, as a slip of the finger does: the name itself is the nearest."""
    place = data.draw(st.integers(0, len(name) - 1))
    assert nearest(name[:place] + name[place] + name[place:], NAMES) == name


@pytest.mark.parametrize(("word", "question"), [("ezz", " (did you mean ez?)"), ("roulette", ""), ("ez", "")])
def test_a_question_only_where_something_is_close(word: str, question: str) -> None:
    assert did_you_mean(word, NAMES) == question
