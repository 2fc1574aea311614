"""Searches what somebody was sent for cards that nobody was to see yet, and for seeds that are still secret.

Every document is searched whole: every text in it that reads as a card has to be a card that lay open on the
table at that moment. What the sender says about a card being hidden is not believed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from punto.table.state import State

CARD = re.compile(r"(?<![A-Za-z0-9])(10|[2-9AJQK])([SHDC♠♥♦♣])(?![A-Za-z0-9])")
_SUITS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}


def texts(document: Any) -> Iterator[str]:
    """Every text in a document, keys too."""
    if isinstance(document, str):
        yield document
    elif isinstance(document, dict):
        for key, value in document.items():
            yield str(key)
            yield from texts(value)
    elif isinstance(document, list | tuple):
        for value in document:
            yield from texts(value)


def cards_in(document: Any) -> set[str]:
    """Every card that is named anywhere in a document."""
    return {rank + _SUITS.get(suit, suit) for text in texts(document) for rank, suit in CARD.findall(text)}


def open_cards(state: State) -> set[str]:
    """The cards that everybody at the table can see."""
    slots = (*state.player, *state.banker, *state.carried)
    return {slot.card.value for slot in slots if slot.face_up and slot.card is not None}


def squeezed_cards(state: State, player: str) -> set[str]:
    """The cards face down that a player was permitted to open, read from what was asked and answered."""
    found = set()
    for asked in state.squeezes:
        if asked.consent and asked.player == player and asked.hand is not None and asked.number is not None:
            slots = state.slots(asked.hand)
            if len(slots) >= asked.number:
                card = slots[asked.number - 1].card
                found |= {card.value} if card is not None else set()
    return found
