"""Exact odds of bets on single cards."""
