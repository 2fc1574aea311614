from __future__ import annotations

import pytest

from tests.cli.called import answer, refusal


def test_the_study_for_programs() -> None:
    study = answer("count", "ez", "--shoes", "60", "--seed", "3", "--json").json
    assert list(study) == [
        *("book", "digest", "decks", "cut", "shoes", "seed", "rounds_per_shoe", "trigger_shoes", "bets")
    ]
    assert study["trigger_shoes"] == 60
    bets = {bet["bet"]: bet for bet in study["bets"]}
    assert list(bets["panda-8"]) == ["bet", "with", "removal", "tags", "correlation", "perfect", "counted", "published"]
    assert bets["panda-8"]["tags"]["9"] == 4
    assert bets["dragon-7"]["published"][0]["units"] == 0.597
    assert bets["dragon-7"]["perfect"]["units"] > 0
    again = answer("count", "ez", "--shoes", "60", "--seed", "3", "--json").json
    assert again == study


@pytest.mark.slow
def test_effects_and_tags_alone() -> None:
    study = answer("count", "knockout", "--shoes", "0", "--json").json
    assert {bet["bet"]: bet["perfect"] for bet in study["bets"]}["ante-player"] is None


@pytest.mark.slow
def test_insurance_is_counted_and_a_winning_total_names_the_bets_it_needs() -> None:
    study = answer("count", "insurance", "--shoes", "4", "--json").json
    bets = {bet["bet"]: bet for bet in study["bets"]}
    assert bets["banker-insured"]["perfect"]["units"] >= bets["banker"]["perfect"]["units"]
    assert any(bets["banker-insured"]["tags"].values())
    study = answer("count", "knockout", "--shoes", "0", "--json").json
    needed = {bet["bet"]: bet["with"] for bet in study["bets"]}
    assert needed["winning-total-9"] == ["player", "banker"]
    assert needed["tie"] == []


def test_people_get_tables_and_the_published_figure() -> None:
    text = " ".join(answer("count", "ez", "--shoes", "20").out.split())
    assert "effects of removal" in text
    assert "published 0.597 units a shoe, here " in text


def test_refusals() -> None:
    assert "too many for 8 decks" in refusal("count", "ez", "--cut", "400")
    assert "not played with 3 decks" in refusal("count", "ez", "--decks", "3")
    assert "--shoes" in refusal("count", "ez", "--shoes", "-1")
