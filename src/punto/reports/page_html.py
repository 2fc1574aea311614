"""A document as one HTML page that needs nothing else: styles and charts are in it."""

from __future__ import annotations

import re
from html import escape

from punto.reports.document import Block, Command, Document, Figure, Grid, Section

_STYLE = """
:root { color-scheme: light; --ink: #22302b; --quiet: #66756e; --line: #ddd8ca; --paper: #fbf8f0;
  --brass: #8a6a24; --warn: #fdecc8; }
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
th, td { padding: 0.28rem 0.55rem; text-align: right; vertical-align: top;
  border-bottom: 1px solid var(--line); }
td { white-space: nowrap; }
th:first-child, td:first-child { text-align: left; font-weight: 500; min-width: 8.5rem; }
thead th { color: var(--quiet); font-weight: 600; border-bottom: 2px solid var(--line); }
tr.flag { background: var(--warn); }
figure { margin: 1.25rem 0; } figure svg { display: block; width: 100%; height: auto; }
figcaption { color: var(--quiet); font-size: 0.87rem; }
pre { background: #f1ecdd; border-left: 3px solid var(--brass); padding: 0.5rem 0.8rem;
  overflow-x: auto; margin: 0.4rem 0; }
pre span { color: var(--quiet); }
@media print { body { background: white; font-size: 11px; } nav { display: none; }
  tr, figure { break-inside: avoid; } }
"""


def html_page(document: Document) -> str:
    """The whole page."""
    facts = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in document.facts)
    contents = "".join(
        f'<li><a href="#{_anchor(i)}">{escape(section.heading)}</a></li>'
        for i, section in enumerate(document.sections)
    )
    sections = "\n".join(_section(i, section) for i, section in enumerate(document.sections))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(document.title)}: {escape(document.subtitle)}</title>
<style>{_STYLE}</style>
</head>
<body>
<main>
<header><h1>{escape(document.title)}</h1><p>{escape(document.subtitle)}</p></header>
<dl>{facts}</dl>
<nav aria-label="Contents"><ol>{contents}</ol></nav>
{sections}
</main>
</body>
</html>
"""


def _section(number: int, section: Section) -> str:
    blocks = "\n".join(_block(block, f"{number}-{i}") for i, block in enumerate(section.blocks))
    return f'<section id="{_anchor(number)}"><h2>{escape(section.heading)}</h2>\n{blocks}\n</section>'


def _anchor(number: int) -> str:
    return f"section-{number + 1}"


def _block(block: Block, place: str) -> str:
    if isinstance(block, Grid):
        return _grid(block)
    if isinstance(block, Figure):
        caption = escape(block.caption)
        # Names inside a chart are unique only within it; beside others they would clash. The namespaces that
        # a file of its own needs are known to a page.
        svg = re.sub(r' xmlns(:xlink)?="[^"]*"', "", block.svg)
        for opening in ('id="', '"#', "url(#"):
            svg = svg.replace(opening, f"{opening}c{place}-")
        labelled = svg.replace("<svg", f'<svg role="img" aria-label="{caption}"', 1)
        style = f'style="max-width: {block.width}%"'
        return f"<figure {style}>{labelled}<figcaption>{caption}</figcaption></figure>"
    if isinstance(block, Command):
        return f"<pre>{escape(block.line)}  <span># {escape(block.gives)}</span></pre>"
    return f"<p>{escape(block)}</p>"


def _grid(grid: Grid) -> str:
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in grid.table.heads)
    rows = []
    for i, row in enumerate(grid.table.rows):
        first, *rest = row
        cells = f'<th scope="row">{escape(first)}</th>' + "".join(f"<td>{escape(text)}</td>" for text in rest)
        rows.append(f'<tr class="flag">{cells}</tr>' if i in grid.flagged else f"<tr>{cells}</tr>")
    caption = f"<caption>{escape(grid.table.title)}</caption>"
    body = "\n".join(rows)
    return (
        f'<div class="wide"><table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )
