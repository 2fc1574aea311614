"""A page as one HTML file that needs nothing else: styles and charts are in it."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape

from punto.documents.fitting import Typeface, fitting_parts, grid_width
from punto.documents.page import Block, CommandLine, Figure, Grid, Listing, Page, Section

_STYLE = """
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

FACE = Typeface(size=13.0, room=952.0, padding=17.6, digit=0.6, letter=0.55, capital=0.72, wide=0.85)
"""The type of a grid, in pixels, on a page as wide as it gets."""
DENSE = replace(FACE, size=12.0, padding=8.4)
"""The same for a wide grid, whose type is smaller."""


def html_page(page: Page) -> str:
    """The whole page."""
    title = escape(f"{page.title}: {page.subtitle}" if page.subtitle else page.title)
    subtitle = f"<p>{escape(page.subtitle)}</p>" if page.subtitle else ""
    lead = "".join(f"<p>{escape(text)}</p>" for text in page.lead)
    facts = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in page.facts)
    contents = "".join(
        f'<li><a href="#{_anchor(i)}">{escape(section.heading)}</a></li>'
        for i, section in enumerate(page.sections)
    )
    sections = "\n".join(_section(i, section) for i, section in enumerate(page.sections))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{_STYLE}{_print_header(page.header)}</style>
</head>
<body>
<main>
<header><h1>{escape(page.title)}</h1>{subtitle}</header>
{lead}<dl>{facts}</dl>
<nav aria-label="Contents"><ol>{contents}</ol></nav>
{sections}
{_signatures(page)}</main>
</body>
</html>
"""


def _print_header(text: str) -> str:
    """What stands at the head of every sheet of paper, where a browser prints the page."""
    if not text:
        return ""
    quoted = "".join(c if c.isalnum() or c in " ,.-" else f"\\{ord(c):06x}" for c in text)
    font = "font: 7pt sans-serif; color: #66756e"
    return f'@page {{ margin: 18mm 14mm; @top-left {{ content: "{quoted}"; {font} }} }}\n'


def _signatures(page: Page) -> str:
    """Lines to sign on."""
    if not page.signatures:
        return ""
    rows = "".join(
        f"<tr><th>{escape(role)}</th><td>{escape(name)}</td><td>Signature</td><td>Date</td></tr>"
        for role, name in page.signatures
    )
    return f'<section><h2>Signatures</h2><table class="signatures">{rows}</table></section>\n'


def grid_html(grid: Grid) -> str:
    """A grid by itself, as a notebook shows it."""
    caption = f"<caption>{escape(grid.title)}</caption>" if grid.title else ""
    head = "".join(_cell(grid, i, text, "th", "col") for i, text in enumerate(grid.heads))
    rows = []
    for number, row in enumerate(grid.rows):
        cells = [_cell(grid, i, text, "td" if i else "th", "" if i else "row") for i, text in enumerate(row)]
        mark = f' class="{grid.marks[number].value}"' if number in grid.marks else ""
        rows.append(f"<tr{mark}>{''.join(cells)}</tr>")
    body = "\n".join(rows)
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(grid: Grid, column: int, text: str, tag: str, scope: str) -> str:
    scoped = f' scope="{scope}"' if scope else ""
    # The style stands in the cell too: a notebook has no style sheet of ours.
    side = ' class="number" style="text-align:right"' if column in grid.right else ' style="text-align:left"'
    shown = escape(text).replace("\n", "<br>")
    return f"<{tag}{scoped}{side}>{shown}</{tag}>"


def _section(number: int, section: Section) -> str:
    blocks = "\n".join(_block(block, f"{number}-{i}") for i, block in enumerate(section.blocks))
    return f'<section id="{_anchor(number)}"><h2>{escape(section.heading)}</h2>\n{blocks}\n</section>'


def _anchor(number: int) -> str:
    return f"section-{number + 1}"


def _block(block: Block, place: str) -> str:
    match block:
        case Grid():
            return _grid(block)
        case Listing():
            return f"<ul>{''.join(f'<li>{_words(item)}</li>' for item in block.items)}</ul>"
        case Figure():
            return _figure(block, place)
        case CommandLine():
            return f"<pre>{escape(block.line)}  <span># {escape(block.gives)}</span></pre>"
        case str():
            return f"<p>{_words(block)}</p>"


def _grid(grid: Grid) -> str:
    """A grid in parts that fit the page, in smaller type where that helps."""
    if grid_width(grid, FACE) <= FACE.room or grid.grows is not None:
        return f'<div class="wide">{grid_html(grid)}</div>'
    parts = fitting_parts(grid, DENSE)
    return "\n".join(f'<div class="wide dense">{grid_html(part)}</div>' for part in parts)


def _words(text: str) -> str:
    """Prose; a number stays on the line of its sign."""
    return re.sub(r"(?<=[0-9]) %", "&nbsp;%", escape(text))


def _figure(figure: Figure, place: str) -> str:
    caption = escape(figure.caption)
    # Names inside a chart are unique only within it; beside others they would clash. The namespaces that a
    # file of its own needs are known to a page.
    svg = re.sub(r' xmlns(:xlink)?="[^"]*"', "", figure.svg)
    for opening in ('id="', '"#', "url(#"):
        svg = svg.replace(opening, f"{opening}c{place}-")
    labelled = svg.replace("<svg", f'<svg role="img" aria-label="{caption}"', 1)
    style = f'style="max-width: {figure.width}%"'
    return f"<figure {style}>{labelled}<figcaption>{caption}</figcaption></figure>"
