"""Tries what is in deploy/ with the real programs: proxies in front of servers that drain, servers that are replaced by
a newer version one after another, a PostgreSQL server that is put back to a moment, a replica that is read, and the
image where something can build it.

    python tools/deployment.py                     everything
    python tools/deployment.py caddy nginx         parts of it: caddy, nginx, upgrade, moment, replica, image

nginx and Caddy are those of the machine; where one is missing its package is fetched with apt-get, unpacked beside the
test and not installed. What cannot be had is said, and left out. Everything listens on 127.0.0.1 and ends by itself.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random
from threading import Event, Thread

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import httpx  # noqa: E402
import psycopg  # noqa: E402
from websockets.exceptions import ConnectionClosed  # noqa: E402
from websockets.sync.client import connect  # noqa: E402

from bench.prepared_floor import make_administrator, prepare  # noqa: E402
from punto.audit.verification import verify  # noqa: E402
from punto.client import Done  # noqa: E402
from punto.floor.doctor import Patient, examine  # noqa: E402
from punto.rules.authority import Role  # noqa: E402
from punto.store.connection import parse_address  # noqa: E402
from punto.store.migration import revisions  # noqa: E402
from punto.store.store import open_store  # noqa: E402
from tests.crash.bettor import Bettor as HouseBettor  # noqa: E402
from tests.crash.bettor import check_acknowledged  # noqa: E402
from tests.floor.ledger_check import check_store  # noqa: E402
from tests.server.served import ServedFloor  # noqa: E402
from tests.server.served_house import HouseServer, ServedHouse, found_house  # noqa: E402
from tests.store.postgres_server import PostgresServer  # noqa: E402

DEPLOY = ROOT / "deploy"
TABLES, PLAYERS = 4, 8
DRAIN_S = 4
KEY = {"PUNTO_KEY": "ab" * 32}


def main() -> None:
    parts: dict[str, Callable[[Path], str]] = {
        "caddy": caddy,
        "nginx": nginx,
        "upgrade": upgrade,
        "moment": moment,
        "replica": replica,
        "image": image,
    }
    os.environ.update(KEY)
    for name in [name for name in parts if name in sys.argv[1:]] or parts:
        with tempfile.TemporaryDirectory(prefix="punto-deployment-", dir="/tmp") as folder:
            Path(folder).chmod(0o755)
            print(f"{name}: {parts[name](Path(folder))}", flush=True)


# ── Proxies ──────────────────────────────────────────────────────────────────────────────────────


def program(name: str, package: str, folder: Path) -> Path | None:
    """A program of the machine, or one that is fetched and not installed; None where neither can be had."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")
    if found is not None:
        return Path(found)
    with suppress(OSError, subprocess.CalledProcessError):
        subprocess.run(["apt-get", "download", "-q", package], cwd=folder, check=True, capture_output=True)
        for file in folder.glob("*.deb"):
            subprocess.run(["dpkg", "-x", str(file), str(folder)], check=True, capture_output=True)
        return next((path for path in folder.rglob(name) if path.is_file() and os.access(path, os.X_OK)), None)
    return None


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def caddy(folder: Path) -> str:
    binary = program("caddy", "caddy", folder)
    if binary is None:
        return "left out: there is no Caddy, and none could be fetched"
    port, file = free_port(), folder / "Caddyfile"
    own = f"admin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\thttp_port {free_port()}"
    file.write_text((DEPLOY / "Caddyfile").read_text(encoding="utf-8").replace("admin off", own), encoding="utf-8")

    def begin(ports: list[int]) -> tuple[list[str], dict[str, str]]:
        servers = " ".join(f"127.0.0.1:{each}" for each in ports)
        names = {"PUNTO_SITE": f"https://localhost:{port}", "PUNTO_SERVERS": servers, "PUNTO_HOST_NAME": "localhost"}
        own = {**os.environ, **names, "HOME": str(folder), "XDG_DATA_HOME": str(folder / "caddy")}
        files = ["--config", str(file), "--adapter", "caddyfile"]
        subprocess.run([str(binary), "validate", *files], env=own, check=True, capture_output=True)
        return [str(binary), "run", *files], own

    version = subprocess.run([str(binary), "version"], capture_output=True, text=True, check=True).stdout.split()[0]
    return f"Caddy {version}, validated; " + _behind(folder, f"https://localhost:{port}", begin)


