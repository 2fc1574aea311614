"""Racks: two people always, and whatever is played, what should be there is what the ledger says."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.floor.answers import Waiting
from punto.floor.house_rules import change_rules
from punto.floor.pit import Approvals, Verdict, waiting_of
from punto.floor.rack import AddSlip, Chips, Rack, Racks, RackSlip, SlipKind, amount_of, parse_chips, rack_of
from punto.refusal import Reason, Refusal
from punto.rules.authority import LADDER, PIT_ROLES, Role
from punto.store.cage import stored_slips
from punto.store.people import set_roles
from punto.store.pit import StoredApproval
from punto.store.record import AccountOwner
from punto.table.header import Person
from punto.table.house import CloseTable
from tests.floor.house import House, accepted
from tests.floor.ledger_check import acts_of, check_store

DAN, CAS = Person("Dan", Role.DEALER), Person("Cas", Role.CASHIER)
CHIPS = "1000x50 100x100 25x40 5x20"


def slip(
    house: House, kind: SlipKind, chips: str | Chips = "", by: Person = DAN, second: Person | None = CAS, key: str = ""
) -> RackSlip | Refusal:
    counted = parse_chips(chips.split()) if isinstance(chips, str) else chips
    command = AddSlip(actor=by.name, role=by.role, second=second, key=key, table="t1", kind=kind, chips=counted)
    house.time += 1
    return Racks(house.store).add(command, house.time)


def done(answer: RackSlip | Refusal) -> RackSlip:
    assert isinstance(answer, RackSlip), answer
    return answer


def rack(house: House) -> Rack:
    with house.store.read() as reader:
        found = rack_of(reader, "t1")
    assert isinstance(found, Rack), found
    return found


def refused(answer: object) -> Reason:
    assert isinstance(answer, Refusal), answer
    return answer.reason


@given(st.dictionaries(st.integers(1, 10**9), st.integers(0, 10**6), max_size=8))
def test_chips_are_read_as_they_are_written(counted: dict[int, int]) -> None:
    texts = [f"{value // 100}.{value % 100:02}x{count}" for value, count in counted.items()]
    chips = parse_chips(texts)
    assert {chip.value: chip.count for chip in chips} == counted
    assert amount_of(chips) == sum(value * count for value, count in counted.items())


@pytest.mark.parametrize("text", ["100", "x20", "100x", "100x-1", "0x5", "1.005x2", "100x20 100x1", "100 x20"])
def test_what_are_not_chips_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"chips|amount|cent|zero"):
        parse_chips(text.split())


@pytest.mark.gli("NJ 13:69D-1.21")
def test_opener_fill_credit_and_closer(house: House) -> None:
    opened = done(slip(house, SlipKind.OPEN, CHIPS))
    assert (opened.number, opened.amount) == (1, 6_110_000)
    done(slip(house, SlipKind.FILL, "100x10"))
    done(slip(house, SlipKind.CREDIT, "5x20"))
    now = rack(house)
    assert (now.opener, now.fills, now.credits, now.win, now.expected) == (6_110_000, 100_000, 10_000, 0, 6_200_000)
    assert {chip.value: chip.count for chip in now.chips} == {100_000: 50, 10_000: 110, 2_500: 40, 500: 0}
    closed = done(slip(house, SlipKind.CLOSE, "1000x50 100x110 25x40"))
    assert (closed.number, closed.expected, closed.difference) == (4, 6_200_000, 0)
    assert not rack(house).is_open
    assert refused(slip(house, SlipKind.FILL, "100x1")) is Reason.NO_RACK
    assert done(slip(house, SlipKind.OPEN, CHIPS)).number == 5
    check_store(house.store)


def test_what_cannot_be_done_to_a_rack(house: House) -> None:
    for kind in (SlipKind.FILL, SlipKind.CREDIT, SlipKind.COUNT, SlipKind.CLOSE):
        assert refused(slip(house, kind, "100x1")) is Reason.NO_RACK
    done(slip(house, SlipKind.OPEN, "100x10"))
    assert refused(slip(house, SlipKind.OPEN, "100x10")) is Reason.RACK_OPEN
    assert refused(slip(house, SlipKind.CREDIT, "100x11")) is Reason.RACK_SHORT
    assert refused(slip(house, SlipKind.FILL)) is Reason.WRONG_CHIPS
    assert refused(slip(house, SlipKind.FILL, parse_chips(["5x1"]) * 2)) is Reason.WRONG_CHIPS
    assert len(rack(house).slips) == 1, "nothing of it was kept"


@pytest.mark.gli("NJ 13:69D-1.21")
def test_two_people_always(house: House) -> None:
    """Every pair of roles: one of the table, one of the cage or the pit, and never the same person."""
    done(slip(house, SlipKind.OPEN, CHIPS))
    cage = (Role.CASHIER, *PIT_ROLES)
    for one, other in product(Role, Role):
        answer = slip(house, SlipKind.FILL, "5x1", Person("Ann", one), Person("Ben", other))
        is_right = (one in LADDER and other in cage) or (other in LADDER and one in cage)
        assert isinstance(answer, RackSlip) == is_right, (one, other)
        assert refused(slip(house, SlipKind.FILL, "5x1", Person("Ann", one), Person("Ann", other))) is Reason.TWO_PEOPLE
    assert refused(slip(house, SlipKind.FILL, "5x1", second=None)) is Reason.TWO_PEOPLE
    with house.store.read() as reader:
        assert all(each.actor != each.second for each in stored_slips(reader))


@pytest.mark.slow
@pytest.mark.gli("NJ 13:69D-1.21")
@pytest.mark.parametrize("seed", range(3))
def test_the_float_by_value_is_the_ledger_at_every_count(house: House, seed: int) -> None:
    """A dealer who pays and takes real chips, and changes them with nobody: the twin counts them one by one."""
    random, total = Random(seed), 0
    done(slip(house, SlipKind.OPEN, CHIPS))
    tray = Counter({chip.value: chip.count for chip in parse_chips(CHIPS.split())})
    house.seat("Ann", "Ben")
    for _ in range(12):
        house.call()
        for player in ("Ann", "Ben"):
            if random.random() < 0.8:
                house.bet(player, random.randrange(1_000, 6_000, 100), random.choice(("banker", "player", "tie")))
        house.finish()
        won = -sum(bet.net for bet in house.table().state.settled or ())
        tray[100] += won // 100  # in the smallest chip: what lies there may be fewer than none for a while
        if random.random() < 0.4:
            kind = random.choice((SlipKind.FILL, SlipKind.CREDIT))
            done(slip(house, kind, "100x2 25x4"))
            for value, count in ((10_000, 2), (2_500, 4)):
                tray[value] += count if kind is SlipKind.FILL else -count
        total = sum(value * count for value, count in tray.items())
        assert rack(house).expected == total
        counted = done(slip(house, SlipKind.COUNT, parse_chips([f"{total // 100}.{total % 100:02}x1"])))
        assert counted.difference == 0
    accepted(house.deal(CloseTable, by="Sue", role=Role.PIT_SUPERVISOR))
    assert rack(house).expected == total, "the ledger's own credit at the close moves no chip"
    check_store(house.store)


@pytest.mark.gli("A.2.5")
def test_what_bots_and_test_accounts_win_is_in_no_rack(house: House) -> None:
    """They have no chips: what is counted at the table is what the players have lost and won."""
    house.desk.mark_account("Ben", AccountOwner.BOT, 0)
    house.desk.mark_account("Cat", AccountOwner.TEST, 0)
    done(slip(house, SlipKind.OPEN, CHIPS))
    house.seat("Ann", "Ben", "Cat")
    nets = Counter[str]()
    while not all(nets[player] for player in ("Ann", "Ben", "Cat")):
        house.call()
        for player, amount in (("Ann", 1_000), ("Ben", 2_500), ("Cat", 4_000)):
            accepted(house.bet(player, amount))
        house.finish()
        for bet in house.table().state.settled or ():
            nets[bet.player] += bet.net
        assert rack(house).win == -nets["Ann"]
    counted = done(slip(house, SlipKind.COUNT, parse_chips([f"{(6_110_000 - nets['Ann']) / 100:.2f}x1"])))
    assert counted.difference == 0
    check_store(house.store)


@pytest.mark.gli("NJ 13:69D-1.21")
@pytest.mark.parametrize(("counted", "is_told"), [("5x175", True), ("5x195", False), ("5x205", False), ("5x206", True)])
def test_a_difference_over_the_threshold_is_a_significant_event(house: House, counted: str, is_told: bool) -> None:
    done(slip(house, SlipKind.OPEN, "5x200"))
    closed = done(slip(house, SlipKind.CLOSE, counted))
    assert closed.difference == closed.amount - 100_000
    with house.store.read() as reader:
        acts = [act for act in acts_of(reader) if act.code == "count-differs"]
    assert bool(acts) == is_told
    for act in acts:
        assert (act.subject, act.who, act.second) == ("difference/rack/t1/2", "Dan", "Cas")
        assert act.after == {"expected": 100_000, "counted": closed.amount, "difference": closed.difference}
    check_store(house.store)


def test_the_house_says_what_difference_it_lets_pass(house: House) -> None:
    change_rules(house.store, {"rack_difference": 100}, "Ada", 1)
    done(slip(house, SlipKind.OPEN, "5x200"))
    done(slip(house, SlipKind.CLOSE, "5x199"))
    with house.store.read() as reader:
        assert [act.code for act in acts_of(reader)][-1] == "count-differs"


def test_a_slip_under_the_same_key_is_one_slip(house: House) -> None:
    done(slip(house, SlipKind.OPEN, CHIPS, key="k1"))
    first = done(slip(house, SlipKind.FILL, "100x1", key="k2"))
    assert done(slip(house, SlipKind.FILL, "100x1", key="k2")) == first
    assert rack(house).fills == 10_000


@pytest.mark.gli("NJ 13:69D-1.21")
def test_a_slip_waits_for_the_second_person(house: House) -> None:
    with house.store.write() as transaction:
        for name, role in (("Ann", Role.DEALER), ("Ben", Role.CASHIER), ("Cat", Role.PIT_SUPERVISOR)):
            set_roles(transaction, name, [role], "Ada", 0)
    approvals = Approvals(house.floor, house.desk, 60_000, lambda: 1_000)

    def ask(name: str, role: Role, kind: SlipKind, key: str) -> StoredApproval:
        command = AddSlip(actor=name, role=role, key=key, table="t1", kind=kind, chips=parse_chips(["100x20"]))
        asked = approvals.ask_slip(command)
        assert isinstance(asked, StoredApproval), asked
        return asked

    by_dealer = ask("Ann", Role.DEALER, SlipKind.OPEN, "a")
    assert isinstance(waiting_of(by_dealer), Waiting) and by_dealer.needs == "pit-supervisor"
    assert isinstance(approvals.decide(by_dealer, Verdict.APPROVE, "Ann"), Refusal), "nobody agrees with themselves"
    assert isinstance(approvals.decide(by_dealer, Verdict.APPROVE, "Ben"), Refusal), "the cage does not rank at a table"
    with house.store.read() as reader:
        assert stored_slips(reader) == [], "nothing is done before somebody agrees"
    second = approvals.decide(by_dealer, Verdict.APPROVE, "Cat")
    assert isinstance(second, Person)
    assert approvals.carry_out(by_dealer.id, second) is None
    assert approvals.carry_out(by_dealer.id, second) is None, "and once"
    by_cashier = ask("Ben", Role.CASHIER, SlipKind.FILL, "b")
    assert by_cashier.needs == "dealer"
    second = approvals.decide(by_cashier, Verdict.APPROVE, "Ann")
    assert isinstance(second, Person)
    assert approvals.carry_out(by_cashier.id, second) is None
    now = rack(house)
    assert [(each.by.name, each.second.name) for each in now.slips] == [("Ann", "Cat"), ("Ben", "Ann")]
    assert now.expected == 400_000
    again = AddSlip(actor="Ann", role=Role.DEALER, key="c", table="t1", kind=SlipKind.OPEN, chips=())
    assert refused(approvals.ask_slip(again)) is Reason.RACK_OPEN, "nobody is asked about what cannot be done"
    check_store(house.store)
    assert msgspec.json.encode(now)
