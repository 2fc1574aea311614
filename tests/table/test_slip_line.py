from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto import books
from punto.cards import parse_cards
from punto.coup import deal_exactly
from punto.refusal import Refusal
from punto.rules import Outcome, Result
from punto.rules.outcome import Kept
from punto.table import Rounding, settle_bet, settle_slip
from punto.table.slip import given_up

COMMISSION = Outcome(Result.WIN, Fraction(19, 20), "4.1.2")
HALF = Outcome(Result.WIN, Fraction(1, 2), "4.1.1")


@pytest.mark.parametrize(
    ("stake", "net"), [(100, 95), (20, 19), (1, 1), (9, 9), (10, 10), (11, 10), (30, 29), (10_001, 9_501)]
)
def test_a_pay_out_is_rounded_half_up_to_the_cent(stake: int, net: int) -> None:
    """0.95 of 0.10 is 0.095, which is 0.10; of 0.11 it is 0.1045, which is 0.10."""
    assert settle_bet("banker", stake, COMMISSION).net == net


@pytest.mark.parametrize(("rounding", "net"), [(Rounding.HALF_UP, 1), (Rounding.DOWN, 0), (Rounding.UP, 1)])
def test_the_tables_rounding_decides(rounding: Rounding, net: int) -> None:
    line = settle_bet("banker", 1, HALF, rounding)
    assert line.net == net
    assert line.exact_net == Fraction(1, 2)
    assert line.rounded_by == net - Fraction(1, 2)


odds = st.fractions(min_value=Fraction(1, 100), max_value=100, max_denominator=100)


@given(st.integers(1, 10**12), odds)
def test_a_line_knows_what_it_was_before_it_was_rounded(stake: int, at: Fraction) -> None:
    line = settle_bet("x", stake, Outcome(Result.WIN, at, "1"))
    assert line.exact_net == stake * at
    assert abs(line.rounded_by) <= Fraction(1, 2)
    assert line.net == line.exact_net + line.rounded_by
    if (stake * at).denominator == 1:
        assert line.rounded_by == 0


@given(st.integers(1, 10**12))
def test_a_loss_is_the_stake_and_a_push_is_nothing(stake: int) -> None:
    assert settle_bet("x", stake, Outcome(Result.LOSE, None, "1")).net == -stake
    assert settle_bet("x", stake, Outcome(Result.PUSH, None, "1")).net == 0


@pytest.mark.parametrize("rounding", list(Rounding))
@pytest.mark.parametrize("gross", [Fraction(1), Fraction(3, 2), Fraction(7, 3)])
@given(stake=st.integers(1, 10**12))
def test_a_commission_is_what_is_won_without_it_less_the_net(gross: Fraction, rounding: Rounding, stake: int) -> None:
    rate = Fraction(1, 20)
    outcome = Outcome(Result.WIN, gross * (1 - rate), "1", Kept(rate, "2", gross))
    line = settle_bet("x", stake, outcome, rounding)
    net, won = stake * outcome.net, stake * gross
    assert line.net == rounding.apply(net.numerator, net.denominator)
    assert line.net + line.commission == rounding.apply(won.numerator, won.denominator)


def test_bets_are_settled_in_the_order_given() -> None:
    book = books.load("commission")
    coup = deal_exactly(book.play, parse_cards("KS 3H KD 3C 7S 5D"))
    lines = settle_slip(book, coup, {"tie": 100, "banker-pair": 200, "player-pair": 300, "player": 400})
    assert not isinstance(lines, Refusal)
    assert [(line.area, line.stake, line.net) for line in lines] == [
        ("tie", 100, -100),
        ("banker-pair", 200, 2200),
        ("player-pair", 300, 3300),
        ("player", 400, 400),
    ]


def test_an_ante_given_up_is_lost() -> None:
    outcome = given_up(books.load("knockout"))
    assert (outcome.result, outcome.odds, outcome.clause) == (Result.LOSE, None, "3.4.1")
    with pytest.raises(AssertionError, match="only a book with antes"):
        given_up(books.load("ez"))
