"""What is asked about insurance."""

from __future__ import annotations

from typing import ClassVar

from punto.rules.facts import Hand
from punto.table.header import CommandHeader


class OfferInsurance(CommandHeader, frozen=True, kw_only=True):
    """The dealer offers the insurance that is due, where the display does not."""

    phrase: ClassVar[str] = "offer insurance"


class TakeInsurance(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "insure"

    box: int
    hand: Hand
    amount: int
    player: str | None = None
    round: int | None = None
    window: int | None = None


class DeclineInsurance(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "decline insurance"

    player: str | None = None
    round: int | None = None
    window: int | None = None


class WishInsurance(CommandHeader, frozen=True, kw_only=True):
    """A player meant to insure, and no offer had been made."""

    phrase: ClassVar[str] = "wish to insure"

    box: int
    hand: Hand
    player: str | None = None
    round: int | None = None


InsuranceCommand = OfferInsurance | TakeInsurance | DeclineInsurance | WishInsurance
