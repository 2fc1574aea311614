"""Commission Baccarat at the table: calls, boxes, late tries, and what voids a round."""

from typing import Any

import pytest

from punto.cards import parse_cards
from punto.table.betting import CallBets, CloseBets, PlaceBet, ReduceBet, WithdrawBet
from punto.table.dealing import DealCard
from punto.table.house import BurnCards, TakeSeat
from punto.table.irregularity_events import JudgeReconstruction, VoidRound
from punto.table.state import Phase
from tests.table.scenes import SUPERVISOR, Scene, names

WITH_A_TIE_BET = "banker=10000 tie=1000"


def scene(**terms: Any) -> Scene:
    return Scene("commission", **terms)


@pytest.mark.clause("commission", "2.1.1")
@pytest.mark.clause("commission", "2.1.2")
@pytest.mark.parametrize(("layout", "boxes"), [("bean-9", 9), ("bean-7", 7), ("mini-7", 7), ("big-12", 12)])
def test_each_layout_has_its_boxes_and_no_more(layout: str, boxes: int) -> None:
    table = scene(layout=layout)
    assert table.refuse(TakeSeat, "Ann", box=boxes + 1) == "unknown-box 2.1.2"
    assert table.refuse(TakeSeat, "Ann", box=0) == "unknown-box 2.1.2"
    table.seat("Ann", boxes)
    table.call()
    outside = {"area": "player", "amount": 1000}
    assert table.refuse(PlaceBet, "Ann", box=boxes + 1, **outside) == "unknown-box 2.1.2"
    table.bet("Ann", "player", 1000)


@pytest.mark.clause("commission", "2.1.2")
def test_a_box_belongs_to_one_seat() -> None:
    table = scene()
    table.seat("Ann", 3)
    assert table.refuse(TakeSeat, "Ben", box=3) == "seat-taken 2.1.2"
    assert table.refuse(TakeSeat, "Ann", box=4) == "already-seated"
    table.call()
    # Nobody has bet in box 3 yet, and nobody sits at box 4.
    for box in (3, 4):
        tried = table.refuse(PlaceBet, "Ben", box=box, area="player", amount=1000)
        assert tried == "behind-nobody 2.1.2"
    table.bet("Ann", "tie", 1000)
    table.bet("Ben", "player", 1000, box=3)
    assert table.lying() == ["Ann tie 1000", "Ben player 1000"]


@pytest.mark.clause("commission", "2.1.3")
def test_an_area_that_is_not_on_the_layout_is_refused() -> None:
    table = scene()
    table.seat("Ann", 1)
    table.call()
    for area in ("super-six-plus", "easy-six", "dragon-7", "insurance-player-4", "wager-player", ""):
        refused = table.refuse(PlaceBet, "Ann", box=1, area=area, amount=1000)
        assert refused == "unknown-area 2.1.3"


@pytest.mark.clause("commission", "3.1")
def test_nothing_is_bet_before_the_call() -> None:
    table = scene()
    table.seat("Ann", 1)
    bet = {"box": 1, "area": "player", "amount": 1000}
    assert table.refuse(PlaceBet, "Ann", **bet) == "bets-not-open 3.1"
    assert table.refuse(CloseBets) == "bets-not-open 3.1"
    table.call()
    table.bet("Ann", "player", 1000)
    assert table.refuse(CallBets) == "between-rounds"


@pytest.mark.clause("commission", "3.2")
def test_the_call_closes_the_bets_and_cards_come_only_then() -> None:
    table = scene()
    table.seat("Ann", 1)
    table.call()
    table.bet("Ann", "player", 1000)
    assert table.refuse(DealCard, card=parse_cards("KS")[0]) == "bets-still-open 3.2"
    (closed,) = table.do(CloseBets)
    assert closed.clause == "3.2"
    table.deal("KS")
    assert table.refuse(CloseBets) == "bets-not-open 3.1"


@pytest.mark.clause("commission", "3.3")
def test_side_bets_stand_alone() -> None:
    table = scene()
    table.start(Ann="tie=1000", Ben="player-pair=1000", Cat="banker-pair=1000")
    table.deal("KS 9H KD 2C 5S 8H")  # Player 5, Banker 1 draws to 9; a Player pair
    assert table.settle() == [
        "Ann tie lose -1000 by 4.1.2",
        "Ben player-pair win +11000 by 4.1.2",
        "Cat banker-pair lose -1000 by 4.1.2",
    ]


