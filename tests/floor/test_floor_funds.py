"""Money through the floor: stakes that cannot be paid, one wallet at two tables, and closing."""

from __future__ import annotations

from pathlib import Path

import pytest

from punto import books
from punto.floor.job import MOST_PAID, Job
from punto.refusal import Reason
from punto.rules.authority import Role
from punto.store.store import Store
from punto.table.betting import PlaceBet
from punto.table.dealing import DealCard
from punto.table.house import CloseTable
from punto.table.settlement import SettleRound
from tests.floor.house import House, accepted, reason
from tests.floor.ledger_check import check_store


@pytest.mark.gli("4.3.3")
def test_a_bet_needs_an_account_with_money_in_the_right_currency(house: House) -> None:
    house.buy_in("Dee", 100_000, "HKD")
    house.buy_in("Eve", 0)
    house.seat("Ann", "Dee", "Eve", "Fay")
    house.call()
    assert reason(house.bet("Ann", 100_100)) is Reason.NOT_ENOUGH_FUNDS
    assert reason(house.bet("Dee", 1_000)) is Reason.OTHER_CURRENCY
    assert reason(house.bet("Eve", 1_000)) is Reason.NOT_ENOUGH_FUNDS
    assert reason(house.bet("Fay", 1_000)) is Reason.NO_ACCOUNT
    accepted(house.bet("Ann", 100_000))
    assert reason(house.bet("Ann", 1_000)) is Reason.NOT_ENOUGH_FUNDS


def test_what_follows_a_bet_that_cannot_be_paid_is_decided_without_it(house: House) -> None:
    """In one batch: Ben would stand behind Ann's bet, but there is none."""
    house.seat("Ann")
    house.call()

    def bet(player: str, amount: int) -> Job:
        fields = {"box": 1, "area": "banker", "round": 1, "amount": amount}
        return Job("t1", PlaceBet(actor=player, role=Role.PLAYER, **fields))  # type: ignore[arg-type]

    jobs = [bet("Ann", 100_100), bet("Ben", 1_000), bet("Ann", 2_000), bet("Ben", 1_000)]
    with house.store.write() as transaction:
        answers = house.floor._run(transaction, jobs)
    assert [type(answer).__name__ for answer in answers] == ["Refusal", "Refusal", "Accepted", "Accepted"]
    assert reason(answers[0]) is Reason.NOT_ENOUGH_FUNDS
    assert reason(answers[1]) is Reason.BEHIND_NOBODY
    check_store(house.store)


@pytest.mark.gli("4.3.3")
def test_one_wallet_at_two_tables_in_one_batch(house: House) -> None:
    house.open("t2")
    for id in ("t1", "t2"):
        house.seat("Ann", id=id)
        house.call(id)
    bet = PlaceBet(actor="Ann", role=Role.PLAYER, box=1, area="banker", amount=60_000, round=1)
    with house.store.write() as transaction:
        first, second = house.floor._run(transaction, [Job("t2", bet), Job("t1", bet)])
    accepted(first)
    assert reason(second) is Reason.NOT_ENOUGH_FUNDS
    check_store(house.store)


def test_a_table_that_settles_and_closes_in_one_batch_leaves_no_float(house: House) -> None:
    house.seat("Ann")
    house.call()
    accepted(house.bet("Ann", 10_000, "tie"))
    while house.table().state.phase.value in ("betting", "dealing"):
        accepted(house.deal(DealCard))
    version = house.version()
    settle = SettleRound(actor="Dan", role=Role.DEALER)
    close = CloseTable(actor="Sue", role=Role.PIT_SUPERVISOR)
    with house.store.write() as transaction:
        answers = house.floor._run(transaction, [Job("t1", settle, version), Job("t1", close)])
    assert all(map(accepted, answers))
    with house.store.read() as reader:
        left = {name: amount for name, amount in reader.all_balances().items() if amount}
    assert not [name for name in left if name.startswith(("float/", "held/", "play/"))]
    check_store(house.store)


HIGH = """\
format = 1
extends = "ez"
name = "high"
title = "High"

[[bets]]
area = "sky"
kind = "side"
labels = { en = "Sky", zh_hans = "天", zh_hant = "天" }
clause = "CLAUSE"
pays = [
  { when = { winner = "tie" }, result = "lose", clause = "CLAUSE" },
  { otherwise = true, odds = "1000000:1", clause = "CLAUSE" },
]
"""
"""Almost every round pays a million to one."""


def test_what_could_pay_more_than_a_column_holds_is_refused_when_it_is_bet(store: Store, tmp_path: Path) -> None:
    """One bet, several bets of one round, and somebody who has too much already."""
    file = tmp_path / "high.toml"
    file.write_text(HIGH.replace("CLAUSE", books.load("ez").text.clauses[0].number), encoding="utf-8")
    with House(store) as house:
        house.open("t1", str(file), maximum=None, differential=None)
        for player in ("Ann", "Ben"):
            house.buy_in(player, 10**15)
        house.seat("Ann", "Ben")
        most = 100
        while most * 10 <= MOST_PAID // 1_000_001:
            most *= 10
        for _ in range(3):
            house.call()
            assert reason(house.bet("Ann", most * 10, "sky")) is Reason.BEYOND_LEDGER
            first = house.bet("Ann", most * 9, "sky")
            if has_too_much(house, "Ann"):
                assert reason(first) is Reason.BEYOND_LEDGER
            else:
                accepted(first)
                assert reason(house.bet("Ben", most * 9, "sky")) is Reason.BEYOND_LEDGER, "the round as a whole"
            house.finish()
        check_store(store)
        with store.read() as reader:
            kinds = reader.rows("SELECT DISTINCT amount FROM balances")
        assert all(type(amount) is int and abs(amount) < 2**63 for (amount,) in kinds)


def has_too_much(house: House, player: str) -> bool:
    return house.holdings(player).free > MOST_PAID
