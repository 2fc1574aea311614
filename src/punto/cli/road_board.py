"""The roads drawn for a terminal, as the board beside a table shows them.

Every mark has a shape or a letter of its own, so the board reads the same without colour. It keeps to the
width and the height it is given: a road that is too long shows its latest columns, and a board that is too
low leaves out what matters least. `punto roads` and `punto play` both draw with `draw_roads`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Group
from rich.text import Text

from punto.cli.output import can_show
from punto.documents.text import wrap
from punto.roads.roads import RED, ROWS, Answer, Bead, Cell, Mark, Roads, RoundWinner, place_shades

MIN_WIDTH = 20
MIN_HEIGHT = ROWS + 1  # Room for the big road alone, with its name.

_GAP = 2
_BEAD_WIDTH = 4
_MARK_WIDTH = 3
_ASK_WIDTH = 60

_STYLES = {RoundWinner.BANKER: "bold red", RoundWinner.PLAYER: "bold blue", RoundWinner.TIE: "green"}
LETTERS = {RoundWinner.BANKER: "B", RoundWinner.PLAYER: "P", RoundWinner.TIE: "T"}
_PAIRS = {(False, False): "", (True, False): "'", (False, True): ",", (True, True): ":"}
"""By Banker pair and Player pair: a dot above, a dot below, or both, as at the corners of a mark."""


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The shapes of the derived roads, red before blue, and of a cell with nothing in it."""

    big_eye: str
    small: str
    cockroach: str
    empty: str
    none: str


SHAPES = Glyphs(big_eye="○◎", small="●◆", cockroach="/\\", empty="·", none="–")
ASCII_SHAPES = Glyphs(big_eye="oe", small="@#", cockroach="/\\", empty=".", none="-")


def has_shapes(encoding: str) -> bool:
    """Whether a terminal of this encoding can show the shapes; otherwise draw with `ascii_only`."""
    return can_show(SHAPES.big_eye + SHAPES.small + SHAPES.empty + SHAPES.none, encoding)


def draw_roads(roads: Roads, width: int = 80, height: int | None = None, *, ascii_only: bool = False) -> Group:
    """The board of a shoe, in at most this many columns and, if given, lines.

    A low board keeps the big road first, then the derived roads, the bead plate, ask, the count and the key.
    """
    if not roads.bead:
        return Group(Text("No rounds yet: the first result starts the roads.", style="italic"))
    width = max(width, MIN_WIDTH)
    glyphs = ASCII_SHAPES if ascii_only else SHAPES
    bead_plate = [((bead.column, bead.row), _bead(bead)) for bead in roads.bead]
    big_road = [((mark.column, mark.row), _mark(mark)) for mark in roads.big]
    waiting = roads.big_road.waiting_ties
    title = f"Big road, ties waiting for the first win: {waiting}" if waiting else "Big road"
    by_weight = {
        "big": _grid(title, big_road, _MARK_WIDTH, width, glyphs),
        "derived": _derived_roads(roads, width, glyphs),
        "bead": _grid("Bead plate", bead_plate, _BEAD_WIDTH, width, glyphs),
        "ask": _ask(roads, width, glyphs),
        "count": _count(roads, width),
        "key": _key(glyphs, width),
    }
    room = sum(len(lines) + 1 for lines in by_weight.values()) if height is None else max(height, MIN_HEIGHT)
    parts: dict[str, list[Text]] = {}
    for name, lines in by_weight.items():
        # Without a limit a blank line sets each part apart; within one, every line is needed.
        part = [*lines, Text()] if height is None else lines
        if len(part) <= room:
            parts[name] = part
            room -= len(part)
    board = [line for name in ("count", "bead", "big", "derived", "ask", "key") for line in parts.get(name, [])]
    for line in board:
        line.truncate(width)
        line.rstrip()
        line.no_wrap = True
    return Group(*board)


def _bead(bead: Bead) -> Text:
    """The result as it is written: `Bbp`."""
    pairs = "b" * bead.banker_pair + "p" * bead.player_pair
    return Text(LETTERS[bead.result] + pairs, _STYLES[bead.result])


