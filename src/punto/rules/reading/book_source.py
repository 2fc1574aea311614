"""The text of a book file, and how the text of another one, or of a bet of the catalogue, is asked for.

The core reads no files: whoever can read them hands over a `Loader` and a `Taker`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BookSource:
    """A book file: what it is called in messages, its text, and what no other file has."""

    file: str
    text: str
    identity: str = ""
    """Equal for the same file however it was named; the name itself where nothing better is known."""

    @property
    def is_same_as(self) -> str:
        """What two sources have in common if they are the same file."""
        return self.identity or self.file


class BaseNotFound(Exception):
    """The book that another one extends is not there or cannot be read; the sentence says so."""


Loader = Callable[[str, BookSource], BookSource]
"""The base of a book: its name, and the file in which that name stands. Raises `BaseNotFound`."""


def no_other_files(name: str, source: BookSource) -> BookSource:
    """The loader of those who have a text and nothing beside it."""
    raise BaseNotFound(f"the book {name} cannot be read from here: {source.file} stands alone")


class BetNotFound(Exception):
    """The catalogue has no bet of this name, or there is no catalogue; the sentence says so."""


Taker = Callable[[str], BookSource]
"""A bet of the catalogue by its name, as a piece of a book: `bets` and `clauses`. Raises `BetNotFound`."""


def no_catalogue(name: str) -> BookSource:
    """The taker of those who have no catalogue."""
    raise BetNotFound(f"the bet {name} cannot be taken from here: there is no catalogue")