@pytest.mark.clause("commission", "3.8")
@pytest.mark.clause("commission", "5.3")
def test_on_a_tie_main_bets_go_back_even_after_a_late_withdrawal() -> None:
    table = scene()
    table.start(Ann="player=1000 banker=2000 tie=1000")
    table.do(WithdrawBet, "Ann", box=1, area="banker")
    table.deal("KS KH 7D 7C")
    assert table.settle() == ["Ann player push 0 by 3.8", "Ann banker push 0 by 3.8", "Ann tie win +8000 by 4.1.2"]


@pytest.mark.clause("commission", "4.1.1")
def test_the_house_keeps_a_twentieth_of_what_banker_wins() -> None:
    table = scene()
    table.start(Ann="banker=10000", Ben="banker=1300 player=1000")
    table.deal("KS KH 7D 8C")
    assert table.settle() == [
        "Ann banker win +9500 by 4.1.2",
        "Ben player lose -1000 by 4.1.2",
        "Ben banker win +1235 by 4.1.2",
    ]


@pytest.mark.clause("commission", "5.1.1")
def test_a_foreign_card_voids_the_round_and_earlier_rounds_stand() -> None:
    table = scene()
    table.start(Ann=WITH_A_TIE_BET)
    table.deal("KS KH 7D 8C")
    first = table.settle()
    table.start(Ann=WITH_A_TIE_BET)
    table.deal("KS KH")
    assert names(table.report(seen="foreign-card")) == ["case-opened", "clause-found"]
    assert table.found() == "foreign-card awaits void 5.1.1"
    assert table.refuse(DealCard, card=parse_cards("2S")[0]) == "case-open 5.1.1"
    assert table.refuse(VoidRound) == "not-allowed"
    events = table.do(VoidRound, SUPERVISOR)
    assert names(events) == ["case-closed", "round-voided"]
    assert events[1].clause == "5.1.1"
    assert [(stake.area, stake.amount) for stake in events[1].returned] == [("banker", 10000), ("tie", 1000)]
    assert table.state.phase is Phase.IDLE
    assert table.lying() == []
    assert table.state.shoe is not None  # this book says nothing of new cards
    assert first == ["Ann banker win +9500 by 4.1.2", "Ann tie lose -1000 by 4.1.2"]
    assert [event.name() for event in table.log].count("settlement-reversed") == 0


@pytest.mark.clause("commission", "5.1.1")
def test_a_fifth_king_of_spades_in_four_decks_is_evidence_of_a_foreign_card() -> None:
    """All that the set held are out, so nobody may refuse to hear of one more."""
    table = scene(decks=4, layout="mini-7")
    for _ in range(2):
        table.start(Ann="player=1000")
        table.deal("KS 2H KS 5C 9S")  # Player 0, Banker 7
        table.settle()
    table.start(Ann="player=1000")
    assert table.refuse(DealCard, card=parse_cards("KS")[0]) == "card-not-there 2.2.1"
    assert table.refuse_report("KS:player") == "card-not-there 2.2.1"
    table.report("KS:player:foreign")
    assert table.found() == "foreign-card awaits void 5.1.1"
    assert table.void() == ["Ann player 1000"]


@pytest.mark.clause("commission", "5.1.2")
def test_a_wrong_number_of_cards_that_cannot_be_put_right_voids() -> None:
    table = scene()
    table.start(Ann="player=1000")
    table.deal("KS KH 9D 2C")  # a natural, and yet the dealer draws one more
    table.report("4S:banker")
    assert table.found() == "wrong-number awaits judgement 5.1.2"
    events = table.do(JudgeReconstruction, SUPERVISOR, possible=False)
    assert names(events)[-2:] == ["case-closed", "round-voided"]
    assert (events[0].by, events[-1].clause) == (SUPERVISOR, "5.1.2")


