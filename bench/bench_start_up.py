"""How long the short commands take to start, beside Python with argparse in the same run.

The aim is at most eight times as long as `python -c "import argparse"`. Commands and baseline take turns, so
that whatever else the machine does falls on all of them; the quickest run of each is compared, and the
medians are shown beside it.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

AIM_TIMES = 8
ROUNDS = 25

PUNTO = str(Path(sys.executable).with_name("punto"))
BASELINE = [sys.executable, "-c", "import argparse"]
COMMANDS = {
    "punto --help": [PUNTO, "--help"],
    "punto rules commission": [PUNTO, "rules", "commission"],
    "punto rules insurance": [PUNTO, "rules", "insurance"],
    "punto settle commission": [PUNTO, "settle", "commission", "--cards", "KS 3H 9D 2C", "--bet", "player=100"],
}


def milliseconds(command: list[str]) -> float:
    """How long one run of a command takes."""
    start = perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return (perf_counter() - start) * 1000


def main() -> None:
    commands = {'python -c "import argparse"': BASELINE, **COMMANDS}
    times: dict[str, list[float]] = {name: [] for name in commands}
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
