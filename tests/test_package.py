"""The package that people install: whole, small, and the same from a source distribution without Node.js."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import numpy
import pytest

from tests.installed import take_main_paths

ROOT = Path(__file__).parents[1]
LARGEST = 3_000_000  # Bytes of the wheel.
pytestmark = pytest.mark.slow


def build(folder: Path, target: Path, *kinds: str, path: str | None = None) -> None:
    environment = dict(os.environ) if path is None else os.environ | {"PATH": path}
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(target), *kinds]
    done = subprocess.run(command, cwd=folder, env=environment, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("dist")
    build(ROOT, target)
    return target


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    return next(built.glob("*.whl"))


def test_the_wheel_has_pages_books_words_steps_and_licences(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in (
        "punto/server/pages/index.html",
        "punto/books/ez.toml",
        "punto/words/zh_hant/page.json",
        "punto/floor/profiles/",
        "punto/store/migrations/",
        "dist-info/licenses/LICENSE",
        "dist-info/licenses/web/src/fonts/LICENSE-Inter.txt",
    ):
        assert any(wanted in name for name in names), wanted
    assert any(name.endswith(".woff2") for name in names)
    assert wheel.stat().st_size < LARGEST


def test_the_bill_of_materials_names_what_is_not_ours(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    bill = json.loads(archive.read(next(name for name in archive.namelist() if name.endswith("sboms/punto.cdx.json"))))
    assert {"svelte", "Inter", "Noto Sans SC", "Noto Sans TC"} <= {part["name"] for part in bill["components"]}
    assert all(part["licenses"] for part in bill["components"])


def test_a_source_distribution_gives_the_same_wheel_without_node(built: Path, wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        archive.extractall(tmp_path, filter="data")
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "cat", "cksum", "dirname", "find", "sort", "tr", "xargs"):
        (tools / name).symlink_to(next(p for d in os.get_exec_path() if (p := Path(d) / name).exists()))
    build(next(tmp_path.glob("punto-*")), tmp_path / "dist", "-t", "wheel", path=str(tools))
    assert next((tmp_path / "dist").glob("*.whl")).read_bytes() == wheel.read_bytes()


def test_installed_elsewhere_it_serves_its_pages(wheel: Path, tmp_path: Path) -> None:
    """In an environment that has never seen the checkout; its libraries are those that the tests use."""
    place = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(place), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, str(wheel)], check=True)
    libraries = str(Path(numpy.__file__).parents[1])  # As a path: what is installed there as editable is not seen.
    environment = {"PATH": os.defpath, "HOME": str(tmp_path), "PYTHONPATH": libraries}
    take_main_paths(place, tmp_path, environment)
