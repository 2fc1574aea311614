"""One deal: the table of play at work, the two hands, and how it came out."""

from punto.coup.coup import (
    Coup,
    WrongNumberOfCards,
    deal,
    deal_exactly,
    deal_hands,
    format_coup,
    next_hand,
    parse_coup,
    points,
    reconstruct,
)

__all__ = [
    "Coup",
    "WrongNumberOfCards",
    "deal",
    "deal_exactly",
    "deal_hands",
    "format_coup",
    "next_hand",
    "parse_coup",
    "points",
    "reconstruct",
]
