"""Cases: what a report needs, who resolves it, and what stands still meanwhile."""

from typing import Any

import pytest

from punto.cards import parse_cards
from punto.cards.card import Card
from punto.cards.shoe import Shoe
from punto.cards.source import SourceKind
from punto.rules.text.irregularity import Irregular
from punto.table import command as c
from punto.table.command import Effect, Option
from punto.table.header import CommandHeader
from punto.table.state import Phase
from punto.table.terms import Faces
from tests.table.scenes import DEALER, MANAGER, SHIFT, SUPERVISOR, B, P, Scene, names, returned, terms_of


def playing(cards: str = "", book: str = "insurance", **terms: Any) -> Scene:
    scene = Scene(book, **terms)
    scene.start(Ann="player=3000", Ben="banker=2000")
    scene.deal(cards)
    return scene


def test_between_rounds_there_is_nothing_to_report() -> None:
    scene = Scene("insurance")
    for kind in Irregular:
        assert scene.refuse(c.Report, kind=kind).split()[0] in ("no-round", "no-earlier-round")


def test_during_the_betting_only_what_needs_no_deal() -> None:
    scene = Scene("insurance")
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "player", 1000)
    about_the_deal = (
        Irregular.WRONG_NUMBER,
        Irregular.EXCESS_OR_EXPOSED,
        Irregular.WRONG_SIDE,
        Irregular.FACE_UP,
        Irregular.DRAWN_TOGETHER,
        Irregular.INSURANCE_NEGLECTED,
    )
    for kind in about_the_deal:
        cards = parse_cards("4S 5S")
        assert scene.refuse(c.Report, kind=kind, cards=cards).startswith("bets-still-open 5.")
    scene.report(Irregular.FOREIGN_CARD)
    assert scene.refuse(c.PlaceBet, "Ann", box=1, area="player", amount=1000) == "case-open"
    assert scene.void() == ["Ann player 1000"]


def test_what_a_report_names_must_have_been_in_the_shoe() -> None:
    scene = playing("KS KH", decks=4)
    cards = parse_cards("4S 4S 4S 4S 4S")
    refused = scene.refuse(c.Report, kind=Irregular.EXCESS_OR_EXPOSED, cards=cards)
    assert refused == "card-not-there 2.2.1"
    assert scene.state.shoe is not None
    before = scene.state.shoe.cards_left
    scene.report(Irregular.EXCESS_OR_EXPOSED, "4S 5S")
    assert scene.state.shoe.cards_left == before - 2


def test_while_a_case_is_open_the_round_stands_still_but_people_may_move() -> None:
    scene = playing("KS KH")
    scene.report(Irregular.EXCESS_OR_EXPOSED, "4S")
    for command in (c.CloseBets, c.SettleRound, c.OfferInsurance, c.ExpireAntes):
        assert scene.refuse(command) == "case-open"
    assert scene.refuse(c.Report, kind=Irregular.INTERRUPTION) == "case-open"
    assert scene.refuse(c.AskSqueeze, "Ann", hand=P, number=3) == "case-open"
    scene.do(c.WalkAway, "Ann")
    scene.do(c.TakeSeat, "Cat", box=5)


def test_only_the_step_that_is_due_is_taken() -> None:
    scene = playing("KS KH 6D 5C")
    order = {"cards": parse_cards("4S")}
    steps: tuple[tuple[type[CommandHeader], str, dict[str, Any]], ...] = (
        (c.JudgeReconstruction, SUPERVISOR, {"possible": True}),
        (c.OrderCards, SUPERVISOR, order),
        (c.VoidRound, SUPERVISOR, {}),
        (c.ChooseOption, "Ann", {"option": Option.RETURN}),
        (c.CloseOptions, DEALER, {}),
        (c.ReturnBets, MANAGER, {}),
        (c.DismissReport, SUPERVISOR, {"reason": "nothing"}),
    )
    for command, by, fields in steps:
        assert scene.refuse(command, by, **fields) == "no-case"
    scene.report(Irregular.EXCESS_OR_EXPOSED, "4S")
    assert scene.refuse(c.OrderCards, SUPERVISOR, **order) == "no-case"
    assert scene.refuse(c.VoidRound, SUPERVISOR) == "no-case"
    assert scene.refuse(c.ChooseOption, "Ann", option=Option.RETURN) == "no-case"


