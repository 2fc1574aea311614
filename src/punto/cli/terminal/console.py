"""The Rich console, for what is drawn as a picture or changes while one looks: a game, roads, drill scenes.

It has 80 columns at most, unless somebody asks for more, and the colours of the two sides and of red suits. A
page, a grid or a sentence is printed with `ink`, which starts faster.
"""

from __future__ import annotations

import shutil

from rich.console import Console
from rich.highlighter import RegexHighlighter
from rich.theme import Theme

COLUMNS, LINES = 80, 24
WIDE = 160
"""The most columns that a game uses: 80 for the felt, the rest for the roads beside it."""

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


def open_console(columns: int = COLUMNS) -> Console:
    """A console on stdout of at most this width; Rich itself respects NO_COLOR, pipes and dumb terminals.

    Text is never read as markup: a book may have brackets in its title.
    """
    console = Console(theme=_THEME, highlighter=_Suits(), markup=False)
    if console.is_dumb_terminal:
        # Rich takes every dumb terminal for one of 80 columns.
        console.width, console.height = shutil.get_terminal_size((COLUMNS, LINES))
    console.width = min(console.width, columns)
    return console
