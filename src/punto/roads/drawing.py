"""The roads as a picture for a page or a printed sheet: SVG, in which every mark has a shape of its own.

Colour is never alone: Banker, Player and Tie carry their letters, red marks of the derived roads are hollow
or rise, and blue ones are filled or fall. The picture has a title and a description for screen readers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from punto.roads.roads import RED, ROWS, Bead, Mark, Roads, RoundWinner, place_shades

SIZE = 24  # Width and height of a cell of the bead plate and the big road.
SMALL_SIZE = 12
GAP = 28
MARGIN = 16
LEAST_COLUMNS = 12  # Columns that a road has at least, so that a short shoe is not a stamp.

_PAPER, _LINES, _INK = "#FBF8F0", "#D9D2C0", "#333"
_COLOURS = {RoundWinner.BANKER: "#C4232B", RoundWinner.PLAYER: "#1D5FC2", RoundWinner.TIE: "#13794E"}
_LETTERS = {RoundWinner.BANKER: "B", RoundWinner.PLAYER: "P", RoundWinner.TIE: "T"}
_RED, _BLUE = _COLOURS[RoundWinner.BANKER], _COLOURS[RoundWinner.PLAYER]


def draw_svg(roads: Roads) -> str:
    """The five roads of a shoe, one under the other, the three derived ones side by side."""
    bead_columns = _columns((bead.column for bead in roads.bead), LEAST_COLUMNS)
    big_columns = _columns((mark.column for mark in roads.big), LEAST_COLUMNS)
    derived = [
        ("Big eye boy", place_shades(roads.big_eye), "ring"),
        ("Small road", place_shades(roads.small), "disc"),
        ("Cockroach", place_shades(roads.cockroach), "stroke"),
    ]
    widths = [_columns((cell[0] for cell, _ in marks), LEAST_COLUMNS) for _, marks, _ in derived]
    each = [columns * SMALL_SIZE for columns in widths]
    width = 2 * MARGIN + max(bead_columns * SIZE, big_columns * SIZE, sum(each) + 2 * GAP)
    top = MARGIN + 14
    parts = [*_grid("Bead plate", MARGIN, top, bead_columns, SIZE)]
    parts += [_bead(MARGIN + bead.column * SIZE, top + bead.row * SIZE, bead) for bead in roads.bead]
    top += ROWS * SIZE + GAP
    parts += _grid("Big road", MARGIN, top, big_columns, SIZE)
    parts += [_mark(MARGIN + mark.column * SIZE, top + mark.row * SIZE, mark) for mark in roads.big]
    top += ROWS * SIZE + GAP
    left = MARGIN
    for (title, marks, shape), columns in zip(derived, widths, strict=True):
        parts += _grid(title, left, top, columns, SMALL_SIZE)
        parts += [_shade(left + x * SMALL_SIZE, top + y * SMALL_SIZE, shade, shape) for (x, y), shade in marks]
        left += columns * SMALL_SIZE + GAP
    height = top + ROWS * SMALL_SIZE + MARGIN
    winners = [bead.result for bead in roads.bead]
    counts = ", ".join(f"{winner.value.title()} {winners.count(winner)}" for winner in RoundWinner)
    lines = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" font-family="sans-serif">',
        f"<title>The roads of {len(roads.bead)} rounds</title>",
        f"<desc>{counts}.</desc>",
        f'<rect width="{width}" height="{height}" fill="{_PAPER}"/>',
        *parts,
        "</svg>\n",
    )
    return "\n".join(lines)


def _columns(taken: Iterable[int], least: int) -> int:
    return max(max(taken, default=-1) + 1, least)


def _grid(title: str, left: int, top: int, columns: int, size: int) -> Iterator[str]:
    width, height = columns * size, ROWS * size
    yield f'<text x="{left}" y="{top - 6}" font-size="12" fill="{_INK}">{title}</text>'
    across = " ".join(f"M{left} {top + row * size}h{width}" for row in range(ROWS + 1))
    down = " ".join(f"M{left + column * size} {top}v{height}" for column in range(columns + 1))
    yield f'<path d="{across} {down}" stroke="{_LINES}" fill="none"/>'


def _bead(x: int, y: int, bead: Bead) -> str:
    disc = _circle(x + SIZE // 2, y + SIZE // 2, 10, f'fill="{_COLOURS[bead.result]}"')
    return disc + _letter(x, y, bead.result, 12, "#fff") + _dots(x, y, bead)


def _mark(x: int, y: int, mark: Mark) -> str:
    colour, green, ties = _COLOURS[mark.winner], _COLOURS[RoundWinner.TIE], mark.ties
    ring = _circle(x + SIZE // 2, y + SIZE // 2, 9, f'fill="none" stroke="{colour}" stroke-width="3"')
    letter = _letter(x, y, mark.winner, 10, colour)
    slash = f'<path d="M{x + 4} {y + 20}L{x + 20} {y + 4}" stroke="{green}" stroke-width="2"/>' if ties else ""
    count = f'<text x="{x + 17}" y="{y + 23}" font-size="9" fill="{green}">{ties}</text>' if ties > 1 else ""
    return ring + letter + slash + count + _dots(x, y, mark)


def _letter(x: int, y: int, winner: RoundWinner, size: int, colour: str) -> str:
    place = f'x="{x + SIZE // 2}" y="{y + SIZE // 2 + 4}"'
    return f'<text {place} font-size="{size}" text-anchor="middle" fill="{colour}">{_LETTERS[winner]}</text>'


def _dots(x: int, y: int, mark: Bead | Mark) -> str:
    """A Banker pair at the top left, a Player pair at the bottom right."""
    banker = _circle(x + 5, y + 5, 3.5, f'fill="{_RED}" stroke="#fff"') if mark.banker_pair else ""
    return banker + (_circle(x + 19, y + 19, 3.5, f'fill="{_BLUE}" stroke="#fff"') if mark.player_pair else "")


def _circle(x: int, y: int, radius: float, paint: str) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{radius}" {paint}/>'


def _shade(x: int, y: int, shade: str, shape: str) -> str:
    is_red = shade == RED
    colour, centre = _RED if is_red else _BLUE, SMALL_SIZE // 2
    if shape == "stroke":
        line = f"M{x + 2} {y + 10}L{x + 10} {y + 2}" if is_red else f"M{x + 2} {y + 2}L{x + 10} {y + 10}"
        return f'<path d="{line}" stroke="{colour}" stroke-width="2"/>'
    if shape == "disc" and not is_red:
        return f'<path d="M{x + centre} {y + 1}l5 5l-5 5l-5 -5z" fill="{colour}"/>'
    if shape == "disc":
        return _circle(x + centre, y + centre, 4, f'fill="{colour}"')
    ring = _circle(x + centre, y + centre, 4, f'fill="none" stroke="{colour}" stroke-width="1.5"')
    return ring if is_red else ring + _circle(x + centre, y + centre, 1.5, f'fill="{colour}"')
