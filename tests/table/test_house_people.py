"""Who sits, stands, walks away and comes back."""

import pytest

from punto.cards.source import SourceKind
from punto.table.betting import PlaceBet, WithdrawBet
from punto.table.house import ChangeTerms, ComeBack, LeaveSeat, TakeSeat, WalkAway
from punto.table.irregularity_events import ChooseOption, CloseOptions, JudgeReconstruction, Option
from tests.table.scenes import DEALER, SHIFT, SUPERVISOR, Scene, terms_of


def test_seats_are_taken_and_left() -> None:
    scene = Scene("commission")
    scene.do(TakeSeat, DEALER, box=2, player="Ann")
    assert scene.state.seats == {2: "Ann"}
    assert scene.refuse(TakeSeat, DEALER, box=3) == "no-player"
    assert scene.refuse(TakeSeat, "Ben", box=3, player="Ann") == "not-yours"
    assert scene.refuse(LeaveSeat, "Ben") == "not-seated"
    scene.do(LeaveSeat, SHIFT, player="Ann")
    assert scene.state.seats == {}


def test_a_player_sits_at_as_many_boxes_as_the_terms_allow() -> None:
    scene = Scene("commission", boxes_each=2)
    scene.seat("Ann", 4)
    scene.call()
    scene.bet("Ann", "player", 1000)
    scene.do(TakeSeat, "Ann", box=2)  # bets in another box do not stand in the way
    assert (scene.state.box_of("Ann"), scene.state.boxes_of("Ann")) == (4, (4, 2))
    assert scene.refuse(TakeSeat, "Ann", box=3) == "already-seated"
    assert scene.refuse(TakeSeat, "Ben", box=2) == "seat-taken 2.1.2"
    scene.bet("Ann", "banker", 2000, box=2)
    assert [(bet.box, bet.area, bet.is_seated) for bet in scene.state.bets] == [
        (4, "player", True),
        (2, "banker", True),
    ]
    assert scene.refuse(LeaveSeat, "Ann") == "bets-lie"
    scene.close()
    scene.deal("KS KH 9D 7C")
    scene.settle()
    fewer = terms_of("commission", boxes_each=1)
    assert scene.refuse(ChangeTerms, SUPERVISOR, terms=fewer) == "already-seated"
    scene.do(LeaveSeat, "Ann")
    assert scene.state.seats == {}
    scene.do(ChangeTerms, SUPERVISOR, terms=fewer)


def test_a_seat_is_kept_while_bets_lie() -> None:
    scene = Scene("commission")
    scene.start(Ann="player=1000")
    assert scene.refuse(LeaveSeat, "Ann") == "bets-lie"
    scene.deal("KS KH 9D 7C")
    assert scene.refuse(LeaveSeat, "Ann") == "bets-lie"
    scene.settle()
    scene.do(LeaveSeat, "Ann")


def test_who_stands_with_a_bet_does_not_sit_down() -> None:
    scene = Scene("commission")
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "player", 1000)
    scene.bet("Ben", "player", 1000, box=1)
    assert scene.refuse(TakeSeat, "Ben", box=2) == "bets-lie"
    scene.do(WithdrawBet, "Ben", box=1, area="player")
    scene.do(TakeSeat, "Ben", box=2)


def test_one_walks_away_from_a_table_one_is_at_and_comes_back() -> None:
    scene = Scene("commission")
    assert scene.refuse(WalkAway, "Ann") == "not-at-table"
    assert scene.refuse(ComeBack, "Ann") == "not-away"
    scene.seat("Ann", 1)
    scene.do(WalkAway, "Ann")
    assert scene.refuse(WalkAway, DEALER, player="Ann") == "already-away"
    assert scene.state.away == {"Ann"}
    scene.do(ComeBack, "Ann")
    assert scene.state.away == set()


def test_who_stands_may_walk_away_too() -> None:
    scene = Scene("commission")
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "player", 1000)
    scene.bet("Ben", "banker", 1000, box=1)
    scene.do(WalkAway, "Ben")
    scene.close()
    scene.deal("KS KH 7D 9C")
    assert scene.settle()[1] == "Ben banker win +950 by 4.1.2"


@pytest.mark.parametrize("is_next_round", [True, False])
def test_who_walked_away_and_bets_in_person_is_there_again(is_next_round: bool) -> None:
    """For options (5.12) too; insurance of the round that was walked away from stays forgone (5.3)."""
    scene = Scene("insurance")
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "player", 3000)
    scene.do(WalkAway, "Ann")
    if is_next_round:
        scene.close()
        scene.deal("KS KH 9D 5C")
        scene.settle()
        scene.call()
    scene.do(PlaceBet, DEALER, box=1, area="tie", amount=1000, player="Ann")
    assert scene.state.away == {"Ann"}, "a bet that somebody else places brings nobody back"
    assert [event.name() for event in scene.bet("Ann", "player", 3000)] == ["came-back", "bet-placed"]
    assert scene.state.away == frozenset()
    assert scene.state.has_forgone("Ann") is not is_next_round
    scene.close()
    scene.report("4D:banker")
    scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    assert scene.refuse(CloseOptions) == "players-present 5.8"


def test_who_sits_down_again_is_there_again() -> None:
    scene = Scene("insurance")
    scene.seat("Ann", 1)
    scene.do(WalkAway, "Ann")
    scene.do(LeaveSeat, DEALER, player="Ann")
    scene.do(TakeSeat, DEALER, player="Ann", box=2)
    assert scene.state.away == {"Ann"}
    scene.do(LeaveSeat, DEALER, player="Ann")
    scene.seat("Ann", 1)
    assert scene.state.away == frozenset()


def test_who_has_left_the_seat_is_not_waited_for() -> None:
    """A settled round is opened again; Ann has gone since, Ben and standing Joe have not (5.12)."""
    scene = Scene("insurance", source=SourceKind.ENTERED)
    for box, player in enumerate(("Ann", "Ben"), start=1):
        scene.seat(player, box)
    scene.call()
    for player, box in (("Ann", 1), ("Ben", 2), ("Joe", 2)):
        scene.bet(player, "player", 1000, box)
    scene.close()
    scene.deal("KS KH 9D 5C")
    scene.settle()
    scene.do(LeaveSeat, "Ann")
    scene.report("1:floor")
    scene.do(JudgeReconstruction, SUPERVISOR, possible=True)
    for player in ("Ben", "Joe"):
        assert scene.refuse(CloseOptions) == "players-present 5.12"
        scene.do(ChooseOption, player, option=Option.CONTINUE)
    chosen = [event.player for event in scene.do(CloseOptions) if event.name() == "option-chosen"]
    assert chosen == ["Ann"]
