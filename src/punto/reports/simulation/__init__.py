"""Simulations as pages with pictures."""
