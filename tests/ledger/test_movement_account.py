from __future__ import annotations

import pytest

from punto.ledger.movement import (
    AccountKind,
    bank_account,
    cash_account,
    float_account,
    held_account,
    kind_of,
    may_go_below_zero,
    play_account,
    player_account,
)

NAMED = {
    player_account("Lee"): AccountKind.PLAYER,
    held_account("t1", "Lee"): AccountKind.HELD,
    play_account("t1", 17): AccountKind.PLAY,
    float_account("t1"): AccountKind.FLOAT,
    bank_account("USD"): AccountKind.BANK,
    cash_account("USD"): AccountKind.CASH,
}


def test_names_are_for_ever() -> None:
    assert list(NAMED) == ["player/Lee", "held/t1/Lee", "play/t1/17", "float/t1", "bank/USD", "cash/USD"]


@pytest.mark.parametrize(("account", "kind"), NAMED.items())
def test_a_name_tells_its_kind(account: str, kind: AccountKind) -> None:
    assert kind_of(account) is kind
    assert may_go_below_zero(account) == (account in ("bank/USD", "cash/USD"))


def test_no_two_kinds_begin_alike_whatever_people_are_called() -> None:
    """Somebody called after an account is still somebody."""
    for handle in ("bank/USD", "held/t1/Lee", "cash", "Lee Wong", ""):
        assert kind_of(player_account(handle)) is AccountKind.PLAYER
        assert kind_of(held_account("t1", handle)) is AccountKind.HELD
