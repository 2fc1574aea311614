"""Baccarat with Insurance at the table: people, their bets, and the round from call to settlement."""

import pytest

from punto.rules.outcome import Hand
from punto.table.betting import CallBets, CloseBets, PlaceBet, ReduceBet, WithdrawBet
from punto.table.house import CloseTable, ComeBack, LoadShoe, PauseTable, WalkAway
from punto.table.insurance import DeclineInsurance, TakeInsurance, WishInsurance
from punto.table.settlement import SettleRound
from punto.table.state import Phase
from tests.clauses.box_one import in_box_one
from tests.table.scenes import DEALER, MANAGER, SHIFT, SUPERVISOR, P, Scene


@pytest.mark.clause("insurance", "1.13")
@pytest.mark.clause("insurance", "5.17")
def test_pit_employees_bet_for_a_player_and_the_shift_manager_does_not() -> None:
    scene = in_box_one()
    bet = {"box": 1, "area": "player", "amount": 1000, "player": "Ann"}
    for employee in (DEALER, SUPERVISOR, MANAGER):
        (placed,) = scene.do(PlaceBet, employee, **bet)
        assert (placed.by, placed.player, placed.is_seated) == (employee, "Ann", True)
    assert scene.lying() == ["Ann tie 1000", "Ann player 3000"]
    assert scene.refuse(PlaceBet, SHIFT, **bet) == "not-allowed 5.17"
    insurance = {"box": 1, "hand": Hand.PLAYER, "amount": 100, "player": "Ann"}
    assert scene.refuse(TakeInsurance, SHIFT, **insurance) == "not-allowed 5.17"
    spot = {"box": 1, "area": "player", "player": "Ann"}
    assert scene.refuse(ReduceBet, SHIFT, **spot, amount=1000) == "not-allowed 5.17"
    assert scene.refuse(WithdrawBet, SHIFT, **spot) == "not-allowed 5.17"
    assert scene.refuse(DeclineInsurance, SHIFT, player="Ann") == "not-allowed 5.17"
    assert scene.refuse(WishInsurance, SHIFT, box=1, hand=Hand.PLAYER, player="Ann") == "not-allowed 5.17"
    assert scene.refuse(PlaceBet, DEALER, box=1, area="player", amount=1000) == "no-player"
    assert scene.refuse(PlaceBet, DEALER, **{**bet, "player": ""}) == "no-player"
    assert scene.refuse(PlaceBet, "Ben", **bet) == "not-yours"


@pytest.mark.clause("insurance", "5.14")
@pytest.mark.clause("insurance", "5.17")
def test_a_bet_laid_wrong_on_behalf_is_the_players_own() -> None:
    """Ann meant Player; what lies on Banker when bets close is what counts."""
    scene = in_box_one()
    scene.do(PlaceBet, DEALER, box=1, area="banker", amount=2000, player="Ann")
    scene.close()
    assert scene.refuse(WithdrawBet, "Ann", box=1, area="banker") == "late-withdrawal 5.6"
    scene.deal("KS KH 9D 7C")
    assert scene.settle() == ["Ann banker lose -2000 by 4.1.1", "Ann tie lose -1000 by 4.1.1"]


@pytest.mark.clause("insurance", "5.14")
def test_bets_are_settled_as_they_lay_at_the_close() -> None:
    scene = in_box_one()
    scene.bet("Ann", "player", 5000)
    scene.do(ReduceBet, "Ann", box=1, area="player", amount=2000)
    scene.bet("Ann", "player", 500)
    scene.do(WithdrawBet, "Ann", box=1, area="tie")
    scene.close()
    scene.deal("KS KH 9D 7C")
    assert scene.settle() == ["Ann player win +3500 by 4.1.1"]


