"""One deal: the table of play at work, the two hands, and how it came out."""

from punto.coup.coup import Coup, points
from punto.coup.deal import WrongNumberOfCards, deal, deal_exactly, deal_hands, next_hand, reconstruct
from punto.coup.notation import format_coup, parse_coup

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
