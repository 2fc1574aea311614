from __future__ import annotations

from fractions import Fraction

from tests.cli.called import answer


def test_offers_with_who_has_the_edge_and_the_best_choice() -> None:
    found = answer("insurance", "insurance", "--json").json
    assert list(found) == ["book", "decks", "cards", "offers", "bets"]
    favours = {
        (o["window"], o["hand"], o["player_points"], o["banker_points"]): o["favours"]
        for o in found["offers"]
    }
    assert favours["after-four-cards", "banker", 5, 6] == "player"
    assert favours["after-four-cards", "banker", 1, 5] == "house"
    for offer in found["offers"]:
        assert (offer["favours"] == "player") == (Fraction(offer["ev"]) > 0)
    for bet in found["bets"]:
        assert Fraction(bet["insured_ev"]) == Fraction(bet["ev"]) + Fraction(bet["gain"])
        assert bet["insured_edge"] < bet["edge"]


def test_people_are_told_that_offers_favour_the_player() -> None:
    text = answer("insurance", "insurance").out
    assert "12 of 73 offers favour the player." in text
    assert "Edge with best insurance" in text
