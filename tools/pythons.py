"""Tries the wheel with every interpreter from Python 3.11 on that is found: `make pythons`.

    python tools/pythons.py [EXTRA] [--only 3.13]

The wheel is built once and installed, with what EXTRA brings (default: serve), into an empty environment for each
interpreter, outside the checkout and without Node.js on the path. Then its main paths are taken: exact odds, a settled
deal, a floor with its pages. Interpreters are looked for on the path, and where pyenv and uv keep theirs.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.installed import take_main_paths  # noqa: E402

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
PLACES = (
    *map(Path, os.get_exec_path()),
    *(Path.home() / place for place in (".pyenv/versions", ".local/share/uv/python")),
)


def interpreters() -> dict[str, Path]:
    """The first interpreter of each version that answers."""
    found: dict[str, Path] = {}
    for version in VERSIONS:
        for place in PLACES:
            for path in (place / f"python{version}", *sorted(place.glob(f"*/bin/python{version}"))):
                if version not in found and path.exists() and _answers(path, version):
                    found[version] = path
    return found


def _answers(path: Path, version: str) -> bool:
    code = "import sys, venv; print('%d.%d' % sys.version_info[:2])"
    told = subprocess.run([path, "-c", code], text=True, capture_output=True, check=False)
    return told.stdout.strip() == version


def attempt(python: Path, wheel: Path, extra: str, folder: Path) -> str | None:
    """What went wrong with this interpreter; None if nothing did."""
    place = folder / "environment"
    install = [str(place / "bin/python"), "-m", "pip", "install", "--quiet", "--prefer-binary", f"{wheel}[{extra}]"]
    try:
        subprocess.run([python, "-m", "venv", place], check=True, capture_output=True, text=True)
        subprocess.run(install, check=True, capture_output=True, text=True, cwd=folder)
        take_main_paths(place, folder, {"PATH": str(place / "bin"), "HOME": str(folder)})
    except subprocess.CalledProcessError as error:
        words = (error.stderr or error.stdout or str(error)).strip().splitlines()
        return words[-1] if words else str(error)
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description="Try the wheel with every interpreter that is found.")
    parser.add_argument("extra", nargs="?", default="serve")
    parser.add_argument("--only", choices=VERSIONS)
    asked = parser.parse_args()
    failed = 0
    with TemporaryDirectory() as built:
        subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", built], cwd=ROOT, check=True)
        (wheel,) = Path(built).glob("*.whl")
        found = interpreters()
        for version in [asked.only] if asked.only else VERSIONS:
            if version not in found:
                print(f"python {version}: not found, not tried")
                continue
            with TemporaryDirectory() as folder:
                problem = attempt(found[version], wheel, asked.extra, Path(folder))
            failed += problem is not None
            print(
                f"python {version} ({found[version]}): {problem or 'installed, and every main path taken'}", flush=True
            )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
