"""Keys of commands: a repeat gets the first answer and has no other effect."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from punto import books
from punto.floor.desk import CorrectAccount
from punto.floor.job import Job, encode_command
from punto.ledger.movement import Movement
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.store.pit import StoredApproval, add_approval, take_decision
from punto.table.betting import PlaceBet
from punto.table.dealing import DealCard
from punto.table.header import Person
from punto.table.house import CloseTable, OpenTable, PauseTable
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
    bet = PlaceBet(actor="Ann", role=Role.PLAYER, box=1, area="banker", amount=1_000, round=1, key="k1")
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


def test_a_key_belongs_to_whoever_sends_it(house: House) -> None:
    house.seat("Ann", "Ben")
    house.call()
    accepted(house.bet("Ann", 10_000, key="k"))
    accepted(house.bet("Ben", 10_000, key="k"))
    assert len(house.table().state.bets) == 2


def test_a_dealers_repeat_draws_no_second_card(house: House) -> None:
    house.call()
    version = house.version()
    deal = DealCard(actor="Dan", role=Role.DEALER, key="d1")
    first = accepted(house.floor.give("t1", deal, version))
    assert house.floor.give("t1", deal, version) == first
    assert house.table().state.cards_out == 1


def test_the_same_key_twice_in_one_batch(house: House) -> None:
    house.seat("Ann")
    house.call()
    bet = PlaceBet(actor="Ann", role=Role.PLAYER, box=1, area="banker", amount=1_000, round=1, key="k")
    other = replace(bet, amount=2_000)
    with house.store.write() as transaction:
        jobs = [Job("t1", sent) for sent in (bet, bet, other, bet)]
        answers = house.floor._run(transaction, [*jobs, Job("t1", bet, 1)])
    assert answers[0] == answers[1] == answers[3]
    assert reason(answers[2]) is reason(answers[4]) is Reason.KEY_REUSED
    assert house.holdings("Ann").free == 99_000


def waits(house: House, key: str, body: str, table: str | None = None, decision: str | None = None) -> None:
    """Something of a cashier or a supervisor waits for a second person under a key."""
    actor = "Cas" if table is None else "Sue"
    approval = StoredApproval(
        id=f"{actor}-{key}",
        table=table,
        actor=actor,
        role="cashier" if table is None else "pit-supervisor",
        key=key,
        body=body,
        version=None,
        needs="pit-manager",
        asked_ms=0,
        expires_ms=10**15,
        decision=decision,
    )
    with house.store.write() as transaction:
        add_approval(transaction, approval, house.floor.seal)


def test_a_key_under_which_a_correction_waits_moves_nothing_else(house: House) -> None:
    """Whatever the desk is asked: only the correction itself, once somebody has agreed."""
    second = Person("Mae", Role.PIT_MANAGER)
    fix = CorrectAccount(actor="Cas", role=Role.CASHIER, account="Ann", amount=700, reason="not booked")
    body = msgspec.json.encode(fix).decode()
    for decision in (None, "approve", "decline", "expired", "refused"):
        key = f"k-{decision}"
        waits(house, key, body, decision=decision)
        other = [
            house.desk.buy_in("Ann", 700, CASHIER, 1, key),
            house.desk.cash_out("Ann", 700, CASHIER, 1, key),
            house.desk.correct("Ann", 701, CASHIER, second, "not booked", 1, key),
            house.desk.correct("Ann", 700, CASHIER, second, "another", 1, key),
        ]
        assert all(isinstance(each, Refusal) and each.reason is Reason.KEY_REUSED for each in other)
        before = house.holdings("Ann").free
        for _ in range(2):
            done = house.desk.correct("Ann", 700, CASHIER, second, "not booked", 1, key)
            assert isinstance(done, Movement) is (decision == "approve")
        assert house.holdings("Ann").free == before + (700 if decision == "approve" else 0)


def test_a_key_under_which_a_command_waits_does_nothing_else_at_a_table(house: House) -> None:
    house.open("t2")
    pause = PauseTable(actor="Sue", role=Role.PIT_SUPERVISOR, key="k")
    waits(house, "k", encode_command(pause), table="t1")
    version = house.version()
    for id in ("t1", "t2"):
        assert reason(house.floor.give(id, pause)) is Reason.KEY_REUSED, "nobody has agreed to it"
    opening = OpenTable(actor="Sue", role=Role.PIT_SUPERVISOR, terms=house.table().terms, key="k")
    assert reason(house.floor.open_table("t3", books.load("ez"), opening)) is Reason.KEY_REUSED
    with house.store.read() as reader:
        assert reader.table("t3") is None, "no half of a table is left"
    with house.store.write() as transaction:
        assert take_decision(transaction, "Sue-k", "approve", "Mae", 1, house.floor.seal)
    assert reason(house.floor.give("t2", pause)) is Reason.KEY_REUSED
    assert reason(house.floor.give("t1", CloseTable(actor="Sue", role=Role.PIT_SUPERVISOR, key="k"))) is (
        Reason.KEY_REUSED
    )
    agreed = replace(pause, second=Person("Mae", Role.PIT_MANAGER), time=9)
    first = accepted(house.floor.give("t1", agreed, version))
    assert house.version() == version + 1 and house.floor.give("t1", agreed, version) == first
