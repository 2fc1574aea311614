"""Serving: opens the store and the floor, listens, and stops in good order when it is told to."""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from types import FrameType

import msgspec
import uvicorn

from punto.dealer import BOTS, Pace
from punto.floor.floor import Floor
from punto.floor.running.run import DealtBy, TableRun, pace_of_seconds
from punto.server.app import application
from punto.server.demonstration import DemonstrationLogin, buy_chips, demonstration_logins, open_tables
from punto.server.hall import Hall
from punto.server.http.strict import LARGEST_BODY
from punto.server.log import start_log
from punto.server.settings import Settings, WrongSetting
from punto.server.shelf import house_books
from punto.store.access.roles import administrators
from punto.store.running.lock import held
from punto.store.store import open_store

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
BETS_PER_CARD = 20
"""How many times longer bets are open than it takes from card to card, where nothing else is said."""
DEMONSTRATED = TableRun(DealtBy.AUTOMATIC, bots=tuple(BOTS)[:3])
"""How the tables of the demonstration are run."""
STOPPING_S = 5
"""Seconds that requests and streams have to end."""
COLLECT_EVERY = 20_000
"""Objects that are made and not freed before the garbage collector looks at them."""


class Serving(msgspec.Struct, frozen=True):
    """What whoever starts a server is told."""

    url: str
    database: str
    logins: list[DemonstrationLogin]


def serve(settings: Settings, told: Callable[[Serving], None]) -> None:
    """Serve until SIGTERM or SIGINT; what is in hand is finished. `told` is called once the port is open."""
    start_log(settings.log)
    with ExitStack() as stack:
        listener = stack.enter_context(_listen(settings))
        stack.enter_context(held(settings.address, _url(listener)))
        store = stack.enter_context(open_store(settings.address))
        floor = stack.enter_context(Floor(store))
        now = time.time_ns() // 1_000_000
        logins: list[DemonstrationLogin] = []
        hall = Hall(settings, store, floor, house_pace(settings))
        if settings.is_demonstration:
            logins = demonstration_logins(store, settings.address.path, now)
            buy_chips(store, DEMONSTRATED.bots, now)
            for table in open_tables(floor, list(house_books(settings.books).values()), now):
                hall.house.run_table(table, DEMONSTRATED)
        else:
            with store.read() as reader:
                if not administrators(reader):
                    raise WrongSetting(
                        "nobody could log in: make an administrator first with "
                        "punto people new NAME --role administrator"
                    )
        server = FloorServer(_config(hall))
        # Whoever is told that it runs may tell it to stop at once.
        with server.capture_signals():
            _settle_memory()
            told(Serving(_url(listener), str(settings.address), logins))
            with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
                runner.run(server.serve(sockets=[listener]))
    if server.was_interrupted:
        raise KeyboardInterrupt


def _settle_memory() -> None:
    """What is loaded by now stays for good: the garbage collector passes it over, and comes less often.

    Requests leave almost nothing behind that only the collector could free, but it cost each of them a tenth
    of its time.
    """
    gc.freeze()
    gc.set_threshold(COLLECT_EVERY, *gc.get_threshold()[1:])


class FloorServer(uvicorn.Server):
    """A server that stops in good order at a signal; uvicorn's own would end the process with it."""

    was_interrupted = False
    """Somebody pressed Ctrl-C."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {number: signal.signal(number, self._stop) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _stop(self, number: int, _: FrameType | None) -> None:
        self.force_exit = self.should_exit and number == signal.SIGINT
        self.should_exit = True
        self.was_interrupted = self.was_interrupted or number == signal.SIGINT


def house_pace(settings: Settings) -> Pace:
    """The pace of automatic dealers."""
    pace = pace_of_seconds(BETS_PER_CARD * settings.pace)
    if settings.bets is None:
        return pace
    bets = int(settings.bets * 1000)
    return replace(pace, bets=bets, antes=bets, insurance=bets, squeeze=bets, options=bets, draw=bets)


def _config(hall: Hall) -> uvicorn.Config:
    return uvicorn.Config(
        application(hall),
        log_config=None,
        access_log=False,
        server_header=False,
        ws_max_size=LARGEST_BODY,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=STOPPING_S,
        proxy_headers=bool(hall.settings.proxies),
        forwarded_allow_ips=list(hall.settings.proxies),
        lifespan="on",
    )


def _listen(settings: Settings) -> socket.socket:
    """The open port."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((settings.host, settings.port))
        found.listen(1024)
    except OSError as error:
        found.close()
        where = f"{settings.host} port {settings.port}"
        raise WrongSetting(
            f"{where} cannot be listened on: {(error.strerror or str(error)).lower()}"
        ) from None
    found.setblocking(False)
    return found


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"
