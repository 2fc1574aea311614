"""What `punto settle` refuses: one sentence on stderr with the clause, nothing on stdout, status 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.called import refusal
from tests.rules.small_book import altered

PLAYER_NINE = "KS 3H 9D 5C"
BANKER_FIVE_AND_AGAIN = "KS KH 4D 5C 7H KD"
"""Banker 5 against 4; Player draws to 1 and Banker draws: insurance on Banker is offered twice."""


def refused(book: str, cards: str, *bets: str) -> str:
    options = [word for bet in bets for word in ("--bet", bet)]
    sentence = refusal("settle", book, "--cards", cards, *options)
    assert refusal("settle", book, "--cards", cards, *options, "--json") == sentence
    assert sentence.startswith("punto: ")
    return sentence


@pytest.mark.parametrize(
    ("book", "area", "clause"),
    [
        ("commission", "easy-six", "2.1.3"),
        ("commission", "insurance-player-4", "2.1.3"),
        ("easy-six", "dragon-7", "2.1.3"),
        ("ez", "player-pair", "intro-5"),
        ("insurance", "easy-six", "3.7"),
        ("knockout", "super-six-plus", "2.1.3"),
        ("knockout", "Playr", "2.1.3"),
        ("knockout", "winning-total-3", "2.1.3"),
    ],
)
def test_an_area_that_the_book_does_not_have(book: str, area: str, clause: str) -> None:
    sentence = refused(book, PLAYER_NINE, f"{area}=10")
    assert f"no betting area {area}" in sentence
    assert sentence.endswith(f"(clause {clause})")


@pytest.mark.parametrize(
    ("cards", "bets", "words", "clause"),
    [
        # Player 4, Banker 5: the table has no row for the Player hand.
        (
            BANKER_FIVE_AND_AGAIN,
            ("player=100", "insurance-player-4=5"),
            "insurance-player-4 is not on offer at Player 4, Banker 5",
            "4.1.2",
        ),
        # A natural has ended the deal; Player 7 against 9 has a row nowhere.
        ("KS KH 7D 9C", ("player=100", "insurance-player-4=5"), "insurance-player-4 is not on offer", "4.1.2"),
        # Player has drawn to 7, and Banker stands on 6 beside a third card of 3.
        (
            "KS KH 4D 6C 3H",
            ("player=100", "insurance-player-5=5"),
            "insurance-player-5 is not on offer at Player 7, Banker 6",
            "3.12.1",
        ),
        # Player stood: there was no third card to insure after.
        (
            "2S KH 4D 4C 4S",
            ("player=100", "insurance-player-5=5"),
            "insurance-player-5 is not on offer: no third card came to Player",
            "3.12.1",
        ),
        (BANKER_FIVE_AND_AGAIN, ("player=100", "insurance-banker-4=5"), "there is no bet on banker to insure", "3.11"),
        (BANKER_FIVE_AND_AGAIN, ("insurance-banker-4=5",), "there is no bet on banker to insure", "3.11"),
        (
            BANKER_FIVE_AND_AGAIN,
            ("banker=100", "insurance-banker-4=50.01"),
            "the greatest insurance stake is 50",
            "3.12.2",
        ),
        # 2:1 on 20 and 7:1 on 9 are 103 together.
        (
            BANKER_FIVE_AND_AGAIN,
            ("banker=100", "insurance-banker-4=20", "insurance-banker-5=9"),
            "the greatest insurance stake is 8.57",
            "3.12.2",
        ),
        # 3:2 on 60.01 is a cent and a half beyond 90.
        (
            "KS KH AD 4C 2H 8S",
            ("banker=90", "insurance-banker-5=60.01"),
            "the greatest insurance stake is 60",
            "3.12.2",
        ),
        (
            BANKER_FIVE_AND_AGAIN,
            ("banker=100", "insurance-banker-5=5"),
            "insurance is forgone for this round: an offer was not taken",
            "5.3",
        ),
    ],
)
def test_insurance(cards: str, bets: tuple[str, ...], words: str, clause: str) -> None:
    sentence = refused("insurance", cards, *bets)
    assert words in sentence
    assert sentence.endswith(f"(clause {clause})")


@pytest.mark.parametrize(
    ("bets", "words", "clause"),
    [
        (("winning-total-9=5",), "winning-total-9 may only be bet together with player or banker", "3.3"),
        (("winning-total-1-4=5", "tie=5"), "winning-total-1-4 may only be bet together with player or banker", "3.3"),
        (("ante-player=5", "winning-total-7=5"), "winning-total-7 may only be bet", "3.3"),
        (("wager-player=10",), "there is no ante on ante-player to follow or give up", "3.4"),
        (("ante-banker=5", "wager-player=10"), "there is no ante on ante-player to follow or give up", "3.4"),
        (("ante-player=5", "wager-player=5"), "exactly 2 times ante-player, that is 10", "3.4.2"),
        (("wager-banker=10.01", "ante-banker=5"), "exactly 2 times ante-banker, that is 10", "3.4.2"),
    ],
)
def test_bets_that_need_another(bets: tuple[str, ...], words: str, clause: str) -> None:
    sentence = refused("knockout", PLAYER_NINE, *bets)
    assert words in sentence
    assert sentence.endswith(f"(clause {clause})")


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("", "0 cards are too few"),
        (" , ", "0 cards are too few"),
        ("KS", "1 card is too few"),
        ("KS 3H 9D", "3 cards are too few"),
        # Player 5 draws, and no card is given.
        ("2S KH 3D 7C", "4 cards are too few"),
        # Player 5 draws a king, Banker 2 draws as well.
        ("2S KH 3D 2C KD", "5 cards are too few"),
        ("KS 3H 9D 5C 2D", "finished after 4 cards, but 5 were given"),
        ("2S KH 3D 7C KD 2H", "finished after 5 cards, but 6 were given"),
        ("2S KH 3D 2C KD 5S 5S", "finished after 6 cards, but 7 were given"),
    ],
)
def test_too_few_and_too_many_cards(cards: str, words: str) -> None:
    sentence = refused("commission", cards, "player=1")
    assert words in sentence
    assert sentence.endswith("(clause 3.6)")


def test_more_of_a_card_than_eight_decks_hold() -> None:
    sentence = refused("insurance", " ".join(["9S"] * 9), "player=1")
    assert "9 of 9S are too many: the shoe holds 8 of each card" in sentence
    assert sentence.endswith("(clause 2.2.1)")


def test_more_of_a_card_than_a_book_of_one_deck_holds(tmp_path: Path) -> None:
    file = tmp_path / "one.toml"
    file.write_text(altered(("allowed = [6, 8]", "allowed = [1]")), encoding="utf-8")
    sentence = refused(str(file), "9S KH 9S KD", "pair=1")
    assert "2 of 9S are too many: the shoe holds 1 of each card" in sentence


@pytest.mark.parametrize("card", ["1S", "KX", "S", "11H", "♠", "K S", "KSS", "0D", "JOKER"])
def test_what_is_no_card(card: str) -> None:
    assert "is not a card" in refused("commission", f"KS 3H 9D {card}", "player=1")


@pytest.mark.parametrize(
    ("bet", "words"),
    [
        ("player", "'player' is not a bet"),
        ("=5", "'=5' is not a bet"),
        ("", "'' is not a bet"),
        ("player=", "not a positive amount"),
        ("player=abc", "not a positive amount"),
        ("player=0", "zero"),
        ("player=0.00", "zero"),
        ("player=-5", "not a positive amount"),
        ("player=+5", "not a positive amount"),
        ("player=1.234", "finer than a cent"),
        ("player=0.001", "finer than a cent"),
        ("player=1e3", "not a positive amount"),
        ("player=1,000", "not a positive amount"),
        ("player=١", "not a positive amount"),
        ("player=nan", "not a positive amount"),
        ("player=inf", "not a positive amount"),
        ("player=5=5", "not a positive amount"),
        ("player=5 5", "not a positive amount"),
        ("player=5\n5", "not a positive amount"),
        ("player=0x10", "not a positive amount"),
        ("player=" + "9" * 16, "at most 15 digits"),
        ("player=" + "9" * 5000, "at most 15 digits"),
        ("player=1." + "9" * 5000, "finer than a cent"),
    ],
)
def test_amounts_that_are_none(bet: str, words: str) -> None:
    assert words in refused("commission", PLAYER_NINE, bet)


def test_an_area_given_twice() -> None:
    assert "player is bet more than once" in refused("commission", PLAYER_NINE, "player=1", "tie=1", "player=1")


def test_no_bet_at_all() -> None:
    assert "'--bet'" in refusal("settle", "commission", "--cards", PLAYER_NINE)


def test_no_cards_at_all() -> None:
    assert "'--cards'" in refusal("settle", "commission", "--bet", "player=1")


def test_a_bet_without_its_option() -> None:
    assert "tie=1" in refusal("settle", "commission", "--cards", PLAYER_NINE, "--bet", "player=1", "tie=1")
