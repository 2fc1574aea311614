"""Baccarat with Insurance when something goes wrong: clauses 5.4 to 5.18."""

from typing import Any

import pytest
from msgspec.structs import replace

from punto.cards import parse_cards
from punto.rules.facts import Winner
from punto.rules.text.irregularity import Irregular
from punto.table import Table
from punto.table import command as c
from punto.table.command import Effect, Option
from punto.table.state import Phase
from punto.table.terms import Faces
from tests.table.scenes import DEALER, MANAGER, SHIFT, SUPERVISOR, B, P, Scene, names, returned

DOWN: dict[str, Any] = {"faces": Faces.DOWN}
BETS = {"Ann": "player=3000 player-pair=1000", "Ben": "banker=2000"}
ALL_BETS = ["Ann player 3000", "Ann player-pair 1000", "Ben banker 2000"]


def playing(cards: str = "", **terms: Any) -> Scene:
    scene = Scene("insurance", **terms)
    scene.start(**BETS)
    scene.deal(cards)
    return scene


def judged(scene: Scene, possible: bool) -> list[Any]:
    return scene.do(c.JudgeReconstruction, SUPERVISOR, possible=possible)


def chooses(scene: Scene, player: str, option: Option) -> list[Any]:
    return scene.do(c.ChooseOption, player, option=option)


# ── Interruption ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.clause("insurance", "5.4.2")
@pytest.mark.parametrize("cards", ["", "KS", "KS KH"])
def test_an_interruption_before_any_bet_is_decided_voids_at_once(cards: str) -> None:
    scene = playing(cards)
    events = scene.report(Irregular.INTERRUPTION)
    assert names(events) == ["case-opened", "round-voided"]
    assert events[-1].clause == "5.4.2"
    assert returned(events) == ALL_BETS


@pytest.mark.clause("insurance", "5.4.2")
def test_an_interruption_during_the_betting_voids() -> None:
    scene = Scene("insurance")
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "player", 1000)
    assert returned(scene.report(Irregular.INTERRUPTION)) == ["Ann player 1000"]


@pytest.mark.clause("insurance", "5.4.1")
@pytest.mark.parametrize("cards", ["KS KH 7D", "KS KH 7D 7C", "KS KH 2D 7C 4S"])
def test_an_interruption_after_that_changes_nothing(cards: str) -> None:
    """From the third card on Player Pair is decided, whoever bet on it."""
    scene = playing(cards)
    lying = scene.lying()
    events = scene.report(Irregular.INTERRUPTION)
    assert names(events)[:2] == ["case-opened", "case-closed"]
    assert (events[1].resolution, events[1].clause) == ("completed", "5.4.1")
    assert scene.lying() == lying
    assert scene.state.case is None


@pytest.mark.clause("insurance", "5.4.1")
@pytest.mark.clause("insurance", "5.4.2")
def test_only_exposed_cards_establish_an_outcome() -> None:
    scene = playing("KS KH 7D 7C", **DOWN)
    scene.do(c.RevealCard, hand=P, number=1)
    scene.do(c.RevealCard, hand=B, number=1)
    assert names(scene.report(Irregular.INTERRUPTION))[-1] == "round-voided"
    scene = playing("KS KH 7D 7C", **DOWN)
    scene.do(c.RevealCard, hand=B, number=1)
    scene.do(c.RevealCard, hand=B, number=2)  # Banker Pair is lost
    assert names(scene.report(Irregular.INTERRUPTION))[-1] == "case-closed"


