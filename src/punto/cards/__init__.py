"""Cards, what a shoe holds, how it is shuffled, burned and cut, and where cards come from."""

from punto.cards.card import DECK, Card, Rank, Suit, format_cards, parse_cards
from punto.cards.shoe import Burn, CardNotThere, Composition, Shoe, burn_count
from punto.cards.source import SourceKind, draw_below, seeded_bytes, shuffled, shuffled_shoe

__all__ = [
    "DECK",
    "Burn",
    "Card",
    "CardNotThere",
    "Composition",
    "Rank",
    "Shoe",
    "SourceKind",
    "Suit",
    "burn_count",
    "draw_below",
    "format_cards",
    "parse_cards",
    "seeded_bytes",
    "shuffled",
    "shuffled_shoe",
]
