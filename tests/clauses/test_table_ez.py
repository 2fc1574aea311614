"""EZ Baccarat at the table: the first card closes the bets, and the house says who draws."""

from typing import Any

import pytest

from punto.cards import parse_cards
from punto.table.betting import CloseBets, PlaceBet, WithdrawBet
from punto.table.dealing import DealCard
from punto.table.house import ChangeTerms, TakeSeat, WalkAway
from punto.table.irregularity_events import Effect, Rule
from punto.table.terms import BetLimits, Drawing
from tests.table.scenes import SHIFT, SUPERVISOR, Scene, names, returned, terms_of


def scene(**terms: Any) -> Scene:
    return Scene("ez", **terms)


@pytest.mark.clause("ez", "intro-2")
@pytest.mark.parametrize("decks", range(1, 10))
def test_a_table_has_six_decks_or_eight(decks: int) -> None:
    terms = terms_of("ez", decks=decks)
    if decks in (6, 8):
        assert scene(decks=decks).table.terms.decks == decks
    else:
        assert scene().refuse(ChangeTerms, SUPERVISOR, terms=terms) == "wrong-terms intro-2"


@pytest.mark.clause("ez", "intro-3")
def test_limits_are_part_of_what_everybody_sees() -> None:
    table = scene(minimum=2000, maximum=5000, bet_limits={"dragon-7": BetLimits(500, 1000)})
    terms = table.table.terms
    assert (terms.limits_of("player").minimum, terms.limits_of("player").maximum) == (2000, 5000)
    assert terms.limits_of("dragon-7") == BetLimits(500, 1000)
    table.seat("Ann", 1)
    table.call()
    assert table.refuse(PlaceBet, "Ann", box=1, area="player", amount=5100) == "above-maximum intro-3"
    assert table.refuse(PlaceBet, "Ann", box=1, area="player", amount=1900) == "below-minimum"
    table.bet("Ann", "dragon-7", 500)
    assert table.refuse(PlaceBet, "Ann", box=1, area="dragon-7", amount=600) == "above-maximum intro-3"


@pytest.mark.clause("ez", "1")
def test_bets_are_made_before_the_deal_and_the_first_card_closes_them() -> None:
    table = scene()
    table.seat("Ann", 1)
    assert table.refuse(PlaceBet, "Ann", box=1, area="player", amount=1000) == "bets-not-open 1"
    table.call()
    table.bet("Ann", "player", 1000)
    assert table.refuse(CloseBets) == "closed-by-card 1"
    table.bet("Ann", "panda-8", 1000)
    events = table.deal("KS")
    assert names(events) == ["bets-closed", "card-dealt"]
    assert table.refuse(PlaceBet, "Ann", box=1, area="tie", amount=1000) == "bets-closed 1"
    assert table.refuse(WithdrawBet, "Ann", box=1, area="player") == "late-withdrawal 1"


@pytest.mark.clause("ez", "2")
def test_the_house_may_let_seated_players_draw_in_turn() -> None:
    table = scene(drawing=Drawing.PLAYERS)
    card = {"card": parse_cards("KS")[0]}
    for drawer, other in (("Ann", "Cat"), ("Cat", "Ann"), ("Ann", "Cat")):
        table.start(Ann="player=1000", Ben="", Cat="banker=1000")
        assert table.refuse(DealCard, **card) == "not-the-drawer 2"
        assert table.refuse(DealCard, other, **card) == "not-the-drawer 2"
        assert table.refuse(DealCard, "Ben", **card) == "not-the-drawer 2"  # has no bet
        for text in ["KS", "KH", "8D", "7C"]:
            table.do(DealCard, drawer, card=parse_cards(text)[0])
        table.settle()


@pytest.mark.clause("ez", "2")
def test_otherwise_the_dealer_draws() -> None:
    table = scene()
    table.start(Ann="player=1000")
    assert table.refuse(DealCard, "Ann", card=parse_cards("KS")[0]) == "not-the-drawer 2"
    table.deal("KS")
    away = scene(drawing=Drawing.PLAYERS)
    away.start(Ann="player=1000")
    away.do(WalkAway, "Ann")
    away.deal("KS")  # nobody else is there to draw


@pytest.mark.clause("ez", "4")
def test_what_is_declared() -> None:
    for cards, declared in (
        ("KS KH 5D 6C 3S", ("panda-8",)),  # Player draws to eight, Banker stands on six
        ("KS KH 2D 3C 4S 4H", ("dragon-7",)),  # six against seven of three cards
        ("KS KH 7D 7C", ("tie",)),
        ("KS KH 9D 7C", ("natural",)),
    ):
        table = scene()
        table.start(Ann="player=1000")
        finished = table.deal(cards)[-1]
        assert finished.declared == declared


@pytest.mark.clause("ez", "5")
def test_boxes_are_settled_from_the_dealers_right_seated_before_standing() -> None:
    table = scene()
    for player, box in (("Ann", 5), ("Ben", 2), ("Cat", 7)):
        table.seat(player, box)
    table.call()
    table.bet("Cat", "player", 1000)
    table.bet("Ann", "panda-8", 1000)
    table.bet("Dee", "banker", 1000, box=5)
    table.bet("Ann", "banker", 1000)
    table.bet("Ben", "dragon-7", 1000)
    table.deal("KS KH 2D 3C 4S 4H")
    assert table.settle() == [
        "Ben dragon-7 win +40000 by 5",
        "Ann banker push 0 by 5",
        "Ann panda-8 lose -1000 by 5",
        "Dee banker push 0 by 5",
        "Cat player lose -1000 by 5",
    ]


@pytest.mark.clause("ez", "6")
def test_banker_is_paid_in_full() -> None:
    table = scene()
    table.start(Ann="banker=1000")
    table.deal("KS KH 6D 7C")
    assert table.settle() == ["Ann banker win +1000 by 5"]


def test_the_house_marks_one_to_twelve_boxes() -> None:
    for boxes in (1, 12):
        scene(boxes=boxes).seat("Ann", boxes)
    assert scene().refuse(TakeSeat, "Ann", box=8) == "unknown-box"
    for boxes in (0, 13):
        terms = terms_of("ez", boxes=boxes)
        assert scene().refuse(ChangeTerms, SUPERVISOR, terms=terms) == "wrong-terms"


def test_without_a_text_on_irregularities_the_shift_manager_rules() -> None:
    table = scene()
    table.start(Ann="player=1000")
    table.deal("KS")
    table.report(seen="interruption")
    assert table.found() == "interruption awaits ruling"
    table.report(seen="foreign-card", note="a card of another back")
    assert table.found() == "foreign-card awaits ruling"
    assert table.state.case is not None and table.state.case.found is not None
    assert table.state.case.found.house_term
    assert table.refuse(Rule, SUPERVISOR, effect=Effect.VOID, reason="foreign") == "not-allowed"
    events = table.do(Rule, SHIFT, effect=Effect.VOID, reason="foreign")
    assert returned(events) == ["Ann player 1000"]