def nginx(folder: Path) -> str:
    binary = program("nginx", "nginx-light", folder)
    if binary is None:
        return "left out: there is no nginx, and none could be fetched"
    port, file = free_port(), folder / "nginx.conf"
    _make_certificate(folder)

    def begin(ports: list[int]) -> tuple[list[str], dict[str, str]]:
        text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
        servers = "".join(f"        server 127.0.0.1:{each} max_fails=1 fail_timeout=2s;\n" for each in ports)
        text = re.sub(r"( *server 127\.0\.0\.1:\d+[^\n]*\n)+", servers, text, count=1)
        text = text.replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
        text = text.replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl").replace("floor.example;", "localhost;")
        text = re.sub(r"/etc/ssl/\S*?(\w+\.example\.(pem|key));", rf"{folder}/cert.\2;", text)
        kept = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        temp = "".join(f"    {name}_temp_path {folder}/{name};\n" for name in kept)
        text = text.replace("http {\n", f"http {{\n{temp}", 1).replace("worker_processes auto;", "worker_processes 2;")
        file.write_text(text, encoding="utf-8")
        command = [str(binary), "-p", str(folder), "-c", str(file), "-e", str(folder / "nginx.log")]
        wanted = (
            f"daemon off; pid {folder}/nginx.pid; user root;" if os.geteuid() == 0 else f"daemon off; pid {folder}/p;"
        )
        subprocess.run([*command, "-t", "-g", wanted], check=True, capture_output=True)
        return [*command, "-g", wanted], dict(os.environ)

    told = subprocess.run([str(binary), "-v"], capture_output=True, text=True, check=True).stderr.strip()
    return f"{told.rpartition('/')[2]} of nginx, -t is content; " + _behind(folder, f"https://localhost:{port}", begin)


def _make_certificate(folder: Path) -> None:
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    files = ["-keyout", str(folder / "cert.key"), "-out", str(folder / "cert.pem")]
    subprocess.run([*made, *files], check=True, capture_output=True)


Begin = Callable[[list[int]], tuple[list[str], dict[str, str]]]


@contextmanager
def _house() -> Iterator[tuple[PostgresServer, str, dict[str, str]]]:
    """A PostgreSQL server with a house in it, its address, and the tokens of its players."""
    server = PostgresServer()
    try:
        database = server.new_database()
        tokens = prepare(database, TABLES, PLAYERS)
        make_administrator(database)
        yield server, database, tokens
    finally:
        server.close()


def _behind(folder: Path, url: str, begin: Begin) -> str:
    """Two servers behind a proxy; bets and a stream go on while one of them is stopped and started again."""
    with ExitStack() as stack:
        _, database, tokens = stack.enter_context(_house())
        options = ("--hosts", "localhost", "--https", "--proxies", "127.0.0.1", "--rate", "1000000")
        floors = []
        for name in ("one", "two"):
            (folder / name).mkdir()
            floor = ServedFloor(folder / name, *options, "--drain-seconds", str(DRAIN_S), database=database)
            floors.append(stack.enter_context(floor))
        command, environment = begin([int(floor.url.rpartition(":")[2]) for floor in floors])
        log = stack.enter_context((folder / "front.log").open("w"))
        front = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        stack.callback(_ended, front)
        _wait_until(partial(_is_ready, url))
        with httpx.Client(verify=False) as client:
            assert client.get(f"{url}/metrics").status_code == 404, "figures are not for everybody"
        bettors = [Bettor(url, tokens[name], int(name[1:])) for name in tokens]
        watcher = StreamWatcher(url, tokens["p0"])
        for each in (*bettors, watcher):
            each.start()
        for floor in floors:  # each in turn: drained, gone, and back at its address
            time.sleep(2)
            assert floor.stop() == 0, "it ends in good order"
            time.sleep(1)
            floor.start()
            _wait_until(partial(_is_ready, floor.url))
        time.sleep(2)
        for bettor in bettors:
            bettor.stop()
        watcher.stop()
        with open_store(database) as store, store.read() as reader:
            rows = reader.rows('SELECT count(*) FROM events WHERE body LIKE \'%"type":"bet-placed"%\'')
            last = reader.versions()["b0"]
            assert verify(reader).ok
        accepted, again = sum(each.accepted for each in bettors), sum(each.again for each in bettors)
        assert rows == [(accepted,)], f"{rows} bets are kept, and {accepted} were acknowledged"
        assert accepted > 50 and watcher.seen == list(range(watcher.seen[0], last + 1)), "no event is missed or doubled"
        worst = max(each.worst for each in bettors)
    return (
        f"{accepted} bets while both servers were stopped in turn, each kept once, {again} sent again; the slowest "
        f"took {worst:.2f} s; a stream went on {watcher.began - 1} times and missed none of {len(watcher.seen)} events"
    )


