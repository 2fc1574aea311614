"""What makes a PAR sheet a document that somebody signs: who answers for it, what it takes for granted, and
how the rules were read."""

from __future__ import annotations

from dataclasses import dataclass

from punto.documents.page import Grid, Listing, Section
from punto.rules.book import Book


@dataclass(frozen=True, slots=True)
class Signing:
    """Who answers for a sheet, and which one it is; what is not given is not printed."""

    date: str | None = None
    revision: str | None = None
    prepared_by: str | None = None
    approved_by: str | None = None

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """Names and values for the head of the page."""
        named = (
            ("Date", self.date),
            ("Revision", self.revision),
            ("Prepared by", self.prepared_by),
            ("Approved by", self.approved_by),
        )
        return tuple((name, value) for name, value in named if value)

    @property
    def signatures(self) -> tuple[tuple[str, str], ...]:
        """Who signs, and as what; a line without a name is signed by hand."""
        return (("Prepared by", self.prepared_by or ""), ("Approved by", self.approved_by or ""))


@dataclass(frozen=True, slots=True)
class TableLimits:
    """The limits of a table that its exposure follows from; amounts are minor units."""

    minimum: int
    maximum: int | None
    differential: int | None
    boxes: int
    average: int
    """The stake for which hold is given by handle."""
    words: str
    """The limits in words."""


ASSUMPTIONS = (
    "Cards are shuffled so that every order of the shoe is as likely as any other.",
    "Figures are for one unit staked before the deal of a full shoe, unless a section says otherwise.",
    "Pay-outs are exact: rounding to the smallest chip is not counted.",
    "Rounds that are void are not counted.",
    "Bets are settled by the final hands, as the pay tables say.",
)


def assumptions_section(book: Book) -> Section:
    """What the figures take for granted, and how clauses that leave room were read."""
    rows = tuple((one.number, one.sense, one.reading) for one in book.clauses if one.reading)
    grid = Grid(("Clause", "What it says", "How it is read"), rows, "Readings of the rules", grows=1)
    return Section("Assumptions and readings", (Listing(ASSUMPTIONS), *([grid] if rows else [])))
