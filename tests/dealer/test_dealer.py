"""The automatic dealer: what it does in each phase, and whom it waits for."""

from __future__ import annotations

from dataclasses import replace as replace_pace

import pytest

from punto.cards.card import Card
from punto.dealer.dealer import Awaited, DrawCard, Due, Give, Halt, Wait, next_step
from punto.rules.authority import Authority, Role
from punto.rules.outcome import Hand
from punto.table import Phase, Reason
from punto.table.antes import ExpireAntes
from punto.table.betting import AdviseMinimum, CallBets, CloseBets, PlaceBet, RejectExcess, WithdrawBet
from punto.table.dealing import AnswerSqueeze, AskSqueeze, DealCard, RevealCard, TakeDraw
from punto.table.house import BurnCards, CloseTable, LoadShoe, PauseTable, ResumeTable, WalkAway
from punto.table.insurance import DeclineInsurance, OfferInsurance, TakeInsurance
from punto.table.irregularity_events import ChooseOption, CloseOptions, ExpireOptions, Option
from punto.table.settlement import SettleRound
from punto.table.shuffling import ClosePledges, PledgeBytes
from punto.table.state import SqueezeKind
from punto.table.terms import Drawing, Faces, Noticing, Offering
from tests.dealer.clocked import CLOCKS
from tests.dealer.dealt_scenes import choosing_scene, give, insured_scene, seated, timed
from tests.table.scenes import Scene


def given_kind(due: Due) -> type[object]:
    assert isinstance(due, Give | DrawCard)
    return type(due.command)


def test_a_fresh_table_gets_a_shoe_that_is_burned_before_bets_are_called() -> None:
    scene = Scene("commission", load=False, burn="first-card")
    assert next_step(scene.table) == Give(LoadShoe(actor="the dealer", role=Role.DEALER))
    scene.do(LoadShoe)
    due = next_step(scene.table)
    assert isinstance(due, DrawCard)
    assert due.command == BurnCards(actor="the dealer", role=Role.DEALER)
    scene.do(BurnCards, card=Card.parse("5S"))
    assert given_kind(next_step(scene.table)) is CallBets


def test_the_list_of_pledges_is_closed_before_a_card_leaves_the_shoe() -> None:
    scene = Scene("commission", load=False, burn="first-card")
    scene.do(LoadShoe, commitment="c" * 64, algorithm="some-1")
    scene.do(PledgeBytes, "Lee", digest="d" * 64)
    assert given_kind(next_step(scene.table)) is ClosePledges
    scene.do(ClosePledges)
    assert given_kind(next_step(scene.table)) is BurnCards


def test_bets_stay_open_until_everybody_is_ready() -> None:
    scene = seated("commission", "Ann", "Ben")
    scene.call()
    assert next_step(scene.table) == Wait(Awaited.BETS, ("Ann", "Ben"))
    assert next_step(scene.table, ready={"Ann"}) == Wait(Awaited.BETS, ("Ben",))
    assert given_kind(next_step(scene.table, ready={"Ann", "Ben"})) is CloseBets
    scene.do(WalkAway, "Ben")
    assert given_kind(next_step(scene.table, ready={"Ann"})) is CloseBets


@pytest.mark.gli("RTS 14E")
def test_bets_close_by_the_clock_which_a_bet_does_not_set_back() -> None:
    scene = seated("commission", "Ann")
    timed(scene, 1_000, CallBets)
    timed(scene, 15_000, PlaceBet, "Ann", box=1, area="banker", amount=1000)
    assert next_step(scene.table, 20_999, CLOCKS) == Wait(Awaited.BETS, ("Ann",), until=21_000)
    due = next_step(scene.table, 21_000, CLOCKS)
    assert due == Give(CloseBets(actor="the dealer", role=Role.DEALER, time=21_000))


def test_the_first_card_closes_bets_where_the_book_has_no_call() -> None:
    scene = seated("ez", "Ann")
    scene.call()
    assert given_kind(next_step(scene.table, ready={"Ann"})) is DealCard


def test_an_empty_table_is_dealt_by_the_clock_only() -> None:
    scene = Scene("commission")
    scene.call()
    assert next_step(scene.table) == Wait(Awaited.BETS)
    assert next_step(scene.table, 5, CLOCKS) == Wait(Awaited.BETS, until=20_000)
    assert given_kind(next_step(scene.table, 20_000, CLOCKS)) is CloseBets


def test_cards_come_at_their_pace() -> None:
    scene = seated("commission", "Ann")
    scene.call()
    timed(scene, 7_000, CloseBets)
    assert next_step(scene.table, 7_100, CLOCKS) == Wait(Awaited.PACE, until=7_500)
    due = next_step(scene.table, 7_500, CLOCKS)
    assert isinstance(due, DrawCard)
    assert due.with_card(Card.parse("9H")) == DealCard(
        actor="the dealer", role=Role.DEALER, time=7_500, card=Card.parse("9H")
    )


