"""A page as plain text for a terminal, and as Markdown.

Text is counted in columns of a terminal, where a Chinese character takes two and a combining mark none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from unicodedata import category, east_asian_width

from punto.documents.page import Block, CommandLine, Figure, Grid, Listing, Page, Style

_INVISIBLE = ("Mn", "Me", "Cf")


def clean(text: str) -> str:
    """The text with a blank for every line break or control character, which a terminal would obey."""
    return text if text.isprintable() else "".join(c if _is_shown(c) else " " for c in text)


def width(text: str) -> int:
    """Columns that a text takes on a terminal."""
    return len(text) if text.isascii() else sum(map(_width, text))


def pad(text: str, columns: int, *, is_right: bool = False) -> str:
    """The text filled with blanks to a width."""
    blanks = " " * (columns - width(text))
    return blanks + text if is_right else text + blanks


def shorten(text: str, columns: int) -> str:
    """The text, or its beginning and an ellipsis where it is too wide."""
    return text if width(text) <= columns else f"{_cut(text, columns - 1)[0]}…"


def wrap(text: str, columns: int, first: str = "", others: str = "") -> list[str]:
    """The lines of a text in a number of columns, with something before the first line and before the others.

    A word that is wider than a line is divided; text without blanks, as in Chinese, is divided anywhere.
    """
    shown = clean(text).rstrip()
    if shown and width(first + shown) <= columns:
        return [first + shown]  # with the blanks that it has
    lines, line = [], first
    is_empty = True  # nothing but the indent on this line
    for word in shown.split():
        rest, blank = word, "" if is_empty else " "
        while width(line) + width(blank + rest) > columns:
            room = columns - width(line) - len(blank)
            head, tail = _cut(rest, room) if is_empty or _is_dense(rest) else ("", rest)
            if is_empty and not head:
                head, tail = rest[:1], rest[1:]  # one character that is wider than the line
            lines.append((line + blank + head).rstrip())
            line, rest, blank, is_empty = others, tail, "", True
        line, is_empty = line + blank + rest, is_empty and not rest
    return lines if is_empty else [*lines, line]


def _is_shown(character: str) -> bool:
    return character.isprintable() or character == "\u200d"


def _width(character: str) -> int:
    if category(character) in _INVISIBLE:
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def _is_dense(word: str) -> bool:
    """Whether a word is written without blanks between its words."""
    return not word.isascii() and any(_width(character) == 2 for character in word)


def _cut(text: str, columns: int) -> tuple[str, str]:
    """The text divided at a width; marks stay with the character that they belong to."""
    taken = 0
    for place, character in enumerate(text):
        taken += _width(character)
        if taken > columns:
            return text[:place], text[place:]
    return text, ""


# A page as lines of text: for a terminal of any width from 40 columns, with or without colour.
#
# In a grid that is too wide prose is wrapped first; a grid of figures is told in parts, each with the first
# column again. What remains too wide is wrapped cell by cell, so that nothing is lost.


COLUMNS = 80
INDENT = 2
GAP = 2
NARROWEST = 12  # Columns to which prose in a grid is wrapped before other columns give way.

Paint = Callable[[str, Style], str]  # Gives a text its colour.


def plain(text: str, _: Style) -> str:
    """No colour at all."""
    return text


def page_lines(page: Page, columns: int = COLUMNS, paint: Paint = plain) -> Iterator[str]:
    """The lines of a page."""
    title = f"{page.title}: {page.subtitle}" if page.subtitle else page.title
    yield from (paint(line, Style.TITLE) for line in wrap(title, columns))
    for text in page.lead:
        yield from wrap(text, columns)
    for name, text in page.facts:
        yield from wrap(f"{name}: {text}", columns, "", " " * INDENT)
    for section in page.sections:
        yield ""
        yield from (paint(line, Style.HEADING) for line in wrap(section.heading.upper(), columns))
        for i, block in enumerate(section.blocks):
            if i:
                yield ""
            yield from block_lines(block, columns, paint)


def block_lines(block: Block, columns: int = COLUMNS, paint: Paint = plain) -> list[str]:
    """The lines of a paragraph, a list, a grid, a figure or a command line."""
    margin = " " * INDENT
    match block:
        case Grid():
            return grid_lines(block, columns, paint)
        case Listing():
            items = [wrap(item, columns, f"{margin}- ", f"{margin}  ") for item in block.items]
            return [line for lines in items for line in lines]
        case Figure():
            return wrap(f"[figure] {block.caption}", columns, margin, margin)
        case CommandLine():
            gives = wrap(f"# {block.gives}", columns, margin, margin)
            return [*(paint(line, Style.QUIET) for line in gives), margin + clean(block.line)]
        case str():
            return wrap(block, columns, margin, margin)


def grid_lines(grid: Grid, columns: int = COLUMNS, paint: Paint = plain) -> list[str]:
    """A grid with its title, its head and a rule under it."""
    lines = [paint(line, Style.TITLE) for line in wrap(grid.title, columns)]
    for part in _parts(grid, columns - INDENT):
        widths = _widths(grid, part, columns - INDENT)
        rule = tuple("─" * w for w in widths)
        head = tuple(grid.heads[column] for column in part)
        lines += [paint(line, Style.QUIET) for row in (head, rule) for line in _row(grid, part, row, widths)]
        for number, row in enumerate(grid.rows):
            cells = tuple(row[column] for column in part)
            style = grid.marks.get(number, Style.PLAIN)
            lines += [paint(line, style) for line in _row(grid, part, cells, widths)]
    return lines


def _natural(grid: Grid, column: int) -> int:
    """As wide as its widest line."""
    cells = (grid.heads[column], *(row[column] for row in grid.rows))
    return max(width(clean(line)) for cell in cells for line in cell.split("\n"))


def _least(grid: Grid, column: int) -> int:
    natural = _natural(grid, column)
    return min(natural, NARROWEST) if column == grid.grows else natural


def _total(widths: list[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _parts(grid: Grid, room: int) -> Iterator[list[int]]:
    """The columns in groups that fit, each with the first column."""
    group = [0]
    for column in range(1, len(grid.heads)):
        if len(group) > 1 and _total([_least(grid, c) for c in (*group, column)]) > room:
            yield group
            group = [0]
        group.append(column)
    yield group


def _widths(grid: Grid, part: list[int], room: int) -> list[int]:
    widths = [_natural(grid, column) for column in part]
    over = _total(widths) - room
    if over > 0 and grid.grows in part:
        place = part.index(grid.grows)
        widths[place] = max(widths[place] - over, _least(grid, grid.grows))
    while _total(widths) > room and max(widths) > 1:
        widths[widths.index(max(widths))] -= 1
    return widths


def _row(grid: Grid, part: list[int], row: tuple[str, ...], widths: list[int]) -> list[str]:
    cells = [_cell(text, columns) for text, columns in zip(row, widths, strict=True)]
    lines = []
    for n in range(max(map(len, cells))):
        pieces = [
            pad(cell[n] if n < len(cell) else "", columns, is_right=column in grid.right)
            for cell, columns, column in zip(cells, widths, part, strict=True)
        ]
        lines.append((" " * INDENT + (" " * GAP).join(pieces)).rstrip())
    return lines


def _cell(text: str, columns: int) -> list[str]:
    """The lines of a cell; one that fits keeps its blanks."""
    lines: list[str] = []
    for part in text.split("\n"):
        shown = clean(part)
        lines += [shown] if width(shown) <= columns else wrap(shown, columns)
    return lines


_MARKDOWN_SIGNS = re.compile(r"([\\|*_<>`\[\]~&$])")
_MARKDOWN_STARTS = re.compile(r"^(?=[#+-]|=+$)|(?<=^\d)(?=[.)])|(?<=^\d\d)(?=[.)])")
"""Where a line would begin a heading, a list or a rule."""


def markdown_lines(page: Page) -> Iterator[str]:
    """The lines of a page in Markdown."""
    title = f"{page.title}: {page.subtitle}" if page.subtitle else page.title
    yield f"# {_markdown_escaped(title)}"
    for text in page.lead:
        yield from ("", _markdown_escaped(text))
    if page.facts:
        yield ""
        yield from (f"- {_markdown_escaped(name)}: {_markdown_escaped(text)}" for name, text in page.facts)
    for section in page.sections:
        yield from ("", f"## {_markdown_escaped(section.heading)}")
        for block in section.blocks:
            yield ""
            yield from _markdown_block(block)


def _markdown_block(block: Block) -> Iterator[str]:
    match block:
        case Grid():
            if block.title:
                yield from (f"**{_markdown_escaped(block.title)}**", "")
            yield _markdown_row(block.heads)
            yield f"| {' | '.join('--:' if i in block.right else '---' for i in range(len(block.heads)))} |"
            yield from map(_markdown_row, block.rows)
        case Listing():
            yield from (f"- {_markdown_escaped(item)}" for item in block.items)
        case Figure():
            yield f"*{_markdown_escaped(block.caption)}*"
        case CommandLine():
            yield from (_markdown_escaped(block.gives) + ":", "", f"    {clean(block.line)}")
        case str():
            yield _markdown_escaped(block)


def _markdown_row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(map(_markdown_escaped, cells))} |"


def _markdown_escaped(text: str) -> str:
    """The text with the signs that Markdown would take for its own."""
    lines = (_MARKDOWN_SIGNS.sub(r"\\\1", clean(line)) for line in text.split("\n"))
    return "<br>".join(_MARKDOWN_STARTS.sub(r"\\", line.strip()) for line in lines)
