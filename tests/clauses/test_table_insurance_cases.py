"""Baccarat with Insurance when cards go astray: clauses 5.7 to 5.10."""

import pytest

from punto.table.dealing import DealCard
from punto.table.insurance import TakeInsurance
from punto.table.irregularity_events import ChooseOption, JudgeReconstruction, Option
from punto.table.state import Phase
from tests.clauses.cases import BETS, DOWN, chooses, judged, playing
from tests.table.scenes import DEALER, PHYSICAL, SUPERVISOR, B, names, returned

# ── Excess and exposed cards ─────────────────────────────────────────────────────────────────────


@pytest.mark.clause("insurance", "5.7")
@pytest.mark.clause("insurance", "1.17")
def test_a_card_too_many_goes_where_the_table_of_play_wants_it() -> None:
    """Two cards for Player at once: one is Player's third, the other starts the next round."""
    scene = playing("KS KH 2D 7C")
    events = scene.report("4S:player 9H:player")
    # Banker's seven was open to insurance; the card that came has closed that.
    assert names(events) == ["case-opened", "insurance-closed", "clause-found"]
    assert scene.found() == "excess awaits judgement 5.7"
    events = judged(scene, possible=True)
    assert names(events)[:2] == ["reconstruction-judged", "cards-reconstructed"]
    assert [str(card) for card in events[1].player] == ["KS", "2D", "4S"]
    assert [str(card) for card in events[1].carried] == ["9H"]
    assert scene.hands() == "KS 2D 4S / KH 7C"
    assert scene.state.phase is Phase.FINISHED  # Banker stands on seven


@pytest.mark.clause("insurance", "5.7")
@pytest.mark.clause("insurance", "1.17")
def test_what_the_round_does_not_need_starts_the_next() -> None:
    """A natural: neither of two cards drawn after it belongs to the round."""
    scene = playing("KS KH 9D 7C")
    scene.report("4S:table 5H:table")
    events = judged(scene, possible=True)
    assert [str(card) for card in events[1].carried] == ["4S", "5H"]
    scene.settle()
    scene.start(**BETS)
    scene.deal("4S 5H 3C")
    assert scene.hands() == "4S 3C / 5H"


@pytest.mark.clause("insurance", "5.7")
def test_whether_it_can_be_put_right_is_the_houses_word() -> None:
    scene = playing("KS KH 6D 7C")
    scene.report("4S:table")
    assert scene.refuse(JudgeReconstruction, DEALER, possible=True) == "not-allowed"  # house term
    event = judged(scene, possible=False)[0]
    assert (event.by, event.possible, event.clause) == (SUPERVISOR, False, "5.7")
    assert scene.hands() == "KS 6D / KH 7C"
    assert scene.state.carried == ()  # it lay with no hand, and is out of play
    scene.settle()
    scene.start(**BETS)
    scene.deal("9S")
    assert scene.hands() == "9S / "


@pytest.mark.clause("insurance", "5.7")
def test_a_card_seen_in_the_shoe_is_reported_when_it_is_drawn() -> None:
    """It was not drawn, and is on no record: nothing can be put right, and no record has a slip."""
    scene = playing("KS")
    for entry in ("9H:shoe", "9H:shoe:up", "unseen:shoe", "9H:shoe:carried"):
        assert scene.refuse_report(entry) == "place-needed"
    scene.report("9H:table")  # drawn, it lies open on the table and was due to Banker
    assert scene.found() == "dealing-error awaits judgement 5.12"
    other = playing("KS")
    other.report("7C:shoe:foreign")
    assert other.found() == "foreign-card awaits void 5.5.1"


@pytest.mark.clause("insurance", "5.7.1")
def test_players_choose_only_while_no_outcome_is_established() -> None:
    scene = playing("KS KH 9D 7C", **DOWN)
    scene.report("4S:table:up")  # nobody knows yet whether a hand draws: nothing is decided
    assert scene.found() == "exposed awaits judgement 5.7"
    events = judged(scene, possible=False)
    assert names(events)[-1] == "options-given"
    assert (events[-1].players, events[-1].clause) == (("Ann", "Ben"), "5.7.1")
    scene = playing("KS KH 9D 7C")
    scene.report("4S:table")  # four cards are open: Player Pair is lost
    assert names(judged(scene, possible=True)) == [
        "reconstruction-judged",
        "cards-reconstructed",
        "case-closed",
        "deal-finished",
    ]
    assert scene.refuse(ChooseOption, "Ann", option=Option.RETURN) == "no-case 5.7.1"


