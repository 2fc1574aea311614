"""Baccarat with Insurance, a finished deal: every offer, what it pays, its cap, and ties."""

import pytest

from punto import books
from punto.rules import format_odds
from tests.clauses.deals import lines, refused_by

BOOK = "insurance"


def offered(cards: int, player: int, banker: int, third: int | None = None) -> str:
    """What may be insured at these points, and at which odds: `banker 2:1`."""
    offers = books.load(BOOK).open_offers(cards, player, banker, third)
    return ", ".join(f"{offer.hand.value} {format_odds(offer.odds)}" for offer in offers)


@pytest.mark.clause("insurance", "1.9")
@pytest.mark.clause("insurance", "3.12")
@pytest.mark.clause("insurance", "4.1.2")
def test_every_offer_after_four_cards_and_no_other() -> None:
    offers = {(p, b): told for p in range(10) for b in range(10) if (told := offered(4, p, b))}
    assert offers == {
        **{(player, 5): "banker 2:1" for player in (0, 1, 2, 3, 4)},
        **{(player, 6): "banker 3:1" for player in (0, 1, 2, 3, 4, 5)},
        **{(player, 7): "banker 4:1" for player in (0, 1, 2, 3, 4, 5)},
        (5, 4): "player 2:1",
        **{(6, banker): "player 3:1" for banker in (0, 1, 2, 3, 4, 5)},
        **{(7, banker): "player 4:1" for banker in (0, 1, 2, 3, 4, 5)},
    }


@pytest.mark.clause("insurance", "3.12")
@pytest.mark.clause("insurance", "4.1.2")
def test_every_offer_after_players_third_card_and_no_other() -> None:
    """The points of Player's third card are chosen so that Banker draws, where any are."""
    draws_on = {0: 0, 1: 0, 2: 0, 3: 0, 4: 2, 5: 4, 6: 6}
    offers = {(p, b): told for p in range(10) for b, third in draws_on.items() if (told := offered(5, p, b, third))}
    assert offers == {
        (1, 1): "banker 6:1",
        **{(1, banker): "banker 7:1" for banker in (2, 3, 4, 5, 6)},
        **{(2, banker): "banker 4:1" for banker in (3, 4, 5, 6)},
        (3, 4): "banker 3:2",
        **{(5, banker): "player 2:1" for banker in (0, 1, 2, 3, 4)},
        **{(6, banker): "player 3:1" for banker in (0, 1, 2, 3, 4, 5)},
        **{(7, banker): "player 4:1" for banker in (0, 1, 2, 3, 4, 5, 6)},
        **{(8, banker): "player 7:1" for banker in (0, 1, 2, 3, 4, 5, 6)},
        **{(9, banker): "player 8:1" for banker in (0, 1, 2, 3, 4, 5, 6)},
    }


@pytest.mark.clause("insurance", "1.9")
@pytest.mark.clause("insurance", "3.12.1")
def test_nothing_is_offered_where_no_card_comes_any_more() -> None:
    """Banker six beside a third card of five stands; beside a six it draws."""
    assert offered(5, 8, 6, third=5) == ""
    assert offered(5, 8, 6, third=6) == "player 7:1"
    assert offered(5, 7, 3, third=8) == ""
    assert offered(5, 7, 3, third=7) == "player 4:1"
    assert offered(5, 1, 5, third=3) == ""
    assert refused_by(BOOK, "KS KH 3D 6C 5S", "player=10 insurance-player-5=1") == "3.12.1"


@pytest.mark.clause("insurance", "3.12.1")
def test_a_finished_or_natural_deal_is_not_insured() -> None:
    assert refused_by(BOOK, "KS KH 8D 5C", "player=10 insurance-player-4=1") == "4.1.2"
    assert refused_by(BOOK, "KS KH 6D 6C", "player=10 insurance-player-4=1") == "4.1.2"
    assert refused_by(BOOK, "KS KH 6D 5C 2S", "player=10 insurance-player-5=1") == "3.12.1"


@pytest.mark.clause("insurance", "3.11")
def test_only_ones_own_bet_on_that_hand_is_insured() -> None:
    # Player 6, Banker 5: only Player is on offer, at 3:1.
    cards = "KS KH 6D 5C 4S"
    assert refused_by(BOOK, cards, "insurance-player-4=1") == "3.11"
    assert refused_by(BOOK, cards, "banker=10 tie=10 insurance-player-4=1") == "3.11"
    assert lines(BOOK, cards, "player=30 insurance-player-4=10") == [
        "player lose -30.00 by 4.1.1",
        "insurance-player-4 win 3:1 +30.00 by 4.1.2",
    ]


