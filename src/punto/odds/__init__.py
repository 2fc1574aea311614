"""Exact odds: every bet of every book, for any undealt cards, at every stage of a round, in whole numbers."""

from punto.odds.advice import Advice, OpenAnte, OpenOffer, advise
from punto.odds.ante import AnteDecision, AnteOdds, AnteSide, ante_odds
from punto.odds.bet_odds import BetOdds
from punto.odds.insurance import InsuranceChoice, InsuranceOdds, InsuredBet, OfferOdds, insurance_odds
from punto.odds.odds import Odds, odds_of
from punto.odds.round_so_far import RoundSoFar, Stage, StageError
from punto.odds.totals import totals_weights
from punto.odds.undealt import Undealt, UndealtError

__all__ = [
    "Advice",
    "AnteDecision",
    "AnteOdds",
    "AnteSide",
    "BetOdds",
    "InsuranceChoice",
    "InsuranceOdds",
    "InsuredBet",
    "Odds",
    "OfferOdds",
    "OpenAnte",
    "OpenOffer",
    "RoundSoFar",
    "Stage",
    "StageError",
    "Undealt",
    "UndealtError",
    "advise",
    "ante_odds",
    "insurance_odds",
    "odds_of",
    "totals_weights",
]
