"""The roads of a shoe: bead plate, big road, big eye boy, small road, cockroach, and ask."""

from punto.roads.roads import Roads, RoundResult, RoundWinner

__all__ = ["Roads", "RoundResult", "RoundWinner"]
