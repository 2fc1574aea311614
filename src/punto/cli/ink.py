"""What every command draws with: a few colours and the width of the terminal, without loading Rich.

Pages, grids and sentences are shown with it. Rich is loaded only for what changes while one looks at it or is drawn
as a picture: a game at the table, roads, drill scenes, progress bars.

Colour only ever repeats what the words say, so nothing is lost where it is off: in a pipe, with NO_COLOR set,
or on a dumb terminal. FORCE_COLOR turns it on anywhere.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress

from punto.documents.page import Block, Page, Style
from punto.documents.text import COLUMNS, INDENT, block_lines, pad, page_lines, width, wrap

NARROWEST = 40  # Columns that text is set in at least.

_RED = "(10|[2-9AJQK])[♥♦]"
_CODES = {Style.TITLE: "1", Style.HEADING: "1;36", Style.QUIET: "2"}
_CODES |= {Style.GOOD: "32", Style.BAD: "31", Style.NOTICE: "33"}


def is_coloured() -> bool:
    """Whether stdout takes colour."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def ink(text: str, style: Style) -> str:
    """The text in a style, if stdout takes colour."""
    if not text or style not in _CODES or not is_coloured():
        return text
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m"


def red_suits(line: str) -> str:
    """A line with its hearts and diamonds in red, if stdout takes colour."""
    return re.sub(_RED, "\x1b[31m\\g<0>\x1b[39m", line) if is_coloured() else line


def columns() -> int:
    """The width that text is set in: that of the terminal, but no more than 80."""
    named, most = os.environ.get("COLUMNS", ""), COLUMNS
    if named.isascii() and named.isdecimal() and len(named) < 6:
        most = int(named)
    else:
        with suppress(OSError, ValueError):  # not a terminal, or a stream without a file
            most = os.get_terminal_size(sys.stdout.fileno()).columns
    return max(NARROWEST, min(most or COLUMNS, COLUMNS))


def lines_of(block: Block) -> list[str]:
    return block_lines(block, columns(), ink)


def tell(text: str, style: Style = Style.PLAIN) -> None:
    for line in wrap(text, columns()):
        print(ink(line, style))


def note(text: str, style: Style = Style.PLAIN) -> None:
    """Print what happened to a file: wrapped for people, in one line for programs that read a pipe."""
    if sys.stdout.isatty():
        tell(text, style)
    else:
        print(ink(text, style))


def show(*blocks: Block) -> None:
    for block in blocks:
        for line in lines_of(block):
            print(line)


def show_pairs(pairs: Sequence[tuple[str, str]]) -> None:
    """Print names and values, the values under each other."""
    room = max(width(name) for name, _ in pairs) + INDENT
    for name, value in pairs:
        for part in wrap(value, columns() - room - INDENT) or [""]:
            print(f"{' ' * INDENT}{ink(pad(name, room), Style.QUIET)}{part}".rstrip())
            name = ""


def show_page(page: Page) -> None:
    for line in page_lines(page, columns(), ink):
        print(line)
