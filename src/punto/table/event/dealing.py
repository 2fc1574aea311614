"""What happens to the cards, and how the round is settled."""

from __future__ import annotations

import msgspec

from punto.cards.card import Card
from punto.rules.facts import Hand, Winner
from punto.rules.outcome import Result
from punto.table.event.header import EventHeader


class CardDealt(EventHeader, frozen=True):
    hand: Hand
    card: Card | None
    """None for a card from a physical shoe that lies face down."""
    face_up: bool
    carried: bool = False
    """It came out of the shoe in an earlier round."""


class CardRevealed(EventHeader, frozen=True):
    hand: Hand
    number: int
    card: Card


class CardCorrected(EventHeader, frozen=True):
    hand: Hand
    number: int
    was: Card
    card: Card


class DealFinished(EventHeader, frozen=True):
    """No card is to come."""

    winner: Winner
    player_points: int
    banker_points: int
    declared: tuple[str, ...]


class SettledBet(msgspec.Struct, frozen=True, omit_defaults=True):
    """One bet, settled."""

    box: int
    player: str
    area: str
    stake: int
    result: Result
    net: int
    clause: str
    odds: str | None = None
    exact: str | None = None
    """The net before rounding, as a fraction of minor units, where it was rounded."""


class RoundSettled(EventHeader, frozen=True):
    round: int
    winner: Winner
    bets: tuple[SettledBet, ...]


class SettlementReversed(EventHeader, frozen=True):
    """An error of the round just settled was noticed in time: the round is open again."""

    round: int
