"""Knockout Baccarat at the table: antes decided after a card, Winning Totals beside a main bet."""

from typing import Any

import pytest

from punto.cards import parse_cards
from punto.cards.card import Card
from punto.cards.source import SourceKind
from punto.rules.outcome import Hand
from punto.table.antes import ExpireAntes, GiveUpAnte, PlaceWager
from punto.table.betting import CloseBets, PlaceBet, ReduceBet, WithdrawBet
from punto.table.dealing import DealCard, RevealCard
from punto.table.house import BurnCards, TakeSeat, WalkAway
from punto.table.irregularity_events import Effect, JudgeReconstruction, Rule
from punto.table.state import Phase
from punto.table.terms import Faces
from tests.table.scenes import DEALER, SHIFT, SUPERVISOR, Scene, names, returned


def scene(**terms: Any) -> Scene:
    return Scene("knockout", **terms)


def shown(**bets: str) -> Scene:
    """The first card is out, and lies in "Up The Ante"."""
    table = scene()
    table.start(**bets)
    table.deal("6S")
    return table


def follow(table: Scene, player: str, box: int, hand: str, amount: int) -> list[Any]:
    return table.do(PlaceWager, player, box=box, area=f"wager-{hand}", amount=amount)


@pytest.mark.clause("knockout", "2.1.1")
@pytest.mark.clause("knockout", "2.1.2")
@pytest.mark.parametrize(("layout", "boxes"), [("bean-6", 6), ("mini-5", 5)])
def test_each_layout_has_its_boxes_and_no_more(layout: str, boxes: int) -> None:
    table = scene(layout=layout)
    assert table.refuse(TakeSeat, "Ann", box=boxes + 1) == "unknown-box 2.1.2"
    table.seat("Ann", boxes)
    assert table.refuse(TakeSeat, "Ben", box=boxes) == "seat-taken 2.1.2"


@pytest.mark.clause("knockout", "2.1.3")
def test_a_wager_is_never_an_opening_bet() -> None:
    table = scene()
    table.seat("Ann", 1)
    table.call()
    for area in ("wager-player", "wager-banker"):
        refused = table.refuse(PlaceBet, "Ann", box=1, area=area, amount=1000)
        assert refused.split()[0] == "wager-not-opening"
    assert table.refuse(PlaceBet, "Ann", box=1, area="easy-six", amount=1000) == "unknown-area 2.1.3"


@pytest.mark.clause("knockout", "3.1")
@pytest.mark.clause("knockout", "3.2")
def test_the_calls_open_and_close_the_bets() -> None:
    table = scene()
    table.seat("Ann", 1)
    bet = {"box": 1, "area": "ante-player", "amount": 1000}
    assert table.refuse(PlaceBet, "Ann", **bet) == "bets-not-open 3.1"
    table.call()
    table.do(PlaceBet, "Ann", **bet)
    assert table.refuse(DealCard, card=parse_cards("KS")[0]) == "bets-still-open 3.2"
    (closed,) = table.do(CloseBets)
    assert closed.clause == "3.2"


@pytest.mark.clause("knockout", "3.3")
def test_winning_total_needs_the_players_own_main_bet() -> None:
    table = scene()
    table.seat("Ann", 1)
    table.seat("Ben", 2)
    table.call()
    table.bet("Ben", "player", 1000)
    total = {"box": 1, "area": "winning-total-7", "amount": 1000}
    assert table.refuse(PlaceBet, "Ann", **total) == "needs-bet 3.3"
    table.bet("Ann", "ante-player", 1000)  # an ante is no main bet
    table.bet("Ann", "tie", 1000)
    assert table.refuse(PlaceBet, "Ann", **total) == "needs-bet 3.3"
    table.bet("Ann", "banker", 1000)
    table.do(PlaceBet, "Ann", **total)


