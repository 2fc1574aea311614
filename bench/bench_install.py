"""What `pip install punto` puts on a machine without extras, and how long `import punto` takes.

Packages and bytes are those of the files that are installed, by their own records: Punto and everything that it
requires, without pip and setuptools, which a machine has or has not. Bytes of our own are those of the source tree with
the pages.
Importing is compared with an interpreter that does nothing and with one that imports argparse, in turns, so that
whatever else the machine does falls on all of them; the quickest run of each counts.
"""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import Distribution, distribution
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import perf_counter

MOST_PACKAGES, MOST_MEGABYTES, MOST_MS = 15, 40, 60
ROUNDS = 15
SOURCE = Path(__file__).parents[1] / "src/punto"
IMPORTS = {
    "python -c pass": "pass",
    "import argparse": "import argparse",
    "import punto": "import punto",
    "punto.load('ez')": "import punto; punto.load('ez')",
}


def base_packages(name: str = "punto") -> dict[str, Distribution]:
    """A package and all that it requires without extras, by name."""
    found: dict[str, Distribution] = {}
    waiting = [name]
    while waiting:
        package = waiting.pop()
        if package not in found:
            found[package] = distribution(package)
            waiting += [_name(each) for each in found[package].requires or () if is_needed(each)]
    return found


def is_needed(requirement: str) -> bool:
    """Whether a requirement holds here, without any extra."""
    from packaging.requirements import Requirement

    marker = Requirement(requirement).marker
    return marker is None or marker.evaluate({"extra": ""})


def _name(requirement: str) -> str:
    return re.split(r"[\[<>=!~; (]", requirement)[0].lower().replace("_", "-")


def installed_bytes(package: str, made: Distribution) -> int:
    """Bytes of the files of a package, compiled ones left out: they are made when they are first run."""
    if package == "punto":
        files = [path for path in SOURCE.rglob("*") if path.is_file()]
    else:
        files = [Path(str(made.locate_file(each))) for each in made.files or ()]
    return sum(path.stat().st_size for path in files if "__pycache__" not in path.parts and path.exists())


def milliseconds(code: str) -> tuple[float, float]:
    """Of the clock, and of the processor, which other work on the machine does not lengthen."""
    before, begun = processor_seconds(), perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return (perf_counter() - begun) * 1000, (processor_seconds() - before) * 1000


def processor_seconds() -> float:
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def verdict(value: float, most: float) -> str:
    return "" if value < most else "   above the aim"


def main() -> None:
    sizes = {name: installed_bytes(name, made) / 1e6 for name, made in base_packages().items()}
    for name, megabytes in sorted(sizes.items(), key=lambda each: -each[1]):
        print(f"{name:28} {megabytes:7.1f} MB")
    total = sum(sizes.values())
    print(f"{'packages':28} {len(sizes):7}      aim: under {MOST_PACKAGES}{verdict(len(sizes), MOST_PACKAGES)}")
    print(f"{'all of them':28} {total:7.1f} MB   aim: under {MOST_MEGABYTES} MB{verdict(total, MOST_MEGABYTES)}\n")
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in IMPORTS}
    for _ in range(ROUNDS):
        for name, code in IMPORTS.items():
            times[name].append(milliseconds(code))
    nothing, idle = (min(each) for each in zip(*times["python -c pass"], strict=True))
    for name, taken in times.items():
        clock, processor = zip(*taken, strict=True)
        more, used = min(clock) - nothing, min(processor) - idle
        aim = f"   aim: under {MOST_MS} ms more{verdict(more, MOST_MS)}" if name == "import punto" else ""
        print(f"{name:28} {min(clock):7.1f} ms ({median(clock):.1f}) {more:+7.1f} ms, {used:+.1f} of a core{aim}")


if __name__ == "__main__":
    main()
