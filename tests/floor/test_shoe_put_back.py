"""A database that was put back to an earlier time never deals cards that somebody has seen since.

From a backup, from a copy of its file, or under a floor that runs: shoes that the system dealt from are
replaced before anything else happens, a round that was open goes back, and the seeds are opened as ever.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from punto import books
from punto.audit.shuffle import check_shoe, stored_record
from punto.audit.verification import verify
from punto.cards.source import SourceKind
from punto.floor.archive import session_lines
from punto.floor.shoe import PUT_BACK
from punto.refusal import Reason, Refusal
from punto.rules.authority import Authority, Role
from punto.store.backup import backup, restore
from punto.store.record import state_hash
from punto.store.seal import Seal
from punto.store.store import Store, open_store
from punto.table.acting import evolved
from punto.table.dealing import CardDealt, DealCard
from punto.table.header import Person
from punto.table.house import FLOOR, LeaveSeat, LoadShoe, PauseTable, ResumeTable, ShoeLoaded
from punto.table.irregularity_case import Seen
from punto.table.irregularity_events import Report, RoundVoided, WithdrawEvidence
from punto.table.notation import parse_session, play_session
from punto.table.state import Phase
from tests.floor.house import House, accepted, reason

PIT = Role.PIT_SUPERVISOR


def events_of(house: House, id: str = "t1", after: int = 0) -> list[object]:
    with house.store.read() as reader:
        return [record.event for record in reader.each_record(id, after, 10_000)]


def cards_of(house: House, id: str = "t1", after: int = 0) -> list[object]:
    """The cards that were dealt after an event, in order."""
    return [event.card for event in events_of(house, id, after) if isinstance(event, CardDealt)]


def play(house: House, id: str = "t1", rounds: int = 1) -> None:
    for _ in range(rounds):
        house.call(id)
        house.finish(id)


def opened(house: House) -> None:
    """The table of the house in the middle of its shoe, with a player who has bet before."""
    house.seat("Ann")
    play(house, rounds=2)


@pytest.fixture
def anew(tmp_path: Path) -> Iterator[Callable[[Store], House]]:
    """What a backup of a store comes to in a new database."""
    stores: list[House] = []

    def restored(store: Store) -> House:
        file = tmp_path / f"kept-{len(stores)}.punto"
        backup(store, file)
        address = str(tmp_path / f"again-{len(stores)}.db")
        restore(file, address)
        stores.append(House(open_store(address)))
        stores[-1].floor.check_put_back()
        return stores[-1]

    yield restored
    for house in stores:
        house.floor.close()
        house.store.close()


# ── From a backup ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("source", [SourceKind.SHUFFLED, SourceKind.CONTINUOUS])
@pytest.mark.gli("B.3.3")
def test_a_restored_shoe_is_not_dealt_from(house: House, anew: Callable[[Store], House], source: SourceKind) -> None:
    house.open("t2", source=source, burn="none", behind_cut=0 if source is SourceKind.CONTINUOUS else 14)
    play(house, "t2", 2)
    before = house.version("t2")
    again = anew(house.store)
    play(house, "t2", 3)  # what players see after the backup
    play(again, "t2", 3)
    assert cards_of(again, "t2", before) != cards_of(house, "t2", before)
    [fresh] = [one for one in events_of(again, "t2", before) if isinstance(one, ShoeLoaded)]
    assert (fresh.number, fresh.instead, fresh.by) == (2, PUT_BACK, FLOOR)
    assert events_of(again, "t2", before)[0] == fresh, "before anything else"


def test_a_table_with_a_shoe_of_its_own_goes_on(house: House, anew: Callable[[Store], House]) -> None:
    """People deal from it, and it was not put back with the database."""
    house.open("t2", source=SourceKind.ENTERED)
    accepted(house.deal(LoadShoe, "t2"))
    again = anew(house.store)
    accepted(again.deal(PauseTable, "t2", by="Sue", role=PIT))
    assert again.table("t2").state.shoe_number == 1


def test_every_table_is_put_right_at_once_and_only_once(house: House, anew: Callable[[Store], House]) -> None:
    house.open("t2")
    for id in ("t1", "t2"):
        play(house, id)
    again = anew(house.store)
    assert [again.table(id).state.shoe_number for id in ("t1", "t2")] == [2, 2]
    again.floor.close()
    with House(again.store) as later:
        play(later)
        assert [later.table(id).state.shoe_number for id in ("t1", "t2")] == [2, 2]


def betting(house: House) -> None:
    house.call()
    accepted(house.bet("Ann", 1_000))


def dealing(house: House) -> None:
    betting(house)
    for _ in range(2):
        accepted(house.deal(DealCard))


def finished(house: House) -> None:
    betting(house)
    while house.table().state.phase is not Phase.FINISHED:
        accepted(house.deal(DealCard))


def in_a_case(house: House) -> None:
    dealing(house)
    accepted(house.deal(Report, by="Sue", role=PIT, seen=(Seen.WRONG_SET,)))


def paused(house: House) -> None:
    accepted(house.deal(PauseTable, by="Sue", role=PIT))


@pytest.mark.parametrize("reach", [betting, dealing, finished, in_a_case, paused])
def test_a_round_that_was_open_goes_back(
    house: House, anew: Callable[[Store], House], reach: Callable[[House], None]
) -> None:
    opened(house)
    before = house.holdings("Ann")
    reach(house)
    version = house.version()
    again = anew(house.store)
    kinds = [type(event) for event in events_of(again, after=version)]
    assert kinds[-1] is ShoeLoaded and (RoundVoided in kinds) == (reach is not paused)
    state = again.table().state
    assert (state.phase, state.bets, state.case, state.shoe_number) == (Phase.IDLE, (), None, 2)
    assert again.holdings("Ann") == before
    if reach is paused:
        accepted(again.deal(ResumeTable, by="Sue", role=PIT))
    play(again)
    with again.store.read() as reader:
        assert verify(reader).problems == ()


def test_the_seed_of_a_replaced_shoe_is_opened_as_ever(house: House, anew: Callable[[Store], House]) -> None:
    opened(house)
    again = anew(house.store)
    play(again)
    with again.store.read() as reader:
        record = stored_record(reader, "t1", again.version(), 1)
    assert record is not None and check_shoe(record).matches


def test_the_log_plays_again_by_its_commands(house: House, anew: Callable[[Store], House]) -> None:
    opened(house)
    dealing(house)
    again = anew(house.store)
    play(again)
    loaded = again.floor.table("t1")
    assert loaded is not None
    with again.store.read() as reader:
        text = "\n".join(session_lines(reader, loaded))
    *_, last = play_session(parse_session(text), books.load)
    assert not isinstance(last.outcome, Refusal)
    assert state_hash(evolved(last.before, last.outcome).state) == state_hash(loaded.table.state)


def test_where_terms_ask_for_two_people_the_house_stands_beside_the_floor(
    house: House, anew: Callable[[Store], House]
) -> None:
    asked = (Authority("load-shoe", (Role.DEALER,), Role.PIT_SUPERVISOR),)
    house.open("t2", authority=asked)
    accepted(house.deal(LoadShoe, "t2", second=Person("Sue", PIT)))
    again = anew(house.store)
    assert again.table("t2").state.shoe_number == 2


def test_nobody_else_takes_a_shoe_out_of_play(house: House) -> None:
    opened(house)
    assert reason(house.deal(LoadShoe, instead="I would like other cards")) is Reason.NO_REPLACEMENT
    assert reason(house.deal(LoadShoe)) is Reason.SHOE_IN_PLAY


# ── In any other way ─────────────────────────────────────────────────────────────────────────────────


def test_a_copy_that_is_put_back_is_noticed_and_a_restart_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, copy = tmp_path / "house.db", tmp_path / "copy.db"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))

    def shoes(rounds: int) -> int:
        with open_store(str(database)) as store, House(store, seal=Seal()) as house:
            if house.floor.table("t1") is None:
                house.open("t1")
            house.floor.check_put_back()
            play(house, rounds=rounds)
            return house.table().state.shoe_number

    assert shoes(1) == 1
    assert shoes(1) == 1, "a key and a witness are there now"
    shutil.copy(database, copy)
    assert [shoes(2), shoes(1)] == [1, 1]
    shutil.copy(copy, database)
    assert shoes(1) == 2, "it was further already"
    assert [shoes(1), shoes(1)] == [2, 2]


def test_a_database_that_goes_back_under_a_running_floor_is_noticed(house: House) -> None:
    opened(house)
    version = house.version()
    play(house)
    with house.store.write() as transaction:
        transaction.connection.run("DELETE FROM commands WHERE version > ?", (version,))
        transaction.connection.run("DELETE FROM events WHERE seq > ?", (version,))
        transaction.connection.run("UPDATE tables SET version = ?", (version,))
    house.ask(LeaveSeat, "Ben")
    state = house.table().state
    assert (state.shoe_number, state.phase) == (2, Phase.IDLE)
    play(house)


def test_evidence_of_cards_that_never_were_is_refused_and_not_looked_up(house: House) -> None:
    opened(house)
    in_a_case(house)
    for number in (-99, -1, 0, 99):
        answer = house.deal(WithdrawEvidence, by="Sue", role=PIT, cards=(number,))
        assert reason(answer) is Reason.NO_SUCH_CARD
