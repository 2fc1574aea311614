"""Conditions of a book in words: one grammar, and a phrasebook for each language of a layout."""
