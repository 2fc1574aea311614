"""What is published of a shoe: cards keep their places through errors, and snapshots lead to the shoe."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from punto.audit.shuffle import CHACHA20, ShoeCheck, ShoeRecord, check_shoe, order_of, stored_record
from punto.floor import floor as batch
from punto.floor.shoe import Seed
from punto.rules.authority import Role
from punto.store.store import open_store
from punto.table.betting import CloseBets
from punto.table.dealing import DealCard
from punto.table.house import LoadShoe
from punto.table.irregularity_case import Face, Place, Sighting
from punto.table.irregularity_events import Report, WithdrawEvidence
from tests.floor.house import House, accepted

PIT = Role.PIT_SUPERVISOR
UP = Sighting(card=None, lies=Place.TABLE, face=Face.UP)


def seed_of(table: str, shoe: int) -> Seed:
    return Seed(CHACHA20, sha256(f"{table}/{shoe}".encode()).digest())


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_store(str(tmp_path / "house.db")) as store, House(store, seed_of) as opened:
        yield opened


def recorded(house: House, shoe: int = 1) -> ShoeRecord | None:
    with house.store.read() as reader:
        stored = reader.table("t1")
        assert stored is not None
        return stored_record(reader, "t1", stored.version, shoe)


def checked(house: House, shoe: int = 1) -> ShoeCheck:
    """What the check will say once the seed is opened."""
    record = recorded(house, shoe)
    assert record is not None
    return check_shoe(replace(record, seed=seed_of("t1", shoe).secret.hex()))


def report(house: House, *cards: Sighting) -> None:
    """As older versions took it: cards of the shoe that left it wrongly."""
    house.tell(Report(actor="Sue", role=PIT, cards=cards))


def take_back(house: House, number: int) -> None:
    house.tell(WithdrawEvidence(actor="Sue", role=PIT, cards=(number,)))


def test_cards_keep_their_places_through_errors(house: House) -> None:
    order = order_of(CHACHA20, seed_of("t1", 1).secret, 8)
    house.open("t1", "insurance", burn="none")
    house.call()
    accepted(house.deal(CloseBets))
    for _ in range(3):
        accepted(house.deal(DealCard))
    report(house, Sighting(nth=3, lies=Place.SHOE), replace(UP, card=order[2]))
    record = recorded(house)
    assert record is not None
    assert [(placed.place, placed.card) for placed in record.dealt] == [
        (1, order[0]),
        (2, order[1]),
        (3, order[2]),
        (3, order[2]),
    ], "it never left the shoe, and then it did"
    report(house, replace(UP, card=order[3]))
    assert checked(house).matches
    assert checked(house).compared == 4
    take_back(house, 5)
    assert checked(house).matches
    take_back(house, 4)
    take_back(house, 3)
    house_cards = house.table().state.cards_out
    accepted(house.deal(DealCard))
    found = checked(house)
    assert found.matches, found.problems
    assert found.compared == house_cards + 1


def test_a_card_from_another_place_is_told(house: House) -> None:
    house.open("t1", burn="none")
    house.call()
    house.finish()
    record = recorded(house)
    assert record is not None
    opened = replace(record, seed=seed_of("t1", 1).secret.hex())
    first, second, *rest = record.dealt
    assert first.card is not second.card
    swapped = (replace(first, card=second.card), replace(second, card=first.card), *rest)
    assert check_shoe(replace(opened, dealt=swapped)).problems[0].startswith("place 1, round 1: ")
    assert check_shoe(opened).matches


def test_every_shoe_of_a_long_log_is_found(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """With snapshots everywhere, and with none."""
    monkeypatch.setattr(batch, "SNAPSHOT_EVERY", 3)
    house.open("t1", burn="none", behind_cut=396)
    for shoe in range(1, 5):
        accepted(house.deal(LoadShoe))
        while not _is_over(house):
            house.call()
            house.finish()
        assert recorded(house, shoe + 1) is None
    found: list[Any] = [recorded(house, shoe) for shoe in range(1, 5)]
    assert [record.shoe for record in found] == [1, 2, 3, 4]
    assert [record.seed is not None for record in found] == [True, True, True, False]
    assert all(check_shoe(record).matches for record in found[:3])
    with house.store.read() as reader:
        assert reader.state_at("t1", house.version()).shoe_number == 4
        monkeypatch.setattr(type(reader), "snapshot", lambda *_: None)
        again = [stored_record(reader, "t1", house.version(), shoe) for shoe in range(1, 5)]
    assert again == found


def _is_over(house: House) -> bool:
    state = house.table().state
    return state.last_round is not None and state.round >= state.last_round
