"""Cards, what a shoe holds, how it is shuffled, burned and cut, and where cards come from."""

from punto.cards.burn import Burn, burn_count
from punto.cards.card import DECK, Card, Rank, Suit, format_cards, parse_cards
from punto.cards.composition import Composition
from punto.cards.shoe import CardNotThere, Shoe
from punto.cards.shuffle import draw_below, seeded_bytes, shuffled
from punto.cards.source import Continuous, Entered, Shuffled, Source, SourceEmpty, SourceKind

__all__ = [
    "DECK",
    "Burn",
    "Card",
    "CardNotThere",
    "Composition",
    "Continuous",
    "Entered",
    "Rank",
    "Shoe",
    "Shuffled",
    "Source",
    "SourceEmpty",
    "SourceKind",
    "Suit",
    "burn_count",
    "draw_below",
    "format_cards",
    "parse_cards",
    "seeded_bytes",
    "shuffled",
]
