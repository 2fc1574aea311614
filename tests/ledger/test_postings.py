"""What moves with every event: checked against the table itself and against the purses of its players."""

from __future__ import annotations

from tests.ledger.kept_accounts import KeptAccounts
from tests.table.scenes import Scene


def test_a_round_from_the_call_to_the_next() -> None:
    accounts = KeptAccounts(Scene("insurance"), Ann=10_000, Ben=10_000)
    scene = accounts.scene
    scene.start(Ann="player=3000 banker=1000", Ben="banker=2000")
    accounts.take_in()
    assert accounts["play/t1/1"] == 6000
    scene.deal("9H 2H KD KC")
    scene.settle()
    accounts.take_in()
    assert (accounts["held/t1/Ann"], accounts["player/Ann"]) == (6000, 6000), "held until the next call"
    assert (accounts["play/t1/1"], accounts["float/t1"], accounts["bank/USD"]) == (0, 0, 0)
    scene.call()
    accounts.take_in()
    assert (accounts["held/t1/Ann"], accounts["player/Ann"]) == (0, 12_000)
