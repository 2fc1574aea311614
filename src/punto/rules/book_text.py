"""A rule book as it is written: one struct for each section and entry of the TOML file, up to the whole
`BookText`, and nothing derived from it.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import msgspec

from punto.rules.authority import Authority, Role
from punto.rules.condition import When
from punto.rules.entry import Entry, Labels, Line, Name, NumberOfDecks, Points, Text, UpToHundred
from punto.rules.outcome import Hand, Result


class PlayerRow(Entry, frozen=True):
    """What the Player hand does with its first two cards."""

    points: tuple[Points, ...]
    """Two-card points of the Player hand."""
    draws: bool
    """Whether it draws a third card."""
    clause: Text
    """The clause of this row."""


class BankerRow(Entry, frozen=True):
    """What the Banker hand does, given Player's third card."""

    points: tuple[Points, ...]
    """Two-card points of the Banker hand."""
    draws: bool
    """Whether it draws a third card."""
    clause: Text
    """The clause of this row."""
    third: tuple[Points, ...] | None = None
    """Points of Player's third card; left out where Player took none."""
    player_stood: bool = False
    """True for the row that holds when Player took no third card."""


class TableOfPlay(Entry, frozen=True):
    """When third cards are drawn."""

    naturals: tuple[Points, ...]
    """Two-card points that end the deal in either hand."""
    naturals_clause: Text
    """The clause on naturals."""
    deal_clause: Text
    """The clause on the order of the deal."""
    points_clause: Text
    """How points are counted."""
    player: tuple[PlayerRow, ...]
    """Rows for the Player hand, by its two-card points."""
    banker: tuple[BankerRow, ...]
    """Rows for the Banker hand, by its two-card points and Player's third card."""
    winner_clause: str | None = None
    """Which hand wins; left out where the clause on points says that too."""
    tie_clause: str | None = None
    """What a tie does."""
    drawer_clause: str | None = None
    """Who draws the cards from the shoe, where the document speaks of it."""


class Area(Enum):
    """What kind of bet a betting area takes."""

    MAIN = "main"  # On a hand to win: the bet that insurance and squeezes ask about.
    SIDE = "side"
    ANTE = "ante"
    WAGER = "wager"


class Commission(Entry, frozen=True):
    """What the house keeps of a win."""

    rate: str
    """The part of the winnings that is kept, such as 5%."""
    clause: Text | None = None
    """The clause on the commission."""


class PayRow(Entry, frozen=True):
    """One row of a pay table: when these facts hold, this is what happens."""

    clause: Text
    """The clause of this row."""
    when: When | tuple[When, ...] | None = None
    """All facts of one condition, or any one of several conditions."""
    otherwise: bool = False
    """All deals that no row before covers."""
    odds: str | None = None
    """A win at these odds: 8:1, 8 to 1, or 9 for 1 with the stake in it."""
    result: Result | None = None
    """Without odds: push or lose; a win is written as its odds."""
    commission: Commission | None = None
    """Where the house keeps a commission of this win. The odds are what is paid after it."""


class Bet(Entry, frozen=True):
    """A betting area with its pay table."""

    area: Name
    """The name of the betting area, such as banker-pair."""
    kind: Area
    """What kind of bet it is: main, side, ante or wager."""
    labels: Labels
    """The name on the layout."""
    clause: Text
    """The clause that provides for this area."""
    pays: tuple[PayRow, ...]
    """The pay table: every possible deal matches exactly one row, or a first one."""
    first_match: bool = False
    """Rows are tried from the top and the first one that holds counts, so they may overlap."""
    hand: Hand | None = None
    """The hand that a main bet, an ante or a wager is on."""
    needs: tuple[Name, ...] = ()
    """Areas of which the same player must hold at least one."""
    needs_clause: str | None = None
    """The clause on what it needs beside it."""

    def __repr__(self) -> str:
        return f"<Bet {self.area}: {self.kind.value}, {len(self.pays)} rows, clause {self.clause}>"


class Declaration(Entry, frozen=True):
    """A name that the dealer calls out when these facts hold."""

    name: Name
    """What it is called in the book."""
    labels: Labels
    """What the dealer says."""
    when: When | tuple[When, ...]
    """When it is announced: all facts of one condition, or any one of several conditions."""
    clause: Text
    """The clause on it."""


class Signal(Enum):
    """What opens or closes the betting."""

    CALL = "call"
    FIRST_CARD = "first-card"


