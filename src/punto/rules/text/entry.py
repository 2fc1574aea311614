"""What all entries of a book have in common: they are frozen, and strict about what they are told."""

from __future__ import annotations

from typing import Annotated

import msgspec

Name = Annotated[str, msgspec.Meta(pattern="^[a-z0-9]+(-[a-z0-9]+)*$", max_length=40)]
"""A name in lower case with hyphens, such as `banker-pair`."""

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]
"""A text of any length that a page can hold."""
Line = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
"""A title or a label, which has to fit where it is drawn."""
Points = Annotated[int, msgspec.Meta(ge=0, le=9)]
MOST_DECKS = 100
"""No shoe comes near it; what is beyond is a slip of the finger."""
NumberOfDecks = Annotated[int, msgspec.Meta(ge=1, le=MOST_DECKS)]
UpToHundred = Annotated[int, msgspec.Meta(ge=1, le=100)]
"""Boxes of a layout, or how many times its ante a wager is."""


class Entry(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, repr_omit_defaults=True
):
    """Anything that stands in a book: frozen, and strict about what it is told."""


class Labels(Entry, frozen=True):
    """A name in the languages of the layout; where Chinese is left out, English shows."""

    en: Line
    """In English."""
    zh_hans: Line | None = None
    """In simplified Chinese."""
    zh_hant: Line | None = None
    """In traditional Chinese."""

    @property
    def all(self) -> tuple[str, str, str]:
        """In English, simplified and traditional Chinese; English where there is no Chinese."""
        return self.en, self.zh_hans or self.en, self.zh_hant or self.en

    @property
    def chinese(self) -> str:
        """Both Chinese names in brackets, ` (庄, 莊)`, for a sentence; empty where there are none."""
        names = ", ".join(filter(None, (self.zh_hans, self.zh_hant)))
        return f" ({names})" if names else ""
