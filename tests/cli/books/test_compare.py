from __future__ import annotations

import pytest

from punto.books import NAMES
from tests.cli.called import answer, refusal


def test_what_differs_and_what_it_does() -> None:
    told = answer("compare", "commission", "ez", "--json").json
    assert [book["digest"] for book in told["books"]] == [
        answer("rules", name, "--digest").out.strip() for name in ("commission", "ez")
    ]
    odds = [answer("odds", name, "--json").json["bets"] for name in ("commission", "ez")]
    for side, key in zip(odds, ("first", "second"), strict=True):
        beside = {bet["bet"]: bet[key] for bet in told["bets"] if bet[key] is not None}
        assert {bet["bet"]: bet["ev"] for bet in side} == {area: bet["ev"] for area, bet in beside.items()}
    assert {"bet": "dragon-7", "when": "anything else", "first": None, "second": "lose"} in told["pays"]
    assert {"section": "Decks", "what": "allowed", "first": "4 5 6 7 8", "second": "6 8"} in told[
        "differences"
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_book_does_not_differ_from_itself(name: str) -> None:
    told = answer("compare", name, name, "--json").json
    assert (told["same"], told["pays"], told["differences"]) == (True, [], [])
    assert "The two books say the same." in answer("compare", name, name).out


def test_decisions_are_compared_with_optimal_play() -> None:
    told = answer("compare", "insurance", "knockout", "--json").json
    names = {entry["bet"]: (entry["first"], entry["second"]) for entry in told["special"]}
    assert names["Banker with the best insurance"][1] is None
    assert names["Ante (Player), per ante"][0] is None


@pytest.mark.parametrize(
    ("form", "start"), [("--markdown", "# commission and ez"), ("--html", "<!doctype html>")]
)
def test_other_forms(form: str, start: str) -> None:
    shown = answer("compare", "commission", "ez", form).out
    assert shown.startswith(start)
    assert "Dragon 7" in shown


def test_decks_must_be_allowed_by_both() -> None:
    assert answer("compare", "commission", "ez", "--decks", "6", "--json").json["decks"] == 6
    assert "both books allow: 6, 8" in refusal("compare", "commission", "ez", "--decks", "4")
    assert "give one of them" in refusal("compare", "commission", "ez", "--html", "--json")
