"""What the guide to deploying says of PostgreSQL is typed as it stands: coming back to a moment, and a replica.

Only the folders, the moment and the name of the primary are others; test_shell_lines types the rest of the page.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.cli.called import answer, call, refusal
from tests.docs.shell import ROOT, Shell, typed
from tests.server.served_house import wait_until
from tests.store.postgres_server import PostgresServer

PAGE = ROOT / "docs/guides/deploy.md"
TEXT = PAGE.read_text(encoding="utf-8")
LINES = [line.text for line in typed(PAGE)]
[ARCHIVE] = re.findall(r"```ini\n(archive_mode.*?)```", TEXT, re.DOTALL)
[DAILY] = re.findall(r"`(pg_basebackup [^`]* -X none)`", TEXT)
RECOVERY = LINES[[line.startswith("cp -a /base/") for line in LINES].index(True) :][:3]
[REPLICA] = [line for line in LINES if line.startswith("pg_basebackup ")]
DAY, MOMENT = "2026-11-17", "2026-11-17 21:40:00+00"
HASTE = "checkpoint_completion_target = 0\n"
"""A base backup waits for a checkpoint, which PostgreSQL otherwise spreads over minutes."""
ANOTHER, THIRD = "5433", "5434"
"""Ports: all servers of this test have their sockets in one folder."""


class Operator:
    """Somebody at the shell of the database server, as the user that PostgreSQL runs as."""

    def __init__(self, server: PostgresServer) -> None:
        self.server, self.home = server, server.folder
        for name in ("archive", "base"):
            (self.home / name).mkdir(mode=0o700)
            if server.user:
                shutil.chown(self.home / name, server.user)

    def here(self, text: str) -> str:
        """The same with folders of this test."""
        return re.sub(r"/(archive|base|restored|replica)\b", rf"{self.home}/\1", text)

    def types(self, line: str, port: str = "5432") -> None:
        """Type a line of the page; what it starts goes on, so its output goes to a file."""
        env = {"PATH": f"{self.server.bin}:/usr/bin:/bin", "PGHOST": str(self.home), "PGUSER": "punto", "PGPORT": port}
        with (self.home / "operator.log").open("a+") as log:
            done = subprocess.run(
                ["bash", "-euc", self.here(line)],
                cwd=self.home, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False,
                user=self.server.user, extra_groups=[] if self.server.user else None,
            )  # fmt: skip
            log.seek(0)
            assert done.returncode == 0, (line, log.read())

    def asks(self, address: str, question: str) -> str:
        """What a server answers."""
        with psycopg.connect(address, autocommit=True) as connection:
            row = connection.execute(question.encode()).fetchone()
        assert row is not None
        return str(row[0])

    def does(self, statement: str) -> None:
        with psycopg.connect(self.server.address(), autocommit=True) as connection:
            connection.execute(statement.encode())


@pytest.fixture
def operator() -> Iterator[Operator]:
    """A server that archives as the page says."""
    server = PostgresServer()
    try:
        made = Operator(server)
        with (server.folder / "data/postgresql.conf").open("a", encoding="utf-8") as settings:
            settings.write(f"{made.here(ARCHIVE)}{HASTE}")
        server.run("pg_ctl", "restart", "-D", str(server.folder / "data"), "-l", str(server.folder / "log"), "-w", "-s")
        yield made
        for name in ("restored", "replica"):
            if (server.folder / name / "postmaster.pid").exists():
                server.run("pg_ctl", "stop", "-D", str(server.folder / name), "-m", "immediate", "-w")
    finally:
        server.close()


@pytest.fixture
def house(operator: Operator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A house on that server, with one account."""
    Shell(tmp_path, monkeypatch)
    address = operator.server.new_database()
    answer("account", "new", "Lee", "--database", address)
    return address


def names(address: str) -> list[str]:
    return [row["account"] for row in answer("account", "list", "--database", address, "--json").json]


@pytest.mark.slow
def test_the_house_comes_back_to_a_moment(operator: Operator, house: str) -> None:
    operator.types(DAILY.replace("$(date +%F)", DAY))
    answer("account", "new", "Kim", "--database", house)
    moment = operator.asks(house, "SELECT clock_timestamp()::text")
    answer("account", "new", "Zoe", "--database", house)
    segment = operator.asks(house, "SELECT pg_walfile_name(pg_switch_wal())")
    wait_until(lambda: (operator.home / "archive" / segment).exists())
    assert "any moment" in " ".join(call("doctor", "--database", house).out.split())  # It also says: fsync is off.
    for line in RECOVERY:
        operator.types(line.replace(MOMENT, moment), ANOTHER)
    again = f"{house}&port={ANOTHER}"
    wait_until(lambda: operator.asks(again, "SELECT pg_is_in_recovery()::text") == "false")
    assert names(again) == ["Kim", "Lee"] and names(house) == ["Kim", "Lee", "Zoe"]
    answer("audit", "verify", "--database", again)


@pytest.mark.slow
def test_a_replica_is_read_and_takes_the_place_of_the_primary(operator: Operator, house: str) -> None:
    operator.does("CREATE ROLE replicator REPLICATION LOGIN")
    copied, _, started = REPLICA.replace("primary", str(operator.home)).partition(" && ")
    operator.types(copied)
    operator.types(started, THIRD)
    replica = f"{house}&port={THIRD}"
    answer("account", "new", "Kim", "--database", house)
    wait_until(lambda: names(replica) == ["Kim", "Lee"])
    answer("audit", "verify", "--database", replica)
    assert "cannot be written" in refusal("account", "new", "Zoe", "--database", replica)
    operator.server.stop_at_once()
    assert "`pg_ctl promote`" in TEXT
    operator.types("pg_ctl promote -D /replica", THIRD)
    answer("account", "new", "Zoe", "--database", replica)
    assert names(replica) == ["Kim", "Lee", "Zoe"]
