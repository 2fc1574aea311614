"""What subscribers of a floor are told: every event once, in order, after it is durable."""

from __future__ import annotations

from collections.abc import Sequence

from punto.floor.loaded_table import Change
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.table.betting import PlaceBet
from punto.table.house import TakeSeat
from tests.floor.house import House, accepted


def test_every_event_is_told_once_and_in_order_when_it_can_be_read(house: House) -> None:
    told: dict[str, list[int]] = {}
    problems: list[str] = []

    def note(changes: Sequence[Change]) -> None:
        for change in changes:
            with house.store.read() as reader:
                stored = reader.table(change.table)
            if stored is None or stored.version < change.after.version:
                problems.append(f"{change.table} was told before it was durable")
            told.setdefault(change.table, []).extend(record.seq for record in change.records)
            states = [state for state, _ in change.steps()]
            if states[0] != change.before.table.state:
                problems.append("the steps begin elsewhere")
            last = change.records[-1].event.fold(states[-1])
            if last != change.after.table.state:
                problems.append("the steps lead elsewhere")

    house.floor.subscribe(note)
    house.open("t2")
    house.seat("Ann", "Ben")
    house.seat("Cat", id="t2")
    house.call()
    house.call("t2")
    waiting = [
        house.floor.submit(id, PlaceBet(actor=name, role=Role.PLAYER, box=box, area="banker", amount=1_000, round=1))
        for _ in range(10)
        for id, name, box in (("t1", "Ann", 1), ("t2", "Cat", 1), ("t1", "Ben", 2))
    ]
    assert not any(isinstance(future.result(), Refusal) for future in waiting)
    assert problems == []
    assert told["t1"] == list(range(2, house.version() + 1)), "the table was open before anybody listened"
    assert told["t2"] == list(range(1, house.version("t2") + 1))


def test_whoever_fails_takes_nothing_from_the_others(house: House) -> None:
    told: list[str] = []

    def fail(_: Sequence[Change]) -> None:
        raise RuntimeError("this one has fallen over")

    house.floor.subscribe(fail)
    end = house.floor.subscribe(lambda changes: told.extend(change.table for change in changes))
    accepted(house.ask(TakeSeat, "Ann", box=1))
    assert told == ["t1"]
    end()
    accepted(house.ask(TakeSeat, "Ben", box=2))
    assert told == ["t1"]


def test_a_refusal_is_no_change(house: House) -> None:
    told: list[Change] = []
    house.floor.subscribe(told.extend)
    assert isinstance(house.ask(TakeSeat, "Ann", box=99), Refusal)
    assert told == []
