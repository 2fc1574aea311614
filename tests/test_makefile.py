"""`make run` and `make play` end quietly when they are interrupted; every other failure is told."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

MAKEFILE = Path(__file__).parents[1] / "Makefile"
STAND_IN = """#!/bin/sh
[ "$1" = demo ] && exit 3
trap 'echo stopped; exit {status}' INT TERM
echo "$1 begins"
while :; do sleep 0.05; done
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A checkout with stand-ins for everything that make calls."""
    shutil.copy(MAKEFILE, tmp_path)
    for name, text in (("tools/pages", "#!/bin/sh\n"), ("tools/setup", "#!/bin/sh\n")):
        write(tmp_path / name, text)
    return tmp_path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def outside_make() -> dict[str, str]:
    """The environment as a person has it, also where these tests are started by make."""
    of_make = ("MAKEFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "MFLAGS")
    return {name: value for name, value in os.environ.items() if name not in of_make}


def run(house: Path, number: signal.Signals, status: int) -> tuple[int, list[str]]:
    """Status and output of `make run` after a signal to everything that runs in the terminal."""
    write(house / ".venv/bin/punto", STAND_IN.format(status=status))
    with subprocess.Popen(
        ["make", "run"],
        cwd=house,
        env=outside_make(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "serve begins\n"
        os.killpg(process.pid, number)
        lines = process.stdout.read().splitlines()
        return process.wait(60), lines


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_ends_quietly(house: Path) -> None:
    assert run(house, signal.SIGINT, 130) == (-signal.SIGINT, ["stopped"])


@pytest.mark.usefixtures("interruptible")
def test_every_other_failure_is_told(house: Path) -> None:
    status, lines = run(house, signal.SIGINT, 2)
    assert status != 0 and lines[0] == "stopped" and "make" in lines[-1]
    made = subprocess.run(
        ["make", "play"], cwd=house, env=outside_make(), capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert made.returncode == 2 and "Error 3" in made.stderr


def test_setting_up_builds_the_pages_too(house: Path) -> None:
    """`punto serve` after `make setup` has something to show."""
    for name in ("tools/pages", "tools/setup"):
        write(house / name, f"#!/bin/sh\necho {name} $*\n")
    done = subprocess.run(["make", "setup"], cwd=house, env=outside_make(), text=True, capture_output=True, check=True)
    assert done.stdout.splitlines() == ["tools/setup run", "tools/pages build"]
