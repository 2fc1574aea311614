"""Baccarat with Insurance when cards are drawn together: their order, and what follows from it."""

import pytest

from punto.cards import parse_cards
from punto.refusal import Refusal
from punto.table.betting import CallBets
from punto.table.dealing import DealCard
from punto.table.house import LoadShoe
from punto.table.insurance import TakeInsurance
from punto.table.irregularity_case import OrderKnown
from punto.table.irregularity_events import DismissReport, Option, OrderCards, ReplaceCards
from tests.clauses.cases import BETS, DOWN, chooses, judged, playing
from tests.table.scenes import DEALER, MANAGER, PHYSICAL, SUPERVISOR, B, P, made, names


@pytest.mark.clause("insurance", "5.10")
@pytest.mark.clause("insurance", "5.10.1")
def test_a_supervisor_sets_the_order_of_cards_drawn_together() -> None:
    scene = playing("KS KH 2D 3C")
    scene.report("4S:player:together 9H:banker:together")
    assert scene.found() == "drawn-together awaits order 5.10"
    order = {"cards": parse_cards("9H 4S")}
    assert scene.refuse(OrderCards, DEALER, **order) == "not-allowed 5.10"
    wrong = {"cards": parse_cards("9H 9H")}
    assert scene.refuse(OrderCards, SUPERVISOR, **wrong) == "not-those-cards 5.10"
    events = scene.do(OrderCards, SUPERVISOR, **order)
    assert names(events) == ["cards-ordered", "clause-found", "cards-reconstructed", "options-given"]
    assert events[-1].clause == "5.10.1"  # although Player Pair is long decided
    assert scene.hands() == "KS 2D 9H / KH 3C 4S"


@pytest.mark.clause("insurance", "5.10")
@pytest.mark.clause("insurance", "5.10.1")
def test_where_everybody_saw_the_order_nobody_sets_it_and_all_choose() -> None:
    scene = playing("KS KH 2D 3C")
    events = scene.report("4S:player:together 9H:banker:together", order=OrderKnown.SEEN)
    assert events[-1].name() == "options-given"
    assert events[-1].clause == "5.10.1"
    assert scene.hands() == "KS 2D 4S / KH 3C 9H"


@pytest.mark.clause("insurance", "5.10")
@pytest.mark.parametrize(
    "cards",
    [
        "4S:banker:together 9H:player:together",  # and on the wrong side
        "4S:table:together 9H:table:together 2H:player",  # and one too many
        "4S:floor:together 9H:player:together",  # and one fell
    ],
)
def test_drawn_together_goes_before_wrong_side_too_many_and_the_floor(cards: str) -> None:
    scene = playing("KS KH 2D 3C")
    scene.report(cards)
    assert scene.found() == "drawn-together awaits order 5.10"


@pytest.mark.clause("insurance", "5.10")
@pytest.mark.parametrize(
    ("cards", "order", "hands"),
    [
        # One open and one closed: which came first is not for the table to say.
        ("4S:player:up:together 9H:banker:down:together", (2, 3), "?? ?? / 4S"),
        ("4S:player:up:together 9H:banker:down:together", (3, 2), "?? 4S / ??"),
        ("4S:player:up:together 9H:banker:down:together", "9H 4S", "?? 4S / ??"),
        # Both closed, and not where cards were due.
        ("4S:table:down:together 9H:table:down:together", (3, 2), "?? ?? / ??"),
        ("4S:player:down:together 9H:player:down:together", (2, 3), "?? ?? / ??"),
    ],
)
@pytest.mark.parametrize("terms", [{}, PHYSICAL], ids=["own", "physical"])
def test_seen_or_unseen_the_order_is_a_supervisors_word(
    cards: str, order: str | tuple[int, ...], hands: str, terms: dict[str, object]
) -> None:
    scene = playing("KS", **DOWN, **terms)
    scene.report(cards)
    assert scene.found() == "drawn-together awaits order 5.10"
    told = parse_cards(order) if isinstance(order, str) else order
    assert scene.refuse(OrderCards, DEALER, cards=told) == "not-allowed 5.10"
    assert scene.refuse(OrderCards, SUPERVISOR, cards=(2,)) == "not-those-cards 5.10"
    events = scene.do(OrderCards, SUPERVISOR, cards=told)
    assert events[-1].name() == "options-given" and events[-1].clause == "5.10.1"
    assert scene.hands() == hands


