"""What the house orders for its whole floor: stops that let rounds finish, the shortest round, stretched clocks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from punto.audit.verification import verify
from punto.books import NAMES
from punto.dealer.bot import BOTS
from punto.floor.answers import Stop, TableStop
from punto.floor.automatic_tables import House as RunningHouse
from punto.floor.automatic_tables import Turn
from punto.floor.floor import HUMAN_PACE, pace_of_seconds
from punto.floor.house_rules import HouseRules, change_rules
from punto.floor.loaded_table import LoadedTable
from punto.floor.orders import HouseOrders, OrderBoard, house_orders, last_call, start_play, stop_play
from punto.floor.profile import Profile
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.store.seal import Seal
from punto.store.store import Store
from punto.table.betting import CallBets, CloseBets, ReopenBets, WithdrawBet
from punto.table.command import Command
from punto.table.dealing import DealCard
from punto.table.settlement import RoundSettled
from punto.table.state import Phase
from tests.floor.house import KEY, House, accepted, reason
from tests.floor.ledger_check import check_store
from tests.floor.test_automatic_tables import AUTOMATIC as WITH_BOTS
from tests.floor.test_automatic_tables import Watched, now, stopped

BOT_NAMES = tuple(BOTS)[:3]
FAST = pace_of_seconds(0.05)


class Table:
    """A table with bots that is dealt step by step, by a clock that the test turns."""

    def __init__(self, store: Store, book: str, **terms: Any) -> None:
        self.house, self.time = House(store), 10**9
        self.house.open("t1", book, **terms)
        for bot in BOT_NAMES:
            self.house.buy_in(bot, 10_000_000)

    @property
    def phase(self) -> Phase:
        return self.house.table().state.phase

    def step(self, *, knows: bool = True) -> bool:
        """What is due now, if anything; the dealer may not know yet what is ordered."""
        self.time += 10**6
        with self.house.store.read() as reader:
            orders = house_orders(reader) if knows else HouseOrders()

        def decide(loaded: LoadedTable) -> Command | None:
            is_stopped = orders.stop_at(loaded) is not None
            return Turn(loaded, FAST, BOT_NAMES, self.time, 0, is_stopped=is_stopped).command()

        answer = self.house.floor.submit_step("t1", decide).result()
        return bool(accepted(answer).records)

    def until(self, phase: Phase, rounds: int = 30) -> bool:
        """Play on until the table is in a phase; whether that came within so many rounds."""
        last = self.house.table().state.round + rounds
        while self.house.table().state.round < last:
            if self.phase is phase and (phase is not Phase.BETTING or self.house.table().state.bets):
                return True
            assert self.step()
        return False


@pytest.fixture
def tables() -> Iterator[dict[str, Table]]:
    made: dict[str, Table] = {}
    yield made
    for table in made.values():
        table.house.floor.close()


PHASES = (Phase.IDLE, Phase.BETTING, Phase.ANTES, Phase.DEALING, Phase.FINISHED)


@pytest.mark.gli("2.4.1")
@pytest.mark.gli("4.15.1")
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("book", NAMES)
def test_a_stop_in_every_phase_of_every_book_lets_the_round_finish(
    store: Store, tables: dict[str, Table], book: str, phase: Phase
) -> None:
    table = tables["t1"] = Table(store, book)
    if not table.until(phase):
        assert phase is Phase.ANTES, "only antes are in some books and not in others"
        return
    state = table.house.table().state
    assert stop_play(store, None, "fire alarm", "Rob", 7) == (Stop(None, 7, "Rob", "fire alarm"),)
    if phase is Phase.BETTING:
        bet = state.bets[0]
        more = table.house.bet(bet.player, 1_000, bet.area, box=bet.box)
        assert reason(more) is Reason.STOPPED
        for each in state.bets[1:]:  # what lies may be taken back
            fields: Any = {"actor": each.player, "role": Role.PLAYER, "box": each.box, "area": each.area}
            accepted(table.house.floor.give("t1", WithdrawBet(**fields, round=state.round)))
    while table.step():
        pass
    assert table.phase is Phase.IDLE and table.house.table().state.round == state.round
    call = CallBets(actor="Dan", role=Role.DEALER, time=table.time)
    if phase is not Phase.IDLE:
        assert reason(table.house.floor.give("t1", call, table.house.version())) is Reason.STOPPED
        with store.read() as reader:
            settled = [r.event for r in reader.records("t1") if isinstance(r.event, RoundSettled)]
        assert settled[-1].round == state.round
    assert start_play(store, None, "Rob", 8) == ()
    assert table.until(Phase.BETTING) and table.until(Phase.IDLE)
    check_store(store)
    with store.read() as reader:
        assert verify(reader).ok


def test_a_dealer_who_has_not_heard_of_it_rests_too(store: Store, tables: dict[str, Table]) -> None:
    """Nothing is refused and kept: what the house does not let anybody do is not due."""
    table = tables["t1"] = Table(store, "commission")
    assert table.until(Phase.FINISHED)
    stop_play(store, "commission", "wrong felt", "Rob", 7)
    while table.step(knows=False):
        pass
    assert table.phase is Phase.IDLE
    with store.read() as reader:
        assert reader.rows("SELECT body FROM commands WHERE refusal IS NOT NULL") == []


def test_a_book_is_stopped_and_the_others_go_on(store: Store) -> None:
    with House(store) as house:
        house.open("c", "commission")
        house.open("e", "ez")
        stop_play(store, "ez", "wrong felt", "Rob", 7)
        house.call("c")
        with pytest.raises(AssertionError, match="Refusal stopped"):
            house.call("e")
        with store.read() as reader:
            orders = house_orders(reader)
        loaded = {id: house.floor.table(id) for id in ("c", "e")}
        assert loaded["c"] is not None and orders.stop_at(loaded["c"]) is None
        assert loaded["e"] is not None and orders.stop_at(loaded["e"]) == TableStop("ez", 7)
        stop_play(store, None, "fire alarm", "Rob", 8)
        with store.read() as reader:
            assert house_orders(reader).stop_at(loaded["e"]) == TableStop(None, 8), "the floor goes first"
        assert start_play(store, None, "Rob", 9, "over") == (Stop("ez", 7, "Rob", "wrong felt"),)
        with pytest.raises(AssertionError, match="Refusal stopped"):
            house.call("e")


def why(answer: object) -> Reason:
    assert isinstance(answer, Refusal) and answer.sentence
    return answer.reason


@pytest.mark.gli("2.4.1")
@pytest.mark.gli("A.6.3")
def test_stops_have_a_reason_and_are_on_record(store: Store) -> None:
    with House(store) as house:
        house.open("t1", "ez")
    assert why(stop_play(store, None, " ", "Rob", 7)) is Reason.REASON_NEEDED
    assert why(stop_play(store, None, "x" * 201, "Rob", 7)) is Reason.TEXT_TOO_LONG
    assert why(stop_play(store, "midi", "why not", "Rob", 7)) is Reason.NO_BOOK
    assert why(start_play(store, None, "Rob", 7)) is Reason.NOT_STOPPED
    assert not isinstance(stop_play(store, None, "fire alarm", "Rob", 7), Refusal)
    assert why(stop_play(store, None, "again", "Ida", 8)) is Reason.STOPPED_ALREADY
    assert not isinstance(start_play(store, None, "Ida", 9, "false alarm"), Refusal)
    with store.read() as reader:
        acts = [body for (body,) in reader.rows("SELECT body FROM house_events ORDER BY seq DESC LIMIT 2")]
        assert verify(reader).ok
    assert '"play-started"' in acts[0] and "false alarm" in acts[0] and '"who":"Ida"' in acts[0]
    assert '"play-stopped"' in acts[1] and "fire alarm" in acts[1] and '"who":"Rob"' in acts[1]


@pytest.mark.gli("RTS 14G")
def test_a_persons_call_waits_for_the_shortest_round(store: Store) -> None:
    change_rules(store, {"profile": "strict"}, "Ada", 1)
    with House(store) as house:
        house.open("t1", "ez")
        house.time = 1_000_000
        house.call()
        called = house.time
        house.finish()
        assert house.time - called < 5_000
        early = house.deal(CallBets)
        assert isinstance(early, Refusal) and early.reason is Reason.TOO_SOON
        assert early.params == {"least": 5, "seconds": 5} and "call for bets in 5 s" in early.sentence
        house.time = called + 4_998  # the command comes a millisecond later
        early = house.deal(CallBets)
        assert isinstance(early, Refusal) and early.params["seconds"] == 1
        house.time = called + 4_999
        accepted(house.deal(CallBets))
        with store.read() as reader:
            assert last_call(reader, "t1") == called + 5_000


@pytest.mark.gli("RTS 14G")
def test_the_automatic_dealer_waits_for_the_shortest_round(store: Store, tables: dict[str, Table]) -> None:
    table = tables["t1"] = Table(store, "commission")
    assert table.until(Phase.FINISHED)
    assert table.until(Phase.IDLE)
    loaded = table.house.floor.table("t1")
    assert loaded is not None
    time = loaded.table.state.since + 10_000
    before = Turn(loaded, FAST, (), time - 1, 0, next_call=time)
    assert before.command() is None and before.time() == time
    assert isinstance(replace(before, now=time).command(), CallBets)


@pytest.mark.parametrize(("book", "closing"), [("commission", CloseBets), ("ez", DealCard)])
def test_bets_stay_open_as_long_as_the_house_says(store: Store, book: str, closing: type[Any]) -> None:
    change_rules(store, {"shortest_betting_seconds": 3}, "Ada", 1)
    with House(store) as house:
        house.open("t1", book)
        house.time = 1_000_000
        house.call()
        called = house.time
        early = house.deal(closing)
        assert isinstance(early, Refusal) and early.reason is Reason.CLOSED_TOO_SOON
        assert early.params["least"] == 3 and "close them in" in early.sentence
        house.time = called + 2_998  # the command comes a millisecond later
        assert isinstance(early := house.deal(closing), Refusal) and early.params["seconds"] == 1
        house.time = called + 2_999
        accepted(house.deal(closing))
        house.finish()  # no other card waits


def test_bets_opened_again_stay_open_as_long_and_a_stop_opens_none(store: Store) -> None:
    change_rules(store, {"shortest_betting_seconds": 3}, "Ada", 1)
    with House(store) as house:
        house.open("t1", "commission")
        house.time = 1_000_000
        house.call()
        house.time += 5_000
        accepted(house.deal(CloseBets))
        assert not isinstance(stop_play(store, None, "fire alarm", "Rob", 7), Refusal)
        reopen: dict[str, Any] = {"by": "Sue", "role": Role.PIT_SUPERVISOR}
        assert reason(house.deal(ReopenBets, **reopen)) is Reason.STOPPED
        assert not isinstance(start_play(store, None, "Rob", 8), Refusal)
        accepted(house.deal(ReopenBets, **reopen))
        assert reason(house.deal(CloseBets)) is Reason.CLOSED_TOO_SOON
    with store.read() as reader:
        assert verify(reader).ok
        codes = [body for (body,) in reader.rows("SELECT body FROM house_events WHERE body LIKE '%bets-reopened%'")]
    assert len(codes) == 1 and '"who":"Sue"' in codes[0]


def test_the_clock_of_the_automatic_dealer_is_no_shorter() -> None:
    orders = HouseOrders(HouseRules(shortest_betting_seconds=30))
    assert (orders.pace(HUMAN_PACE).bets, orders.pace(replace(HUMAN_PACE, bets=None)).bets) == (30_000, None)
    assert HouseOrders(HouseRules(shortest_betting_seconds=3)).pace(HUMAN_PACE) == HUMAN_PACE


def test_a_clock_that_was_put_back_holds_no_table_up() -> None:
    orders = HouseOrders(HouseRules(profile=Profile("p", shortest_round_seconds=5)))
    assert orders.next_call(1_000, 2_000) == 6_000
    assert orders.next_call(10**12, 2_000) == 5_000, "that was before the clock was put back"
    assert orders.next_call(None, 2_000) == 0 and HouseOrders().next_call(1_000, 2_000) == 0


@pytest.mark.gli("WCAG 2.2.1")
@pytest.mark.gli("4.4.13")
def test_every_clock_is_stretched() -> None:
    orders = HouseOrders(HouseRules(profile=Profile("p", clock_percent=250)))
    slow = orders.pace(HUMAN_PACE)
    assert slow.bets == 50_000 and slow.cards == 3_000 and slow.rounds == 15_000 and slow.draw == 37_500
    assert orders.pace(replace(HUMAN_PACE, bets=None)).bets is None
    assert HouseOrders().pace(HUMAN_PACE) == HUMAN_PACE


@pytest.mark.gli("2.4.1")
def test_a_running_house_obeys_what_is_ordered_meanwhile(store: Store) -> None:
    """Stop, start and another profile, without a restart."""

    async def play(house: House) -> None:
        board = OrderBoard(store)
        running, watched = RunningHouse(house.floor, now, FAST, board), Watched(house.floor)
        board.listen(running.hear_orders)
        for table in ("a", "b"):
            assert running.run_table(table, WITH_BOTS) is None
        task = asyncio.create_task(running.run())
        await watched.rounds(1, "a", "b")
        stop_play(store, "commission", "wrong felt", "Rob", now())
        board.look()
        await watched.rounds(watched.settled["b"] + 3, "b")
        assert house.table("a").state.phase is Phase.IDLE
        start_play(store, "commission", "Rob", now())
        board.look()
        await watched.rounds(watched.settled["a"] + 2, "a")
        change_rules(store, {"profile": "training"}, "Ada", now())
        board.look()
        pace = running.pace_of("a")
        assert pace is not None and pace.bets == 2 * (FAST.bets or 0)
        await stopped(task)

    with House(store, seal=Seal(KEY)) as house:
        house.open("a", "commission")
        house.open("b", "ez")
        asyncio.run(play(house))
    with store.read() as reader:
        refused = reader.rows("SELECT body FROM commands WHERE refusal LIKE '%stopped%'")
    assert refused == []
