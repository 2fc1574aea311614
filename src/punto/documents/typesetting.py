"""A page as a file for readers: HTML that needs nothing else, and PDF, set by typst.

Both divide a grid that is too wide into parts that fit, by the width of its letters in a typeface. All
words go to typst as strings, in which it sees no markup; typst is loaded only when a PDF is made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import escape
from itertools import pairwise

from punto.documents.page import Block, CommandLine, Figure, Grid, Listing, Page, Section, Style

_NARROW_LETTERS = " .,:;'|!()[]ijl"
_PER_CENT = re.compile(r"(?<=[0-9]) %")
_WIDE_LETTERS = "+±=%MWmw—…"


@dataclass(frozen=True, slots=True)
class Typeface:
    size: float  # Of the type, in points or pixels; so are `room` and `padding`.
    room: float  # Width of a page.
    padding: float  # The blanks on both sides of a cell together.
    digit: float  # Width of a digit, as a share of the size; so are the next three.
    letter: float = 0.5
    capital: float = 0.7
    wide: float = 0.8
    narrow: float = 0.29
    longest: int = 44  # Letters from which on a cell of words is wrapped.

    def width(self, text: str) -> float:
        return self.size * sum(map(self._share, text))

    def _share(self, letter: str) -> float:
        if letter.isdigit():
            return self.digit
        if letter in _NARROW_LETTERS:
            return self.narrow
        if letter in _WIDE_LETTERS:
            return self.wide
        return self.capital if letter.isupper() or not letter.isascii() else self.letter


def column_width(grid: Grid, column: int, face: Typeface) -> float:
    """About how wide a column is; words that are wrapped count up to where they are."""
    texts = (grid.heads[column], *(row[column] for row in grid.rows))
    lines = [line for text in texts for line in text.split("\n")]
    if column == 0 or is_prose(grid, column, face):
        lines = [line[: face.longest] for line in lines]
    return max(map(face.width, lines)) + face.padding


def is_prose(grid: Grid, column: int, face: Typeface) -> bool:
    """Whether a column of words is so long that it has to be wrapped."""
    longest = max((len(row[column]) for row in grid.rows), default=0)
    return column not in grid.right and longest > face.longest


def grid_width(grid: Grid, face: Typeface) -> float:
    """About how wide a grid is when nothing but prose is wrapped."""
    return sum(column_width(grid, i, face) for i in range(len(grid.heads)))


def fitting_parts(grid: Grid, face: Typeface) -> Iterator[Grid]:
    """The grid, or where its figures are wider than the page, parts of it with about as many columns each.

    A row that has nothing to say in a part is left out of it. A grid with a column of prose is never parted:
    the prose gives way.
    """
    if grid.grows is not None or grid_width(grid, face) <= face.room or len(grid.heads) < 3:
        yield grid
        return
    last = len(grid.heads) - 1
    for number in range(2, last + 1):
        ends = [1 + last * i // number for i in range(number + 1)]
        parts = [_with_columns(grid, (0, *range(first, end))) for first, end in pairwise(ends)]
        if all(grid_width(part, face) <= face.room for part in parts) or number == last:
            yield from parts
            return


def _with_columns(grid: Grid, columns: tuple[int, ...]) -> Grid:
    numbers = [number for number, row in enumerate(grid.rows) if any(row[i] for i in columns[1:])]
    rows = tuple(tuple(grid.rows[number][i] for i in columns) for number in numbers)
    right = [place for place, i in enumerate(columns) if i in grid.right]
    marks = {numbers.index(number): style for number, style in grid.marks.items() if number in numbers}
    return Grid(tuple(grid.heads[i] for i in columns), rows, grid.title, right, None, marks)


_HTML_STYLE = """
:root { color-scheme: light; --ink: #22302b; --quiet: #66756e; --line: #ddd8ca; --paper: #fbf8f0;
  --brass: #8a6a24; --warn: #fdecc8; --good: #1d6b3f; --bad: #a32a22; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 Inter, "Segoe UI", "Helvetica Neue", Arial, sans-serif; font-variant-numeric: tabular-nums; }
main { max-width: 62rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
header { border-bottom: 3px solid var(--brass); margin-bottom: 1.5rem; }
h1 { font-size: 2.1rem; margin: 0; letter-spacing: -0.01em; }
header p { font-size: 1.15rem; margin: 0.1rem 0 1rem; color: var(--quiet); }
h2 { font-size: 1.35rem; margin: 2.6rem 0 0.6rem; padding-bottom: 0.25rem;
  border-bottom: 1px solid var(--line); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.15rem 1.25rem; margin: 0 0 1.25rem; }
dt { color: var(--quiet); } dd { margin: 0; overflow-wrap: anywhere; }
nav ol { columns: 2; padding-left: 1.2rem; } nav a { color: var(--brass); }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; width: 100%; font-size: 0.87rem; }
caption { text-align: left; font-weight: 600; padding: 0.35rem 0; }
th, td { padding: 0.28rem 0.55rem; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--line); }
th.number, td.number { text-align: right; white-space: nowrap; }
tbody th { font-weight: 500; min-width: 8.5rem; }
thead th { color: var(--quiet); font-weight: 600; border-bottom: 2px solid var(--line); }
tr.notice { background: var(--warn); } tr.good { color: var(--good); } tr.bad { color: var(--bad); }
figure { margin: 1.25rem 0; } figure svg { display: block; width: 100%; height: auto; }
figcaption { color: var(--quiet); font-size: 0.87rem; }
pre { background: #f1ecdd; border-left: 3px solid var(--brass); padding: 0.5rem 0.8rem;
  white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.4rem 0; }
