"""Burning: how many cards leave a fresh shoe before the first round."""

from __future__ import annotations

import msgspec

from punto.cards.card import Card


class Burn(msgspec.Struct, frozen=True):
    """A house's way of burning.

    `by_first_card`: the first card is shown and as many more as it counts are burned, ten for a ten or
    a court card. Otherwise a fixed number of cards is burned, none among them.
    """

    by_first_card: bool = True
    fixed: int = 0

    def __str__(self) -> str:
        return "first-card" if self.by_first_card else str(self.fixed)

    @classmethod
    def parse(cls, text: str) -> Burn:
        """Read `first-card`, `none` or a number of cards."""
        if text == "first-card":
            return cls()
        if text == "none":
            return cls(by_first_card=False)
        if text.isascii() and text.isdecimal():
            return cls(by_first_card=False, fixed=int(text))
        raise ValueError(f"{text!r} is not a way of burning; write first-card, none or a number of cards")


def burn_count(burn: Burn, first: Card) -> int:
    """How many cards are burned in all, the shown one included."""
    if not burn.by_first_card:
        return burn.fixed
    return 1 + (first.points or 10)