# ── What voids ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.clause("insurance", "5.5.1")
@pytest.mark.clause("insurance", "5.5.2")
@pytest.mark.clause("insurance", "5.5.4")
@pytest.mark.clause("insurance", "5.5.5")
@pytest.mark.clause("insurance", "5.16")
@pytest.mark.clause("insurance", "1.23")
@pytest.mark.parametrize(
    ("kind", "clause"),
    [
        (Irregular.FOREIGN_CARD, "5.5.1"),
        (Irregular.WRONG_SET, "5.5.2"),
        (Irregular.CARDS_RUN_OUT, "5.5.4"),
        (Irregular.NOT_SHUFFLED, "5.5.5"),
    ],
)
def test_what_voids_the_round_returns_every_bet_and_insurance_too(kind: Irregular, clause: str) -> None:
    scene = playing("KS KH 6D 5C")
    scene.do(c.TakeInsurance, "Ann", box=1, hand=P, amount=1000)
    (opened,) = scene.report(kind)
    assert (opened.clause, opened.awaits) == (clause, "void")
    assert scene.refuse(c.VoidRound, DEALER) == "not-allowed"
    (voided,) = scene.do(c.VoidRound, SUPERVISOR, reason="found")
    assert (voided.clause, voided.reason) == (clause, "found")
    assert returned([voided]) == [*ALL_BETS, "Ann insurance-player-4 1000"]
    assert scene.lying() == []
    assert scene.state.winner is None
    assert scene.state.settled is None
    assert scene.refuse(c.SettleRound) == "no-round 1.18"


@pytest.mark.clause("insurance", "5.5.1")
@pytest.mark.clause("insurance", "5.5.5")
def test_rounds_before_a_void_one_stand() -> None:
    """Settled rounds are over: the same finding between rounds has nothing to void."""
    scene = playing("KS KH 9D 7C")
    settled = scene.settle()
    for kind in (Irregular.FOREIGN_CARD, Irregular.WRONG_SET, Irregular.NOT_SHUFFLED):
        assert scene.refuse(c.Report, kind=kind).startswith("no-round 5.5.")
    scene.start(**BETS)
    scene.report(Irregular.NOT_SHUFFLED)
    assert scene.void() == ALL_BETS
    assert settled[0] == "Ann player win +3000 by 4.1.1"
    assert "settlement-reversed" not in names(scene.log)


@pytest.mark.clause("insurance", "5.5.3")
def test_a_wrong_number_of_cards_voids_when_it_cannot_be_put_right() -> None:
    scene = playing("KS KH 6D 7C")
    assert scene.report(Irregular.WRONG_NUMBER, "4S")[0].clause == "5.5.3"
    assert scene.refuse(c.DismissReport, SUPERVISOR, reason="no") == "no-case"  # the card is out
    events = judged(scene, possible=False)
    assert names(events) == ["reconstruction-judged", "round-voided"]
    assert events[1].clause == "5.5.3"
    assert returned(events) == ALL_BETS


@pytest.mark.clause("insurance", "5.5.3")
@pytest.mark.clause("insurance", "5.12")
@pytest.mark.clause("insurance", "5.12.2")
def test_a_wrong_number_put_right_is_a_dealing_error_with_options() -> None:
    scene = playing("KS KH 6D 7C")
    scene.settle()
    scene.report(Irregular.WRONG_NUMBER, "4S")  # noticed before the next round
    events = judged(scene, possible=True)
    assert names(events) == ["reconstruction-judged", "cards-reconstructed", "options-given"]
    assert (events[2].is_reconstructed, events[2].clause) == (True, "5.12")
    chooses(scene, "Ann", Option.RETURN)
    chooses(scene, "Ben", Option.CONTINUE)
    assert scene.settle() == ["Ben banker win +2000 by 4.1.1"]


@pytest.mark.clause("insurance", "5.5.3")
def test_after_the_cards_were_changed_it_can_only_be_void() -> None:
    scene = playing("KS KH 6D 7C")
    scene.report(Irregular.EXCESS_OR_EXPOSED, "4S")
    judged(scene, possible=True)
    scene.settle()
    scene.do(c.ReplaceCards, SUPERVISOR)
    scene.report(Irregular.WRONG_NUMBER, "4S")
    refused = scene.refuse(c.JudgeReconstruction, SUPERVISOR, possible=True)
    assert refused == "cannot-reconstruct 5.5.3"
    assert returned(judged(scene, possible=False)) == ALL_BETS


