"""A house on one PostgreSQL with several `punto serve`, each to be stopped, paused, killed and started again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from punto import books
from punto.client import Client, Refused
from punto.dealer.bot import BOTS
from punto.floor.desk import Desk
from punto.floor.floor import DealtBy, Floor, TableRun, keep_table_run
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.store.lease import Standing, standing_of
from punto.store.people import set_roles
from punto.store.record import StoredAccount, StoredPerson
from punto.store.seal import Seal
from punto.store.store import open_store
from punto.table.header import Person
from punto.table.house import OpenTable
from punto.table.terms import default_terms
from tests.server.running_floor import CHEAP, PASSWORD, PEOPLE

KEY = "6b" * 32
COMMAND = """
import sys, time
machine, apart = time.time_ns, int(sys.argv.pop(1)) * 1_000_000
time.time_ns = lambda: machine() + apart
from punto.cli.main import main
main()
"""
"""`punto` with a clock that is put by so many milliseconds."""
RICH = 10**12


def now() -> int:
    return time.time_ns() // 1_000_000


def found_house(database: str, automatic: int, by_hand: int = 0, bots: int = 2) -> tuple[list[str], list[str]]:
    """People, and tables of all books in turn: those with an automatic dealer and bots, and those with a dealer."""
    ids = [f"auto-{n}" for n in range(automatic)], [f"hand-{n}" for n in range(by_hand)]
    hashed = CHEAP.hash(PASSWORD)
    with open_store(database) as store, Floor(store, Seal(bytes.fromhex(KEY))) as floor:
        with store.write() as transaction:
            for name, roles in PEOPLE.items():
                transaction.add_account(StoredAccount(name, "USD", 0))
                transaction.set_person(StoredPerson(name, None, None, hashed), "house", 0)
                set_roles(transaction, name, roles, "house", 0)
        for name in ("Lee", "Kim"):
            assert not isinstance(Desk(store).buy_in(name, RICH, Person("Cas", Role.CASHIER), now()), Refusal)
        for n, id in enumerate((*ids[0], *ids[1])):
            book = books.load(books.NAMES[n % len(books.NAMES)])
            opening = OpenTable(actor="Rob", role=Role.SHIFT_MANAGER, time=now(), terms=default_terms(book))
            assert not isinstance(floor.open_table(id, book, opening), Refusal)
            if id in ids[0]:
                with store.write() as transaction:
                    run = TableRun(DealtBy.AUTOMATIC, bots=tuple(BOTS)[:bots])
                    keep_table_run(transaction, id, run, "Rob", now())
    return ids


class HouseServer:
    """One `punto serve` of a house."""

    def __init__(self, house: ServedHouse, number: int, apart_ms: int = 0, key: str = KEY) -> None:
        self._house, self._apart, self._key = house, apart_ms, key
        self._home = house.folder / f"server-{number}"
        self._home.mkdir(exist_ok=True)
        self.process: subprocess.Popen[str] | None = None
        self.code: Path | None = None  # Where another version of the software is.
        self.url = ""
        self._clients: dict[str, Client] = {}

    def start(self) -> None:
        """Start it, and wait until it listens; at the same address as before."""
        port = self.url.rpartition(":")[2] or "0"
        command = [sys.executable, "-c", COMMAND, str(self._apart), "serve", "--json", "--no-browser", "--port", port]
        command += ["--database", self._house.database, *self._house.options]
        home = {"HOME": str(self._home), "XDG_CONFIG_HOME": str(self._home / "config"), "PUNTO_KEY": self._key}
        if self.code is not None:
            home["PYTHONPATH"] = str(self.code)
        with (self._home / "log").open("a") as log:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, env={**os.environ, **home}
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, f"it did not start: {self.log()[-2000:]}"
        self.url = json.loads(line)["url"]

    def log(self) -> str:
        return (self._home / "log").read_text()

    def client(self, name: str) -> Client:
        """Somebody at this server, with the session that they have at all of them."""
        if name not in self._clients:
            made = self._clients[name] = Client(self.url)
            made.http.headers["authorization"] = f"Bearer {self._house.token(name, self)}"
        return self._clients[name]

    def send(self, number: int) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def end(self, number: int = signal.SIGKILL) -> int:
        """End it by this signal; its exit status."""
        assert self.process is not None
        self.send(number)
        status = self.process.wait(60)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.process = None
        return status

    def close(self) -> None:
        for client in self._clients.values():
            client.close()
        if self.process is not None:
            self.end()


class ServedHouse:
    def __init__(self, folder: Path, database: str, *options: str) -> None:
        self.folder, self.database, self.options = folder, database, options
        self.servers: list[HouseServer] = []
        self._tokens: dict[str, str] = {}

    def token(self, name: str, server: HouseServer) -> str:
        if name not in self._tokens:
            with Client(server.url) as client:
                found = client.log_in(name, PASSWORD)
            assert not isinstance(found, Refused), found
            self._tokens[name] = found.token
        return self._tokens[name]

    def standing(self) -> Standing:
        """Who is there, and who holds what."""
        with open_store(self.database) as store, store.read() as reader:
            return standing_of(reader)

    def holders(self) -> dict[str, str]:
        """The address of the server that deals at each table, where it is there."""
        standing = self.standing()
        there = {server.name: server.url for server in standing.servers}
        return {lease.table: there[lease.holder] for lease in standing.leases if lease.holder in there}

    def versions(self) -> dict[str, int]:
        with open_store(self.database) as store, store.read() as reader:
            return {table.id: table.version for table in reader.tables()}


@contextmanager
def served_house(
    folder: Path, database: str, servers: int, *options: str, apart_ms: Sequence[int] = ()
) -> Iterator[ServedHouse]:
    """Servers of a house that was founded; their clocks are apart by so much."""
    house = ServedHouse(folder, database, *options)
    try:
        for n in range(servers):
            house.servers.append(HouseServer(house, n, apart_ms[n] if n < len(apart_ms) else 0))
            house.servers[-1].start()
        yield house
    finally:
        for server in house.servers:
            server.close()


def wait_until(is_so: Any, *arguments: Any) -> None:
    """However long it takes; a test that hangs is seen."""
    while not is_so(*arguments):
        time.sleep(0.02)


def spread(holders: Mapping[str, str], urls: Sequence[str]) -> list[int]:
    """How many tables each server has."""
    return [sum(holder == url for holder in holders.values()) for url in urls]
