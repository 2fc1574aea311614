"""Simulation: whole shoes of any book by the hundred million, reproducible to the last digit.

It shares nothing with the table and with exact odds but the rules, so that where they agree, that is
evidence.
"""

from punto.simulation.batch import Batch, Deals
from punto.simulation.run import Threads, Workers, deals_of, sums
from punto.simulation.shoe_terms import ShoeTerms
from punto.simulation.tally import BetResult, Tally

__all__ = [
    "Batch",
    "BetResult",
    "Deals",
    "ShoeTerms",
    "Tally",
    "Threads",
    "Workers",
    "deals_of",
    "sums",
]