@pytest.mark.clause("insurance", "5.5.4")
def test_a_shuffler_that_runs_dry_voids() -> None:
    scene = Scene("insurance", decks=4, burn=str(4 * 52 - 6), behind_cut=0)
    scene.do(c.BurnCards)
    scene.start(Ann="player=1000")
    scene.deal("KS KH 2D 3C 8S")
    scene.do(c.SettleRound)  # Banker 3 stood beside the eight
    assert scene.refuse(c.CallBets) == "shoe-finished"


# ── Excess and exposed cards ─────────────────────────────────────────────────────────────────────


@pytest.mark.clause("insurance", "5.7")
@pytest.mark.clause("insurance", "1.17")
def test_a_card_too_many_goes_where_the_table_of_play_wants_it() -> None:
    scene = playing("KS KH 2D 7C")
    scene.report(Irregular.EXCESS_OR_EXPOSED, "4S")
    events = judged(scene, possible=True)
    # Banker's seven was open to insurance; the card that came has closed that.
    assert names(events)[:3] == ["reconstruction-judged", "insurance-closed", "cards-reconstructed"]
    assert [str(card) for card in events[2].player] == ["KS", "2D", "4S"]
    assert events[2].carried == ()
    assert scene.hands() == "KS 2D 4S / KH 7C"
    assert scene.state.phase is Phase.FINISHED  # Banker stands on seven


@pytest.mark.clause("insurance", "5.7")
@pytest.mark.clause("insurance", "1.17")
def test_what_the_round_does_not_need_starts_the_next() -> None:
    """A natural: neither of two cards drawn after it belongs to the round."""
    scene = playing("KS KH 9D 7C")
    scene.report(Irregular.EXCESS_OR_EXPOSED, "4S 5H")
    events = judged(scene, possible=True)
    assert [str(card) for card in events[1].carried] == ["4S", "5H"]
    scene.settle()
    scene.start(**BETS)
    scene.deal("4S 5H 3C")
    assert scene.hands() == "4S 3C / 5H"


@pytest.mark.clause("insurance", "5.7")
def test_whether_it_can_be_put_right_is_the_houses_word() -> None:
    scene = playing("KS KH 2D 7C")
    scene.report(Irregular.EXCESS_OR_EXPOSED, "4S")
    assert scene.refuse(c.JudgeReconstruction, DEALER, possible=True) == "not-allowed 5.7"
    event = judged(scene, possible=False)[0]
    assert (event.by, event.possible, event.clause) == (SUPERVISOR, False, "5.7")
    scene.deal("9S")  # the four is out of play, and Player draws the next card
    assert scene.hands() == "KS 2D 9S / KH 7C"


@pytest.mark.clause("insurance", "5.7.1")
def test_players_choose_only_while_no_outcome_is_established() -> None:
    scene = playing("KS")
    scene.report(Irregular.EXCESS_OR_EXPOSED, "4S")  # the second card: nothing is decided by it
    events = judged(scene, possible=True)
    assert names(events)[-1] == "options-given"
    assert (events[-1].players, events[-1].clause) == (("Ann", "Ben"), "5.7.1")
    scene = playing("KS KH")
    scene.report(Irregular.EXCESS_OR_EXPOSED, "4S")  # the third: Player Pair is lost
    assert names(judged(scene, possible=True)) == [
        "reconstruction-judged",
        "cards-reconstructed",
        "case-closed",
    ]


@pytest.mark.clause("insurance", "5.7")
def test_a_card_drawn_while_a_window_is_open_closes_it() -> None:
    scene = playing("KS KH KD 5C")  # Banker 5 against 0: Ben may insure
    assert scene.offers() == ["Ben banker 2:1 up to 1000"]
    scene.report(Irregular.EXCESS_OR_EXPOSED, "7S")
    assert scene.refuse(c.TakeInsurance, "Ben", box=2, hand=B, amount=100) == "case-open"
    events = judged(scene, possible=True)
    assert "insurance-closed" in names(events)
    assert scene.offers() == ["Ann player 4:1 up to 700"]