@pytest.mark.gli("4.16")
def test_antes_are_asked_for_and_expire_by_the_clock() -> None:
    scene = seated("knockout", "Ann", "Ben")
    scene.call()
    scene.bet("Ann", "banker", 1000)
    scene.bet("Ann", "ante-banker", 1000)
    scene.close()
    timed(scene, 2_000, DealCard, card=Card.parse("9H"))
    assert next_step(scene.table) == Wait(Awaited.ANTES, ("Ann",))
    assert next_step(scene.table, 3_000, CLOCKS) == Wait(Awaited.ANTES, ("Ann",), until=12_000)
    assert given_kind(next_step(scene.table, 12_000, CLOCKS)) is ExpireAntes
    scene.do(WalkAway, "Ann")
    assert given_kind(next_step(scene.table)) is ExpireAntes, "nobody is there to decide"


def test_an_insurance_window_waits_for_those_who_can_still_take_some() -> None:
    scene = insured_scene()
    assert next_step(scene.table) == Wait(Awaited.INSURANCE, ("Ann",))
    assert given_kind(next_step(scene.table, ready={"Ann"})) is DealCard
    assert given_kind(next_step(scene.table, 8_000, CLOCKS)) is DealCard
    scene.do(DeclineInsurance, "Ann")
    assert given_kind(next_step(scene.table)) is DealCard


def test_insurance_taken_to_its_cap_is_waited_for_no_longer() -> None:
    scene = insured_scene()
    most = scene.state.offers[0].most
    scene.do(TakeInsurance, "Ann", box=1, hand=Hand.PLAYER, amount=most - 100)
    assert next_step(scene.table) == Wait(Awaited.INSURANCE, ("Ann",))
    scene.do(TakeInsurance, "Ann", box=1, hand=Hand.PLAYER, amount=100)
    assert given_kind(next_step(scene.table)) is DealCard


def test_a_dealer_who_offers_insurance_forgets_none() -> None:
    scene = insured_scene(offering=Offering.DEALER)
    assert given_kind(next_step(scene.table)) is OfferInsurance


def test_a_finished_deal_is_settled_and_then_seen() -> None:
    scene = seated("commission", "Ann")
    scene.call()
    scene.close()
    scene.deal("9H 2H KD KC")
    assert given_kind(next_step(scene.table)) is SettleRound
    timed(scene, 9_000, SettleRound)
    assert next_step(scene.table, 9_001, CLOCKS) == Wait(Awaited.PACE, until=12_000)
    assert given_kind(next_step(scene.table, 12_000, CLOCKS)) is CallBets


def test_limits_that_the_dealer_has_to_notice_are_noticed_before_bets_close() -> None:
    scene = seated("commission", "Ann", noticing=Noticing.DEALER, minimum=1000, maximum=5000)
    scene.call()
    scene.bet("Ann", "banker", 7000)
    scene.bet("Ann", "tie", 500)
    for expected in (RejectExcess, AdviseMinimum):
        due = next_step(scene.table, ready={"Ann"})
        assert isinstance(due, Give)
        assert isinstance(due.command, expected)
        give(scene, due.command)
    assert next_step(scene.table, ready={"Ann"}) == Wait(Awaited.BETS, ("Ann",))
    scene.do(WithdrawBet, "Ann", box=1, area="tie")
    assert given_kind(next_step(scene.table, ready={"Ann"})) is CloseBets


def test_a_player_who_draws_the_cards_is_waited_for() -> None:
    scene = seated("ez", "Ann", drawing=Drawing.PLAYERS)
    scene.call()
    scene.bet("Ann", "banker", 1000)
    assert next_step(scene.table, ready={"Ann"}) == Wait(Awaited.DRAWER, ("Ann",))
    assert next_step(scene.table, 20_000, CLOCKS) == Wait(Awaited.DRAWER, ("Ann",), until=26_000)
    timed(scene, 22_000, DealCard, "Ann", card=Card.parse("9H"))
    assert next_step(scene.table, 22_500, CLOCKS) == Wait(Awaited.DRAWER, ("Ann",), until=28_000)


