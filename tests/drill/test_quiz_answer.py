from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.drill.quiz import AnswerForm, OfferAnswer, UnreadableAnswer, WinningsAnswer, WordAnswer

SIDES = WordAnswer(("player", "banker", "nobody"))
REMEDIES = WordAnswer(("void", "void-unless-reconstructed", "ruling"), ("one", "two", "three"))
NET, OFFER = WinningsAnswer(100_00), OfferAnswer()


@pytest.mark.parametrize(
    ("form", "texts", "read"),
    [
        (SIDES, ("banker", "b", "BANK", " 2 "), "banker"),
        (REMEDIES, ("void", "1"), "void"),
        (REMEDIES, ("void unless reconstructed", "void-u", "2"), "void-unless-reconstructed"),
        (NET, ("95", "+95", "95.00", "95.0"), "95.00"),
        (NET, ("1,200", "1200"), "1200.00"),
        (NET, ("0", "0.00", "push", "returned"), "0.00"),
        (NET, ("lost", "LOSE", "-100", "-100.00"), "-100.00"),
        (NET, ("-50",), "-50.00"),
        (OFFER, ("none", "No", "0"), "none"),
        (OFFER, ("3:1 33", "3 to 1, 33.00", "3-1 33", "3:1 33.0", "6:2 33"), "3:1 33.00"),
        (OFFER, ("1.5:1 60", "3:2 60"), "3:2 60.00"),
    ],
)
def test_ways_to_write_an_answer(form: AnswerForm, texts: tuple[str, ...], read: str) -> None:
    assert {form.read(text) for text in texts} == {read}


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (SIDES, ""),
        (SIDES, "x"),
        (SIDES, "4"),
        (SIDES, "0"),
        (REMEDIES, "v"),
        (NET, ""),
        (NET, "much"),
        (NET, "1.234"),
        (OFFER, "3:1"),
        (OFFER, "33"),
        (OFFER, "0:1 33"),
        (OFFER, "3:1 much"),
        (OFFER, "3:1 0"),
        (OFFER, "9" * 5000 + ":1 3"),
    ],
)
def test_what_says_nothing_is_asked_again(form: AnswerForm, text: str) -> None:
    with pytest.raises(UnreadableAnswer, match="answer with"):
        form.read(text)


def test_words_to_answer_with_are_listed_as_people_do() -> None:
    assert WordAnswer(("player", "banker", "nobody")).hint == "player, banker or nobody"
    assert WordAnswer(("continue", "return")).hint == "continue or return"
    assert WordAnswer(("a", "b"), ("one thing", "another")).hint == "1 to 2"


@given(st.text(max_size=80) | st.from_regex(r"[0-9:., kto+-]{0,30}"))
def test_whatever_is_typed_is_read_or_asked_again(text: str) -> None:
    for form in (SIDES, REMEDIES, NET, OFFER):
        try:
            read = form.read(text)
        except UnreadableAnswer:
            continue
        assert form.read(read) == read


def test_right_answers_in_words() -> None:
    assert [NET.show(answer) for answer in ("95.00", "1299.75", "0.00", "-100.00")] == [
        "95",
        "1,299.75",
        "0, the stake is returned",
        "lost",
    ]
    assert (OFFER.show("none"), OFFER.show("3:1 1033.00")) == ("nothing", "3:1 1,033")
    assert (SIDES.show("player"), REMEDIES.show("ruling")) == ("player", "three")
