"""Betting: calls, bets, limits, what the dealer notices."""
