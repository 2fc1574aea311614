"""The locks of npm are whole: every package has a version and a hash, for every platform, and no address.

Where a registry lacks a package for some other platform, npm leaves an entry without a version in the lock, and
`npm ci` refuses that lock as soon as the registry has the package.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("lock", ["web/package-lock.json", "tools/chromium/package-lock.json"])
def test_every_package_is_locked_by_version_and_hash(lock: str) -> None:
    packages = json.loads((ROOT / lock).read_text(encoding="utf-8"))["packages"]
    packages.pop("")
    assert packages
    assert [name for name, entry in packages.items() if not entry.get("version") or not entry.get("integrity")] == []
    assert [name for name, entry in packages.items() if "resolved" in entry] == []
