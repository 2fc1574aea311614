"""The floor commits to the seed of every shuffled shoe, mixes in what players add, and opens it when due."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from punto import books
from punto.audit.shuffle import CHACHA20, commitment_of, order_of
from punto.cards.card import Card
from punto.cards.source import SourceKind
from punto.floor.archive import session_lines
from punto.floor.loaded_table import BookCache, load_table
from punto.floor.shoe import KEPT_SEED, Seed, given_seeds
from punto.refusal import Reason, Refusal
from punto.rules.authority import Authority, Role
from punto.store.record import state_hash
from punto.store.seal import Seal
from punto.store.store import Store, open_store
from punto.table.acting import evolved
from punto.table.betting import BetsCalled, CallBets
from punto.table.dealing import CardDealt, DealCard
from punto.table.event import Event
from punto.table.house import FLOOR, CloseTable, LoadShoe, ShoeLoaded
from punto.table.irregularity_case import Seen
from punto.table.irregularity_events import Effect, ReplaceCards, Report, Rule
from punto.table.notation import parse_session, play_session
from punto.table.shuffling import ClosePledges, OpenBytes, OpenSeed, PledgeBytes, SeedOpened
from tests.floor.house import KEY, House, accepted, reason

ANN, BEN = b"ann's bytes", b"\x00ben"
PIT = Role.PIT_SUPERVISOR


def seed_of(table: str, shoe: int) -> Seed:
    return Seed(CHACHA20, sha256(f"{table}/{shoe}".encode()).digest())


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "house.db")) as opened:
        yield opened


@pytest.fixture
def house(store: Store) -> Iterator[House]:
    """A house whose seeds are known; the first round of a shoe at t1 is its last but one."""
    with House(store, seed_of) as opened:
        opened.open("t1", burn="none", behind_cut=396)
        yield opened


def digest(value: bytes) -> str:
    return sha256(value).hexdigest()


def pledge(house: House, **values: bytes) -> None:
    """Everybody pledges, the list is closed, and everybody but Cat opens."""
    for player, value in values.items():
        accepted(house.ask(PledgeBytes, player, digest=digest(value)))
    accepted(house.deal(ClosePledges))
    for player, value in reversed(values.items()):
        if player != "Cat":
            accepted(house.ask(OpenBytes, player, value=value.hex()))


def events(house: House, id: str = "t1") -> list[Event]:
    with house.store.read() as reader:
        return [record.event for record in reader.records(id)]


def dealt(house: House) -> list[Card | None]:
    return [event.card for event in events(house) if isinstance(event, CardDealt)]


def play_shoe(house: House) -> None:
    """Play until the shoe is finished."""
    while True:
        house.call()
        house.finish()
        state = house.table().state
        if state.last_round is not None and state.round >= state.last_round:
            return


def next_shoe(house: House) -> tuple[Event, ...]:
    """Load the next shoe and call; what came of the call."""
    accepted(house.deal(LoadShoe))
    return tuple(record.event for record in accepted(house.deal(CallBets)).records)


def test_the_commitment_is_published_when_the_shoe_is_loaded(house: House) -> None:
    (record,) = accepted(house.deal(LoadShoe)).records
    assert isinstance(record.event, ShoeLoaded)
    assert record.event.algorithm == CHACHA20
    assert record.event.commitment == commitment_of("t1", 1, 8, CHACHA20, seed_of("t1", 1).secret)
    assert seed_of("t1", 1).secret.hex() not in str(events(house))


def test_without_contributions_the_order_is_that_of_the_seed(house: House) -> None:
    house.call()
    house.finish()
    cards = dealt(house)
    assert cards == list(order_of(CHACHA20, seed_of("t1", 1).secret, 8))[: len(cards)]


def test_contributions_are_mixed_in_as_they_were_pledged_and_missing_ones_left_out(house: House) -> None:
    accepted(house.deal(LoadShoe))
    pledge(house, Ann=ANN, Ben=BEN, Cat=b"cat's")
    play_shoe(house)
    cards = dealt(house)
    secret = seed_of("t1", 1).secret
    assert cards == list(order_of(CHACHA20, secret, 8, (ANN, BEN)))[: len(cards)]
    assert cards != list(order_of(CHACHA20, secret, 8))[: len(cards)]


def test_the_seed_is_opened_at_the_first_call_of_the_next_shoe(house: House) -> None:
    accepted(house.deal(LoadShoe))
    pledge(house, Ann=ANN)
    play_shoe(house)
    assert not any(isinstance(event, SeedOpened) for event in events(house))
    called, opened = next_shoe(house)
    assert isinstance(called, BetsCalled)
    assert isinstance(opened, SeedOpened)
    assert (opened.shoe, opened.seed, opened.by) == (1, seed_of("t1", 1).secret.hex(), FLOOR)
    assert opened.contributions == (ANN.hex(),)
    assert [shoe.shoe for shoe in house.table().state.committed] == [2]
    house.finish()
    house.call()
    assert sum(isinstance(event, SeedOpened) for event in events(house)) == 1


def test_the_seeds_of_all_shoes_are_opened_when_the_table_closes(house: House) -> None:
    play_shoe(house)
    accepted(house.deal(LoadShoe))
    records = accepted(house.deal(CloseTable, role=PIT)).records
    assert [record.event.name() for record in records] == ["table-closed", "seed-opened", "seed-opened"]
    assert house.table().state.committed == ()


def test_a_replaced_shoe_is_opened_too_and_never_while_a_case_is_open(house: House) -> None:
    house.call()
    accepted(house.deal(DealCard))
    accepted(house.deal(Report, seen=(Seen.WRONG_SET,)))
    assert reason(house.deal(OpenSeed, shoe=1, seed=KEPT_SEED)) is Reason.CASE_OPEN
    accepted(house.deal(Rule, role=Role.SHIFT_MANAGER, effect=Effect.VOID, reason="another set"))
    accepted(house.deal(ReplaceCards, role=PIT))
    assert house.table().state.shoe is None
    assert reason(house.deal(OpenSeed, shoe=1, seed=KEPT_SEED)) is Reason.SEED_NOT_DUE
    _, opened = next_shoe(house)
    assert isinstance(opened, SeedOpened)
    assert opened.seed == seed_of("t1", 1).secret.hex()


def test_a_repeat_has_the_first_answer(house: House) -> None:
    version = house.version()
    load_shoe = LoadShoe(actor="Dan", role=Role.DEALER, key="load")
    first = accepted(house.floor.give("t1", load_shoe, version))
    assert house.floor.give("t1", load_shoe, version) == first
    play_shoe(house)
    accepted(house.deal(LoadShoe))
    call, version = CallBets(actor="Dan", role=Role.DEALER, key="call"), house.version()
    answer = accepted(house.floor.give("t1", call, version))
    assert [record.event.name() for record in answer.records] == ["bets-called", "seed-opened"]
    assert answer.version == house.version() == version + 2
    assert house.floor.give("t1", call, version) == answer


def test_nobody_says_a_seed(house: House) -> None:
    play_shoe(house)
    house.floor._memory.seal, key = Seal(bytes(32)), house.floor._memory.seal
    house.floor._memory.shoes.clear()
    (called,) = next_shoe(house)  # the key is another one, so the seed stays closed and play goes on
    assert isinstance(called, BetsCalled)
    assert reason(house.deal(OpenSeed, shoe=1, seed=KEPT_SEED)) is Reason.SEED_LOCKED
    house.floor._memory.seal = key
    assert reason(house.deal(OpenSeed, shoe=1, seed="ab" * 32)) is Reason.CARD_NAMED
    assert reason(house.deal(OpenSeed, shoe=2, seed=KEPT_SEED)) is Reason.SEED_NOT_DUE
    (record,) = accepted(house.deal(OpenSeed, shoe=1, seed=KEPT_SEED, key="o")).records
    assert isinstance(record.event, SeedOpened)
    assert (record.event.seed, record.event.by) == (seed_of("t1", 1).secret.hex(), "Dan")


def test_a_seed_that_could_not_be_opened_is_tried_again_at_the_next_call(house: House) -> None:
    play_shoe(house)
    house.floor._memory.seal = Seal(bytes(32))
    house.floor._memory.shoes.clear()
    next_shoe(house)
    house.finish()
    house.floor._memory.seal = Seal(KEY)
    _, opened = (record.event for record in accepted(house.deal(CallBets)).records)
    assert isinstance(opened, SeedOpened)


def test_who_may_open_a_seed_can_be_two_people(store: Store) -> None:
    two = Authority("open-seed", (Role.SHIFT_MANAGER,), second=Role.PIT_MANAGER)
    one = Authority("open-seed", (Role.SHIFT_MANAGER,))
    with House(store, seed_of) as house:
        for id, authority, opened in (("two", two, []), ("one", one, [Role.SHIFT_MANAGER])):
            house.open(id, burn="none", authority=(authority,))
            accepted(house.deal(LoadShoe, id))
            records = accepted(house.deal(CloseTable, id, role=PIT)).records
            assert [record.event.role for record in records[1:]] == opened


@pytest.mark.parametrize("source", [SourceKind.CONTINUOUS, SourceKind.ENTERED])
def test_a_continuous_shuffler_and_a_physical_shoe_promise_nothing(house: House, source: SourceKind) -> None:
    house.open("t2", source=source)
    (record,) = accepted(house.deal(LoadShoe, "t2")).records
    assert isinstance(record.event, ShoeLoaded)
    assert (record.event.commitment, record.event.algorithm) == ("", "")
    assert reason(house.ask(PledgeBytes, "Ann", "t2", digest=digest(ANN))) is Reason.NO_COMMITMENT


def test_a_seed_that_a_person_chose_promises_nothing(store: Store) -> None:
    with House(store, given_seeds("7")) as house:
        house.open("t1")
        (record,) = accepted(house.deal(LoadShoe)).records
        assert isinstance(record.event, ShoeLoaded)
        assert record.event.commitment == ""
        accepted(house.deal(CloseTable, role=PIT))


def test_an_exported_session_leads_to_the_same_state(house: House) -> None:
    accepted(house.deal(LoadShoe))
    pledge(house, Ann=ANN)
    play_shoe(house)
    next_shoe(house)
    with house.store.read() as reader:
        stored = reader.table("t1")
        assert stored is not None
        loaded = load_table(reader, BookCache(), stored)
        text = "\n".join(session_lines(reader, loaded))
    *_, last = play_session(parse_session(text), books.load)
    assert not isinstance(last.outcome, Refusal)
    table = evolved(last.before, last.outcome)
    assert table.state.committed == house.table().state.committed
    assert state_hash(table.state) == state_hash(house.table().state)
