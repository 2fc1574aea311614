"""Who sits, stands, walks away and comes back."""

from punto.table import command as c
from tests.table.scenes import DEALER, SHIFT, SUPERVISOR, Scene, terms_of


def test_seats_are_taken_and_left() -> None:
    scene = Scene("commission")
    scene.do(c.TakeSeat, DEALER, box=2, player="Ann")
    assert scene.state.seats == {2: "Ann"}
    assert scene.refuse(c.TakeSeat, DEALER, box=3) == "no-player"
    assert scene.refuse(c.TakeSeat, "Ben", box=3, player="Ann") == "not-yours"
    assert scene.refuse(c.LeaveSeat, "Ben") == "not-seated"
    scene.do(c.LeaveSeat, SHIFT, player="Ann")
    assert scene.state.seats == {}


def test_a_player_sits_at_as_many_boxes_as_the_terms_allow() -> None:
    scene = Scene("commission", boxes_each=2)
    scene.seat("Ann", 4)
    scene.call()
    scene.bet("Ann", "player", 1000)
    scene.do(c.TakeSeat, "Ann", box=2)  # bets in another box do not stand in the way
    assert (scene.state.box_of("Ann"), scene.state.boxes_of("Ann")) == (4, (4, 2))
    assert scene.refuse(c.TakeSeat, "Ann", box=3) == "already-seated"
    assert scene.refuse(c.TakeSeat, "Ben", box=2) == "seat-taken 2.1.2"
    scene.bet("Ann", "banker", 2000, box=2)
    assert [(bet.box, bet.area, bet.is_seated) for bet in scene.state.bets] == [
        (4, "player", True),
        (2, "banker", True),
    ]
    assert scene.refuse(c.LeaveSeat, "Ann") == "bets-lie"
    scene.close()
    scene.deal("KS KH 9D 7C")
    scene.settle()
    fewer = terms_of("commission", boxes_each=1)
    assert scene.refuse(c.ChangeTerms, SUPERVISOR, terms=fewer) == "already-seated"
    scene.do(c.LeaveSeat, "Ann")
    assert scene.state.seats == {}
    scene.do(c.ChangeTerms, SUPERVISOR, terms=fewer)


def test_a_seat_is_kept_while_bets_lie() -> None:
    scene = Scene("commission")
    scene.start(Ann="player=1000")
    assert scene.refuse(c.LeaveSeat, "Ann") == "bets-lie"
    scene.deal("KS KH 9D 7C")
    assert scene.refuse(c.LeaveSeat, "Ann") == "bets-lie"
    scene.settle()
    scene.do(c.LeaveSeat, "Ann")


def test_who_stands_with_a_bet_does_not_sit_down() -> None:
    scene = Scene("commission")
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "player", 1000)
    scene.bet("Ben", "player", 1000, box=1)
    assert scene.refuse(c.TakeSeat, "Ben", box=2) == "bets-lie"
    scene.do(c.WithdrawBet, "Ben", box=1, area="player")
    scene.do(c.TakeSeat, "Ben", box=2)


def test_one_walks_away_from_a_table_one_is_at_and_comes_back() -> None:
    scene = Scene("commission")
    assert scene.refuse(c.WalkAway, "Ann") == "not-at-table"
    assert scene.refuse(c.ComeBack, "Ann") == "not-away"
    scene.seat("Ann", 1)
    scene.do(c.WalkAway, "Ann")
    assert scene.refuse(c.WalkAway, DEALER, player="Ann") == "already-away"
    assert scene.state.away == {"Ann"}
    scene.do(c.ComeBack, "Ann")
    assert scene.state.away == set()


def test_who_stands_may_walk_away_too() -> None:
    scene = Scene("commission")
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "player", 1000)
    scene.bet("Ben", "banker", 1000, box=1)
    scene.do(c.WalkAway, "Ben")
    scene.close()
    scene.deal("KS KH 7D 9C")
    assert scene.settle()[1] == "Ben banker win +950 by 4.1.2"
