"""Keys of commands: a repeat gets the first answer and has no other effect."""

from __future__ import annotations

from msgspec.structs import replace

from punto.floor.job import Job
from punto.refusal import Reason, Refusal
from punto.rules.role import Role
from punto.table import command as c
from tests.floor.house import CASHIER, House, accepted, reason


def test_a_repeat_has_the_first_answer_and_no_other_effect(house: House) -> None:
    house.seat("Ann")
    house.call()
    first = accepted(house.bet("Ann", 10_000, key="k1"))
    accepted(house.bet("Ann", 5_000, key="k2"))
    assert house.bet("Ann", 10_000, key="k1") == first, "whatever the time is now"
    assert house.holdings("Ann").free == 85_000
    house.finish()
    house.call()
    assert house.bet("Ann", 10_000, key="k1", round=1) == first, "as long as the log is kept"
    assert not house.table().state.bets


def test_a_repeat_of_a_refusal_is_refused_the_same_way(house: House) -> None:
    house.seat("Ann")
    house.call()
    first = house.bet("Ann", 200_000, key="k1")
    assert reason(first) is Reason.NOT_ENOUGH_FUNDS
    assert not isinstance(house.desk.buy_in("Ann", 500_000, CASHIER, 0), Refusal)
    assert house.bet("Ann", 200_000, key="k1") == first
    accepted(house.bet("Ann", 200_000, key="k2"))


def test_a_key_with_another_body_is_refused(house: House) -> None:
    house.open("t2")
    house.seat("Ann")
    house.call()
    accepted(house.bet("Ann", 10_000, key="k1"))
    assert reason(house.bet("Ann", 20_000, key="k1")) is Reason.KEY_REUSED
    assert reason(house.bet("Ann", 10_000, key="k1", id="t2", box=1)) is Reason.KEY_REUSED
    assert house.holdings("Ann").free == 90_000


def test_a_key_with_another_expected_version_is_refused(house: House) -> None:
    house.seat("Ann")
    house.call()
    bet = c.PlaceBet(actor="Ann", role=Role.PLAYER, box=1, area="banker", amount=1_000, round=1, key="k1")
    version = house.version()
    first = accepted(house.floor.give("t1", bet, version))
    assert house.floor.give("t1", bet, version) == first
    for other in (None, 0, version - 1, version + 1):
        assert reason(house.floor.give("t1", bet, other)) is Reason.KEY_REUSED
    named_none = accepted(house.floor.give("t1", replace(bet, key="k2")))
    assert house.floor.give("t1", replace(bet, key="k2")) == named_none
    assert reason(house.floor.give("t1", replace(bet, key="k2"), version + 1)) is Reason.KEY_REUSED
    late = house.floor.give("t1", replace(bet, key="k3"), version)
    assert reason(late) is Reason.VERSION
    assert house.floor.give("t1", replace(bet, key="k3"), version) == late
    assert reason(house.floor.give("t1", replace(bet, key="k3"), house.version())) is Reason.KEY_REUSED
    assert house.holdings("Ann").free == 98_000


def test_what_an_earlier_punto_kept_is_repeated_whatever_the_version(house: House) -> None:
    house.seat("Ann")
    house.call()
    bet = c.PlaceBet(actor="Ann", role=Role.PLAYER, box=1, area="banker", amount=1_000, round=1, key="k1")
    first = accepted(house.floor.give("t1", bet, house.version()))
    with house.store.write() as transaction:
        transaction.connection.run("UPDATE commands SET expected = -1", ())
    assert house.floor.give("t1", bet, 1) == house.floor.give("t1", bet) == first


def test_a_key_belongs_to_whoever_sends_it(house: House) -> None:
    house.seat("Ann", "Ben")
    house.call()
    accepted(house.bet("Ann", 10_000, key="k"))
    accepted(house.bet("Ben", 10_000, key="k"))
    assert len(house.table().state.bets) == 2


def test_a_dealers_repeat_draws_no_second_card(house: House) -> None:
    house.call()
    version = house.version()
    deal = c.DealCard(actor="Dan", role=Role.DEALER, key="d1")
    first = accepted(house.floor.give("t1", deal, version))
    assert house.floor.give("t1", deal, version) == first
    assert house.table().state.cards_out == 1


def test_the_same_key_twice_in_one_batch(house: House) -> None:
    house.seat("Ann")
    house.call()
    bet = c.PlaceBet(actor="Ann", role=Role.PLAYER, box=1, area="banker", amount=1_000, round=1, key="k")
    other = replace(bet, amount=2_000)
    with house.store.write() as transaction:
        jobs = [Job("t1", sent) for sent in (bet, bet, other, bet)]
        answers = house.floor._run(transaction, [*jobs, Job("t1", bet, 1)])
    assert answers[0] == answers[1] == answers[3]
    assert reason(answers[2]) is reason(answers[4]) is Reason.KEY_REUSED
    assert house.holdings("Ann").free == 99_000
