"""A page as PDF, set by typst.

All words go to typst as strings, in which it sees no markup.
"""

from __future__ import annotations

import re

from punto.documents.fitting import Typeface, fitting_parts, grid_width, is_prose
from punto.documents.page import Block, CommandLine, Figure, Grid, Listing, Page, Section, Style

_PREAMBLE = """
#set page(paper: "a4", margin: (x: 1.6cm, y: 1.9cm), numbering: "1 / 1", fill: white)
#set text(font: "Libertinus Serif", size: 9.5pt, fill: rgb("#22302b"), number-width: "tabular",
  ligatures: false)
#set par(justify: false, leading: 0.6em)
#show heading.where(level: 1): it => block(above: 1.6em, below: 0.8em, text(size: 14pt, it.body))
#show table: set text(size: 7.4pt)
#set table(stroke: (x, y) => (bottom: 0.4pt + rgb("#ddd8ca")), inset: (x: 3.2pt, y: 2.6pt))
#show figure: set block(breakable: true)
#show figure.where(kind: image): set block(breakable: false)
#set figure(supplement: none, numbering: none, gap: 0.5em)
#show figure.caption: it => align(left, text(size: 8.5pt, it.body))
"""

FACE = Typeface(size=7.4, room=500.0, padding=6.8, digit=0.465, letter=0.48, wide=0.7, narrow=0.26)
"""The type of a grid, in points."""
FITS = 40
"""Rows of a grid that fit a sheet with what stands around it."""
COMPACT = 0.55
"""A grid that needs less of the width of a sheet than this is not stretched to its whole width."""
TIED = 3
"""Rows of a longer grid that stay together at its start and at its end."""
LONGEST_ROW = 2000
"""Letters of a cell up to which its row is kept on one sheet."""

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
        _header(page.header),
        f'#text(size: 22pt, weight: "bold")[{_text(page.title)}] \\',
        f'#text(size: 13pt, fill: rgb("#66756e"))[{_text(page.subtitle)}]' if page.subtitle else "",
        '#line(length: 100%, stroke: 1.6pt + rgb("#b08d46"))',
        *(f"\n{_text(text)}\n" for text in page.lead),
        f"#grid(columns: (auto, 1fr), column-gutter: 1.2em, row-gutter: 0.5em, {facts})" if facts else "",
    ]
    return "\n".join([*head, *map(_section, page.sections), _signatures(page)])


def _header(text: str) -> str:
    """What stands at the head of every sheet."""
    if not text:
        return ""
    return f'#set page(header: text(size: 7pt, fill: rgb("#66756e"))[{_text(text)}])'


def _section(section: Section) -> str:
    shown = [f"= {_text(section.heading)}"]
    for block, after in zip(section.blocks, (*section.blocks[1:], ""), strict=True):
        # A paragraph stays with the grid or the picture that it speaks of.
        is_lead = isinstance(block, str) and isinstance(after, (Grid, Figure))
        shown.append(f"#block(sticky: true)[{_block(block)}]" if is_lead else _block(block))
    return "\n\n".join(shown)


def _block(block: Block) -> str:
    match block:
        case Grid():
            return _grid(block)
        case Listing():
            items = ", ".join(f"[{_text(item)}]" for item in block.items)
            return f"#block(breakable: false, list({items}))"
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
    blocks = []
    for part in fitting_parts(grid, FACE):
        block = _table(part)
        # A grid that fits a sheet stays on one.
        blocks.append(f"#{block}" if len(part.rows) > FITS else f"#block(breakable: false, {block})")
    return "\n\n".join(blocks)


def _table(grid: Grid) -> str:
    count, is_tied = len(grid.heads), len(grid.rows) > FITS
    aligned = ", ".join("right" if i in grid.right else "left" for i in range(count))
    grey = 'text(weight: "bold", fill: rgb("#66756e"))'
    heads = ", ".join(f"{grey}[{_text(text)}]" for text in grid.heads)
    # The title is a row of the head: it is never left alone, and stands again where a grid goes on.
    bold = 'text(weight: "bold", size: 8.5pt, fill: rgb("#22302b"))'
    across = f"colspan: {count + is_tied}, align: left"
    title = f"table.cell({across}, {bold}[{_text(grid.title)}]), " if grid.title else ""
    cells = []
    for number, row in enumerate(grid.rows):
        fill = _FILLS.get(grid.marks.get(number, Style.PLAIN))
        filled = f'fill: rgb("{fill}"), ' if fill else ""
        whole = "breakable: false, " if max(map(len, row)) <= LONGEST_ROW else ""
        cells += [f"table.cell({filled}{whole}[{_text(text)}])" for text in row]
        cells += _tie(number, len(grid.rows)) if is_tied else ()
    widths, head = (f"{_widths(grid)}, 0pt", f"{heads}, []") if is_tied else (_widths(grid), heads)
    parts = [f"columns: ({widths},)", f"align: ({aligned},)", f"table.header({title}{head})", *cells]
    return f"table({', '.join(parts)})"


def _tie(number: int, rows: int) -> tuple[str, ...]:
    """The cell of a last column without width, which keeps the first and the last rows of a grid together.

    Without it a row may stand alone at the end or at the top of a sheet.
    """
    if number in (0, rows - TIED):
        return (f"table.cell(rowspan: {TIED}, breakable: false, inset: 0pt)[]",)
    return () if number < TIED or number > rows - TIED else ("table.cell(inset: 0pt)[]",)


def _widths(grid: Grid) -> str:
    """Whatever is over goes to the column of prose, or else to the first, which holds words."""
    count = len(grid.heads)
    if grid.grows is None and max(grid_width(grid, FACE), FACE.width(grid.title) * 1.3) < COMPACT * FACE.room:
        return ", ".join(["auto"] * count)
    wide = grid.grows or 0
    return ", ".join("1fr" if i == wide or is_prose(grid, i, FACE) else "auto" for i in range(count))


def _signatures(page: Page) -> str:
    """Lines to sign on, all on one sheet."""
    if not page.signatures:
        return ""
    line = 'stroke: (bottom: 0.6pt + rgb("#22302b")), height: 3.2em, width: 100%'
    cells = []
    for role, name in page.signatures:
        for label, text in ((role, name), ("Signature", ""), ("Date", "")):
            small = f'text(size: 8pt, fill: rgb("#66756e"))[{_text(label)}]'
            cells.append(f"[#box({line}, inset: (bottom: 0.45em), align(bottom)[{_text(text)}]) #{small}]")
    grid = f"grid(columns: (2fr, 2fr, 1fr), column-gutter: 1.5em, row-gutter: 1.2em, {', '.join(cells)})"
    return (
        '#block(breakable: false, above: 2.2em)[#text(size: 14pt, weight: "bold")[Signatures] #v(0.4em) '
        f"#{grid}]"
    )


def _text(text: str) -> str:
    """Text in markup: a string, in which typst sees none; a number stays on the line of its sign."""
    return f"#{_quoted(re.sub(r'(?<=[0-9]) %', chr(0xA0) + '%', text))}"


def _quoted(text: str) -> str:
    """Text as a typst string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
