"""A PAR sheet before it is shown: every figure of a book, and what makes it a document that somebody signs.

Who answers for it, the limits of the table, and what the figures take for granted stand here too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, dataclass
from fractions import Fraction
from typing import NamedTuple

from punto.documents.page import Grid, Listing, Section
from punto.money import format_money
from punto.odds.ante import AnteOdds, ante_odds
from punto.odds.bet_odds import BetOdds, Odds, book_odds
from punto.odds.insurance import InsuranceOdds, insurance_odds
from punto.odds.known_cards import Undealt
from punto.odds.ordered_draws import totals_weights
from punto.rules.book import Book, digest_of, label_of
from punto.rules.outcome import ALL_TOTALS, Winner
from punto.rules.pay_table import CompiledRow
from punto.rules.wording import counted
from punto.studies.card_counting import Countability, countability
from punto.studies.composed_bets import ComposedBet, Joint, composed_bets, joint_of
from punto.studies.cut_card import CutCardEffect, cut_card_effect
from punto.studies.expectations import InsuranceLevels, Shoes, insurance_levels
from punto.studies.house_risk import Exposure, Results, StakeLimits, greatest_exposure


@dataclass(frozen=True, slots=True)
class Signing:
    """Who answers for a sheet, and which one it is; what is not given is not printed."""

    date: str | None = None
    revision: str | None = None
    prepared_by: str | None = None
    approved_by: str | None = None

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        names = ("Date", "Revision", "Prepared by", "Approved by")
        return tuple((name, value) for name, value in zip(names, astuple(self), strict=True) if value)

    @property
    def signatures(self) -> tuple[tuple[str, str], ...]:
        """Who signs, and as what; a line without a name is signed by hand."""
        return (("Prepared by", self.prepared_by or ""), ("Approved by", self.approved_by or ""))


@dataclass(frozen=True, slots=True)
class TableLimits:
    """The limits of a table that its exposure follows from; amounts are minor units."""

    stakes: StakeLimits
    boxes: tuple[int, ...]  # How many a table may have: each number that a layout of the book allows, fewest first.
    average: int  # The stake for which hold is given by handle.
    words: str  # The limits in words.


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


DEPTHS = (14, 52, 104)  # Cards behind the cut card for which averages over whole shoes are given.
Tell = Callable[[str, int, int], None]  # Hears what is being worked out, and how much of how much is done.


@dataclass(frozen=True, slots=True)
class Round:
    """What a round comes to, before any bet."""

    winners: dict[Winner, int]  # Ordered draws of six cards by winner.
    cards: dict[int, int]  # Ordered draws by number of cards dealt.
    points: tuple[tuple[int, ...], ...]  # Ordered draws by Player's final points, then Banker's.
    total: int

    @property
    def mean_cards(self) -> Fraction:
        return Fraction(sum(cards * ways for cards, ways in self.cards.items()), self.total)


class RowBet(NamedTuple):
    """What every row of a sheet says of a bet, outright or made in steps."""

    area: str
    label: str
    edge: Fraction
    sd: float
    win: Fraction
    push: Fraction
    results: Results  # Net results of one unit, each with its number of ways.


@dataclass(frozen=True, slots=True, eq=False)
class ParSheet:
    """All figures of a game with this many decks."""

    book: Book
    decks: int
    digest: str  # SHA-256 of the rule book that the figures follow from, as `punto rules --digest` prints it.
    odds: Odds
    by_decks: dict[int, Odds]  # For every number of decks that the book allows.
    composed: dict[int, tuple[ComposedBet, ...]]  # Antes with their wagers and insured bets, for every number of decks.
    round: Round
    insurance: InsuranceOdds | None
    levels: InsuranceLevels | None
    antes: AnteOdds | None
    countability: Countability
    joint: Joint
    limits: TableLimits
    exposure: Exposure
    uninsured: Exposure | None  # Where no limit bounds the exposure with insurance: that without.
    shoe_averages: dict[int, tuple[CutCardEffect, ...]]
    """With a cut card, by decks, for each of `DEPTHS`; empty where no shoes are played."""
    signing: Signing
    argument: str  # How the book is named on a command line: a built-in one by its name, another by its file.
    options: str  # Options of the command that made the sheet, beside decks, shoes and seed.

    @property
    def all_bets(self) -> tuple[RowBet, ...]:
        """Every bet as a row: outright ones, antes with their wagers, insured ones."""
        return self.bets_with(self.decks)

    def bets_with(self, decks: int) -> tuple[RowBet, ...]:
        bets: list[tuple[BetOdds | ComposedBet, str, Results]] = [
            (bet, label_of(self.book, bet.area), tuple((outcome.net, ways) for outcome, ways in bet.ways))
            for bet in self.by_decks[decks].bets
        ]
        bets += [(bet, bet.label, bet.results) for bet in self.composed[decks]]
        return tuple(
            RowBet(bet.area, label, bet.edge, bet.sd, bet.win, bet.push, results) for bet, label, results in bets
        )


def pay_rows(book: Book, odds: BetOdds) -> tuple[tuple[CompiledRow, int], ...]:
    """Every row of a bet in the order of the book, with its ordered draws, of which it may have none."""
    came = {id(row): ways for row, ways in odds.rows}
    return tuple((row, came.get(id(row), 0)) for row in book.pay_tables[odds.area].rows)


def stated_limits(book: Book, stakes: StakeLimits, stake: int) -> TableLimits:
    """The limits that a sheet states exposure for, in words too; `stake` is the one for the bounds of hold.

    A sheet is of a book, not of one table: its exposure is given for every layout that the game may be dealt on.
    """
    words = f"a maximum of {format_money(stakes.maximum)} for each bet" if stakes.maximum is not None else ""
    if stakes.differential is not None:
        box = f"a differential of {format_money(stakes.differential)} in each box"
        words = f"{box} and {words}" if words else box
    boxes = {layout.boxes for layout in book.layouts} | {layout.boxes_most or layout.boxes for layout in book.layouts}
    return TableLimits(stakes, tuple(sorted(boxes)), stake, words)


def par_sheet(
    book: Book,
    decks: int,
    shoes: int,
    seed: int,
    tell: Tell = lambda _what, _done, _of: None,
    *,
    limits: TableLimits,
    signing: Signing | None = None,
    argument: str | None = None,
    options: str = "",
) -> ParSheet:
    """Compute a PAR sheet; `shoes` are played for whatever needs them, and `tell` hears how it goes on."""
    full = Undealt.of_decks(decks)
    allowed = sorted(book.decks.allowed)
    by_decks: dict[int, Odds] = {}
    for number in allowed:
        by_decks[number] = book_odds(book, Undealt.of_decks(number))
        tell("exact odds, numbers of decks", len(by_decks), len(allowed))
    dealt, exposure = Shoes(book.play, decks), greatest_exposure(book, limits.stakes, decks)
    has_bound = exposure.amount is not None
    insurance = insurance_odds(book, full) if book.insurance else None
    levels = None
    if insurance is not None:
        levels = insurance_levels(
            insurance, full, dealt, shoes, seed, lambda done: tell("insurance, shoes", done, shoes)
        )
    return ParSheet(
        book,
        decks,
        digest_of(book),
        by_decks[decks],
        by_decks,
        {number: composed_bets(book, number) for number in allowed},
        _round(book, full),
        insurance,
        levels,
        ante_odds(book, full) if book.ante else None,
        countability(book, dealt, shoes, seed, lambda what, done, of: tell(f"counting, {what}", done, of)),
        joint_of(book, decks),
        limits,
        exposure,
        None if has_bound else greatest_exposure(book, limits.stakes, decks, has_insurance=False),
        {number: _averages(book, number, shoes, seed, tell) for number in allowed} if shoes else {},
        signing or Signing(),
        argument or book.name,
        options,
    )


def _averages(book: Book, decks: int, shoes: int, seed: int, tell: Tell) -> tuple[CutCardEffect, ...]:
    def study(depth: int) -> CutCardEffect:
        what = f"{counted(decks, 'deck')}, {depth} cards behind the cut card, shoes"
        dealt = Shoes(book.play, decks, depth)
        return cut_card_effect(book, dealt, shoes, seed, lambda done: tell(what, done, shoes))

    return tuple(study(depth) for depth in DEPTHS if depth <= 52 * decks // 2)


def _round(book: Book, undealt: Undealt) -> Round:
    winners = dict.fromkeys(Winner, 0)
    cards = dict.fromkeys((4, 5, 6), 0)
    points = [[0] * 10 for _ in range(10)]
    weights = totals_weights(book.play, undealt.points)
    for totals, weight in zip(ALL_TOTALS, weights, strict=True):
        winners[totals.winner] += weight
        cards[totals.player_cards + totals.banker_cards] += weight
        points[totals.player_points][totals.banker_points] += weight
    return Round(winners, cards, tuple(map(tuple, points)), sum(weights))
