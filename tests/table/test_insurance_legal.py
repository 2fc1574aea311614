"""What is listed of insurance and wagers is what the table takes, chip by chip, and nothing else."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from punto.money import Rounding
from punto.rules.authority import Role
from punto.rules.outcome import Hand
from punto.table import Refusal, act, legal_commands
from punto.table.antes import PlaceWager
from punto.table.insurance import TakeInsurance
from tests.table.scenes import Scene

STEPS = {1: 1, 7: 1, 100: 50}
"""By chip, the amounts that are tried: all of them, or every half chip."""


@pytest.mark.parametrize("chip", STEPS)
@pytest.mark.parametrize("rounding", Rounding)
@pytest.mark.parametrize(
    ("bet", "cards"), [("banker", "KS KH AD 4C 2S"), ("player", "KS KH 7D 5C"), ("banker", "KS KH 5D 3C 6S")]
)
def test_every_listed_insurance_is_taken_and_no_other(chip: int, rounding: Rounding, bet: str, cards: str) -> None:
    """Again and again, until nothing more is listed: the last amount listed is the last one taken."""
    scene = Scene("insurance", chip=chip, minimum=7 * chip, differential=70_000, rounding=rounding)
    scene.start(Ann=f"{bet}={21 * chip}")
    scene.deal(cards)
    command = TakeInsurance(actor="Ann", role=Role.PLAYER, box=1, hand=Hand(bet), amount=chip)
    for _ in range(50):
        listed = [
            legal
            for legal in legal_commands(scene.table, "Ann", Role.PLAYER)
            if isinstance(legal.command, TakeInsurance)
        ]
        by_list: set[int] = set()
        for legal in listed:
            assert isinstance(legal.command, TakeInsurance) and legal.most is not None
            by_list |= set(range(legal.command.amount, legal.most + 1, chip))
        by_table = {
            amount
            for amount in range(-chip, 30 * chip, STEPS[chip])
            if not isinstance(act(scene.table, replace(command, amount=amount)), Refusal)
        }
        assert by_list == by_table
        if not listed:
            assert scene.state.insured
            return
        scene.do(TakeInsurance, "Ann", box=1, hand=Hand(bet), amount=chip)
    raise AssertionError("insurance never came to an end")


def test_a_wager_is_listed_with_the_one_amount_that_is_taken() -> None:
    scene = Scene("knockout", chip=100)
    scene.start(Ann="ante-player=1000 ante-banker=1300")
    scene.deal("6S")
    while scene.state.cards_out < 4 and not scene.state.antes_open:
        scene.deal("2D")
    listed = [
        legal for legal in legal_commands(scene.table, "Ann", Role.PLAYER) if isinstance(legal.command, PlaceWager)
    ]
    assert listed
    for legal in listed:
        assert isinstance(legal.command, PlaceWager) and "amount" not in legal.free
        taken = [
            amount
            for amount in range(-100, 5000, 50)
            if not isinstance(act(scene.table, replace(legal.command, amount=amount)), Refusal)
        ]
        assert taken == [legal.command.amount]
