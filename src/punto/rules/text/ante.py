"""Antes as a book writes them: a card is shown, then each ante is given up or followed by its wager."""

from __future__ import annotations

from typing import Annotated

import msgspec

from punto.rules.text.entry import Entry, Line, Name, Text, UpToHundred


class AntePair(Entry, frozen=True):
    """An ante and the wager that follows it."""

    ante: Name
    wager: Name


class Ante(Entry, frozen=True):
    """Antes: shown a card, a player gives the ante up or puts a wager beside it."""

    label: Line
    shown_cards: Annotated[int, msgspec.Meta(ge=1, le=3)]
    multiple: UpToHundred
    """The wager is exactly this many times the ante."""
    pairs: tuple[AntePair, ...]
    clause: Text
    give_up_clause: Text
    wager_clause: Text
