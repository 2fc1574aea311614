"""Rule books as typed values, and their compiling into total look-up tables."""

from punto.rules.authority import Role
from punto.rules.book import Book, compile_book, digest_of, read_book
from punto.rules.book_file import parse_book
from punto.rules.book_text import BookText
from punto.rules.outcome import Facts, Hand, Outcome, Result, Totals, Winner, format_odds, parse_odds, shown_odds
from punto.rules.validation import BookError, Problem

__all__ = [
    "Book",
    "BookError",
    "BookText",
    "Facts",
    "Hand",
    "Outcome",
    "Problem",
    "Result",
    "Role",
    "Totals",
    "Winner",
    "compile_book",
    "digest_of",
    "format_odds",
    "parse_book",
    "parse_odds",
    "read_book",
    "shown_odds",
]
