"""What is due at a table that deals by itself, at simulated times: every book, with bots."""

from __future__ import annotations

from hashlib import sha256
from itertools import pairwise

import pytest
from msgspec.structs import replace

from punto import books
from punto.floor.automatic_tables import Turn
from punto.floor.loaded_table import LoadedTable
from punto.rules.authority import Role
from punto.rules.outcome import Hand
from punto.store.seal import Seal
from punto.table.betting import BetPlaced, BetsCalled, BetsClosed, CallBets
from punto.table.dealing import AnswerSqueeze, AskSqueeze, CardDealt, DealCard, TakeDraw, may_open_card
from punto.table.house import BurnCards, CloseTable, LoadShoe, PauseTable, ResumeTable, TakeSeat
from punto.table.irregularity_case import Awaits, parse_sighting
from punto.table.irregularity_events import ChooseOption, ExpireOptions, JudgeReconstruction, Report
from punto.table.shuffling import ClosePledges, OpenBytes, PledgeBytes
from punto.table.state import Phase, SqueezeKind, Table
from punto.table.terms import Drawing, Faces
from tests.floor.clockwork import NAMES, PACE, Clockwork, database  # noqa: F401 - a fixture
from tests.floor.house import KEY, House, accepted
from tests.floor.ledger_check import check_store


@pytest.fixture
def rich(house: House) -> House:
    for name in NAMES:
        house.buy_in(name, 100_000_000)
    return house


@pytest.mark.slow
@pytest.mark.parametrize("book", books.NAMES)
def test_every_book_is_dealt_round_after_round_with_bots(rich: House, book: str) -> None:
    decks = max(books.load(book).decks.allowed)
    faces = Faces.DOWN if book == "insurance" else Faces.UP
    rich.open("auto", book, behind_cut=decks * 52 - 30, faces=faces)
    clockwork = Clockwork(rich, "auto")
    given = [command.name() for command in clockwork.until(rounds=12)]
    assert given.count("call-bets") == given.count("settle-round") == 12
    assert given.count("load-shoe") > 1, "shoes are changed"
    assert given.count("place-bet") > 12
    assert len(rich.table("auto").state.seats) == len(NAMES)
    check_store(rich.store)


def test_bets_stay_open_for_their_time_and_cards_are_seen(rich: House) -> None:
    rich.open("auto", "commission")
    clockwork = Clockwork(rich, "auto")
    list(clockwork.until(rounds=2))
    with rich.store.read() as reader:
        events = [record.event for record in reader.records("auto")]
    called = [event.time for event in events if isinstance(event, BetsCalled)]
    closed = [event.time for event in events if isinstance(event, BetsClosed)]
    assert [after - before for before, after in zip(called, closed, strict=True)] == [PACE.bets, PACE.bets]
    bets = [event.time - called[0] for event in events if isinstance(event, BetPlaced)][:3]
    assert PACE.bets is not None and all(0 < late < PACE.bets for late in bets) and bets == sorted(bets)
    dealt = [event.time for event in events if isinstance(event, CardDealt)]
    gaps = [after - before for before, after in pairwise(dealt[:4])]
    assert gaps == [PACE.cards] * 3


def test_nobody_seated_is_not_dealt_for(rich: House) -> None:
    rich.open("auto", "commission")
    alone = Clockwork(rich, "auto", bots=())
    assert alone.turn().time() is None
    accepted(rich.ask(TakeSeat, "Ann", "auto", box=1))
    assert [command.name() for command in alone.until(rounds=1)][:2] == ["load-shoe", "burn-cards"]


@pytest.mark.gli("4.15.1")
def test_a_pause_stops_everything_and_a_closed_table_is_left_alone(rich: House) -> None:
    rich.open("auto", "commission")
    clockwork = Clockwork(rich, "auto")
    list(clockwork.until(rounds=1))
    accepted(rich.deal(PauseTable, "auto"))
    assert clockwork.turn().time() is None
    accepted(rich.deal(ResumeTable, "auto"))
    assert clockwork.turn().time() is not None
    accepted(rich.deal(CloseTable, "auto", by="Sue", role=Role.PIT_SUPERVISOR))
    assert clockwork.turn().time() is None


