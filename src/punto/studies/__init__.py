"""Studies: what needs exact odds over many shoes. So far: how far each bet can be counted."""

from punto.studies.counting.countability import Countability, Countable, countability
from punto.studies.counting.perfect_play import CardCount, Earnings, PerfectPlay, perfect_play
from punto.studies.counting.removal import Removal, Removals, removals
from punto.studies.counting.tags import Tags, best_tags, correlation
from punto.studies.shoes import Shoes

__all__ = [
    "CardCount",
    "Countability",
    "Countable",
    "Earnings",
    "PerfectPlay",
    "Removal",
    "Removals",
    "Shoes",
    "Tags",
    "best_tags",
    "correlation",
    "countability",
    "perfect_play",
    "removals",
]
