"""A floor in a process of its own, as `punto serve` starts it, to be stopped, killed and started again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from punto.client import Client, Refused

COMMAND = "from punto.cli.main import main; main()"


class ServedFloor:
    """`punto serve` on a file; its log-ins are those of the demonstration."""

    def __init__(self, folder: Path, *options: str, database: str | None = None) -> None:
        self.database = folder / "house.db"
        self._address = database or str(self.database)
        self._folder, self._options = folder, options
        self._process: subprocess.Popen[str] | None = None
        self.url = ""
        self.metrics_port: int | None = None
        self.logins: dict[str, str] = {}
        self.entry = ""  # The link that lets in as the player, once.
        self._tokens: dict[str, str] = {}
        self._clients: list[Client] = []

    def start(self) -> None:
        """Start it, and wait until it listens; at the same address as before."""
        port = self.url.rpartition(":")[2] or "0"
        command = [sys.executable, "-c", COMMAND, "serve", "--json", "--no-browser", "--port", port]
        command += ["--database", self._address, *self._options]
        home = {"HOME": str(self._folder), "XDG_CONFIG_HOME": str(self._folder / "config")}
        with (self._folder / "serve.log").open("a") as log:
            self._process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, env={**os.environ, **home}
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, f"it did not start: {(self._folder / 'serve.log').read_text()[-2000:]}"
        told: dict[str, Any] = json.loads(line)
        self.url, self.entry, self.metrics_port = told["url"], told["entry"] or "", told.get("metrics_port")
        self.logins = {login["name"]: login["password"] for login in told["logins"]}

    def __enter__(self) -> ServedFloor:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self.kill()
        for client in self._clients:
            client.close()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """Strike it down."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask it to stop; its exit status."""
        return self._end(signal.SIGTERM)

    def _end(self, number: int) -> int:
        assert self._process is not None
        self._process.send_signal(number)
        status = self._process.wait(60)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None
        return status

    def client(self, name: str, url: str | None = None) -> Client:
        """Somebody at it; a session outlives the process that opened it."""
        made = Client(url or self.url)
        self._clients.append(made)
        if name in self._tokens:
            made.http.headers["authorization"] = f"Bearer {self._tokens[name]}"
            return made
        found = made.log_in(name, self.logins[name])
        assert not isinstance(found, Refused), found
        self._tokens[name] = found.token
        return made