class Call(Entry, frozen=True):
    """The opening or closing of bets."""

    by: Signal
    """What opens or closes the bets: the dealer's call, or the first card."""
    clause: Text
    """The clause on it."""
    words: Labels | None = None
    """What the dealer says, where the document has a call."""


class Withdrawal(Enum):
    """What taking a bet off after the close means."""

    REFUSED = "refused"
    IN_FORCE = "in-force"


class Betting(Entry, frozen=True):
    """How bets open and close, and what a late try means."""

    opens: Call
    """What opens the bets."""
    closes: Call
    """What closes the bets."""
    late_clause: Text
    """Nothing is placed or raised after the close."""
    late_withdrawal: Withdrawal
    """What withdrawing a bet after the close means: refused, or the bet stays in force."""
    late_withdrawal_clause: Text
    """The clause on it."""
    areas_clause: Text
    """The clause on the betting areas; there are no others."""
    boxes_clause: str | None = None
    """Every player has a box."""
    standing_clause: str | None = None
    """Who may bet behind a seated player."""


class LimitKind(Enum):
    """What the greatest amount at a box is measured by."""

    PER_BET = "per-bet"
    DIFFERENTIAL = "differential"


class Limits(Entry, frozen=True):
    """How a table's limits bind."""

    kind: LimitKind
    """What limits a box: each bet alone, or the difference between Banker and Player bets."""
    shown_clause: str | None = None
    """Limits are displayed."""
    minimum_clause: str | None = None
    """A bet under the minimum, noticed in time."""
    unnoticed_clause: str | None = None
    """A bet under the minimum that nobody noticed."""
    excess_clause: str | None = None
    """Over the greatest differential, noticed in time."""
    pro_rata_clause: str | None = None
    """Over the greatest differential and not rejected."""
    exempt_clause: str | None = None
    """A bet under the minimum is not scaled."""


class Order(Enum):
    """In which order boxes are settled."""

    COUNTER_CLOCKWISE = "counter-clockwise"  # From the dealer's right, where box 1 is.


class Settlement(Entry, frozen=True):
    """How a finished round is paid."""

    order: Order
    """The order in which boxes are settled."""
    clause: Text
    """The clause on settlement."""
    void_clause: str | None = None
    """A void round returns every bet."""


class Squeeze(Entry, frozen=True):
    """Who may open cards by hand, and what that waives."""

    clause: Text
    """Who may squeeze cards."""
    reorder_clause: Text
    """Banker's third card before Player's third waives the last insurance window for all."""


class Window(Entry, frozen=True):
    """A moment of the deal at which insurance is offered."""

    name: Name
    """The name of the window."""
    label: Line
    """Its name as shown to people."""
    cards: Annotated[int, msgspec.Meta(ge=4, le=5)]
    """Number of cards on the table then; with five, Player's third has just come."""


class OfferRow(Entry, frozen=True):
    """A row of the insurance pay table."""

    window: Name
    """The name of the window in which it is offered."""
    hand: Hand
    """The insured hand."""
    player_points: tuple[Points, ...]
    """Player's points at which it is offered."""
    banker_points: tuple[Points, ...]
    """Banker's points at which it is offered."""
    odds: str
    """What it pays, such as 2:1."""
    clause: Text
    """The clause of this row."""
    tie: Result | None = None
    """What a tie does to this insurance, where it is not what the book says of all."""


class Insurance(Entry, frozen=True):
    """Insurance: when it is offered, what it pays, and its bounds."""

    labels: Labels
    """What insurance is called."""
    windows: tuple[Window, ...]
    """The moments of the deal at which it is offered."""
    offers: tuple[OfferRow, ...]
    """The rows of the insurance pay table."""
    tie: Result
    """What a tie does to insurance: push, lose or win."""
    tie_clause: Text
    """The clause on ties."""
    table_clause: Text
    """The insurance pay table: what it does not list is not offered."""
    holder_clause: Text
    """Only on one's own main bet."""
    draw_clause: Text
    """Only while the table of play still brings a card."""
    cap_clause: Text
    """Pay-outs of all insurance on a bet never exceed the bet."""
    forgone_clause: Text
    """Passing up an offer ends insurance for the round."""
    notice_clause: Text
    """A private table without insurance, and its notice."""
    neglect_clause: Text
    """An offer that should have been made and was not."""

    def __repr__(self) -> str:
        return f"<Insurance: {len(self.windows)} windows, {len(self.offers)} rows>"


