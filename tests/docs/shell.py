"""What pages of the documentation have their reader type at a shell, and a shell that types it.

A block that is indented by four, or fenced as `sh`, is typed at a shell if it begins with the name of a program; in
README, tutorials and guides every indented block does. Commands of `punto` run in this process, `punto serve` and
other programs in processes of their own. What cannot be run here stands in `NOT_RUN`, with the reason.
"""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.called import Answer, call

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
MARGIN = "    "
PROGRAMS = {
    *(
        "punto",
        "make",
        "pip",
        "pipx",
        "uv",
        "python",
        "python3",
        ".venv/bin/python",
        ".venv/bin/pytest",
        "/opt/punto/bin/pip",
    ),
    *("export", "echo", "printf", "head", "sha256sum", "xxd", "cd", "cp", "cat", "cmp", "curl", "(umask"),
    *("sudo", "systemctl", "pg_ctl", "pg_basebackup"),
}
NOT_RUN = {
    r"make (run|play)": "goes on until it is stopped; tests/test_makefile.py starts both",
    r'export PATH="\$PWD': "the tests have `punto` already",
    r"make setup$|(pipx|uv tool|pip|\S+/pip) install ": "fetches packages from the network; tests/installed.py does",
    r"make wheel$": "builds the pages and a wheel, which tests/test_package.py does",
    r"python3 -m venv ": "writes to /opt, which takes root",
    r"sudo -u postgres ": "takes root; the tests make a database of their own",
    r"systemctl ": "takes systemd; tests/test_deploy.py compares the units with the software",
    r"cp -a /base/|cat >> /restored|pg_ctl |pg_basebackup ": "tests/docs/test_deploy_guide.py types them",
    r" *(\.venv/bin/pytest |\.venv/bin/python (tools|bench)/|make (web|lint))": "a check of this repository",
    r"cd /path/to/site-packages ": "a place that the reader knows; tests/floor/test_integrity.py checks such a list",
    r"punto people list --server ": "asks for a password at a terminal; tests/cli/test_house_desk.py logs in",
    r"punto (\[--version\]|roads RESULTS|drill BOOK)": "says the form of a command, not a command",
}
"""What is not run, by how it begins, and why."""
ANSWERS = "p\nb\nn\n" * 20 + "quit\n"
"""What is typed where a drill asks who draws, and where a game waits for bets."""
SERVE = "from punto.cli.main import main; main()"


IN_TABLES = re.compile(r"^\|.*\| `(punto [^`]+)` \|", re.MULTILINE)


class Line(NamedTuple):
    """What one page has typed at once: mostly one line of it."""

    page: str
    number: int
    text: str

    @property
    def why_not_run(self) -> str | None:
        """Why no test types this."""
        return next((why for start, why in NOT_RUN.items() if re.match(start, self.text)), None)


def blocks(page: Path) -> Iterator[tuple[int, list[str]]]:
    """Every block that is indented or fenced as `sh`, with the number of its first line."""
    fence, block, start = None, list[str](), 0
    for number, line in enumerate([*page.read_text(encoding="utf-8").splitlines(), "end"], 1):
        is_code = fence == "sh" if fence is not None else line.startswith(MARGIN)
        if line.lstrip().startswith("```"):
            fence, is_code = (line.strip()[3:] if fence is None else None), False
        if is_code and (block or fence == "sh" or _begins(page, number)):
            start = start if block else number
            block.append(line if fence == "sh" else line[len(MARGIN) :])
        elif block and (line or fence is not None):
            yield start, block
            block = []


def _begins(page: Path, number: int) -> bool:
    """Whether a block may begin at this line: the one before it is blank."""
    return number == 1 or not page.read_text(encoding="utf-8").splitlines()[number - 2].strip()


def is_first(page: Path) -> bool:
    """Whether newcomers follow this page."""
    return page.name == "README.md" or page.parent.name == "tutorials"