def test_a_report_made_by_mistake_is_dismissed_with_a_reason() -> None:
    scene = playing("KS KH")
    before = scene.table.state
    scene.report(Irregular.FOREIGN_CARD, "KS")
    assert scene.refuse(c.DismissReport, SUPERVISOR, reason="") == "reason-needed"
    (closed,) = scene.do(c.DismissReport, SUPERVISOR, reason="it is one of ours")
    assert (closed.resolution, closed.reason) == ("dismissed", "it is one of ours")
    assert scene.state.shoe == before.shoe
    scene.deal("7D 7C")
    assert scene.state.phase is Phase.FINISHED


def test_whoever_ranks_too_low_does_not_dismiss() -> None:
    scene = playing("KS KH")
    scene.report(Irregular.OTHER)
    for who in (SUPERVISOR, MANAGER):
        assert scene.refuse(c.DismissReport, who, reason="nothing") == "not-ranked 5.18"
    scene.do(c.DismissReport, SHIFT, reason="nothing")


@pytest.mark.parametrize("who", [SUPERVISOR, MANAGER, SHIFT])
def test_a_supervisor_or_above_voids(who: str) -> None:
    scene = playing("KS KH")
    scene.report(Irregular.WRONG_SET)
    assert returned(scene.do(c.VoidRound, who)) == ["Ann player 3000", "Ben banker 2000"]


def test_after_a_void_round_the_next_begins_afresh() -> None:
    scene = playing("KS KH 6D 5C")
    scene.do(c.TakeInsurance, "Ann", box=1, hand=P, amount=100)
    scene.report(Irregular.WRONG_SET)
    scene.void()
    assert scene.refuse(c.Report, kind=Irregular.WRONG_NUMBER) == "no-round 5.5.3"
    scene.do(c.ReplaceCards, SUPERVISOR)
    scene.do(c.LoadShoe)
    scene.start(Ann="player=3000")
    assert scene.state.round == 2
    scene.deal("KS KH 6D 5C")
    assert scene.offers() == ["Ann player 3:1 up to 1000"]


def test_a_settlement_taken_back_is_made_again() -> None:
    scene = playing("KS KH 9D 7C", source=SourceKind.CONTINUOUS)
    first = scene.settle()
    assert scene.state.shoe == Shoe(8, 0)  # a shuffler has them all inside again
    scene.report(Irregular.WRONG_NUMBER)
    assert scene.state.shoe == Shoe(8, 0, parse_cards("KS KH 9D 7C"))
    scene.do(c.DismissReport, SUPERVISOR, reason="counted again")
    assert scene.settle() == first


@pytest.mark.parametrize("change", ["load", "terms"])
def test_a_wrong_number_noticed_after_the_shoe_was_changed(change: str) -> None:
    scene = Scene("commission", burn="none", behind_cut=8 * 52 - 6, rounds_after_cut=0)
    scene.start(Ann="player=1000")
    scene.deal("KS KH 2D 7C 9S")
    if change == "load":
        scene.report(Irregular.WRONG_NUMBER, "4S")
        scene.do(c.JudgeReconstruction, SUPERVISOR, possible=True)
        scene.settle()
        scene.do(c.LoadShoe)
    else:
        scene.settle()
        scene.do(c.ChangeTerms, SUPERVISOR, terms=terms_of("commission", decks=6))
    shoe = scene.state.shoe
    scene.report(Irregular.WRONG_NUMBER, "5S")
    assert scene.state.shoe == shoe  # the five belongs to the set that is gone
    refused = scene.refuse(c.JudgeReconstruction, SUPERVISOR, possible=True)
    assert refused == "cannot-reconstruct 5.1.2"
    assert returned(scene.do(c.JudgeReconstruction, SUPERVISOR, possible=False)) == ["Ann player 1000"]
    assert scene.state.carried == ()


