"""The charts of a report, as SVG, in the colours of the road paper; no chart says what no table says."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, NamedTuple, cast

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.colors import TwoSlopeNorm
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from punto.documents.text import clean, shorten

BANKER, PLAYER, TIE = "#C4232B", "#1D5FC2", "#13794E"
INK, QUIET, BRASS = "#22302B", "#7C8A83", "#B08D46"

_STYLE: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "svg.fonttype": "path",  # letters are drawn, so that a chart looks the same everywhere
    "svg.hashsalt": "punto",  # and is the same file every time
}


FEW_BARS = 12  # Bars up to which there is room between them.
COLUMNS = 3  # Small charts side by side.
MOST_LINES = 12  # Small charts in one figure: more would not fit a sheet of paper.

_NO_METADATA: dict[str, Any] = dict.fromkeys(("Creator", "Date", "Format", "Type"))
_OTHERS = (PLAYER, BANKER, TIE, QUIET)


class Slope(NamedTuple):
    """Straight lines over the same stretch, and the point where we are."""

    title: str
    x: tuple[float, float]
    lines: Mapping[str, tuple[float, float]]  # By name: the values at both ends.
    now: tuple[float, float]


class Canvas:
    """A figure with its charts row by row. Its SVG is made when it is asked for: a sheet for programs has none."""

    def __init__(self, width: float, height: float, number: int, columns: int) -> None:
        self.figure = Figure(figsize=(width, height), layout="constrained")
        charts = self.figure.subplots(-(-number // columns), columns, squeeze=False)
        self.axes: list[Axes] = list(charts.flat)
        for unused in self.axes[number:]:
            unused.set_visible(False)

    @cached_property
    def svg(self) -> str:
        text = io.StringIO()
        with mpl.rc_context(cast(Any, _STYLE)), warnings.catch_warnings():
            # A letter that the font lacks is drawn as a box, which needs no words on the terminal.
            warnings.filterwarnings("ignore", "Glyph .* missing from font", UserWarning)
            self.figure.savefig(text, format="svg", transparent=True, metadata=_NO_METADATA)
        svg = text.getvalue()
        return svg[svg.index("<svg") :]


@contextmanager
def drawn(width: float, height: float, number: int = 1, columns: int = 1) -> Iterator[Canvas]:
    """A canvas of this many charts to draw on."""
    with mpl.rc_context(cast(Any, _STYLE)):
        yield Canvas(width, height, number, columns)


def chart_label(name: str, columns: int = 30) -> str:
    """A name of a book as a chart shows it: its beginning where it is long, and never read as a formula."""
    return shorten(clean(name), columns).replace("$", r"\$")


def bars(names: Sequence[str], values: Sequence[float], label: str, errors: Sequence[float] = ()) -> Canvas:
    """Horizontal bars with their values, in the order given from the top."""
    each = 0.3 if len(names) <= FEW_BARS else 0.19
    with drawn(7, 0.6 + each * len(names)) as canvas:
        [axes] = canvas.axes
        colours = [PLAYER if value < 0 else BRASS for value in values]
        axes.barh(range(len(names)), values, color=colours, height=0.62, xerr=errors or None, ecolor=INK)
        axes.set_yticks(range(len(names)), map(chart_label, names), color=INK)
        axes.set_ylim(len(names) - 0.4, -0.6)
        axes.set_xlabel(label)
        axes.axvline(0, color=QUIET, linewidth=0.8)
        room = max(abs(value) for value in values) or 1.0
        for i, value in enumerate(values):
            side = -1 if value < 0 else 1
            end = value + side * ((errors[i] if errors else 0.0) + room * 0.012)
            beside = "right" if value < 0 else "left"
            axes.text(end, i, f"{value:.4g}", va="center", ha=beside, color=INK, fontsize=8)
        axes.margins(x=0.12)
    return canvas


def lines(x: Sequence[int], rows: Mapping[str, Sequence[float]], x_label: str, y_label: str) -> Canvas:
    """One small chart for each row, so that lines of very different height all show their shape."""
    assert len(rows) <= MOST_LINES, "a figure fits a sheet of paper"
    with drawn(7, 0.5 + 1.35 * -(-len(rows) // COLUMNS), len(rows), COLUMNS) as canvas:
        for i, (axes, (name, values)) in enumerate(zip(canvas.axes, rows.items(), strict=False)):
            axes.plot(x, values, color=BRASS, marker="o", markersize=3, linewidth=1.4)
            axes.set_title(chart_label(name), fontsize=8.5, loc="left", color=INK)
            axes.set_xticks(list(x))
            # The last chart of each column says what lies along it.
            axes.tick_params(labelsize=7, labelbottom=i + COLUMNS >= len(rows))
            axes.ticklabel_format(axis="y", useOffset=False)
            axes.margins(y=0.25)
        canvas.figure.supxlabel(x_label, fontsize=8.5)
        canvas.figure.supylabel(y_label, fontsize=8.5)
    return canvas


def slopes(panels: Sequence[Slope], x_label: str, y_label: str) -> Canvas:
    """One small chart for each panel: straight lines by name, the first in front, and where we are now."""
    with drawn(7, 0.8 + 1.35 * -(-len(panels) // COLUMNS), len(panels), COLUMNS) as canvas:
        for axes, panel in zip(canvas.axes, panels, strict=False):
            axes.axhline(0, color=QUIET, linewidth=0.8)
            for i, (name, ends) in reversed(list(enumerate(panel.lines.items()))):
                colour, width = (BRASS, 1.6) if i == 0 else (_OTHERS[(i - 1) % len(_OTHERS)], 0.9)
                axes.plot(panel.x, ends, color=colour, linewidth=width, label=chart_label(name, 20))
            axes.plot(*panel.now, "o", color=INK, markersize=3.5)
            axes.set_title(chart_label(panel.title, 44), fontsize=7.5, loc="left", color=INK)
            axes.tick_params(labelsize=7)
            axes.ticklabel_format(axis="y", useOffset=False)
            axes.locator_params(nbins=4)
        handles, names = canvas.axes[0].get_legend_handles_labels()
        place: Any = {"loc": "outside upper right", "ncols": 6, "fontsize": 7.5, "frameon": False}
        canvas.figure.legend(handles[::-1], names[::-1], **place)
        canvas.figure.supxlabel(x_label, fontsize=8.5)
        canvas.figure.supylabel(y_label, fontsize=8.5)
    return canvas


def heat_maps(maps: dict[str, dict[tuple[int, int], float]], x_label: str, y_label: str, *, signed: bool) -> Canvas:
    """Cells by (row, column) of points, each map under its title.

    Signed ones are house edges: red and framed where they favour the player.
    """
    values = [value for cells in maps.values() for value in cells.values()]
    greatest = max((abs(value) for value in values), default=1.0) or 1.0
    norm = TwoSlopeNorm(0, -greatest, greatest) if signed else None
    columns = min(2, len(maps))
    width, height = (7, 3.3 * -(-len(maps) // 2)) if columns == 2 else (4.6, 4.0)
    with drawn(width, height, len(maps), columns) as canvas:
        for axes, (title, cells) in zip(canvas.axes, maps.items(), strict=False):
            _heat_map(axes, cells, norm, signed=signed)
            axes.set_title(title, fontsize=9, loc="left")
            axes.set_xlabel(x_label)
            axes.set_ylabel(y_label)
    return canvas


def _heat_map(axes: Axes, cells: dict[tuple[int, int], float], norm: Any, *, signed: bool) -> None:
    rows = sorted({row for row, _ in cells})
    columns = sorted({column for _, column in cells})
    table = [[cells.get((row, column), float("nan")) for column in columns] for row in rows]
    image = axes.imshow(table, cmap="RdBu" if signed else "YlGn", norm=norm, aspect="auto")
    axes.set_xticks(range(len(columns)), map(str, columns), color=INK)
    axes.set_yticks(range(len(rows)), map(str, rows), color=INK)
    for i, row in enumerate(table):
        for j, value in enumerate(row):
            if value == value:  # a cell that cannot be reached is not a number
                red, green, blue, _ = cast(Any, image).to_rgba(value)
                ink = "white" if 0.3 * red + 0.59 * green + 0.11 * blue < 0.5 else INK
                axes.text(j, i, f"{value:.2f}", ha="center", va="center", fontsize=6.5, color=ink)
                if signed and value < 0:
                    frame = Rectangle((j - 0.46, i - 0.44), 0.92, 0.88, fill=False, edgecolor=BANKER, linewidth=1.6)
                    axes.add_patch(frame)


def grouped(ranks: Sequence[str], rows: Mapping[str, Sequence[float]], label: str) -> Canvas:
    """Effects for each rank: a heat map with bets as rows, each in its own scale."""
    with drawn(7, 0.8 + 0.32 * len(rows)) as canvas:
        [axes] = canvas.axes
        scaled = [[value / (max(map(abs, values)) or 1.0) for value in values] for values in rows.values()]
        axes.imshow(scaled, cmap="RdBu_r", vmin=-1, vmax=1, aspect="auto")
        axes.set_xticks(range(len(ranks)), ranks, color=INK)
        axes.set_yticks(range(len(rows)), map(chart_label, rows), color=INK)
        axes.set_xlabel(label)
        for i, values in enumerate(rows.values()):
            for j, value in enumerate(values):
                ink = "white" if abs(scaled[i][j]) > 0.6 else INK
                axes.text(j, i, f"{value:+.3f}", ha="center", va="center", fontsize=6, color=ink)
    return canvas


def shares(parts: Sequence[tuple[str, float, str]]) -> Canvas:
    """One bar that is shared out: name, share and colour of each part."""
    with drawn(7, 0.85) as canvas:
        [axes] = canvas.axes
        left = 0.0
        for name, share, colour in parts:
            axes.barh(0, share, left=left, color=colour, height=0.7)
            axes.text(left + share / 2, 0, f"{name}\n{share:.2%}", ha="center", va="center", color="white", fontsize=8)
            left += share
        axes.set_axis_off()
        axes.set_xlim(0, 1)
    return canvas
