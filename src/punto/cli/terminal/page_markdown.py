"""A page as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from punto.cli.terminal.page import Page, Points, Table


def markdown_lines(page: Page) -> Iterator[str]:
    """The lines of a page in Markdown, tables as GitHub writes them."""
    yield f"# {_escaped(page.title)}"
    for text in page.lead:
        yield ""
        yield _escaped(text)
    for section in page.sections:
        yield ""
        yield f"## {_escaped(section.heading)}"
        for block in section.blocks:
            yield ""
            if isinstance(block, Table):
                yield from _table_lines(block)
            elif isinstance(block, Points):
                yield from (f"- {_escaped(item)}" for item in block.items)
            else:
                yield _escaped(block)


def _table_lines(table: Table) -> Iterator[str]:
    yield _row(table.head)
    yield _row(tuple("--:" if i in table.right else "---" for i in range(len(table.head))))
    yield from (_row(tuple(map(_escaped, row))) for row in table.rows)


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    """The text with the signs that Markdown would take for its own."""
    for sign in ("\\", "|", "*", "_", "<", "`", "[", "]"):
        text = text.replace(sign, f"\\{sign}")
    return text.replace("\n", "<br>")
