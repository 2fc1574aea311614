"""What players decide during the deal: antes, insurance, squeezes."""

from __future__ import annotations

import msgspec

from punto.rules.facts import Hand
from punto.table.command import SqueezeKind
from punto.table.event.header import EventHeader, Stake


class AntesAsked(EventHeader, frozen=True):
    """The card is shown: every ante is to be decided."""

    antes: tuple[Stake, ...]


class WagerPlaced(EventHeader, frozen=True):
    box: int
    player: str
    area: str
    amount: int
    ante: str


class AnteGivenUp(EventHeader, frozen=True):
    box: int
    player: str
    area: str
    clause: str


class OfferMade(msgspec.Struct, frozen=True):
    """Insurance that one holder of a main bet may take."""

    box: int
    player: str
    hand: Hand
    odds: str
    most: int
    """The greatest stake, a whole number of chips."""


class InsuranceOffered(EventHeader, frozen=True):
    """A window is open. With no holder it is only displayed."""

    window: int
    """Number of cards on the table."""
    odds: dict[str, str]
    """The odds that the display shows, by hand."""
    offers: tuple[OfferMade, ...]


class InsuranceTaken(EventHeader, frozen=True):
    box: int
    player: str
    hand: Hand
    window: int
    amount: int
    odds: str


class InsuranceDeclined(EventHeader, frozen=True):
    player: str


class InsuranceClosed(EventHeader, frozen=True):
    """The next card came: who had an offer and took none has forgone insurance for the round."""

    window: int
    forgone: tuple[str, ...]
    clause: str


class InsuranceNeglected(EventHeader, frozen=True):
    """The next card came and the offer that was due had not been made."""

    window: int


class InsuranceWished(EventHeader, frozen=True):
    box: int
    player: str
    hand: Hand
    window: int


class SqueezeAsked(EventHeader, frozen=True):
    kind: SqueezeKind
    player: str
    hand: Hand | None = None
    number: int | None = None


class SqueezeAnswered(EventHeader, frozen=True):
    consent: bool
    waives: bool = False
    """Everybody's insurance after Player's third card is waived for the round."""
    clause: str | None = None
