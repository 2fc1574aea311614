"""The doctor: looks at a machine and at the database of a house, and says for each thing whether it is well and, if
not, what to do.

A check is a function of the patient that says what it found, or raises `Unwell` with it; it stands in `CHECKS` under
its name, and its sentences in `words/*/doctor.toml`. Nothing is written, and no database is made or brought up to date.
"""

from __future__ import annotations

import errno
import http.client
import ipaddress
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path

import msgspec

from punto.extras import install
from punto.floor.integrity import (
    PACKAGE,
    Integrity,
    check_software,
    dependencies_of,
    distribution_of,
    missing_dependencies,
)
from punto.floor.lease import AUTOMATIC_RUN
from punto.store.chain import FIRST_HASHES, HOUSE, HouseCode, first_hash
from punto.store.connection import Address, Connection, DatabaseKind
from punto.store.errors import KeyTrouble, NoDatabase, StoreError
from punto.store.lease import standing_of
from punto.store.migration import revisions
from punto.store.pit import stored_runs
from punto.store.reader import Reader
from punto.store.seal import SEAL_KEY, Seal
from punto.store.significant_events import EventFilter, latest_acts
from punto.store.store import connect_to, revision_of
from punto.words import ENGLISH, LabelView, Language, in_every_language, said

LEAST_FREE = 1024**3  # Bytes of free space below which a house should not go on.
MOST_APART_MS = 2_000  # How far the clocks of machine and database may be apart.
LONGEST_WITHOUT_BACKUP_MS = 48 * 3_600_000
FEW_NAMED = 3  # Files of one kind that a sentence names; the others are counted.
WORDS = "doctor.toml"
_HOUR_MS = 3_600_000


class Found:
    """What a check found: sentences of `words/*/doctor.toml` by their keys, each with what stands in its gaps."""

    def __init__(self, key: str, **values: object) -> None:
        self._said: tuple[tuple[str, dict[str, object]], ...] = ((key, values),)

    def words_in(self, language: Language) -> str:
        texts = (said(language, WORDS, key, values) for key, values in self._said)
        return said(language, WORDS, "joined", {}).join(texts)

    def and_also(self, other: Found) -> Found:
        both = Found("joined")
        both._said = (*self._said, *other._said)
        return both


class Unwell(Exception):
    """Something is wrong: what, and what to do."""

    def __init__(self, key: str, **values: object) -> None:
        self.found = Found(key, **values)
        super().__init__(self.found.words_in(ENGLISH))


class Check(msgspec.Struct, frozen=True):
    """One thing that was looked at."""

    check: str
    ok: bool
    sentence: str  # In English.
    words: LabelView  # The same in every language.

    @classmethod
    def of(cls, check: str, found: Found, *, ok: bool) -> Check:
        words = in_every_language(found.words_in)
        return cls(check, ok, words.en, words)


class Diagnosis(msgspec.Struct, frozen=True):
    """Everything that was looked at."""

    ok: bool
    checks: tuple[Check, ...]


class ServerPlan(msgspec.Struct, frozen=True):
    """How a server would be started here, as far as the doctor looks at it."""

    host: str = "127.0.0.1"
    port: int = 0
    metrics_port: int | None = None
    hosts: tuple[str, ...] = ()
    https: bool = False
    proxies: tuple[str, ...] = ()
    is_loopback: bool = True
    problem: str | None = None  # Why the settings cannot be used.


