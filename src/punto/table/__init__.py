"""A table of play. So far: settling the bets of one bettor on a finished deal."""

from punto.table.money import Rounding, format_amount, parse_amount
from punto.table.refusal import Reason, Refusal
from punto.table.settlement import Line, settle_bet, settle_bets
from punto.table.slip import finished_deal, offers_of, settle_slip

__all__ = [
    "Line",
    "Reason",
    "Refusal",
    "Rounding",
    "finished_deal",
    "format_amount",
    "offers_of",
    "parse_amount",
    "settle_bet",
    "settle_bets",
    "settle_slip",
]
