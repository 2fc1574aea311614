"""A release is refused without a clean tree, a changelog, its version and green tests."""

from __future__ import annotations

import subprocess
from datetime import date
from pathlib import Path

import pytest

import punto
from tools import release

CHANGELOG = "# Changelog\n\n## Unreleased\n\n### Added\n\n- A bet.\n\n## 0.1.0 - 2026-01-02\n\n- Everything.\n"
MAKEFILE = "test:\n\t@{tests}\nwheel:\n\t@echo wheel >> dist.txt\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with the version 0.2.0 to be released, in which every test passes."""
    put(tmp_path, "CHANGELOG.md", CHANGELOG)
    put(tmp_path, "src/punto/__init__.py", '__version__ = "0.2.0"\n')
    put(tmp_path, "Makefile", MAKEFILE.format(tests="true"))
    put(tmp_path, ".gitignore", "dist.txt\n")
    git(tmp_path, "init", "--quiet")
    for name, value in (("user.name", "Ann"), ("user.email", "ann@example.org"), ("commit.gpgsign", "false")):
        git(tmp_path, "config", name, value)
    keep(tmp_path)
    return tmp_path


def put(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text, encoding="utf-8")


def git(root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True).stdout


def keep(root: Path) -> None:
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "as it is")


def test_a_release_is_cut_committed_tagged_and_built(checkout: Path) -> None:
    assert release.main(["0.2.0"], checkout) == 0
    text = (checkout / "CHANGELOG.md").read_text(encoding="utf-8")
    assert release.entries(text) == []
    assert "- A bet." in text.split("## 0.2.0 - ")[1].split("## 0.1.0")[0]
    assert git(checkout, "tag", "--points-at", "HEAD") == "v0.2.0\n"
    assert git(checkout, "status", "--porcelain") == ""
    assert (checkout / "dist.txt").read_text(encoding="utf-8") == "wheel\n"
    put(checkout, "CHANGELOG.md", text.replace("## Unreleased\n", "## Unreleased\n\n- Another bet.\n"))
    keep(checkout)
    assert [words.partition(";")[0] for words in release.obstacles(checkout, "0.2.0")] == [
        "v0.2.0 has been released",
        "CHANGELOG.md has a section 0.2.0 already",
    ]


def test_a_section_that_was_cut_before_gets_the_day(checkout: Path) -> None:
    put(checkout, "CHANGELOG.md", CHANGELOG.replace("### Added", "## 0.2.0 - 2026-01-03\n\n### Added"))
    keep(checkout)
    assert release.obstacles(checkout, "0.2.0") == []
    assert release.main(["0.2.0"], checkout) == 0
    text = (checkout / "CHANGELOG.md").read_text(encoding="utf-8")
    assert text.count("## 0.2.0 - ") == 1 and "2026-01-03" not in text
    assert git(checkout, "tag", "--points-at", "HEAD") == "v0.2.0\n"


def test_a_section_of_the_same_day_is_tagged_as_it_is(checkout: Path) -> None:
    put(checkout, "CHANGELOG.md", CHANGELOG.replace("### Added", "## 0.2.0 - 2026-01-03\n\n### Added"))
    keep(checkout)
    cut = git(checkout, "rev-parse", "HEAD")
    release.release(checkout, "0.2.0", date(2026, 1, 3))
    assert git(checkout, "rev-parse", "v0.2.0^{}") == cut


def test_the_changelog_of_punto_has_a_section_of_its_version() -> None:
    text = (release.ROOT / release.CHANGELOG).read_text(encoding="utf-8")
    assert text.index(release.UNRELEASED) < text.index(f"\n## {punto.__version__} - ")


@pytest.mark.parametrize(
    ("name", "text", "is_kept", "told"),
    [
        ("new.txt", "", False, "the tree is not clean (?? new.txt)"),
        ("CHANGELOG.md", CHANGELOG.replace("- A bet.\n", ""), True, "CHANGELOG.md has nothing under Unreleased"),
        ("src/punto/__init__.py", '__version__ = "0.1.0"\n', True, "src/punto/__init__.py does not say 0.2.0"),
    ],
)
def test_what_stands_in_the_way_is_told(checkout: Path, name: str, text: str, is_kept: bool, told: str) -> None:
    assert release.obstacles(checkout, "0.2.0") == []
    put(checkout, name, text)
    if is_kept:
        keep(checkout)
    assert [words.partition(";")[0] for words in release.obstacles(checkout, "0.2.0")] == [told]
    assert release.main(["0.2.0"], checkout) == 1
    assert git(checkout, "tag") == ""


def test_what_is_not_a_version_is_told(checkout: Path) -> None:
    assert release.obstacles(checkout, "v2") == ["v2 is not a version such as 0.2.0 or 0.2.0rc1"]


def test_nothing_changes_where_a_test_fails(checkout: Path, capfd: pytest.CaptureFixture[str]) -> None:
    put(checkout, "Makefile", MAKEFILE.format(tests="false"))
    keep(checkout)
    assert release.main(["0.2.0", "--check"], checkout) == 0
    assert release.main(["0.2.0"], checkout) == 1
    assert "tests fail, so 0.2.0 was not released" in capfd.readouterr().err
    assert git(checkout, "tag") == git(checkout, "status", "--porcelain") == ""
    assert (checkout / "CHANGELOG.md").read_text(encoding="utf-8") == CHANGELOG


def test_the_changelog_is_cut_by_day() -> None:
    assert "## Unreleased\n\n## 0.2.0 - 2026-11-18\n\n### Added\n" in release.cut(
        CHANGELOG, "0.2.0", date(2026, 11, 18)
    )
