"""Baccarat with Insurance, what people may choose and who rules: clauses 5.11, 5.12, 5.15 and 5.18."""

import pytest
from msgspec.structs import replace

from punto.cards import parse_cards
from punto.rules.outcome import Winner
from punto.table import Table
from punto.table.betting import PlaceBet
from punto.table.dealing import DealCard, RevealCard
from punto.table.house import ComeBack, WalkAway
from punto.table.insurance import TakeInsurance
from punto.table.irregularity_case import Seen
from punto.table.irregularity_events import (
    ChooseOption,
    CloseOptions,
    Effect,
    Option,
    OrderCards,
    Rule,
    VoidRound,
    WithdrawEvidence,
)
from tests.clauses.cases import ALL_BETS, BETS, DOWN, chooses, judged, playing
from tests.table.scenes import DEALER, MANAGER, PHYSICAL, SHIFT, SUPERVISOR, P, Scene, names, returned

TOGETHER = "4S:player:together 9H:banker:together"


@pytest.mark.clause("insurance", "5.11")
def test_an_error_of_an_earlier_round_changes_nothing_now() -> None:
    scene = playing("KS KH 9D 7C")
    scene.settle()
    scene.start(**BETS)
    scene.deal("KS KH")
    before = scene.table
    (noted,) = scene.report("1:banker 2:player", round=1, note="seen on film")
    assert (noted.name(), noted.round, noted.clause) == ("error-found-late", 1, "5.11")
    assert scene.table == before
    assert scene.refuse_report("1:banker", round=3) == "no-earlier-round"
    assert scene.refuse_report(round=1) == "nothing-seen"


@pytest.mark.clause("insurance", "5.11")
def test_until_the_next_call_it_is_in_time() -> None:
    scene = playing("KS KH 9D 7C")
    scene.settle()
    assert names(scene.report("3:banker 4:player"))[0] == "settlement-reversed"
    judged(scene, possible=True)
    scene.settle()
    scene.call()
    assert names(scene.report("3:banker 4:player", round=1)) == ["error-found-late"]


# ── Options ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.clause("insurance", "5.12")
@pytest.mark.clause("insurance", "5.12.2")
@pytest.mark.parametrize("dealt", ["", "KS KH 2D"])
def test_an_error_that_no_clause_describes_gives_options_before_and_after_an_outcome(dealt: str) -> None:
    scene = playing(dealt)
    scene.report("4S:floor")
    assert scene.found() == "dealing-error awaits judgement 5.12"
    given = judged(scene, possible=True)[-1]
    assert (given.name(), given.is_reconstructed, given.clause) == ("options-given", True, "5.12")
    assert given.players == ("Ann", "Ben")


@pytest.mark.clause("insurance", "5.12")
@pytest.mark.clause("insurance", "5.12.1")
def test_what_lies_with_no_hand_and_cannot_be_used_is_out_of_play() -> None:
    scene = playing("KS KH 2D 7C")
    scene.report("4S:floor")
    given = judged(scene, possible=False)[-1]
    assert (given.name(), given.is_reconstructed, given.clause) == ("options-given", False, "5.12")
    chooses(scene, "Ann", Option.CONTINUE)
    chooses(scene, "Ben", Option.CONTINUE)
    scene.deal("9S")  # the four is out of play, and Player draws the next card
    assert scene.hands() == "KS 2D 9S / KH 7C"


@pytest.mark.clause("insurance", "5.12")
@pytest.mark.parametrize(
    ("cards", "terms"), [("4S:table", {}), ("4S:player:down", {}), ("2:is-QH", PHYSICAL), ("unseen:floor", DOWN)]
)
def test_any_other_error_with_a_card_is_5_12(cards: str, terms: dict[str, object]) -> None:
    if "unseen" in cards:
        terms = {**terms, **PHYSICAL}
    scene = playing("KS KH", **terms)
    scene.report(cards)
    assert scene.found().startswith("dealing-error awaits ")
    assert scene.found().endswith(" 5.12")


@pytest.mark.clause("insurance", "3.8")
@pytest.mark.clause("insurance", "5.12")
def test_a_card_before_the_closing_call_closes_the_bets() -> None:
    scene = Scene("insurance")
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "player", 1000)
    events = scene.report("KS:player")
    assert names(events)[:3] == ["case-opened", "bets-closed", "clause-found"]
    assert (events[-1].name(), events[-1].clause) == ("options-given", "5.12")
    assert scene.found() == "dealing-error awaits options 5.12"
    chooses(scene, "Ann", Option.CONTINUE)
    assert scene.refuse(PlaceBet, "Ann", box=1, area="tie", amount=1000) == "bets-closed 5.6"
    scene.deal("KH 9D 7C")
    assert scene.settle() == ["Ann player win +1000 by 4.1.1"]


