"""What may be held together, asked of the book alone: no cards, no table."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from punto import books
from punto.money import Rounding
from punto.refusal import Refusal
from punto.rules.holdings import (
    greatest_insurance,
    promised_by,
    refuse_alone,
    refuse_ante,
    refuse_area,
    refuse_forgone,
    refuse_offer,
    refuse_over_cap,
    refuse_unheld,
    refuse_wager,
)
from punto.rules.outcome import Hand
from punto.rules.pay_table import InsuranceOffer

KNOCKOUT, INSURANCE = books.load("knockout"), books.load("insurance")
ROWS = (*INSURANCE.offers.rows, *(replace(row, odds=row.odds / 7) for row in INSURANCE.offers.rows))
"""What the book offers, and odds that hardly ever come to whole minor units."""


def said(refusal: Refusal | None) -> str:
    return "allowed" if refusal is None else f"{refusal.reason.value} {refusal.clause}"


def test_an_area_is_one_of_the_book() -> None:
    assert said(refuse_area(INSURANCE, "tie")) == "allowed"
    assert said(refuse_area(INSURANCE, "moon")) == "unknown-area 3.7"
    assert said(refuse_area(INSURANCE, "insurance-banker-4")) == "unknown-area 3.7"
    assert said(refuse_area(INSURANCE, "insurance-banker-4", with_insurance=True)) == "allowed"


@pytest.mark.clause("knockout", "3.3")
def test_a_bet_is_held_beside_one_that_it_needs() -> None:
    assert said(refuse_alone(KNOCKOUT, "winning-total-7", {"tie"})) == "needs-bet 3.3"
    assert said(refuse_alone(KNOCKOUT, "winning-total-7", {"tie", "banker"})) == "allowed"
    assert said(refuse_alone(KNOCKOUT, "tie", ())) == "allowed"


@pytest.mark.clause("knockout", "3.4.2")
def test_a_wager_is_a_multiple_of_its_open_ante() -> None:
    assert said(refuse_ante(KNOCKOUT, "ante-player", None)) == "no-ante-open 3.4"
    assert said(refuse_ante(KNOCKOUT, "ante-player", 100)) == "allowed"
    assert said(refuse_wager(KNOCKOUT, "wager-player", 200, None)) == "no-ante-open 3.4"
    assert said(refuse_wager(KNOCKOUT, "wager-player", 199, 100)) == "wager-not-multiple 3.4.2"
    assert said(refuse_wager(KNOCKOUT, "wager-player", 200, 100)) == "allowed"


@pytest.mark.clause("insurance", "3.12.1")
@pytest.mark.parametrize(
    ("hand", "shown", "answer"),
    [
        (Hand.PLAYER, (4, 6, 5, None), "allowed"),
        (Hand.BANKER, (4, 6, 5, None), "not-on-offer 4.1.2"),  # no row
        (Hand.PLAYER, (5, 7, 6, 7), "allowed"),
        (Hand.PLAYER, (5, 7, 6, 3), "not-on-offer 3.12.1"),  # a row, but Banker stands beside a three
        (Hand.PLAYER, (5, 6, 5, None), "no-third-card 3.12.1"),
    ],
)
def test_insurance_is_open_where_there_is_a_row_and_a_card_to_come(
    hand: Hand, shown: tuple[int, int, int, int | None], answer: str
) -> None:
    assert said(refuse_offer(INSURANCE, hand, *shown)) == answer
    open_hands = [offer.hand for offer in INSURANCE.open_offers(*shown)]
    assert (hand in open_hands) == (answer == "allowed")


def test_a_book_without_insurance_offers_none() -> None:
    assert said(refuse_offer(KNOCKOUT, Hand.PLAYER, 4, 6, 5)) == "no-insurance-here None"


@pytest.mark.clause("insurance", "3.11")
@pytest.mark.clause("insurance", "5.3")
def test_insurance_is_for_holders_who_passed_nothing_up() -> None:
    assert said(refuse_unheld(INSURANCE, Hand.BANKER, None)) == "no-offer-to 3.11"
    assert said(refuse_unheld(INSURANCE, Hand.BANKER, 100)) == "allowed"
    assert said(refuse_forgone(INSURANCE, is_forgone=True)) == "forgone 5.3"
    assert said(refuse_forgone(INSURANCE, is_forgone=False)) == "allowed"


@pytest.mark.clause("insurance", "3.12.2")
def test_the_greatest_insurance_is_what_is_left_of_the_bet_by_the_odds() -> None:
    (offer,) = INSURANCE.open_offers(4, 6, 5)
    assert offer.odds == 3
    assert greatest_insurance(offer, 1000, 0) == 333
    assert greatest_insurance(offer, 1000, 0, chip=100) == 300
    assert greatest_insurance(offer, 1000, 50) == 316
    assert greatest_insurance(offer, 1000, 1000) == 0
    assert said(refuse_over_cap(INSURANCE, 333, 333)) == "allowed"
    assert said(refuse_over_cap(INSURANCE, 334, 333)) == "over-cap 3.12.2"


@given(st.integers(1, 3000), st.lists(st.tuples(st.sampled_from(ROWS), st.integers(1, 3000)), max_size=6))
def test_insurances_of_a_bet_never_pay_more_than_it_after_rounding(
    bet: int, wanted: list[tuple[InsuranceOffer, int]]
) -> None:
    """However many there are, of whatever odds: each line is rounded by itself."""
    promised = 0
    taken: list[tuple[int, Fraction]] = []
    for offer, amount in wanted:
        stake = min(amount, greatest_insurance(offer, bet, promised))
        taken.append((stake, offer.odds))
        promised += promised_by(offer.odds, stake)
    for rounding in Rounding:
        nets = [rounding.apply((stake * odds).numerator, (stake * odds).denominator) for stake, odds in taken]
        assert sum(nets) <= bet