@pytest.mark.clause("insurance", "1.19")
@pytest.mark.clause("insurance", "1.20")
def test_a_standing_player_bets_where_a_seated_one_has_bet() -> None:
    scene = Scene("insurance")
    scene.seat("Ann", 1)
    scene.call()
    bet = {"box": 1, "area": "player", "amount": 1000}
    assert scene.refuse(PlaceBet, "Ben", **bet) == "behind-nobody 1.20"
    scene.bet("Ann", "banker", 1000)
    (placed,) = scene.do(PlaceBet, "Ben", **bet)
    assert placed.is_seated is False
    (placed,) = scene.do(PlaceBet, "Ann", **bet)
    assert placed.is_seated is True
    assert scene.refuse(PlaceBet, "Ben", box=2, area="player", amount=1000) == "behind-nobody 1.20"


@pytest.mark.clause("insurance", "3.6")
def test_nobody_can_keep_a_box_to_oneself() -> None:
    """Ann bets a tenth of what the box takes; Ben and Cat take up the balance, unasked, and no more."""
    scene = in_box_one(differential=10_000)
    scene.bet("Ann", "player", 1000)
    scene.bet("Ben", "player", 5000, box=1)
    (placed,) = scene.bet("Cat", "player", 5000, box=1)
    assert (placed.amount, placed.rejected, placed.clause) == (4000, 1000, "5.1")


@pytest.mark.clause("insurance", "1.18")
@pytest.mark.clause("insurance", "3.3")
@pytest.mark.clause("insurance", "3.8")
def test_a_round_runs_from_the_call_to_the_settlement() -> None:
    scene = Scene("insurance")
    scene.seat("Ann", 1)
    bet = {"box": 1, "area": "player", "amount": 1000}
    assert scene.refuse(PlaceBet, "Ann", **bet) == "bets-not-open 3.3"
    scene.call()
    scene.bet("Ann", "player", 1000)
    (closed,) = scene.do(CloseBets)
    assert closed.clause == "3.8"
    assert scene.refuse(SettleRound) == "deal-unfinished 1.18"
    scene.deal("KS KH 9D 7C")
    for command in (CallBets, PauseTable, LoadShoe):
        assert scene.refuse(command) == "between-rounds"
    assert scene.refuse(CloseTable, SUPERVISOR) == "between-rounds"
    scene.settle()
    assert scene.state.phase is Phase.IDLE
    assert scene.refuse(SettleRound) == "no-round 1.18"
    scene.call()
    assert scene.state.round == 2


@pytest.mark.clause("insurance", "5.6")
def test_after_no_more_bets_nothing_is_placed_raised_or_taken_off() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=1000")
    for cards in ("", "KS KH 9D 7C"):
        scene.deal(cards)
        assert scene.refuse(PlaceBet, "Ann", box=1, area="tie", amount=1000) == "bets-closed 5.6"
        assert scene.refuse(PlaceBet, "Ann", box=1, area="player", amount=1000) == "bets-closed 5.6"
        assert scene.refuse(ReduceBet, "Ann", box=1, area="player", amount=500) == "late-withdrawal 5.6"
        assert scene.refuse(WithdrawBet, "Ann", box=1, area="player") == "late-withdrawal 5.6"


@pytest.mark.clause("insurance", "5.3")
@pytest.mark.clause("insurance", "5.3.1")
@pytest.mark.gli("4.16")
def test_who_walks_away_is_settled_and_has_forgone_insurance() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=3000", Ben="player=3000")
    scene.do(WalkAway, "Ben")
    scene.deal("KS KH 6D 5C")  # Player 6, Banker 5
    assert scene.offers() == ["Ann player 3:1 up to 1000"]
    scene.do(ComeBack, "Ben")  # too late: it was forgone by walking away
    assert scene.refuse(TakeInsurance, "Ben", box=2, hand=P, amount=1000) == "forgone 5.3"
    scene.do(TakeInsurance, "Ann", box=1, hand=P, amount=1000)
    closed = scene.deal("4S")[0]  # Banker draws to nine
    assert (closed.name(), closed.forgone, closed.clause) == ("insurance-closed", (), "5.3")
    assert scene.settle() == [
        "Ann player lose -3000 by 4.1.1",
        "Ann insurance-player-4 win +3000 by 4.1.2",
        "Ben player lose -3000 by 4.1.1",
    ]
