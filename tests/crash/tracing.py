"""What a worker writes and syncs, as strace sees it; and disturbing it at any call."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

_FETCHED = Path(__file__).parents[2] / ".venv/strace/usr/bin/strace"
"""Where tools/setup puts one for somebody who may not install programs."""
STRACE = shutil.which("strace") or str(_FETCHED)
CALLS = "openat,pwrite64,write,ftruncate,fsync,fdatasync,unlink"
WRITING = "pwrite64,ftruncate,fsync,fdatasync,unlink"
"""The calls by which SQLite changes its files; a journal of ours is written by `write`."""
ROOT = Path(__file__).parents[2]


def _is_there() -> bool:
    """Whether strace is on this machine and may look at other processes."""
    if shutil.which(STRACE) is None:
        return False
    return subprocess.run([STRACE, "-o", "/dev/null", "true"], capture_output=True).returncode == 0


needs_strace = pytest.mark.skipif(not _is_there(), reason="strace cannot be used on this machine")
"""`make test` installs strace, or says that it cannot."""

_LINE = re.compile(r"(\d+\.\d+) (\w+)\((.*)\) += (-?\d+)")
_HANDLE = re.compile(r"\d+<([^>]*)>")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


class Call(msgspec.Struct, frozen=True):
    """One call to the system that succeeded."""

    time: float
    name: str
    path: str
    data: bytes = b""
    number: int = 0
    """Where it writes, or the length that it cuts to."""


GROUPS = {"files": ("", "-wal", "-journal"), "index": ("-shm",)}
"""The files of a database that are counted together; the index of its log is written when it is opened."""


class Point(msgspec.Struct, frozen=True):
    """A writing call: to which files, of which kind, and which of its kind (`3+`: from the third on)."""

    group: str
    call: str
    nth: str


@dataclass(frozen=True)
class Ended:
    """How a worker ended."""

    status: int
    """Its exit status; negative where a signal ended it."""
    stderr: str


def record(folder: Path, *worker: str) -> list[Call]:
    """Run a worker and note all it writes and syncs, in order."""
    prefix = folder / "trace"
    options = ["-ff", "-ttt", "-y", "-xx", "-s", "4194304", "-e", f"trace={CALLS}", "-e", "signal=none"]
    done = _strace([*options, "-o", str(prefix)], worker)
    assert done.status == 0, f"the worker ended with {done.status}: {done.stderr}"
    calls = [
        call
        for path in folder.glob("trace.*")
        for line in path.read_text(encoding="ascii").splitlines()
        if (call := _parsed(line))
    ]
    return sorted(calls, key=lambda call: call.time)


def disturb(fault: str, point: Point, worker: tuple[str, ...]) -> Ended:
    """Run a worker that meets a fault, such as `signal=KILL` or `error=ENOSPC`, at a writing call."""
    options = ["-f", "-qq", *_files(point.group, worker[0]), "-e", f"trace={point.call}"]
    if fault.startswith("error="):
        options.append("--seccomp-bpf")  # faster, but a signal does not come through
    return _strace([*options, "-e", f"inject={point.call}:{fault}:when={point.nth}"], worker)


def writing_calls(folder: Path, worker: tuple[str, ...]) -> list[Point]:
    """Every call by which a worker changes its files.

    strace counts the calls of each kind for each thread. Where two threads make calls of a kind, the first
    calls of one are the first calls of the other.
    """
    points = []
    for group in GROUPS:
        options = ["-ff", "-qq", *_files(group, worker[0]), "-e", f"trace={WRITING}", "-e", "signal=none"]
        done = _strace([*options, "-o", str(folder / "calls")], worker)
        assert done.status == 0, done.stderr
        most: Counter[str] = Counter()
        for path in folder.glob("calls.*"):
            names = [line.partition("(")[0] for line in path.read_text(encoding="utf-8").splitlines()]
            most |= Counter(name for name in names if name in WRITING.split(","))
            path.unlink()
        points += [Point(group, name, str(n)) for name in sorted(most) for n in range(1, most[name] + 1)]
    return points


def _files(group: str, database: str) -> list[str]:
    """The files of a group, as strace is told to look at them alone."""
    names = [str(Path(database).parent)] if group == "files" else []
    return [part for name in [f"{database}{end}" for end in GROUPS[group]] + names for part in ("-P", name)]


def _strace(options: list[str], worker: tuple[str, ...]) -> Ended:
    command = [STRACE, *options, sys.executable, "-m", "tests.crash.worker", *worker]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return Ended(done.returncode, done.stderr)


def _parsed(line: str) -> Call | None:
    found = _LINE.match(line)
    if not found or int(found[4]) < 0:
        return None
    time, name, arguments = float(found[1]), found[2], found[3]
    texts = [bytes.fromhex(text.replace("\\x", "")) for text in _TEXT.findall(arguments)]
    if name in ("openat", "unlink"):
        return Call(time, "open" if "O_CREAT" in arguments else name, texts[0].decode())
    handle = _HANDLE.match(arguments)
    if handle is None:
        return None
    path = handle[1]
    if "\\x" in path:
        path = bytes.fromhex(path.replace("\\x", "")).decode()
    if name in ("pwrite64", "write"):
        assert "..." not in arguments[-40:], "strace shows all that is written"
        place = int(arguments.rpartition(",")[2]) if name == "pwrite64" else 0
        return Call(time, name, path, texts[0][: int(found[4])], place)
    number = int(arguments.rpartition(",")[2]) if name == "ftruncate" else 0
    return Call(time, name, path, number=number)
