"""A page of text before anyone decided how it is shown: sections of paragraphs, lists and tables.

`punto rules` builds one page and shows it on a terminal or as Markdown.
"""

from __future__ import annotations

import msgspec


class Table(msgspec.Struct, frozen=True):
    """Rows under a head. A cell may have several lines."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[int, ...] = ()
    """Columns of numbers, set to the right."""
    grows: int | None = None
    """The column whose text is wrapped where the table is too wide."""


class Points(msgspec.Struct, frozen=True):
    """Short statements, one under the other."""

    items: tuple[str, ...]


Block = str | Points | Table
"""A paragraph, a list or a table."""


class Section(msgspec.Struct, frozen=True):
    """A heading with what stands under it."""

    heading: str
    blocks: tuple[Block, ...]


class Page(msgspec.Struct, frozen=True):
    """A title, the lines under it, and sections."""

    title: str
    lead: tuple[str, ...]
    sections: tuple[Section, ...]