@pytest.mark.clause("commission", "5.1.2")
def test_a_wrong_number_of_cards_that_can_be_put_right_does_not() -> None:
    table = scene()
    table.start(Ann="player=1000")
    table.deal("KS KH 9D 2C")
    table.report("4S:player")
    events = table.do(JudgeReconstruction, SUPERVISOR, possible=True)
    assert names(events) == ["reconstruction-judged", "cards-reconstructed", "case-closed", "deal-finished"]
    assert [str(card) for card in events[1].carried] == ["4S"]
    assert table.settle() == ["Ann player win +1000 by 4.1.2"]
    # The card that was over starts the next round, and no other may.
    table.start(Ann="player=1000")
    assert table.refuse(DealCard, card=parse_cards("5S")[0]) == "carried-first"
    table.deal("4S")
    assert table.hands() == "4S / "


@pytest.mark.clause("commission", "5.1.2")
def test_it_is_noticed_in_time_until_the_next_round_begins() -> None:
    table = scene()
    table.start(Ann="player=1000")
    table.deal("KS KH 9D 2C")
    table.settle()
    events = table.report("4S:player")
    assert names(events) == ["settlement-reversed", "case-opened", "clause-found"]
    voided = table.do(JudgeReconstruction, SUPERVISOR, possible=False)[-1]
    assert [(stake.player, stake.amount) for stake in voided.returned] == [("Ann", 1000)]
    # Once the next round has begun, the error is only noted.
    table.start(Ann="player=1000")
    table.deal("KS KH 9D 2C")
    table.settle()
    table.call()
    assert names(table.report("4S:player", round=2)) == ["error-found-late"]
    assert table.state.case is None


@pytest.mark.clause("commission", "5.1.3")
def test_too_few_cards_void_the_round() -> None:
    table = scene(decks=4, burn=str(4 * 52 - 6), behind_cut=0)
    table.do(BurnCards)
    table.start(Ann="player=1000")
    table.deal("KS KH 6D 7C")
    table.settle()
    assert table.refuse(CallBets) == "shoe-finished"  # two cards are left

    table = scene(decks=4, burn=str(4 * 52 - 8), behind_cut=0)
    table.do(BurnCards)
    table.start(Ann="player=1000")
    table.deal("KS KH 8D 7C")
    table.settle()
    table.start(Ann="player=2000 tie=1000")
    table.deal("KS KH 2D 3C")  # both would draw, and no card is left
    assert table.refuse(DealCard, card=parse_cards("5S")[0]) == "card-not-there 2.2.1"
    table.report(seen="cards-run-out")
    assert table.found() == "cards-run-out awaits void 5.1.3"
    assert table.void() == ["Ann player 2000", "Ann tie 1000"]


@pytest.mark.clause("commission", "5.2")
def test_after_the_call_nothing_is_placed_or_raised() -> None:
    table = scene()
    table.start(Ann="player=1000")
    late = {"box": 1, "amount": 1000}
    for cards in ("", "KS", "KH 7D 8C"):
        table.deal(cards)
        assert table.refuse(PlaceBet, "Ann", area="player", **late) == "bets-closed 5.2"
        assert table.refuse(PlaceBet, "Ann", area="tie", **late) == "bets-closed 5.2"
        assert table.refuse(PlaceBet, "Dan", area="tie", player="Ann", **late) == "bets-closed 5.2"
    assert table.settle() == ["Ann player lose -1000 by 4.1.2"]


@pytest.mark.clause("commission", "5.3")
def test_a_bet_taken_off_after_the_call_still_wins_or_loses() -> None:
    table = scene()
    table.start(Ann="player=1000 tie=1000", Ben="banker=2000")
    (ignored,) = table.do(WithdrawBet, "Ann", box=1, area="player")
    assert (ignored.name(), ignored.clause) == ("withdrawal-ignored", "5.3")
    (ignored,) = table.do(ReduceBet, "Ben", box=2, area="banker", amount=1000)
    assert (ignored.name(), ignored.clause) == ("withdrawal-ignored", "5.3")
    table.deal("KS KH 7D 6C")
    assert table.settle() == [
        "Ann player win +1000 by 4.1.2",
        "Ann tie lose -1000 by 4.1.2",
        "Ben banker lose -2000 by 4.1.2",
    ]
