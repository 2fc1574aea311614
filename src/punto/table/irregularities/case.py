"""A case: an irregularity that is being dealt with, and what it waits for."""

from __future__ import annotations

from enum import Enum

import msgspec

from punto.cards.card import Card
from punto.rules.text.irregularity import Irregular


class Awaits(Enum):
    """What an open case is waiting for."""

    ORDER = "order"
    JUDGEMENT = "judgement"
    VOID = "void"
    OPTIONS = "options"
    RETURN_BETS = "return-bets"
    RULING = "ruling"


class Case(msgspec.Struct, frozen=True):
    """An irregularity that is being dealt with; the round stands still."""

    kind: Irregular
    awaits: Awaits
    cards: tuple[Card, ...] = ()
    undecided: tuple[str, ...] = ()
    """Players whose choice is still to come."""
    is_reconstructed: bool = False