# ── Wrong side, face up ──────────────────────────────────────────────────────────────────────────


@pytest.mark.clause("insurance", "5.8")
@pytest.mark.clause("insurance", "5.8.1")
@pytest.mark.clause("insurance", "5.8.2")
def test_cards_on_the_wrong_side_are_put_right() -> None:
    """Player's third card was put on Banker's side, or handed to whoever squeezes for Banker."""
    scene = playing("KS KH 2D 3C")
    (opened,) = scene.report(Irregular.WRONG_SIDE, "4S", placed=(B,), note="handed to Ben")
    assert (opened.clause, opened.placed, opened.note) == ("5.8", (B,), "handed to Ben")
    events = judged(scene, possible=True)
    # Decided, and put right: nobody chooses. Player's six beside Banker's three may be insured.
    assert names(events)[-2:] == ["case-closed", "insurance-offered"]
    assert scene.hands() == "KS 2D 4S / KH 3C"
    scene.deal("5H")
    assert scene.hands() == "KS 2D 4S / KH 3C 5H"


@pytest.mark.clause("insurance", "5.8")
@pytest.mark.clause("insurance", "5.12")
@pytest.mark.clause("insurance", "5.12.1")
def test_if_they_cannot_be_put_right_everybody_chooses_even_if_something_is_decided() -> None:
    scene = playing("KS KH 2D 3C")
    scene.report(Irregular.WRONG_SIDE, "4S", placed=(B,))
    given = judged(scene, possible=False)[-1]
    assert (given.name(), given.is_reconstructed, given.clause) == ("options-given", False, "5.8")
    chooses(scene, "Ann", Option.CONTINUE)
    chooses(scene, "Ben", Option.CONTINUE)
    scene.deal("9S 4H")
    assert scene.hands() == "KS 2D 9S / KH 3C 4H"


@pytest.mark.clause("insurance", "5.8")
def test_before_anything_is_decided_they_choose_even_if_it_is_put_right() -> None:
    scene = playing("")
    scene.report(Irregular.WRONG_SIDE, "4S", placed=(B,))
    given = judged(scene, possible=True)[-1]
    assert (given.name(), given.is_reconstructed) == ("options-given", True)
    assert scene.hands() == "4S / "


@pytest.mark.clause("insurance", "5.9")
def test_a_card_face_up_at_a_face_down_table_gives_options_and_stays() -> None:
    scene = playing("KS", **DOWN)
    assert scene.hands() == "?? / "
    events = scene.report(Irregular.FACE_UP, hand=P, number=1)
    assert names(events) == ["case-opened", "card-revealed", "options-given"]
    assert events[2].clause == "5.9"
    chooses(scene, "Ann", Option.CONTINUE)
    assert returned(chooses(scene, "Ben", Option.RETURN)) == ["Ben banker 2000"]
    scene.deal("KH 7D 6C")
    assert scene.hands() == "KS ?? / ?? ??"
    scene.open_all()
    assert scene.settle()[0] == "Ann player win +3000 by 4.1.1"


@pytest.mark.clause("insurance", "5.9")
def test_no_options_once_an_outcome_is_established() -> None:
    scene = playing("KS KH 2D 3C", **DOWN)
    scene.open_all()
    scene.deal("4S")
    events = scene.report(Irregular.FACE_UP, hand=P, number=3)
    assert "options-given" not in names(events)
    assert names(events)[:3] == ["case-opened", "card-revealed", "case-closed"]
    face_up = playing("KS")
    assert face_up.refuse(c.Report, kind=Irregular.FACE_UP, hand=P, number=1) == "no-such-card 5.9"


