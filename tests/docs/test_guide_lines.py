"""Tutorials and guides are followed line by line, as somebody would who types what they read."""

from __future__ import annotations

import io
import re
import shlex
import sys
from pathlib import Path

import pytest

from punto.cli.app import load_command
from tests.cli.called import Answer, call

DOCS = Path(__file__).parents[2] / "docs"
ANSWERS = "p\nb\nn\n" * 20
"""What is typed where a drill asks who draws."""
WITHOUT_END = ("serve", "play")
"""Commands that go on until somebody stops them: only that their options exist is looked at."""


def text_of(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def lines_of(page: str) -> list[str]:
    """Command lines that are shown without their output."""
    return re.findall(r"^ {4}(punto .*)$", text_of(page), re.MULTILINE)


def follow(
    page: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    database: str | None = None,
    may_fail: tuple[str, ...] = (),
) -> dict[str, Answer]:
    """Write the files that a page shows, then type its lines one after the other; what each said."""
    monkeypatch.chdir(folder)
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(folder / name.lower()))
    named = re.search(r"^ {4}export PUNTO_DATABASE=(\S+)$", text_of(page), re.MULTILINE)
    if database or named:
        monkeypatch.setenv("PUNTO_DATABASE", database or (named[1] if named else ""))
    for name, text in re.findall(r"into\s+`(\w+\.punto)`:\n\n```punto\n(.*?)```", text_of(page), re.DOTALL):
        Path(name).write_text(text, encoding="utf-8")
    said = {}
    for line in lines_of(page):
        words = shlex.split(line)[1:]
        if words[0] in WITHOUT_END:
            load_command(words[0]).make_context("punto", words[1:])
            continue
        monkeypatch.setattr(sys, "stdin", io.StringIO(ANSWERS))
        said[line] = call(*words)
        # Where a kernel is compiled for the first time, stderr says so.
        assert said[line].status == 0 or line in may_fail, (line, said[line])
    return said


@pytest.mark.slow
@pytest.mark.usefixtures("durable")  # the doctor looks whether commits wait for the disk
def test_a_floor_in_an_evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = follow("tutorials/floor-in-an-evening.md", tmp_path, monkeypatch)
    assert "Lee" in said["punto people list"].out and "500" in said["punto account show Lee"].out
    assert "east" in said["punto audit events"].out
    assert (tmp_path / "after-the-evening.db").exists()


@pytest.mark.slow
def test_a_class_of_dealers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = follow("tutorials/class-of-dealers.md", tmp_path, monkeypatch)
    report = next(answer.out for line, answer in said.items() if "--report" in line and "-o" not in line)
    assert all(name in report for name in ("ann", "lee", "kim"))
    assert (tmp_path / "class.html").stat().st_size > 1_000


@pytest.mark.slow
def test_physical_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = follow("guides/physical-cards.md", tmp_path, monkeypatch)
    assert "the deal is not finished" in said["punto table run main-1 round.punto"].out
    assert "shoe-7" in said["punto house devices"].out


@pytest.mark.slow
def test_an_irregularity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = follow("guides/irregularity.md", tmp_path, monkeypatch)
    assert "Cards were dealt to the wrong side (5.8)" in said["punto run case.punto"].out


@pytest.mark.slow
def test_submitting_a_bet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = "guides/submit-a-bet.md"
    book, entry = re.findall(r"```toml\n(.*?)```", text_of(page), re.DOTALL)
    assert '[[bets]]\nbet = "lucky-nine"' in entry
    lines = lines_of(page)
    written = lines.index("punto new lucky-nine.toml --from commission") + 1
    monkeypatch.chdir(tmp_path)
    for line in lines[:written]:
        assert call(*shlex.split(line)[1:]).status == 0, line
    Path("lucky-nine.toml").write_text(book, encoding="utf-8")
    told = "".join(call(*shlex.split(line)[1:]).out for line in lines[written:] if "bets lucky-nine" not in line)
    assert "24.9826 %" in told and "24.9826 %" in text_of(page)


@pytest.mark.slow
def test_studying_a_bet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = follow("guides/study-a-bet.md", tmp_path, monkeypatch)
    assert any("Dragon 7" in answer.out for line, answer in said.items() if line.startswith("punto count"))
    assert (tmp_path / "ez.html").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("durable")
def test_postgresql_and_a_proxy(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUNTO_KEY", "5a" * 32)
    said = follow("guides/postgresql-and-a-proxy.md", tmp_path, monkeypatch, database, may_fail=("punto doctor",))
    wrong = [row.split()[0] for row in said["punto doctor"].out.splitlines() if " not well " in row]
    assert wrong == (["durability"] if database.startswith("postgresql") else []), (
        "servers of tests do not wait for disks"
    )
    assert "Ada" in said["punto people new Ada --role administrator"].out
    assert said["punto audit verify --database again.db"].status == 0
