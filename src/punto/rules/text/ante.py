"""Antes as a book writes them: a card is shown, then each ante is given up or followed by its wager."""

from __future__ import annotations

from typing import Annotated

import msgspec

from punto.rules.text.entry import Entry, Line, Name, Text, UpToHundred


class AntePair(Entry, frozen=True):
    """An ante and the wager that follows it."""

    ante: Name
    """The betting area of the ante."""
    wager: Name
    """The betting area of the wager that follows it."""


class Ante(Entry, frozen=True):
    """Antes: shown a card, a player gives the ante up or puts a wager beside it."""

    label: Line
    """The name of this part of the game, as shown to people."""
    shown_cards: Annotated[int, msgspec.Meta(ge=1, le=3)]
    """How many cards are dealt before an ante is decided, 1 to 3."""
    multiple: UpToHundred
    """The wager is exactly this many times the ante."""
    pairs: tuple[AntePair, ...]
    """The areas that belong together."""
    clause: Text
    """The clause on the decision."""
    give_up_clause: Text
    """The clause on giving an ante up."""
    wager_clause: Text
    """The clause on the wager."""