@pytest.mark.clause("knockout", "3.3")
def test_the_last_main_bet_takes_the_winning_totals_off_with_it() -> None:
    table = scene()
    table.seat("Ann", 1)
    table.call()
    for area in ("player", "banker", "winning-total-7", "winning-total-9", "tie"):
        table.bet("Ann", area, 1000)
    assert returned(table.do(WithdrawBet, "Ann", box=1, area="player")) == ["Ann player 1000"]
    events = table.do(ReduceBet, "Ann", box=1, area="banker", amount=1000)
    assert returned(events) == ["Ann banker 1000", "Ann winning-total-7 1000", "Ann winning-total-9 1000"]
    assert [(event.why, event.clause) for event in events] == [
        ("reduced", None),
        ("needs-bet", "3.3"),
        ("needs-bet", "3.3"),
    ]
    assert table.lying() == ["Ann tie 1000"]


@pytest.mark.clause("knockout", "3.4")
def test_after_the_first_card_every_ante_is_decided_before_the_next() -> None:
    table = scene()
    table.start(Ann="ante-player=1000 ante-banker=2000", Ben="ante-banker=1000", Cat="player=1000")
    asked = table.deal("6S")[-1]
    assert [(ante.player, ante.area) for ante in asked.antes] == [
        ("Ann", "ante-player"),
        ("Ann", "ante-banker"),
        ("Ben", "ante-banker"),
    ]
    next_card = {"card": parse_cards("KS")[0]}
    assert table.refuse(DealCard, **next_card) == "antes-undecided 3.4"
    follow(table, "Ann", 1, "player", 2000)
    table.do(GiveUpAnte, "Ben", box=2, area="ante-banker")
    assert table.refuse(DealCard, **next_card) == "antes-undecided 3.4"
    table.do(GiveUpAnte, "Ann", box=1, area="ante-banker")
    assert table.state.phase is Phase.DEALING
    table.deal("KH KD 5C")  # Player 6, Banker 5
    table.deal("KC")
    assert table.settle() == [
        "Ann ante-player win +1000 by 4.1.3",
        "Ann ante-banker lose -2000 by 3.4.1",
        "Ann wager-player win +2000 by 4.1.3",
        "Ben ante-banker lose -1000 by 3.4.1",
        "Cat player win +1000 by 4.1.1",
    ]


@pytest.mark.clause("knockout", "3.4")
def test_without_antes_the_deal_goes_straight_on() -> None:
    table = scene()
    table.start(Ann="player=1000")
    assert names(table.deal("6S KH")) == ["card-dealt", "card-dealt"]


@pytest.mark.clause("knockout", "3.4.1")
def test_a_given_up_ante_is_lost_on_a_tie_and_back_in_a_void_round() -> None:
    table = shown(Ann="ante-player=1000")
    (given,) = table.do(GiveUpAnte, "Ann", box=1, area="ante-player")
    assert given.clause == "3.4.1"
    table.deal("KH KD 6C")
    assert table.settle() == ["Ann ante-player lose -1000 by 3.4.1"]
    table = shown(Ann="ante-player=1000")
    table.do(GiveUpAnte, "Ann", box=1, area="ante-player")
    table.report(seen="foreign-card")
    assert table.void() == ["Ann ante-player 1000"]


@pytest.mark.clause("knockout", "3.4.1")
def test_who_does_not_decide_gives_up() -> None:
    table = shown(Ann="ante-player=1000", Ben="ante-banker=1000")
    give_up = {"box": 1, "area": "ante-player", "player": "Ann"}
    assert table.refuse(GiveUpAnte, DEALER, **give_up) == "players-present 3.4"
    table.do(WalkAway, "Ann")
    table.do(GiveUpAnte, DEALER, **give_up)
    events = table.do(ExpireAntes)  # the clock has run out on Ben
    assert [(event.player, event.clause) for event in events] == [("Ben", "3.4.1")]
    assert table.refuse(ExpireAntes) == "no-case 3.4"


