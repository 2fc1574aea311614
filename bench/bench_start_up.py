"""How long the short commands take to start, beside Python with argparse in the same run.

The aim is at most five times as long as `python -c "import argparse"`, in processor time of the process. Commands and
baseline take turns, so that whatever else the machine does falls on all of them; the quickest run of each is compared,
and the medians are shown beside it. Modules are compiled before, as they are wherever Punto is installed.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from statistics import median

AIM_TIMES = 5
ROUNDS = 25

PUNTO = str(Path(sys.executable).with_name("punto"))
COMPILING = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""An environment in which compiled modules are kept: else every run of a command compiles Punto and all it needs."""
BASELINE = [sys.executable, "-c", "import argparse"]
COMMANDS = {
    "punto --help": [PUNTO, "--help"],
    "punto rules commission": [PUNTO, "rules", "commission"],
    "punto rules insurance": [PUNTO, "rules", "insurance"],
    "punto settle commission": [PUNTO, "settle", "commission", "--cards", "KS 3H 9D 2C", "--bet", "player=100"],
}


def milliseconds(command: list[str]) -> float:
    """How long the processor is busy with one run of a command."""
    nothing = (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)
    process = os.posix_spawn(command[0], command, COMPILING, file_actions=[nothing])
    _, status, used = os.wait4(process, 0)
    assert status == 0, command
    return (used.ru_utime + used.ru_stime) * 1000


def main() -> None:
    commands = {'python -c "import argparse"': BASELINE, **COMMANDS}
    times: dict[str, list[float]] = {name: [] for name in commands}
    for command in commands.values():
        milliseconds(command)  # compiles what is not compiled yet
    for _ in range(ROUNDS):
        for name, command in commands.items():
            times[name].append(milliseconds(command))
    baseline = next(iter(times.values()))
    print(f"{'command':28} {'quickest':>10} {'median':>10} {'times the baseline':>20} {'aim':>6}")
    for name, taken in times.items():
        ratio, of_medians = min(taken) / min(baseline), median(taken) / median(baseline)
        text = f"{ratio:.1f} ({of_medians:.1f})" if taken is not baseline else "1"
        verdict = "   above the aim" if ratio > AIM_TIMES else ""
        print(f"{name:28} {min(taken):7.1f} ms {median(taken):7.1f} ms {text:>20} {AIM_TIMES:>6}{verdict}")


if __name__ == "__main__":
    main()
