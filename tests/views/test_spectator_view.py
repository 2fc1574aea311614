"""Nothing that is hidden is in what guests and the screen over a table see of it: worlds that differ in names, in
stakes or in cards face down look the same, and nobody's name is in any of it.
"""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from punto import books
from punto.dealer.bot import BOTS
from punto.dealer.dealer import Pace
from punto.floor.answers import Stop
from punto.floor.floor import HUMAN_PACE
from punto.floor.orders import NO_ORDERS, HouseOrders
from punto.rules.outcome import Hand
from punto.store.record import decode_state, encode_state
from punto.table.event import Event
from punto.table.house import LoadShoe
from punto.table.insurance import WishInsurance
from punto.table.replay import EndedRound, rounds_after
from punto.table.shuffling import PledgeBytes
from punto.table.state import State, Table, digest_of_bytes
from punto.table.terms import Offering
from punto.views.spectator_view import SOMEBODY, board_view, guest_history, guest_view, watched_table
from punto.views.table_view import TableView
from tests.table.machine_commands import PEOPLE
from tests.table.scenes import Scene
from tests.views.worlds import OtherWorld, encoded, lives, loaded

NAMES = tuple(name for name, _ in PEOPLE)
OTHERS = {name: f"{name}-of-another-world" for name in NAMES}


def other_names(state: State) -> State:
    """A state in which everybody has another name."""
    text = encode_state(state).decode()
    for name, other in OTHERS.items():
        text = text.replace(f'"{name}"', f'"{other}"')
    return decode_state(text.encode())


def other_stakes(state: State) -> State:
    """A state in which everybody has bet other amounts on the same areas."""
    bets = tuple(replace(bet, stake=3 * bet.stake) for bet in state.bets)
    settled = None
    if state.settled is not None:
        settled = tuple(replace(line, stake=3 * line.stake, net=3 * line.net) for line in state.settled)
    insured = tuple(replace(taken, amount=3 * taken.amount) for taken in state.insured)
    case = None if state.case is None else replace(state.case, before=other_stakes(state.case.before))
    due = {name: 3 * amount for name, amount in state.due.items()}
    return replace(state, bets=bets, settled=settled, insured=insured, case=case, due=due)


def look(table: Table, pace: Pace | None = None) -> bytes:
    shown = loaded(table)
    return encoded((guest_view(shown, pace, 1_000), watched_table(shown), board_view(shown, pace, 1_000, NO_ORDERS)))


@pytest.mark.slow
@pytest.mark.parametrize("book", books.NAMES)
def test_worlds_that_differ_in_what_is_hidden_look_the_same(book: str) -> None:
    random, hidden, named, staked = Random(3), 0, 0, 0
    ended: dict[bool, tuple[EndedRound, ...]] = {False: (), True: ()}
    for before, table, events in lives(book, 3):
        twin = Table(table.book, other_stakes(other_names(OtherWorld(random).state(table.state))))
        hidden += twin.state.player != table.state.player
        named += twin.state.seats != table.state.seats
        staked += [bet.stake for bet in twin.state.bets] != [bet.stake for bet in table.state.bets]
        for pace in (None, HUMAN_PACE):
            shown = look(table, pace)
            assert shown == look(twin, pace)
            assert not [name for name in NAMES if f'"{name}"'.encode() in shown]
        state = before
        for event in events:
            ended = {is_other: _ended(table, ended[is_other], state, event, is_other) for is_other in ended}
            state = event.fold(state)
        histories = [encoded(guest_history(table.book, rounds)) for rounds in ended.values()]
        assert histories[0] == histories[1]
    view = guest_view(loaded(table), HUMAN_PACE, 5)
    assert msgspec.json.decode(encoded(view), type=TableView) == view
    assert hidden and named and staked, "cards lay face down, and people sat and bet"


def _ended(
    table: Table, rounds: tuple[EndedRound, ...], state: State, event: Event, is_other: bool
) -> tuple[EndedRound, ...]:
    """The rounds that have ended, in this world or in one where everybody has another name."""
    before = other_names(state) if is_other else state
    return rounds_after(rounds, table.book, before, event, 1)


def test_guests_see_where_somebody_sits_and_no_bet() -> None:
    scene = Scene("commission")
    scene.seat(next(iter(BOTS)), 7)
    scene.start(Ann="player=3000 tie=1000", Ben="player=2000 banker=1000")
    view = guest_view(loaded(scene.table), None, 0)
    assert [seat.box for seat in view.seats if seat.player == SOMEBODY] == [1, 2, 7]
    assert [seat.box for seat in view.seats if seat.bot] == [7]
    assert all(not seat.bets and not seat.insurance for seat in view.seats)
    assert {area.laid for area in view.areas} == {None}, "the bet on the tie is one person's"
    assert not any(str(stake).encode() in encoded(view) for stake in (5000, 3000, 2000))
    assert watched_table(loaded(scene.table)).taken == 3


def test_the_screen_over_a_table_is_told_what_guests_are_and_what_the_house_orders() -> None:
    scene = Scene("commission")
    scene.start(Ann="player=3000", Ben="banker=1000")
    orders = HouseOrders(stops=(Stop(None, 5, "Rob", "fire alarm"),))
    shown = board_view(loaded(scene.table, version=9), None, 0, orders)
    guests = guest_view(loaded(scene.table, version=9), None, 0)
    assert (shown.seq, guests.seq, guests.stopped) == (9, 0, None)
    assert shown.stopped is not None and replace(shown, seq=0, stopped=None) == guests


def test_what_players_ask_for_themselves_is_theirs() -> None:
    scene = Scene("insurance", load=False)
    scene.do(LoadShoe, commitment="ab" * 32, algorithm="chacha20-fisher-yates-1")
    before = guest_view(loaded(scene.table), None, 0)
    scene.do(PledgeBytes, "Ann", digest=digest_of_bytes("00" * 16))
    assert scene.state.pledges and guest_view(loaded(scene.table), None, 0) == before
    scene = Scene("insurance", offering=Offering.DEALER)
    scene.start(Ann="player=3000", Ben="banker=2000")
    scene.deal("KS KH 6D 5C")
    before = guest_view(loaded(scene.table), None, 0)
    scene.do(WishInsurance, "Ann", box=1, hand=Hand.PLAYER)
    assert scene.state.wishes and guest_view(loaded(scene.table), None, 0) == before


def test_a_round_of_a_private_table_is_not_looked_back_at() -> None:
    rounds = (EndedRound(1, 1, 9, 0, None), EndedRound(2, 1, 19, 0, None, is_private=True))
    book = books.load("commission")
    assert [one.round for one in guest_history(book, rounds)] == [1]
    assert guest_history(book, rounds)[0].seq == 0