@pytest.mark.clause("knockout", "3.4.2")
def test_the_wager_is_exactly_twice_the_ante_and_on_its_hand() -> None:
    table = shown(Ann="ante-player=1500")
    wager = {"box": 1, "area": "wager-player"}
    for amount in (1500, 2900, 3100, 0, -3000):
        assert table.refuse(PlaceWager, "Ann", amount=amount, **wager) == "wager-not-multiple 3.4.2"
    banker = {"box": 1, "area": "wager-banker", "amount": 3000}
    assert table.refuse(PlaceWager, "Ann", **banker) == "no-ante-open 3.4"
    assert table.refuse(PlaceWager, "Ann", **{**banker, "area": "ante-player"}) == "not-a-wager 3.4.2"
    assert table.refuse(PlaceWager, "Ben", amount=3000, **wager) == "no-ante-open 3.4"
    assert table.refuse(PlaceWager, SHIFT, amount=3000, player="Ann", **wager) == "not-allowed"
    table.do(PlaceWager, DEALER, amount=3000, player="Ann", **wager)
    assert table.refuse(PlaceWager, "Ann", amount=3000, **wager) == "no-ante-open 3.4"
    assert table.lying() == ["Ann ante-player 1500", "Ann wager-player 3000"]


@pytest.mark.clause("knockout", "3.5")
def test_the_other_three_cards_follow_the_shown_one() -> None:
    table = shown(Ann="player-pair=1000 banker-pair=1000")
    table.deal("4H 6D 4C")
    assert table.hands() == "6S 6D / 4H 4C"
    # Banker's eight is a natural; both pairs win by the first four cards.
    assert table.settle() == ["Ann player-pair win +11000 by 4.1.1", "Ann banker-pair win +11000 by 4.1.1"]


@pytest.mark.clause("knockout", "3.9")
def test_on_a_tie_all_but_tie_and_pairs_go_back() -> None:
    table = shown(Ann="player=1000 banker=1000 tie=1000 player-pair=1000 winning-total-7=1000 ante-player=1000")
    follow(table, "Ann", 1, "player", 2000)
    table.deal("KH AD 7C")
    assert table.settle() == [
        "Ann player push 0 by 3.9",
        "Ann banker push 0 by 3.9",
        "Ann tie win +8000 by 4.1.1",
        "Ann player-pair lose -1000 by 4.1.1",
        "Ann winning-total-7 push 0 by 3.9",
        "Ann ante-player push 0 by 3.9",
        "Ann wager-player push 0 by 3.9",
    ]


@pytest.mark.clause("knockout", "5.1.1")
def test_a_foreign_card_voids_with_wagers_and_all() -> None:
    table = shown(Ann="ante-player=1000", Ben="player=1000 winning-total-9=1000")
    follow(table, "Ann", 1, "player", 2000)
    table.report("5H:banker:foreign")
    assert table.found() == "foreign-card awaits void 5.1.1"
    assert table.void() == [
        "Ann ante-player 1000",
        "Ben player 1000",
        "Ben winning-total-9 1000",
        "Ann wager-player 2000",
    ]
    assert table.state.antes_open == ()


@pytest.mark.clause("knockout", "5.1.1")
def test_a_round_may_be_voided_while_antes_are_open() -> None:
    table = shown(Ann="ante-player=1000")
    table.report(seen="foreign-card")
    assert table.refuse(GiveUpAnte, "Ann", box=1, area="ante-player") == "case-open 5.1.1"
    assert table.void() == ["Ann ante-player 1000"]
    table.call()
    assert table.state.antes_open == ()


@pytest.mark.clause("knockout", "5.1.2")
def test_a_wrong_number_of_cards_voids_or_is_put_right() -> None:
    for possible, told in ((False, "round-voided"), (True, "deal-finished")):
        table = shown(Ann="player=1000")
        table.deal("KH KD 7C")
        table.report("4S:banker")
        assert table.found() == "wrong-number awaits judgement 5.1.2"
        events = table.do(JudgeReconstruction, SUPERVISOR, possible=possible)
        assert names(events)[-1] == told


@pytest.mark.clause("knockout", "3.4")
@pytest.mark.clause("knockout", "5.1.2")
def test_two_cards_before_the_antes_are_decided() -> None:
    """No hand has a wrong number, so a ruling decides; the antes are asked for all the same."""
    table = scene()
    table.start(Ann="ante-player=1000")
    table.report("6S:player KH:banker")
    assert table.found() == "exposed awaits ruling"
    events = table.do(Rule, SHIFT, effect=Effect.CONTINUE, reason="both lie in their places")
    assert names(events)[-1] == "antes-asked"
    assert table.hands() == "6S / KH"
    follow(table, "Ann", 1, "player", 2000)
    table.deal("KD 5C")


