"""What a book file says of itself, beside the rules: its format, and what it builds on.

These keys are gone when a book is read: what is left is one `BookText`, whether one file said it or several.
"""

from __future__ import annotations

from punto.rules.text.entry import Entry, Text, UpToHundred

FORMAT = 1
"""The newest format of book files. Files of every format up to this one are read."""


class BookFile(Entry, frozen=True):
    """Keys of the file itself."""

    format: UpToHundred = FORMAT
    """The format of the file, a whole number. There is one so far: 1."""
    extends: Text | None = None
    """The book that this one builds on: a built-in name, or a file beside this one."""
    remove: tuple[Text, ...] = ()
    """What is not taken from that book: sections, keys and entries by name, such as bets.tie."""
    take: tuple[Text, ...] = ()
    """Bets of the catalogue that the book takes, by name, such as quik; punto bets lists them."""