# ── Drawn together ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.clause("insurance", "5.10")
@pytest.mark.clause("insurance", "5.10.1")
def test_a_supervisor_sets_the_order_of_cards_drawn_together() -> None:
    scene = playing("KS KH 2D 3C")
    assert scene.refuse(c.Report, kind=Irregular.DRAWN_TOGETHER) == "cards-needed 5.10"
    scene.report(Irregular.DRAWN_TOGETHER, "4S 9H")
    order = {"cards": parse_cards("9H 4S")}
    assert scene.refuse(c.OrderCards, DEALER, **order) == "not-allowed 5.10"
    wrong = {"cards": parse_cards("9H 9H")}
    assert scene.refuse(c.OrderCards, SUPERVISOR, **wrong) == "not-those-cards 5.10"
    events = scene.do(c.OrderCards, SUPERVISOR, **order)
    assert names(events) == ["cards-ordered", "cards-reconstructed", "options-given"]
    assert events[2].clause == "5.10.1"  # although Player Pair is long decided
    assert scene.hands() == "KS 2D 9H / KH 3C 4S"


@pytest.mark.clause("insurance", "5.10")
def test_of_two_cards_drawn_together_only_one_may_be_needed() -> None:
    scene = playing("KS KH 2D 7C")
    scene.report(Irregular.DRAWN_TOGETHER, "4S 9H")
    events = scene.do(c.OrderCards, MANAGER, cards=parse_cards("4S 9H"))
    assert [str(card) for card in events[2].carried] == ["9H"]
    assert scene.hands() == "KS 2D 4S / KH 7C"


@pytest.mark.clause("insurance", "5.10.2")
def test_a_supervisor_may_replace_the_cards_after_that_round() -> None:
    scene = playing("KS KH 2D 7C")
    scene.report(Irregular.DRAWN_TOGETHER, "4S 9H")
    scene.do(c.OrderCards, SUPERVISOR, cards=parse_cards("4S 9H"))
    chooses(scene, "Ann", Option.CONTINUE)
    chooses(scene, "Ben", Option.CONTINUE)
    assert scene.refuse(c.ReplaceCards, SUPERVISOR) == "between-rounds"
    scene.settle()
    assert scene.refuse(c.ReplaceCards, DEALER) == "not-allowed 5.10.2"
    (replaced,) = scene.do(c.ReplaceCards, SUPERVISOR)
    assert replaced.clause == "5.10.2"
    assert scene.refuse(c.CallBets) == "no-shoe"
    scene.do(c.LoadShoe)
    assert scene.state.carried == ()  # the nine went with the old set
    scene.call()


@pytest.mark.clause("insurance", "5.10.2")
def test_without_cause_the_cards_stay() -> None:
    scene = playing("KS KH 9D 7C")
    scene.settle()
    assert scene.refuse(c.ReplaceCards, SUPERVISOR) == "no-replacement"
    assert scene.refuse(c.LoadShoe) == "shoe-in-play"


# ── Late errors, options, displays, rulings ──────────────────────────────────────────────────────


@pytest.mark.clause("insurance", "5.11")
def test_an_error_of_an_earlier_round_changes_nothing_now() -> None:
    scene = playing("KS KH 9D 7C")
    scene.settle()
    scene.start(**BETS)
    scene.deal("KS KH")
    before = scene.table
    (noted,) = scene.do(c.Report, kind=Irregular.WRONG_SIDE, round=1, note="seen on film")
    assert (noted.name(), noted.round, noted.clause) == ("error-found-late", 1, "5.11")
    assert scene.table == before
    assert scene.refuse(c.Report, kind=Irregular.WRONG_SIDE, round=3) == "no-earlier-round"
    assert scene.refuse(c.Report, kind=Irregular.FOUND_LATE) == "no-earlier-round 5.11"


