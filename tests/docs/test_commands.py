"""The documentation shows what the command really does, and leaves no command or option out."""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from punto.cli.app import load_command
from punto.cli.commands import LINES
from tests.cli.called import answer, call

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs/reference/command-line.md"
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))

MARGIN = "    "


def sections(text: str) -> dict[str, str]:
    """What stands under each second heading of a page."""
    parts = re.split(r"^## (.*)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def examples(page: Path) -> Iterator[tuple[str, list[str]]]:
    """Commands shown as `$ punto ...`, each with the lines shown under it."""
    command, shown = "", list[str]()
    for line in [*page.read_text(encoding="utf-8").splitlines(), "end"]:
        if command and (line.startswith(MARGIN) or not line) and not line.startswith(f"{MARGIN}$ "):
            shown.append(line.removeprefix(MARGIN).rstrip())
            continue
        if command:
            yield command, shown
        is_command = line.startswith(f"{MARGIN}$ punto ")
        command, shown = line.removeprefix(f"{MARGIN}$ punto ") if is_command else "", []


EXAMPLES = [(page, command, shown) for page in PAGES for command, shown in examples(page)]


@pytest.mark.parametrize(
    ("page", "command", "shown"), EXAMPLES, ids=[f"{page.name}: {command}" for page, command, _ in EXAMPLES]
)
def test_what_a_page_shows_is_what_comes_out(
    page: Path, command: str, shown: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert page.exists()
    monkeypatch.chdir(ROOT)
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    came = call(*shlex.split(command))
    lines = [line.rstrip() for line in (came.out + came.err).splitlines()]
    # Three dots stand for whatever comes there.
    pattern = re.escape("\n".join(shown).strip("\n")).replace(re.escape("..."), r"[\s\S]*")
    assert re.fullmatch(pattern, "\n".join(lines).strip("\n"))


PROSE = (*PAGES, ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *(ROOT / "web").glob("*.md"))


def named_commands(text: str) -> Iterator[str]:
    """What a page calls a command of `punto`: in blocks, with or without its prompt, and between backticks."""
    yield from re.findall(r"^ +(?:[$>] )?punto ((?!.*\|.*\[)[^\n]*)$", text, re.MULTILINE)
    yield from (" ".join(code.split()) for code in re.findall(r"(?<!`)`punto ([^`]+)`", text))


@cache
def options_of(line: str) -> frozenset[str]:
    return frozenset(name for param in load_command(line).params for name in (*param.opts, *param.secondary_opts))


@pytest.mark.parametrize("page", PROSE, ids=lambda page: page.name)
def test_every_command_and_option_that_is_named_is_there(page: Path) -> None:
    for written in named_commands(page.read_text(encoding="utf-8")):
        words = re.split(r" && | \| | #|  +", written)[0].split()
        if not words[0].isascii() or not words[0].isalpha() or not words[0].islower():
            continue  # an option of `punto` itself, or a word that stands for any command
        line = " ".join(words[:2]) if " ".join(words[:2]) in LINES else words[0]
        if line not in LINES:
            assert any(each.startswith(f"{line} ") for each in LINES), written
            continue
        given = [word.partition("=")[0].rstrip(",") for word in words if re.match(r"--?[a-z]", word)]
        assert [name for name in given if name not in options_of(line)] == [], written


def test_there_are_examples_to_check() -> None:
    assert {page.name for page, _, _ in EXAMPLES} >= {"README.md", "command-line.md"}


def test_the_library_example_runs() -> None:
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert failed == 0
    assert tried >= 5


@pytest.mark.parametrize("name", LINES)
def test_every_command_and_option_is_in_the_reference(name: str) -> None:
    section = sections(REFERENCE.read_text(encoding="utf-8"))[f"punto {name}"]
    named = [text for parameter in load_command(name).params for text in parameter.opts if text.startswith("--")]
    assert named
    assert [option for option in named if f"{option}" not in section] == []


def test_the_options_of_punto_itself_are_in_the_reference() -> None:
    text = REFERENCE.read_text(encoding="utf-8")
    for option in re.findall(r"--[a-z-]+", answer("--help").out):
        assert f"`{option}`" in text or f"[{option}]" in text
