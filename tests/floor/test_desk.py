"""The cashier's desk in a store: accounts, money in and out, corrections, and what can be erased."""

from __future__ import annotations

import pytest

from punto.floor import job as funds
from punto.floor.desk import holdings_of
from punto.floor.people import Author, People
from punto.ledger.movement import Movement, MovementKind, cash_account, moved, play_account, player_account
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.store.reader import brought_by_table, staked_by_area
from punto.store.record import StoredPerson
from punto.table.betting import CallBets
from punto.table.header import Person
from tests.floor.house import CASHIER, House, accepted
from tests.floor.ledger_check import check_store

MANAGER = Person("Mae", Role.PIT_MANAGER)


def why(answer: object) -> Reason:
    assert isinstance(answer, Refusal), answer
    return answer.reason


def test_nobody_moves_money_of_their_own_account(house: House) -> None:
    desk, ann = house.desk, Person("Ann", Role.CASHIER)
    for act in (desk.buy_in, desk.cash_out):
        for key in (None, act.__name__, act.__name__):
            assert why(act("Ann", 500, ann, 7, key)) is Reason.OWN_ACCOUNT
    assert why(desk.correct("Ann", 500, ann, MANAGER, "not booked", 7)) is Reason.OWN_ACCOUNT
    assert house.holdings("Ann").free == 100_000
    check_store(house.store)


def test_money_in_and_out(house: House) -> None:
    desk = house.desk
    assert isinstance(desk.buy_in("Ann", 500, CASHIER, 7), Movement)
    assert isinstance(desk.cash_out("Ann", 100_500, CASHIER, 8), Movement)
    assert house.holdings("Ann").free == 0
    assert why(desk.cash_out("Ann", 1, CASHIER, 9)) is Reason.NOT_ENOUGH_FUNDS
    assert why(desk.buy_in("Ann", 0, CASHIER, 9)) is Reason.WRONG_AMOUNT
    assert why(desk.buy_in("Nobody", 100, CASHIER, 9)) is Reason.NO_ACCOUNT
    with house.store.read() as reader:
        lines = reader.statement(player_account("Ann"))
    told = [(line.kind, line.amount, line.balance, line.by) for line in lines]
    assert told == [
        ("buy-in", 100_000, 100_000, "Cas"),
        ("buy-in", 500, 100_500, "Cas"),
        ("cash-out", -100_500, 0, "Cas"),
    ]
    check_store(house.store)


def test_what_is_held_cannot_be_cashed_out(house: House) -> None:
    house.seat("Ann")
    house.call()
    accepted(house.bet("Ann", 100_000, "player"))
    accepted(house.bet("Ben", 100_000, "banker", box=1))
    house.finish()
    for player in ("Ann", "Ben"):
        held = sum(house.holdings(player).held.values())
        refused = Reason.FUNDS_HELD if held else Reason.NOT_ENOUGH_FUNDS
        assert why(house.desk.cash_out(player, max(held, 1), CASHIER, 9)) is refused
    accepted(house.deal(CallBets))
    won = next(name for name in ("Ann", "Ben") if house.holdings(name).free)
    assert isinstance(house.desk.cash_out(won, house.holdings(won).free, CASHIER, 9), Movement)
    check_store(house.store)


@pytest.mark.gli("2.9.5")
def test_a_correction_takes_two_people_and_a_reason(house: House) -> None:
    desk = house.desk
    assert why(desk.correct("Ann", 100, CASHIER, None, "x", 1)) is Reason.SECOND_PERSON
    assert why(desk.correct("Ann", 100, CASHIER, CASHIER, "x", 1)) is Reason.SECOND_PERSON
    assert why(desk.correct("Ann", 100, CASHIER, MANAGER, " ", 1)) is Reason.REASON_NEEDED
    assert why(desk.correct("Ann", -100_100, CASHIER, MANAGER, "x", 1)) is Reason.NOT_ENOUGH_FUNDS
    assert isinstance(desk.correct("Ann", -100_000, CASHIER, MANAGER, "paid twice", 1), Movement)
    with house.store.read() as reader:
        last = reader.statement(player_account("Ann"))[-1]
        assert (last.balance, last.second, last.reason) == (0, "Mae", "paid twice")
        assert holdings_of(reader, "Ann").free == 0
    check_store(house.store)


def test_a_handle_is_never_given_again_and_a_person_can_be_erased(house: House) -> None:
    assert not isinstance(house.desk.open_account(StoredPerson("Kim", "Kim W.", "kim@x"), "HKD", 1), Refusal)
    people, cas = People(house.store, lambda: 3), Author("Cas")
    assert people.erase("Kim", cas) is True
    assert people.erase("Kim", cas) is False
    assert why(people.erase("Nobody", cas)) is Reason.NO_ACCOUNT
    with house.store.read() as reader:
        assert reader.person("Kim") is None
        assert reader.account("Kim") is not None
    assert why(house.desk.open_account(StoredPerson("Kim"), "USD", 2)) is Reason.ACCOUNT_EXISTS


def test_a_removed_command_does_not_let_a_buy_in_be_repeated(house: House) -> None:
    desk = house.desk
    for act, key in ((desk.buy_in, "in"), (desk.cash_out, "out")):
        assert isinstance(act("Ann", 500, CASHIER, 7, key), Movement)
        with house.store.write() as transaction:
            transaction.connection.run("DELETE FROM commands WHERE key = ?", (key,))
        before = house.holdings("Ann").free
        assert why(act("Ann", 500, CASHIER, 8, key)) is Reason.KEY_REUSED
        assert house.holdings("Ann").free == before


def test_the_house_has_no_more_than_a_column_holds(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(funds, "MOST_IN_HOUSE", 10**15)
    assert isinstance(house.desk.buy_in("Ann", 10**15 - 10**6, CASHIER, 7, "k0"), Movement)
    for key in ("k1", "k1", None):
        assert why(house.desk.buy_in("Ben", 10**6, CASHIER, 7, key)) is Reason.BEYOND_LEDGER
    check_store(house.store)


def test_what_was_staked_in_a_lifetime_may_be_more_than_a_column_holds(house: House) -> None:
    wallet, cash, play = player_account("Ann"), cash_account("USD"), play_account("t1", 1)
    with house.store.write() as transaction:
        for seq in range(1, 13):
            back = Movement(MovementKind.BUY_IN, moved(10**18, source=cash, target=wallet), player="Ann")
            bet = moved(10**18, source=wallet, target=play)
            stake = Movement(MovementKind.BET, bet, round=1, box=1, area="tie", player="Ann")
            transaction.post([back], time_ms=1)
            transaction.post([stake], time_ms=1, table="t1", seq=seq)
            home = moved(10**18, source=play, target=cash)
            transaction.post([Movement(MovementKind.CORRECTION, home, reason="put back")], time_ms=1)
            transaction.flush()
    with house.store.read() as reader:
        assert staked_by_area(reader, "Ann") == {"t1": {"tie": 12 * 10**18}}
        assert brought_by_table(reader, "Ann") == {"t1": -12 * 10**18}
