"""A page as Markdown, grids as GitHub writes its tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from punto.documents.columns import clean
from punto.documents.page import Block, CommandLine, Figure, Grid, Listing, Page

_SIGNS = re.compile(r"([\\|*_<>`\[\]~&$])")
_STARTS = re.compile(r"^(?=[#+-]|=+$)|(?<=^\d)(?=[.)])|(?<=^\d\d)(?=[.)])")
"""Where a line would begin a heading, a list or a rule."""


def markdown_lines(page: Page) -> Iterator[str]:
    """The lines of a page in Markdown."""
    title = f"{page.title}: {page.subtitle}" if page.subtitle else page.title
    yield f"# {_escaped(title)}"
    for text in page.lead:
        yield from ("", _escaped(text))
    if page.facts:
        yield ""
        yield from (f"- {_escaped(name)}: {_escaped(text)}" for name, text in page.facts)
    for section in page.sections:
        yield from ("", f"## {_escaped(section.heading)}")
        for block in section.blocks:
            yield ""
            yield from _block_lines(block)


def _block_lines(block: Block) -> Iterator[str]:
    match block:
        case Grid():
            if block.title:
                yield from (f"**{_escaped(block.title)}**", "")
            yield _row(block.heads)
            yield f"| {' | '.join('--:' if i in block.right else '---' for i in range(len(block.heads)))} |"
            yield from map(_row, block.rows)
        case Listing():
            yield from (f"- {_escaped(item)}" for item in block.items)
        case Figure():
            yield f"*{_escaped(block.caption)}*"
        case CommandLine():
            yield from (_escaped(block.gives) + ":", "", f"    {clean(block.line)}")
        case str():
            yield _escaped(block)


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(map(_escaped, cells))} |"


def _escaped(text: str) -> str:
    """The text with the signs that Markdown would take for its own."""
    lines = (_SIGNS.sub(r"\\\1", clean(line)) for line in text.split("\n"))
    return "<br>".join(_STARTS.sub(r"\\", line.strip()) for line in lines)
