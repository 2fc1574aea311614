"""Searching for rounds: what is found is what a slow reading of the whole log finds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from punto.audit import round_history as searching
from punto.audit.round_history import RoundHistory, RoundSearch, find_rounds, last_round, place_of, round_history
from punto.store.store import Store, open_store
from punto.table.irregularity_events import ClauseFound, ErrorFoundLate
from tests.audit.played import BEGIN, book_of, store_playthrough

SESSIONS = (
    "commission/cut-card-and-change-of-shoe",
    "commission/wrong-number-noticed-after-settlement",
    "insurance/error-found-late",
    "insurance/void-kinds",
    "knockout/ruling-gives-one-player-all-back",
)


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Store]]:
    folder = tmp_path_factory.mktemp("rounds")
    opened = [open_store(str(folder / f"{place}.db")) for place, _ in enumerate(SESSIONS)]
    for store, name in zip(opened, SESSIONS, strict=True):
        store_playthrough(store, name)
    yield opened
    for store in opened:
        store.close()


def histories(store: Store) -> list[RoundHistory]:
    found = []
    with store.read() as reader:
        tables = reader.tables()
        for table in tables:
            for round in range(1, last_round(reader, table) + 1):
                place = place_of(reader, table, round)
                assert place is not None
                found.append(round_history(reader, table, book_of(store, table.id), place))
    return sorted(found, key=lambda one: -one.happened[0].event.time)


def is_wanted(history: RoundHistory, search: RoundSearch) -> bool:
    """The slow way: from the story of the round."""
    call = history.happened[0].event.time
    events = [one.event for one in history.happened]
    stakes = [(step.player, step.change) for one in history.happened for step in one.stakes]
    players = {player for player, change in stakes if change > 0}
    wrong = {f"{x.finding.value}" for x in events if isinstance(x, ClauseFound)}
    wrong |= {x.clause for x in events if isinstance(x, ClauseFound) and x.clause}
    wrong |= {"found-late" for x in events if isinstance(x, ErrorFoundLate)}
    wrong |= {x.clause for x in events if isinstance(x, ErrorFoundLate) and x.clause}
    wrong |= {"void"} if history.void else set()
    wrong |= {"reversed"} if len(history.settlements) > 1 else set()
    if search.tables and history.table.id not in search.tables:
        return False
    if search.since is not None and call < search.since:
        return False
    if search.until is not None and call >= search.until:
        return False
    if search.player is not None and search.player not in players:
        return False
    if search.irregularity == "any":
        return bool(wrong)
    return search.irregularity is None or search.irregularity in wrong


@pytest.mark.parametrize("stretch", [3, 20_000])
def test_a_search_finds_what_a_slow_reading_finds(
    stores: list[Store], stretch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "STRETCH", stretch)
    hits = 0
    for store in stores:
        slow = histories(store)
        for player, oddity, since in product(
            (None, "Lee", "Kim", "Nobody"),
            (None, "any", "void", "reversed", "wrong-number", "5.1.2", "found-late"),
            (None, BEGIN + 9_000),
        ):
            search = RoundSearch(player=player, irregularity=oddity, since=since)
            with store.read() as reader:
                found = [(one.table, one.round) for one in find_rounds(reader, search)]
            assert found == [(one.table.id, one.place.round) for one in slow if is_wanted(one, search)], search
            hits += len(found)
    assert hits > 60


def test_amounts_are_those_of_one_player(stores: list[Store]) -> None:
    store = stores[-1]
    with store.read() as reader:
        everything = find_rounds(reader, RoundSearch())
        most = max(result.staked for one in everything for result in one.players.values())
        assert find_rounds(reader, RoundSearch(over=most * 100)) == []
        assert find_rounds(reader, RoundSearch(over=most - 1)) != []
        assert find_rounds(reader, RoundSearch(), 1) == everything[:1]
        assert find_rounds(reader, RoundSearch(tables=("other",))) == []
