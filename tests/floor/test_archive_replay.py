"""Replaying exports: each format comes to the same hash, and whatever is changed in a file shows."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from random import Random

import pytest

from punto import books
from punto.floor.archive import Replayed, WrongExport, export_lines, replay_export, replay_session, session_lines
from punto.floor.loaded_table import BookCache, LoadedTable, load_table
from punto.floor.parquet import export_parquet, parquet_lines
from punto.rules.book import Book
from punto.store.reader import Reader
from punto.store.record import state_hash
from punto.store.store import Store, open_store
from tests.audit.played import store_playthrough

NAMES = (
    "commission/cut-card-and-change-of-shoe",
    "commission/seats-and-people",
    "insurance/wrong-side-put-right-after-settlement",
    "knockout/wrong-number-with-wagers",
    "ez/errors-are-ruled-on",
)


@pytest.fixture(scope="module", params=NAMES)
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    path: Path = tmp_path_factory.mktemp("replayed") / "house.db"
    with open_store(str(path)) as opened:
        store_playthrough(opened, request.param)
        yield opened


def loaded(reader: Reader) -> LoadedTable:
    stored = reader.table("t1")
    assert stored is not None
    return load_table(reader, BookCache(), stored)


def every_format(store: Store) -> tuple[list[bytes], bytes, str]:
    with store.read() as reader:
        table = loaded(reader)
        lines = [line.encode() for line in export_lines(reader, table)]
        session = "".join(f"{line}\n" for line in session_lines(reader, table))
        return lines, export_parquet(reader, table), session


def test_every_format_comes_to_the_hash_of_the_stored_table(store: Store) -> None:
    lines, parquet, session = every_format(store)
    with store.read() as reader:
        stored, table = reader.table("t1"), loaded(reader)
        assert stored is not None
    came = [replay_export(lines), replay_export(parquet_lines(BytesIO(parquet))), replay_session(session, books.load)]
    for one in came:
        assert one == Replayed(
            True, stored.version, stored.head.hex(), state_hash(table.table.state), "t1", stored.digest, ()
        )


def test_whatever_is_changed_in_a_file_shows(store: Store) -> None:
    lines, _, _ = every_format(store)
    random, wrong, different = Random("changed"), 0, 0
    for _ in range(60):
        changed = [bytearray(line) for line in lines]
        line = changed[random.randrange(1, len(changed))]
        place = random.randrange(len(line))
        line[place] = (line[place] + random.randrange(1, 5)) % 128
        try:
            came = replay_export([bytes(line) for line in changed])
        except WrongExport:
            wrong += 1
        else:
            assert not came.is_same
            different += 1
    assert wrong and different


def test_a_file_that_is_cut_short_or_swapped(store: Store) -> None:
    lines, _, _ = every_format(store)
    assert not replay_export(lines[:-1]).is_same
    with pytest.raises(WrongExport, match="is not record"):
        replay_export([lines[0], lines[1], lines[3], lines[2], *lines[4:]])
    with pytest.raises(WrongExport, match="line 1 is not the beginning"):
        replay_export([])
    with pytest.raises(WrongExport, match="not the Parquet file"):
        list(parquet_lines(BytesIO(b"PAR1 and nothing else")))


def test_a_session_that_was_changed(store: Store) -> None:
    _, _, session = every_format(store)
    head, _, rest = session.partition("\n")
    first, second, *others = rest.splitlines()
    shorter = "\n".join([head, first, second, *others[:-1]]) + "\n"
    assert not replay_session(shorter, books.load).is_same
    refused = replay_session("\n".join([head, first, first, second, *others]) + "\n", books.load)
    assert "line 3 was accepted then and is refused now" in refused.differences[0]
    with pytest.raises(WrongExport, match="does not say what"):
        replay_session(rest, books.load)
    with pytest.raises(WrongExport, match="line 2"):
        replay_session(f"{head}\nnonsense here\n", books.load)


def test_another_book_of_the_same_name_is_not_believed(store: Store) -> None:
    _, _, session = every_format(store)

    def another(name: str) -> Book:
        return books.load("easy-six" if name != "easy-six" else "ez")

    with pytest.raises(WrongExport, match="it was played by a book with the digest"):
        replay_session(session, another)
