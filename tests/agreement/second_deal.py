"""What the checker knows of a deal: the terms of its table, the hands, the windows, the shoe."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

Fact = tuple[Any, ...]
"""What came of a command: its kind, then what it says. A refusal is `("refused", reason)`."""
Spot = tuple[int, str, str]
"""Box, player and area of a bet."""
Offer = tuple[int, str, str, Fraction, int]
"""Box, player, hand, odds and greatest stake."""


class Held(NamedTuple):
    """A card in a hand, or one carried over; None where nobody knows it."""

    card: str | None
    is_up: bool
    is_laid: bool = False
    """It was left as it lay: it plays in this hand, whatever its order."""

    @property
    def face(self) -> str | None:
        return self.card if self.is_up else None


class Terms(NamedTuple):
    """What the house decided for the table."""

    book: str
    chip: int
    minimum: int
    differential: int
    rounding: str
    faces_down: bool
    offers_itself: bool
    """The display offers insurance; otherwise the dealer does, and can forget it."""
    is_physical: bool


class Closing(NamedTuple):
    """A window that a card closed, and who passed it up."""

    nth: int
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """Everything that a case may change, and that is again as before when its evidence is taken back."""

    phase: str = "betting"
    player: tuple[Held, ...] = ()
    banker: tuple[Held, ...] = ()
    record: tuple[str, ...] = ()
    """The hand of each card, in the order in which they left the shoe."""
    carried: tuple[Held, ...] = ()
    kept: int = 0
    """How many of them left the shoe in this round, and are kept for the next (5.7)."""
    window: int | None = None
    offers: tuple[Offer, ...] = ()
    windows_seen: frozenset[int] = frozenset()
    neglected: frozenset[int] = frozenset()
    forgone: frozenset[str] = frozenset()
    closings: tuple[Closing, ...] = ()
    declined: tuple[tuple[int, str], ...] = ()
    """Who said no to an offer, and in which window."""
    antes_open: tuple[Spot, ...] = ()
    shoe_left: int = 416
    """Cards in the shoe."""

    @property
    def cards_out(self) -> int:
        return len(self.player) + len(self.banker)

    def hand(self, name: str) -> tuple[Held, ...]:
        return self.player if name == "player" else self.banker

    def recorded(self) -> list[tuple[str, Held]]:
        """The cards in the order in which they left the shoe, each with its hand."""
        hands = {"player": iter(self.player), "banker": iter(self.banker)}
        return [(hand, next(hands[hand])) for hand in self.record]

    def faces(self) -> tuple[list[str | None], list[str | None]]:
        return [held.face for held in self.player], [held.face for held in self.banker]

    def with_hand(self, name: str, held: tuple[Held, ...]) -> Deal:
        return replace(self, player=held) if name == "player" else replace(self, banker=held)
