"""The felt that Rich draws on: 80 columns at most, and the colours of the two sides and of red suits."""

from __future__ import annotations

from rich.console import Console
from rich.highlighter import RegexHighlighter
from rich.segment import Segment, Segments
from rich.table import Table
from rich.theme import Theme

COLUMNS = 80

_THEME = Theme(
    {
        "player": "bold blue",
        "banker": "bold red",
        "tie": "bold green",
        "win": "green",
        "lose": "red",
        "push": "",
        "call": "yellow",
        "card.red": "red",
    }
)


class _Suits(RegexHighlighter):
    """Hearts and diamonds in red."""

    base_style = "card."
    highlights = (r"(?P<red>(10|[2-9AJQK])[♥♦])",)


def felt() -> Console:
    """A console on stdout; Rich itself heeds NO_COLOR, pipes and dumb terminals."""
    console = Console(theme=_THEME, highlighter=_Suits())
    console.width = min(console.width, COLUMNS)
    return console


def print_table(console: Console, table: Table) -> None:
    """A table without the blanks that Rich fills its last column with: in a file they are noise."""
    for line in console.render_lines(table, pad=False):
        while line and not line[-1].text.strip():
            line.pop()
        if line:
            line[-1] = Segment(line[-1].text.rstrip(), line[-1].style)
        console.print(Segments([*line, Segment.line()]))
