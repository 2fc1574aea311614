"""What the servers of one house tell each other: that a table has moved on, that a session has ended, that the house
has ordered something else. A notice says what to look at and nothing more; what there is to see stands in the
database.

A notice is sent by NOTIFY after the commit that it tells of, on a connection that is for nothing else. In the
transaction itself it would make every commit of the house wait for every other: PostgreSQL lets one transaction at a
time commit that has notified. So a notice can be lost, with its connection or with the process that was to send it.
Therefore every server also looks once a second: at the versions of all tables, and at the rows of `notices`, which
are written in the transaction that they tell of. What the command line writes is found in the same way. A connection
that is lost is made again, and everything is looked at then.
"""

from __future__ import annotations

import hashlib
import logging
import os
import select
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from enum import Enum
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING, NamedTuple

from punto.store.connection import Address, Connection
from punto.store.errors import StoreError

if TYPE_CHECKING:
    from punto.store.postgres import PostgresConnection

LOOK_S = 1.0  # How often everything is looked at; a notice that was lost costs no more than this.
AGAIN_S = 0.5  # After the connection was lost, the time between two tries to have it again.
REMEMBERED_MS = 60_000  # How long rows of `notices` are looked at: longer than any transaction that writes one.
FORGOTTEN_MS = 2 * REMEMBERED_MS
FORGET_S = 30.0  # How often what is old is removed.
LARGEST_NOTICE = 7_800  # Bytes: PostgreSQL lets a notice have 8,000, with the name of who sends it.
WIRE_OPTIONS = {"keepalives_idle": 2, "keepalives_interval": 1, "keepalives_count": 2, "tcp_user_timeout": 3_000}
"""So that a connection whose other end has vanished without a word is found broken within seconds."""
_log = logging.getLogger("punto.server")


class NoticeKind(Enum):
    TABLE = "table"  # A table has another version.
    PERSON = "person"  # Sessions, roles or the log-in of somebody have changed.
    ORDERS = "orders"  # Rules of the house, or what is stopped.
    APPROVAL = "approval"
    CALL = "call"
    DISPUTE = "dispute"
    RUN = "run"  # How a table is run.
    LEASES = "leases"  # Tables were given up, and wait for somebody to deal.
    FOLD = "fold"  # How a card is squeezed: kept nowhere, so the notice itself says it. Where it is lost, nothing is.
    DEVICE = "device"  # A key of a device was issued or revoked.
    FEED = "feed"  # What was heard of a device, as the notice itself says it: kept nowhere, and said again soon.
    EVERYTHING = "everything"  # Nobody knows what was missed.


class Notice(NamedTuple):
    """What to look at: the id of a table with its version, the name of a person, the id of something else."""

    kind: NoticeKind
    key: str = ""
    version: int = 0

    @property
    def topic(self) -> str:
        """As it is sent and kept.

        >>> Notice(NoticeKind.TABLE, "main-1", 7).topic, Notice(NoticeKind.PERSON, "Lee").topic
        ('table/main-1/7', 'person/Lee')
        """
        return f"{self.kind.value}/{self.key}" + (f"/{self.version}" if self.kind is NoticeKind.TABLE else "")


def parse_notice(topic: str) -> Notice | None:
    """What a topic says; None where a newer version of Punto says something that this one does not know.

    >>> parse_notice("table/main-1/7"), parse_notice("weather/fine")
    (Notice(kind=<NoticeKind.TABLE: 'table'>, key='main-1', version=7), None)
    """
    kind, _, key = topic.partition("/")
    try:
        if kind == NoticeKind.TABLE.value:
            key, _, version = key.rpartition("/")
            return Notice(NoticeKind.TABLE, key, int(version))
        return Notice(NoticeKind(kind), key)
    except ValueError:
        return None


_PERSONAL = ("password", "roles", "shut", "second-factor", "sessions")
_ABOUT = {
    **{kind.value: kind for kind in (NoticeKind.APPROVAL, NoticeKind.DISPUTE, NoticeKind.RUN, NoticeKind.DEVICE)},
    **dict.fromkeys(_PERSONAL, NoticeKind.PERSON),
    **dict.fromkeys(("rules", "stop"), NoticeKind.ORDERS),
}
"""By what an act of the house is about: what other servers look at then."""


def notice_of_act(subject: str) -> Notice | None:
    """What an act of the house has the other servers look at; None where they remember nothing of it."""
    about, _, name = subject.partition("/")
    kind = _ABOUT.get(about)
    return None if kind is None else Notice(kind, "" if kind is NoticeKind.ORDERS else name)


def keep_notices(connection: Connection, notices: Iterable[Notice], teller: str) -> None:
    """Write notices down in the transaction that they tell of."""
    topics = sorted({notice.topic for notice in notices})
    statement = f"INSERT INTO notices (told_ms, teller, topic) VALUES ({connection.clock}, ?, ?)"
    connection.many(statement, [(teller, topic) for topic in topics])


Hear = Callable[[Sequence[Notice]], None]