@pytest.mark.clause("insurance", "5.10")
@pytest.mark.parametrize("names", ["4S 9H", "9H 4S"])
def test_no_name_that_nobody_has_seen_puts_a_card_first(names: str) -> None:
    """Whichever names two closed cards have, the one that the Supervisor names first is Banker's."""
    first, second = names.split()
    scene = playing("KS", **DOWN)
    scene.report(f"{first}:table:down:together {second}:table:down:together")
    scene.do(OrderCards, SUPERVISOR, cards=(2, 3))
    assert [str(slot.card) for slot in (*scene.state.banker, scene.state.player[1])] == [first, second]


@pytest.mark.clause("insurance", "5.10")
def test_unseen_cards_that_lie_where_cards_were_due_need_no_word() -> None:
    scene = playing("", **DOWN, **PHYSICAL)
    scene.do(DealCard)
    assert names(scene.report("unseen:player:together unseen:banker:together"))[-1] == "options-given"
    assert scene.hands() == "?? ?? / ??"


@pytest.mark.clause("insurance", "5.10")
def test_of_two_cards_drawn_together_only_one_may_be_needed() -> None:
    scene = playing("KS KH 2D 7C")
    scene.report("4S:player:together 9H:player:together")
    events = scene.do(OrderCards, MANAGER, cards=parse_cards("4S 9H"))
    assert [str(card) for card in events[-2].carried] == ["9H"]
    assert scene.hands() == "KS 2D 4S / KH 7C"


@pytest.mark.clause("insurance", "5.10.2")
def test_a_supervisor_may_replace_the_cards_after_that_round() -> None:
    scene = playing("KS KH 2D 7C")
    scene.report("4S:player:together 9H:player:together")
    scene.do(OrderCards, SUPERVISOR, cards=parse_cards("4S 9H"))
    chooses(scene, "Ann", Option.CONTINUE)
    chooses(scene, "Ben", Option.CONTINUE)
    assert scene.refuse(ReplaceCards, SUPERVISOR) == "between-rounds"
    scene.settle()
    assert scene.refuse(ReplaceCards, DEALER) == "not-allowed 5.10.2"
    (replaced,) = scene.do(ReplaceCards, SUPERVISOR)
    assert replaced.clause == "5.10.2"
    assert scene.refuse(CallBets) == "no-shoe 5.10.2"
    scene.do(LoadShoe)
    assert scene.state.carried == ()  # the nine went with the old set
    scene.call()


@pytest.mark.clause("insurance", "5.10.2")
def test_after_another_finding_who_replaces_the_cards_is_a_house_term() -> None:
    scene = playing("KS KH 6D 7C")
    assert scene.refuse(ReplaceCards, DEALER) == "not-allowed"
    scene.report("4S:table")
    judged(scene, possible=True)
    scene.settle()
    answer = scene.give(made(ReplaceCards, DEALER))
    assert isinstance(answer, Refusal)
    assert (answer.clause, "house term" in answer.sentence) == (None, True)
    (replaced,) = scene.do(ReplaceCards, SUPERVISOR)
    assert replaced.clause is None


@pytest.mark.clause("insurance", "5.10.2")
def test_without_cause_the_cards_stay() -> None:
    scene = playing("KS KH 9D 7C")
    scene.settle()
    assert scene.refuse(ReplaceCards, SUPERVISOR) == "no-replacement"
    assert scene.refuse(LoadShoe) == "shoe-in-play"
    scene.start(**BETS)
    scene.report("4S:player:together 9H:player:together")
    scene.do(DismissReport, SUPERVISOR, reason="nothing was drawn")
    scene.deal("KS KH 9D 7C")
    scene.settle()
    assert scene.refuse(ReplaceCards, SUPERVISOR) == "no-replacement"


@pytest.mark.clause("insurance", "5.7")
@pytest.mark.clause("insurance", "5.8")
def test_windows_follow_the_hands_that_are_played() -> None:
    """As they lie Player has five and Banker four: the offer on Banker gives way to one on Player."""
    scene = playing("KS KH 4D 5C")
    assert scene.offers() == ["Ben banker 2:1 up to 1000"]
    scene.do(TakeInsurance, "Ben", box=2, hand=B, amount=500)
    scene.report("3:banker 4:player")
    judged(scene, possible=False)
    chooses(scene, "Ann", Option.CONTINUE)
    chooses(scene, "Ben", Option.CONTINUE)
    assert scene.offers() == ["Ann player 2:1 up to 1500"]
    scene.do(TakeInsurance, "Ann", box=1, hand=P, amount=1500)
    scene.deal("3H KD")  # Player eight, Banker four
    assert scene.settle() == [
        "Ann player win +3000 by 4.1.1",
        "Ann insurance-player-4 lose -1500 by 4.1.2",
        "Ann player-pair lose -1000 by 4.1.1",
        "Ben banker lose -2000 by 4.1.1",
        "Ben insurance-banker-4 win +1000 by 4.1.2",
    ]