.signatures td, .signatures th { height: 3.2rem; vertical-align: bottom; color: var(--quiet); }
pre span { color: var(--quiet); }
.dense table { font-size: 0.8rem; } .dense th, .dense td { padding: 0.24rem 0.26rem; }
.dense tbody th { min-width: 7rem; }
@media print { body { background: white; font-size: 11px; } nav { display: none; }
  main { max-width: none; padding: 0; } .wide { overflow-x: visible; }
  tr, figure { break-inside: avoid; } caption, h2 { break-after: avoid; } }
"""

HTML_FACE = Typeface(size=13.0, room=952.0, padding=17.6, digit=0.6, letter=0.55, capital=0.72, wide=0.85)
"""The type of a grid, in pixels, on a page as wide as it gets."""
HTML_DENSE_FACE = replace(HTML_FACE, size=12.0, padding=8.4)  # The same for a wide grid, whose type is smaller.


def html_page(page: Page) -> str:
    subtitle = f"<p>{escape(page.subtitle)}</p>" if page.subtitle else ""
    lead = "".join(f"<p>{escape(text)}</p>" for text in page.lead)
    facts = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in page.facts)
    contents = "".join(
        f'<li><a href="#section-{number}">{escape(section.heading)}</a></li>'
        for number, section in enumerate(page.sections, start=1)
    )
    sections = "\n".join(_html_section(i, section) for i, section in enumerate(page.sections))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(page.full_title)}</title>
<style>{_HTML_STYLE}{_html_print_header(page.header)}</style>
</head>
<body>
<main>
<header><h1>{escape(page.title)}</h1>{subtitle}</header>
{lead}<dl>{facts}</dl>
<nav aria-label="Contents"><ol>{contents}</ol></nav>
{sections}
{_html_signatures(page)}</main>
</body>
</html>
"""


def _html_print_header(text: str) -> str:
    """What stands at the head of every sheet of paper, where a browser prints the page."""
    if not text:
        return ""
    quoted = "".join(c if c.isalnum() or c in " ,.-" else f"\\{ord(c):06x}" for c in text)
    font = "font: 7pt sans-serif; color: #66756e"
    return f'@page {{ margin: 18mm 14mm; @top-left {{ content: "{quoted}"; {font} }} }}\n'


