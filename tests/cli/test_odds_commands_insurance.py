from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from punto.books import load
from punto.rules.book import digest_of
from tests.cli.called import answer, call


def test_offers_with_who_has_the_edge_and_the_best_choice() -> None:
    found = answer("insurance", "insurance", "--shoes", "10", "--json").json
    assert list(found) == [*("book", "digest", "decks", "cards", "offers", "bets", "levels", "shoes", "cut", "seed")]
    assert found["digest"] == digest_of(load("insurance"))
    assert [level["level"] for level in found["levels"][::2]] == ["totals", "third-card", "cards", "count"]
    assert [level["error"] is None for level in found["levels"][::2]] == [True, True, True, False]
    assert (found["shoes"], found["cut"], found["seed"]) == (10, 14, 1)
    favours = {(o["window"], o["hand"], o["player_points"], o["banker_points"]): o["favours"] for o in found["offers"]}
    assert favours["after-four-cards", "banker", 5, 6] == "player"
    assert favours["after-four-cards", "banker", 1, 5] == "house"
    for offer in found["offers"]:
        assert (offer["favours"] == "player") == (Fraction(offer["ev"]) > 0)
    for bet in found["bets"]:
        assert Fraction(bet["insured_ev"]) == Fraction(bet["ev"]) + Fraction(bet["gain"])
        assert bet["insured_edge"] < bet["edge"]


def test_people_are_told_that_offers_favour_the_player() -> None:
    text = answer("insurance", "insurance", "--shoes", "0").out
    assert "12 of 73 offers favour the player." in text
    assert "Edge with best insurance" in text


def test_cards_from_a_file_have_exact_levels_alone(tmp_path: Path) -> None:
    counts = tmp_path / "left.json"
    counts.write_text('{"A": 2, "2": 2, "4": 3, "5": 3, "J": 4, "Q": 4}')
    found = answer("insurance", "insurance", "--composition", str(counts), "--json").json
    assert {level["level"] for level in found["levels"]} == {"totals", "third-card", "cards"}
    assert (found["shoes"], found["cut"], found["seed"]) == (0, None, None)
    held = [after for offer in found["offers"] for after in offer["after_hold"]]
    assert all(after["best"] in ("insure", "pass") for after in held)


def test_a_cut_card_too_deep_is_refused() -> None:
    found = call("insurance", "insurance", "--cut", "400")
    assert (found.status, found.out) == (2, "")
    assert "too many for 8 decks" in found.err
