from __future__ import annotations

from typing import Any

import pytest

from punto.ledger.movement import MOST_AT_CASHIER, Movement, buy_in, cash_out, correct, refuse_funds
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.table.header import Person

CAY, MAE = Person("Cay", Role.CASHIER), Person("Mae", Role.PIT_MANAGER)


def posted(answer: Movement | Refusal) -> dict[str, int]:
    assert isinstance(answer, Movement), answer
    return {posting.account: posting.amount for posting in answer.postings}


def refused(answer: Movement | Refusal | None) -> str:
    assert isinstance(answer, Refusal), answer
    assert answer.sentence
    return answer.reason.value


def corrected(amount: int = 500, **otherwise: Any) -> Movement | Refusal:
    usual: dict[str, Any] = {"free": 1000, "by": CAY, "second": MAE, "reason": "miscounted"}
    return correct("Lee", "USD", amount, **usual | otherwise)


def test_money_comes_in_and_goes_out() -> None:
    assert posted(buy_in("Lee", "USD", 500)) == {"cash/USD": -500, "player/Lee": 500}
    assert posted(cash_out("Lee", "USD", 500, free=500)) == {"player/Lee": -500, "cash/USD": 500}


@pytest.mark.parametrize("amount", [0, -1, MOST_AT_CASHIER + 1])
def test_amounts_out_of_bounds(amount: int) -> None:
    assert refused(buy_in("Lee", "USD", amount)) == "wrong-amount"
    assert refused(cash_out("Lee", "USD", amount, free=2 * MOST_AT_CASHIER)) == "wrong-amount"


def test_no_account_outgrows_what_can_be_counted() -> None:
    assert posted(buy_in("Lee", "USD", 1, free=MOST_AT_CASHIER - 1))
    assert refused(buy_in("Lee", "USD", 2, free=MOST_AT_CASHIER - 1)) == "wrong-amount"
    assert refused(corrected(2, free=MOST_AT_CASHIER - 1)) == "wrong-amount"


def test_only_what_is_free_goes_out() -> None:
    answer = cash_out("Lee", "USD", 501, free=500, held=300)
    assert refused(answer) == "funds-held"
    assert isinstance(answer, Refusal)
    assert (
        answer.sentence == "not enough free money yet: this takes 5.01, 5 is free, and 3 will be free at the next call"
    )
    broke = cash_out("Lee", "USD", 501, free=500)
    assert isinstance(broke, Refusal)
    assert broke.sentence == "not enough money: this takes 5.01, and 5 is free"
    assert refuse_funds(500, free=500) is None


def test_a_correction_may_go_either_way_and_the_house_bears_it() -> None:
    assert posted(corrected(500)) == {"bank/USD": -500, "player/Lee": 500}
    assert posted(corrected(-1000)) == {"bank/USD": 1000, "player/Lee": -1000}
    assert refused(corrected(-1001)) == "not-enough-funds"
    assert refused(corrected(0)) == "wrong-amount"


@pytest.mark.parametrize(
    "people",
    [
        {"second": None},
        {"second": CAY},
        {"second": Person("Cay", Role.PIT_MANAGER)},
        {"second": Person("Kim", Role.PLAYER)},
        {"second": Person("Lee", Role.PIT_MANAGER)},
        {"by": Person("Lee", Role.CASHIER)},
        {"by": Person("Kim", Role.PLAYER)},
    ],
)
def test_a_correction_takes_two_people_who_are_not_the_player(people: dict[str, Any]) -> None:
    assert refused(corrected(**people)) == "second-person"


@pytest.mark.parametrize("reason", ["", "  "])
def test_a_correction_takes_a_reason(reason: str) -> None:
    assert refused(corrected(reason=reason)) == "reason-needed"
