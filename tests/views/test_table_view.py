"""A table as people see it: every state of random lives, and the scenes that pages are drawn from."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from punto import books
from punto.cards.card import DECK
from punto.cards.source import SourceKind
from punto.dealer.dealer import Awaited, Pace
from punto.floor.answers import Balance
from punto.rules.authority import Role
from punto.rules.outcome import Hand
from punto.table.dealing import AnswerSqueeze, AskSqueeze, RevealCard
from punto.table.irregularity_events import ReplaceCards
from punto.table.settlement import RoundSettled
from punto.table.state import Phase, Table
from punto.table.terms import Faces
from punto.views.deal_view import CallCode, InsuranceView, LineView, NoOffer, hands_view, result_view
from punto.views.layout_view import AreaGroup
from punto.views.legal_view import ClockView
from punto.views.table_view import TableView, view_of
from punto.views.viewer import BOARD, Viewer
from tests.table.scenes import Scene
from tests.views.worlds import VIEWERS, encoded, lives, loaded

ANN, DAN = Viewer("Ann"), Viewer("Dan", Role.DEALER)


def look(scene: Scene, viewer: Viewer = BOARD) -> TableView:
    return view_of(loaded(scene.table, len(scene.log)), viewer, Balance(50_000, 3000, 200), 0)


@pytest.mark.parametrize("book", books.NAMES)
def test_every_state_of_a_table_can_be_seen_and_read_back(book: str) -> None:
    random = Random(11)
    for _, table, _ in lives(book, 11, 50):
        for viewer in random.sample(VIEWERS, 3):
            view = view_of(loaded(table), viewer, None, 0, Pace(bets=1000))
            assert msgspec.json.decode(encoded(view), type=TableView) == view
    assert encoded(view_of(loaded(Table(books.load(book)), 0), BOARD, None, 0))


def test_the_schema_describes_every_field() -> None:
    _, parts = msgspec.json.schema_components([TableView], ref_template="#/$defs/{name}")
    assert "TableView" in parts and "AreaView" in parts
    assert set(parts["TableView"]["properties"]) == set(TableView.__struct_fields__)


def test_bets_and_money_of_the_viewer() -> None:
    scene = Scene("insurance", differential=10_000)
    scene.seat("Ann", 2)
    scene.call()
    scene.bet("Ann", "banker", 3000)
    view = look(scene, ANN)
    assert view.mine is not None
    assert (view.mine.balance, view.mine.staked, view.mine.boxes) == (Balance(50_000, 3000, 200), 3000, (2,))
    seat = view.seats[1]
    assert (seat.player, seat.mine, seat.bets[0].stake, seat.bets[0].mine) == ("Ann", True, 3000, True)
    assert seat.room is not None and (seat.room.player, seat.room.banker) == (13_000, 7_000)
    assert (seat.heavier, seat.difference) == (Hand.BANKER, 3000)
    assert {area.area for area in view.areas if area.on} == {bet.area for bet in scene.table.book.bets}
    groups = {area.area: area.group for area in view.areas}
    assert groups["player-pair"] is AreaGroup.PAIR and groups["tie"] is AreaGroup.SIDE
    graded = {area.area: area.group for area in look(Scene("easy-six")).areas}
    assert graded["banker-pair"] is AreaGroup.PAIR and graded["easy-six"] is AreaGroup.SIDE
    board = look(scene)
    assert board.mine is None and not any(seat.mine for seat in board.seats)
    assert not any(area.on for area in board.areas)
    assert look(scene, DAN).mine is None


def test_calls_and_results_through_a_round() -> None:
    scene = Scene("insurance")
    codes = [look(scene).call.code]
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "player", 3000)
    codes.append(look(scene).call.code)
    assert look(scene).call.label.zh_hant == "請下注"
    scene.close()
    codes.append(look(scene).call.code)
    scene.deal("KS KH 6D 5C")
    codes.append(look(scene).call.code)
    view = look(scene, ANN)
    assert view.insurance is not None and view.insurance.window == 4
    assert [(offer.most > 0, offer.mine) for offer in view.insurance.offers] == [(True, True)]
    scene.deal("2S")
    codes.append(look(scene).call.code)
    assert codes == [
        CallCode.WELCOME, CallCode.BETS_OPEN, CallCode.BETS_CLOSED, CallCode.INSURANCE, CallCode.RESULT,
    ]  # fmt: skip
    assert look(scene).result is not None and not look(scene).result.settled  # type: ignore[union-attr]
    scene.settle()
    result = look(scene, ANN).result
    assert result is not None and result.settled and result.lines[0].mine
    assert result.net == sum(line.net for line in result.lines)
    # Areas that win are told to everybody, whoever bet on them.
    assert result.winning == look(scene).result.winning  # type: ignore[union-attr]
    assert {line.area for line in result.lines if line.net > 0} <= set(result.winning)
    assert result.winner.value in result.winning
    assert all(line.returned == line.stake + line.net for line in result.lines)
    scene.call()
    assert look(scene, ANN).result is None


@pytest.mark.parametrize("book", books.NAMES)
def test_the_pay_queue_is_what_the_settlement_does(book: str) -> None:
    compared = 0
    for seed in range(8):
        compared += compare_queues(book, seed)
        if compared > 3:
            break
    assert compared, f"no round of {book} was settled with bets"


def compare_queues(book: str, seed: int) -> int:
    """Compare the queue with the settlement after it, through one life; the number of lines."""
    compared, queue = 0, tuple[LineView, ...]()
    for before, table, events in lives(book, seed, 100):
        result = result_view(table, DAN)
        if any(isinstance(event, RoundSettled) for event in events):
            assert result is not None and result.queue == ()
            if before.phase is Phase.FINISHED and before.case is None:
                assert result.lines == queue
                compared += len(queue)
        queue = result.queue if result is not None else ()
        if table.state.phase is not Phase.FINISHED or table.state.case is not None:
            assert queue == ()
        others = (result_view(table, viewer) for viewer in VIEWERS if viewer.role is not Role.DEALER)
        assert all(seen is None or seen.queue == () for seen in others)
    return compared


def test_why_the_second_window_brings_no_offer() -> None:
    random, found = Random(3), set[NoOffer | None]()
    for _ in range(40):
        scene = Scene("insurance")
        scene.start(Ann="player=3000 banker=2000")
        cards = random.sample([card for card in DECK if card.points != 9], 5)
        for card in cards:
            if scene.state.phase is Phase.DEALING:
                assert insurance(scene).no_offer is None
                scene.deal(str(card))
        if len(scene.state.player) < 3:
            continue
        seen = insurance(scene)
        is_over = scene.state.phase is Phase.FINISHED
        expected = NoOffer.STANDS if is_over else NoOffer.UNLISTED if seen.window is None else None
        assert seen.no_offer is expected
        clauses = {NoOffer.STANDS: "3.12.1", NoOffer.UNLISTED: "4.1.2", None: None}
        assert seen.no_offer_clause == clauses[expected]
        found.add(expected)
    assert found >= {NoOffer.STANDS, None}


def insurance(scene: Scene) -> InsuranceView:
    view = look(scene, ANN).insurance
    assert view is not None
    return view


def test_a_void_round_is_said_to_be_void() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=3000")
    scene.report(seen="wrong-set", by="Sue")
    view = look(scene, Viewer("Sue", Role.PIT_SUPERVISOR))
    assert view.case is not None and view.case.clause and view.case.sense
    assert look(scene, ANN).case is not None
    scene.void()
    assert look(scene).void and look(scene).call.code is CallCode.VOID
    scene.do(ReplaceCards, "Sue")
    assert look(scene).shoe is None


def test_the_next_act_is_for_the_dealer() -> None:
    scene = Scene("commission")
    scene.seat("Ann", 1)
    seen = []
    for _ in range(4):
        view = look(scene, DAN)
        assert view.next is not None and view.next.command is not None
        assert not set(view.next.command) & {"actor", "role", "time", "key", "second", "card"}
        seen.append((view.next.command["type"], view.next.waits.what if view.next.waits else None))
        scene.call() if scene.state.phase is Phase.IDLE else None
        scene.bet("Ann", "banker", 3000) if not scene.state.bets and scene.state.phase is Phase.BETTING else None
        if scene.state.phase is Phase.DEALING:
            scene.deal("KS")
        elif len(seen) == 2:
            scene.close()
    assert seen == [
        ("call-bets", None), ("close-bets", None), ("deal-card", None), ("deal-card", None),
    ]  # fmt: skip
    assert look(scene, ANN).next is None


def test_the_next_act_does_not_hang_on_the_time_of_day() -> None:
    scene = Scene("commission")
    scene.seat("Ann", 1)
    scene.call()
    state = msgspec.structs.replace(scene.state, since=1_800_000_000_000)
    view = view_of(loaded(Table(scene.table.book, state)), DAN, None, state.since + 5)
    assert view.next is not None and view.next.command is not None
    assert view.next.command["type"] == "close-bets"
    assert view.next.waits is not None and view.next.waits.whom == ("Ann",)


def test_the_clock_of_a_squeeze_is_told_with_the_card() -> None:
    scene = Scene("insurance", faces=Faces.DOWN)
    scene.start(Ann="player=3000")
    scene.do(AskSqueeze, "Ann", hand=Hand.PLAYER, number=1)
    scene.do(AnswerSqueeze, consent=True)
    pace = Pace(bets=0, insurance=0, squeeze=5000, cards=700)
    clock: ClockView | None = None
    for number in range(1, 5):
        scene.deal(f"{number + 4}S")
        clock = view_of(loaded(scene.table), BOARD, None, scene.state.since, pace).clock
        assert (clock is not None) is (number == 4)
    assert clock is not None and (clock.what, clock.ends_in_ms) == (Awaited.SQUEEZE, 5000)
    scene.do(RevealCard, "Ann", hand=Hand.PLAYER, number=1)
    assert view_of(loaded(scene.table), BOARD, None, scene.state.since, pace).clock is None


@pytest.mark.gli("4.4.13")
def test_a_clock_runs_where_the_table_deals_by_itself() -> None:
    scene = Scene("commission")
    scene.call()
    assert look(scene).clock is None
    view = view_of(loaded(scene.table), BOARD, None, 300, Pace(bets=1000))
    assert view.clock is not None
    assert (view.clock.what, view.clock.ends_at, view.clock.ends_in_ms) == (Awaited.BETS, 1000, 700)


def test_points_that_are_known_stay_known_while_a_third_card_lies_face_down() -> None:
    scene = Scene("insurance", faces=Faces.DOWN, source=SourceKind.ENTERED)
    scene.call()
    scene.close()
    scene.deal("KS KH 3D 7C")
    viewer = Viewer("Ann", Role.PLAYER)
    for hand in Hand:
        for number in (1, 2):
            scene.do(RevealCard, hand=hand, number=number)
    assert hands_view(scene.table, viewer).player.points == 3
    scene.deal("5S")
    hands = hands_view(scene.table, viewer)
    assert [card.up for card in hands.player.cards] == [True, True, False]
    assert hands.player.points == 3
    scene.do(RevealCard, hand=Hand.PLAYER, number=3)
    assert hands_view(scene.table, viewer).player.points == 8
