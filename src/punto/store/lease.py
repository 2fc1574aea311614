"""Which servers run on a database, and which of them deals at which table: leases.

A server says once a second that it is there, by the clock of the database, and looks in the same transaction at who
else is. One that has said nothing for a few seconds is gone, whatever happened to it, and what it held is free. Every
server works out its own share from the same rows: tables are spread so evenly that no server has two more than
another. Whoever has more than its share gives the rest up; whoever has less takes what is free. Whoever stops gives
everything up at once.

Of a server that is gone nobody knows whether it will come back in the middle of a transaction, with tables locked:
others end its transactions. A lease saves work, no more. Two servers that both believe to hold one do no harm: a step
is decided in the transaction that writes it, on the table as it is then, and a table is held by one transaction at a
time.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from punto.store.connection import placeholders
from punto.store.reader import Reader
from punto.store.transaction import Transaction

LEASE_MS = 3_000  # A server that has said nothing for this long is gone.
BEAT_S = 1.0  # How often a server says that it is there.
FORGOTTEN_MS = 60_000  # A server that is gone this long is forgotten.


class RunningServer(NamedTuple):
    """A server as the others know it."""

    name: str
    url: str
    seen_ms: int  # When it was last heard of, by the clock of the database.

    def is_there(self, now: int) -> bool:
        """Whether it was heard of; a clock of the database that was put back must not keep one alive for ever."""
        return abs(now - self.seen_ms) <= LEASE_MS


class Lease(NamedTuple):
    table: str
    holder: str  # The name of a server.
    problem: str | None = None  # Why the dealer cannot go on, as its holder says.


class Share(NamedTuple):
    """What a server changes to have its share of the tables."""

    given_up: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()


class Standing(NamedTuple):
    """How things stood when a server last said that it is there."""

    now: int  # The time of the database.
    servers: tuple[RunningServer, ...]  # Those that are there, by name.
    leases: tuple[Lease, ...]
    share: Share = Share()

    def held_by(self, server: str) -> frozenset[str]:
        return frozenset(lease.table for lease in self.leases if lease.holder == server)


def share_of(me: str, servers: Collection[str], tables: Sequence[str], holders: Mapping[str, str]) -> Share:
    """What a server that is there gives up and takes. The first servers by name have the tables that are left over.

    >>> share_of("a", ["a", "b"], ["1", "2", "3"], {})
    Share(given_up=(), taken=('1', '2'))
    >>> share_of("b", ["a", "b"], ["1", "2", "3"], {"1": "b", "2": "b", "3": "gone"})
    Share(given_up=('2',), taken=())
    """
    names = sorted(servers)
    least, over = divmod(len(tables), len(names))
    due = least + (names.index(me) < over)
    mine = [table for table in tables if holders.get(table) == me]
    free = [table for table in tables if holders.get(table) not in names]
    return Share(tuple(mine[due:]), tuple(free[: max(0, due - len(mine))]))


def beat(
    transaction: Transaction, name: str, url: str, tables: Sequence[str], problems: Mapping[str, str | None]
) -> Standing:
    """Say that a server is there, and have it hold its share of these tables; how things stand then.

    `problems` says of tables that it holds why their dealers cannot go on.
    """
    connection = transaction.connection
    if gone := _gone(transaction, name):
        connection.end_transactions(gone)  # also where one of them holds what is locked next
    connection.lock("leases")
    now = database_time(transaction)
    connection.put("servers", ["name"], {"name": name, "url": url, "seen_ms": now})
    connection.run("DELETE FROM servers WHERE abs(seen_ms - ?) > ?", (now, FORGOTTEN_MS))
    standing = standing_of(transaction, now)
    holders = {lease.table: lease.holder for lease in standing.leases}
    share = share_of(name, [server.name for server in standing.servers], tables, holders)
    _remove(transaction, [*share.given_up, *(holders.keys() - set(tables))])
    for table in share.taken:
        connection.put("leases", ["table_id"], {"table_id": table, "holder": name, "problem": None})
    told = {lease.table: lease.problem for lease in standing.leases if lease.holder == name}
    changed = [(problem, table, name) for table, problem in problems.items() if told.get(table, problem) != problem]
    connection.many("UPDATE leases SET problem = ? WHERE table_id = ? AND holder = ?", changed)
    return standing_of(transaction, now)._replace(share=share)


def _gone(transaction: Transaction, name: str) -> list[str]:
    """Other servers that have said nothing for too long, and have not left."""
    now = database_time(transaction)
    rows = transaction.connection.all("SELECT name, url, seen_ms FROM servers WHERE name <> ?", (name,))
    return [server.name for row in rows if not (server := RunningServer(*row)).is_there(now)]


def leave(transaction: Transaction, name: str) -> bool:
    """A server stops: what it held is free at once. Whether it held anything."""
    transaction.connection.lock("leases")
    transaction.connection.run("DELETE FROM servers WHERE name = ?", (name,))
    return transaction.connection.run("DELETE FROM leases WHERE holder = ?", (name,)) > 0


def _remove(transaction: Transaction, tables: Sequence[str]) -> None:
    if tables:
        transaction.connection.run(f"DELETE FROM leases WHERE table_id IN ({placeholders(len(tables))})", tables)


def database_time(reader: Reader) -> int:
    """The time by the clock of the database, in milliseconds."""
    [(now,)] = reader.connection.all(f"SELECT {reader.connection.clock}")
    return int(now)


def standing_of(reader: Reader, now: int | None = None) -> Standing:
    """Which servers are there, and who holds what."""
    now = database_time(reader) if now is None else now
    rows = reader.connection.all("SELECT name, url, seen_ms FROM servers ORDER BY name")
    servers = [server for row in rows if (server := RunningServer(*row)).is_there(now)]
    leases = reader.connection.all("SELECT table_id, holder, problem FROM leases ORDER BY table_id")
    return Standing(now, tuple(servers), tuple(Lease(*row) for row in leases))
