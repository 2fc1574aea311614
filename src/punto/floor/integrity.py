"""Which software runs: a list of every file of the installed package with its SHA-256, compared with what the wheel
promised, and one digest of the whole list.

The list is in the form that sha256sum reads, so that somebody who trusts neither this machine nor Punto can check the
files: `cd` to the folder above the package and `sha256sum -c LIST`. A wheel names every file that it brings with its
SHA-256, in its RECORD; a checkout, or an install that points to one, promises nothing, and that is said plainly.
"""

from __future__ import annotations

import base64
import csv
import re
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import msgspec

from punto import __version__

PACKAGE = Path(__file__).parents[1]
NAME = "punto"
MADE_HERE = ("__pycache__",)  # What the interpreter makes from the files, wherever it may.
MOST_NAMED = 50  # Files of one kind that are named; the others are counted.
_REQUIREMENT = re.compile(r"[A-Za-z0-9._-]+")
Digests = Mapping[str, str]  # SHA-256 in hexadecimal, by path with slashes from the folder above the package.


class Dependency(msgspec.Struct, frozen=True):
    """A package that Punto builds on, as it is installed."""

    version: str
    record: str | None  # The SHA-256 of the list of its files that came with it; None where it has none.


class Integrity(msgspec.Struct, frozen=True, kw_only=True):
    """What was found of the software that is installed."""

    version: str
    digest: str  # SHA-256 of the manifest: the same files have the same digest, wherever they lie.
    files: int
    promised: bool  # Whether a wheel says what they should be; a checkout promises nothing.
    ok: bool  # Nothing differs from what was promised.
    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    dependencies: dict[str, Dependency] = {}


def files_of(package: Path = PACKAGE) -> dict[str, str]:
    """The SHA-256 of every file of a package, sorted by path."""
    found = {}
    for path in package.rglob("*"):
        parts = path.relative_to(package).parts
        if path.is_file() and not any(part in MADE_HERE for part in parts):
            found["/".join((package.name, *parts))] = sha256(path.read_bytes()).hexdigest()
    return dict(sorted(found.items()))


def manifest_text(files: Digests) -> str:
    """The list as sha256sum prints and reads it."""
    return "".join(f"{digest}  {path}\n" for path, digest in sorted(files.items()))


def digest_of_files(files: Digests) -> str:
    return sha256(manifest_text(files).encode()).hexdigest()


@lru_cache(maxsize=1)
def software_digest() -> str:
    """The digest of what was installed when this process asked first."""
    return digest_of_files(files_of())


def software_name() -> str:
    """Version and digest in one line, for exports and anchors."""
    return f"punto {__version__} sha256:{software_digest()}"


def promised_files(record: str, package: str = NAME) -> dict[str, str] | None:
    """What a RECORD says of the files of a package; None where it does not name them."""
    promised = {}
    for path, digest, *_ in csv.reader(line for line in record.splitlines() if line.count(",") >= 2):
        kind, _, text = digest.partition("=")
        if path.startswith(f"{package}/") and kind == "sha256":
            promised[path] = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).hex()
    return promised or None


def compared(files: Digests, promised: Digests | None, **known: Any) -> Integrity:
    """Files beside what was promised of them."""
    due = promised if promised is not None else files
    changed = tuple(path for path in files if path in due and due[path] != files[path])
    missing = tuple(path for path in sorted(due) if path not in files)
    added = tuple(path for path in files if path not in due)
    return Integrity(
        version=__version__,
        digest=digest_of_files(files),
        files=len(files),
        promised=promised is not None,
        ok=not (changed or missing or added),
        changed=changed[:MOST_NAMED],
        missing=missing[:MOST_NAMED],
        added=added[:MOST_NAMED],
        **known,
    )


def check_software(package: Path = PACKAGE) -> Integrity:
    """Look at the software that is installed now: every file is read."""
    own = _own_distribution(package)
    record = own.read_text("RECORD") if own is not None else None
    promised = promised_files(record) if record is not None else None
    return compared(files_of(package), promised, dependencies=dependencies_of(distribution_of()))


def _own_distribution(package: Path) -> Distribution | None:
    """The install that the running package is of; another one of the same name promises nothing about it."""
    found = distribution_of()
    if found is None or Path(str(found.locate_file(NAME))).resolve() != package.resolve():
        return None
    return found


def distribution_of(name: str = NAME) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def dependencies_of(own: Distribution | None) -> dict[str, Dependency]:
    """What a package builds on, and what that builds on, as far as it is installed: each with its version.

    Of its own extras those that are installed count, because they are loaded; of others' extras none.
    """
    found: dict[str, Dependency] = {}
    waiting = [own.metadata] if own is not None else []
    own_name = waiting[0]["Name"].lower() if waiting else ""
    while waiting:
        package = waiting.pop()  # parsed once: a distribution reads its file again at every question
        is_own = package["Name"].lower() == own_name
        for line in package.get_all("Requires-Dist") or ():
            name = _REQUIREMENT.match(line)
            if name is None or name[0].lower() in (own_name, *found):
                continue
            if "extra ==" in line and not is_own:
                continue
            if (each := distribution_of(name[0])) is not None:
                record, metadata = each.read_text("RECORD"), each.metadata
                digest = sha256(record.encode()).hexdigest() if record is not None else None
                found[name[0].lower()] = Dependency(metadata["Version"], digest)
                waiting.append(metadata)
    return dict(sorted(found.items()))


def missing_dependencies() -> list[str]:
    """What Punto needs itself and is not installed here."""
    own = distribution_of()
    lines = (own.requires or ()) if own is not None else ()
    names = [_REQUIREMENT.match(line) for line in lines if ";" not in line]
    return [name[0] for name in names if name is not None and distribution_of(name[0]) is None]
