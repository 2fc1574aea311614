import re

import pytest

from punto.refusal import SENTENCES
from punto.table import Reason, Refusal


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_a_sentence(reason: Reason) -> None:
    fields = set(re.findall(r"\{(\w+)\}", SENTENCES[reason]))
    sentence = Refusal(reason, "5.2", dict.fromkeys(fields, "x")).sentence
    assert sentence.endswith(" (clause 5.2)")
    assert "\n" not in sentence
    assert "{" not in sentence


def test_codes_are_for_programs() -> None:
    codes = [reason.value for reason in Reason]
    assert len(codes) == len(set(codes))
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", code) for code in codes)


def test_a_refusal_without_a_clause_has_only_its_sentence() -> None:
    refusal = Refusal(Reason.AREA_TWICE, None, {"area": "tie"})
    assert refusal.sentence == "tie is bet more than once"
