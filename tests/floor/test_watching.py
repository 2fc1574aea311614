"""A table that is followed some time later: nothing of it is younger than the moment; what is private never shows."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from punto.floor.loaded_table import BookCache
from punto.floor.watching import DelayedTable, is_for_guests, version_before
from punto.rules.authority import Role
from punto.table.dealing import DealCard
from punto.table.house import ChangeTerms, PauseTable, ResumeTable
from punto.table.state import Phase
from tests.floor.house import House, accepted


def at(house: House, moment: int) -> DelayedTable:
    with house.store.read() as reader:
        stored = reader.table("t1")
        assert stored is not None
        return DelayedTable.at(reader, BookCache(), stored, moment)


def go_on(house: House, delayed: DelayedTable, moment: int) -> int:
    """Follow the log up to a moment; how many events that added."""
    with house.store.read() as reader:
        change = delayed.advance(reader, moment)
    return 0 if change is None else len(change.records)


def change_terms(house: House, **terms: Any) -> None:
    changed = replace(house.table().terms, **terms)
    accepted(house.deal(ChangeTerms, by="Rob", role=Role.SHIFT_MANAGER, terms=changed))


def test_a_table_is_followed_event_by_event_and_never_ahead(house: House) -> None:
    house.time = 1_000
    house.call()
    house.finish()
    times = [record.event.time for record in _records(house)]
    delayed = at(house, 0)
    assert delayed.loaded.version == 0 and not delayed.is_shown
    for moment in range(1_000, house.time + 3):
        go_on(house, delayed, moment)
        assert not delayed.is_due(house.version(), moment)
        assert delayed.loaded.version == sum(time < moment for time in times)
        with house.store.read() as reader:
            stored = reader.table("t1")
            assert stored is not None and version_before(reader, stored, moment) == delayed.loaded.version
            assert delayed.loaded.table.state == reader.state_at("t1", delayed.loaded.version)
    assert not delayed.is_due(house.version(), house.time + 3)


def test_an_event_that_is_younger_holds_up_those_behind_it(house: House) -> None:
    """Commands of two servers can be kept in another order than that of their times."""
    house.time = 5_000
    accepted(house.deal(PauseTable, by="Sue", role=Role.PIT_SUPERVISOR))
    house.time = 2_000
    accepted(house.deal(ResumeTable, by="Sue", role=Role.PIT_SUPERVISOR))
    early = at(house, 4_000)
    assert early.loaded.version == house.version() - 2 and go_on(house, early, 5_001) == 0
    assert not early.is_due(house.version(), 5_001), "the time of the next event is known"
    assert early.is_due(house.version(), 5_002) and go_on(house, early, 5_002) == 2


def test_much_is_read_some_at_a_time(house: House, monkeypatch: Any) -> None:
    monkeypatch.setattr("punto.floor.watching.LOOKED_AT", 3)
    house.call()
    house.finish()
    delayed, last = at(house, 0), house.version()
    steps = [go_on(house, delayed, 10**6) for _ in range(last)]
    assert max(steps) == 3 and sum(steps) == last == delayed.loaded.version


def test_a_round_that_was_private_does_not_show_when_the_table_is_not_any_more(house: House) -> None:
    change_terms(house, private=True)
    house.call()
    house.finish()
    assert not is_for_guests(house.table().state)
    change_terms(house, private=False)
    state = house.table().state
    assert state.phase is Phase.IDLE and state.player, "its cards still lie there"
    assert not is_for_guests(state)
    house.call()
    assert is_for_guests(house.table().state)
    accepted(house.deal(DealCard))
    assert is_for_guests(house.table().state)


def _records(house: House) -> list[Any]:
    with house.store.read() as reader:
        return reader.records("t1")
