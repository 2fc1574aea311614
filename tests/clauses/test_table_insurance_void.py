"""Baccarat with Insurance when a round is void, or would be: clauses 5.4, 5.5 and 5.16."""

import pytest

from punto.cards import parse_cards
from punto.cards.source import SourceKind
from punto.table.betting import CallBets
from punto.table.dealing import DealCard, RevealCard
from punto.table.house import BurnCards
from punto.table.insurance import TakeInsurance
from punto.table.irregularity_events import JudgeReconstruction, Option, ReplaceCards, VoidRound
from punto.table.settlement import SettleRound
from tests.clauses.cases import ALL_BETS, BETS, DOWN, chooses, judged, playing
from tests.table.scenes import DEALER, PHYSICAL, SUPERVISOR, B, P, Scene, names, returned

# ── A wrong number of cards ───────────────────────────────────────────────────────────────────────


@pytest.mark.clause("insurance", "5.5.3")
@pytest.mark.parametrize(
    ("dealt", "cards"), [("", "4S:banker"), ("KS", "4S:player"), ("KS KH", "4S:banker"), ("KS KH 2D", "3C:player")]
)
def test_a_wrong_number_voids_at_every_moment_of_the_deal(dealt: str, cards: str) -> None:
    """A hand that has a card before its turn has one too many, if they cannot be put right."""
    scene = playing(dealt)
    scene.report(cards)
    assert scene.found() == "wrong-side awaits judgement 5.8"
    events = judged(scene, possible=False)
    assert [(event.clause, len(event.returned)) for event in events if event.name() == "round-voided"] == [("5.5.3", 3)]


# ── Interruption ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.clause("insurance", "5.4.2")
@pytest.mark.parametrize("cards", ["", "KS", "KS KH"])
def test_an_interruption_before_any_bet_is_decided_voids_at_once(cards: str) -> None:
    scene = playing(cards)
    events = scene.report(seen="interruption")
    assert names(events) == ["case-opened", "clause-found", "case-closed", "round-voided"]
    assert [event.clause for event in events[1:]] == ["5.4.2", "5.4.2", "5.4.2"]
    assert returned(events) == ALL_BETS


@pytest.mark.clause("insurance", "5.4.2")
def test_an_interruption_during_the_betting_voids() -> None:
    scene = Scene("insurance")
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "player", 1000)
    assert returned(scene.report(seen="interruption")) == ["Ann player 1000"]


@pytest.mark.clause("insurance", "5.4.1")
@pytest.mark.parametrize("cards", ["KS KH 7D", "KS KH 7D 7C", "KS KH 2D 7C 4S"])
def test_an_interruption_after_that_changes_nothing(cards: str) -> None:
    """From the third card on Player Pair is decided, whoever bet on it."""
    scene = playing(cards)
    lying, offers = scene.lying(), scene.offers()
    events = scene.report(seen="interruption")
    assert names(events)[:3] == ["case-opened", "clause-found", "case-closed"]
    assert (events[2].resolution, events[2].clause) == ("completed", "5.4.1")
    assert scene.lying() == lying
    assert scene.offers() == offers
    assert scene.state.case is None


@pytest.mark.clause("insurance", "5.4.1")
@pytest.mark.clause("insurance", "5.4.2")
def test_only_exposed_cards_establish_an_outcome() -> None:
    scene = playing("KS KH 7D 7C", **DOWN)
    scene.do(RevealCard, hand=P, number=1)
    scene.do(RevealCard, hand=B, number=1)
    assert names(scene.report(seen="interruption"))[-1] == "round-voided"
    scene = playing("KS KH 7D 7C", **DOWN)
    scene.do(RevealCard, hand=B, number=1)
    scene.do(RevealCard, hand=B, number=2)  # Banker Pair is lost
    assert names(scene.report(seen="interruption"))[-1] == "case-closed"


@pytest.mark.clause("insurance", "5.4.1")
@pytest.mark.clause("insurance", "5.4.2")
def test_an_interruption_beside_another_case_is_judged_on_the_hands_that_will_be_played() -> None:
    scene = playing("KS")
    scene.report("KH:player")
    assert returned(scene.report(seen="interruption")) == ALL_BETS  # two cards decide nothing
    scene = playing("KS KH")
    scene.report("6D:banker")
    scene.report(seen="interruption")  # K 6 is no pair, with whichever hand the six is
    assert scene.found() == "wrong-side awaits judgement 5.8"
    judged(scene, possible=True)
    assert scene.state.case is None
    assert scene.hands() == "KS 6D / KH"