@pytest.mark.clause("insurance", "5.12")
@pytest.mark.clause("insurance", "5.12.3")
def test_to_have_the_bet_back_covers_all_bets_of_the_player_insurance_too() -> None:
    scene = playing("KS KH 6D 5C")
    scene.do(TakeInsurance, "Ann", box=1, hand=P, amount=1000)
    scene.report(TOGETHER)
    scene.do(OrderCards, SUPERVISOR, cards=parse_cards("4S 9H"))
    assert scene.refuse(ChooseOption, "Cat", option=Option.RETURN) == "not-asked 5.10.1"
    assert scene.refuse(DealCard, card=parse_cards("2S")[0]) == "case-open 5.10"
    events = chooses(scene, "Ann", Option.RETURN)
    assert returned(events) == ["Ann player 3000", "Ann player-pair 1000", "Ann insurance-player-4 1000"]
    assert scene.refuse(ChooseOption, "Ann", option=Option.CONTINUE) == "not-asked 5.10.1"
    events = chooses(scene, "Ben", Option.CONTINUE)
    assert names(events) == ["option-chosen", "case-closed", "deal-finished"]
    assert scene.settle() == ["Ben banker win +2000 by 4.1.1"]  # Banker 9 by the four


@pytest.mark.clause("insurance", "5.12")
def test_who_is_away_continues_and_who_is_here_chooses() -> None:
    scene = playing("KS KH 6D 5C")
    scene.do(WalkAway, "Ben")
    scene.report(TOGETHER)
    scene.do(OrderCards, SUPERVISOR, cards=parse_cards("4S 9H"))
    assert scene.refuse(CloseOptions) == "players-present 5.10.1"
    chooses(scene, "Ann", Option.RETURN)
    events = scene.do(CloseOptions)
    assert (events[0].player, events[0].option) == ("Ben", Option.CONTINUE)
    assert scene.state.case is None
    assert scene.lying() == ["Ben banker 2000"]


@pytest.mark.clause("insurance", "5.12")
def test_who_walked_away_chooses_nothing_until_coming_back() -> None:
    scene = playing("KS KH 6D 5C")
    scene.report(TOGETHER)
    scene.do(OrderCards, SUPERVISOR, cards=parse_cards("4S 9H"))
    scene.do(WalkAway, "Ann")
    assert scene.refuse(ChooseOption, "Ann", option=Option.RETURN) == "not-asked 5.10.1"
    scene.do(ComeBack, "Ann")
    chooses(scene, "Ann", Option.RETURN)
    assert scene.lying() == ["Ben banker 2000"]


@pytest.mark.clause("insurance", "5.12")
def test_a_further_error_after_a_choice_gives_a_new_one() -> None:
    scene = playing("KS")
    scene.report("KH:floor")
    judged(scene, possible=True)
    chooses(scene, "Ann", Option.CONTINUE)
    assert scene.refuse(WithdrawEvidence, SUPERVISOR, cards=(2,)) == "chosen-already 5.12"
    events = scene.report("6D:banker 7C:player")
    assert names(events)[:2] == ["case-closed", "case-opened"]
    assert scene.found() == "wrong-side awaits judgement 5.8"
    judged(scene, possible=False)
    chooses(scene, "Ann", Option.RETURN)
    assert scene.lying() == ["Ben banker 2000"]
    chooses(scene, "Ben", Option.CONTINUE)
    assert scene.hands() == "KS 7C / KH 6D"


@pytest.mark.clause("insurance", "5.12")
def test_evidence_is_taken_back_while_nobody_has_chosen() -> None:
    scene = playing("KS")
    scene.report("KH:floor", seen="foreign-card")
    assert scene.found() == "foreign-card awaits void 5.5.1"
    scene.do(WithdrawEvidence, SUPERVISOR, seen=(Seen.FOREIGN_CARD,))
    judged(scene, possible=True)
    before = scene.lying()
    events = scene.do(WithdrawEvidence, SUPERVISOR, cards=(2,))  # the options were open
    assert names(events) == ["evidence-withdrawn", "case-closed"]
    assert scene.lying() == before
    assert scene.hands() == "KS / "
    scene.deal("KH")


