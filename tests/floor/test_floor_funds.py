"""Money through the floor: stakes that cannot be paid, one wallet at two tables, and closing."""

from __future__ import annotations

from punto.floor.job import Job
from punto.refusal import Reason
from punto.rules.role import Role
from punto.table import command as c
from tests.floor.house import House, accepted, reason
from tests.floor.ledger_check import check_store


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
        return Job("t1", c.PlaceBet(actor=player, role=Role.PLAYER, **fields))  # type: ignore[arg-type]

    jobs = [bet("Ann", 100_100), bet("Ben", 1_000), bet("Ann", 2_000), bet("Ben", 1_000)]
    with house.store.write() as transaction:
        answers = house.floor._run(transaction, jobs)
    assert [type(answer).__name__ for answer in answers] == ["Refusal", "Refusal", "Accepted", "Accepted"]
    assert reason(answers[0]) is Reason.NOT_ENOUGH_FUNDS
    assert reason(answers[1]) is Reason.BEHIND_NOBODY
    check_store(house.store)


def test_one_wallet_at_two_tables_in_one_batch(house: House) -> None:
    house.open("t2")
    for id in ("t1", "t2"):
        house.seat("Ann", id=id)
        house.call(id)
    bet = c.PlaceBet(actor="Ann", role=Role.PLAYER, box=1, area="banker", amount=60_000, round=1)
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
        accepted(house.deal(c.DealCard))
    version = house.version()
    settle = c.SettleRound(actor="Dan", role=Role.DEALER)
    close = c.CloseTable(actor="Sue", role=Role.PIT_SUPERVISOR)
    with house.store.write() as transaction:
        answers = house.floor._run(transaction, [Job("t1", settle, version), Job("t1", close)])
    assert all(map(accepted, answers))
    with house.store.read() as reader:
        left = {name: amount for name, amount in reader.all_balances().items() if amount}
    assert not [name for name in left if name.startswith(("float/", "held/", "play/"))]
    check_store(house.store)
