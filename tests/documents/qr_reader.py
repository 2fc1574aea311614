"""Reads a QR code from its modules, by ISO/IEC 18004 alone: versions 1 to 6, bytes, without correcting errors.

Nothing of the encoder is asked, so that a code that no telephone would read is not taken for one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

Modules = Sequence[Sequence[bool]]
"""Row by row, without the light frame around it; true is dark."""

_DATA: dict[int, dict[str, tuple[int, ...]]] = {
    1: {"L": (19,), "M": (16,), "Q": (13,), "H": (9,)},
    2: {"L": (34,), "M": (28,), "Q": (22,), "H": (16,)},
    3: {"L": (55,), "M": (44,), "Q": (17, 17), "H": (13, 13)},
    4: {"L": (80,), "M": (32, 32), "Q": (24, 24), "H": (9, 9, 9, 9)},
    5: {"L": (108,), "M": (43, 43), "Q": (15, 15, 16, 16), "H": (11, 11, 12, 12)},
    6: {"L": (68, 68), "M": (27,) * 4, "Q": (19,) * 4, "H": (15,) * 4},
}
"""Data bytes of each block, by version and level."""
_LEVELS = {0b01: "L", 0b00: "M", 0b11: "Q", 0b10: "H"}
_MASKS: tuple[Callable[[int, int], bool], ...] = (
    lambda y, x: (y + x) % 2 == 0,
    lambda y, _: y % 2 == 0,
    lambda _, x: x % 3 == 0,
    lambda y, x: (y + x) % 3 == 0,
    lambda y, x: (y // 2 + x // 3) % 2 == 0,
    lambda y, x: y * x % 2 + y * x % 3 == 0,
    lambda y, x: (y * x % 2 + y * x % 3) % 2 == 0,
    lambda y, x: ((y + x) % 2 + y * x % 3) % 2 == 0,
)
_FORMAT_MASK = 0b101010000010010
_FINDER = ("1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111")


def text_in(modules: Modules) -> str:
    """What a reader makes of it."""
    size = len(modules)
    version, rest = divmod(size - 17, 4)
    assert rest == 0 and version in _DATA and all(len(row) == size for row in modules), size
    for y, x in ((0, 0), (0, size - 7), (size - 7, 0)):
        assert tuple("".join("01"[one] for one in row[x : x + 7]) for row in modules[y : y + 7]) == _FINDER
    level, mask = _format(modules)
    bits = [modules[y][x] ^ _MASKS[mask](y, x) for y, x in _path(size, version)]
    stream = [int("".join("01"[one] for one in bits[i : i + 8]), 2) for i in range(0, len(bits) - 7, 8)]
    blocks = _DATA[version][_LEVELS[level]]
    shared: list[list[int]] = [[] for _ in blocks]
    taken = iter(stream)
    for place in range(max(blocks)):
        for block, length in zip(shared, blocks, strict=True):
            if place < length:
                block.append(next(taken))
    data = "".join(f"{one:08b}" for block in shared for one in block)
    assert data[:4] == "0100", "bytes"
    count = int(data[4:12], 2)
    return bytes(int(data[12 + 8 * i : 20 + 8 * i], 2) for i in range(count)).decode()


def _format(modules: Modules) -> tuple[int, int]:
    """Level and mask, which stand beside the first finder; the same stands once more beside the two others."""
    size = len(modules)
    first = [(8, x) for x in (*range(6), 7, 8)] + [(y, 8) for y in (7, *range(5, -1, -1))]
    second = [(y, 8) for y in range(size - 1, size - 8, -1)] + [(8, x) for x in range(size - 8, size)]
    told = {int("".join("01"[modules[y][x]] for y, x in places), 2) ^ _FORMAT_MASK for places in (first, second)}
    assert len(told) == 1, "both places say the same"
    word = told.pop()
    return word >> 13, word >> 10 & 0b111


def _path(size: int, version: int) -> Iterator[tuple[int, int]]:
    """Places of the data: pairs of columns from the right, up and down in turns, around what is fixed."""
    columns = [*range(size - 1, 6, -2), *range(5, 0, -2)]
    for turn, right in enumerate(columns):
        for y in range(size) if turn % 2 else range(size - 1, -1, -1):
            for x in (right, right - 1):
                if not _is_fixed(y, x, size, version):
                    yield y, x


def _is_fixed(y: int, x: int, size: int, version: int) -> bool:
    """Whether a place belongs to a finder, its frame and format, to the timing, or to the alignment."""
    corners = (y < 9 and x < 9) or (y < 9 and x >= size - 8) or (y >= size - 8 and x < 9)
    alignment = version > 1 and abs(y - (size - 7)) <= 2 and abs(x - (size - 7)) <= 2
    return corners or alignment or 6 in (y, x)


def modules_of_pixels(dark: Modules) -> list[list[bool]]:
    """The modules of a picture in which nothing else is dark: the first finder says how large one is."""
    ys = [y for y, row in enumerate(dark) if any(row)]
    xs = [x for x, column in enumerate(zip(*dark, strict=True)) if any(column)]
    top, left, height, width = ys[0], xs[0], ys[-1] - ys[0] + 1, xs[-1] - xs[0] + 1
    finder = list(dark[top + 1][left:]).index(False)
    size = 17 + 4 * round((7 * width / finder - 17) / 4)
    return [
        [dark[top + int((y + 0.5) * height / size)][left + int((x + 0.5) * width / size)] for x in range(size)]
        for y in range(size)
    ]


def modules_of_svg(svg: str, frame: int = 4) -> list[list[bool]]:
    """The modules of a picture that is drawn as lines of one module's height, each from where the last one ended."""
    [side] = {int(float(one)) for one in re.findall(r'viewBox="0 0 (\d+) \d+"', svg)} or {_scaled(svg)}
    [line] = re.findall(r'<path[^>]* d="([^"]+)"', svg)
    dark = [[False] * side for _ in range(side)]
    x, y = 0.0, 0.0
    for move, numbers in re.findall(r"([Mmh])([^Mmh]+)", line):
        values = [float(one) for one in re.findall(r"-?\d*\.?\d+", numbers)]
        if move == "h":
            for place in range(int(x), int(x + values[0])):
                dark[int(y)][place] = True
            x += values[0]
        else:
            x, y = (values[0], values[1]) if move == "M" else (x + values[0], y + values[1])
    assert not any(any(row) for row in (*dark[:frame], *dark[-frame:])), "a light frame"
    return [row[frame:-frame] for row in dark[frame:-frame]]


def _scaled(svg: str) -> int:
    """The side of a picture that says only how large it is drawn."""
    [width] = re.findall(r'<svg[^>]* width="(\d+)"', svg)
    [scale] = re.findall(r"scale\((\d+)\)", svg)
    return int(width) // int(scale)
