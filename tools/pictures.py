"""Writes the pictures of README.md: a game in the terminal, and a PAR sheet.

    python tools/pictures.py

Both are what the commands print, drawn as SVG with the colours of a terminal. tests/docs/test_pictures.py
makes them again in every test run and compares.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html import escape
from pathlib import Path

from rich.text import Text

from punto.documents.page import Page, Section, Style
from punto.documents.text import page_lines, width

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "pictures"

COLUMN, LINE, MARGIN = 8.4, 18, 16
GROUND, INK = "#0C1412", "#F4F0E6"
COLOURS = {1: "#FF6F66", 2: "#5FD3A0", 3: "#F2B544", 4: "#6FAEFF", 6: "#6FD0D6"}
"""By number of the terminal's colour: red, green, yellow, blue, cyan."""
CODES = {Style.TITLE: "1", Style.HEADING: "1;36", Style.QUIET: "2", Style.GOOD: "32", Style.BAD: "31"}

ROUNDS = 31
"""Rounds before the one in the picture, so that its roads have something to show."""
SEED = "9"
GAME = (*("tie 10 deal",) * ROUNDS, "banker 100 tie 10", "deal", "max")
"""What is typed in the picture of a game."""
SHEET_COLUMNS = 130
"""Room for every table in one piece."""
MOVE = re.compile(r"\x1b\[(\d+)A\x1b\[J")
"""What the game writes to draw its cards over the last drawing."""


def game_lines() -> list[str]:
    """A round at an insurance table, as `punto play` shows it in a wide terminal."""
    script = "import sys; from punto.cli.main import main; sys.argv[0] = 'punto'; main()"
    done = subprocess.run(
        [sys.executable, "-c", script, "play", "insurance", "--seed", SEED, "--box", "1", "--pace", "0"],
        input="\n".join(GAME) + "\n",
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join(sys.path),
            "PYTHONIOENCODING": "utf-8",
            "FORCE_COLOR": "1",
            "TERM": "xterm",
            "COLUMNS": "120",
            "LINES": "24",
        },
    )
    lines = left_standing(done.stdout)
    first = next(number for number, line in enumerate(lines) if f"Round {ROUNDS + 1} " in line)
    last = next(number for number, line in enumerate(lines) if f"Round {ROUNDS + 2} " in line)
    return lines[first : last - 1]


def left_standing(written: str) -> list[str]:
    """The lines that a terminal shows in the end: a drawing that was drawn over is gone."""
    lines: list[str] = []
    for line in written.split("\n"):
        moved = MOVE.match(line)
        if moved is not None:
            del lines[-int(moved[1]) :]
        lines.append(line[moved.end() :] if moved else line)
    return lines


def sheet_lines() -> list[str]:
    """The beginning of the PAR sheet of EZ Baccarat."""
    from punto.books import load
    from punto.cli.odds_commands import table_limits
    from punto.reports.par_sheet import par_sheet
    from punto.reports.par_sheet_sections import bets_section, pay_tables_section

    book = load("ez")
    sheet = par_sheet(book, 8, 0, 1, limits=table_limits(book))
    pays = pay_tables_section(sheet)
    sections = (bets_section(sheet), Section(pays.heading, pays.blocks[:3]))
    page = Page("PAR sheet", sections, f"{sheet.book.title}, 8 decks")
    lines = page_lines(
        page, SHEET_COLUMNS, lambda text, style: f"\x1b[{CODES[style]}m{text}\x1b[0m" if style in CODES else text
    )
    return [line for line in lines if "[figure]" not in line]


def _inked(text: str, style: Style) -> str:
    return f"\x1b[{CODES[style]}m{text}\x1b[0m" if style in CODES else text


def drawn(lines: list[str], title: str) -> str:
    """Lines of a terminal as a picture."""
    texts = [Text.from_ansi(line) for line in lines]
    columns = max(width(text.plain) for text in texts)
    across, down = round(2 * MARGIN + columns * COLUMN), 2 * MARGIN + len(lines) * LINE
    rows = "\n".join(row for number, text in enumerate(texts) for row in _row(text, MARGIN + 13 + number * LINE))
    size = f'viewBox="0 0 {across} {down}" width="{across}" height="{down}"'
    return f"""<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">
<title>{escape(title)}</title>
<rect width="{across}" height="{down}" rx="8" fill="{GROUND}"/>
<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="{INK}">
{rows}
</g>
</svg>
"""


def _row(text: Text, y: int) -> list[str]:
    """The words of a line, each where its column is, so that every font keeps the columns."""
    found, plain = [], text.plain
    start = 0
    while start < len(plain):
        if plain[start] == " ":
            start += 1
            continue
        end = start
        paint = _paint(text, start)
        while end < len(plain) and plain[end : end + 2] != "  " and _paint(text, end) == paint:
            end += 1
        word = plain[start:end].rstrip()
        x, length = MARGIN + width(plain[:start]) * COLUMN, width(word) * COLUMN
        where = f'x="{x:.1f}" y="{y}" textLength="{length:.1f}"'
        found.append(f'<text {where} xml:space="preserve"{paint}>{escape(word)}</text>')
        start = end
    return found


def _paint(text: Text, at: int) -> str:
    """The colour and the weight of a character."""
    paint = ""
    for span in text.spans:
        style = span.style
        if not span.start <= at < span.end or isinstance(style, str):
            continue
        if style.color is not None and style.color.number in COLOURS:
            paint += f' fill="{COLOURS[style.color.number]}"'
        if style.bold:
            paint += ' font-weight="bold"'
        if style.dim:
            paint += ' opacity="0.6"'
    return paint


def pictures() -> dict[Path, str]:
    """Every picture by its file."""
    return {
        FOLDER / "game.svg": drawn(game_lines(), "A round of Baccarat with Insurance in the terminal"),
        FOLDER / "par-sheet.svg": drawn(sheet_lines(), "The PAR sheet of EZ Baccarat"),
    }


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for path, picture in pictures().items():
        path.write_text(picture, encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
