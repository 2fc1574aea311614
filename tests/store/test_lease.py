"""Leases: a share for every server, by the clock of the database; and a model of them in every interleaving."""

from __future__ import annotations

from random import Random

import pytest

from punto.store import lease
from punto.store.lease import LEASE_MS, Standing, share_of, standing_of
from punto.store.store import Store
from tests.store.lease_model import Rules, World, check_goes_on, check_safe, explore

TABLES = tuple("abcdefg")


def test_every_interleaving_of_two_servers_keeps_each_step_once_and_lets_the_table_go_on() -> None:
    rules = Rules()

    def check(world: World) -> None:
        check_safe(world)
        check_goes_on(world, rules)

    assert explore(2, 1, rules, check) > 2_000


def test_without_versions_the_model_finds_a_step_that_is_kept_twice() -> None:
    with pytest.raises(AssertionError, match="kept twice"):
        explore(2, 1, Rules(has_versions=False), check_safe)


def test_without_an_end_of_leases_the_model_finds_a_table_that_stands_still() -> None:
    rules = Rules(has_expiry=False)
    with pytest.raises(AssertionError, match=r"no dealer|not even"):
        explore(2, 1, rules, lambda world: check_goes_on(world, rules))


def test_shares_become_even_from_wherever_they_are_and_stay() -> None:
    random = Random(5)
    for _ in range(300):
        servers = [f"s{n}" for n in range(random.randint(1, 5))]
        tables = [f"t{n}" for n in range(random.randint(0, 12))]
        holders = {table: random.choice([*servers, "gone"]) for table in tables if random.random() < 0.8}
        for _ in range(2):
            for server in random.sample(servers, len(servers)):
                share = share_of(server, servers, tables, holders)
                for table in share.given_up:
                    del holders[table]
                holders |= dict.fromkeys(share.taken, server)
        counts = [list(holders.values()).count(server) for server in servers]
        assert holders.keys() == set(tables) and max(counts) - min(counts) <= 1
        assert not any(any(share_of(server, servers, tables, holders)) for server in servers)


def beat(store: Store, name: str, **problems: str | None) -> Standing:
    with store.write() as transaction:
        return lease.beat(transaction, name, f"http://{name}", TABLES, problems)


def forward(store: Store, name: str, ms: int) -> None:
    """A server was last heard of so long ago."""
    with store.write() as transaction:
        transaction.connection.run("UPDATE servers SET seen_ms = seen_ms - ? WHERE name = ?", (ms, name))


def test_servers_share_the_tables_of_a_house(store: Store) -> None:
    assert beat(store, "one").held_by("one") == set(TABLES)
    assert beat(store, "two").held_by("two") == set()  # nothing is free yet
    first = beat(store, "one", a="no cards")
    assert len(first.share.given_up) == 3 and len(first.held_by("one")) == 4
    second = beat(store, "two")
    assert (len(second.held_by("one")), len(second.held_by("two"))) == (4, 3)
    assert {each.table: each.problem for each in second.leases}["a"] == "no cards"
    assert [server.url for server in second.servers] == ["http://one", "http://two"]
    forward(store, "one", LEASE_MS + 1_000)
    assert beat(store, "two").held_by("two") == set(TABLES), "what a server held that is gone is free"
    assert beat(store, "one").held_by("one") == set()
    with store.write() as transaction:
        assert lease.leave(transaction, "two")
    with store.read() as reader:
        assert standing_of(reader).leases == ()
    assert beat(store, "one").held_by("one") == set(TABLES)


def test_a_server_is_there_only_for_as_long_as_the_clock_of_the_database_says(store: Store) -> None:
    """Also where that clock was put back by an hour: nobody lives on because of it."""
    beat(store, "one")
    forward(store, "one", -3_600_000)
    with store.read() as reader:
        assert standing_of(reader).servers == ()
    assert beat(store, "two").held_by("two") == set(TABLES)
