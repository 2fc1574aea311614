"""What is asked of the cards: dealing, opening, putting right, squeezing."""

from __future__ import annotations

from typing import ClassVar

from punto.cards.card import Card
from punto.rules.facts import Hand
from punto.table.header import CommandHeader
from punto.table.layout import SqueezeKind


class DealCard(CommandHeader, frozen=True, kw_only=True):
    """The next card. From a physical shoe dealt face down, nobody knows yet which it is."""

    phrase: ClassVar[str] = "deal"

    card: Card | None = None


class TakeDraw(CommandHeader, frozen=True, kw_only=True):
    """The player who should draw does not: the dealer draws the other cards of the round."""

    phrase: ClassVar[str] = "take over the draw"


class RevealCard(CommandHeader, frozen=True, kw_only=True):
    """Turn a face-down card up."""

    phrase: ClassVar[str] = "reveal"

    hand: Hand
    number: int
    """The hand's first, second or third card."""
    card: Card | None = None
    """Which it is, where only the one who turns it can see."""


class CorrectCard(CommandHeader, frozen=True, kw_only=True):
    """Put right a card of this round that was keyed in wrongly."""

    phrase: ClassVar[str] = "correct"

    hand: Hand
    number: int
    card: Card


class AskSqueeze(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "ask to squeeze"

    kind: SqueezeKind = SqueezeKind.CARD
    hand: Hand | None = None
    number: int | None = None


class AnswerSqueeze(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "answer the squeeze"

    consent: bool


DealingCommand = DealCard | TakeDraw | RevealCard | CorrectCard | AskSqueeze | AnswerSqueeze
