"""What is listed for whom, with amounts and odds."""

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from punto import books
from punto.cards import parse_cards
from punto.cards.card import Card
from punto.rules.authority import Authority, Role
from punto.table import Legal, Refusal, Table, decide
from punto.table.betting import PlaceBet, WithdrawBet
from punto.table.command import Command
from punto.table.dealing import CorrectCard, DealCard, RevealCard
from punto.table.header import Person
from punto.table.house import CloseTable, LoadShoe, PauseTable, TakeSeat, WalkAway
from punto.table.insurance import TakeInsurance
from punto.table.irregularity_case import Seen
from punto.table.irregularity_events import (
    ChooseOption,
    CloseOptions,
    DismissReport,
    JudgeReconstruction,
    OrderCards,
    Report,
    VoidRound,
    WithdrawEvidence,
)
from punto.table.legality import covers
from punto.table.settlement import SettleRound
from punto.table.terms import Drawing, Faces
from tests.table.listed import kinds, listed
from tests.table.scenes import DEALER, PHYSICAL, STAFF, SUPERVISOR, P, Scene, evidence


def test_a_table_that_is_new_can_be_opened_and_one_that_is_closed_can_nothing() -> None:
    scene = Scene("ez")
    scene.table = Table(books.load("ez"))
    assert kinds(listed(scene, SUPERVISOR)) == {"open-table"}
    assert listed(scene, DEALER) == []
    scene = Scene("ez")
    scene.do(CloseTable, SUPERVISOR)
    assert all(not listed(scene, who) for who in ("Ann", *STAFF))


def test_between_rounds() -> None:
    scene = Scene("ez")
    scene.seat("Ann", 1)
    assert kinds(listed(scene, "Ann")) == {"leave-seat", "walk-away"}
    assert kinds(listed(scene, "Ben")) == {"take-seat"}
    assert [legal.command.box for legal in listed(scene, "Ben", TakeSeat)] == [2, 3, 4, 5, 6, 7]  # type: ignore[union-attr]
    assert kinds(listed(scene, DEALER)) == {
        "call-bets", "pause-table", "take-seat", "leave-seat", "walk-away", "report",
    }  # fmt: skip
    assert kinds(listed(scene, SUPERVISOR)) >= {"change-terms", "close-table", "pause-table"}
    scene.do(PauseTable)
    assert kinds(listed(scene, DEALER)) == {"resume-table", "take-seat", "leave-seat", "walk-away"}


def test_staff_may_seat_somebody_new_and_again_somebody_new() -> None:
    scene = Scene("ez")
    for number in range(1, 3):
        (first, *_) = listed(scene, DEALER, TakeSeat)
        assert "player" in first.free
        assert covers(first, TakeSeat(actor=DEALER, role=Role.DEALER, box=number, player="Zoe"))
        scene.give(first.command)
        assert len(scene.state.seats) == number


def test_the_next_card_and_nothing_else_from_the_dealer() -> None:
    scene = Scene("commission")
    scene.start(Ann="player=1000")
    (deal,) = listed(scene, DEALER, DealCard)
    assert deal.free == ("card",)
    assert listed(scene, "Ann", DealCard) == []
    scene.deal("KS KH 9D 7C")
    assert listed(scene, DEALER, DealCard) == []
    assert kinds(listed(scene, DEALER, SettleRound)) == {"settle-round"}


def test_a_carried_card_is_the_only_next_one() -> None:
    scene = Scene("commission")
    scene.start(Ann="player=1000")
    scene.deal("KS KH 9D 7C")
    scene.report("4S:player")
    scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    scene.settle()
    scene.start(Ann="player=1000")
    (deal,) = listed(scene, DEALER, DealCard)
    assert deal.command.card is Card("4S")  # type: ignore[union-attr]


def test_whoever_draws_is_told() -> None:
    scene = Scene("commission", drawing=Drawing.PLAYERS)
    scene.start(Ann="player=1000")
    assert kinds(listed(scene, "Ann", DealCard)) == {"deal-card"}
    assert listed(scene, DEALER, DealCard) == []


def test_cards_to_open_and_to_put_right() -> None:
    scene = Scene("commission", **PHYSICAL, faces=Faces.DOWN)
    scene.start(Ann="player=1000")
    assert len(listed(scene, DEALER, DealCard)) == 2  # named or unseen
    for _ in range(4):
        scene.do(DealCard)
    assert len(listed(scene, DEALER, RevealCard)) == 4
    assert listed(scene, DEALER, CorrectCard) == []
    assert listed(scene, "Ann", RevealCard) == []
    scene.do(RevealCard, hand=P, number=1, card=Card("KS"))
    assert len(listed(scene, DEALER, RevealCard)) == 3
    assert len(listed(scene, DEALER, CorrectCard)) == 1
    assert listed(scene, SUPERVISOR, CorrectCard) == []