@pytest.mark.clause("knockout", "5.1.3")
def test_too_few_cards_void_the_round() -> None:
    table = scene(decks=4, burn=str(4 * 52 - 8), behind_cut=0)
    table.do(BurnCards)
    table.start(Ann="player=1000")
    table.deal("KS KH 8D 7C")
    table.settle()
    table.start(Ann="ante-player=1000")
    table.deal("2S")
    follow(table, "Ann", 1, "player", 2000)
    table.deal("KH KD 3C")
    refused = table.refuse(DealCard, card=parse_cards("5S")[0])
    assert refused == "card-not-there 2.2.1"
    table.report(seen="cards-run-out")
    assert table.found() == "cards-run-out awaits void 5.1.3"
    assert table.void() == ["Ann ante-player 1000", "Ann wager-player 2000"]


@pytest.mark.clause("knockout", "5.2")
def test_after_the_call_nothing_is_placed_or_raised_but_wagers() -> None:
    table = shown(Ann="ante-player=1000")
    assert table.refuse(PlaceBet, "Ann", box=1, area="ante-player", amount=1000) == "bets-closed 5.2"
    assert table.refuse(PlaceBet, "Ann", box=1, area="wager-player", amount=2000) == "bets-closed 5.2"
    follow(table, "Ann", 1, "player", 2000)


@pytest.mark.clause("knockout", "5.3")
def test_a_bet_taken_off_after_the_call_still_wins_or_loses() -> None:
    table = shown(Ann="banker=1000 ante-player=1000")
    (ignored,) = table.do(WithdrawBet, "Ann", box=1, area="banker")
    assert (ignored.name(), ignored.clause) == ("withdrawal-ignored", "5.3")
    (ignored,) = table.do(WithdrawBet, "Ann", box=1, area="ante-player")
    follow(table, "Ann", 1, "player", 2000)
    table.deal("KH KD 7C")
    assert table.settle() == [
        "Ann banker win +1000 by 4.1.1",
        "Ann ante-player lose -1000 by 4.1.3",
        "Ann wager-player lose -2000 by 4.1.3",
    ]


@pytest.mark.clause("knockout", "3.4")
@pytest.mark.parametrize("faces", [Faces.UP, Faces.DOWN])
def test_an_ante_is_asked_only_when_the_card_lies_open(faces: Faces) -> None:
    """The card for "Up the Ante" was dealt closed and nobody knows it: first it is opened."""
    table = Scene("knockout", source=SourceKind.ENTERED, faces=faces)
    table.start(Ann="ante-player=1000")
    table.report("unseen:floor:down")
    table.do(Rule, SHIFT, effect=Effect.CONTINUE, reason="recovered")
    assert (table.hands(), table.state.antes_open) == ("?? / ", ())
    assert table.refuse(DealCard, card=Card("KH")) == "reveal-first 3.4"
    assert table.refuse(PlaceWager, "Ann", box=1, area="wager-player", amount=2000).startswith("no-ante-open")
    events = table.do(RevealCard, hand=Hand.PLAYER, number=1, card=Card("9S"))
    assert [event.name() for event in events] == ["card-revealed", "antes-asked"]
    table.do(PlaceWager, "Ann", box=1, area="wager-player", amount=2000)
    table.do(DealCard, card=Card("KH"))


@pytest.mark.clause("knockout", "3.4")
@pytest.mark.parametrize("faces", [Faces.UP, Faces.DOWN])
def test_a_card_that_is_known_lies_open_as_soon_as_it_is_there(faces: Faces) -> None:
    table = Scene("knockout", faces=faces)
    table.start(Ann="ante-player=1000")
    table.report("9S:floor:down")
    events = table.do(Rule, SHIFT, effect=Effect.CONTINUE, reason="recovered")
    assert table.hands() == "9S / "
    assert events[-1].name() == "antes-asked"
