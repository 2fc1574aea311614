"""Rule books as typed values, and their compiling into total look-up tables."""

from punto.rules.book import Book, compile_book, read_book
from punto.rules.digest import digest_of
from punto.rules.facts import Facts, Hand, Totals, Winner
from punto.rules.outcome import Outcome, Result, format_odds, parse_odds
from punto.rules.reading.parse import parse_book
from punto.rules.reading.problem import BookError, Problem
from punto.rules.role import Role
from punto.rules.text.book_text import BookText

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
]
