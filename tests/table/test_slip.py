"""Every reason for which a slip is refused, with its clause and its sentence, and what just passes."""

import pytest

from punto import books
from punto.cards import Card, parse_cards
from punto.coup import Coup
from punto.table import Reason, Refusal, SettlementLine, finished_coup, settle_slip


def coup_of(book: str, cards: str) -> Coup:
    coup = finished_coup(books.load(book), parse_cards(cards), most_decks=8)
    assert isinstance(coup, Coup)
    return coup


def refusal_of(book: str, cards: str, slip: dict[str, int]) -> Refusal:
    refusal = settle_slip(books.load(book), coup_of(book, cards), slip)
    assert isinstance(refusal, Refusal)
    return refusal


def lines_of(book: str, cards: str, slip: dict[str, int]) -> list[SettlementLine]:
    lines = settle_slip(books.load(book), coup_of(book, cards), slip)
    assert not isinstance(lines, Refusal), lines.sentence
    return lines


STAND_OFF = "KS KH 6D 7C"
"""Player 6, Banker 7, no third card."""


@pytest.mark.parametrize(
    ("book", "area", "clause"),
    [
        ("commission", "easy-six", "2.1.3"),
        ("commission", "insurance-player-4", "2.1.3"),
        ("easy-six", "dragon-7", "2.1.3"),
        ("ez", "player-pair", "intro-5"),
        ("insurance", "easy-six", "3.7"),
        ("knockout", "super-six-plus", "2.1.3"),
        ("knockout", "Player", "2.1.3"),
    ],
)
def test_an_area_the_book_does_not_have(book: str, area: str, clause: str) -> None:
    refusal = refusal_of(book, STAND_OFF, {"player": 100, area: 100})
    assert (refusal.reason, refusal.clause) == (Reason.UNKNOWN_AREA, clause)
    assert refusal.sentence.startswith(f"this book has no betting area {area}; it has player, banker, tie, ")


def test_a_winning_total_alone() -> None:
    for area in ("1-4", "5-6", "7", "8", "9"):
        refusal = refusal_of("knockout", STAND_OFF, {f"winning-total-{area}": 100, "tie": 100, "ante-player": 100})
        assert (refusal.reason, refusal.clause) == (Reason.NEEDS_BET, "3.3")
        assert refusal.sentence == f"winning-total-{area} may only be bet together with player or banker (clause 3.3)"
        for main in ("player", "banker"):
            assert len(lines_of("knockout", STAND_OFF, {f"winning-total-{area}": 100, main: 1})) == 2


def test_a_wager_without_its_ante() -> None:
    refusal = refusal_of("knockout", STAND_OFF, {"wager-player": 200, "ante-banker": 100})
    assert (refusal.reason, refusal.clause) == (Reason.NO_ANTE_OPEN, "3.4")
    assert refusal.sentence == "there is no ante on ante-player to follow or give up (clause 3.4)"


@pytest.mark.parametrize("wager", [1, 100, 199, 201, 400])
def test_a_wager_that_is_not_twice_its_ante(wager: int) -> None:
    refusal = refusal_of("knockout", STAND_OFF, {"wager-banker": wager, "ante-banker": 100})
    assert (refusal.reason, refusal.clause) == (Reason.WAGER_NOT_MULTIPLE, "3.4.2")
    assert refusal.sentence == "wager-banker must be exactly 2 times ante-banker, that is 2 (clause 3.4.2)"
    assert len(lines_of("knockout", STAND_OFF, {"wager-banker": 200, "ante-banker": 100})) == 2


def test_an_ante_alone_was_given_up() -> None:
    tie = "KS KH 6D 6C"
    for cards in (STAND_OFF, tie, "KS KH 7D 6C"):
        (line,) = lines_of("knockout", cards, {"ante-banker": 500})
        assert (line.net, line.outcome.clause) == (-500, "3.4.1")
    kept, followed = lines_of("knockout", tie, {"ante-banker": 500, "wager-banker": 1000})
    assert (kept.net, followed.net) == (0, 0)


# ── Insurance ────────────────────────────────────────────────────────────────────────────────────────

PLAYER_6_BANKER_5 = "KS KH 6D 5C 4S"
"""Player stands on six, Banker draws to nine: the four-card window is open for Player at 3:1."""

BANKER_5_PLAYER_0 = "KS KH KD 5C 7S AH"
"""Banker insurance at 2:1 after four cards; Player draws to seven, insured at 4:1; Banker ends on six."""


def test_insurance_where_the_table_has_no_row() -> None:
    refusal = refusal_of("insurance", PLAYER_6_BANKER_5, {"banker": 1000, "insurance-banker-4": 100})
    assert (refusal.reason, refusal.clause) == (Reason.NOT_ON_OFFER, "4.1.2")
    assert refusal.sentence == "insurance-banker-4 is not on offer at Player 6, Banker 5 (clause 4.1.2)"


def test_insurance_where_no_card_comes_any_more() -> None:
    """After Player's third card Player 7, Banker 6 has a row, but the third card of 3 lets Banker stand."""
    refusal = refusal_of("insurance", "KS KH 4D 6C 3S", {"player": 1000, "insurance-player-5": 100})
    assert (refusal.reason, refusal.clause) == (Reason.NOT_ON_OFFER, "3.12.1")
    assert refusal.sentence == "insurance-player-5 is not on offer at Player 7, Banker 6 (clause 3.12.1)"
    # With a third card of 7 Banker draws on six, and the same points are insured.
    lines = lines_of("insurance", "KS KH KD 6C 7S 2H", {"player": 1000, "insurance-player-5": 250})
    assert [line.net for line in lines] == [-1000, 1000]