@dataclass(slots=True)
class Patient:
    """What is looked at: this machine, and a database where there is one."""

    place: Address | None  # None where no house was ever begun here.
    now: int = field(default_factory=lambda: time.time_ns() // 1_000_000)
    software: Callable[[], Integrity] = check_software
    package: Path = PACKAGE
    plan: ServerPlan = field(default_factory=ServerPlan)

    @property
    def address(self) -> Address:
        assert self.place is not None, "only a database that there is is looked at"
        return self.place

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """The database as it is; `Unwell` where it cannot be reached or is not up to date."""
        try:
            with closing(connect_to(self.address, create=False)) as connection:
                yield connection
        except NoDatabase:
            raise Unwell("no-database", address=self.address) from None

    @contextmanager
    def reader(self) -> Iterator[Reader]:
        with self.connection() as connection:
            if revision_of(connection, self.address) != revisions()[-1]:
                raise Unwell("schema-first")
            connection.begin_read()
            try:
                yield Reader(connection)
            finally:
                connection.roll_back()


BEFORE_A_START = ("settings", "ports", "proxy")  # What a server that runs has settled already.


def examine(patient: Patient, *, is_running: bool = False) -> Diagnosis:
    """Look at everything; of a server that runs, not at how one would be started."""
    wanted = CHECKS if patient.place is not None else MACHINE_CHECKS
    left_out = BEFORE_A_START if is_running else ()
    checks = tuple(_examined(name, look, patient) for name, look in wanted.items() if name not in left_out)
    return Diagnosis(all(check.ok for check in checks), checks)


def _examined(name: str, look: Look, patient: Patient) -> Check:
    try:
        return Check.of(name, look(patient), ok=True)
    except Unwell as error:
        return Check.of(name, error.found, ok=False)
    except (StoreError, OSError) as error:
        return Check.of(name, Found("trouble", error=error), ok=False)


Look = Callable[[Patient], Found]


def _software(patient: Patient) -> Found:
    integrity = patient.software()
    what = {"version": integrity.version, "files": integrity.files, "digest": integrity.digest}
    if integrity.ok:
        return Found("software-promised" if integrity.promised else "software-checkout", **what)
    differ = {name: _named(getattr(integrity, name)) for name in ("changed", "missing", "added")}
    raise Unwell("software-changed", **what, **differ)


def _named(paths: tuple[str, ...]) -> str:
    """The first few of some files."""
    return ", ".join(paths[:FEW_NAMED]) + (f", +{len(paths) - FEW_NAMED:,}" if len(paths) > FEW_NAMED else "") or "none"


def _dependencies(_: Patient) -> Found:
    own = distribution_of()
    if own is None:
        raise Unwell("not-installed")
    found = dependencies_of(own)
    missing = missing_dependencies()
    if missing:
        raise Unwell("dependencies-missing", missing=", ".join(missing), command=install())
    return Found("dependencies", packages=len(found))


def _pages(patient: Patient) -> Found:
    if not (patient.package / "server/pages/index.html").is_file():
        raise Unwell("pages-missing")
    return Found("pages")


def _settings(patient: Patient) -> Found:
    plan = patient.plan
    if plan.problem is not None:
        raise Unwell("settings-wrong", problem=plan.problem)
    return Found("settings", host=plan.host, port=str(plan.port or "any"), https="yes" if plan.https else "no")


ASKED_S = 3.0  # How long the doctor waits for whoever listens on a port.


def _ports(patient: Patient) -> Found:
    plan = patient.plan
    told = [_port(plan, port) for port in (plan.port, plan.metrics_port) if port]
    return reduce(Found.and_also, told) if told else Found("ports-any")


def _port(plan: ServerPlan, port: int) -> Found:
    """A port is free, or a server of ours answers on it."""
    host = plan.host if plan.host not in ("0.0.0.0", "::", "") else "127.0.0.1"
    try:
        with socket.create_server((plan.host, port), family=socket.AF_INET6 if ":" in plan.host else socket.AF_INET):
            return Found("port-free", port=str(port))
    except OSError as error:
        if error.errno == errno.EACCES:
            raise Unwell("port-forbidden", port=str(port)) from None
        if error.errno != errno.EADDRINUSE:
            raise Unwell("host-wrong", host=plan.host, error=error) from None
    path = "/health" if port == plan.port else "/metrics"
    line = http.client.HTTPConnection(host, port, timeout=ASKED_S)
    try:
        line.request("GET", path, headers={"Host": f"localhost:{port}"})
        answer = line.getresponse()
        status, text = answer.status, answer.read(65536)
    except (OSError, http.client.HTTPException):
        status, text = 0, b""
    finally:
        line.close()
    if b'"version"' not in text and b"punto_" not in text and status != 401:  # /metrics may ask for its token
        raise Unwell("port-used", port=str(port))
    return Found("port-ours", port=str(port))


def _proxy(patient: Patient) -> Found:
    """Whether people are told apart behind a proxy, and nobody can say that they are somebody else."""
    plan = patient.plan
    wide = [each for each in plan.proxies if ipaddress.ip_network(each, strict=False).num_addresses > WIDEST_PROXIES]
    if wide:
        raise Unwell("proxies-wide", proxy=wide[0])
    if plan.https and not plan.proxies:
        raise Unwell("proxies-missing")
    if plan.https and not plan.hosts:
        raise Unwell("hosts-missing")
    if not plan.is_loopback and not plan.https:
        raise Unwell("https-missing")
    if plan.proxies:
        return Found("proxies", proxies=", ".join(plan.proxies), hosts=", ".join(plan.hosts) or "here")
    return Found("proxies-none")


WIDEST_PROXIES = 2**16
LEAST_CONNECTIONS = 10  # Connections that should be left on a PostgreSQL server.


def _database(patient: Patient) -> Found:
    with patient.connection() as connection:
        if revision_of(connection, patient.address) is not None:
            connection.all("SELECT count(*) FROM tables")
        if patient.address.kind is DatabaseKind.SQLITE:
            return Found("database-reached", address=patient.address)
        [(is_replica, read_only)] = connection.all(
            "SELECT pg_is_in_recovery(), current_setting('transaction_read_only')"
        )
        [(most, used)] = connection.all(
            "SELECT current_setting('max_connections')::int, (SELECT count(*) FROM pg_stat_activity "
            "WHERE backend_type = 'client backend')"
        )
    if is_replica:
        raise Unwell("database-replica", address=patient.address)
    if read_only == "on":
        raise Unwell("database-read-only", address=patient.address)
    if most - used < LEAST_CONNECTIONS:
        raise Unwell("database-full", used=used, most=most)
    return Found("database-written", address=patient.address, used=used, most=most)


def _durability(patient: Patient) -> Found:
    """Whether what is committed outlives a loss of power."""
    with patient.connection() as connection:
        if patient.address.kind is DatabaseKind.SQLITE:
            [(mode,)] = connection.all("PRAGMA synchronous")
            if int(mode) < 2:
                raise Unwell("sqlite-hasty")
            [(journal,)] = connection.all("PRAGMA journal_mode")
            if journal not in ("wal", "delete", "truncate", "persist"):
                raise Unwell("sqlite-journal", journal=journal)
            return Found("sqlite-durable", mode=mode, journal=journal)
        names = ("fsync", "full_page_writes", "synchronous_commit", "wal_level")
        found = {name: str(connection.all(f"SHOW {name}")[0][0]) for name in names}
    off = [name for name in names[:2] if found[name] == "off"]
    if off:
        raise Unwell("server-hasty", off=", ".join(off))
    if found["synchronous_commit"] == "off":  # not even ours, which switch it on
        raise Unwell("commit-hasty")
    return Found("server-durable", mode=found["synchronous_commit"])


def _recovery(patient: Patient) -> Found:
    """Whether what happens after a backup could be brought back too."""
    if patient.address.kind is DatabaseKind.SQLITE:
        return Found("recovery-sqlite")
    with patient.connection() as connection:
        settings = {
            name: str(connection.all(f"SHOW {name}")[0][0]) for name in ("wal_level", "archive_mode", "archive_command")
        }
        [(failed, at)] = connection.all(
            "SELECT coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false), last_failed_wal "
            "FROM pg_stat_archiver"
        )
        [(replicas,)] = connection.all("SELECT count(*) FROM pg_stat_replication")
    if settings["archive_mode"] != "off" and failed:
        raise Unwell("archive-fails", at=at)
    key = "recovery-backup" if settings["archive_mode"] == "off" else "recovery-any"
    return Found(key, level=settings["wal_level"], replicas=replicas)


def _schema(patient: Patient) -> Found:
    newest = revisions()[-1]
    with patient.connection() as connection:
        revision = revision_of(connection, patient.address)
    if revision is None:
        raise Unwell("schema-empty")
    if revision != newest:
        raise Unwell("schema-old", revision=revision, newest=newest)
    return Found("schema-newest", newest=newest)


def _damage(patient: Patient) -> Found:
    with patient.reader() as reader:
        if patient.address.kind is DatabaseKind.SQLITE and (found := reader.rows("PRAGMA quick_check")) != [("ok",)]:
            raise Unwell("file-damaged", what=found[0][0])
        for table in reader.tables():
            first = (0, first_hash(table.id, table.digest))
            if (reader.last_link(table.id) or first) != (table.version, table.head):
                raise Unwell("table-damaged", table=table.id)
        rows = reader.rows("SELECT seq, hash FROM house_events ORDER BY seq DESC LIMIT 1")
        end = next(((seq, bytes(link)) for seq, link in rows), (0, FIRST_HASHES[HOUSE]))
        if end != reader.chain_end(HOUSE):
            raise Unwell("house-damaged")
    return Found("undamaged")


def _key(patient: Patient) -> Found:
    """Whether the shoes that are in play can be dealt on."""
    with patient.reader() as reader:
        rows = reader.rows(
            "SELECT s.table_id, s.shoe, s.sealed FROM seeds s JOIN "
            "(SELECT table_id, max(shoe) AS shoe FROM seeds GROUP BY table_id) l "
            "ON l.table_id = s.table_id AND l.shoe = s.shoe ORDER BY s.table_id"
        )
    if rows and not SEAL_KEY.is_there:
        raise Unwell("key-missing", path=SEAL_KEY.path, variable=SEAL_KEY.variable)
    try:
        SEAL_KEY.check()
        seal = Seal()
        if rows:
            seal.key_ids(make=False)
    except KeyTrouble as error:
        raise Unwell("key-wrong", error=error) from None
    for table, shoe, sealed in rows:
        try:
            seal.open(table, shoe, bytes(sealed))
        except KeyTrouble:
            raise Unwell("key-other", table=table, shoe=shoe) from None
    return Found("key-opens", tables=len(rows)) if rows else Found("key-unused")


def _disk(patient: Patient) -> Found:
    folder = SEAL_KEY.path.parent
    if patient.place is not None and patient.address.kind is DatabaseKind.SQLITE:
        folder = patient.address.path.absolute().parent
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    if free < LEAST_FREE:
        raise Unwell("disk-full", folder=folder, free=free // 1024**2, least=LEAST_FREE // 1024**2)
    return Found("disk", folder=folder, free=f"{free / 1024**3:,.1f}")


def _clock(patient: Patient) -> Found:
    with patient.reader() as reader:
        last = max([act.time for act in latest_acts(reader, EventFilter(), 1)], default=0)
        if patient.address.kind is DatabaseKind.POSTGRESQL:
            [(there,)] = reader.rows("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
            apart = abs(int(there) - time.time_ns() // 1_000_000)
            if apart > MOST_APART_MS:
                raise Unwell("clocks-apart", apart=apart)
    if last > patient.now + MOST_APART_MS:
        raise Unwell("clock-behind", ahead=(last - patient.now) // 1000)
    return Found("clock")


def _leases(patient: Patient) -> Found:
    """Whether every table that deals by itself is dealt by a server that is there."""
    if patient.address.kind is DatabaseKind.SQLITE:
        return Found("leases-sqlite")
    with patient.reader() as reader:
        standing, runs = standing_of(reader), stored_runs(reader)
    wanted = {table for table, run in runs.items() if run["dealer"] == AUTOMATIC_RUN}
    if not standing.servers:
        return Found("leases-waiting", tables=len(wanted)) if wanted else Found("leases-idle")
    there = {server.name for server in standing.servers}
    waiting = wanted - {lease.table for lease in standing.leases if lease.holder in there}
    if waiting:
        raise Unwell("leases-nobody", tables=len(waiting), first=min(waiting))
    if stuck := [lease for lease in standing.leases if lease.problem is not None]:
        raise Unwell("leases-stuck", table=stuck[0].table, problem=stuck[0].problem)
    urls = ", ".join(server.url or server.name for server in standing.servers)
    return Found("leases", servers=len(there), urls=urls, tables=len(wanted))


def _backups(patient: Patient) -> Found:
    with patient.reader() as reader:
        made = latest_acts(reader, EventFilter((HouseCode.BACKUP_MADE.value,)), 1)
        begun = next(iter(reader.rows("SELECT min(created_ms) FROM tables")), (None,))[0]
    if made and (age := patient.now - made[0].time) <= LONGEST_WITHOUT_BACKUP_MS:
        return Found("backup-fresh", hours=age // _HOUR_MS)
    if begun is None or patient.now - int(begun) <= LONGEST_WITHOUT_BACKUP_MS:
        return Found("backup-young")
    if made:
        raise Unwell("backup-old", hours=(patient.now - made[0].time) // _HOUR_MS)
    raise Unwell("backup-none")


MACHINE_CHECKS: dict[str, Look] = {
    "software": _software,
    "dependencies": _dependencies,
    "pages": _pages,
    "settings": _settings,
    "ports": _ports,
    "proxy": _proxy,
    "disk": _disk,
}
"""What is looked at without a house."""
CHECKS = {
    **MACHINE_CHECKS,
    "database": _database,
    "durability": _durability,
    "recovery": _recovery,
    "schema": _schema,
    "damage": _damage,
    "key": _key,
    "clock": _clock,
    "leases": _leases,
    "backups": _backups,
}
"""Everything that the doctor looks at, in this order."""
