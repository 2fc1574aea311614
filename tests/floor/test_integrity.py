"""Which software runs: every file counts, each of its bytes, and an outsider can check it without Punto."""

from __future__ import annotations

import base64
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from punto.floor.integrity import (
    PACKAGE,
    check_software,
    compared,
    dependencies_of,
    digest_of_files,
    distribution_of,
    files_of,
    manifest_text,
    promised_files,
)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, as a wheel would bring it."""
    folder = tmp_path_factory.mktemp("site") / "punto"
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(scope="module")
def promised(installed: Path) -> dict[str, str]:
    found = promised_files(record_of(files_of(installed)))
    assert found is not None
    return found


def record_of(files: dict[str, str]) -> str:
    """What a wheel says of these files, and of others that are no concern of ours."""
    lines = ["../../../bin/punto,sha256=AAAA,200", "punto-1.dist-info/RECORD,,"]
    for path, digest in files.items():
        text = base64.urlsafe_b64encode(bytes.fromhex(digest)).rstrip(b"=").decode()
        lines.append(f"{path},sha256={text},1")
    return "\n".join(lines)


@pytest.mark.gli("2.3.2")
def test_every_kind_of_file_is_in_the_manifest(installed: Path) -> None:
    files = files_of(installed)
    wanted = ["__init__.py", "books/ez.toml", "words/en/refusals.json", "words/zh_hant/events.toml"]
    wanted += ["store/migrations/schema.sql", "floor/profiles/strict.toml", "cli/commands.json"]
    assert {f"punto/{path}" for path in wanted} <= files.keys()
    if (PACKAGE / "server/pages").is_dir():
        assert "punto/server/pages/index.html" in files
    assert list(files) == sorted(files) and not any("__pycache__" in path for path in files)


@pytest.mark.gli("2.3.2")
@pytest.mark.gli("B.2.6")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
@given(data=st.data())
def test_each_changed_byte_is_noticed(data: st.DataObject, installed: Path, promised: dict[str, str]) -> None:
    path = data.draw(st.sampled_from(sorted(path for path in promised if (installed.parent / path).stat().st_size)))
    file = installed.parent / path
    content = file.read_bytes()
    place = data.draw(st.integers(0, len(content) - 1))
    flipped = content[place] ^ data.draw(st.integers(1, 255))
    try:
        file.write_bytes(content[:place] + bytes([flipped]) + content[place + 1 :])
        found = compared(files_of(installed), promised)
    finally:
        file.write_bytes(content)
    assert (found.ok, found.changed, found.missing, found.added) == (False, (path,), (), ())
    assert found.digest != digest_of_files(promised)


@pytest.mark.gli("2.3.2")
def test_a_file_more_or_less_is_noticed(installed: Path, promised: dict[str, str]) -> None:
    assert compared(files_of(installed), promised).ok
    extra, book = installed / "floor/more.py", installed / "books/ez.toml"
    content = book.read_bytes()
    extra.write_text("", encoding="utf-8")
    book.unlink()
    try:
        found = compared(files_of(installed), promised)
    finally:
        extra.unlink()
        book.write_bytes(content)
    assert (found.added, found.missing, found.changed) == (("punto/floor/more.py",), ("punto/books/ez.toml",), ())
    assert not found.ok


def test_what_the_interpreter_makes_is_not_noticed(installed: Path, promised: dict[str, str]) -> None:
    made = installed / "floor/__pycache__"
    made.mkdir()
    (made / "floor.cpython-311.pyc").write_bytes(b"?")
    assert compared(files_of(installed), promised).ok
    shutil.rmtree(made)


@pytest.mark.gli("2.3.3")
def test_an_outsider_checks_the_list_with_sha256sum(installed: Path, tmp_path: Path) -> None:
    listed = tmp_path / "list"
    listed.write_text(manifest_text(files_of(installed)), encoding="utf-8")
    program = ["sha256sum"] if shutil.which("sha256sum") else ["shasum", "-a", "256"]  # as macOS has it
    checking = [*program, "-c", "--quiet", "--strict", str(listed)]
    assert subprocess.run(checking, cwd=installed.parent, check=False).returncode == 0
    file = installed / "money.py"
    content = file.read_bytes()
    file.write_bytes(content + b" ")
    told = subprocess.run(checking, cwd=installed.parent, check=False, capture_output=True, text=True)
    file.write_bytes(content)
    assert told.returncode == 1 and "punto/money.py: FAILED" in told.stdout


def test_the_digest_is_that_of_the_list(installed: Path) -> None:
    files = files_of(installed)
    assert digest_of_files(files) == sha256(manifest_text(files).encode()).hexdigest()


def test_a_checkout_says_that_nothing_was_promised(installed: Path) -> None:
    found = check_software(installed)  # a copy of ours, which no wheel knows
    assert (found.promised, found.ok) == (False, True)
    assert promised_files("punto-1.dist-info/RECORD,,\n_editable_impl_punto.pth,sha256=AAAA,9") is None


@pytest.mark.gli("2.3.2")
def test_dependencies_have_their_versions_and_the_digest_of_their_list() -> None:
    found = dependencies_of(distribution_of())
    assert {"msgspec", "sqlalchemy", "uvicorn"} <= found.keys()
    assert "distributed" in found, "an extra that is installed counts"
    assert not {"punto", "cupy-cuda12x"} & found.keys(), "nor Punto itself, nor what is not installed"
    assert all(each.version and each.record and len(each.record) == 64 for each in found.values())