class AntePair(Entry, frozen=True):
    """An ante and the wager that follows it."""

    ante: Name
    """The betting area of the ante."""
    wager: Name
    """The betting area of the wager that follows it."""


class Ante(Entry, frozen=True):
    """Antes: shown a card, a player gives the ante up or puts a wager beside it."""

    label: Line
    """The name of this part of the game, as shown to people."""
    shown_cards: Annotated[int, msgspec.Meta(ge=1, le=3)]
    """How many cards are dealt before an ante is decided, 1 to 3."""
    multiple: UpToHundred
    """The wager is exactly this many times the ante."""
    pairs: tuple[AntePair, ...]
    """The areas that belong together."""
    clause: Text
    """The clause on the decision."""
    give_up_clause: Text
    """The clause on giving an ante up."""
    wager_clause: Text
    """The clause on the wager."""


class Finding(Enum):
    """What the evidence on the table comes to. Nobody says this word in a report: the table finds it."""

    FOREIGN_CARD = "foreign-card"
    WRONG_SET = "wrong-set"
    WRONG_NUMBER = "wrong-number"
    CARDS_RUN_OUT = "cards-run-out"
    NOT_SHUFFLED = "not-shuffled"
    DRAWN_TOGETHER = "drawn-together"
    WRONG_SIDE = "wrong-side"
    FACE_UP = "face-up"
    EXCESS = "excess"
    EXPOSED = "exposed"
    DEALING_ERROR = "dealing-error"
    RECORD_SLIP = "record-slip"  # A card is on record that never left the shoe: nothing was dealt wrongly.
    INTERRUPTION = "interruption"
    INSURANCE_NEGLECTED = "insurance-neglected"
    FOUND_LATE = "found-late"
    UNCOVERED = "uncovered"


class Remedy(Enum):
    """What is done about it."""

    VOID = "void"
    VOID_UNLESS_RECONSTRUCTED = "void-unless-reconstructed"
    RECONSTRUCT = "reconstruct"
    PLAY_ON = "play-on"
    ORDER_CARDS = "order-cards"
    COMPLETE_OR_VOID = "complete-or-void"
    NO_EFFECT = "no-effect"
    RETURN_BETS = "return-bets"
    RULING = "ruling"


class Options(Enum):
    """When the players may choose to have their bets back."""

    NEVER = "never"
    ALWAYS = "always"
    NO_OUTCOME = "no-outcome"  # While no bet has certainly won or lost.
    UNLESS_OUTCOME_AND_RECONSTRUCTED = "unless-outcome-and-reconstructed"


class Replacement(Enum):
    """Whether the set of cards is changed."""

    NO = "no"
    MAY = "may"
    MUST = "must"


class Irregularity(Entry, frozen=True):
    """Something that can go wrong, what is done about it and on whose word."""

    kind: Finding
    """What the table finds."""
    label: Line
    """What the table finds, in words."""
    remedy: Remedy
    """What is done about it."""
    orders: Role
    """The least rank that may order the remedy."""
    clause: str | None = None
    """None where the document is silent and the house's reading holds."""
    orders_clause: str | None = None
    """The clause that names who orders it; None where the document names nobody, and it is a house term."""
    void_clause: str | None = None
    """The clause of the other way out, where the remedy is to complete the round or else to void it."""
    options: Options = Options.NEVER
    """When players may choose to take their bets back."""
    options_clause: str | None = None
    """The clause on that choice."""
    replace_cards: Replacement = Replacement.NO
    """Whether the set of cards is replaced: no, may or must."""
    replace_clause: str | None = None
    """The clause on replacing cards."""


class Concern(Enum):
    """What may be wrong with a book that can be used."""

    FAVOURS_PLAYER = "favours-player"  # A bet or an insurance offer on which the player has the edge.
    HIGH_EDGE = "high-edge"  # A bet of which the house keeps more than a quarter.
    NEVER_HAPPENS = "never-happens"  # A pay row that no shoe of the decks allowed can bring.
    SMALL_COINS = "small-coins"  # Odds that need coins smaller than the smallest chip.
    ODD_COMMISSION = "odd-commission"  # A commission after which the odds are not those of the row.
    NO_CLAUSE = "no-clause"  # A rule that names no clause.
    NAME_TAKEN = "name-taken"  # The name of a built-in book, for other rules.
    COUNTABLE = "countable"  # A bet that a card counter beats.


class Acknowledged(Entry, frozen=True):
    """A warning that the writer of the book knows of, and accepts."""

    warning: Text
    """The name of the warning as punto check prints it: the kind, a slash and what it is about."""
    reason: Text
    """Why it is accepted."""


