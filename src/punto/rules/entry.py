"""What all entries of a book have in common: they are frozen, strict about what they are told, and made of
names, lines, points and numbers, of which a book may write one, a range, odd or even, or a list.
"""

from __future__ import annotations

import re
from typing import Annotated, TypeVar

import msgspec

from punto.rules.told import told
from punto.words import Language

Name = Annotated[str, msgspec.Meta(pattern="^[a-z0-9]+(-[a-z0-9]+)*$", max_length=40)]
"""A name in lower case with hyphens, such as `banker-pair`."""

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]  # A text of any length that a page can hold.
Line = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
"""A title or a label, which has to fit where it is drawn."""
Points = Annotated[int, msgspec.Meta(ge=0, le=9)]
MOST_DECKS = 100  # No shoe comes near it; what is beyond is a slip of the finger.
NumberOfDecks = Annotated[int, msgspec.Meta(ge=1, le=MOST_DECKS)]
UpToHundred = Annotated[int, msgspec.Meta(ge=1, le=100)]  # Boxes of a layout, or how many times its ante a wager is.


_Value = TypeVar("_Value")


def each_of(value: _Value | tuple[_Value, ...] | None) -> tuple[_Value, ...]:
    """What a book wrote alone or as a list, always as a tuple; empty where it wrote nothing.

    The structs keep what was written, because the digest of a book is taken over it.
    """
    if isinstance(value, tuple):
        return value
    return () if value is None else (value,)


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, repr_omit_defaults=True):
    """Anything that stands in a book: frozen, and strict about what it is told."""


class Labels(Entry, frozen=True):
    """A name in the languages of the layout; where Chinese is left out, English shows."""

    en: Line
    """In English."""
    zh_hans: Line | None = None
    """In simplified Chinese."""
    zh_hant: Line | None = None
    """In traditional Chinese."""

    def own(self, language: Language) -> str | None:
        name: str | None = getattr(self, language, None)
        return name

    @property
    def all(self) -> tuple[str, str, str]:
        """In English, simplified and traditional Chinese; English where there is no Chinese."""
        return self.en, self.zh_hans or self.en, self.zh_hant or self.en

    @property
    def chinese(self) -> str:
        """Both Chinese names in brackets, ` (庄, 莊)`, for a sentence; empty where there are none."""
        names = ", ".join(filter(None, (self.zh_hans, self.zh_hant)))
        return f" ({names})" if names else ""


Numbers = int | str | tuple[int | str, ...]
"""One number (6), a range ("4-9"), "odd" or "even", or a list of these: any of them."""

_RANGE = r"([0-9]{1,2})-([0-9]{1,2})"
_PARITIES = {"even": 0, "odd": 1}


def expand_numbers(numbers: Numbers, allowed: range) -> tuple[int, ...]:
    """The numbers that are meant, of those allowed; `ValueError` says in a sentence what is wrong."""
    each = numbers if isinstance(numbers, tuple) else (numbers,)
    return tuple(dict.fromkeys(number for one in each for number in _numbers_meant(one, allowed)))


def _numbers_meant(one: int | str, allowed: range) -> list[int]:
    if isinstance(one, int):
        return [_inside(one, allowed)]
    if one in _PARITIES:
        return [number for number in allowed if number % 2 == _PARITIES[one]]
    match = re.fullmatch(_RANGE, one)
    if match is None:
        raise ValueError(told("not-a-number", value=repr(one)))
    first, last = _inside(int(match[1]), allowed), _inside(int(match[2]), allowed)
    if first > last:
        raise ValueError(told("backwards", value=repr(one)))
    return list(range(first, last + 1))


def _inside(number: int, allowed: range) -> int:
    if number not in allowed:
        raise ValueError(told("outside", number=str(number), least=allowed[0], most=allowed[-1]))
    return number
