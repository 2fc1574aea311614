"""Makes a release of Punto: `make release VERSION=0.1.0`.

    python tools/release.py VERSION [--check]

It refuses where the tree is not clean, the version is not that of the package or has been released, the changelog has
nothing to say, or a test fails. Then it gives what is unreleased in CHANGELOG.md the version and the day (or the day
alone, where a section of this version was cut before), commits that, tags it, and builds the wheel and the source
distribution in dist/. Nothing is pushed or published: that is for whoever has looked at it. With --check it only says
what stands in the way, without running the tests.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHANGELOG, PACKAGE = "CHANGELOG.md", "src/punto/__init__.py"
UNRELEASED = "## Unreleased\n"
_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)(rc\d+)?")


def obstacles(root: Path, version: str) -> list[str]:
    """What stands in the way of a release, a sentence each; tests are not run here."""
    if not _VERSION.fullmatch(version):
        return [f"{version} is not a version such as 0.2.0 or 0.2.0rc1"]
    found = []
    if changed := _git(root, "status", "--porcelain").splitlines():
        found.append(f"the tree is not clean ({changed[0].strip()}); commit or remove what has changed")
    if _git(root, "tag", "--list", f"v{version}"):
        found.append(f"v{version} has been released; take a higher version")
    stated = re.search(r'^__version__ = "([^"]+)"$', (root / PACKAGE).read_text(encoding="utf-8"), re.MULTILINE)
    if stated is None or stated[1] != version:
        found.append(f"{PACKAGE} does not say {version}; change it, run make reference, and commit both")
    new, is_cut = entries(_changelog(root)), bool(_section(version).search(_changelog(root)))
    if not new and not is_cut:
        found.append(f"{CHANGELOG} has nothing under Unreleased; say what users will notice")
    if new and is_cut:
        found.append(f"{CHANGELOG} has a section {version} already; move what is under Unreleased into it")
    return found


def entries(changelog: str) -> list[str]:
    """What has changed since the last release."""
    return re.findall(r"^- .*$", changelog.partition(UNRELEASED)[2].partition("\n## ")[0], re.MULTILINE)


def cut(changelog: str, version: str, day: date) -> str:
    """The changelog with what was unreleased as this version; a section that it has already gets the day."""
    if _section(version).search(changelog):
        return _section(version).sub(f"## {version} - {day.isoformat()}", changelog)
    before, heading, after = changelog.partition(UNRELEASED)
    return f"{before}{heading}\n## {version} - {day.isoformat()}\n{after}"


def release(root: Path, version: str, day: date) -> None:
    """Cut the changelog, commit and tag it, and build."""
    before, after = _changelog(root), cut(_changelog(root), version, day)
    if after != before:
        (root / CHANGELOG).write_text(after, encoding="utf-8")
        _git(root, "commit", "--quiet", "--message", f"release: {version}", "--", CHANGELOG)
    _git(root, "tag", "--annotate", "--message", f"Punto {version}", f"v{version}")
    subprocess.run(["make", "wheel"], cwd=root, check=True)


def _section(version: str) -> re.Pattern[str]:
    """The heading of a version."""
    return re.compile(rf"^## {re.escape(version)} - .*$", re.MULTILINE)


def _changelog(root: Path) -> str:
    return (root / CHANGELOG).read_text(encoding="utf-8")


def _git(root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True).stdout


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description="Make a release of Punto.")
    parser.add_argument("version", help="such as 0.2.0")
    parser.add_argument("--check", action="store_true", help="only say what stands in the way, without the tests")
    asked = parser.parse_args(arguments)
    if found := obstacles(root, asked.version):
        print("\n".join(f"punto: {obstacle}" for obstacle in found), file=sys.stderr)
        return 1
    if asked.check:
        print(f"punto: {asked.version} can be released if make test passes")
        return 0
    if subprocess.run(["make", "test"], cwd=root, check=False).returncode != 0:
        print(f"punto: tests fail, so {asked.version} was not released; nothing has been changed", file=sys.stderr)
        return 1
    release(root, asked.version, datetime.now(UTC).date())
    print(f"punto: v{asked.version} is tagged and built in dist/; look at it, then push the commit and the tag")
    return 0


if __name__ == "__main__":
    sys.exit(main())