# A rule book as typed values: what one TOML file says, and nothing derived from it.
#
# Every field here is a key of the file. docs/guides/write-a-rule-book.md explains them to designers.


class ClauseKind(Enum):
    """What a clause asks of us."""

    BEHAVIOUR = "behaviour"
    DISPLAY = "display"
    LAYOUT = "layout"
    DEFINITION = "definition"


class ClauseWords(Entry, frozen=True):
    """A clause in another language."""

    sense: Text
    """What it says."""
    reading: Text | None = None
    """How we read it, where the clause has a reading."""


class BookWords(Entry, frozen=True):
    """What a book is called in another language."""

    title: Line
    """The title, as shown to people."""


class Clause(Entry, frozen=True):
    """A clause of the document by its number, with its sense in our words."""

    number: Line
    """The number, as the document has it."""
    kind: ClauseKind
    """What the clause asks for: behaviour, display, layout or definition."""
    sense: Text
    """What it says, in your own words."""
    reading: str | None = None
    """How we read it where the text leaves room."""
    zh_hans: ClauseWords | None = None
    """Sense and reading in simplified Chinese; where they are left out, English shows."""
    zh_hant: ClauseWords | None = None
    """Sense and reading in traditional Chinese; where they are left out, English shows."""


class Decks(Entry, frozen=True):
    """How many decks of 52 the game may be played with."""

    allowed: tuple[NumberOfDecks, ...]
    """The numbers of decks that may be used, 1 to 100, no number twice."""
    clause: Text
    """The clause on decks."""


class Layout(Entry, frozen=True):
    """A table layout and its betting boxes."""

    name: Name
    """The name of the layout."""
    label: Line
    """Its name as shown to people."""
    boxes: UpToHundred
    """The number of betting boxes."""
    clause: str | None = None
    """The clause on it, where the document has one."""
    boxes_least: UpToHundred | None = None
    """The smallest number of boxes, where the house may mark another number."""
    boxes_most: UpToHundred | None = None
    """The largest number of boxes, where the house may mark another number."""


class BookText(Entry, frozen=True):
    """A whole rule book."""

    name: Name
    """The name of the book: lower case and digits with hyphens between."""
    title: Line
    """Its title, as shown to people."""
    source: Text
    """The document it follows."""
    decks: Decks
    """How many decks the game may be played with."""
    layouts: tuple[Layout, ...]
    """The layouts that the game may be dealt on."""
    betting: Betting
    """How bets open and close, and what a late try means."""
    play: TableOfPlay
    """The table of play: who draws a third card."""
    bets: tuple[Bet, ...]
    """The betting areas, each with its pay table."""
    limits: Limits
    """How the limits of a table bind."""
    settlement: Settlement
    """How a finished round is paid."""
    clauses: tuple[Clause, ...]
    """Every clause of the document, listed once."""
    effective: str | None = None
    """Date of effect, year-month-day; left out where the document has none."""
    version: str | None = None
    """The version of the document."""
    declarations: tuple[Declaration, ...] = ()
    """What the dealer announces besides the winner."""
    insurance: Insurance | None = None
    """When insurance is offered, what it pays, and its bounds."""
    ante: Ante | None = None
    """Antes: a card is shown, then each is given up or followed by its wager."""
    squeeze: Squeeze | None = None
    """Who may squeeze cards."""
    irregularities: tuple[Irregularity, ...] = ()
    """What can go wrong, what is done about it, and on whose word."""
    authority: tuple[Authority, ...] = ()
    """Who may give which command at the table, where the document says so."""
    acknowledged: tuple[Acknowledged, ...] = ()
    """Warnings of punto check that the writer of the book knows of, each with a reason."""
    zh_hans: BookWords | None = None
    """The title in simplified Chinese; where it is left out, English shows."""
    zh_hant: BookWords | None = None
    """The title in traditional Chinese; where it is left out, English shows."""

    def __repr__(self) -> str:
        return f"<BookText {self.name}: {len(self.bets)} bets, {len(self.clauses)} clauses>"

    def bet(self, area: str) -> Bet | None:
        return next((bet for bet in self.bets if bet.area == area), None)

    def clause(self, number: str) -> Clause | None:
        return next((clause for clause in self.clauses if clause.number == number), None)


# msgspec works a struct out at its first use, and the process crashes where two threads do so at once.
_READY = msgspec.json.Decoder(BookText)
