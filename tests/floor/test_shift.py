"""Shifts of cashiers: opening and closing counts, what should be in the drawer, and receipts."""

from __future__ import annotations

from random import Random

import pytest

from punto.floor.house_rules import change_rules
from punto.floor.rack import parse_chips
from punto.floor.shift import CashierShift, Receipt, Shifts, latest_receipts, receipt_of, receipt_rows, shift_of
from punto.ledger.movement import Movement
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.store.cage import last_receipt
from punto.store.record import AccountOwner, StoredPerson
from punto.table.header import Person
from tests.floor.house import CASHIER, House
from tests.floor.ledger_check import acts_of, check_store

OTHER = Person("Cor", Role.CASHIER)


def begin(house: House, chips: str = "100x10", cashier: str = "Cas", currency: str = "USD") -> CashierShift:
    house.time += 1
    shift = Shifts(house.store).begin(cashier, parse_chips(chips.split()), currency, house.time)
    assert isinstance(shift, CashierShift), shift
    return shift


def end(house: House, chips: str, cashier: str = "Cas") -> CashierShift:
    house.time += 1
    shift = Shifts(house.store).close(cashier, parse_chips(chips.split()), house.time)
    assert isinstance(shift, CashierShift), shift
    return shift


def moved(answer: Movement | Refusal) -> Movement:
    assert isinstance(answer, Movement), answer
    return answer


@pytest.mark.gli("MICS")
def test_a_shift_from_opener_to_closer(house: House) -> None:
    begin(house)
    moved(house.desk.buy_in("Ann", 50_000, CASHIER, 1))
    moved(house.desk.cash_out("Ann", 20_000, CASHIER, 2))
    moved(house.desk.correct("Ben", 700, CASHIER, Person("Ida", Role.PIT_MANAGER), "not booked", 3))
    moved(house.desk.buy_in("Ben", 9_900, OTHER, 4))
    with house.store.read() as reader:
        now = shift_of(reader, "Cas")
    assert isinstance(now, CashierShift)
    assert (now.opened, now.bought, now.paid, now.expected) == (100_000, 50_000, 20_000, 130_000)
    kinds = [(each.kind, each.account, each.amount, each.shift) for each in now.receipts]
    own = [("buy-in", "Ann", 50_000), ("cash-out", "Ann", -20_000), ("correction", "Ben", 700)]
    assert kinds == [(*each, now.number) for each in own], "corrections are listed, and move no cash; others' are not"
    closed = end(house, "100x13")
    assert (closed.expected, closed.closed, closed.difference) == (130_000, 130_000, 0)
    moved(house.desk.buy_in("Ann", 1_000, CASHIER, 5))
    with house.store.read() as reader:
        assert shift_of(reader, "Cas") == closed, "what comes later is not in it"
    check_store(house.store)


def test_a_receipt_says_whose_account_it_is(house: House) -> None:
    """What bots and test accounts buy is in no drawer, and somebody who counts it sees so."""
    for name, owner in (("Ann", AccountOwner.TEST), ("Ben", AccountOwner.BOT)):
        house.desk.mark_account(name, owner, 1)
    for name in ("Ann", "Ben"):
        moved(house.desk.buy_in(name, 1_000, CASHIER, 2))
    with house.store.read() as reader:
        told = [(each.account, each.owner) for each in latest_receipts(reader, 2)]
    assert told == [("Ben", AccountOwner.BOT), ("Ann", AccountOwner.TEST)]


def test_one_open_shift_for_each_cashier(house: House) -> None:
    begin(house)
    begin(house, cashier="Cor")
    again = Shifts(house.store).begin("Cas", (), "USD", 1)
    assert isinstance(again, Refusal) and again.reason is Reason.SHIFT_OPEN
    end(house, "100x10")
    ended = Shifts(house.store).close("Cas", (), 1)
    assert isinstance(ended, Refusal) and ended.reason is Reason.NO_SHIFT
    assert begin(house).number == 3


@pytest.mark.gli("MICS")
def test_the_house_can_ask_for_a_shift(house: House) -> None:
    moved(house.desk.buy_in("Ann", 1_000, CASHIER, 1, "k0"))
    change_rules(house.store, {"shifts_required": True}, "Ada", 1)
    for act in (house.desk.buy_in, house.desk.cash_out):
        refusal = act("Ann", 1_000, CASHIER, 2)
        assert isinstance(refusal, Refusal) and refusal.reason is Reason.NO_SHIFT
    moved(house.desk.correct("Ann", 700, CASHIER, Person("Ida", Role.PIT_MANAGER), "not booked", 3))
    begin(house, currency="HKD")
    refusal = house.desk.buy_in("Ann", 1_000, CASHIER, 4)
    assert isinstance(refusal, Refusal) and refusal.reason is Reason.NO_SHIFT, "a drawer holds one currency"
    end(house, "100x10")
    begin(house)
    moved(house.desk.buy_in("Ann", 1_000, CASHIER, 5, "k1"))
    end(house, "100x10 5x2")
    refusal = house.desk.buy_in("Ann", 1_000, CASHIER, 6, "k2")
    assert isinstance(refusal, Refusal) and refusal.reason is Reason.NO_SHIFT
    moved(house.desk.buy_in("Ann", 1_000, CASHIER, 7, "k1"))
    check_store(house.store)


