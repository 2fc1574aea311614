import re

import pytest

from punto.refusal import AMOUNTS, Reason, Refusal
from punto.words import ENGLISH, phrases


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_a_sentence(reason: Reason) -> None:
    fields = set(re.findall(r"\{(\w+)\}", phrases(ENGLISH, "refusals.json")[reason.value]))
    params: dict[str, str | int] = {name: "1000.00" if name in AMOUNTS else "x" for name in fields}
    sentence = Refusal(reason, "5.2", params).sentence
    assert sentence.endswith(" (clause 5.2)")
    assert "\n" not in sentence
    assert "{" not in sentence
    assert "1000.00" not in sentence
    assert sentence.count("1,000") == len(fields & AMOUNTS)


def test_codes_are_for_programs() -> None:
    codes = [reason.value for reason in Reason]
    assert len(codes) == len(set(codes))
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", code) for code in codes)


def test_a_refusal_without_a_clause_has_only_its_sentence() -> None:
    refusal = Refusal(Reason.AREA_TWICE, None, {"area": "tie"})
    assert refusal.sentence == "tie is bet more than once"


def test_money_is_for_people_in_the_sentence_and_for_programs_in_the_parameters() -> None:
    refusal = Refusal(Reason.BELOW_MINIMUM, None, {"area": "tie", "minimum": "1000.00", "amount": "999.50"})
    assert refusal.sentence == "the minimum on tie is 1,000; this bet would be 999.50"
    assert refusal.params["minimum"] == "1000.00"


@pytest.mark.parametrize(
    ("term", "value", "told"),
    [
        ("maximum", "2000.00", "2,000"),
        ("minimum of tie", "-5.00", "-5"),
        ("chip", "0.00", "0"),
        ("decks", 8, "8"),
        ("layout", "12.50", "12.50"),
    ],
)
def test_the_value_of_a_term_is_money_where_the_term_is(term: str, value: str | int, told: str) -> None:
    refusal = Refusal(Reason.WRONG_TERMS, None, {"term": term, "value": value, "problem": "no"})
    assert refusal.sentence == f"{term} cannot be {told} at a table: no"
