"""A page as plain text for a terminal, and as Markdown.

Text is counted in columns of a terminal, where a Chinese character takes two and a combining mark none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import zip_longest
from unicodedata import category, east_asian_width

from punto.documents.page import Block, CommandLine, Figure, Grid, Listing, Page, Style

_INVISIBLE = ("Mn", "Me", "Cf")


def clean(text: str) -> str:
    """The text with a blank for every line break or control character, which a terminal would obey."""
    return text if text.isprintable() else "".join(c if c.isprintable() or c == "\u200d" else " " for c in text)


def width(text: str) -> int:
    """Columns that a text takes on a terminal."""
    return len(text) if text.isascii() else sum(map(_width, text))


def pad(text: str, columns: int, *, is_right: bool = False) -> str:
    blanks = " " * (columns - width(text))
    return blanks + text if is_right else text + blanks


def shorten(text: str, columns: int) -> str:
    """The text, or its beginning and an ellipsis where it is too wide."""
    return text if width(text) <= columns else f"{_cut(text, columns - 1)[0]}…"


def wrap(text: str, columns: int, first: str = "", others: str = "") -> list[str]:
    """The lines of a text in a number of columns, with something before the first line and before the others.

    A word that is wider than a line is divided; text without blanks, as in Chinese, is divided anywhere.
    """
    text = clean(text).rstrip()
    if text and width(first + text) <= columns:
        return [first + text]  # with the blanks that it has
    lines, line, taken = [], first, width(first)
    is_empty = True  # nothing but the indent on this line
    for word in text.split():
        rest, blank, wide = word, "" if is_empty else " ", width(word)
        while taken + len(blank) + wide > columns:
            room = columns - taken - len(blank)
            is_dense = any(_width(character) == 2 for character in rest)  # written without blanks between its words
            head, tail = _cut(rest, room) if is_empty or is_dense else ("", rest)
            if is_empty and not head:
                head, tail = rest[:1], rest[1:]  # one character that is wider than the line
            lines.append((line + blank + head).rstrip())
            line, rest, blank, is_empty = others, tail, "", True
            taken, wide = width(line), width(rest)
        line, taken, is_empty = line + blank + rest, taken + len(blank) + wide, is_empty and not rest
    return lines if is_empty else [*lines, line]


def _width(character: str) -> int:
    if category(character) in _INVISIBLE:
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def _cut(text: str, columns: int) -> tuple[str, str]:
    """The text divided at a width; marks stay with the character that they belong to."""
    taken = 0
    for place, character in enumerate(text):
        taken += _width(character)
        if taken > columns:
            return text[:place], text[place:]
    return text, ""


# In a grid that is too wide prose is wrapped first; a grid of figures is told in parts, each with the first column
# again. What remains too wide is wrapped cell by cell, so that nothing is lost.
COLUMNS = 80
INDENT = 2
GAP = 2
NARROWEST = 12  # Columns to which prose in a grid is wrapped before other columns give way.

Paint = Callable[[str, Style], str]  # Gives a text its colour.


def plain(text: str, _: Style) -> str:
    return text


def page_lines(page: Page, columns: int = COLUMNS, paint: Paint = plain) -> Iterator[str]:
    yield from (paint(line, Style.TITLE) for line in wrap(page.full_title, columns))
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
    margin = " " * INDENT
    match block:
        case Grid():
            return grid_lines(block, columns, paint)
        case Listing():
            return [line for item in block.items for line in wrap(item, columns, f"{margin}- ", f"{margin}  ")]
        case Figure():
            return wrap(f"[figure] {block.caption}", columns, margin, margin)
        case CommandLine():
            gives = wrap(f"# {block.gives}", columns, margin, margin)
            return [*(paint(line, Style.QUIET) for line in gives), margin + clean(block.line)]
        case str():
            return wrap(block, columns, margin, margin)


def grid_lines(grid: Grid, columns: int = COLUMNS, paint: Paint = plain) -> list[str]:
    lines = [paint(line, Style.TITLE) for line in wrap(grid.title, columns)]
    natural = [_natural(grid, column) for column in range(len(grid.heads))]
    least = [min(wide, NARROWEST) if column == grid.grows else wide for column, wide in enumerate(natural)]
    for part in _parts(least, columns - INDENT):
        widths = _widths(part, natural, least, grid.grows, columns - INDENT)
        head, rule = [grid.heads[column] for column in part], ["─" * w for w in widths]
        rows = [(Style.QUIET, head), (Style.QUIET, rule)]
        for number, row in enumerate(grid.rows):
            rows.append((grid.marks.get(number, Style.PLAIN), [row[column] for column in part]))
        lines += [paint(line, style) for style, cells in rows for line in _row(grid, part, cells, widths)]
    return lines


def _natural(grid: Grid, column: int) -> int:
    """As wide as its widest line."""
    cells = {grid.heads[column], *(row[column] for row in grid.rows)}
    return max(width(clean(line)) for cell in cells for line in cell.split("\n"))


def _total(widths: list[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _parts(least: list[int], room: int) -> Iterator[list[int]]:
    """The columns in groups that fit, each with the first column."""
    group = [0]
    for column in range(1, len(least)):
        if len(group) > 1 and _total([least[c] for c in (*group, column)]) > room:
            yield group
            group = [0]
        group.append(column)
    yield group


def _widths(part: list[int], natural: list[int], least: list[int], grows: int | None, room: int) -> list[int]:
    widths = [natural[column] for column in part]
    over = _total(widths) - room
    if over > 0 and grows is not None and grows in part:
        place = part.index(grows)
        widths[place] = max(widths[place] - over, least[grows])
    while _total(widths) > room and max(widths) > 1:
        widths[widths.index(max(widths))] -= 1
    return widths


def _row(grid: Grid, part: list[int], row: list[str], widths: list[int]) -> list[str]:
    cells = [_cell(text, columns) for text, columns in zip(row, widths, strict=True)]
    lines = []
    for pieces in zip_longest(*cells, fillvalue=""):
        padded = (pad(piece, w, is_right=i in grid.right) for piece, w, i in zip(pieces, widths, part, strict=True))
        lines.append((" " * INDENT + (" " * GAP).join(padded)).rstrip())
    return lines


def _cell(text: str, columns: int) -> list[str]:
    """The lines of a cell; one that fits keeps its blanks."""
    parts = [clean(part) for part in text.split("\n")]
    return [line for part in parts for line in ([part] if width(part) <= columns else wrap(part, columns))]


_MARKDOWN_SIGNS = r"([\\|*_<>`\[\]~&$])"
_MARKDOWN_STARTS = r"^(?=[#+-]|=+$)|(?<=^\d)(?=[.)])|(?<=^\d\d)(?=[.)])"
"""Where a line would begin a heading, a list or a rule."""


def markdown_lines(page: Page) -> Iterator[str]:
    yield f"# {_markdown_escaped(page.full_title)}"
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
    lines = (re.sub(_MARKDOWN_SIGNS, r"\\\1", clean(line)) for line in text.split("\n"))
    return "<br>".join(re.sub(_MARKDOWN_STARTS, r"\\", line.strip()) for line in lines)