@pytest.mark.clause("ez", "2")
def test_a_player_who_does_not_draw_in_time_leaves_the_cards_to_the_dealer() -> None:
    scene = seated("ez", "Ann", drawing=Drawing.PLAYERS)
    scene.call()
    scene.bet("Ann", "banker", 1000)
    due = next_step(scene.table, 26_000, CLOCKS)
    assert due == Give(TakeDraw(actor="the dealer", role=Role.DEALER, time=26_000))
    give(scene, due.command)
    for number, card in enumerate(("9H", "2H", "KD", "KC"), start=1):
        due = next_step(scene.table, 26_000 + 500 * number, CLOCKS)
        assert isinstance(due, DrawCard) and isinstance(due.command, DealCard), "once is enough"
        give(scene, due.with_card(Card.parse(card)))
    scene.settle()
    scene.call()
    scene.bet("Ann", "banker", 1000)
    waits = next_step(scene.table, 10**9, replace_pace(CLOCKS, draw=10**10))
    assert isinstance(waits, Wait) and waits.what is Awaited.DRAWER, "in the next round Ann may draw again"


@pytest.mark.gli("4.16")
def test_a_choice_after_an_error_has_a_clock_and_undecided_players_continue() -> None:
    scene = choosing_scene(at=50_000)
    assert next_step(scene.table) == Wait(Awaited.OPTIONS, ("Ann", "Ben"))
    assert next_step(scene.table, 50_100, CLOCKS) == Wait(Awaited.OPTIONS, ("Ann", "Ben"), until=59_000)
    timed(scene, 58_000, ChooseOption, "Ann", option=Option.RETURN)
    assert next_step(scene.table, 58_500, CLOCKS) == Wait(Awaited.OPTIONS, ("Ben",), until=59_000)
    due = next_step(scene.table, 59_000, CLOCKS)
    assert due == Give(ExpireOptions(actor="the dealer", role=Role.DEALER, time=59_000))
    give(scene, due.command)
    assert scene.state.case is None and scene.lying() == ["Ben banker 2000"]


@pytest.mark.gli("4.16")
def test_where_only_players_are_left_who_went_away_options_close_at_once() -> None:
    scene = choosing_scene(at=50_000)
    scene.do(WalkAway, "Ann")
    scene.do(WalkAway, "Ben")
    assert given_kind(next_step(scene.table, 50_100, CLOCKS)) is CloseOptions


def test_a_squeeze_is_answered_and_carried_out_in_its_time() -> None:
    scene = seated("insurance", "Ann", faces=Faces.DOWN)
    scene.call()
    scene.bet("Ann", "banker", 1000)
    scene.close()
    scene.do(AskSqueeze, "Ann", kind=SqueezeKind.CARD, hand=Hand.PLAYER, number=1)
    assert next_step(scene.table) == Wait(Awaited.SQUEEZE)
    assert given_kind(next_step(scene.table, 5_000, CLOCKS)) is DealCard
    scene.do(AnswerSqueeze, consent=True)
    scene.deal("9H 2H KD KC")
    assert next_step(scene.table) == Wait(Awaited.SQUEEZE, ("Ann",))
    due = next_step(scene.table, 5_000, CLOCKS)
    assert isinstance(due, Give)
    assert due.command == RevealCard(actor="the dealer", role=Role.DEALER, time=5_000, hand=Hand.PLAYER, number=1)


def test_a_paused_table_and_an_open_case_are_left_to_people() -> None:
    scene = seated("commission", "Ann")
    scene.do(PauseTable)
    assert next_step(scene.table, 10**9, CLOCKS) == Wait(Awaited.RESUMPTION)
    scene.do(ResumeTable)
    scene.call()
    scene.report(seen="uncovered")
    assert next_step(scene.table, 10**9, CLOCKS) == Wait(Awaited.CASE)


def test_what_the_dealer_may_not_do_is_named() -> None:
    authority = (Authority("call-bets", (Role.PIT_SUPERVISOR,)),)
    scene = seated("commission", "Ann", authority=authority)
    due = next_step(scene.table)
    assert isinstance(due, Halt)
    assert due.refusal.reason is Reason.NOT_ALLOWED
    assert due.sentence.startswith("the dealer cannot give call-bets: ")
    closed = seated("commission", "Ann")
    closed.do(CloseTable, "Sue")
    due = next_step(closed.table)
    assert isinstance(due, Halt)
    assert due.refusal.reason is Reason.TABLE_CLOSED


def test_a_shoe_that_runs_out_in_mid_round_halts_the_deal() -> None:
    scene = seated("commission", "Ann", burn=str(8 * 52 - 8), behind_cut=0)
    scene.do(BurnCards)
    for cards in ("9H KH KD KC", "2H KH KD KC"):
        scene.call()
        scene.close()
        scene.deal(cards)
        if scene.state.phase is Phase.FINISHED:
            scene.settle()
    due = next_step(scene.table)
    assert isinstance(due, Halt)
    assert due.refusal.reason is Reason.CARD_NOT_THERE
