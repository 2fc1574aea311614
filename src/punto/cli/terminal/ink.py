"""Colour for commands that must start fast: a few terminal styles, without loading Rich.

Colour only ever repeats what the words say, so nothing is lost where it is off: in a pipe, with NO_COLOR set,
or on a dumb terminal. FORCE_COLOR turns it on anywhere.
"""

from __future__ import annotations

import os
import sys
from enum import Enum
from unicodedata import east_asian_width


class Style(Enum):
    """What a piece of text is; the value is the terminal's code for it."""

    PLAIN = ""
    TITLE = "1"
    HEADING = "1;36"
    QUIET = "2"
    GOOD = "32"
    BAD = "31"


def is_coloured() -> bool:
    """Whether stdout takes colour."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def ink(text: str, style: Style) -> str:
    """The text in a style, if stdout takes colour."""
    if not text or not style.value or not is_coloured():
        return text
    return f"\x1b[{style.value}m{text}\x1b[0m"


def width(text: str) -> int:
    """Columns that a text takes on a terminal, where a Chinese character takes two."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def pad(text: str, columns: int, *, is_right: bool = False) -> str:
    """The text filled with blanks to so many columns."""
    blanks = " " * (columns - width(text))
    return blanks + text if is_right else text + blanks