def _html_signatures(page: Page) -> str:
    if not page.signatures:
        return ""
    rows = "".join(
        f"<tr><th>{escape(role)}</th><td>{escape(name)}</td><td>Signature</td><td>Date</td></tr>"
        for role, name in page.signatures
    )
    return f'<section><h2>Signatures</h2><table class="signatures">{rows}</table></section>\n'


def blocks_html(*blocks: Block) -> str:
    """Blocks by themselves, as a notebook shows them: what is wider than the notebook can be scrolled."""
    shown = (grid_html(b) if isinstance(b, Grid) else _html_block(b, f"n{i}") for i, b in enumerate(blocks))
    return f'<div style="overflow-x:auto">{"".join(shown)}</div>'


def grid_html(grid: Grid) -> str:
    """A grid by itself, as a notebook shows it."""
    caption = f"<caption>{escape(grid.title)}</caption>" if grid.title else ""
    head = "".join(_html_cell(grid, i, text, "th", "col") for i, text in enumerate(grid.heads))
    rows = []
    for number, row in enumerate(grid.rows):
        cells = [_html_cell(grid, i, text, "td" if i else "th", "" if i else "row") for i, text in enumerate(row)]
        mark = f' class="{grid.marks[number].value}"' if number in grid.marks else ""
        rows.append(f"<tr{mark}>{''.join(cells)}</tr>")
    body = "\n".join(rows)
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _html_cell(grid: Grid, column: int, text: str, tag: str, scope: str) -> str:
    scoped = f' scope="{scope}"' if scope else ""
    # The style stands in the cell too: a notebook has no style sheet of ours.
    side = ' class="number" style="text-align:right"' if column in grid.right else ' style="text-align:left"'
    return f"<{tag}{scoped}{side}>{escape(text).replace(chr(10), '<br>')}</{tag}>"


def _html_section(number: int, section: Section) -> str:
    blocks = "\n".join(_html_block(block, f"{number}-{i}") for i, block in enumerate(section.blocks))
    return f'<section id="section-{number + 1}"><h2>{escape(section.heading)}</h2>\n{blocks}\n</section>'


def _html_block(block: Block, place: str) -> str:
    match block:
        case Grid():
            return _html_grid(block)
        case Listing():
            return f"<ul>{''.join(f'<li>{_html_words(item)}</li>' for item in block.items)}</ul>"
        case Figure():
            return _html_figure(block, place)
        case CommandLine():
            return f"<pre>{escape(block.line)}  <span># {escape(block.gives)}</span></pre>"
        case str():
            return f"<p>{_html_words(block)}</p>"


def _html_grid(grid: Grid) -> str:
    """A grid in parts that fit the page, in smaller type where that helps."""
    if grid_width(grid, HTML_FACE) <= HTML_FACE.room or grid.grows is not None:
        return f'<div class="wide">{grid_html(grid)}</div>'
    parts = fitting_parts(grid, HTML_DENSE_FACE)
    return "\n".join(f'<div class="wide dense">{grid_html(part)}</div>' for part in parts)


def _html_words(text: str) -> str:
    """Prose; a number stays on the line of its sign."""
    return _PER_CENT.sub("&nbsp;%", escape(text))


def _html_figure(figure: Figure, place: str) -> str:
    caption = escape(figure.caption)
    # Names inside a chart are unique only within it; beside others they would clash. The namespaces that a
    # file of its own needs are known to a page.
    svg = re.sub(r' xmlns(:xlink)?="[^"]*"', "", figure.picture.svg)
    for opening in ('id="', 'href="#', "url(#"):  # and no colour, such as "#000"
        svg = svg.replace(opening, f"{opening}c{place}-")
    labelled = svg.replace("<svg", f'<svg role="img" aria-label="{caption}"', 1)
    return f'<figure style="max-width: {figure.width}%">{labelled}<figcaption>{caption}</figcaption></figure>'


