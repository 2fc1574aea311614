"""Serving: opens the store and the floor, listens, logs, and stops in good order when it is told to.

The port is opened first, and little is loaded before that. At the very first start of a demonstration its
passwords are drawn and hashed while everything else is loaded and made.
"""

from __future__ import annotations

import gc
import json
import logging
import resource
import socket
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

import msgspec

from punto.books import NAMES as BUILT_IN
from punto.books import load
from punto.refusal import Refusal
from punto.server.drawn_logins import DemonstrationLogin, DrawnLogins, logins_file
from punto.server.settings import Settings, WrongSetting
from punto.store.server_lock import in_use

if TYPE_CHECKING:
    from punto.server.app_state import AppState
    from punto.store.connection import Address
    from punto.store.store import Store


_KNOWN = frozenset(logging.LogRecord("", 0, "", 0, "", (), None).__dict__) | {"message", "color_message"}


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line: dict[str, object] = {
            "time": f"{moment}.{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {name: value for name, value in record.__dict__.items() if name not in _KNOWN}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def start_log(level: str) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "websockets", "alembic", "asyncio"):
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # strangers who send nonsense fill no log


_log = logging.getLogger("punto.server")

COLLECT_EVERY = 20_000  # Objects that are made and not freed before the garbage collector looks at them.
OPEN_FILES = 65_536  # Open files that a server wants to be allowed: every connection is one.
SEND_BUFFER = 64 * 1024
"""Bytes that the system keeps for a connection. With its own choice of several megabytes, it would take
thousands of events until anybody notices that a client does not read."""


class Serving(msgspec.Struct, frozen=True):
    """What whoever starts a server is told."""

    url: str
    database: str
    logins: list[DemonstrationLogin]
    has_administrator: bool = True  # Whether somebody can log in who adds the others.
    metrics_port: int | None = None  # Where /metrics is, on a port of its own.
    entry: str | None = None  # In a demonstration: the address that lets in as the player, once.
    has_pages: bool = True  # Whether they have been built; a checkout begins without them.


def serve(settings: Settings, tell: Callable[[Serving], None]) -> None:
    """Serve until SIGTERM or SIGINT; what is in hand is finished. `tell` is called once the port is open."""
    start_log(settings.log)
    if settings.demonstration and not settings.is_demonstration:
        raise WrongSetting("there are demonstrations only on 127.0.0.1, with SQLite and without a proxy")
    check_book_files(settings.books)
    if settings.is_proxy_unnamed:
        _log.warning("without --proxies everybody behind a proxy counts as one address when log-ins fail")
    allow_open_files()
    with ExitStack() as stack:
        stack.callback(gc.enable)
        gc.disable()  # what is loaded and made from here on stays
        listener = stack.enter_context(listen(settings))
        key = stack.enter_context(in_use(settings.address, _url(listener)))
        drawn, address = None, settings.address
        if settings.is_demonstration and not (address.path.exists() and address.path.stat().st_size):
            drawn = DrawnLogins()  # nothing was ever written to the file: the first start
            stack.callback(drawn.close)
        was_interrupted = _serve_on(listener, settings, drawn, tell, key)
    if was_interrupted:
        raise KeyboardInterrupt


def _serve_on(
    listener: socket.socket,
    settings: Settings,
    drawn: DrawnLogins | None,
    tell: Callable[[Serving], None],
    key: str | None,
) -> bool:
    """Serve on an open port; whether somebody pressed Ctrl-C."""
    # Loaded here, while passwords are hashed.
    from punto.floor.floor import Floor
    from punto.server.app import built_pages, floor_server
    from punto.server.app_state import AppState, house_pace
    from punto.server.demonstration import demonstration_logins, entry_address, is_demonstration, open_demonstration
    from punto.server.metrics import metrics_port
    from punto.server.telemetry import traces_of
    from punto.store.store import open_store

    with traces_of() as traces, open_store(settings.address) as store, Floor(store) as floor:
        floor.check_key()
        app_state, now = AppState(settings, store, floor, house_pace(settings)), time.time_ns() // 1_000_000
        if traces is not None:
            app_state.trace(traces)
        app_state.command_line_key = key
        is_house = not settings.is_demonstration or not is_demonstration(store, settings)
        if not is_house:
            open_demonstration(app_state, now)
        elif not settings.is_demonstration:
            _check_people(app_state)
        floor.check_put_back()  # before anybody is served, and after everything that may refuse to touch it
        server, logins = floor_server(app_state), list[DemonstrationLogin]()
        if not is_house:
            logins = demonstration_logins(store, logins_file(settings.address.path), drawn, now)
        has_administrator = _has_administrator(store)
        # Whoever is told that it runs may tell it to stop at once.
        with server.capture_signals():
            if app_state.leases is not None:
                app_state.leases.url = _url(listener)
            _settle_memory()
            app_state.counting.start()
            with metrics_port(settings, app_state.metrics) as port:
                url = _url(listener)
                entry, place = entry_address(app_state, url, logins, now), str(settings.address.whole)
                tell(Serving(url, place, logins, has_administrator, port, entry, bool(built_pages())))
                server.run_on(listener)
    return server.was_interrupted


def check_book_files(files: tuple[str, ...]) -> None:
    """Every book file can be read, and each has a name of its own; known before anything is made."""
    names = dict.fromkeys(BUILT_IN, "a built-in book")
    for file in files:
        name = load(file).name
        if name in names:
            other = names[name]
            raise WrongSetting(f"books: {file} has the name {name}, like {other}; give it another one in the file")
        names[name] = file


def allow_open_files() -> None:
    """Use what the system allows: the usual first limit of 1,024 is less than a full house."""
    first, last = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if last == resource.RLIM_INFINITY else min(OPEN_FILES, last)
    if first != resource.RLIM_INFINITY and first < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, last))


def _check_people(app_state: AppState) -> None:
    """Outside a demonstration nobody has a log-in of one, and somebody else can log in."""
    ended = app_state.people.end_demonstration()
    if isinstance(ended, Refusal):
        how = first_administrator(app_state.store.address)
        raise WrongSetting(f"nobody could log in: make an administrator first with {how}")
    if ended:
        _log.warning("the log-ins of the demonstration are gone", extra={"people": ended})


def _has_administrator(store: Store) -> bool:
    """Whether somebody can log in and administer the house; the log says so where nobody can."""
    from punto.store.people import administrators

    with store.read() as reader:
        has_one = administrators(reader) > 0
    if not has_one:
        _log.warning("nobody can administer this house", extra={"make one": first_administrator(store.address)})
    return has_one


def first_administrator(address: Address | str) -> str:
    """What to type to make the first administrator of a house."""
    return f"punto people new NAME --role administrator --database {address}"


def _settle_memory() -> None:
    """What is loaded by now stays for good: the garbage collector passes it over, and comes less often.

    Requests leave almost nothing behind that only the collector could free, but it cost each of them a tenth
    of its time.
    """
    gc.freeze()
    gc.set_threshold(COLLECT_EVERY, *gc.get_threshold()[1:])
    gc.enable()


def listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # asyncio sends small answers at once only on a socket that says that it is TCP; uvloop does so always.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)  # connections take it over
    try:
        listener.bind((settings.host, settings.port))
        listener.listen(1024)
    except OSError as error:
        listener.close()
        where = f"{settings.host} port {settings.port}"
        raise WrongSetting(f"{where} cannot be listened on: {(error.strerror or str(error)).lower()}") from None
    listener.setblocking(False)
    return listener


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    host = "127.0.0.1" if host in ("0.0.0.0", "::") else host
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
