"""What a shell completes: asked for in the way in which bash asks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from punto.books import NAMES
from punto.cli.commands import COMMANDS, SUBCOMMANDS
from punto.drill.training import KINDS
from tests.cli.called import refusal
from tests.cli.pseudo_terminal import SCRIPT


def completed(line: str, folder: Path) -> list[str]:
    words = line.split(" ")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join(str(Path(path).resolve()) for path in sys.path),
            "_PUNTO_COMPLETE": "complete_bash",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words) - 1),
        },
    )
    assert done.stderr == ""
    return done.stdout.split()


def test_a_shell_completes_commands_books_strategies_and_kinds(tmp_path: Path) -> None:
    (tmp_path / "easy.toml").touch()
    assert completed("punto ", tmp_path) == list(COMMANDS)
    assert completed("punto table ", tmp_path) == list(SUBCOMMANDS["table"])
    assert completed("punto account bu", tmp_path) == ["buy-in"]
    assert completed("punto rules ", tmp_path) == [*NAMES, "easy.toml"]
    assert completed("punto odds e", tmp_path) == ["easy-six", "ez", "easy.toml"]
    assert completed("punto play kn", tmp_path) == ["knockout"]
    assert completed("punto simulate ez --strategy ma", tmp_path) == ["martingale"]
    assert completed("punto simulate ez --insure b", tmp_path) == ["best"]
    assert completed("punto drill --only ", tmp_path) == list(KINDS)


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (("simulat", "ez"), "simulate"),
        (("roads2",), "roads"),
        (("rules", "ezz"), "ez"),
        (("play", "comission"), "commission"),
        (("simulate", "ez", "--strategy", "martingal"), "martingale"),
        (("simulate", "insurance", "--strategy", "flat", "--insure", "bst"), "best"),
        (("drill", "--only", "wins"), "winner"),
        (("settle", "ez", "--cards", "KS 3H 6D 4C", "--bet", "bankr=5"), "banker"),
        (("settle", "insurance", "--cards", "KS 3H 6D 4C", "--bet", "insurence-banker-4=5"), "insurance-banker-4"),
        (("tune", "ez", "dragon", "--edge", "5%"), "dragon-7"),
        (("simulate", "ez", "--rounds", "9", "--strategy", "flat", "--bet", "pander-8=5"), "panda-8"),
    ],
)
def test_a_near_miss_is_answered_with_what_was_meant(arguments: tuple[str, ...], meant: str) -> None:
    assert f"(did you mean {meant}?)" in refusal(*arguments)