@pytest.mark.clause("insurance", "5.3")
@pytest.mark.clause("insurance", "5.7")
def test_a_card_drawn_while_a_window_is_open_closes_it() -> None:
    scene = playing("KS KH KD 5C")  # Banker 5 against 0: Ben may insure
    assert scene.offers() == ["Ben banker 2:1 up to 1000"]
    closed = scene.report("7S:player 4H:player")[1]
    assert (closed.name(), closed.forgone, closed.clause) == ("insurance-closed", ("Ben",), "5.3")
    assert scene.refuse(TakeInsurance, "Ben", box=2, hand=B, amount=100) == "case-open 5.8"
    judged(scene, possible=True)
    assert scene.hands() == "KS KD 7S / KH 5C 4H"  # by order the four is Banker's
    assert scene.refuse(TakeInsurance, "Ben", box=2, hand=B, amount=100) == "no-window 5.3"


# ── Wrong side, face up ──────────────────────────────────────────────────────────────────────────


@pytest.mark.clause("insurance", "5.8")
@pytest.mark.clause("insurance", "5.8.1")
@pytest.mark.clause("insurance", "5.8.2")
def test_cards_on_the_wrong_side_are_put_right() -> None:
    """Player's third card was put on Banker's side, or handed to whoever squeezes for Banker."""
    scene = playing("KS KH 2D 3C")
    opened = scene.report("4S:banker", note="handed to Ben")[0]
    assert opened.evidence.note == "handed to Ben"
    assert scene.found() == "wrong-side awaits judgement 5.8"
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
    scene.report("3:banker 4:player")  # the third and the fourth lie crosswise
    given = judged(scene, possible=False)[-1]
    assert (given.name(), given.is_reconstructed, given.clause) == ("options-given", False, "5.8")
    chooses(scene, "Ann", Option.CONTINUE)
    chooses(scene, "Ben", Option.CONTINUE)
    scene.deal("9S 4H")
    assert scene.hands() == "KS 3C 9S / KH 2D 4H"


@pytest.mark.clause("insurance", "5.8")
def test_before_anything_is_decided_they_choose_even_if_it_is_put_right() -> None:
    scene = playing("")
    scene.report("4S:banker")
    given = judged(scene, possible=True)[-1]
    assert (given.name(), given.is_reconstructed) == ("options-given", True)
    assert scene.hands() == "4S / "


@pytest.mark.clause("insurance", "5.8")
@pytest.mark.parametrize(("terms", "cards"), [({}, "KH:player:down 2D:banker:down"), (PHYSICAL, "")])
def test_it_does_not_matter_whether_they_have_been_exposed(terms: dict[str, object], cards: str) -> None:
    scene = playing("" if terms else "KS", **DOWN, **terms)
    if terms:
        scene.do(DealCard)
    scene.report(cards or "unseen:player unseen:banker")
    assert scene.found() == "wrong-side awaits judgement 5.8"
    events = judged(scene, possible=True)
    assert names(events)[-1] == "options-given"
    assert scene.hands() == "?? ?? / ??"
    assert "card-revealed" not in names(scene.log)


@pytest.mark.clause("insurance", "5.9")
def test_a_card_face_up_at_a_face_down_table_gives_options_and_stays() -> None:
    scene = playing("KS", **DOWN)
    assert scene.hands() == "?? / "
    events = scene.report("1:up")
    assert names(events) == ["case-opened", "clause-found", "card-revealed", "options-given"]
    assert (events[3].is_reconstructed, events[3].clause) == (False, "5.9")
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
    events = scene.report("5:up")
    assert "options-given" not in names(events)
    assert names(events)[:4] == ["case-opened", "clause-found", "card-revealed", "case-closed"]
    face_up = playing("KS")
    assert face_up.refuse_report("1:up") == "nothing-wrong"


@pytest.mark.clause("insurance", "5.8")
@pytest.mark.clause("insurance", "5.9")
def test_face_up_and_on_the_wrong_side_is_the_wrong_side() -> None:
    scene = playing("KS", **DOWN)
    scene.report("KH:player:up")
    assert scene.found() == "wrong-side awaits judgement 5.8"
    judged(scene, possible=True)
    assert scene.hands() == "?? / KH"  # what was seen stays open
