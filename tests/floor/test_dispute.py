"""Rounds that players dispute: who may, for how long, how many, and that neither dispute nor answer is lost."""

from __future__ import annotations

import pytest

from punto.audit.history_page import history_page, round_record
from punto.audit.round_history import place_of, round_history
from punto.audit.verification import verify
from punto.floor.dispute import DAY_MS, MOST_OPEN, Disputes
from punto.floor.house_rules import change_rules
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.store.chain import HouseCode
from punto.store.dispute import disputes_of, open_disputes
from punto.store.reader import staked_rounds
from punto.store.record import Dispute
from punto.store.significant_events import EventFilter, significant_lines
from tests.floor.house import House, accepted

PIT = (Role.PIT_MANAGER,)


class Court:
    """A house whose players dispute its rounds, by a clock that the test turns."""

    def __init__(self, house: House) -> None:
        self.house, self.now = house, house.time
        self.disputes = Disputes(house.store, lambda: self.now)
        house.seat("Ann", "Ben")

    def play(self, *players: str, id: str = "t1") -> int:
        """A round in which these bet; its number."""
        self.house.call(id)
        for box, player in enumerate(players, start=1):
            accepted(self.house.bet(player, 1000, id=id, box=box))
        self.house.finish(id)
        self.now = self.house.time
        return self.house.table(id).state.round

    def raised(self, round: int, player: str = "Ann", id: str = "t1") -> Dispute:
        found = self.disputes.raise_dispute(id, round, player, " I won that ")
        assert isinstance(found, Dispute), found
        return found

    def refused(self, round: int, player: str = "Ann") -> Reason:
        found = self.disputes.raise_dispute("t1", round, player, "no")
        assert isinstance(found, Refusal) and found.sentence, found
        return found.reason


@pytest.fixture
def court(house: House) -> Court:
    return Court(house)


@pytest.mark.gli("A.4.4")
def test_it_is_raised_answered_and_told_with_the_round(court: Court) -> None:
    round = court.play("Ann", "Ben")
    dispute = court.raised(round)
    assert (dispute.text, dispute.raised, dispute.answer) == ("I won that", court.now, None)
    court.now += 5
    answered = court.disputes.answer(dispute, " the tie was called first ", "Mia", PIT)
    assert isinstance(answered, Dispute)
    assert (answered.answer, answered.answered_by, answered.answered) == ("the tie was called first", "Mia", court.now)
    with court.house.store.read() as reader:
        table = reader.table("t1")
        assert table is not None
        place = place_of(reader, table, round)
        assert place is not None
        history = round_history(reader, table, court.house.table().book, place)
        assert disputes_of(reader, "Ann") == [answered] and open_disputes(reader, 9) == []
        assert verify(reader).ok
    assert round_record(history).disputes == (answered,)
    section = next(section for section in history_page(history).sections if section.heading == "Disputes")
    assert "the tie was called first" in str(section)


@pytest.mark.gli("2.8.8")
@pytest.mark.gli("A.4.4")
def test_both_are_acts_of_the_house(court: Court) -> None:
    dispute = court.raised(court.play("Ann"))
    court.disputes.answer(dispute, "no", "Mia", PIT)
    codes = (HouseCode.DISPUTE_RAISED.value, HouseCode.DISPUTE_ANSWERED.value)
    with court.house.store.read() as reader:
        acts = [act for _, act in significant_lines(reader, 0, EventFilter(codes))]
    assert [(act.code, act.who, act.table, act.round) for act in acts] == [
        (codes[0], "Ann", "t1", dispute.round),
        (codes[1], "Mia", "t1", dispute.round),
    ]
    assert acts[0].after is not None and acts[0].after["text"] == dispute.text


def test_only_who_had_a_bet_disputes_and_once(court: Court) -> None:
    round = court.play("Ann")
    assert court.refused(round, "Ben") is Reason.NO_BET_THERE
    assert court.disputes.raise_dispute("t1", round + 1, "Ann", "x") is None
    assert court.disputes.raise_dispute("t9", 1, "Ann", "x") is None
    court.raised(round)
    assert court.refused(round) is Reason.ALREADY_DISPUTED


def test_the_house_says_for_how_long(court: Court) -> None:
    round, store = court.play("Ann", "Ben"), court.house.store
    court.now += 7 * DAY_MS + 1
    assert court.refused(round) is Reason.DISPUTE_LATE
    court.now -= 1
    court.raised(round)
    for days, reason in ((6, Reason.DISPUTE_LATE), (0, Reason.DISPUTE_LATE)):
        assert not isinstance(change_rules(store, {"dispute_days": days}, "Ada", 1), Refusal)
        assert court.refused(round, "Ben") is reason
    assert isinstance(change_rules(store, {"dispute_days": 400}, "Ada", 1), Refusal)
    change_rules(store, {"dispute_days": 8}, "Ada", 1)
    court.raised(round, "Ben")


def test_one_player_has_so_many_open(court: Court) -> None:
    rounds = [court.play("Ann") for _ in range(MOST_OPEN + 1)]
    raised = [court.raised(round) for round in rounds[:-1]]
    assert court.refused(rounds[-1]) is Reason.TOO_MANY_DISPUTES
    court.disputes.answer(raised[0], "answered", "Mia", PIT)
    court.raised(rounds[-1])


def test_it_is_answered_once_by_somebody_else_of_the_rank(court: Court) -> None:
    dispute = court.raised(court.play("Ann"))

    def answer(name: str, *roles: Role) -> Reason | None:
        found = court.disputes.answer(dispute, "no", name, roles)
        return found.reason if isinstance(found, Refusal) else None

    for role in Role:
        if role not in (Role.PIT_MANAGER, Role.SHIFT_MANAGER):
            assert answer("Eve", role) is Reason.RANK_NEEDED
    assert answer("Ann", Role.PLAYER, Role.PIT_MANAGER) is Reason.OWN_DISPUTE
    assert answer("Rob", Role.SHIFT_MANAGER) is None
    assert answer("Mia", Role.PIT_MANAGER) is Reason.DISPUTE_OVER


def test_rounds_of_a_player_at_two_tables_page_by_page(court: Court) -> None:
    house = court.house
    house.open("t2", "commission")
    house.seat("Ann", id="t2")
    house.call("t2")
    accepted(house.bet("Ann", 1000, id="t2", box=1))
    played = [("t1", court.play("Ann")), ("t1", court.play("Ann"))]
    accepted(house.bet("Ann", 1000, id="t2", box=1))  # the round of t2 began first, and its last stake is the latest
    with house.store.read() as reader:
        whole = list(staked_rounds(reader, "Ann"))
        assert [(table, round) for table, round, _ in whole] == [("t2", 1), *reversed(played)]
        for place, (_, _, id) in enumerate(whole):
            assert list(staked_rounds(reader, "Ann", id)) == whole[place + 1 :]
        assert list(staked_rounds(reader, "Cat")) == []
