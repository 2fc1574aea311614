"""Bets on single cards: what a hand tells a bet, and how two hands together decide it."""
