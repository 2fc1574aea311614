from __future__ import annotations

from fractions import Fraction

from tests.cli.called import answer


def test_before_the_deal_advice_is_the_odds() -> None:
    advice = answer("advise", "ez", "--json").json
    assert advice["stage"] == "before-the-deal"
    assert advice["bets"] == answer("odds", "ez", "--json").json["bets"]
    assert advice["insurance"] == advice["ante"] == []


def test_before_the_deal_an_ante_is_worth_its_best_decisions() -> None:
    advice = answer("advise", "knockout", "--json").json
    decisions = answer("odds", "knockout", "--json").json["ante"]
    for one in advice["ante"]:
        side = one["ante"].removeprefix("ante-")
        plays = {row["first"]: Fraction(row["play"]) for row in decisions if row["side"] == side}
        # Of 416 cards 128 count nothing and 32 each of one to nine; giving up loses the ante.
        best = sum(max(play, Fraction(-1)) * (128 if first == 0 else 32) for first, play in plays.items())
        assert Fraction(one["ev"]) == best / 416


def test_after_the_first_card_the_ante_is_decided() -> None:
    advice = answer("advise", "knockout", "--round", "9S", "--json").json
    assert advice["stage"] == "first-cards"
    assert advice["cards"] == 415
    assert [(a["ante"], a["best"]) for a in advice["ante"]] == [("ante-player", "play"), ("ante-banker", "play")]


def test_after_four_cards_insurance_is_open() -> None:
    advice = answer("advise", "insurance", "--seen", "4S 4D", "--round", "5S 6S KS KD", "--json").json
    assert (advice["stage"], advice["player"], advice["banker"], advice["cards"]) == (
        "four-cards",
        "5S KS",
        "6S KD",
        410,
    )
    [offer] = advice["insurance"]
    assert (offer["window"], offer["hand"], offer["odds"]) == ("after-four-cards", "banker", "3:1")
    assert Fraction(offer["ev"]) > 0


def test_a_finished_round_is_certain() -> None:
    advice = answer("advise", "ez", "--round", "9S AS KS KD", "--json").json
    assert advice["stage"] == "finished"
    assert {bet["bet"]: bet["ev"] for bet in advice["bets"]}["player"] == "1/1"


def test_people_get_a_table() -> None:
    assert "Insurance on Banker at 3:1" in answer("advise", "insurance", "--round", "5S 6S KS KD").out
    assert "Ante (Player): give up" in answer("advise", "knockout", "--round", "5S").out
