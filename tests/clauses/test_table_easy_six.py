"""Easy Six Baccarat at the table: calls, boxes, late tries, and what voids a round."""

from typing import Any

import pytest

from punto.cards import parse_cards
from punto.table.betting import CallBets, CloseBets, PlaceBet, ReduceBet, WithdrawBet
from punto.table.dealing import DealCard
from punto.table.house import BurnCards, LoadShoe, TakeSeat
from punto.table.irregularity_events import JudgeReconstruction, VoidRound
from tests.table.scenes import SUPERVISOR, Scene, names, returned


def scene(**terms: Any) -> Scene:
    return Scene("easy-six", **terms)


@pytest.mark.clause("easy-six", "2.1.1")
@pytest.mark.clause("easy-six", "2.1.2")
@pytest.mark.parametrize(("layout", "boxes"), [("bean-9", 9), ("bean-7", 7), ("mini-7", 7)])
def test_each_layout_has_its_boxes_and_no_more(layout: str, boxes: int) -> None:
    table = scene(layout=layout)
    assert table.refuse(TakeSeat, "Ann", box=boxes + 1) == "unknown-box 2.1.2"
    table.seat("Ann", boxes)
    assert table.refuse(TakeSeat, "Ben", box=boxes) == "seat-taken 2.1.2"
    table.call()
    outside = {"box": boxes + 1, "area": "player", "amount": 1000}
    assert table.refuse(PlaceBet, "Ann", **outside) == "unknown-box 2.1.2"


@pytest.mark.clause("easy-six", "2.1.3")
def test_an_area_that_is_not_on_the_layout_is_refused() -> None:
    table = scene()
    table.seat("Ann", 1)
    table.call()
    table.bet("Ann", "easy-six", 1000)
    for area in ("super-six-plus", "dragon-7", "winning-total-7"):
        refused = table.refuse(PlaceBet, "Ann", box=1, area=area, amount=1000)
        assert refused == "unknown-area 2.1.3"


@pytest.mark.clause("easy-six", "3.1")
@pytest.mark.clause("easy-six", "3.2")
def test_the_calls_open_and_close_the_bets() -> None:
    table = scene()
    table.seat("Ann", 1)
    bet = {"box": 1, "area": "easy-six", "amount": 1000}
    assert table.refuse(PlaceBet, "Ann", **bet) == "bets-not-open 3.1"
    table.call()
    table.do(PlaceBet, "Ann", **bet)
    assert table.refuse(DealCard, card=parse_cards("KS")[0]) == "bets-still-open 3.2"
    (closed,) = table.do(CloseBets)
    assert closed.clause == "3.2"


@pytest.mark.clause("easy-six", "3.3")
def test_easy_six_needs_no_main_bet() -> None:
    table = scene()
    table.start(Ann="easy-six=1000", Ben="tie=1000")
    table.deal("KS KH 6D 6C")
    assert table.settle() == ["Ann easy-six win +6000 by 4.1.1", "Ben tie win +10000 by 4.1.1"]


@pytest.mark.clause("easy-six", "5.1.1")
def test_a_foreign_card_voids_and_the_whole_set_is_replaced() -> None:
    table = scene()
    table.start(Ann="player=1000")
    table.deal("KS KH 7D 6C")
    table.settle()
    table.start(Ann="player=1000 easy-six=2000")
    table.deal("KS")
    table.report("KH:banker:foreign")
    events = table.do(VoidRound, SUPERVISOR)
    assert names(events) == ["case-closed", "round-voided", "cards-replaced"]
    assert [event.clause for event in events] == ["5.1.1", "5.1.1", "5.1.1"]
    assert returned(events) == ["Ann player 1000", "Ann easy-six 2000"]
    assert table.refuse(CallBets) == "no-shoe 5.1.1"
    (loaded,) = table.do(LoadShoe)
    assert loaded.number == 2
    assert "settlement-reversed" not in names(table.log)


@pytest.mark.clause("easy-six", "5.1.2")
def test_a_wrong_number_of_cards_voids_when_it_cannot_be_put_right() -> None:
    table = scene()
    table.start(Ann="player=1000")
    table.deal("KS KH 6D 7C")
    table.settle()
    table.report("4S:banker")
    assert table.found() == "wrong-number awaits judgement 5.1.2"
    events = table.do(JudgeReconstruction, SUPERVISOR, possible=False)
    assert returned(events) == ["Ann player 1000"]
    assert events[-1].clause == "5.1.2"
    assert table.state.shoe is not None  # only a foreign card takes the set with it


@pytest.mark.clause("easy-six", "5.1.2")
def test_it_is_put_right_when_it_can_be() -> None:
    table = scene()
    table.start(Ann="player=1000")
    table.deal("KS KH 3D 7C")
    table.report("4S:player 9H:player")
    events = table.do(JudgeReconstruction, SUPERVISOR, possible=True)
    assert [str(card) for card in events[1].carried] == ["9H"]
    assert table.hands() == "KS 3D 4S / KH 7C"
    assert table.settle() == ["Ann player push 0 by 3.8"]


@pytest.mark.clause("easy-six", "5.1.3")
def test_the_cut_card_comes_out_and_the_shoe_cannot_finish() -> None:
    table = scene(decks=4, burn=str(4 * 52 - 9), behind_cut=3, rounds_after_cut=1)
    table.do(BurnCards)
    table.start(Ann="player=1000")
    events = table.deal("KS KH 6D 7C")
    assert "cut-card-came-out" not in names(events)  # five are left
    table.settle()
    table.start(Ann="player=1000 tie=1000")
    events = table.deal("KS KH")
    assert names(events).count("cut-card-came-out") == 1  # with the second card three are left
    table.deal("2D 3C 4S")
    refused = table.refuse(DealCard, card=parse_cards("5S")[0])
    assert refused == "card-not-there 2.2.1"
    table.report(seen="cards-run-out")
    assert table.found() == "cards-run-out awaits void 5.1.3"
    assert table.void() == ["Ann player 1000", "Ann tie 1000"]


@pytest.mark.clause("easy-six", "5.2")
def test_after_the_call_nothing_is_placed_raised_or_taken_off() -> None:
    table = scene()
    table.start(Ann="player=2000")
    for cards in ("", "KS", "KH 7D 6C"):
        table.deal(cards)
        assert table.refuse(PlaceBet, "Ann", box=1, area="tie", amount=1000) == "bets-closed 5.2"
        assert table.refuse(PlaceBet, "Ann", box=1, area="player", amount=1000) == "bets-closed 5.2"
        assert table.refuse(ReduceBet, "Ann", box=1, area="player", amount=1000) == "late-withdrawal 5.2"
        assert table.refuse(WithdrawBet, "Ann", box=1, area="player") == "late-withdrawal 5.2"
    assert table.settle() == ["Ann player win +2000 by 4.1.1"]
