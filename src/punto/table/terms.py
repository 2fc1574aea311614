"""The terms of a table: what the house decides where the book leaves it room.

Each reading that a house may take otherwise is a field here with our default.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from punto.cards.shoe import Burn
from punto.cards.source import SourceKind
from punto.money import Money, Rounding, format_amount
from punto.refusal import Reason, Refusal
from punto.rules.authority import Authority, authority_complaint, lowered_authority
from punto.rules.book import Book
from punto.rules.book_text import Area, LimitKind


class Faces(Enum):
    """How cards are dealt."""

    UP = "up"
    DOWN = "down"


class Noticing(Enum):
    """Who notices a bet outside the limits."""

    STRICT = "strict"  # The system, at once.
    DEALER = "dealer"  # The dealer, or nobody: bets are taken and flagged.


class Offering(Enum):
    """Who offers insurance."""

    AUTOMATIC = "automatic"  # The display, as soon as a window opens.
    DEALER = "dealer"  # The dealer, who can forget it.


class Drawing(Enum):
    """Who draws cards from the shoe (house rules, ez 2)."""

    DEALER = "dealer"
    PLAYERS = "players"  # The seated players with bets, one box per round in turn.


class Audience(Enum):
    """Who may see something."""

    EVERYBODY = "everybody"
    STAFF = "staff"
    NOBODY = "nobody"


class Collecting(Enum):
    """When the house collects its commission on a win (commission 4.1.1)."""

    WITH_PAYOUT = "with-payout"  # It is kept back when the bet is paid.
    ON_LEAVING = "on-leaving"  # It is set aside, and collected when the player leaves the seat.
    END_OF_SHOE = "end-of-shoe"  # The same, and at the end of the shoe at the latest.


class BetLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Least and greatest stake of one betting area, in minor units."""

    minimum: Money
    maximum: Money | None = None


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The terms of a table. Amounts are minor units."""

    book: str
    """Name of the book."""
    layout: str
    """One of the book's layouts."""
    boxes: int | None = None
    """Number of boxes; only if the layout does not fix it."""
    boxes_each: int = 1
    """Boxes that one player may sit at."""
    decks: int = 8
    """Number of decks, as the book allows."""
    currency: str = "USD"
    """For display."""
    chip: Money = 100
    """The smallest chip: every stake is a multiple of it."""
    minimum: Money = 1000
    """Minimum stake of a bet."""
    maximum: Money | None = None
    """Maximum stake of a bet."""
    differential: Money | None = None
    """Maximum difference between the Banker and Player totals in a box; only for a book that limits it."""
    bet_limits: dict[str, BetLimits] = {}
    """Limits for single betting areas, by area."""
    faces: Faces = Faces.UP
    """`up` or `down`."""
    private: bool = False
    """A private table."""
    insurance: bool = True
    """Whether insurance is offered, if the book has it."""
    requested_by: str | None = None
    """The player who asked for a private table without insurance (insurance 4.2.2); needed there, and only there."""
    offering: Offering = Offering.AUTOMATIC
    """`automatic`: the display offers insurance; `dealer`: the dealer offers it and can forget to."""
    noticing: Noticing = Noticing.STRICT
    """`strict`: the system enforces the limits at once; `dealer`: bets are accepted, and the dealer may notice."""
    drawing: Drawing = Drawing.DEALER
    """Who draws cards: `dealer`, or `players` (seated players with bets, in turn; the dealer may take over from
    one who does not draw).
    """
    rounding: Rounding = Rounding.HALF_UP
    """`half-up`, `down` or `up`, applied once per settled bet."""
    commission: Collecting = Collecting.WITH_PAYOUT
    """When the commission on a win is collected, for a book that has one: `with-payout` keeps it back from the
    pay-out (commission 4.1.1); `on-leaving` and `end-of-shoe` set it aside, see below.
    """
    burn: str = "first-card"
    """`first-card`, `none`, or a number of cards."""
    behind_cut: int = 14
    """Cards behind the cut card."""
    rounds_after_cut: int = 1
    """Rounds played after the round in which the cut card came out."""
    source: SourceKind = SourceKind.SHUFFLED
    """`shuffled` by the system, `entered` from a physical shoe, or `continuous`; only a shuffled shoe has an
    order that [can be promised](../concepts/shuffle.md).
    """
    advice: Audience | None = None
    """Who may ask for live odds and advice: `everybody`, `staff` or `nobody`; without it the profile of the
    house decides.
    """
    authority: tuple[Authority, ...] = ()
    """Who may give which command, where this table differs from the house's reading or asks for more than the
    book.
    """

    def limits_of(self, area: str) -> BetLimits:
        return self.bet_limits.get(area) or BetLimits(self.minimum, self.maximum)


def default_terms(book: Book) -> Terms:
    """Terms that the book allows, for a table that nobody has set up otherwise."""
    measured = book.limits.kind is LimitKind.DIFFERENTIAL
    return Terms(
        book=book.name,
        layout=book.layouts[0].name,
        decks=max(book.decks.allowed),
        maximum=None if measured else 1_000_000,
        differential=1_000_000 if measured else None,
    )


def boxes_of(book: Book, terms: Terms) -> int:
    layout = next(layout for layout in book.layouts if layout.name == terms.layout)
    return terms.boxes or layout.boxes


