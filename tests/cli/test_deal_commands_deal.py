from __future__ import annotations

import pytest

from punto.books import load
from punto.cards import parse_cards, seeded_bytes, shuffled_shoe
from punto.coup import parse_coup
from punto.dealer.dealer import deal_shoe
from tests.cli.called import answer, refusal


def test_programs_get_every_round() -> None:
    shoe = answer("deal", "ez", "--decks", "6", "--seed", "4", "--rounds", "3", "--json").json
    assert (shoe["book"], shoe["decks"], shoe["seed"], len(shoe["rounds"])) == ("ez", 6, 4, 3)
    play = load("ez").play
    for record in shoe["rounds"]:
        coup = parse_coup(record["cards"], play)
        assert record["player"] == {"cards": [str(card) for card in coup.player], "points": coup.player_points}
        assert record["banker"] == {"cards": [str(card) for card in coup.banker], "points": coup.banker_points}
        assert record["winner"] == coup.winner.value
        assert record["natural"] is ("natural" in record["declared"])


def test_a_shoe_is_burned_dealt_in_order_and_goes_one_round_past_the_cut_card() -> None:
    shoe = answer("deal", "commission", "--decks", "4", "--seed", "11", "--json").json
    order = shuffled_shoe(4, seeded_bytes(11))
    first = order[0]
    place = 1 + (first.points or 10)
    left = []
    for record in shoe["rounds"]:
        left.append(4 * 52 - place)
        player, banker = (parse_cards(" ".join(record[hand]["cards"])) for hand in ("player", "banker"))
        dealt = (player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:])
        assert order[place : place + len(dealt)] == dealt
        place += len(dealt)
    # The cut card lies in front of the last fourteen: only the last round begins behind it.
    assert [cards > 14 for cards in left] == [True] * (len(left) - 1) + [False]


def test_a_seed_fixes_a_shoe_and_another_gives_another() -> None:
    one = answer("deal", "knockout", "--seed", "1", "--rounds", "9", "--json").out
    assert answer("deal", "knockout", "--seed", "1", "--rounds", "9", "--json").out == one
    assert answer("deal", "knockout", "--seed", "2", "--rounds", "9", "--json").out != one


def test_a_fresh_seed_is_told_so_that_the_shoe_can_be_dealt_again() -> None:
    fresh = answer("deal", "ez", "--rounds", "2", "--json").json
    again = answer("deal", "ez", "--rounds", "2", "--seed", str(fresh["seed"]), "--json").json
    assert again == fresh
    assert fresh["decks"] == 8
    assert fresh["seed"].bit_length() > 200, "all of 256 bits, but for one time in 10^17"


def test_people_see_a_line_for_each_round_and_a_sum() -> None:
    shown = answer("deal", "ez", "--decks", "6", "--seed", "4", "--rounds", "12").out
    lines = shown.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == "EZ Baccarat, 6 decks, seed 4, 3♣ shown and 3 more burned"
    assert [" ".join(line.split()) for line in lines[3:8:4]] == [
        "1 J♣ 6♥ 6 5♠ 3♠ 8 Banker Natural",
        "5 6♥ J♣ 6 10♥ Q♣ 5♦ 5 Player",
    ]
    assert lines[-1] == "12 rounds: Player 7, Banker 5, Tie 0"


def test_a_shoe_that_ends_early_says_so() -> None:
    rounds = len(list(deal_shoe(6, seeded_bytes(4)).rounds(load("ez").play)))
    shown = answer("deal", "ez", "--decks", "6", "--seed", "4", "--rounds", "500").out
    assert f"The shoe ended after {rounds} of the 500 rounds asked for." in shown
    asked = ("deal", "ez", "--decks", "6", "--seed", "4", "--rounds", "500", "--json")
    assert len(answer(*asked).json["rounds"]) == rounds


@pytest.mark.parametrize(
    ("book", "decks", "words"),
    [
        ("ez", "7", "ez is not played with 7 decks but with 6 or 8 (clause intro-2)"),
        ("commission", "9", "commission is not played with 9 decks but with 4-8 (clause 2.2.1)"),
        ("insurance", "0", "not played with 0 decks but with 4-8 (clause 2.2.1)"),
        ("knockout", "-4", "not played with -4 decks but with 4-8 (clause 2.2.1)"),
    ],
)
def test_decks_that_the_book_does_not_allow(book: str, decks: str, words: str) -> None:
    assert words in refusal("deal", book, "--decks", decks, "--seed", "1")


@pytest.mark.parametrize("rounds", ["0", "-1"])
def test_rounds_that_cannot_be_dealt(rounds: str) -> None:
    assert f"--rounds must be from 1 to 1,000,000, not {rounds}" in refusal("deal", "ez", "--rounds", rounds)


@pytest.mark.parametrize("option", ["--decks", "--seed", "--rounds"])
@pytest.mark.parametrize("text", ["x", "", "1.0", "9" * 5000])
def test_numbers_that_are_none(option: str, text: str) -> None:
    assert option in refusal("deal", "ez", option, text)
