"""Somebody who sits down at a terminal, with games kept in a folder of the test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.cli.pseudo_terminal import Terminal

BETS = "your bets> "


def sit(folder: Path, *arguments: str, columns: int = 80, **settings: Any) -> Terminal:
    return Terminal(folder, "play", *arguments, "--pace", "0", columns=columns, **settings)


def game(folder: Path, name: str) -> Path:
    return folder / "punto" / "games" / f"{name}.db"
