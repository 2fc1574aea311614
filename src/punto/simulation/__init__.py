"""Simulation: whole shoes of any book by the hundred million, reproducible to the last digit.

It shares nothing with the table and with exact odds but the rules, so that where they agree, that is evidence.
"""

from punto.simulation.deals import Batch, Deals, ShoeTerms
from punto.simulation.run import BetResult, Tally, Threads, Workers, deals_of, sums

__all__ = ["Batch", "BetResult", "Deals", "ShoeTerms", "Tally", "Threads", "Workers", "deals_of", "sums"]