def _is_ready(url: str) -> bool:
    return httpx.get(f"{url}/ready", verify=False).status_code == 200


def _ended(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    process.wait(30)


def _wait_until(is_so: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while True:
        with suppress(httpx.HTTPError):
            if is_so():
                return
        assert time.monotonic() < end, "it does not come to be"
        time.sleep(0.1)


class Bettor(Thread):
    """Bets through a proxy, each bet until it is answered, under one key."""

    def __init__(self, url: str, token: str, number: int) -> None:
        super().__init__(daemon=True)
        self._url, self._number = url, number
        self._headers = {"authorization": f"Bearer {token}"}
        self._ended, self._run = Event(), secrets.token_hex(4)
        self.accepted = self.again = 0
        self.worst = 0.0

    def run(self) -> None:
        path = f"{self._url}/api/v1/tables/b{self._number % TABLES}/commands"
        bet = {"type": "place-bet", "round": 1, "box": self._number // TABLES + 1, "area": "banker", "amount": 1000}
        with httpx.Client(verify=False, headers=self._headers, timeout=30) as client:
            for n in range(1_000_000):
                if self._ended.wait(0.05):
                    return
                body, began = {"key": f"{self._run}-{n}", "role": "player", "command": bet}, time.monotonic()
                while not self._is_answered(client, path, body):
                    self.again += 1
                    time.sleep(0.1)
                self.worst = max(self.worst, time.monotonic() - began)
                self.accepted += 1

    def _is_answered(self, client: httpx.Client, path: str, body: object) -> bool:
        with suppress(httpx.HTTPError):
            answer = client.post(path, json=body)
            assert answer.status_code in (200, 502, 503, 504), answer.text
            return answer.status_code == 200
        return False

    def stop(self) -> None:
        self._ended.set()
        self.join(60)
        assert not self.is_alive()


class StreamWatcher(Thread):
    """Watches the first table through a proxy, and comes back by its last event whenever the stream ends."""

    def __init__(self, url: str, token: str) -> None:
        super().__init__(daemon=True)
        self._url, self._headers, self._ended = url, {"authorization": f"Bearer {token}"}, Event()
        self.seen: list[int] = []
        self.began = 0
        self._context = ssl.create_default_context()
        self._context.check_hostname, self._context.verify_mode = False, ssl.CERT_NONE

    def run(self) -> None:
        while not self._ended.is_set():
            with suppress(httpx.HTTPError, OSError, ConnectionClosed, TimeoutError, KeyError, ValueError):
                self._watch()
            time.sleep(0.05)

    def _watch(self) -> None:
        ticket = httpx.post(f"{self._url}/api/v1/tickets", headers=self._headers, verify=False)
        hello = {"type": "hello", "ticket": ticket.json()["ticket"], "after": self.seen[-1] if self.seen else None}
        address = f"{self._url.replace('https', 'wss')}/api/v1/tables/b0/stream"
        with connect(address, ssl=self._context, open_timeout=10) as line:
            line.send(json.dumps({name: value for name, value in hello.items() if value is not None}))
            self.began += 1
            while not self._ended.is_set():
                with suppress(TimeoutError):
                    frame = json.loads(line.recv(timeout=0.5))
                    if frame["type"] == "event":
                        self.seen.append(frame["seq"])

    def stop(self) -> None:
        time.sleep(1)  # what is on its way comes
        self._ended.set()
        self.join(60)
        assert not self.is_alive()


# ── A newer version ──────────────────────────────────────────────────────────────────────────────

STEP = """
from alembic import op
revision, down_revision, branch_labels, depends_on = "v{new}", "v{old}", None, None

def upgrade():
    op.execute("ALTER TABLE tables ADD COLUMN tried INTEGER NOT NULL DEFAULT 0")
    op.execute("CREATE TABLE tried (id TEXT PRIMARY KEY, content TEXT NOT NULL)")
    op.execute("CREATE INDEX tried_tables ON tables (tried)")

def downgrade():
    raise NotImplementedError
"""
"""A step that only adds, as the guide allows: a column with a default, a table and an index."""


def upgrade(folder: Path) -> str:
    """Two servers are replaced by a version with a newer schema, one after another, while people bet."""
    newer, house = folder / "newer", ServedHouse(folder, "", "--pace", "0.05", "--rate", "1000000")
    shutil.copytree(ROOT / "src", newer, ignore=shutil.ignore_patterns("__pycache__"))
    last = int(revisions()[-1][1:])
    step = newer / f"punto/store/migrations/versions/v{last + 1}_tried.py"
    step.write_text(STEP.format(old=last, new=last + 1), encoding="utf-8")
    postgres = PostgresServer()
    try:
        house.database = postgres.new_database()
        tables, [by_hand] = found_house(house.database, 5, 1)
        house.servers += [HouseServer(house, n) for n in range(2)]
        for server in house.servers:
            server.start()
        bettors = [
            HouseBettor(server.client("Lee"), table, 9, Random(n), is_network_bad=True)
            for n, (server, table) in enumerate(zip(house.servers, tables, strict=False))
        ]
        for bettor in bettors:
            bettor.start()
        for server in house.servers:
            _goes_on(house, tables)
            assert server.end(signal.SIGTERM) == 0
            server.code = newer
            server.start()
            assert _schema(house.database) == f"v{last + 1}", "the first of them brings the schema up to date"
            _goes_on(house, tables)  # one of each at first, then both new
            acts = ({"type": "take-seat", "box": 1}, {"type": "leave-seat"})
            answer = server.client("Kim").give(by_hand, acts[house.servers.index(server)], Role.PLAYER)
            assert isinstance(answer, Done), answer
        for bettor in bettors:
            bettor.stop()
            assert bettor.problems == [], bettor.problems
        older = HouseServer(house, 2)
        with suppress(AssertionError):
            older.start()
            older.close()
            raise SystemExit("an older version must not start on a newer schema")
        with psycopg.connect(house.database, autocommit=True) as connection:
            connection.execute(f"UPDATE punto_schema SET version_num = 'v{last}'")  # for the checks, which are old
    finally:
        for server in house.servers:
            server.close()
    try:
        with open_store(house.database) as store:
            check_store(store)
            for bettor in bettors:
                check_acknowledged(store, bettor.journal)
    finally:
        postgres.close()
    done = sum(sent.done is not None for bettor in bettors for sent in bettor.journal)
    told = older.log().strip()[-160:]
    steps = f"two servers went from v{last} to v{last + 1} in turn while people bet"
    return f"{steps}; every table went on, {done} bets are there once; an older server then says: {told}"


def _goes_on(house: ServedHouse, tables: list[str]) -> None:
    """Every table goes on; asked of the database itself, whose schema may be newer than this program."""

    def versions() -> dict[str, int]:
        with psycopg.connect(house.database) as connection:
            return dict(connection.execute("SELECT id, version FROM tables").fetchall())

    before = versions()
    _wait_until(lambda: all(version > before[id] + 8 for id, version in versions().items() if id in tables))


def _schema(database: str) -> str:
    with psycopg.connect(database) as connection:
        row = connection.execute("SELECT version_num FROM punto_schema").fetchone()
    assert row is not None
    return str(row[0])


# ── Coming back ──────────────────────────────────────────────────────────────────────────────────


def moment(folder: Path) -> str:
    """As docs/guides/deploy.md says: a base backup, the archive of the log, and a server that stops at a moment."""
    with _house() as (server, database, tokens):
        archive, base = server.folder / "archive", server.folder / "base"
        for path in (archive, base):
            path.mkdir(mode=0o700)
            if server.user:
                shutil.chown(path, server.user)
        _ask(server, "ALTER SYSTEM SET archive_mode = on", f"ALTER SYSTEM SET archive_command = 'cp %p {archive}/%f'")
        server.run("pg_ctl", "restart", "-D", str(server.folder / "data"), "-l", str(server.folder / "log"), "-w", "-s")
        server.run("pg_basebackup", "-h", str(server.folder), "-U", "punto", "-D", str(base / "data"), "-X", "none")
        before = _played(folder, database, tokens, 40)
        with psycopg.connect(database) as connection:
            row = connection.execute("SELECT clock_timestamp()::text").fetchone()
            assert row is not None
        time.sleep(0.1)
        after = _played(folder, database, tokens, 20)
        _ask(server, "SELECT pg_switch_wal()")
        _wait_until(lambda: _row(server, "SELECT last_archived_wal IS NOT NULL FROM pg_stat_archiver") == (True,))
        time.sleep(1)
        told = {check.check: check.sentence for check in examine(Patient(parse_address(database))).checks}
        assert "the log is archived" in told["recovery"], told["recovery"]
        (base / "data/recovery.signal").touch()
        with (base / "data/postgresql.auto.conf").open("a", encoding="utf-8") as settings:
            settings.write(f"restore_command = 'cp {archive}/%f %p'\nrecovery_target_time = '{row[0]}'\n")
            settings.write("recovery_target_action = 'promote'\narchive_mode = off\nport = 5433\n")
        server.run("pg_ctl", "start", "-D", str(base / "data"), "-l", str(base / "log"), "-w", "-s")
        try:
            again = f"{database}&port=5433"
            _wait_until(lambda: _recovered(again))
            with open_store(again) as store, store.read() as reader:
                events, found = sum(reader.versions().values()), verify(reader)
            assert found.ok and events == before < after, (events, before, after)
            more = _played(folder, again, tokens, 5)
        finally:
            server.run("pg_ctl", "stop", "-D", str(base / "data"), "-m", "immediate", "-w")
    return f"of {after} events the {before} of that moment came back, verified; {more - before} more were added"


def _ask(server: PostgresServer, *statements: str) -> None:
    with psycopg.connect(server.address(), autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def _row(server: PostgresServer, question: str) -> object:
    with psycopg.connect(server.address()) as connection:
        return connection.execute(question.encode()).fetchone()


def _recovered(database: str) -> bool:
    with psycopg.connect(database) as connection:
        return connection.execute("SELECT pg_is_in_recovery()").fetchone() == (False,)


def _played(folder: Path, database: str, tokens: dict[str, str], bets: int) -> int:
    """Bets through a server; the events that there are then."""
    home = Path(tempfile.mkdtemp(dir=folder))
    with ServedFloor(home, "--no-demonstration", "--rate", "1000000", database=database) as floor:
        bettor = Bettor(floor.url, tokens["p0"], 0)
        bettor.start()
        _wait_until(lambda: bettor.accepted >= bets)
        bettor.stop()
        assert floor.stop() == 0
    with open_store(database) as store, store.read() as reader:
        return sum(reader.versions().values())


def replica(folder: Path) -> str:
    """A copy that follows: everything that reads works on it, writing is refused, and the doctor says what it is."""
    with _house() as (server, database, tokens):
        standby = server.folder / "standby"
        server.run("pg_basebackup", "-h", str(server.folder), "-U", "punto", "-D", str(standby), "-R", "-X", "stream")
        with (standby / "postgresql.auto.conf").open("a", encoding="utf-8") as settings:
            settings.write("port = 5434\n")
        server.run("pg_ctl", "start", "-D", str(standby), "-l", str(server.folder / "standby.log"), "-w", "-s")
        try:
            events, copy = _played(folder, database, tokens, 40), f"{database}&port=5434"

            def followed() -> bool:
                with open_store(copy) as store, store.read() as reader:
                    return sum(reader.versions().values()) == events

            _wait_until(followed)
            with open_store(copy) as store, store.read() as reader:
                assert verify(reader).ok
            told = {
                check.check: check.sentence for check in examine(Patient(parse_address(copy))).checks if not check.ok
            }
            assert "is a replica" in told["database"], told
            done = _punto("account", "new", "Zoe", "--database", copy)
            assert done.returncode == 2 and "cannot be written" in done.stderr, done.stderr
            for words in (
                ("audit", "verify"),
                ("audit", "events"),
                ("table", "list"),
                ("backup", str(folder / "copy.db")),
            ):
                done = _punto(*words, "--database", copy)
                assert done.returncode == 0, (words, done.stderr)
        finally:
            server.run("pg_ctl", "stop", "-D", str(standby), "-m", "immediate", "-w")
    return f"{events} events followed; verified, listed and backed up on the copy, and nothing can be written there"


def _punto(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from punto.cli.main import main; main()", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


# ── The image ────────────────────────────────────────────────────────────────────────────────────


def image(_: Path) -> str:
    """Built where something can build it, and looked at: its user, its health check and what it answers."""
    for builder in ("docker", "podman", "buildah"):
        if shutil.which(builder) and subprocess.run([builder, "info"], capture_output=True).returncode == 0:
            break
    else:
        return "left out: nothing on this machine can build an image (docker, podman or buildah)"
    for base in sorted(set(re.findall(r"^FROM (\S+:\S+)", (DEPLOY / "Dockerfile").read_text("utf-8"), re.MULTILINE))):
        if subprocess.run([builder, "pull", f"docker.io/library/{base}"], capture_output=True).returncode != 0:
            return f"left out: {builder} is here, but the base image {base} cannot be fetched"
    build = [builder, "build", "-f", "deploy/Dockerfile", "-t", "punto-tried", "."]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    if builder == "buildah":
        return "built with buildah; it was not run"
    run = [builder, "run", "--rm", "--read-only", "--tmpfs", "/tmp", "punto-tried", "doctor", "--json"]
    told = json.loads(subprocess.run(run, capture_output=True, text=True).stdout)
    assert {"software", "pages"} <= {check["check"] for check in told["checks"] if check["ok"]}, told
    return f"built with {builder}; its software and pages are whole"


if __name__ == "__main__":
    main()