def wrong_terms(book: Book, terms: Terms) -> Refusal | None:
    """The first term that the book or good sense does not allow."""
    if terms.book != book.name:
        return wrong_term("book", terms.book, f"this table is ruled by {book.name}")
    layout = next((layout for layout in book.layouts if layout.name == terms.layout), None)
    if layout is None:
        names = ", ".join(layout.name for layout in book.layouts)
        return wrong_term("layout", terms.layout, f"the layouts are {names}", book.layouts[0].clause)
    if terms.boxes is not None:
        least, most = layout.boxes_least or layout.boxes, layout.boxes_most or layout.boxes
        if not least <= terms.boxes <= most:
            return wrong_term("boxes", terms.boxes, f"this layout has {least} to {most}", layout.clause)
    if not 1 <= terms.boxes_each <= boxes_of(book, terms):
        return wrong_term("boxes_each", terms.boxes_each, f"the table has {boxes_of(book, terms)} boxes")
    if terms.decks not in book.decks.allowed:
        allowed = ", ".join(map(str, book.decks.allowed))
        return wrong_term("decks", terms.decks, f"the book allows {allowed}", book.decks.clause)
    for i, entry in enumerate(terms.authority):
        problem = authority_complaint(entry, terms.authority[:i]) or lowered_authority(entry, book.authority)
        if problem is not None:
            clause = next((other.clause for other in book.authority if other.command == entry.command), None)
            return wrong_term("authority", entry.command, problem, clause)
    return _wrong_money(book, terms) or _wrong_cards(terms) or _wrong_insurance(book, terms)


def _wrong_money(book: Book, terms: Terms) -> Refusal | None:
    measured = book.limits.kind is LimitKind.DIFFERENTIAL
    if terms.chip < 1:
        return wrong_term("chip", format_amount(terms.chip), "the smallest chip is worth something")
    if measured and terms.differential is None:
        return Refusal(Reason.TERM_MISSING, book.limits.shown_clause, {"term": "differential", "example": 5000})
    if not measured and terms.differential is not None:
        amount, clause = format_amount(terms.differential), book.limits.shown_clause
        return wrong_term("differential", amount, "this book has no differential", clause)
    for area in terms.bet_limits:
        if area not in book.pay_tables:
            return wrong_term("bet_limits", area, "the book has no such betting area")
    stakes = [("differential", terms.differential), ("minimum", terms.minimum), ("maximum", terms.maximum)]
    for area, limits in terms.bet_limits.items():
        stakes += [(f"minimum of {area}", limits.minimum), (f"maximum of {area}", limits.maximum)]
    for name, stake in stakes:
        if stake is not None and (stake < terms.chip or stake % terms.chip):
            return wrong_term(name, format_amount(stake), "it is not a whole number of chips")
    for limits in (BetLimits(terms.minimum, terms.maximum), *terms.bet_limits.values()):
        if limits.maximum is not None and limits.maximum < limits.minimum:
            return wrong_term("maximum", format_amount(limits.maximum), "it is less than the minimum")
    if terms.commission is not Collecting.WITH_PAYOUT and (refusal := _wrong_commission(book, terms)):
        return refusal
    mains = [terms.limits_of(bet.area).minimum for bet in book.bets if bet.kind is Area.MAIN]
    if terms.differential is not None and terms.differential < max(mains, default=0):
        return wrong_term("differential", format_amount(terms.differential), "it is less than the minimum")
    return None


def _wrong_commission(book: Book, terms: Terms) -> Refusal | None:
    """Why a commission cannot be collected later: there is none, or the moment never comes."""
    how = terms.commission.value
    if all(row.commission is None for bet in book.bets for row in bet.pays):
        return wrong_term("commission", how, "this book has no commission")
    if terms.commission is Collecting.END_OF_SHOE and terms.source is SourceKind.CONTINUOUS:
        return wrong_term("commission", how, "a continuous shuffler has no end of a shoe")
    return None


def _wrong_cards(terms: Terms) -> Refusal | None:
    try:
        burn = Burn.parse(terms.burn)
    except ValueError as error:
        return wrong_term("burn", terms.burn, str(error))
    if not 0 <= terms.behind_cut <= terms.decks * 52 - burn.fixed - 6:
        return wrong_term("behind_cut", terms.behind_cut, "no round could be dealt before the cut card")
    if terms.rounds_after_cut < 0:
        return wrong_term("rounds_after_cut", terms.rounds_after_cut, "it must not be negative")
    return None


def _wrong_insurance(book: Book, terms: Terms) -> Refusal | None:
    insurance, asker = book.insurance, terms.requested_by
    if insurance is None or terms.insurance:
        return None if asker is None else wrong_term("requested_by", asker, "insurance is offered at this table")
    if not terms.private:
        problem = "only a private table may go without insurance"
        return wrong_term("insurance", "false", problem, insurance.notice_clause)
    if not (asker or "").strip():
        return Refusal(Reason.TERM_MISSING, insurance.notice_clause, {"term": "requested_by", "example": "NAME"})
    return None


def wrong_term(term: str, value: str | int, problem: str, clause: str | None = None) -> Refusal:
    return Refusal(Reason.WRONG_TERMS, clause, {"term": term, "value": value, "problem": problem})
