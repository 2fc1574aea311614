"""Dealing: cards and squeezes."""
