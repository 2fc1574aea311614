"""A page as PDF, set by typst.

All words go to typst as strings, in which it sees no markup.
"""

from __future__ import annotations

from punto.documents.page import Block, CommandLine, Figure, Grid, Listing, Page, Section, Style

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
"""Rows of a grid that fit a sheet with what stands around it."""

_FILLS = {Style.NOTICE: "#fdecc8", Style.GOOD: "#e6f4ea", Style.BAD: "#fbe9e7"}


def pdf_bytes(page: Page) -> bytes:
    """The whole PDF."""
    import typst

    return typst.compile(typst_source(page).encode(), format="pdf", timestamp=0)


def typst_source(page: Page) -> str:
    """The page as typst text."""
    title = f"{page.title}: {page.subtitle}" if page.subtitle else page.title
    facts = ", ".join(f"[{_text(name)}], [{_text(text)}]" for name, text in page.facts)
    head = [
        f"#set document(title: {_quoted(title)}, date: none)",
        _PREAMBLE,
        f'#text(size: 22pt, weight: "bold")[{_text(page.title)}] \\',
        f'#text(size: 13pt, fill: rgb("#66756e"))[{_text(page.subtitle)}]' if page.subtitle else "",
        '#line(length: 100%, stroke: 1.6pt + rgb("#b08d46"))',
        *(f"\n{_text(text)}\n" for text in page.lead),
        f"#grid(columns: (auto, 1fr), column-gutter: 1.2em, row-gutter: 0.5em, {facts})" if facts else "",
    ]
    return "\n".join([*head, *map(_section, page.sections)])


def _section(section: Section) -> str:
    return "\n\n".join([f"= {_text(section.heading)}", *map(_block, section.blocks)])


def _block(block: Block) -> str:
    match block:
        case Grid():
            return _grid(block)
        case Listing():
            return f"#list({', '.join(f'[{_text(item)}]' for item in block.items)})"
        case Figure():
            picture = f'image(bytes({_quoted(block.svg)}), format: "svg", width: {block.width}%)'
            return f"#figure({picture}, kind: image, caption: [{_text(block.caption)}])"
        case CommandLine():
            return (
                '#block(inset: (left: 0.8em, y: 0.15em), stroke: (left: 1.5pt + rgb("#b08d46")))'
                f"[#raw({_quoted(block.line)}) \\ "
                f'#text(size: 8pt, fill: rgb("#66756e"))[{_text(block.gives)}]]'
            )
        case str():
            return _text(block)


def _grid(grid: Grid) -> str:
    count = len(grid.heads)
    aligned = ", ".join("right" if i in grid.right else "left" for i in range(count))
    heads = ", ".join(f"[{_text(text)}]" for text in grid.heads)
    cells = []
    for number, row in enumerate(grid.rows):
        fill = _FILLS.get(grid.marks.get(number, Style.PLAIN))
        filled = f'fill: rgb("{fill}"), ' if fill else ""
        cells += [f"table.cell({filled}[{_text(text)}])" for text in row]
    # Whatever is over goes to the column of prose, or else to the first, which holds words.
    wide = grid.grows or 0
    columns = ", ".join("1fr" if i == wide else "auto" for i in range(count))
    parts = [f"columns: ({columns},)", f"align: ({aligned},)", f"table.header({heads})", *cells]
    title = f'text(weight: "bold")[{_text(grid.title)}]'
    caption = f", caption: figure.caption(position: top, {title})" if grid.title else ""
    figure = f"#figure(table({', '.join(parts)}), kind: table{caption})"
    # A grid that fits a sheet stays on one.
    return figure if len(grid.rows) > FITS else f"#block(breakable: false)[{figure}]"


def _text(text: str) -> str:
    """Text in markup: a string, in which typst sees none."""
    return f"#{_quoted(text)}"


def _quoted(text: str) -> str:
    """Text as a typst string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
