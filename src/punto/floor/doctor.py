"""The doctor: looks at a machine and at the database of a house, and says for each thing whether it is well and, if
not, what to do.

A check is a function of the patient that gives a sentence, or raises `Unwell` with one; it stands in `CHECKS` under
its name, and nothing else has to be done to add one. Nothing is written, and no database is made or brought up to date.
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
from pathlib import Path

import msgspec

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

LEAST_FREE = 1024**3  # Bytes of free space below which a house should not go on.
MOST_APART_MS = 2_000  # How far the clocks of machine and database may be apart.
LONGEST_WITHOUT_BACKUP_MS = 48 * 3_600_000
_HOUR_MS = 3_600_000


class Unwell(Exception):
    """Something is wrong; the message says what, and what to do."""


class Check(msgspec.Struct, frozen=True):
    """One thing that was looked at."""

    check: str
    ok: bool
    sentence: str


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
        except NoDatabase as error:
            raise Unwell(str(error)) from None

    @contextmanager
    def reader(self) -> Iterator[Reader]:
        with self.connection() as connection:
            if revision_of(connection, self.address) != revisions()[-1]:
                raise Unwell("it cannot be looked at before its schema is brought up to date: see the check schema")
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


def _examined(name: str, look: Callable[[Patient], str], patient: Patient) -> Check:
    try:
        return Check(name, True, look(patient))
    except (Unwell, StoreError, OSError) as error:
        return Check(name, False, str(error))


def _software(patient: Patient) -> str:
    integrity = patient.software()
    if not integrity.ok:
        raise Unwell(integrity.sentence)
    return integrity.sentence


def _dependencies(_: Patient) -> str:
    own = distribution_of()
    if own is None:
        raise Unwell("Punto is not installed here, so that nothing says what it needs: pip install it")
    found = dependencies_of(own)
    missing = missing_dependencies()
    if missing:
        raise Unwell(f"not installed: {', '.join(missing)}; pip install punto brings what is missing")
    return f"{len(found)} packages, each at its version: punto doctor --manifest lists ours, pip list theirs"


def _pages(patient: Patient) -> str:
    if not (patient.package / "server/pages/index.html").is_file():
        raise Unwell("the pages have not been built; install a wheel, or run tools/pages in a checkout")
    return "the pages are there"


def _settings(patient: Patient) -> str:
    plan = patient.plan
    if plan.problem is not None:
        raise Unwell(f"{plan.problem}; punto serve would not start with this")
    where = f"{plan.host} port {plan.port}" if plan.port else f"{plan.host}, any port that is free"
    return f"a server would listen on {where}{', reached by https' if plan.https else ''}"


ASKED_S = 3.0  # How long the doctor waits for whoever listens on a port.


def _ports(patient: Patient) -> str:
    plan = patient.plan
    told = [_port(plan, port) for port in (plan.port, plan.metrics_port) if port]
    return "; ".join(told) or "any port that is free is taken"


def _port(plan: ServerPlan, port: int) -> str:
    """A port is free, or a server of ours answers on it."""
    host = plan.host if plan.host not in ("0.0.0.0", "::", "") else "127.0.0.1"
    try:
        with socket.create_server((plan.host, port), family=socket.AF_INET6 if ":" in plan.host else socket.AF_INET):
            return f"port {port} is free"
    except OSError as error:
        if error.errno == errno.EACCES:
            raise Unwell(f"port {port} may not be listened on by this user; choose one from 1024 on") from None
        if error.errno != errno.EADDRINUSE:
            raise Unwell(f"{plan.host} is not an address of this machine ({error}); see --host") from None
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
        raise Unwell(f"port {port} is used by something else; stop it, or choose another port")
    return f"a server of Punto answers on port {port}"


def _proxy(patient: Patient) -> str:
    """Whether people are told apart behind a proxy, and nobody can say that they are somebody else."""
    plan = patient.plan
    wide = [each for each in plan.proxies if ipaddress.ip_network(each, strict=False).num_addresses > WIDEST_PROXIES]
    if wide:
        raise Unwell(f"--proxies {wide[0]} believes X-Forwarded-For of too many; name the proxies alone")
    if plan.https and not plan.proxies:
        raise Unwell("with --https and without --proxies all people count as one address: name the proxy by --proxies")
    if plan.https and not plan.hosts:
        raise Unwell("the server answers to no name but localhost; name it by --hosts")
    if not plan.is_loopback and not plan.https:
        raise Unwell("others can reach the server without https, and read passwords on the way; put a proxy before it")
    if plan.proxies:
        return (
            f"X-Forwarded-For is believed of {', '.join(plan.proxies)}, for {', '.join(plan.hosts) or 'this machine'}"
        )
    return "there is no proxy, and only this machine can reach the server"


WIDEST_PROXIES = 2**16
LEAST_CONNECTIONS = 10  # Connections that should be left on a PostgreSQL server.


def _database(patient: Patient) -> str:
    with patient.connection() as connection:
        if revision_of(connection, patient.address) is not None:
            connection.all("SELECT count(*) FROM tables")
        if patient.address.kind is DatabaseKind.SQLITE:
            return f"{patient.address} can be reached"
        [(is_replica, read_only)] = connection.all(
            "SELECT pg_is_in_recovery(), current_setting('transaction_read_only')"
        )
        [(most, used)] = connection.all(
            "SELECT current_setting('max_connections')::int, (SELECT count(*) FROM pg_stat_activity "
            "WHERE backend_type = 'client backend')"
        )
    if is_replica:
        raise Unwell(f"{patient.address} is a replica, which can only be read; name the primary, or promote this one")
    if read_only == "on":
        raise Unwell(f"{patient.address} can only be read (default_transaction_read_only); switch that off")
    if most - used < LEAST_CONNECTIONS:
        raise Unwell(f"{used} of {most} connections of the server are in use; raise max_connections")
    return f"{patient.address} can be reached and written; {used} of {most} connections are in use"


def _durability(patient: Patient) -> str:
    """Whether what is committed outlives a loss of power."""
    with patient.connection() as connection:
        if patient.address.kind is DatabaseKind.SQLITE:
            [(mode,)] = connection.all("PRAGMA synchronous")
            if int(mode) < 2:
                raise Unwell(
                    "SQLite does not wait for the disk (PRAGMA synchronous); this version of it cannot be used"
                )
            [(journal,)] = connection.all("PRAGMA journal_mode")
            if journal not in ("wal", "delete", "truncate", "persist"):
                raise Unwell(f"SQLite keeps no journal on the disk ({journal}); PRAGMA journal_mode=WAL")
            return f"every commit waits for the disk (synchronous {mode}, journal {journal})"
        names = ("fsync", "full_page_writes", "synchronous_commit", "wal_level")
        found = {name: str(connection.all(f"SHOW {name}")[0][0]) for name in names}
    off = [name for name in names[:2] if found[name] == "off"]
    if off:
        raise Unwell(
            f"the server runs with {' and '.join(off)} off and can lose the house with its power; switch it on"
        )
    if found["synchronous_commit"] == "off":  # not even ours, which switch it on
        raise Unwell("synchronous_commit is off for our connections: the last answers can be lost; switch it on")
    return f"every commit waits for the disk of the server (synchronous_commit {found['synchronous_commit']})"


def _recovery(patient: Patient) -> str:
    """Whether what happens after a backup could be brought back too."""
    if patient.address.kind is DatabaseKind.SQLITE:
        return "an SQLite file comes back as it was at its last backup; punto backup FILE, as often as that matters"
    with patient.connection() as connection:
        settings = {
            name: str(connection.all(f"SHOW {name}")[0][0]) for name in ("wal_level", "archive_mode", "archive_command")
        }
        [(failed, at)] = connection.all(
            "SELECT coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false), last_failed_wal "
            "FROM pg_stat_archiver"
        )
        [(replicas,)] = connection.all("SELECT count(*) FROM pg_stat_replication")
    told = f"wal_level {settings['wal_level']}, {replicas} replicas"
    if settings["archive_mode"] == "off":
        return f"{told}, no archive: the house comes back as it was at its last backup (docs/guides/deploy.md)"
    if failed:
        raise Unwell(f"the archive of the server's log fails at {at}; look at archive_command and its disk")
    return f"{told}, the log is archived: the house comes back to any moment"


def _schema(patient: Patient) -> str:
    newest = revisions()[-1]
    with patient.connection() as connection:
        revision = revision_of(connection, patient.address)
    if revision is None:
        raise Unwell("the database is empty; punto serve, or punto table new, begins a house in it")
    if revision != newest:
        raise Unwell(
            f"the schema is {revision}, and this version has {newest}; make a backup, then open it with any command"
        )
    return f"the schema is {newest}, the newest"


def _damage(patient: Patient) -> str:
    with patient.reader() as reader:
        if patient.address.kind is DatabaseKind.SQLITE and (found := reader.rows("PRAGMA quick_check")) != [("ok",)]:
            raise Unwell(f"the file is damaged ({found[0][0]}); restore the last backup into a new one: punto restore")
        for table in reader.tables():
            first = (0, first_hash(table.id, table.digest))
            if (reader.last_link(table.id) or first) != (table.version, table.head):
                raise Unwell(f"table {table.id} does not end where it should; run punto audit verify")
        rows = reader.rows("SELECT seq, hash FROM house_events ORDER BY seq DESC LIMIT 1")
        end = next(((seq, bytes(link)) for seq, link in rows), (0, FIRST_HASHES[HOUSE]))
        if end != reader.chain_end(HOUSE):
            raise Unwell("what the house did does not end where it should; run punto audit verify")
    return "every chain ends where it should; punto audit verify looks at every record"


def _key(patient: Patient) -> str:
    """Whether the shoes that are in play can be dealt on."""
    with patient.reader() as reader:
        rows = reader.rows(
            "SELECT s.table_id, s.shoe, s.sealed FROM seeds s JOIN "
            "(SELECT table_id, max(shoe) AS shoe FROM seeds GROUP BY table_id) l "
            "ON l.table_id = s.table_id AND l.shoe = s.shoe ORDER BY s.table_id"
        )
    try:
        SEAL_KEY.check()
        seal = Seal()
        for table, shoe, sealed in rows:
            seal.open(table, shoe, bytes(sealed))
    except KeyTrouble as error:
        raise Unwell(f"{error}; put the key of this house back, from where you keep it apart") from None
    return f"the key opens the last shoe of {len(rows):,} tables" if rows else "no shoe has been sealed yet"


def _disk(patient: Patient) -> str:
    folder = SEAL_KEY.path.parent
    if patient.place is not None and patient.address.kind is DatabaseKind.SQLITE:
        folder = patient.address.path.absolute().parent
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    if free < LEAST_FREE:
        raise Unwell(
            f"{folder} has only {free // 1024**2:,} MiB left; make room, at least {LEAST_FREE // 1024**2:,} MiB"
        )
    return f"{folder} has {free / 1024**3:,.1f} GiB left"


def _clock(patient: Patient) -> str:
    with patient.reader() as reader:
        last = max([act.time for act in latest_acts(reader, EventFilter(), 1)], default=0)
        if patient.address.kind is DatabaseKind.POSTGRESQL:
            [(there,)] = reader.rows("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
            apart = abs(int(there) - time.time_ns() // 1_000_000)
            if apart > MOST_APART_MS:
                raise Unwell(f"the clocks of this machine and of the database are {apart:,} ms apart; set both by NTP")
    if last > patient.now + MOST_APART_MS:
        ahead = (last - patient.now) // 1000
        raise Unwell(f"the last act of the house lies {ahead:,} s in the future; set the clock of this machine by NTP")
    return "the clock agrees with the database"


def _leases(patient: Patient) -> str:
    """Whether every table that deals by itself is dealt by a server that is there."""
    if patient.address.kind is DatabaseKind.SQLITE:
        return "an SQLite file has one server, which deals at every table"
    with patient.reader() as reader:
        standing, runs = standing_of(reader), stored_runs(reader)
    wanted = {table for table, run in runs.items() if run["dealer"] == AUTOMATIC_RUN}
    if not standing.servers:
        return f"no server runs; {len(wanted):,} tables wait for one" if wanted else "no server runs"
    there = {server.name for server in standing.servers}
    waiting = wanted - {lease.table for lease in standing.leases if lease.holder in there}
    if waiting:
        told = f"{len(waiting):,} tables are dealt by nobody, {min(waiting)} among them"
        raise Unwell(f"{told}; they are taken over within seconds: look again, then at the logs of the servers")
    if stuck := [lease for lease in standing.leases if lease.problem is not None]:
        raise Unwell(f"the dealer of {stuck[0].table} cannot go on: {stuck[0].problem}")
    urls = ", ".join(server.url or server.name for server in standing.servers)
    return f"{len(there)} servers are there ({urls}); {len(wanted):,} tables are dealt"


def _backups(patient: Patient) -> str:
    with patient.reader() as reader:
        made = latest_acts(reader, EventFilter((HouseCode.BACKUP_MADE.value,)), 1)
        begun = next(iter(reader.rows("SELECT min(created_ms) FROM tables")), (None,))[0]
    if made and (age := patient.now - made[0].time) <= LONGEST_WITHOUT_BACKUP_MS:
        return f"the last backup was made {age // _HOUR_MS:,} hours ago"
    if begun is None or patient.now - int(begun) <= LONGEST_WITHOUT_BACKUP_MS:
        return "the house is young; punto backup FILE makes a backup, at least every day"
    when = (
        f"the last backup is {(patient.now - made[0].time) // _HOUR_MS:,} hours old" if made else "there is no backup"
    )
    raise Unwell(f"{when}; punto backup FILE makes one, also while the floor is open")


MACHINE_CHECKS: dict[str, Callable[[Patient], str]] = {
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
