"""What waits for a second person, and calls for the pit, without any server: asked, decided, expired, carried out."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from punto.floor.desk import CorrectAccount
from punto.floor.job import Accepted
from punto.floor.people import Author, People
from punto.floor.pit import MOST_APPROVALS_WAITING, Approvals, PitCalls, Verdict, approval_for, second_of
from punto.refusal import Reason, Refusal
from punto.rules.authority import LADDER, Authority, Role
from punto.store.pit import StoredApproval
from punto.store.record import PitAnswer, StoredPerson
from punto.table.betting import CloseBets, PlaceBet
from punto.table.header import Person
from punto.table.house import PauseTable, TakeSeat
from tests.floor.house import House, reason

TWO = (Authority("pause-table", LADDER, second=Role.PIT_MANAGER),)
PAUSE = PauseTable(actor="Sue", role=Role.PIT_SUPERVISOR, key="k")
FIX = CorrectAccount(actor="Cas", role=Role.CASHIER, key="fix", account="Ann", amount=-700, reason="paid twice")
MINUTE = 60_000


class Pit:
    """The approvals of a house, its clock, and what was told of them."""

    def __init__(self, house: House) -> None:
        self.house, self.now = house, 1_000
        self.told: list[tuple[str, str | None]] = []
        self.approvals = Approvals(house.floor, house.desk, MINUTE, lambda: self.now, self._tell)
        self.calls = PitCalls(house.store, lambda: self.now)
        people = People(house.store, lambda: self.now)
        for name, role in (("Sue", Role.PIT_SUPERVISOR), ("Mia", Role.PIT_MANAGER), ("Cas", Role.CASHIER)):
            person = StoredPerson(name, password="kept")
            assert not isinstance(people.let_in(person, "USD", (role,), Author("house")), Refusal)

    def _tell(self, approval: StoredApproval) -> None:
        self.told.append((approval.id, approval.decision))

    def ask(self, key: str = "k") -> StoredApproval:
        asked = self.approvals.ask("two", replace(PAUSE, key=key), None, Role.PIT_MANAGER)
        assert isinstance(asked, StoredApproval), asked
        return asked


@pytest.fixture
def pit(house: House) -> Pit:
    house.open("two", "commission", authority=TWO)
    return Pit(house)


def why(answer: object) -> Reason:
    assert isinstance(answer, Refusal), answer
    return answer.reason


def test_a_command_waits_and_is_carried_out_once(pit: Pit) -> None:
    assert second_of(pit.house.table("two"), PAUSE) is Role.PIT_MANAGER
    waiting = pit.ask()
    assert pit.approvals.waiting() == [pit.approvals.find(waiting.id)]
    assert pit.approvals.asked_before("two", PAUSE, None) == pit.ask(), "the same key has the same answer"
    assert why(pit.approvals.asked_before("two", PAUSE, 1)) is Reason.KEY_REUSED
    second = pit.approvals.decide(waiting, Verdict.APPROVE, "Mia")
    assert second == Person("Mia", Role.PIT_MANAGER)
    done = pit.approvals.carry_out(waiting.id, second)
    assert isinstance(done, Accepted) and pit.house.version("two") == done.version == 2
    assert pit.approvals.carry_out(waiting.id, second) == done
    assert pit.told == [(waiting.id, None), (waiting.id, "approve")]
    found = pit.approvals.find(waiting.id)
    assert found is not None
    shown = approval_for(found, "Sue", (Role.PIT_SUPERVISOR,), pit.now)
    assert (shown.decision, shown.decided_by, shown.done, shown.yours) == ("approve", "Mia", 2, False)
    assert shown.command == {"type": "pause-table"}


def test_who_may_not_decide_is_refused(pit: Pit) -> None:
    waiting = pit.ask()
    assert why(pit.approvals.decide(waiting, Verdict.APPROVE, "Sue")) is Reason.OWN_APPROVAL
    for name in ("Cas", "Ann", "Nobody"):
        assert why(pit.approvals.decide(waiting, Verdict.APPROVE, name)) is Reason.RANK_NEEDED
    assert not isinstance(pit.approvals.decide(waiting, Verdict.DECLINE, "Mia"), Refusal)
    over = pit.approvals.decide(waiting, Verdict.APPROVE, "Mia")
    assert isinstance(over, Refusal) and over.sentence == "this can no longer be decided: it was decided already"
    assert pit.told[-1] == (waiting.id, "decline") and pit.house.version("two") == 1


def test_what_nobody_decides_expires_and_stays_over(pit: Pit) -> None:
    waiting = pit.ask()
    assert pit.approvals.finish() == pit.now + MINUTE
    pit.now += MINUTE
    assert pit.approvals.finish() is None and pit.told[-1] == (waiting.id, "expired")
    pit.now -= MINUTE
    late = pit.approvals.decide(waiting, Verdict.APPROVE, "Mia")
    assert isinstance(late, Refusal) and late.sentence == "this can no longer be decided: it has expired"


def test_what_was_agreed_to_is_finished_by_whoever_comes_next(pit: Pit) -> None:
    waiting = pit.ask()
    assert not isinstance(pit.approvals.decide(waiting, Verdict.APPROVE, "Mia"), Refusal)
    Approvals(pit.house.floor, pit.house.desk, MINUTE, lambda: pit.now).finish()
    assert pit.house.version("two") == 2


def test_what_would_be_refused_whoever_agrees_does_not_wait(pit: Pit) -> None:
    waiting = pit.ask()
    second = pit.approvals.decide(waiting, Verdict.APPROVE, "Mia")
    assert isinstance(second, Person)
    pit.approvals.carry_out(waiting.id, second)
    for _ in range(2):
        again = pit.approvals.ask("two", replace(PAUSE, key="again"), None, Role.PIT_MANAGER)
        assert why(again) is Reason.PAUSED
    assert pit.approvals.waiting() == []


def test_one_person_has_only_so_much_waiting(pit: Pit) -> None:
    for number in range(MOST_APPROVALS_WAITING):
        pit.ask(str(number))
    more = pit.approvals.ask("two", replace(PAUSE, key="more"), None, Role.PIT_MANAGER)
    assert isinstance(more, Refusal) and more.params == {"most": MOST_APPROVALS_WAITING, "seconds": 60}
    assert more.sentence == "you have 50 commands waiting for a second person already"


def test_a_correction_takes_a_second_person(pit: Pit) -> None:
    asked = pit.approvals.ask_correction(FIX)
    assert isinstance(asked, StoredApproval) and pit.house.holdings("Ann").free == 100_000
    second = pit.approvals.decide(asked, Verdict.APPROVE, "Mia")
    assert isinstance(second, Person)
    assert pit.approvals.carry_out(asked.id, second) is None and pit.house.holdings("Ann").free == 99_300
    for change, expected in (
        ({"account": "Cas"}, Reason.OWN_ACCOUNT),
        ({"account": "Nobody"}, Reason.NO_ACCOUNT),
        ({"amount": -(10**9)}, Reason.NOT_ENOUGH_FUNDS),
    ):
        refused = pit.approvals.ask_correction(replace(FIX, key=str(change), **change))
        assert why(refused) is expected


def test_a_call_is_answered_once_by_the_pit_or_cleared_by_its_caller(pit: Pit) -> None:
    dealer, manager = ("Dan", (Role.DEALER,)), ("Mia", (Role.PIT_MANAGER,))
    called = pit.calls.call("two", *dealer, "  a card fell ")
    assert not isinstance(called, Refusal)
    call, is_new = called
    assert is_new and (call.reason, call.role) == ("a card fell", Role.DEALER)
    assert pit.calls.call("two", *manager, None) == (call, False) and pit.calls.live() == [call]
    assert why(pit.calls.answer(call, PitAnswer.COMING, *dealer)) is Reason.RANK_NEEDED
    answered = pit.calls.answer(call, PitAnswer.COMING, *manager)
    assert not isinstance(answered, Refusal) and answered.answered_by == "Mia"
    late = pit.calls.answer(call, PitAnswer.CLEARED, *dealer)
    assert isinstance(late, Refusal) and late.sentence == "Mia has answered this call already"
    assert why(pit.calls.call("two", "Ann", (Role.PLAYER,), None)) is Reason.RANK_NEEDED


def test_the_version_is_that_of_the_asking(pit: Pit) -> None:
    waiting = pit.ask()
    second = pit.approvals.decide(waiting, Verdict.APPROVE, "Mia")
    assert isinstance(second, Person)
    assert not isinstance(pit.house.ask(TakeSeat, "Ann", "two", box=1), Refusal)
    outcome = pit.approvals.carry_out(waiting.id, second)
    assert isinstance(outcome, Refusal) and reason(outcome) is Reason.VERSION


def test_a_bet_that_waits_for_its_players_word_ends_with_the_betting(pit: Pit) -> None:
    pit.house.open("t2", "commission")
    assert not isinstance(pit.house.ask(TakeSeat, "Ann", "t2", box=1), Refusal)
    pit.house.call("t2")
    told: Any = {"player": "Ann", "box": 1, "area": "player", "amount": 1_000, "round": 1}
    bet = PlaceBet(actor="Dan", role=Role.DEALER, key="word", **told)
    waiting = pit.approvals.ask("t2", bet, pit.house.version("t2"), Role.DEALER)
    assert isinstance(waiting, StoredApproval)
    pit.approvals.finish()
    assert [one.id for one in pit.approvals.waiting()] == [waiting.id], "bets are open: it may still be agreed to"
    assert not isinstance(pit.house.deal(CloseBets, "t2"), Refusal)
    pit.approvals.finish()
    assert pit.approvals.waiting() == [] and pit.told[-1] == (waiting.id, "expired")
    assert why(pit.approvals.decide(waiting, Verdict.APPROVE, "Mia")) is Reason.APPROVAL_OVER