def test_insurance_at_a_window_that_never_came() -> None:
    refusal = refusal_of("insurance", PLAYER_6_BANKER_5, {"player": 1000, "insurance-player-5": 100})
    assert (refusal.reason, refusal.clause) == (Reason.NO_THIRD_CARD, "3.12.1")
    assert refusal.sentence == ("insurance-player-5 is not on offer: no third card came to Player (clause 3.12.1)")


def test_insurance_without_its_main_bet() -> None:
    refusal = refusal_of("insurance", PLAYER_6_BANKER_5, {"banker": 1000, "insurance-player-4": 100})
    assert (refusal.reason, refusal.clause) == (Reason.NO_OFFER_TO, "3.11")
    assert refusal.sentence == "there is no bet on player to insure (clause 3.11)"


@pytest.mark.parametrize(("bet", "greatest"), [(300, 100), (302, 100), (299, 99), (3, 1)])
def test_insurance_beyond_its_cap(bet: int, greatest: int) -> None:
    """At 3:1, a third of the bet at most."""
    assert len(lines_of("insurance", PLAYER_6_BANKER_5, {"player": bet, "insurance-player-4": greatest})) == 2
    refusal = refusal_of("insurance", PLAYER_6_BANKER_5, {"player": bet, "insurance-player-4": greatest + 1})
    assert (refusal.reason, refusal.clause) == (Reason.OVER_CAP, "3.12.2")


def test_the_cap_is_for_all_insurance_on_a_bet_together() -> None:
    """Player 5 Banker 4: 2:1 after four cards; Player draws a 2 to seven: 4:1 more; Banker draws on 4."""
    cards = "KS KH 5D 4C 2S 4H"
    lines_of("insurance", cards, {"player": 1000, "insurance-player-4": 300, "insurance-player-5": 100})
    refusal = refusal_of("insurance", cards, {"player": 1000, "insurance-player-4": 300, "insurance-player-5": 101})
    assert refusal.reason is Reason.OVER_CAP
    assert refusal.sentence == "the greatest insurance stake is 1 (clause 3.12.2)"


def test_the_cap_is_exact_at_one_and_a_half_to_one() -> None:
    """Player 3 after its third card, Banker 4: 1.5:1 on Banker."""
    cards = "KS KH AD 4C 2S 7H"
    lines_of("insurance", cards, {"banker": 3, "insurance-banker-5": 2})
    refusal = refusal_of("insurance", cards, {"banker": 4, "insurance-banker-5": 3})
    assert refusal.sentence == "the greatest insurance stake is 0.02 (clause 3.12.2)"


def test_an_offer_passed_up_ends_insurance_for_the_round() -> None:
    both = {"player": 1000, "banker": 1000}
    refusal = refusal_of("insurance", BANKER_5_PLAYER_0, {**both, "insurance-player-5": 100})
    assert (refusal.reason, refusal.clause) == (Reason.FORGONE, "5.3")
    assert refusal.sentence == ("insurance is forgone for this round: an offer was not taken (clause 5.3)")
    lines_of("insurance", BANKER_5_PLAYER_0, {**both, "insurance-banker-4": 100, "insurance-player-5": 100})


def test_who_had_no_offer_passed_none_up() -> None:
    """Without a Banker bet there was nothing to take after four cards."""
    lines_of("insurance", BANKER_5_PLAYER_0, {"player": 1000, "insurance-player-5": 100})


# ── Cards ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        ("", "0 cards are too few to finish the deal (clause 3.6)"),
        ("KS KH KD", "3 cards are too few to finish the deal (clause 3.6)"),
        ("KS KH 5D 7C", "4 cards are too few to finish the deal (clause 3.6)"),
        ("KS KH 5D 3C 7C", "5 cards are too few to finish the deal (clause 3.6)"),
        ("KS KH 8D 7C 2S", "the deal is finished after 4 cards, but 5 were given (clause 3.6)"),
        ("KS KH 5D 7C 2S 3S", "the deal is finished after 5 cards, but 6 were given (clause 3.6)"),
        ("KS KH 5D 3C 2S 3S 4S", "the deal is finished after 6 cards, but 7 were given (clause 3.6)"),
    ],
)
def test_too_many_or_too_few_cards(cards: str, sentence: str) -> None:
    refusal = finished_coup(books.load("commission"), parse_cards(cards), most_decks=8)
    assert isinstance(refusal, Refusal)
    assert refusal.reason is Reason.WRONG_CARDS
    assert refusal.sentence == sentence


def test_more_of_one_card_than_the_decks_hold() -> None:
    book, cards = books.load("commission"), (Card.SK,) * 4
    assert isinstance(finished_coup(book, (*cards, Card.S7, Card.S7), most_decks=4), Coup)
    refusal = finished_coup(book, (*cards, Card.SK, Card.SK), most_decks=5)
    assert isinstance(refusal, Refusal)
    assert refusal.reason is Reason.IMPOSSIBLE_CARDS
    assert refusal.sentence == "6 of KS are too many: the shoe holds 5 of each card (clause 2.2.1)"
