"""Names that look alike: nobody takes a name that people could read as somebody else's, or not at all.

A schema can say which characters a name has; whether two names look the same takes more. Letters of different
scripts that look alike are not compared: that would forbid honest names.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from punto.floor.desk import HOUSE_NAMES

_UNSEEN = frozenset("\u00ad\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | frozenset(
    map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
"""Letters, marks and signs that show nothing."""
_KINDS = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs")
"""Control and format characters, halves, private and unassigned ones, separators."""


def likeness(name: str) -> str:
    """What names that look alike have in common: case, width, accents written apart and blanks are gone."""
    before, found = "", name
    while found != before:  # a blank that goes may let a letter and its accent come together
        before = found
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", found).casefold())
        found = "".join(letter for letter in folded if not letter.isspace())
    return found


def is_readable(name: str) -> bool:
    """Whether every character of a name can be seen, and the name can stand in an address."""
    if not name.strip("."):
        return False
    return all(
        letter == " " or (unicodedata.category(letter) not in _KINDS and letter not in _UNSEEN)
        for letter in name
    )


def is_of_the_house(name: str) -> bool:
    """Whether a name looks like one that the house itself acts under."""
    return look_alike(name, HOUSE_NAMES) is not None


def look_alike(name: str, others: Iterable[str]) -> str | None:
    """The first of other names that looks like this one."""
    wanted = likeness(name)
    return next((other for other in others if likeness(other) == wanted), None)