@pytest.mark.clause("insurance", "5.12")
@pytest.mark.clause("insurance", "5.12.3")
def test_to_have_the_bet_back_covers_all_bets_of_the_player_insurance_too() -> None:
    scene = playing("KS KH 6D 5C")
    scene.do(c.TakeInsurance, "Ann", box=1, hand=P, amount=1000)
    scene.report(Irregular.DRAWN_TOGETHER, "4S 9H")
    scene.do(c.OrderCards, SUPERVISOR, cards=parse_cards("4S 9H"))
    assert scene.refuse(c.ChooseOption, "Cat", option=Option.RETURN) == "not-asked 5.10.1"
    assert scene.refuse(c.DealCard, card=parse_cards("2S")[0]) == "case-open"
    events = chooses(scene, "Ann", Option.RETURN)
    assert returned(events) == ["Ann player 3000", "Ann player-pair 1000", "Ann insurance-player-4 1000"]
    assert scene.refuse(c.ChooseOption, "Ann", option=Option.CONTINUE) == "not-asked 5.10.1"
    events = chooses(scene, "Ben", Option.CONTINUE)
    assert names(events) == ["option-chosen", "case-closed", "deal-finished"]
    assert scene.settle() == ["Ben banker win +2000 by 4.1.1"]  # Banker 9 by the four


@pytest.mark.clause("insurance", "5.12")
def test_who_is_away_continues_and_who_is_here_chooses() -> None:
    scene = playing("KS KH 6D 5C")
    scene.do(c.WalkAway, "Ben")
    scene.report(Irregular.DRAWN_TOGETHER, "4S 9H")
    scene.do(c.OrderCards, SUPERVISOR, cards=parse_cards("4S 9H"))
    assert scene.refuse(c.CloseOptions) == "players-present 5.10.1"
    chooses(scene, "Ann", Option.RETURN)
    events = scene.do(c.CloseOptions)
    assert (events[0].player, events[0].option) == ("Ben", Option.CONTINUE)
    assert scene.state.case is None
    assert scene.lying() == ["Ben banker 2000"]


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
    (opened,) = scene.report(Irregular.OTHER, note="drink spilled on the layout")
    assert (opened.clause, opened.awaits) == ("5.18", "ruling")
    go_on = {"effect": Effect.CONTINUE, "reason": "the cards are clean"}
    for who in (DEALER, SUPERVISOR, MANAGER):
        assert scene.refuse(c.Rule, who, **go_on) == "not-allowed 5.18"
    assert scene.refuse(c.Rule, SHIFT, **{**go_on, "reason": ""}) == "reason-needed 5.18"
    assert scene.refuse(c.VoidRound, SUPERVISOR) == "no-case"
    stand = {"effect": Effect.STAND, "reason": "?"}
    assert scene.refuse(c.Rule, SHIFT, **stand) == "no-such-ruling 5.18"
    events = scene.do(c.Rule, SHIFT, **go_on)
    assert names(events) == ["ruled", "case-closed"]
    assert (events[0].by, events[0].reason, events[1].resolution) == (SHIFT, "the cards are clean", "ruled")
    assert scene.refuse(c.Rule, SHIFT, **go_on) == "no-case 5.18"


@pytest.mark.clause("insurance", "5.18")
def test_a_ruling_may_return_the_bets_of_some_or_void_the_round() -> None:
    scene = playing("KS KH")
    scene.report(Irregular.OTHER)
    back = {"effect": Effect.RETURN, "reason": "could not see"}
    assert scene.refuse(c.Rule, SHIFT, players=("Cat",), **back) == "no-such-ruling 5.18"
    assert scene.refuse(c.Rule, SHIFT, **back) == "no-such-ruling 5.18"
    events = scene.do(c.Rule, SHIFT, players=("Ann",), **back)
    assert returned(events) == ["Ann player 3000", "Ann player-pair 1000"]
    assert scene.lying() == ["Ben banker 2000"]
    scene.report(Irregular.OTHER)
    events = scene.do(c.Rule, SHIFT, effect=Effect.VOID, reason="fire alarm")
    assert names(events) == ["ruled", "round-voided"]
    assert returned(events) == ["Ben banker 2000"]