def test_bots_buy_chips_without_a_shift(house: House) -> None:
    change_rules(house.store, {"shifts_required": True}, "Ada", 1)
    for name, kind in (("Amber", AccountOwner.BOT), ("Tess", AccountOwner.PLAYER)):
        house.desk.open_account(StoredPerson(name), "USD", 1, kind=kind)
    moved(house.desk.buy_in("Amber", 1_000, CASHIER, 2))
    refusal = house.desk.buy_in("Tess", 1_000, CASHIER, 2)
    assert isinstance(refusal, Refusal) and refusal.reason is Reason.NO_SHIFT
    check_store(house.store)


@pytest.mark.gli("A.2.5")
@pytest.mark.parametrize("kind", [AccountOwner.BOT, AccountOwner.TEST])
def test_chips_of_bots_and_test_accounts_are_in_no_drawer(house: House, kind: AccountOwner) -> None:
    house.desk.open_account(StoredPerson("Amber"), "USD", 1, kind=kind)
    begin(house)
    moved(house.desk.buy_in("Ann", 5_000, CASHIER, 2))
    moved(house.desk.buy_in("Amber", 70_000, CASHIER, 3))
    moved(house.desk.cash_out("Amber", 1_000, CASHIER, 4))
    closed = end(house, "100x10 50x1")
    assert (closed.bought, closed.paid, closed.expected, closed.difference) == (5_000, 0, 105_000, 0)
    assert [each.account for each in closed.receipts] == ["Ann", "Amber", "Amber"], "they have receipts all the same"
    check_store(house.store)


def test_a_difference_in_the_drawer_is_a_significant_event(house: House) -> None:
    begin(house)
    assert end(house, "100x9").difference == -10_000
    with house.store.read() as reader:
        act = acts_of(reader)[-1]
    assert (act.code, act.subject, act.who) == ("count-differs", "difference/shift/1", "Cas")
    assert act.after == {"expected": 100_000, "counted": 90_000, "difference": -10_000}


@pytest.mark.gli("2.5.6")
def test_every_movement_at_the_desk_has_a_receipt(house: House) -> None:
    shift = begin(house)
    moved(house.desk.buy_in("Ann", 50_000, CASHIER, 7, "k1"))
    moved(house.desk.cash_out("Ann", 20_000, OTHER, 8, "k2"))
    with house.store.read() as reader:
        first, second = (receipt_of(reader, last_receipt(reader, *of)) for of in (("Cas", "k1"), ("Cor", "k2")))
        assert isinstance(receipt_of(reader, 10**9), Refusal)
    assert isinstance(first, Receipt) and isinstance(second, Receipt)
    assert (first.kind, first.amount, first.balance, first.by, first.shift) == (
        "buy-in",
        50_000,
        150_000,
        "Cas",
        shift.number,
    )
    assert (second.kind, second.amount, second.balance, second.by, second.shift) == (
        "cash-out",
        -20_000,
        130_000,
        "Cor",
        None,
    )
    assert ("buy-in", "USD +500") in receipt_rows(first)


@pytest.mark.slow
@pytest.mark.gli("MICS")
def test_random_shifts_of_two_cashiers_are_what_their_drawers_hold(house: House) -> None:
    random = Random(11)
    drawers: dict[str, int | None] = {"Cas": None, "Cor": None}
    for step in range(120):
        name = random.choice(("Cas", "Cor"))
        held = drawers[name]
        if held is None:
            begin(house, "100x20", name)
            drawers[name] = 200_000
        elif random.random() < 0.1:
            closed = end(house, f"{held // 100}x1", name)
            assert closed.difference == 0
            drawers[name] = None
        else:
            amount, person = random.randrange(100, 20_000, 100), Person(name, Role.CASHIER)
            act, sign = random.choice(((house.desk.buy_in, 1), (house.desk.cash_out, -1)))
            if isinstance(act(random.choice(("Ann", "Ben")), amount, person, step), Movement):
                drawers[name] = held + sign * amount
    check_store(house.store)