class LogReader:
    """Finds what has changed in a database since it was last looked at."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._versions: dict[str, int] = {}
        self._seen: set[int] | None = None  # Rows of notices that were looked at; None before the first look.

    def look(self, connection: Connection) -> list[Notice]:
        """What others have kept since the last look. The first one finds that anything may have changed."""
        versions: dict[str, int] = dict(connection.all("SELECT id, version FROM tables"))
        moved = [each for each in versions.items() if self._versions.get(each[0]) != each[1]]
        self._versions = versions
        recent = f"told_ms > {connection.clock} - {REMEMBERED_MS}"
        rows = connection.all(f"SELECT id, teller, topic FROM notices WHERE {recent} ORDER BY id")
        seen, self._seen = self._seen, {id for id, _, _ in rows}
        found = [Notice(NoticeKind.TABLE, *each) for each in moved]
        if seen is None:
            return [*found, Notice(NoticeKind.EVERYTHING)]
        topics = dict.fromkeys(topic for id, teller, topic in rows if id not in seen and teller != self._name)
        return found + [notice for topic in topics if (notice := parse_notice(topic)) is not None]


def forget_notices(connection: Connection) -> None:
    connection.run(f"DELETE FROM notices WHERE told_ms < {connection.clock} - {FORGOTTEN_MS}")


class Wire:
    """A connection by which a server tells the others what it has kept, and hears what they have. Its own thread."""

    def __init__(self, address: Address, name: str, hear: Hear) -> None:
        """`hear` is called in the thread of the wire, and should only hand on what it is told."""
        self._address, self._name, self._hear = address, name, hear
        self._log_reader, self._channel = LogReader(name), ""
        self._waiting: SimpleQueue[str] = SimpleQueue()
        self._waking, self._woken = os.pipe()
        self._ended = Event()
        self.is_up = False  # Whether the connection is there.
        self._thread = Thread(target=self._run, name="punto-wire", daemon=True)
        self._thread.start()

    def tell(self, notices: Iterable[Notice]) -> None:
        """Send notices to the other servers; from any thread, and without waiting."""
        for notice in notices:
            self._waiting.put(f"{self._name} {notice.topic}")
        self._wake()

    def close(self) -> None:
        """Send what waits, if that can be done, and hear nothing more."""
        self._ended.set()
        self._wake()
        self._thread.join()
        os.close(self._waking)
        os.close(self._woken)

    def _wake(self) -> None:
        with suppress(OSError):
            os.write(self._woken, b".")

    def _run(self) -> None:
        from punto.store.postgres import PostgresConnection

        while not self._ended.is_set():
            try:
                with closing(PostgresConnection(self._address, WIRE_OPTIONS)) as connection:
                    self._serve(connection)
            except StoreError as error:
                if self.is_up:
                    _log.warning("the wire to the other servers was lost", extra={"problem": str(error)})
                self.is_up = False
                self._ended.wait(AGAIN_S)

    def _serve(self, connection: PostgresConnection) -> None:
        [(schema,)] = connection.all("SELECT current_schema()")
        # Other schemas of the same database are other houses.
        self._channel = f"punto_{hashlib.sha256(str(schema).encode()).hexdigest()[:16]}"
        connection.run(f"LISTEN {self._channel}")
        found = [*self._log_reader.look(connection), Notice(NoticeKind.EVERYTHING)]
        self._hear(list(dict.fromkeys(found)))
        self.is_up = True
        look_at, forget_at = time.monotonic() + LOOK_S, time.monotonic() + FORGET_S
        while not self._ended.is_set():
            self._wait(connection, look_at - time.monotonic())
            self._send(connection)
            if heard := self._received(connection):
                self._hear(heard)
            now = time.monotonic()
            if now >= look_at:
                look_at = now + LOOK_S
                if found := self._log_reader.look(connection):
                    self._hear(found)
            if now >= forget_at:
                forget_at = now + FORGET_S
                forget_notices(connection)
        self._send(connection)

    def _wait(self, connection: PostgresConnection, seconds: float) -> None:
        """Until something comes from either side, or this time is over."""
        poll = select.poll()
        for file in (connection.driver.fileno(), self._waking):
            poll.register(file, select.POLLIN)
        if any(file == self._waking for file, _ in poll.poll(max(0.0, seconds) * 1000)):
            os.read(self._waking, 65_536)

    def _send(self, connection: PostgresConnection) -> None:
        payloads: dict[str, None] = {}
        with suppress(Empty):
            while True:
                payloads[self._waiting.get_nowait()] = None
        if payloads:
            statement = "SELECT pg_notify(?, payload) FROM unnest(?::text[]) AS payload"
            connection.all(statement, (self._channel, list(payloads)))

    def _received(self, connection: PostgresConnection) -> list[Notice]:
        """What others have sent, once each."""
        heard: dict[Notice, None] = {}
        for payload in connection.notified():
            teller, _, topic = payload.partition(" ")
            if teller != self._name and (notice := parse_notice(topic)) is not None:
                heard[notice] = None
        return list(heard)
