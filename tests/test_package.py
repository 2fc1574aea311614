"""The package that people install: whole, small, and the same from a source distribution without Node.js."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import numpy
import pytest

import punto
from tests.installed import take_main_paths
from tools import build_hook

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


def test_the_metadata_is_whole(wheel: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    archive = zipfile.ZipFile(wheel)
    [at] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
    told, names = message_from_bytes(archive.read(at)), archive.namelist()
    all_of = {key: told.get_all(key) or [] for key in ("License-File", "Provides-Extra", "Classifier")}
    assert (told["Name"], told["Version"], told["Requires-Python"]) == ("punto", punto.__version__, ">=3.11")
    assert tuple(map(int, told["Metadata-Version"].split("."))) >= (2, 4)  # From which licences are an expression.
    assert told["License-Expression"] == "MIT AND OFL-1.1"
    licences = all_of["License-File"]
    assert len(licences) > 1 and {at.replace("METADATA", f"licenses/{file}") for file in licences} <= set(names)
    assert set(all_of["Provides-Extra"]) == set(project["optional-dependencies"])
    assert (told["Summary"], told["Description-Content-Type"]) == (project["description"], "text/markdown")
    assert str(told.get_payload()).startswith("# Punto\n") and told["Keywords"] and told["Author"]
    classifiers = all_of["Classifier"]
    versions = [one.rpartition(".")[2] for one in classifiers if re.fullmatch(r".* :: 3\.\d+", one)]
    assert versions == ["11", "12", "13", "14"]
    assert "Typing :: Typed" in classifiers and "punto/py.typed" in names
    assert not any(one.startswith("License ::") for one in classifiers)  # PEP 639: not beside an expression.


def test_every_group_of_developers_is_locked_with_hashes() -> None:
    whole = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = whole["dependency-groups"]
    for name, members in groups.items():
        locked = (ROOT / f"requirements/{name}.txt").read_text(encoding="utf-8")
        pinned = set(re.findall(r"^([a-z0-9-]+)==", locked, re.MULTILINE))
        assert len(re.findall(r"^ +--hash=sha256:", locked, re.MULTILINE)) >= len(pinned) > 0, name
        for member in members:
            if isinstance(member, dict):
                assert list(member) == ["include-group"] and member["include-group"] in groups, name
            else:
                assert re.split(r"[<>=; ]", member)[0] in pinned, (name, member)


def test_a_source_distribution_has_what_its_tests_read(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    named = (".dockerignore", ".editorconfig", ".ci/run", ".github/pull_request_template.md", "Makefile", "LICENSE")
    tests = [path for path in (ROOT / "tests").rglob("*") if path.suffix in (".py", ".txt", ".toml", ".punto")]
    wanted = [*map(ROOT.joinpath, named), *ROOT.glob("*.md"), *tests]
    assert [path for path in wanted if path.relative_to(ROOT).as_posix() not in packed] == []


def test_a_source_distribution_gives_the_same_wheel_without_node(built: Path, wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        archive.extractall(tmp_path, filter="data")
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "cat", "cksum", "dirname", "find", "sort", "tr", "xargs"):
        (tools / name).symlink_to(next(p for d in os.get_exec_path() if (p := Path(d) / name).exists()))
    build(next(tmp_path.glob("punto-*")), tmp_path / "dist", "-t", "wheel", path=str(tools))
    assert next((tmp_path / "dist").glob("*.whl")).read_bytes() == wheel.read_bytes()


def test_the_pages_are_built_with_the_python_that_builds_where_no_other_is_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where uv or pyenv keeps the interpreter, the path has none for a Node.js to be installed by."""
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "python3").symlink_to(sys.executable)
    monkeypatch.setattr(sys, "executable", str(hidden / "python3"))
    monkeypatch.setenv("PATH", "/nothing/here")
    assert shutil.which("python3", path=build_hook.for_another_pip()["PATH"]) == str(hidden / "python3")
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "python3").symlink_to(sys.executable)
    monkeypatch.setenv("PIP_BUILD_TRACKER", str(tmp_path))
    assert "PIP_BUILD_TRACKER" not in build_hook.for_another_pip()  # or the other pip says: is already being built
    assert shutil.which("python3", path=build_hook.for_another_pip()["PATH"]) == str(tmp_path / "python3")


def test_a_build_that_cannot_make_the_pages_ends_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools/pages").write_text("echo 'punto: there is no network' >&2\nexit 1\n")
    hook = build_hook.CustomBuildHook(str(tmp_path), {}, None, None, str(tmp_path), "wheel")  # type: ignore[arg-type]
    told = "punto: there is no network\npunto: no package without its pages; Node.js 20.19 or newer builds them"
    with pytest.raises(SystemExit, match=f"^{re.escape(told)}$"):
        hook.initialize("standard", {})
    hook.initialize("editable", {})  # which takes the pages from where they are


def test_installed_elsewhere_it_serves_its_pages(wheel: Path, tmp_path: Path) -> None:
    """In an environment that has never seen the checkout; its libraries are those that the tests use."""
    place = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(place), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, str(wheel)], check=True)
    libraries = str(Path(numpy.__file__).parents[1])  # As a path: what is installed there as editable is not seen.
    environment = {"PATH": os.defpath, "HOME": str(tmp_path), "PYTHONPATH": libraries}
    take_main_paths(place, tmp_path, environment)
