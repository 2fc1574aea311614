"""What can go wrong at a table, what a book does about it, and on whose word."""

from __future__ import annotations

from enum import Enum

from punto.rules.role import Role
from punto.rules.text.entry import Entry, Line


class Finding(Enum):
    """What the evidence on the table comes to. Nobody says this word in a report: the table finds it."""

    FOREIGN_CARD = "foreign-card"
    WRONG_SET = "wrong-set"
    WRONG_NUMBER = "wrong-number"
    CARDS_RUN_OUT = "cards-run-out"
    NOT_SHUFFLED = "not-shuffled"
    DRAWN_TOGETHER = "drawn-together"
    WRONG_SIDE = "wrong-side"
    FACE_UP = "face-up"
    EXCESS = "excess"
    EXPOSED = "exposed"
    DEALING_ERROR = "dealing-error"
    RECORD_SLIP = "record-slip"
    """A card is on record that never left the shoe: nothing was dealt wrongly."""
    INTERRUPTION = "interruption"
    INSURANCE_NEGLECTED = "insurance-neglected"
    FOUND_LATE = "found-late"
    UNCOVERED = "uncovered"


class Remedy(Enum):
    """What is done about it."""

    VOID = "void"
    VOID_UNLESS_RECONSTRUCTED = "void-unless-reconstructed"
    RECONSTRUCT = "reconstruct"
    PLAY_ON = "play-on"
    ORDER_CARDS = "order-cards"
    COMPLETE_OR_VOID = "complete-or-void"
    NO_EFFECT = "no-effect"
    RETURN_BETS = "return-bets"
    RULING = "ruling"


class Options(Enum):
    """When the players may choose to have their bets back."""

    NEVER = "never"
    ALWAYS = "always"
    NO_OUTCOME = "no-outcome"
    """While no bet has certainly won or lost."""
    UNLESS_OUTCOME_AND_RECONSTRUCTED = "unless-outcome-and-reconstructed"


class Replacement(Enum):
    """Whether the set of cards is changed."""

    NO = "no"
    MAY = "may"
    MUST = "must"


class Irregularity(Entry, frozen=True):
    """Something that can go wrong, what is done about it and on whose word."""

    kind: Finding
    """What the table finds."""
    label: Line
    """The same in words."""
    remedy: Remedy
    """What is done about it."""
    orders: Role
    """The least rank that may order the remedy."""
    clause: str | None = None
    """None where the document is silent and the house's reading holds."""
    orders_clause: str | None = None
    """The clause that names who orders it; None where the document names nobody, and it is a house term."""
    void_clause: str | None = None
    """The clause of the other way out, where the remedy is to complete the round or else to void it."""
    options: Options = Options.NEVER
    """When players may choose to take their bets back."""
    options_clause: str | None = None
    """The clause on that choice."""
    replace_cards: Replacement = Replacement.NO
    """Whether the set of cards is replaced: no, may or must."""
    replace_clause: str | None = None
    """The clause on replacing cards."""
