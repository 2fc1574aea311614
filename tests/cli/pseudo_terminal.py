"""Driving `punto` through a real terminal, of 80 columns and 24 lines by default."""

from __future__ import annotations

import io
import os
import re
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pexpect

from punto.documents.text import width

SCRIPT = "import sys; from punto.cli.main import main; sys.argv[0] = 'punto'; main()"
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
SECONDS = 120
"""How long a child may be silent on a busy machine before the test gives up."""


def can_be_interrupted() -> None:
    """Ctrl-C ends a program at a terminal, also where the tests run in the background and ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal:
    """A person at a terminal, with a data folder of their own."""

    def __init__(self, folder: Path, *arguments: str, columns: int = 80, rows: int = 24, **settings: Any) -> None:
        self.columns = columns
        self.heard = io.StringIO()
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "XDG_DATA_HOME": str(folder),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "PYTHONPATH": os.pathsep.join(sys.path),
            **settings,
        }
        self.child: pexpect.spawn[str] = pexpect.spawn(
            sys.executable,
            ["-c", SCRIPT, *arguments],
            env={name: value for name, value in environment.items() if value},
            dimensions=(rows, columns),
            encoding="utf-8",
            timeout=SECONDS,
            preexec_fn=can_be_interrupted,
        )
        self.child.delaybeforesend = None
        self.child.logfile_read = self.heard

    def wait_for(self, *prompts: str) -> str:
        """Wait until one of these texts comes; which one."""
        return prompts[self.child.expect_exact(list(prompts))]

    def type(self, line: str, *prompts: str) -> str:
        """Type a line, and wait for one of these texts."""
        self.child.sendline(line)
        return self.wait_for(*prompts) if prompts else ""

    def interrupt(self, sign: str) -> None:
        """Press Ctrl-C until this text comes: one that arrives as readline begins to wait is heard with the next."""
        for _ in range(SECONDS // 10):
            self.child.sendintr()
            if self.child.expect_exact([sign, pexpect.TIMEOUT], timeout=10) == 0:
                return
        raise AssertionError(self.text)

    def end(self) -> int:
        """Wait for the end; the exit status."""
        self.child.expect(pexpect.EOF)
        self.child.close()
        status, signal = self.child.exitstatus, self.child.signalstatus
        return status if status is not None else -(signal or 0)

    @property
    def raw(self) -> str:
        return self.heard.getvalue()

    @property
    def text(self) -> str:
        """All that was shown, without control codes."""
        return CONTROL.sub("", self.raw).replace("\r", "")

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    def check(self) -> None:
        """Nothing is wider than the terminal, and nothing broke."""
        assert [line for line in self.lines if width(line) > self.columns] == []
        assert "Traceback" not in self.text


def between(lines: Sequence[str], start: str, stop: str) -> list[str]:
    """The lines after the one that has `start`, up to the one that has `stop`."""
    first = next(n for n, line in enumerate(lines) if start in line)
    last = next(n for n, line in enumerate(lines[first + 1 :], first + 1) if stop in line)
    return list(lines[first + 1 : last])