@pytest.mark.clause("insurance", "5.4.1")
@pytest.mark.clause("insurance", "5.12.2")
@pytest.mark.parametrize("terms", [{}, PHYSICAL], ids=["own", "physical"])
def test_a_card_recovered_at_a_face_up_table_lies_face_up_with_its_hand(terms: dict[str, object]) -> None:
    """Also before the fourth card: with it Player Pair is decided, and an interruption changes nothing."""
    scene = playing("KS KH", **terms)
    scene.report("4S:floor:down")
    assert scene.hands() == "KS / KH"
    events = judged(scene, possible=True)
    assert [str(card) for card in events[1].player] == ["KS", "4S"]
    assert scene.hands() == "KS 4S / KH"
    for player in ("Ann", "Ben"):
        chooses(scene, player, Option.CONTINUE)
    assert names(scene.report(seen="interruption"))[-1] == "case-closed"
    scene.deal("7C")
    assert scene.hands() == "KS 4S / KH 7C"


@pytest.mark.clause("insurance", "5.4.1")
@pytest.mark.clause("insurance", "5.12.2")
def test_one_that_nobody_could_name_is_opened_as_soon_as_it_is_with_its_hand() -> None:
    scene = playing("KS KH", **PHYSICAL)
    scene.report("unseen:floor")
    judged(scene, possible=True)
    for player in ("Ann", "Ben"):
        chooses(scene, player, Option.CONTINUE)
    assert scene.hands() == "KS ?? / KH"
    scene.do(RevealCard, hand=P, number=2, card=parse_cards("4S")[0])
    assert names(scene.report(seen="interruption"))[-1] == "case-closed"
    face_down = playing("KS KH", **DOWN)
    assert face_down.refuse(RevealCard, hand=P, number=1) == "no-such-card 3.10"


# ── Displays and rulings ─────────────────────────────────────────────────────────────────────────


@pytest.mark.clause("insurance", "5.15")
def test_a_display_that_is_wrong_changes_no_settlement() -> None:
    """Whatever a board shows of the winner, bets are settled by the cards."""
    scene = playing("KS KH 9D 7C")
    shown_wrong = replace(scene.state, winner=Winner.BANKER)
    scene.table = Table(scene.table.book, shown_wrong)
    assert scene.settle()[0] == "Ann player win +3000 by 4.1.1"


@pytest.mark.clause("insurance", "5.18")
def test_what_the_rules_leave_open_is_for_the_shift_manager() -> None:
    scene = playing("KS KH")
    scene.report(seen="uncovered", note="drink spilled on the layout")
    assert scene.found() == "uncovered awaits ruling 5.18"
    go_on = {"effect": Effect.CONTINUE, "reason": "the cards are clean"}
    for who in (DEALER, SUPERVISOR, MANAGER):
        assert scene.refuse(Rule, who, **go_on) == "not-allowed 5.18"
    assert scene.refuse(Rule, SHIFT, **{**go_on, "reason": ""}) == "reason-needed 5.18"
    assert scene.refuse(VoidRound, SUPERVISOR) == "no-case 5.18"
    stand = {"effect": Effect.STAND, "reason": "?"}
    assert scene.refuse(Rule, SHIFT, **stand) == "no-such-ruling 5.18"
    events = scene.do(Rule, SHIFT, **go_on)
    assert names(events) == ["ruled", "case-closed"]
    assert (events[0].by, events[0].reason, events[1].resolution) == (SHIFT, "the cards are clean", "ruled")
    assert scene.refuse(Rule, SHIFT, **go_on) == "no-case"


@pytest.mark.clause("insurance", "5.18")
def test_a_ruling_may_return_the_bets_of_some_or_void_the_round() -> None:
    scene = playing("KS KH")
    scene.report(seen="uncovered")
    back = {"effect": Effect.RETURN, "reason": "could not see"}
    assert scene.refuse(Rule, SHIFT, players=("Cat",), **back) == "no-such-ruling 5.18"
    assert scene.refuse(Rule, SHIFT, **back) == "no-such-ruling 5.18"
    events = scene.do(Rule, SHIFT, players=("Ann",), **back)
    assert returned(events) == ALL_BETS[:2]
    assert scene.lying() == ALL_BETS[2:]
    scene.report(seen="uncovered")
    events = scene.do(Rule, SHIFT, effect=Effect.VOID, reason="fire alarm")
    assert names(events) == ["ruled", "case-closed", "round-voided"]
    assert returned(events) == ALL_BETS[2:]


@pytest.mark.clause("insurance", "5.18")
def test_words_do_not_hide_what_the_cards_tell() -> None:
    scene = playing("KS")
    scene.report("KH:player", seen="uncovered", note="somebody shouted")
    assert scene.found() == "wrong-side awaits judgement 5.8"
