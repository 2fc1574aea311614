"""Nothing that is hidden is in what guests see of a table: worlds that differ in names or in cards face down look the
same, and nobody's name is in any of it.
"""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from punto import books
from punto.dealer.bot import BOTS
from punto.dealer.dealer import Pace
from punto.floor.floor import HUMAN_PACE
from punto.rules.outcome import Hand
from punto.store.record import decode_state, encode_state
from punto.table.event import Event
from punto.table.house import LoadShoe
from punto.table.insurance import WishInsurance
from punto.table.replay import EndedRound, rounds_after
from punto.table.shuffling import PledgeBytes
from punto.table.state import State, Table, digest_of_bytes
from punto.table.terms import Offering
from punto.views.spectator_view import SOMEBODY, guest_history, guest_view, watched_table
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


def look(table: Table, pace: Pace | None = None) -> bytes:
    return encoded((guest_view(loaded(table), pace, 1_000), watched_table(loaded(table))))


@pytest.mark.slow
@pytest.mark.parametrize("book", books.NAMES)
def test_worlds_that_differ_in_what_is_hidden_look_the_same(book: str) -> None:
    random, hidden, named = Random(3), 0, 0
    ended: dict[bool, tuple[EndedRound, ...]] = {False: (), True: ()}
    for before, table, events in lives(book, 3):
        twin = Table(table.book, other_names(OtherWorld(random).state(table.state)))
        hidden += twin.state.player != table.state.player
        named += twin.state.seats != table.state.seats
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
    assert hidden and named, "cards lay face down, and people sat"


def _ended(
    table: Table, rounds: tuple[EndedRound, ...], state: State, event: Event, is_other: bool
) -> tuple[EndedRound, ...]:
    """The rounds that have ended, in this world or in one where everybody has another name."""
    before = other_names(state) if is_other else state
    return rounds_after(rounds, table.book, before, event, 1)


def test_guests_see_where_somebody_sits_and_what_lies_but_not_whose() -> None:
    scene = Scene("commission")
    scene.seat(next(iter(BOTS)), 7)
    scene.start(Ann="player=3000 tie=1000", Ben="player=2000 banker=1000")
    view = guest_view(loaded(scene.table), None, 0)
    assert [seat.box for seat in view.seats if seat.player == SOMEBODY] == [1, 2, 7]
    assert [seat.box for seat in view.seats if seat.bot] == [7]
    assert all(not seat.bets and not seat.insurance for seat in view.seats)
    assert {area.area: area.laid for area in view.areas if area.laid} == {"player": 5000, "tie": 1000, "banker": 1000}
    assert watched_table(loaded(scene.table)).taken == 3


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
