"""What the table decided for players who did not: told for each of them, with its reason and clause, and for nobody
who decided."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from punto.books import load
from punto.rules.authority import Role
from punto.table.antes import ExpireAntes, GiveUpAnte, PlaceWager
from punto.table.betting import WithdrawBet
from punto.table.dealing import AnswerSqueeze, AskSqueeze, RevealCard, TakeDraw
from punto.table.default_decision import Decided, DecidedBecause, DefaultDecision, default_decisions
from punto.table.event import Event
from punto.table.house import WalkAway
from punto.table.insurance import DeclineInsurance, TakeInsurance
from punto.table.irregularity_events import ChooseOption, CloseOptions, ExpireOptions, Option
from punto.table.state import State
from punto.table.terms import Drawing, Faces, Noticing
from tests.dealer.dealt_scenes import choosing_scene, insured_scene, seated
from tests.store.sessions import events_of, playthroughs
from tests.table.scenes import DEALER, B, P, Scene


def decided(scene: Scene) -> list[DefaultDecision]:
    """Everything that was decided for players in a scene."""
    state, found = State(), list[DefaultDecision]()
    for seq, event in enumerate(scene.log, start=1):
        found += default_decisions(scene.table.book, state, event, seq)
        state = event.fold(state)
    return found


def told(scene: Scene) -> list[tuple[str, str, str, str | None]]:
    return [(one.player, one.what.value, one.why.value, one.clause) for one in decided(scene)]


def ante_scene() -> Scene:
    scene = seated("knockout", "Ann", "Ben", "Cat")
    scene.call()
    ante = load("knockout").ante
    assert ante is not None
    for player in ("Ann", "Ben", "Cat"):
        scene.bet(player, ante.pairs[0].ante, 1000)
    scene.close()
    scene.deal("KS")
    return scene


@pytest.mark.gli("4.16")
def test_antes_that_the_clock_gave_up() -> None:
    scene = ante_scene()
    ante = scene.table.book.ante
    assert ante is not None
    pair, clause = ante.pairs[0], ante.give_up_clause
    scene.do(PlaceWager, "Ann", box=1, area=pair.wager, amount=1000 * ante.multiple)
    scene.do(WalkAway, "Cat")
    scene.do(ExpireAntes)
    assert told(scene) == [("Ben", "ante-given-up", "time", clause), ("Cat", "ante-given-up", "away", clause)]
    [ben, _] = decided(scene)
    assert (ben.box, ben.area, ben.amount, ben.by) == (2, pair.ante, 1000, DEALER)


def test_an_ante_that_its_player_gave_up_is_nobody_elses_decision() -> None:
    scene = ante_scene()
    ante = scene.table.book.ante
    assert ante is not None
    scene.do(GiveUpAnte, "Ann", box=1, area=ante.pairs[0].ante)
    scene.do(WalkAway, "Ben")
    scene.do(GiveUpAnte, DEALER, box=2, area=ante.pairs[0].ante, player="Ben")
    assert told(scene) == [("Ben", "ante-given-up", "away", ante.give_up_clause)]


@pytest.mark.gli("4.16")
def test_options_that_continue() -> None:
    scene = choosing_scene(at=0)
    clause = scene.state.open_case.options_clause
    scene.do(ChooseOption, "Ann", option=Option.RETURN)
    scene.do(ExpireOptions)
    assert told(scene) == [("Ben", "continued", "time", clause)]
    scene = choosing_scene(at=0)
    for player in ("Ann", "Ben"):
        scene.do(WalkAway, player)
    scene.do(CloseOptions)
    assert told(scene) == [("Ann", "continued", "away", clause), ("Ben", "continued", "away", clause)]


@pytest.mark.gli("4.16")
def test_insurance_that_was_forgone() -> None:
    clause = load("insurance").insurance.forgone_clause  # type: ignore[union-attr]
    scene = insured_scene()
    scene.deal("2C")
    assert told(scene) == [("Ann", "insurance-forgone", "time", clause)]
    scene = insured_scene()
    scene.do(DeclineInsurance, "Ann")
    scene.deal("2C")
    assert told(scene) == []
    scene = insured_scene()
    scene.do(TakeInsurance, "Ann", box=1, hand=P, amount=1000)
    scene.deal("2C")
    assert told(scene) == []
    scene = insured_scene()
    scene.do(DeclineInsurance, DEALER, player="Ann")
    assert told(scene) == [("Ann", "insurance-forgone", "staff", clause)]


def test_who_walked_away_is_not_offered_insurance() -> None:
    scene = seated("insurance", "Ann", "Ben")
    scene.call()
    scene.bet("Ann", "player", 3000)
    scene.bet("Ben", "banker", 3000)
    scene.close()
    scene.deal("KS KH 6D")
    scene.do(WalkAway, "Ann")
    scene.do(WalkAway, "Ben")
    scene.deal("5C")
    assert [(one.player, one.why) for one in decided(scene)] == [("Ann", DecidedBecause.AWAY)]


@pytest.mark.gli("4.16")
def test_a_draw_that_the_dealer_took() -> None:
    scene = seated("ez", "Ann", drawing=Drawing.PLAYERS)
    scene.call()
    scene.bet("Ann", "banker", 1000)
    scene.do(TakeDraw)
    assert told(scene) == [("Ann", "draw-taken", "time", scene.table.book.play.drawer_clause)]


def test_a_card_that_the_dealer_opened() -> None:
    scene = seated("insurance", "Ann", faces=Faces.DOWN)
    scene.call()
    scene.bet("Ann", "player", 1000)
    scene.close()
    scene.do(AskSqueeze, "Ann", hand=P, number=1)
    scene.do(AnswerSqueeze, DEALER, consent=True)
    scene.deal("KS KH 9D 7C")
    scene.do(RevealCard, hand=B, number=1)
    assert told(scene) == []
    scene.do(RevealCard, hand=P, number=1)
    assert [(one.player, one.what, one.why) for one in decided(scene)] == [
        ("Ann", Decided.CARD_OPENED, DecidedBecause.TIME)
    ]


@pytest.mark.gli("4.16")
def test_bets_that_went_back_without_their_player() -> None:
    scene = seated("commission", "Ann", noticing=Noticing.DEALER, minimum=1000)
    scene.call()
    scene.bet("Ann", "banker", 2000)
    scene.bet("Ann", "tie", 500)
    scene.do(WithdrawBet, "Ann", box=1, area="tie")
    assert told(scene) == [], "their own doing"
    scene.do(WithdrawBet, DEALER, box=1, area="banker", player="Ann")
    [one] = decided(scene)
    assert (one.what, one.why, one.area, one.amount) == (Decided.BET_RETURNED, DecidedBecause.STAFF, "banker", 2000)


def test_bets_that_a_ruling_gave_back() -> None:
    found = [decision for _, decision in in_playthrough("commission/ruling-returns-one-players-bets")]
    assert found and {(one.what, one.why) for one in found} == {(Decided.BET_RETURNED, DecidedBecause.STAFF)}


def test_nothing_that_a_player_did_is_said_to_be_decided_for_them() -> None:
    kinds = set()
    for path in playthroughs():
        for event, decision in in_playthrough(f"{path.parent.name}/{path.stem}"):
            assert (event.by, event.role) != (decision.player, Role.PLAYER)
            assert (decision.time, decision.by) == (event.time, event.by)
            kinds.add(decision.what)
    assert kinds == set(Decided)


def in_playthrough(name: str) -> Iterator[tuple[Event, DefaultDecision]]:
    state, book = State(), load(name.partition("/")[0])
    for seq, event in enumerate(events_of(name), start=1):
        for decision in default_decisions(book, state, event, seq):
            yield event, decision
        state = event.fold(state)