def _mark(mark: Mark) -> Text:
    """The winner, the number of ties counted on the mark, and its pair dots: `B2'`."""
    ties = "" if not mark.ties else str(mark.ties) if mark.ties < 10 else "+"
    text = Text(LETTERS[mark.winner], _STYLES[mark.winner])
    text.append(ties, _STYLES[RoundWinner.TIE])
    return text.append(_PAIRS[mark.banker_pair, mark.player_pair], _STYLES[mark.winner])


def _derived_roads(roads: Roads, width: int, glyphs: Glyphs) -> list[Text]:
    """The three side by side, each a third of the width."""
    third = (width - 2 * _GAP) // 3
    parts = []
    for title, shades, shapes in (
        ("Big eye boy", roads.big_eye, glyphs.big_eye),
        ("Small road", roads.small, glyphs.small),
        ("Cockroach", roads.cockroach, glyphs.cockroach),
    ):
        cells = [(cell, _shade(shade, shapes, glyphs)) for cell, shade in place_shades(shades)]
        parts.append(_grid(title, cells, 1, third, glyphs))
    lines = []
    for row in zip(*parts, strict=True):
        line = Text()
        for text in row:
            text.truncate(third, pad=True)
            line.append_text(text).append(" " * _GAP)
        lines.append(line)
    return lines


def _shade(shade: str | None, shapes: str, glyphs: Glyphs) -> Text:
    """One mark of a derived road, or the sign for none."""
    if shade is None:
        return Text(glyphs.none, "dim")
    return Text(shapes[0], "red") if shade == RED else Text(shapes[1], "blue")


def _ask(roads: Roads, width: int, glyphs: Glyphs) -> list[Text]:
    """What each derived road would show next, a line for each side; a narrow one leaves out their names."""

    def line(winner: RoundWinner, answer: Answer) -> Text:
        text = Text("If ").append(winner.value.title(), _STYLES[winner]).append(" wins next:")
        for title, shade, shapes in (
            ("big eye boy", answer.big_eye, glyphs.big_eye),
            ("small", answer.small, glyphs.small),
            ("cockroach", answer.cockroach, glyphs.cockroach),
        ):
            text.append(f"  {title} " if width >= _ASK_WIDTH else " ").append_text(_shade(shade, shapes, glyphs))
        return text

    return [line(RoundWinner.BANKER, roads.ask.banker), line(RoundWinner.PLAYER, roads.ask.player)]


def _count(roads: Roads, width: int) -> list[Text]:
    wins = [bead.result for bead in roads.bead]
    rounds = f"{len(wins)} rounds" if len(wins) > 1 else "1 round"
    winners = (RoundWinner.BANKER, RoundWinner.PLAYER, RoundWinner.TIE)
    counts = ", ".join(f"{winner.value.title()} {wins.count(winner)}" for winner in winners)
    banker, player = sum(bead.banker_pair for bead in roads.bead), sum(bead.player_pair for bead in roads.bead)
    text = f"{rounds}: {counts}; Banker pair {banker}, Player pair {player}"
    return [Text(line) for line in wrap(text, width)]


def _key(glyphs: Glyphs, width: int) -> list[Text]:
    """What the marks mean; red and blue on the derived roads are not Banker and Player."""
    red, blue = zip(glyphs.big_eye, glyphs.small, glyphs.cockroach, strict=True)
    parts = (
        "B' Banker pair   B, Player pair   B: both   B2 two ties",
        f"{' '.join(red)} red, it repeats   {' '.join(blue)} blue, it changes",
    )
    return [Text(line, "dim") for part in parts for line in wrap(part, width)]


def _grid(title: str, cells: Sequence[tuple[Cell, Text]], each: int, width: int, glyphs: Glyphs) -> list[Text]:
    """A title and six rows of cells `each` characters wide: the latest columns that the width holds.

    The last mark is always among them, even where it stands far to the left under an older tail.
    """
    room = width // each
    columns = max((column for (column, _), _ in cells), default=-1) + 1
    last = cells[-1][0][0] if cells else 0
    first = max(0, min(columns - room, last))
    grid = dict(cells)
    head, begins = Text(title, "bold"), f", from {first + 1}"
    if first and len(title) + len(begins) <= width:
        head.append(begins, "not bold")
    lines = [head]
    for row in range(ROWS):
        line = Text()
        for column in range(first, first + room):
            cell = grid.get((column, row), Text(glyphs.empty, "dim")).copy()
            cell.truncate(each, pad=True)
            line.append_text(cell)
        lines.append(line)
    return lines