def typed(page: Path) -> list[Line]:
    """Everything that a page has typed at a shell and shows no answer of; what is continued is one line.

    So are commands that stand alone in a row of a table, where README and tutorials say what to begin with.
    """
    name = str(page.relative_to(ROOT))
    found = [Line(name, 0, text) for text in IN_TABLES.findall(page.read_text(encoding="utf-8")) if is_first(page)]
    for start, block in blocks(page):
        if not block[0].strip() or block[0].split()[0] not in PROGRAMS:
            continue
        whole, at = "", start
        for number, line in enumerate(block, start):
            at, whole = (at, f"{whole}\n{line}") if whole else (number, line)
            if not _goes_on(whole):
                found.append(Line(name, at, whole))
                whole = ""
        assert not whole, (name, at, "is not ended")
    return found


def _goes_on(text: str) -> bool:
    """Whether a shell would wait for more."""
    if text.endswith("\\") or ((document := re.search(r"<<(\w+)", text)) and not text.endswith(f"\n{document[1]}")):
        return True
    try:
        shlex.split(text, comments=True)
    except ValueError:
        return True
    return False


class Shell:
    """Somebody who types at a terminal, in a folder that is also the home, with nothing in it."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, instead: dict[str, str] | None = None) -> None:
        """`instead` has what a page says in the place of what only the reader knows: an address, a folder."""
        self.folder, self._patch, self.instead = folder, patch, instead or {}
        self.said: dict[str, Answer] = {}
        patch.chdir(folder)
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "PUNTO_DATABASE", "NO_COLOR", "COLUMNS"):
            patch.delenv(name, raising=False)
        patch.setenv("HOME", str(folder))
        (folder / "docs").symlink_to(ROOT / "docs")

    def type(self, text: str, may_fail: bool = False) -> Answer:
        """What comes of one line; it has to succeed."""
        line = text
        for written, meant in self.instead.items():
            line = line.replace(written, meant)
        if exported := re.fullmatch(r"export (\w+)=(\S+)", line):
            self._patch.setenv("PWD", str(self.folder))
            self._patch.setenv(exported[1], os.path.expandvars(shlex.split(exported[2])[0]))
            return Answer(0, "", "")
        came = Answer(0, "", "")
        for part in line.split(" && "):
            came = self._pipe(part)
            assert may_fail or came.status == 0, (text, came)
        self.said[text] = came
        return came

    def _pipe(self, line: str) -> Answer:
        """A pipe: its parts one after the other, each with what came before it as its input."""
        if not re.search(r"(^|\| )punto ", line):
            return self._process(line, "")
        came = Answer(0, ANSWERS, "")
        for part in line.split(" | "):
            came = self._punto(part, came.out) if part.startswith("punto ") else self._process(part, came.out)
            if came.status:
                break
        return came

    def _punto(self, line: str, given: str) -> Answer:
        words = shlex.split(line, comments=True)[1:]
        into = words[words.index(">") + 1] if ">" in words else None
        words = words[: words.index(">")] if into else words
        if words[0] == "serve":
            return self._serve(words)
        self._patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode()), encoding="utf-8"))
        came = call(*words)
        if into:
            Path(into).write_text(came.out, encoding="utf-8")
        return came

    def _process(self, line: str, given: str) -> Answer:
        line = re.sub(r"^python3?(?= )", shlex.quote(sys.executable), line)
        done = subprocess.run(
            ["bash", "-euc", line], input=given, capture_output=True, text=True, check=False, cwd=self.folder
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    def _serve(self, words: list[str]) -> Answer:
        """A floor on a free port of this machine: it answers, and Ctrl-C ends it well."""
        command = [sys.executable, "-c", SERVE, *words, "--json", "--no-browser", "--port", "0", "--host", "127.0.0.1"]
        with (self.folder / "serve.log").open("w") as log:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert process.stdout is not None
        told = process.stdout.readline()
        if told:
            with urllib.request.urlopen(f"{json.loads(told)['url']}/ready") as ready:
                assert ready.status == 200
            process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        status = process.wait(60)
        process.stdout.close()
        ended = told and status == 128 + signal.SIGINT
        return Answer(0 if ended else status or 1, told + rest, (self.folder / "serve.log").read_text())