def test_each_step_of_a_case_is_listed_for_who_may_take_it() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=5000")
    scene.deal("KS")
    impossible = {Seen.INSURANCE_NEGLECTED, Seen.CARDS_RUN_OUT}  # the shoe has cards left
    assert seen_in(listed(scene, DEALER, Report)) == set(Seen) - impossible
    assert listed(scene, "Ann", Report) == []
    scene.report("4S:banker:together 5S:player:together")
    (order,) = listed(scene, SUPERVISOR, OrderCards)
    turned = OrderCards(actor=SUPERVISOR, role=Role.PIT_SUPERVISOR, cards=parse_cards("5S 4S"))
    assert covers(order, turned)
    scene.do(OrderCards, SUPERVISOR, cards=parse_cards("4S 5S"))
    assert len(listed(scene, "Ann", ChooseOption)) == 2
    assert listed(scene, DEALER, CloseOptions) == []
    scene.do(WalkAway, "Ann")
    assert len(listed(scene, DEALER, CloseOptions)) == 1


def seen_in(entries: Iterable[Legal]) -> set[Seen]:
    """The facts that reports of the list tell."""
    return {fact for legal in entries if isinstance(legal.command, Report) for fact in legal.command.seen}


def test_what_was_told_may_be_taken_back_by_who_may() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=5000")
    scene.deal("KS KH")
    scene.report("9D:floor 1:banker", "foreign-card")
    assert listed(scene, DEALER, WithdrawEvidence) == []
    entries = listed(scene, SUPERVISOR, WithdrawEvidence)
    told = {(legal.command.cards, legal.command.seen) for legal in entries}  # type: ignore[union-attr]
    assert told == {((), (Seen.FOREIGN_CARD,)), ((1,), ()), ((3,), ())}
    both = WithdrawEvidence(actor=SUPERVISOR, role=Role.PIT_SUPERVISOR, cards=(1, 3))
    assert any(covers(legal, both) for legal in entries)
    assert kinds(listed(scene, SUPERVISOR, DismissReport, VoidRound)) == {"dismiss-report", "void-round"}


def test_a_report_of_an_earlier_round_is_listed_once_there_is_one() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=5000")
    scene.deal("KS KH 9D 7C")
    late = Report(actor=DEALER, role=Role.DEALER, round=1, **evidence("5H:player"))
    assert {legal.command.round for legal in listed(scene, DEALER, Report)} == {None}  # type: ignore[union-attr]
    scene.settle()
    scene.call()
    assert any(covers(legal, late) for legal in listed(scene, DEALER, Report))
    assert not isinstance(decide(scene.table, late), Refusal)


def test_an_entry_is_for_the_round_and_the_window_of_now() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=5000")
    scene.deal("KS KH 6D 5C")
    (take,) = listed(scene, "Ann", TakeInsurance)
    named = replace(take.command, round=1, window=4)
    assert covers(take, named)
    assert not isinstance(decide(scene.table, named), Refusal)
    for other in (replace(take.command, round=2), replace(take.command, window=5)):
        answer = decide(scene.table, other)
        assert isinstance(answer, Refusal)
        assert answer.reason.value in ("other-round", "other-window")


def test_a_second_person_is_named_in_the_entry() -> None:
    rule = Authority("load-shoe", (Role.DEALER,), second=Role.PIT_MANAGER)
    scene = Scene("ez", load=False, authority=(rule,))
    (load,) = listed(scene, DEALER, LoadShoe)
    assert load.command.second == Person("somebody else", Role.PIT_MANAGER)


@pytest.mark.parametrize(
    ("command", "is_covered"),
    [
        (PlaceBet(actor="Ann", role=Role.PLAYER, box=1, area="player", amount=9000), True),
        (PlaceBet(actor="Ann", role=Role.PLAYER, box=1, area="player", amount=10, player="Ann"), True),
        (PlaceBet(actor="Ann", role=Role.PLAYER, box=2, area="player", amount=1000), False),
        (PlaceBet(actor="Ann", role=Role.PLAYER, box=1, area="banker", amount=1000), False),
        (PlaceBet(actor="Ben", role=Role.PLAYER, box=1, area="player", amount=1000), False),
        (WithdrawBet(actor="Ann", role=Role.PLAYER, box=1, area="player"), False),
    ],
)
def test_an_entry_stands_for_what_differs_in_its_free_parts(command: Command, is_covered: bool) -> None:
    entry = Legal(PlaceBet(actor="Ann", role=Role.PLAYER, box=1, area="player", amount=1000), free=("amount",))
    assert covers(entry, command) is is_covered


def test_every_card_face_down_can_be_reported_as_dealt_face_up() -> None:
    scene = Scene("insurance", faces=Faces.DOWN)
    scene.start(Ann="player=8000")
    scene.deal("KS KH")
    entries = listed(scene, DEALER, Report)
    for number in (1, 2):
        report = Report(actor=DEALER, role=Role.DEALER, **evidence(f"{number}:up"))
        assert any(covers(legal, report) for legal in entries)
        assert not isinstance(decide(scene.table, report), Refusal)
