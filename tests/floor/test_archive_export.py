"""Exports: what is written is everything, and what is read in is believed only if it fits together."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from punto import books
from punto.floor.archive import WrongExport, export_lines, import_table, session_lines
from punto.floor.loaded_table import BookCache, LoadedTable, load_table
from punto.refusal import Reason, Refusal
from punto.store.record import state_hash
from punto.store.store import Store, open_store
from punto.table import Table, evolved
from punto.table.dealing import DealCard
from punto.table.notation import parse_session, play_session
from tests.floor.house import House, accepted, reason


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A file is a file: one kind of database is enough here."""
    with open_store(str(tmp_path / "house.db")) as opened:
        yield opened


@pytest.fixture
def lines(house: House) -> list[str]:
    """The export of a table after a round and a half."""
    house.seat("Ann", "Ben")
    house.call()
    accepted(house.bet("Ann", 10_000, key="a key, in words"))
    house.bet("Ben", 20_001)
    house.finish()
    house.call()
    accepted(house.bet("Ben", 3_000, "player"))
    accepted(house.deal(DealCard))
    with house.store.read() as reader:
        return list(export_lines(reader, loaded(house, "t1")))


def loaded(house: House, id: str) -> LoadedTable:
    with house.store.read() as reader:
        stored = reader.table(id)
        assert stored is not None
        return load_table(reader, BookCache(), stored)


def read(house: House, lines: list[str], id: str = "t2") -> int | Refusal:
    return import_table(house.store, id, (line.encode() for line in lines), 5)


def test_an_import_is_the_same_table_and_cannot_go_on(house: House, lines: list[str]) -> None:
    assert read(house, lines) == house.version()
    assert state_hash(loaded(house, "t2").table.state) == state_hash(house.table().state)
    assert loaded(house, "t2").imported
    with house.store.read() as reader:
        again = list(export_lines(reader, loaded(house, "t2")))
        assert [json.loads(line)["event"] for line in again[1:]] == [json.loads(line)["event"] for line in lines[1:]]
        assert not any(name.startswith("play/t2") for name in reader.all_balances())
    assert reason(house.deal(DealCard, "t2")) is Reason.TABLE_IMPORTED
    assert read(house, lines) == Refusal(Reason.TABLE_EXISTS, None, {"table": "t2"})


@pytest.mark.gli("2.8.1")
def test_a_session_plays_again_to_the_same_state(house: House, lines: list[str]) -> None:
    assert len(lines) > 10
    with house.store.read() as reader:
        text = "\n".join(session_lines(reader, loaded(house, "t1"))) + "\n"
    table = Table(books.load("ez"))
    for step in play_session(parse_session(text), books.load):
        assert not isinstance(step.outcome, Refusal), step
        table = evolved(step.before, step.outcome)
    assert state_hash(table.state) == state_hash(house.table().state)


def _edit(place: int, change: Callable[[dict[str, Any]], object]) -> Callable[[list[str]], list[str]]:
    def edit(lines: list[str]) -> list[str]:
        changed = list(lines)
        entry = json.loads(changed[place])
        change(entry)
        changed[place] = json.dumps(entry)
        return changed

    return edit


DAMAGE: dict[str, tuple[Callable[[list[str]], list[str]], str]] = {
    "nothing": (lambda _: [], "line 1 is not the beginning"),
    "no header": (lambda lines: lines[1:], "line 1 is not the beginning"),
    "another format": (_edit(0, lambda head: head.update(v=2)), "not a punto-table of 1"),
    "another book": (_edit(0, lambda head: head["book"].update(title="Mine")), "another digest"),
    "no book": (_edit(0, lambda head: head.update(book={})), "the document of a book"),
    "a book that is none": (_edit(0, lambda head: head["book"].update(bets=[])), "line 1"),
    "another hash": (_edit(0, lambda head: head.update(hash="0" * 64)), "another state"),
    "too short": (lambda lines: lines[:-1], "ends at record"),
    "a gap": (lambda lines: [*lines[:4], *lines[5:]], "line 5 is not record 4"),
    "no record": (lambda lines: [*lines[:4], "{}", *lines[4:]], "line 5"),
    "no JSON": (lambda lines: [*lines[:4], "\x00", *lines[4:]], "line 5"),
    "opened twice": (lambda lines: [*lines[:2], lines[1].replace('"seq":1', '"seq":2')], "line 3"),
    "another card": (_edit(-1, lambda entry: entry["event"].update(card="KS", hand="banker")), "another|that"),
    "impossible": (
        lambda lines: [*lines[:2], lines[-1].replace(f'"seq":{len(lines) - 1}', '"seq":2')],
        "line 3: that cannot have happened there",
    ),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_what_does_not_fit_together_is_refused_and_leaves_nothing(house: House, lines: list[str], name: str) -> None:
    damage, words = DAMAGE[name]
    with pytest.raises(WrongExport, match=words):
        read(house, damage(lines))
    with house.store.read() as reader:
        assert reader.table("t2") is None