_TYPST_PREAMBLE = """
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

PDF_FACE = Typeface(size=7.4, room=500.0, padding=6.8, digit=0.465, letter=0.48, wide=0.7, narrow=0.26)
"""The type of a grid, in points."""
PDF_SHEET_ROWS = 40  # Rows of a grid that fit a sheet with what stands around it.
PDF_COMPACT_SHARE = 0.55
"""A grid that needs less of the width of a sheet than this is not stretched to its whole width."""
PDF_TIED_ROWS = 3  # Rows of a longer grid that stay together at its start and at its end.
PDF_LONGEST_ROW = 2000  # Letters of a cell up to which its row is kept on one sheet.

_TYPST_FILLS = {Style.NOTICE: "#fdecc8", Style.GOOD: "#e6f4ea", Style.BAD: "#fbe9e7"}


def pdf_bytes(page: Page) -> bytes:
    import typst

    return typst.compile(typst_source(page).encode(), format="pdf", timestamp=0)


def typst_source(page: Page) -> str:
    facts = ", ".join(f"[{_typst_text(name)}], [{_typst_text(text)}]" for name, text in page.facts)
    head = [
        f"#set document(title: {_typst_string(page.full_title)}, date: none)",
        _TYPST_PREAMBLE,
        f'#set page(header: text(size: 7pt, fill: rgb("#66756e"))[{_typst_text(page.header)}])' if page.header else "",
        f'#text(size: 22pt, weight: "bold")[{_typst_text(page.title)}] \\',
        f'#text(size: 13pt, fill: rgb("#66756e"))[{_typst_text(page.subtitle)}]' if page.subtitle else "",
        '#line(length: 100%, stroke: 1.6pt + rgb("#b08d46"))',
        *(f"\n{_typst_text(text)}\n" for text in page.lead),
        f"#grid(columns: (auto, 1fr), column-gutter: 1.2em, row-gutter: 0.5em, {facts})" if facts else "",
    ]
    return "\n".join([*head, *map(_typst_section, page.sections), _typst_signatures(page)])


def _typst_section(section: Section) -> str:
    blocks = [f"= {_typst_text(section.heading)}"]
    for block, after in zip(section.blocks, (*section.blocks[1:], ""), strict=True):
        # A paragraph stays with the grid or the picture that it speaks of.
        is_lead = isinstance(block, str) and isinstance(after, (Grid, Figure))
        blocks.append(f"#block(sticky: true)[{_typst_block(block)}]" if is_lead else _typst_block(block))
    return "\n\n".join(blocks)


def _typst_block(block: Block) -> str:
    match block:
        case Grid():
            return _typst_grid(block)
        case Listing():
            items = ", ".join(f"[{_typst_text(item)}]" for item in block.items)
            return f"#block(breakable: false, list({items}))"
        case Figure():
            picture = f'image(bytes({_typst_string(block.picture.svg)}), format: "svg", width: {block.width}%)'
            return f"#figure({picture}, kind: image, caption: [{_typst_text(block.caption)}])"
        case CommandLine():
            return (
                '#block(inset: (left: 0.8em, y: 0.15em), stroke: (left: 1.5pt + rgb("#b08d46")))'
                f"[#raw({_typst_string(block.line)}) \\ "
                f'#text(size: 8pt, fill: rgb("#66756e"))[{_typst_text(block.gives)}]]'
            )
        case str():
            return _typst_text(block)


def _typst_grid(grid: Grid) -> str:
    blocks = []
    for part in fitting_parts(grid, PDF_FACE):
        block = _typst_table(part)
        # A grid that fits a sheet stays on one.
        blocks.append(f"#{block}" if len(part.rows) > PDF_SHEET_ROWS else f"#block(breakable: false, {block})")
    return "\n\n".join(blocks)


def _typst_table(grid: Grid) -> str:
    count, is_tied = len(grid.heads), len(grid.rows) > PDF_SHEET_ROWS
    aligned = ", ".join("right" if i in grid.right else "left" for i in range(count))
    grey = 'text(weight: "bold", fill: rgb("#66756e"))'
    heads = ", ".join(f"{grey}[{_typst_text(text)}]" for text in grid.heads)
    # The title is a row of the head: it is never left alone, and stands again where a grid goes on.
    bold = 'text(weight: "bold", size: 8.5pt, fill: rgb("#22302b"))'
    across = f"colspan: {count + is_tied}, align: left"
    title = f"table.cell({across}, {bold}[{_typst_text(grid.title)}]), " if grid.title else ""
    cells = []
    for number, row in enumerate(grid.rows):
        fill = _TYPST_FILLS.get(grid.marks.get(number, Style.PLAIN))
        filled = f'fill: rgb("{fill}"), ' if fill else ""
        whole = "breakable: false, " if max(map(len, row)) <= PDF_LONGEST_ROW else ""
        cells += [f"table.cell({filled}{whole}[{_typst_text(text)}])" for text in row]
        cells += _typst_tie(number, len(grid.rows)) if is_tied else ()
    widths, head = (f"{_typst_widths(grid)}, 0pt", f"{heads}, []") if is_tied else (_typst_widths(grid), heads)
    parts = [f"columns: ({widths},)", f"align: ({aligned},)", f"table.header({title}{head})", *cells]
    return f"table({', '.join(parts)})"


def _typst_tie(number: int, rows: int) -> tuple[str, ...]:
    """The cell of a last column without width, which keeps the first and the last rows of a grid together.

    Without it a row may stand alone at the end or at the top of a sheet.
    """
    if number in (0, rows - PDF_TIED_ROWS):
        return (f"table.cell(rowspan: {PDF_TIED_ROWS}, breakable: false, inset: 0pt)[]",)
    return () if number < PDF_TIED_ROWS or number > rows - PDF_TIED_ROWS else ("table.cell(inset: 0pt)[]",)


def _typst_widths(grid: Grid) -> str:
    """Whatever is over goes to the column of prose, or else to the first, which holds words."""
    count, width = len(grid.heads), max(grid_width(grid, PDF_FACE), PDF_FACE.width(grid.title) * 1.3)
    if grid.grows is None and width < PDF_COMPACT_SHARE * PDF_FACE.room:
        return ", ".join(["auto"] * count)
    wide = grid.grows or 0
    return ", ".join("1fr" if i == wide or is_prose(grid, i, PDF_FACE) else "auto" for i in range(count))


def _typst_signatures(page: Page) -> str:
    """Lines to sign on, all on one sheet."""
    if not page.signatures:
        return ""
    line = 'stroke: (bottom: 0.6pt + rgb("#22302b")), height: 3.2em, width: 100%'
    cells = []
    for role, name in page.signatures:
        for label, text in ((role, name), ("Signature", ""), ("Date", "")):
            small = f'text(size: 8pt, fill: rgb("#66756e"))[{_typst_text(label)}]'
            cells.append(f"[#box({line}, inset: (bottom: 0.45em), align(bottom)[{_typst_text(text)}]) #{small}]")
    grid = f"grid(columns: (2fr, 2fr, 1fr), column-gutter: 1.5em, row-gutter: 1.2em, {', '.join(cells)})"
    return f'#block(breakable: false, above: 2.2em)[#text(size: 14pt, weight: "bold")[Signatures] #v(0.4em) #{grid}]'


def _typst_text(text: str) -> str:
    """Text in markup: a string, in which typst sees none; a number stays on the line of its sign."""
    return f"#{_typst_string(_PER_CENT.sub(chr(0xA0) + '%', text))}"


def _typst_string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
