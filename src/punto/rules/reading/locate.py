"""Finding the line of a TOML file where an entry stands.

The TOML reader of the standard library gives values without their lines. Books are written plainly, headers
and keys at the start of lines, so one pass over the text finds them again; where it finds nothing better
it names the line of the nearest entry around.
"""

from __future__ import annotations

import re
from functools import lru_cache

from punto.rules.reading.problem import Place

_HEADER = re.compile(r"(\[\[?)([A-Za-z0-9_.\-\s]+)\]\]?\s*(?:#.*)?")
_KEY = re.compile(r"([A-Za-z0-9_\-]+)\s*=\s*(.*)")
_STRING_OR_COMMENT = re.compile(r"""\"(?:\\.|[^"\\])*\"|'[^']*'|#.*""")


def line_of(text: str, place: Place) -> int | None:
    """The line, counted from 1, of a place or else of the nearest entry that contains it."""
    lines = _lines(text)
    for length in range(len(place), 0, -1):
        if place[:length] in lines:
            return lines[place[:length]]
    return None


@lru_cache(maxsize=8)
def _lines(text: str) -> dict[Place, int]:
    """The line of every entry that is written plainly; a book with many problems is gone through once."""
    found: dict[Place, int] = {}
    counts: dict[Place, int] = {}
    table: Place = ()
    array: Place = ()
    depth = 0  # of brackets open in the value that goes on over several lines
    for number, line in enumerate(text.splitlines(), start=1):
        if depth:
            if depth == 1 and line.lstrip().startswith("{"):
                counts[array] = counts.get(array, -1) + 1
                found[(*array, counts[array])] = number
            elif depth == 1:
                _note_texts(line, array, number, counts, found)
            depth = max(0, depth + _opened(line))
        elif header := _HEADER.fullmatch(line.strip()):
            table = _table(header[2].split("."), header[1] == "[[", counts)
            found.setdefault(table, number)
            if header[1] == "[[":
                found.setdefault(table[:-1], number)
        elif key := _KEY.fullmatch(line.strip()):
            array = (*table, key[1])
            found[array] = number
            depth = max(0, _opened(key[2]))
            if key[2].removeprefix("[").lstrip().startswith("{"):
                counts[array] = 0
                found[(*array, 0)] = number
            elif key[2].startswith("["):
                _note_texts(key[2], array, number, counts, found)
    return found


def _note_texts(
    text: str, array: Place, number: int, counts: dict[Place, int], found: dict[Place, int]
) -> None:
    """The texts of a plain list that stand in this line."""
    for piece in _STRING_OR_COMMENT.findall(text):
        if not piece.startswith("#"):
            counts[array] = counts.get(array, -1) + 1
            found[(*array, counts[array])] = number


def _opened(text: str) -> int:
    """How many brackets a piece of TOML opens and does not close."""
    bare = _STRING_OR_COMMENT.sub("", text)
    return sum(map(bare.count, "[{")) - sum(map(bare.count, "]}"))


def _table(names: list[str], is_array: bool, counts: dict[Place, int]) -> Place:
    """The place of a header: every array of tables on the way is at its latest entry."""
    place: Place = ()
    for depth, name in enumerate(step.strip() for step in names):
        place = (*place, name)
        if is_array and depth == len(names) - 1:
            counts[place] = counts.get(place, -1) + 1
        if place in counts:
            place = (*place, counts[place])
    return place
