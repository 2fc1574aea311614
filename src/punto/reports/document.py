"""A report before anyone decided how it is shown: sections of paragraphs, tables, charts and commands."""

from __future__ import annotations

from dataclasses import dataclass

from punto.odds.display import Table


@dataclass(frozen=True, slots=True)
class Grid:
    """A table, some of whose rows a reader must not miss."""

    table: Table
    flagged: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart as SVG, with what it shows in words."""

    svg: str
    caption: str
    width: int = 88
    """How much of the page it takes, in percent."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command line that gives the same figures again."""

    line: str
    gives: str


Block = str | Grid | Figure | Command


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it."""

    heading: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A title, facts about the whole, and sections."""

    title: str
    subtitle: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
