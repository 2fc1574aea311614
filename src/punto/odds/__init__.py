"""Exact odds: every bet of every book, for any undealt cards, at every stage of a round, in whole numbers."""

from punto.odds.advice import Advice, OpenAnte, OpenOffer, advise
from punto.odds.ante import AnteDecision, AnteOdds, AnteSide, ante_odds
from punto.odds.bet_odds import BetOdds, Odds, book_odds
from punto.odds.insurance import InsuranceChoice, InsuranceOdds, InsuredBet, OfferOdds, insurance_odds
from punto.odds.known_cards import RoundSoFar, Stage, StageError, Undealt, UndealtError
from punto.odds.ordered_draws import totals_weights

__all__ = ["Advice", "OpenAnte", "OpenOffer", "advise"]
__all__ += ["AnteDecision", "AnteOdds", "AnteSide", "BetOdds", "Odds", "ante_odds", "book_odds", "totals_weights"]
__all__ += ["InsuranceChoice", "InsuranceOdds", "InsuredBet", "OfferOdds", "insurance_odds"]
__all__ += ["RoundSoFar", "Stage", "StageError", "Undealt", "UndealtError"]