def test_a_player_has_time_to_add_bytes_to_the_shuffle(rich: House) -> None:
    rich.open("auto", "commission")
    accepted(rich.ask(TakeSeat, "Ann", "auto", box=1))
    clockwork = Clockwork(rich, "auto", bots=())
    assert isinstance(clockwork.step(), LoadShoe)
    assert clockwork.turn().command() is None, "there is time to pledge"
    digest = sha256(b"mine").hexdigest()
    accepted(rich.ask(PledgeBytes, "Ann", "auto", digest=digest))
    assert isinstance(clockwork.step(), ClosePledges)
    accepted(rich.ask(OpenBytes, "Ann", "auto", value=b"mine".hex()))
    assert isinstance(clockwork.step(), BurnCards), "everybody has opened: nobody is waited for"
    list(clockwork.until(rounds=1))


def test_a_pledge_that_is_never_opened_holds_nobody_up(rich: House) -> None:
    rich.open("auto", "commission")
    accepted(rich.ask(TakeSeat, "Ann", "auto", box=1))
    clockwork = Clockwork(rich, "auto", bots=())
    clockwork.step()
    accepted(rich.ask(PledgeBytes, "Ann", "auto", digest=sha256(b"mine").hexdigest()))
    assert [type(clockwork.step()) for _ in range(3)] == [ClosePledges, BurnCards, CallBets]


def test_a_bot_lets_a_round_pass_whenever_it_is_asked(rich: House) -> None:
    rich.open("auto", "commission")
    clockwork = Clockwork(rich, "auto", bots=("Cedar",))
    list(clockwork.until(rounds=1))
    answers = []
    for _ in range(20):
        clockwork.now += 7
        command = clockwork.turn()._bot_command("Cedar")
        answers.append(None if command is None else (command.name(), getattr(command, "amount", 0)))
    assert len(set(answers)) == 1


def test_a_bot_draws_where_players_draw(rich: House) -> None:
    rich.open("auto", "ez", drawing=Drawing.PLAYERS)
    clockwork = Clockwork(rich, "auto", bots=("Amber", "Birch"))
    given = list(clockwork.until(rounds=3))
    drawn = [command.actor for command in given if isinstance(command, DealCard)]
    assert drawn and set(drawn) <= {"Amber", "Birch"}


def test_a_squeeze_is_granted_where_it_costs_nobody_anything(rich: House) -> None:
    """What would waive the insurance of everybody (3.14) is left to people, until its time is over."""
    rich.open("auto", "insurance", faces=Faces.DOWN)
    clockwork = Clockwork(rich, "auto", bots=("Amber",))
    while rich.table("auto").state.phase is not Phase.DEALING:
        clockwork.step()
    ask = AskSqueeze(actor="Amber", role=Role.PLAYER, kind=SqueezeKind.CARD, hand=Hand.PLAYER, number=1)
    accepted(rich.floor.give("auto", ask))
    answer = clockwork.step()
    assert isinstance(answer, AnswerSqueeze) and answer.consent
    state = rich.table("auto").state
    assert may_open_card(state, "Amber", Hand.PLAYER, 1) and not state.is_waived
    asked = replace(state.squeezes[-1], consent=None, kind=SqueezeKind.BANKER_THIRD_FIRST)
    loaded = rich.floor.table("auto")
    assert loaded is not None
    waiving = LoadedTable("auto", loaded.version, Table(loaded.table.book, replace(state, squeezes=(asked,))))
    turn = Turn(waiving, PACE, (), state.since, state.since)
    assert turn.command() is None and turn.time() == state.since + 300


