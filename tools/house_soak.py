"""Lets a house of three servers run for a while behind nginx, on one PostgreSQL, while things go wrong.

    python tools/house_soak.py                                  ten minutes, 30 tables, 1,000 watchers
    python tools/house_soak.py --minutes 1 --tables 6 --watchers 50 --seed 4

The clocks of the servers are seconds apart. Players bet through nginx; watchers follow the tables through it, each by
the number of its last event. In turn a server is killed and started again, stopped in good order, held up by SIGSTOP,
all connections to the database or of the clients are cut, and PostgreSQL is switched off and on. In the end: everything
that was acknowledged is there once, the ledger is exact, every table goes on, every stream is complete, and the audit
finds nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import httpx  # noqa: E402
import msgspec  # noqa: E402
import psycopg  # noqa: E402
from websockets.asyncio.client import connect  # noqa: E402
from websockets.exceptions import WebSocketException  # noqa: E402

from bench.load_generator import request_of  # noqa: E402
from punto.client import Client  # noqa: E402
from punto.server.access import PREFIX  # noqa: E402
from punto.store.store import open_store  # noqa: E402
from tests.crash.bettor import Bettor, check_acknowledged  # noqa: E402
from tests.floor.ledger_check import check_store  # noqa: E402
from tests.server.served_house import HouseServer, ServedHouse, found_house, served_house, wait_until  # noqa: E402
from tests.store.postgres_server import PostgresServer  # noqa: E402

MOST_BETTORS = 6
AT_ONCE = 24  # Watchers that ask for a ticket at the same time.
EXPECTED = ("status=50", "the database could not do this now")  # While something is gone.
APART_MS = (0, 3_000, -3_000)
OPTIONS = ("--pace", "0.05", "--rate", "1000000", "--proxies", "127.0.0.1")
NGINX = """
daemon off; pid {folder}/nginx.pid; {user} error_log {folder}/error.log; worker_processes 1;
events {{ worker_connections 4096; }}
http {{
    client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
    uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s; access_log off;
    upstream house {{ least_conn; {servers} keepalive 32; }}
    map $http_upgrade $upgraded {{ default upgrade; "" ""; }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://house; proxy_http_version 1.1; proxy_read_timeout 90s; proxy_connect_timeout 2s;
            proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr;
            proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $upgraded;
        }}
    }}
}}
"""
END = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


class Front:
    """nginx before the servers."""

    def __init__(self, folder: Path, urls: list[str]) -> None:
        binary = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
        assert binary is not None, "nginx is on this machine"
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
        servers = " ".join(f"server {url.removeprefix('http://')} max_fails=1 fail_timeout=1s;" for url in urls)
        user = "user root;" if os.geteuid() == 0 else ""
        folder.mkdir()
        file = folder / "nginx.conf"
        file.write_text(NGINX.format(folder=folder, user=user, servers=servers, port=port), encoding="utf-8")
        self.url = f"http://127.0.0.1:{port}"
        self._command = [binary, "-p", str(folder), "-c", str(file), "-e", str(folder / "start.log")]
        self._process = subprocess.Popen(self._command)

    def cut(self) -> None:
        """Cut every connection of every client, and come back."""
        self.close()
        self._process = subprocess.Popen(self._command)

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(30)


class Watchers:
    """Many who watch, in one thread: each goes on after its last event, wherever nginx takes it."""

    def __init__(self, url: str, token: str, tables: list[str], number: int) -> None:
        self._url, self._token = url, token
        self.last = [(tables[n % len(tables)], 0) for n in range(number)]
        self.problems: list[str] = []
        self.frames = self.begun = 0
        self._is_over = False
        self._thread = Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._is_over = True
        self._thread.join(60)

    async def _run(self) -> None:
        doors = asyncio.Semaphore(AT_ONCE)
        watching = [asyncio.create_task(self._watch(doors, n)) for n in range(len(self.last))]
        while not self._is_over:
            await asyncio.sleep(0.2)
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)

    async def _watch(self, doors: asyncio.Semaphore, n: int) -> None:
        await asyncio.sleep(n / 200)
        while True:
            with suppress(OSError, EOFError, TimeoutError, ValueError, WebSocketException, KeyError):
                async with doors, asyncio.timeout(20):
                    ticket = await self._ticket()
                await self._follow(ticket, n)
            await asyncio.sleep(0.5)

    async def _ticket(self) -> str:
        """A ticket, over a connection that is for nothing else: a pool that has lost some of its own never recovers."""
        place = urlsplit(self._url)
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        try:
            writer.write(request_of(place.netloc, "POST", f"{PREFIX}/tickets", self._token))
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
            return str(msgspec.json.decode(await reader.readexactly(length))["ticket"])
        except IndexError:
            raise ValueError("an answer without a length") from None
        finally:
            writer.close()

    async def _follow(self, ticket: str, n: int) -> None:
        table, last = self.last[n]
        address = f"{self._url.replace('http', 'ws', 1)}{PREFIX}/tables/{table}/stream"
        async with connect(address, max_size=None, compression=None) as stream:
            hello: dict[str, Any] = {"type": "hello", "ticket": ticket, "after": last, "role": "auditor"}
            await stream.send(msgspec.json.encode(hello).decode())
            self.begun += 1
            came = deque[tuple[str, int | None]](maxlen=8)
            async for content in stream:
                frame = msgspec.json.decode(content)
                self.frames += 1
                came.append((frame["type"], frame.get("seq")))
                if frame["type"] == "snapshot":
                    last = frame["seq"]
                elif frame["type"] == "event":
                    if frame["seq"] != last + 1:
                        self.problems.append(f"after {last} of {table} came {frame['seq']}: {list(came)}")
                    last = frame["seq"]
                self.last[n] = (table, last)


class Trouble:
    def __init__(self, house: ServedHouse, front: Front, postgres: PostgresServer, random: Random) -> None:
        self._house, self._front, self._postgres, self._random = house, front, postgres, random
        self.made: Counter[str] = Counter()

    def make(self) -> None:
        """One thing goes wrong, and is put right; each server in its turn."""
        number = self.made.total()
        server = self._house.servers[number % len(self._house.servers)]
        troubles = (self._kill, self._switch_off, self._cut, self._kill, self._stop, self._hold_up, self._cut_clients)
        what = troubles[number % len(troubles)]
        self.made[what.__name__.strip("_")] += 1
        what(server)

    def _kill(self, server: HouseServer) -> None:
        server.end()
        time.sleep(self._random.uniform(1, 6))
        server.start()

    def _stop(self, server: HouseServer) -> None:
        assert server.end(signal.SIGTERM) == 0
        server.start()

    def _hold_up(self, server: HouseServer) -> None:
        server.send(signal.SIGSTOP)
        time.sleep(self._random.uniform(1, 8))
        server.send(signal.SIGCONT)

    def _cut(self, _: HouseServer) -> None:
        with psycopg.connect(self._house.database, autocommit=True) as connection:
            connection.execute(END)

    def _cut_clients(self, _: HouseServer) -> None:
        self._front.cut()

    def _switch_off(self, _: HouseServer) -> None:
        self._postgres.stop_at_once()
        time.sleep(self._random.uniform(0.5, 3))
        self._postgres.start_again()


def soak(folder: Path, asked: argparse.Namespace) -> str:
    random, postgres = Random(asked.seed), PostgresServer(is_durable=True)
    try:
        database = postgres.new_database()
        tables, _ = found_house(database, asked.tables)
        with served_house(folder, database, 3, *OPTIONS, apart_ms=APART_MS) as house:
            front = Front(folder / "nginx", [server.url for server in house.servers])
            try:
                return _lived(house, front, postgres, tables, random, asked)
            finally:
                front.close()
    finally:
        postgres.close()


def _lived(
    house: ServedHouse, front: Front, postgres: PostgresServer, tables: list[str], random: Random, asked: Any
) -> str:
    first = house.servers[0]
    manager = first.client("Rob")  # logged in now: a password takes its time where much is going on
    manager.http.timeout = httpx.Timeout(120)
    watchers = Watchers(front.url, house.token("Aud", first), tables, asked.watchers)
    bettors = []
    for n, table in enumerate(random.sample(tables, min(MOST_BETTORS, len(tables)))):
        client = Client(front.url)
        client.http.timeout = httpx.Timeout(20)
        client.http.headers["authorization"] = f"Bearer {house.token('Lee', first)}"
        bettors.append(Bettor(client, table, 9, Random(asked.seed + n), is_network_bad=True))
        bettors[-1].start()
    trouble, end, waits = Trouble(house, front, postgres, random), time.monotonic() + 60 * asked.minutes, list[float]()
    while time.monotonic() < end:
        time.sleep(random.uniform(3, 8))
        trouble.make()
        waits.append(_until_all_go_on(house, tables))
        print(f"{trouble.made}: all tables went on after {waits[-1]:.1f} s", flush=True)
    for bettor in bettors:
        bettor.stop()
        problems = [each for each in bettor.problems if not any(why in each for why in EXPECTED)]
        assert problems == [], problems
        bettor.client.close()
    assert manager.http.post("/house/stop", json={"reason": "the end"}).status_code == 200
    at_rest: dict[str, int] = {}
    while (versions := house.versions()) != at_rest or any(last != at_rest[table] for table, last in watchers.last):
        at_rest = versions  # rounds in play end after the stop, slowly where much else runs
        time.sleep(3)
    watchers.stop()
    assert watchers.problems == [], watchers.problems[:5]
    with open_store(house.database) as store:
        check_store(store)
        for bettor in bettors:
            check_acknowledged(store, bettor.journal)
    done = sum(sent.done is not None for bettor in bettors for sent in bettor.journal)
    return (
        f"{dict(trouble.made)}; {sum(at_rest.values()):,} events at {len(tables)} tables, {done:,} commands of players "
        f"acknowledged, {watchers.frames:,} frames to {asked.watchers:,} watchers on {watchers.begun:,} streams: "
        f"nothing lost, nothing twice, ledger exact, verified; tables went on after {max(waits):.1f} s at most"
    )


def _until_all_go_on(house: ServedHouse, tables: list[str]) -> float:
    """How long it takes until every table has gone on."""
    began, before = time.monotonic(), house.versions()
    wait_until(lambda: all(version > before[id] for id, version in house.versions().items() if id in tables))
    return time.monotonic() - began


def main() -> int:
    parser = argparse.ArgumentParser(description="A house of three servers behind nginx, with trouble.")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--tables", type=int, default=30)
    parser.add_argument("--watchers", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="punto-soak-", dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        print(soak(Path(folder), asked))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
