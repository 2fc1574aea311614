"""A table session as text: words, phrases, lines, and playing them."""
