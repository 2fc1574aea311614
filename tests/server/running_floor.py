"""Starts a floor in this process, with cheap passwords, and logs people in."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from threading import Thread
from typing import Any

import httpx
import httpx._transports.default as transports
import msgspec
import uvicorn
from argon2 import PasswordHasher

from punto.books import load
from punto.client import Client, Refused
from punto.floor import password
from punto.floor.floor import Floor
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.server.app import LARGEST_FRAME, application
from punto.server.app_state import AppState
from punto.server.floor_protocol import FloorProtocol, StreamProtocol
from punto.server.serving import listen
from punto.server.settings import Settings
from punto.store.people import set_roles
from punto.store.record import StoredAccount, StoredPerson
from punto.store.seal import Seal
from punto.store.store import Store, open_store
from punto.table.house import OpenTable
from punto.table.terms import default_terms

transports.create_ssl_context = cache(httpx.create_ssl_context)  # type: ignore[attr-defined]
"""A call by httpx alone reads every certificate of the world first; floors here speak without them."""

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
PASSWORD = "correct horse"
PEOPLE: dict[str, tuple[Role, ...]] = {
    "Lee": (Role.PLAYER,),
    "Kim": (Role.PLAYER,),
    "Dan": (Role.DEALER,),
    "Sue": (Role.PIT_SUPERVISOR,),
    "Mia": (Role.PIT_MANAGER,),
    "Rob": (Role.SHIFT_MANAGER,),
    "Cas": (Role.CASHIER,),
    "Aud": (Role.AUDITOR,),
    "Ada": (Role.ADMINISTRATOR,),
    "Eve": (Role.ADMINISTRATOR,),
    "Max": (Role.PLAYER, Role.DEALER),
    "Non": (),
}
"""Who can log in, and as what."""


class RunningFloor:
    """A floor that runs in this process."""

    def __init__(self, url: str, app_state: AppState, store: Store) -> None:
        self.url, self.app_state, self.store = url, app_state, store
        self._clients: dict[str, Client] = {}
        self._opened: list[Client] = []
        self._names = iter(range(1, 10**6))
        self.errors: list[str] = []
        """Everything that was logged as an error: nothing may be, whatever clients send."""

    def client(self, name: str) -> Client:
        """Somebody who has logged in; the same one every time."""
        if name not in self._clients:
            self._clients[name] = self.fresh_client(name)
        return self._clients[name]

    def fresh_client(self, name: str) -> Client:
        """Somebody who has just logged in."""
        made = Client(self.url)
        self._opened.append(made)
        found = made.log_in(name, PASSWORD)
        assert not isinstance(found, Refused), found
        return made

    def new_table(self, book: str = "commission", **terms: Any) -> str:
        """A new table; terms are those of the book unless named."""
        id = f"t{next(self._names)}"
        found = load(book)
        agreed = msgspec.structs.replace(default_terms(found), **terms)
        command = OpenTable(actor="Rob", role=Role.SHIFT_MANAGER, time=self.app_state.now(), terms=agreed)
        answer = self.app_state.floor.open_table(id, found, command)
        assert not isinstance(answer, Refusal), answer
        return id

    def version(self, table: str) -> int:
        """The version of a table, by the store."""
        loaded = self.app_state.floor.table(table)
        assert loaded is not None
        return loaded.version

    def set_password(self, name: str) -> None:
        """Give somebody the usual password."""
        with self.store.write() as transaction:
            transaction.set_person(StoredPerson(name, None, None, CHEAP.hash(PASSWORD)), "house", 0)

    def close(self) -> None:
        for client in self._opened:
            client.close()


@contextmanager
def running_floor(
    database: str, people: Mapping[str, tuple[Role, ...]] = PEOPLE, **settings: Any
) -> Iterator[RunningFloor]:
    """A floor on this database until the end, with these people."""
    before, password._hasher = password._hasher, CHEAP
    try:
        with open_store(database) as store, Floor(store, Seal(b"k" * 32)) as floor:
            _add_people(store, people)
            made = Settings(**{"database": database, "rate": 1e6, **settings})
            app_state = AppState(made, store, floor)
            with _served(app_state) as url:
                running = RunningFloor(url, app_state, store)
                listening = _Listening(running.errors)
                logging.getLogger().addHandler(listening)
                try:
                    yield running
                finally:
                    logging.getLogger().removeHandler(listening)
                    running.close()
        assert running.errors == [], running.errors
    finally:
        password._hasher = before


OURS = ("punto", "uvicorn")
"""Who logs for the server; a test may have loops of its own."""


class _Listening(logging.Handler):
    """Keeps what is logged as an error."""

    def __init__(self, errors: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._errors = errors

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.startswith(OURS):
            self._errors.append(f"{record.name}: {record.getMessage()} {record.exc_info}")


def _add_people(store: Store, people: Mapping[str, tuple[Role, ...]]) -> None:
    hashed = CHEAP.hash(PASSWORD)
    with store.write() as transaction:
        for name, roles in people.items():
            if transaction.account(name) is None:
                transaction.add_account(StoredAccount(name, "USD", 0))
                transaction.set_person(StoredPerson(name, None, None, hashed), "house", 0)
                set_roles(transaction, name, roles, "house", 0)


@contextmanager
def _served(app_state: AppState) -> Iterator[str]:
    listener = listen(msgspec.structs.replace(app_state.settings, host="127.0.0.1", port=0))
    config = uvicorn.Config(
        application(app_state),
        http=FloorProtocol,
        ws=StreamProtocol,
        log_config=None,
        lifespan="on",
        ws_max_size=LARGEST_FRAME,
        timeout_graceful_shutdown=2,
    )
    server = uvicorn.Server(config)
    thread = Thread(target=lambda: asyncio.run(server._serve([listener])), daemon=True)
    thread.start()
    port = listener.getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(60)
        listener.close()