# ── What voids ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.clause("insurance", "5.5.1")
@pytest.mark.clause("insurance", "5.5.2")
@pytest.mark.clause("insurance", "5.5.4")
@pytest.mark.clause("insurance", "5.5.5")
@pytest.mark.clause("insurance", "5.16")
@pytest.mark.clause("insurance", "1.23")
@pytest.mark.parametrize(
    ("seen", "clause"),
    [("foreign-card", "5.5.1"), ("wrong-set", "5.5.2"), ("cards-run-out", "5.5.4"), ("not-shuffled", "5.5.5")],
)
def test_what_voids_the_round_returns_every_bet_and_insurance_too(seen: str, clause: str) -> None:
    scene = playing("KS KH 6D 5C", **PHYSICAL)
    scene.do(TakeInsurance, "Ann", box=1, hand=P, amount=1000)
    scene.report(seen=seen)
    assert scene.found() == f"{seen} awaits void {clause}"
    assert scene.refuse(VoidRound, DEALER) == "not-allowed"
    closed, voided = scene.do(VoidRound, SUPERVISOR, reason="found")
    assert (closed.resolution, closed.clause) == ("void", clause)
    assert (voided.clause, voided.reason) == (clause, "found")
    assert returned([voided]) == [*ALL_BETS, "Ann insurance-player-4 1000"]
    assert scene.lying() == []
    assert scene.state.winner is None
    assert scene.state.settled is None
    assert scene.refuse(SettleRound) == "no-round 1.18"


@pytest.mark.clause("insurance", "5.5.4")
@pytest.mark.parametrize("source", [SourceKind.SHUFFLED, SourceKind.CONTINUOUS])
def test_cards_cannot_have_run_out_of_a_shoe_of_the_tables_own_that_has_some(source: SourceKind) -> None:
    scene = playing("KS KH 6D 5C", source=source)
    before = scene.state
    assert scene.refuse_report(seen="cards-run-out") == "nothing-wrong"
    assert scene.refuse_report("4S:floor", "cards-run-out") == "nothing-wrong"
    assert scene.state == before
    scene.report("4S:floor")
    assert scene.refuse_report(seen="cards-run-out") == "nothing-wrong"


@pytest.mark.clause("insurance", "5.5.4")
def test_but_of_one_that_is_empty_they_have() -> None:
    scene = Scene("insurance", decks=4, burn=str(4 * 52 - 9), behind_cut=0)
    scene.do(BurnCards)
    scene.start(**BETS)
    scene.deal("KD KC 9D 7C")
    scene.settle()
    scene.start(**BETS)
    scene.deal("KS KH 2D 3C")
    assert scene.refuse_report(seen="cards-run-out") == "nothing-wrong"  # one is left
    scene.deal("4S")
    scene.report(seen="cards-run-out")
    assert scene.found() == "cards-run-out awaits void 5.5.4"


@pytest.mark.clause("insurance", "5.5.1")
@pytest.mark.clause("insurance", "5.5.2")
@pytest.mark.clause("insurance", "5.5.5")
def test_rounds_before_a_void_one_stand() -> None:
    """Settled rounds are over: the same, found between rounds, has nothing to void."""
    scene = playing("KS KH 9D 7C")
    settled = scene.settle()
    for seen, clause in (("foreign-card", "5.5.1"), ("wrong-set", "5.5.2"), ("not-shuffled", "5.5.5")):
        closed = scene.report(seen=seen)[-1]
        assert (closed.name(), closed.resolution, closed.clause) == ("case-closed", "stands", clause)
    scene.start(**BETS)
    scene.report(seen="not-shuffled")
    assert scene.void() == ALL_BETS
    assert settled[0] == "Ann player win +3000 by 4.1.1"
    assert "settlement-reversed" not in names(scene.log)


@pytest.mark.clause("insurance", "5.5.1")
@pytest.mark.parametrize(
    "cards", ["4S:banker", "4S:player:together 9H:player:together", "4S:floor", "3:banker 4:player", "4S:player:up"]
)
def test_a_foreign_card_goes_before_whatever_else_went_wrong(cards: str) -> None:
    scene = playing("KS KH 2D 3C")
    scene.report(f"{cards} 7C:table:foreign")
    assert scene.found() == "foreign-card awaits void 5.5.1"