def test_a_player_who_never_answers_holds_nobody_up(rich: House) -> None:
    """Ann has bets and her connection is lost: she is not away, and the clock decides instead of her."""
    rich.open("auto", "ez", drawing=Drawing.PLAYERS)
    accepted(rich.ask(TakeSeat, "Ann", "auto", box=1))
    clockwork = Clockwork(rich, "auto", bots=())
    while rich.table("auto").state.phase is not Phase.BETTING:
        clockwork.step()
    accepted(rich.bet("Ann", 1_000, id="auto"))
    called = rich.table("auto").state.since
    given = list(clockwork.until(rounds=1))
    assert [type(command) for command in given[:2]] == [TakeDraw, DealCard]
    assert given[0].time == called + 1_000 + 400
    assert given[-1].name() == "settle-round" and "Ann" not in rich.table("auto").state.away


def test_the_time_to_choose_goes_on_in_another_process(rich: House) -> None:
    rich.open("auto", "insurance")
    accepted(rich.ask(TakeSeat, "Ann", "auto", box=1))
    clockwork = Clockwork(rich, "auto", bots=())
    while rich.table("auto").state.phase is not Phase.BETTING:
        clockwork.step()
    accepted(rich.bet("Ann", 1_000, id="auto"))
    while rich.table("auto").state.cards_out < 1:
        clockwork.step()
    at = clockwork.now + 5_000
    who = Role.PIT_SUPERVISOR
    rich.tell(Report(actor="Sue", role=who, time=at, cards=(parse_sighting("2S:player:up"),)), "auto")
    judged = JudgeReconstruction(actor="Sue", role=who, time=at + 2_000, possible=True)
    accepted(rich.floor.give("auto", judged))
    assert rich.table("auto").state.case is not None
    due = clockwork.turn().time()
    assert due == at + 2_000 + 700
    with House(rich.store, seal=Seal(KEY)) as other:
        again = Clockwork(other, "auto", bots=())
        again.now = at + 2_100
        assert again.turn().time() == due and again.turn().command() is None
        assert isinstance(again.step(), ExpireOptions) and again.now == due
        assert other.table("auto").state.case is None
        list(again.until(rounds=1))
    check_store(rich.store)


def test_bots_choose_after_an_error_and_hold_nobody_up(rich: House) -> None:
    """A case of an older log: the second card went to the wrong side; bots could have their bets back."""
    rich.open("auto", "insurance")
    clockwork = Clockwork(rich, "auto", bots=("Amber", "Birch"))
    while rich.table("auto").state.cards_out < 1:
        clockwork.step()
    wrong = parse_sighting("2S:player:up")
    rich.tell(Report(actor="Sue", role=Role.PIT_SUPERVISOR, cards=(wrong,)), "auto")
    judged = JudgeReconstruction(actor="Sue", role=Role.PIT_SUPERVISOR, possible=True)
    accepted(rich.floor.give("auto", judged))
    case = rich.table("auto").state.case
    assert case is not None and case.found is not None and case.found.awaits is Awaits.OPTIONS
    assert len(case.undecided) == 2
    assert [type(clockwork.step()) for _ in case.undecided] == [ChooseOption] * 2
    assert rich.table("auto").state.case is None
    list(clockwork.until(rounds=2))
    check_store(rich.store)


def test_a_card_carried_over_is_dealt_by_itself(rich: House) -> None:
    """A card that an older version let a report bring up starts the next round, as it was seen."""
    rich.open("auto", "insurance")
    clockwork = Clockwork(rich, "auto", bots=("Amber",))
    while rich.table("auto").state.phase is not Phase.FINISHED:
        clockwork.step()
    excess = parse_sighting("2S:table:up")
    rich.tell(Report(actor="Sue", role=Role.PIT_SUPERVISOR, cards=(excess,)), "auto")
    judged = JudgeReconstruction(actor="Sue", role=Role.PIT_SUPERVISOR, possible=True)
    accepted(rich.floor.give("auto", judged))
    (carried,) = rich.table("auto").state.carried
    coming = carried.card
    list(clockwork.until(rounds=2))
    with rich.store.read() as reader:
        dealt = [r.event for r in reader.records("auto") if isinstance(r.event, CardDealt)]
    assert [event.card for event in dealt if event.carried] == [coming]
    check_store(rich.store)