@pytest.mark.clause("insurance", "3.11")
def test_insurance_is_lost_when_the_insured_hand_wins() -> None:
    assert lines(BOOK, "KS KH 6D 5C KS", "player=30 insurance-player-4=10") == [
        "player win 1:1 +30.00 by 4.1.1",
        "insurance-player-4 lose -10.00 by 4.1.2",
    ]
    # Banker 7 stands, Player draws a nine to two: nothing is left to insure later.
    assert lines(BOOK, "KS KH 3D 7C 9S", "banker=40 insurance-banker-4=10") == [
        "banker win 1:1 +40.00 by 4.1.1",
        "insurance-banker-4 lose -10.00 by 4.1.2",
    ]


@pytest.mark.clause("insurance", "3.12.2")
def test_pay_outs_of_all_insurance_on_a_bet_stay_within_it() -> None:
    # Player 5, Banker 4: 2:1. Player's third card is a two, Player 7: 4:1.
    cards = "KS KH 5D 4C 2S 4H"
    assert refused_by(BOOK, cards, "player=10 insurance-player-4=5.01") == "3.12.2"
    assert len(lines(BOOK, cards, "player=10 insurance-player-4=5")) == 2
    assert len(lines(BOOK, cards, "player=10 insurance-player-4=3 insurance-player-5=1")) == 3
    assert refused_by(BOOK, cards, "player=10 insurance-player-4=3 insurance-player-5=1.01") == "3.12.2"


@pytest.mark.clause("insurance", "3.17")
@pytest.mark.clause("insurance", "4.2.1")
def test_on_a_tie_bets_and_insurance_come_back() -> None:
    # Player stands on six, Banker draws an ace to six.
    assert lines(BOOK, "KS KH 6D 5C AS", "player=30 banker=10 insurance-player-4=10") == [
        "player push 0.00 by 3.17",
        "banker push 0.00 by 3.17",
        "insurance-player-4 push 0.00 by 4.2.1",
    ]


@pytest.mark.clause("insurance", "3.17")
@pytest.mark.clause("insurance", "4.2.1")
def test_insurance_on_a_player_nine_is_paid_eight_to_one_on_a_tie() -> None:
    # Player draws to nine, insured at 8:1; Banker draws a five to four, nine too.
    assert lines(BOOK, "KS KH 5D 4C 4S 5H", "player=80 insurance-player-4=1 insurance-player-5=9.75") == [
        "player push 0.00 by 3.17",
        "insurance-player-4 push 0.00 by 4.2.1",
        "insurance-player-5 win 8:1 +78.00 by 4.2.1",
    ]


@pytest.mark.clause("insurance", "4.2.1")
def test_insurance_placed_before_the_nine_comes_back() -> None:
    # Insured on a Player five, which ties at nine: only what was placed on the nine itself is paid.
    assert lines(BOOK, "KS KH 5D 4C 4S 5H", "player=80 insurance-player-4=10") == [
        "player push 0.00 by 3.17",
        "insurance-player-4 push 0.00 by 4.2.1",
    ]


@pytest.mark.clause("insurance", "5.3")
def test_an_offer_passed_up_ends_insurance_for_the_round() -> None:
    # Banker 5, Player 0: Banker 2:1. Player draws a seven: Player 4:1.
    cards = "KS KH KD 5C 7S AH"
    assert refused_by(BOOK, cards, "player=10 banker=10 insurance-player-5=1") == "5.3"
    assert len(lines(BOOK, cards, "player=10 banker=10 insurance-banker-4=1 insurance-player-5=1")) == 4
    assert len(lines(BOOK, cards, "player=10 insurance-player-5=1")) == 2


@pytest.mark.clause("insurance", "1.9")
def test_one_and_a_half_to_one_is_exact() -> None:
    # Player draws to three beside Banker four, which draws a seven to one and loses.
    assert lines(BOOK, "KS KH AD 4C 2S 7H", "banker=3 insurance-banker-5=2") == [
        "banker lose -3.00 by 4.1.1",
        "insurance-banker-5 win 3:2 +3.00 by 4.1.2",
    ]