def test_a_face_up_card_from_a_physical_shoe_is_named_with_the_report() -> None:
    scene = Scene("insurance", source=SourceKind.ENTERED, faces=Faces.DOWN)
    scene.start(Ann="player=3000")
    scene.do(c.DealCard)
    face_up = {"kind": Irregular.FACE_UP, "hand": P, "number": 1}
    assert scene.refuse(c.Report, **face_up) == "cards-needed 5.9"
    assert scene.refuse(c.Report, cards=parse_cards("4S 5S"), **face_up) == "cards-needed 5.9"
    events = scene.do(c.Report, cards=parse_cards("4S"), **face_up)
    assert str(events[1].card) == "4S"
    assert scene.hands() == "4S / "
    assert scene.state.shoe is not None
    assert scene.state.shoe.cards_left == 8 * 52 - 1
    scene.do(c.ChooseOption, "Ann", option=Option.CONTINUE)
    for hand, number in ((None, 1), (B, 1), (P, 2), (P, None), (P, 1)):
        refused = scene.refuse(c.Report, kind=Irregular.FACE_UP, hand=hand, number=number)
        assert refused == "no-such-card 5.9"


def test_two_cases_in_one_round() -> None:
    scene = playing("KS")
    scene.report(Irregular.EXCESS_OR_EXPOSED, "4S")
    scene.do(c.JudgeReconstruction, SUPERVISOR, possible=True)
    scene.do(c.ChooseOption, "Ann", option=Option.RETURN)
    scene.do(c.ChooseOption, "Ben", option=Option.CONTINUE)
    scene.report(Irregular.DRAWN_TOGETHER, "5S 6S")
    events = scene.do(c.OrderCards, SUPERVISOR, cards=parse_cards("6S 5S"))
    assert events[-1].players == ("Ben",)  # Ann has nothing left in this round
    scene.do(c.ChooseOption, "Ben", option=Option.CONTINUE)
    assert scene.hands() == "KS 6S / 4S 5S"
    assert scene.state.phase is Phase.FINISHED


def test_with_no_bets_nobody_is_asked() -> None:
    scene = Scene("insurance")
    scene.call()
    scene.close()
    scene.report(Irregular.DRAWN_TOGETHER, "5S 6S")
    events = scene.do(c.OrderCards, SUPERVISOR, cards=parse_cards("6S 5S"))
    assert names(events)[-1] == "case-closed"


def test_a_ruling_may_end_a_players_antes() -> None:
    scene = Scene("knockout")
    scene.start(Ann="ante-player=1000", Ben="ante-banker=1000")
    scene.deal("6S")
    scene.report(Irregular.OTHER)
    scene.do(c.Rule, SHIFT, effect=Effect.RETURN, reason="sat at the wrong table", players=("Ann",))
    assert scene.state.antes_open == ((2, "Ben", "ante-banker"),)
    scene.report(Irregular.OTHER)
    scene.do(c.Rule, SHIFT, effect=Effect.RETURN, reason="likewise", players=("Ben",))
    assert scene.state.phase is Phase.DEALING
    scene.deal("KH")


def test_an_interruption_is_over_at_once_whichever_way() -> None:
    scene = playing("KS KH 6D 5C")
    window = scene.state.window
    scene.report(Irregular.INTERRUPTION)
    assert (scene.state.window, scene.state.case) == (window, None)
    scene.do(c.TakeInsurance, "Ann", box=1, hand=P, amount=100)
    scene.do(c.DealCard, card=Card("4S"))
