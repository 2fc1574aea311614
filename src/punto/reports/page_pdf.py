"""A document as PDF, set by typst."""

from __future__ import annotations

import typst

from punto.reports.document import Block, Command, Document, Figure, Grid, Section

_PREAMBLE = """
#set page(paper: "a4", margin: (x: 1.6cm, y: 1.9cm), numbering: "1 / 1", fill: white)
#set text(font: "Libertinus Serif", size: 9.5pt, fill: rgb("#22302b"), number-width: "tabular")
#set par(justify: false, leading: 0.6em)
#show heading.where(level: 1): it => block(above: 1.6em, below: 0.8em, text(size: 14pt, it.body))
#show table: set text(size: 7.4pt)
#show table.cell.where(y: 0): set text(weight: "bold", fill: rgb("#66756e"))
#set table(stroke: (x, y) => (bottom: 0.4pt + rgb("#ddd8ca")), inset: (x: 3.2pt, y: 2.6pt))
#show figure: set block(breakable: true)
#show figure.where(kind: image): set block(breakable: false)
#set figure(supplement: none, numbering: none, gap: 0.5em)
#show figure.caption: it => align(left, text(size: 8.5pt, it.body))
"""


FITS = 30
"""Rows of a table that fit a page with what stands around it."""


def pdf_bytes(document: Document) -> bytes:
    """The whole PDF."""
    return typst.compile(typst_source(document).encode(), format="pdf", timestamp=0)


def typst_source(document: Document) -> str:
    """The document as typst text."""
    facts = ", ".join(f"[{_text(name)}], [{_text(text)}]" for name, text in document.facts)
    title = f'#set document(title: "{_quoted(document.title)}: {_quoted(document.subtitle)}", date: none)'
    head = (
        f'#text(size: 22pt, weight: "bold")[{_text(document.title)}] \\\n'
        f'#text(size: 13pt, fill: rgb("#66756e"))[{_text(document.subtitle)}]\n'
        '#line(length: 100%, stroke: 1.6pt + rgb("#b08d46"))\n'
        f"#grid(columns: (auto, 1fr), column-gutter: 1.2em, row-gutter: 0.5em, {facts})\n"
    )
    return "\n".join([title, _PREAMBLE, head, *map(_section, document.sections)])


def _section(section: Section) -> str:
    return "\n\n".join([f"= {_text(section.heading)}", *map(_block, section.blocks)])


def _block(block: Block) -> str:
    if isinstance(block, Grid):
        return _grid(block)
    if isinstance(block, Figure):
        picture = f'image(bytes("{_quoted(block.svg)}"), format: "svg", width: {block.width}%)'
        return f"#figure({picture}, kind: image, caption: [{_text(block.caption)}])"
    if isinstance(block, Command):
        return (
            f'#block(inset: (left: 0.8em, y: 0.15em), stroke: (left: 1.5pt + rgb("#b08d46")))'
            f'[#raw("{_quoted(block.line)}") \\ #text(size: 8pt, fill: rgb("#66756e"))[{_text(block.gives)}]]'
        )
    return _text(block)


def _grid(grid: Grid) -> str:
    count = len(grid.table.heads)
    aligned = ", ".join(["left", *["right"] * (count - 1)])
    heads = ", ".join(f"[{_text(text)}]" for text in grid.table.heads)
    cells = []
    for i, row in enumerate(grid.table.rows):
        fill = 'fill: rgb("#fdecc8"), ' if i in grid.flagged else ""
        cells += [f"table.cell({fill}[{_text(text)}])" if fill else f"[{_text(text)}]" for text in row]
    # Whatever is over goes to the first column, which holds words.
    columns = ", ".join(["1fr", *["auto"] * (count - 1)])
    table = f"table(columns: ({columns}), align: ({aligned}), table.header({heads}), {', '.join(cells)})"
    caption = f'text(weight: "bold")[{_text(grid.table.title)}]'
    figure = f"#figure({table}, kind: table, caption: figure.caption(position: top, {caption}))"
    # A table that fits a page stays on one.
    return figure if len(grid.table.rows) > FITS else f"#block(breakable: false)[{figure}]"


_SPECIAL = str.maketrans({character: f"\\{character}" for character in "\\#$*_`<>@[]~=-+/\"'"})


def _text(text: str) -> str:
    """Text in which typst sees no markup."""
    return text.translate(_SPECIAL)


def _quoted(text: str) -> str:
    """Text inside a typst string."""
    return text.replace("\\", "\\\\").replace('"', '\\"')