@pytest.mark.clause("insurance", "5.5.3")
@pytest.mark.parametrize("place", ["player", "banker"])
def test_a_wrong_number_of_cards_voids_when_it_cannot_be_put_right(place: str) -> None:
    scene = playing("KS KH 6D 7C")
    scene.report(f"4S:{place}")
    events = judged(scene, possible=False)
    assert names(events) == ["reconstruction-judged", "clause-found", "case-closed", "round-voided"]
    assert [event.clause for event in events[1:]] == ["5.5.3", "5.5.3", "5.5.3"]
    assert returned(events) == ALL_BETS


@pytest.mark.clause("insurance", "5.5.3")
@pytest.mark.parametrize(
    ("dealt", "cards"),
    [
        ("KS KH 2D 7C", "4S:banker"),  # Player's third to Banker
        ("KS KH 6D 5C", "4S:player"),  # Banker's third to a Player who stands
        ("KS", "KH:player 6D:player"),  # the first three to Player
        ("KS KH 2D 7C 4S", "5:banker"),  # already on record
    ],
)
def test_as_they_lie_a_hand_with_too_many_cards_voids(dealt: str, cards: str) -> None:
    scene = playing(dealt)
    scene.report(cards)
    assert scene.found() == "wrong-side awaits judgement 5.8"
    assert judged(scene, possible=False)[-1].clause == "5.5.3"


@pytest.mark.clause("insurance", "5.5.3")
@pytest.mark.clause("insurance", "5.12")
def test_one_card_short_is_dealt_with_options_or_voids() -> None:
    """Keyed as a six it was a two: Player should have drawn. Noticed before the next round."""
    for possible in (True, False):
        scene = playing("KS KH 6D 7C", **PHYSICAL)
        scene.settle()
        scene.report("3:is-2D")
        assert scene.found() == "dealing-error awaits judgement 5.12"
        last = judged(scene, possible=possible)[-1]
        told = ("options-given", "5.12") if possible else ("round-voided", "5.5.3")
        assert (last.name(), last.clause) == told


@pytest.mark.clause("insurance", "5.5.3")
def test_noticed_after_settlement_it_takes_the_settlement_back() -> None:
    scene = playing("KS KH 6D 7C")
    scene.settle()
    assert names(scene.report("4S:player")) == ["settlement-reversed", "case-opened", "clause-found"]
    assert returned(judged(scene, possible=False)) == ALL_BETS


@pytest.mark.clause("insurance", "5.5.3")
def test_after_the_cards_were_changed_it_can_only_be_void() -> None:
    scene = playing("KS KH 6D 7C")
    scene.report("4S:table")
    judged(scene, possible=True)
    scene.settle()
    scene.do(ReplaceCards, SUPERVISOR)
    scene.report("4S:player")
    refused = scene.refuse(JudgeReconstruction, SUPERVISOR, possible=True)
    assert refused == "cannot-reconstruct 5.7"
    assert returned(judged(scene, possible=False)) == ALL_BETS


@pytest.mark.clause("insurance", "5.5.4")
def test_a_shuffler_that_runs_dry_voids() -> None:
    scene = Scene("insurance", decks=4, burn=str(4 * 52 - 6), behind_cut=0)
    scene.do(BurnCards)
    scene.start(Ann="player=1000")
    scene.deal("KS KH 2D 3C 8S")
    scene.do(SettleRound)  # Banker 3 stood beside the eight
    assert scene.refuse(CallBets) == "shoe-finished"


@pytest.mark.clause("insurance", "5.16")
def test_who_took_the_bets_back_before_gets_nothing_twice() -> None:
    scene = playing("KS")
    scene.report("KH:player")
    judged(scene, possible=True)
    assert returned(chooses(scene, "Ann", Option.RETURN)) == ALL_BETS[:2]
    chooses(scene, "Ben", Option.CONTINUE)
    scene.report("6D:player:foreign")
    assert scene.void() == ALL_BETS[2:]
    assert scene.refuse(DealCard, card=parse_cards("6D")[0]) == "not-dealing"
