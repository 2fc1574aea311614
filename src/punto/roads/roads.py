"""The roads of a shoe, as one value that grows by a result at a time: the results they are made of, how a
road winds through its cells, the bead plate, the big road and the patterns in it that players have names for, the
three derived roads, ask, their `--json` form, and the roads drawn for a page, a printed sheet or a notebook.

Colour is never alone in a drawing: Banker, Player and Tie carry their letters, red marks of the derived roads are
hollow or rise, and blue ones are filled or fall. It has a title and a description for screen readers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from itertools import accumulate

import msgspec


class RoundWinner(Enum):
    """Which hand won, if one did."""

    BANKER = "banker"
    PLAYER = "player"
    TIE = "tie"


class RoundResult(msgspec.Struct, frozen=True, gc=False):
    """A round as the roads see it."""

    winner: RoundWinner
    banker_pair: bool = False
    player_pair: bool = False

    def __str__(self) -> str:
        return _LETTERS[self.winner] + "b" * self.banker_pair + "p" * self.player_pair


class ResultsError(ValueError):
    """A text that is not a row of results; the sentence names the place."""


_LETTERS = {RoundWinner.BANKER: "B", RoundWinner.PLAYER: "P", RoundWinner.TIE: "T"}

# There are only twelve results. Each is made once, so reading a shoe makes no new ones.
_RESULTS = {
    letter + pairs: RoundResult(winner, "b" in pairs, "p" in pairs)
    for winner, letter in _LETTERS.items()
    for pairs in ("", "b", "p", "bp", "pb")
}


def parse_results(text: str) -> tuple[RoundResult, ...]:
    """Read results such as `BbPTp`; both pairs may stand in either order."""
    results: list[RoundResult] = []
    written = ""
    for index, character in enumerate(text):
        longer = written + character
        if longer in _RESULTS:
            written = longer
        elif character in _RESULTS:
            results.append(_RESULTS[written])
            written = character
        else:
            raise ResultsError(_sentence(index, character, written))
    if written:
        results.append(_RESULTS[written])
    return tuple(results)


def format_results(results: Iterable[RoundResult]) -> str:
    """Write results so that `parse_results` reads them back."""
    return "".join(map(str, results))


def _sentence(index: int, character: str, written: str) -> str:
    """What is wrong at this place, with what could stand there instead."""
    place = f"character {index + 1} of the results, {character!r},"
    if character not in "bp":
        return f"{place} is not one of B, P and T for the winner or b and p for a pair"
    if not written:
        return f"{place} marks a pair before any winner: a result starts with B, P or T"
    return f"{place} marks the same pair twice in one result"


ROWS = 6

Cell = tuple[int, int]  # Column and row, both from 0 at the top left.


class Path(msgspec.Struct, frozen=True, gc=False):
    """Where a road has come to: down six rows, then right along the last free one, the dragon tail.

    The big road and the three derived roads are all drawn this way. A streak starts at the top of the first free
    column right of where the previous streak started, even where a tail runs through that column. It goes down until
    the sixth row or a taken cell stops it; then it turns right and stays in its row.

    Nothing needs to remember every cell. A row is only ever filled from left to right, and a tail leaves no gaps, so
    a cell right of where the last streak started is taken exactly if its row already reaches that far. Six numbers
    say it all, and a road of any length goes on in the same time.
    """

    start: int = -1  # Column in which the last streak started.
    column: int = -1
    row: int = 0
    reach: tuple[int, ...] = (-1,) * ROWS  # The rightmost taken column of each row; -1 where there is none.


def walk(path: Path, starts: Iterable[bool]) -> tuple[list[Cell], Path]:
    """The cells of further marks, each said to start a streak or to go on with one, and where they lead."""
    start, column, row, reach = path.start, path.column, path.row, list(path.reach)
    cells: list[Cell] = []
    for is_start in starts:
        start, column, row = _next_cell(start, column, row, reach, is_start=is_start)
        reach[row] = column
        cells.append((column, row))
    return cells, Path(start, column, row, tuple(reach))


def _next_cell(start: int, column: int, row: int, reach: Sequence[int], *, is_start: bool) -> tuple[int, int, int]:
    """Where the last streak started and where the next mark stands, from what a `Path` says."""
    if is_start:
        # The top row reaches to where the last streak started, or further if a tail runs along it.
        return reach[0] + 1, reach[0] + 1, 0
    if column == start and row < ROWS - 1 and reach[row + 1] < column:
        return start, column, row + 1
    return start, column + 1, row


class Bead(msgspec.Struct, frozen=True, gc=False):
    """One round on the bead plate; columns and rows count from 0."""

    column: int
    row: int
    result: RoundWinner
    banker_pair: bool
    player_pair: bool


Place = tuple[int, int]
"""A mark by its logical column and its row in it, both from 1, as the rules of the derived roads count."""


class Mark(msgspec.Struct, frozen=True, gc=False):
    """One win on the big road; columns and rows count from 0."""

    column: int
    row: int
    winner: RoundWinner
    ties: int
    banker_pair: bool
    player_pair: bool


class BigRoad(msgspec.Struct, frozen=True, gc=False):
    """One mark for every win, a new column whenever the winner changes; and what is needed to go on from them.

    A tie makes no mark of its own. It is counted on the mark of the last win, and ties before the first win wait for
    that mark. The pair dots of a mark are those of the round that made it: a pair that comes with a tie is seen on
    the bead plate only, because a dot for it here would say that the winning round held the pair.

    The derived roads do not look at cells but at logical columns, the streaks as they would stand on a plate of
    endless depth, without tails. They are kept as lengths beside the marks.
    """

    marks: tuple[Mark, ...] = ()
    lengths: tuple[int, ...] = ()  # Length of each logical column.
    path: Path = Path()
    waiting_ties: int = 0  # Ties before the first win, as long as there is none.

    @property
    def last_winner(self) -> RoundWinner | None:
        return self.marks[-1].winner if self.marks else None


class PatternKind(Enum):
    """What players call a stretch of the big road, by the lengths of its logical columns."""

    DRAGON = "dragon"  # 长龙: one column of six or more.
    SINGLE_JUMP = "single-jump"  # 单跳: four or more columns of one.
    DOUBLE_JUMP = "double-jump"  # 双跳: three or more columns of two.
    ONE_TWO = "one-two"  # 一厅两房: four or more columns, in turn of one and of two.
    SIDE_BY_SIDE = "side-by-side"  # 排排连: four or more columns of at least two, not all of them of two.


class Pattern(msgspec.Struct, frozen=True, gc=False):
    """A stretch of the big road that has a name. It says what was; it says nothing about what comes."""

    kind: PatternKind
    first: int  # Its first and its last mark, as they are counted in the big road, from 0.
    last: int


def _is_any(_before: int, _length: int) -> bool:
    return True


_RULES: dict[PatternKind, tuple[int, Callable[[int], bool], Callable[[int, int], bool]]] = {
    PatternKind.DRAGON: (1, lambda length: length >= 6, lambda _before, _length: False),
    PatternKind.SINGLE_JUMP: (4, lambda length: length == 1, _is_any),
    PatternKind.DOUBLE_JUMP: (3, lambda length: length == 2, _is_any),
    PatternKind.ONE_TWO: (4, lambda length: length <= 2, lambda before, length: before != length),
    PatternKind.SIDE_BY_SIDE: (4, lambda length: length >= 2, _is_any),
}
"""How many columns make a pattern, which columns can be in it, and which can follow which."""


def find_patterns(lengths: Sequence[int]) -> tuple[Pattern, ...]:
    """The patterns of a big road with these logical columns, each as long as it goes, the one that ends first first."""
    ends = [*accumulate(lengths, initial=0)]
    found = [
        Pattern(kind, ends[first], ends[last] - 1)
        for kind, (least, fits, follows) in _RULES.items()
        for first, last in _runs(lengths, fits, follows)
        if last - first >= least and (kind is not PatternKind.SIDE_BY_SIDE or set(lengths[first:last]) != {2})
    ]
    return tuple(sorted(found, key=lambda pattern: (pattern.last, pattern.first, pattern.kind.value)))


def _runs(
    lengths: Sequence[int], fits: Callable[[int], bool], follows: Callable[[int, int], bool]
) -> Iterator[tuple[int, int]]:
    """The longest stretches of columns that fit and follow each other: the first column, and the one after the last."""
    first = 0
    for at, length in enumerate(lengths):
        if first < at and not (fits(length) and follows(lengths[at - 1], length)):
            yield first, at
            first = at
        if not fits(length):
            first = at + 1
    if first < len(lengths):
        yield first, len(lengths)


# The three derived roads: does the big road repeat itself? Big eye boy compares a column of the big road with the one
# before it, the small road with the second before, the cockroach with the third before. Red means that the pattern
# repeats, blue that it changes; neither has anything to do with Banker and Player. All three look at the logical
# columns of the big road, before any bending. With k for how far a road looks back, a mark of the big road at row m
# of column n, both counted from 1, gives
#
# - at row 2 or below: blue if column n-k has exactly m-1 entries, that is if it ended just above, else red;
# - at row 1: red if columns n-1 and n-1-k are of equal length, else blue;
# - nothing, as long as there is no such column to look back to.
#
# A mark is settled once made: every column it looks at has ended. So the lengths of the columns are all that is
# needed, and what has been drawn never changes.
RED = "R"
BLUE = "B"
BIG_EYE, SMALL_ROAD, COCKROACH = 1, 2, 3  # How many columns back each road looks: its k.


def shades_at(lengths: Sequence[int], n: int, m: int) -> tuple[str, str, str]:
    """What big eye boy, small road and cockroach show for the mark at row m of column n: `R`, `B`, or nothing.

    `lengths` are those of the big road's logical columns, at least up to the column before this one.
    """
    if m > 1:
        above = m - 1
        return (
            "" if n <= BIG_EYE else BLUE if lengths[n - 1 - BIG_EYE] == above else RED,
            "" if n <= SMALL_ROAD else BLUE if lengths[n - 1 - SMALL_ROAD] == above else RED,
            "" if n <= COCKROACH else BLUE if lengths[n - 1 - COCKROACH] == above else RED,
        )
    if n <= BIG_EYE + 1:
        return "", "", ""
    ended = lengths[n - 2]
    return (
        RED if ended == lengths[n - 2 - BIG_EYE] else BLUE,
        "" if n <= SMALL_ROAD + 1 else RED if ended == lengths[n - 2 - SMALL_ROAD] else BLUE,
        "" if n <= COCKROACH + 1 else RED if ended == lengths[n - 2 - COCKROACH] else BLUE,
    )


def place_shades(shades: str) -> list[tuple[Cell, str]]:
    """Every mark of a derived road with its cell: a streak is a run of one colour."""
    starts = [number == 0 or shades[number - 1] != shade for number, shade in enumerate(shades)]
    cells, _ = walk(Path(), starts)
    return list(zip(cells, shades, strict=True))


class Answer(msgspec.Struct, frozen=True, gc=False):
    """The next mark of each derived road, `R` or `B`; None where there would be none."""

    big_eye: str | None
    small: str | None
    cockroach: str | None


class Ask(msgspec.Struct, frozen=True):
    """What each derived road would show next if Banker won the next round, and if Player did: the real rule, applied
    to a mark that is not there yet, so that it can never disagree with what is then drawn.
    """

    banker: Answer
    player: Answer


def _answer(road: BigRoad, winner: RoundWinner) -> Answer:
    big_eye, small, cockroach = shades_at(road.lengths, *_next_place(road, winner))
    return Answer(big_eye or None, small or None, cockroach or None)


def _next_place(road: BigRoad, winner: RoundWinner) -> Place:
    """Where the next mark stands if this hand wins."""
    columns = len(road.lengths)
    return (columns, road.lengths[-1] + 1) if winner is road.last_winner else (columns + 1, 1)


class Roads(msgspec.Struct, frozen=True, gc=False):
    """Bead plate, big road and the three derived roads of one shoe. The results can be read back from the bead plate.

    `Roads().extend(results)` draws a shoe from scratch and `roads.append(result)` adds a round; tests hold the two
    together. A display that follows a table appends; nothing is drawn again.
    """

    bead: tuple[Bead, ...] = ()
    big_road: BigRoad = BigRoad()
    big_eye: str = ""  # `R` for red and `B` for blue, as are `small` and `cockroach`.
    small: str = ""
    cockroach: str = ""

    def __str__(self) -> str:
        return format_results(self.results)

    def __repr__(self) -> str:
        return f"Roads.parse({str(self)!r})"

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x:auto">{draw_svg(self)}</div>'

    @classmethod
    def parse(cls, text: str) -> Roads:
        """The roads of results such as `BbPTp`; `ResultsError` names the place of anything else."""
        return cls().extend(parse_results(text))

    @property
    def results(self) -> tuple[RoundResult, ...]:
        return tuple(RoundResult(bead.result, bead.banker_pair, bead.player_pair) for bead in self.bead)

    @property
    def big(self) -> tuple[Mark, ...]:
        return self.big_road.marks

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        return find_patterns(self.big_road.lengths)

    @property
    def ask(self) -> Ask:
        return Ask(_answer(self.big_road, RoundWinner.BANKER), _answer(self.big_road, RoundWinner.PLAYER))

    def append(self, result: RoundResult) -> Roads:
        return _append(self, result)

    def extend(self, results: tuple[RoundResult, ...]) -> Roads:
        return _extend(self, results)


def _append(roads: Roads, result: RoundResult) -> Roads:
    """The roads with one more result. Tuples are added to each other: to unpack them would make a list of each first,
    which takes twice as long."""
    number, won, road = len(roads.bead), result.winner, roads.big_road
    new_bead = (Bead(number // ROWS, number % ROWS, won, result.banker_pair, result.player_pair),)
    bead = roads.bead + new_bead
    big_eye, small, cockroach = roads.big_eye, roads.small, roads.cockroach
    if won is RoundWinner.TIE:
        return Roads(bead, _with_tie(road), big_eye, small, cockroach)
    lengths = road.lengths
    n, m = _next_place(road, won)
    shades = shades_at(lengths, n, m)
    column_now = (m,)
    lengths = (lengths[:-1] if m > 1 else lengths) + column_now
    path = road.path
    start, column, row = _next_cell(path.start, path.column, path.row, path.reach, is_start=m == 1)
    path = Path(start, column, row, (*path.reach[:row], column, *path.reach[row + 1 :]))
    new_mark = (Mark(column, row, won, road.waiting_ties, result.banker_pair, result.player_pair),)
    big_road = BigRoad(road.marks + new_mark, lengths, path)
    return Roads(bead, big_road, big_eye + shades[0], small + shades[1], cockroach + shades[2])


def _with_tie(road: BigRoad) -> BigRoad:
    if not road.marks:
        return BigRoad(waiting_ties=road.waiting_ties + 1)
    last = road.marks[-1]
    tied = (Mark(last.column, last.row, last.winner, last.ties + 1, last.banker_pair, last.player_pair),)
    return BigRoad(road.marks[:-1] + tied, road.lengths, road.path)


def _extend(roads: Roads, results: tuple[RoundResult, ...]) -> Roads:
    """The roads with these results added: each result is looked at once, and all five roads grow by it.

    The steps of `_next_cell` and `shades_at` are written out, because calling them for every mark would take twice as
    long; tests hold the two together. A mark is made when the next win comes: till then ties are counted on it.
    """
    road, beads, marks, tie = roads.big_road, list[Bead](), list[Mark](), RoundWinner.TIE
    lengths, columns = list(road.lengths), len(road.lengths)
    before, winner, ties, banker_pair, player_pair = road.marks, None, road.waiting_ties, False, False
    if before:
        last = before[-1]
        before, winner, ties = before[:-1], last.winner, last.ties
        banker_pair, player_pair = last.banker_pair, last.player_pair
    start, column, row, reach = road.path.start, road.path.column, road.path.row, list(road.path.reach)
    big_eye, small, cockroach = roads.big_eye, roads.small, roads.cockroach
    for number, result in enumerate(results, len(roads.bead)):
        won = result.winner
        beads.append(Bead(number // ROWS, number % ROWS, won, result.banker_pair, result.player_pair))
        if won is tie:
            ties += 1
            continue
        if winner is not None:
            marks.append(Mark(column, row, winner, ties, banker_pair, player_pair))
            ties = 0
        banker_pair, player_pair = result.banker_pair, result.player_pair
        if won is winner:
            above = lengths[-1]
            lengths[-1] = above + 1
            if columns > BIG_EYE:
                big_eye += BLUE if lengths[-1 - BIG_EYE] == above else RED
                if columns > SMALL_ROAD:
                    small += BLUE if lengths[-1 - SMALL_ROAD] == above else RED
                    if columns > COCKROACH:
                        cockroach += BLUE if lengths[-1 - COCKROACH] == above else RED
            if column == start and row < ROWS - 1 and reach[row + 1] < column:
                row += 1
            else:
                column += 1
        else:
            winner = won
            if columns > BIG_EYE:
                ended = lengths[-1]
                big_eye += RED if ended == lengths[-1 - BIG_EYE] else BLUE
                if columns > SMALL_ROAD:
                    small += RED if ended == lengths[-1 - SMALL_ROAD] else BLUE
                    if columns > COCKROACH:
                        cockroach += RED if ended == lengths[-1 - COCKROACH] else BLUE
            lengths.append(1)
            columns += 1
            start = column = reach[0] + 1
            row = 0
        reach[row] = column
    if winner is not None:
        marks.append(Mark(column, row, winner, ties, banker_pair, player_pair))
        ties = 0
    path = Path(start, column, row, tuple(reach))
    big_road = BigRoad((*before, *marks), tuple(lengths), path, ties)
    return Roads((*roads.bead, *beads), big_road, big_eye, small, cockroach)


class Picture(msgspec.Struct, frozen=True):
    """The roads as the `--json` form shows them: every mark with its cell, and the answers to ask.

    What `Roads` keeps only to go on (column lengths, the path) is left out, so that it may change without anyone
    noticing.
    """

    bead: tuple[Bead, ...]
    big: tuple[Mark, ...]
    big_eye: str
    small: str
    cockroach: str
    ask: Ask


def picture(roads: Roads) -> Picture:
    return Picture(roads.bead, roads.big, roads.big_eye, roads.small, roads.cockroach, roads.ask)


# The roads as SVG, in which every mark has a shape of its own.

SIZE = 24  # Width and height of a cell of the bead plate and the big road.
SMALL_SIZE = 12
GAP = 28
MARGIN = 16
LEAST_COLUMNS = 12  # Columns that a road has at least, so that a short shoe is not a stamp.

_PAPER, _LINES, _INK = "#FBF8F0", "#D9D2C0", "#333"
_COLOURS = {RoundWinner.BANKER: "#C4232B", RoundWinner.PLAYER: "#1D5FC2", RoundWinner.TIE: "#13794E"}
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
