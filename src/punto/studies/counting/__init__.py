"""Counting cards: effects of removal, tags, and what a counter earns."""
