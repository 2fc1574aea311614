"""A book examined: what each bet is worth with each number of decks allowed, and what its writer should know.

A book that compiles can be played; that does not make it a good one. What is found here is exact, apart from
counting, which is measured over shoes of a fixed seed. A book may acknowledge a warning by its name; whether
it does changes nothing in what is found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET, UnsetType

from punto.documents.page import Grid, figures, fraction, percent
from punto.odds.ante import ante_odds
from punto.odds.bet_odds import Odds, book_odds
from punto.odds.insurance import OfferOdds, insurance_odds
from punto.odds.known_cards import Undealt
from punto.rules.book import Book, digest_of, label_of
from punto.rules.book_text import Concern
from punto.rules.outcome import format_odds, parse_odds, shown_odds
from punto.rules.told import Told, told
from punto.rules.validation import Place, Problem, book_entries, format_place
from punto.rules.wording import counted, row_words

if TYPE_CHECKING:
    from punto.studies.card_counting import Countability

HIGH_EDGE = Fraction(1, 4)  # Of what a bet keeps more than this share, its players are warned.
COUNTED = 0.5  # Units a shoe that a counter may earn before it is a warning.
MOST_COLUMNS = 5  # Numbers of decks that are shown one by one.


@dataclass(frozen=True, slots=True)
class BookWarning:
    """Something that the writer of a book should know, and its place in the book."""

    concern: Concern
    subject: str  # A betting area, or the entry by section and name.
    place: Place
    sentence: Told

    @property
    def name(self) -> str:
        """What a book calls it to acknowledge it, such as `high-edge/tie`."""
        return f"{self.concern.value}/{self.subject}"


@dataclass(frozen=True, slots=True)
class AreaEdges:
    """The house edge of a betting area, exactly, for each number of decks; of an ante with optimal play."""

    area: str
    edges: dict[int, Fraction]

    @property
    def lowest(self) -> tuple[int, Fraction]:
        """The decks at which the house keeps least, and how much."""
        return min(self.edges.items(), key=lambda item: item[1])

    @property
    def highest(self) -> tuple[int, Fraction]:
        """The decks at which the house keeps most, and how much."""
        return max(self.edges.items(), key=lambda item: item[1])


class Examination:
    def __init__(
        self,
        book: Book,
        chip: Fraction = Fraction(1),
        tell: Callable[[int, int], None] = lambda _done, _of: None,
        *,
        namesake: Book | None = None,
    ) -> None:
        """`chip` is the smallest coin at the table; stakes are whole units, and at least a chip. `tell` hears for how
        many numbers of decks the odds are known. `namesake` is the built-in book of the same name, where there is one.
        """
        self.book, self.chip, self.namesake = book, chip, namesake
        self._shoes = {decks: Undealt.of_decks(decks) for decks in sorted(book.decks.allowed)}
        self.odds: dict[int, Odds] = {}
        for decks, undealt in self._shoes.items():
            self.odds[decks] = book_odds(book, undealt)
            tell(len(self.odds), len(self._shoes))

    @cached_property
    def bets(self) -> tuple[AreaEdges, ...]:
        edges: dict[str, dict[int, Fraction]] = defaultdict(dict)
        for decks, undealt in self._shoes.items():
            edges_now = {area: self.odds[decks].bet(area).edge for area in self.book.outright_areas}
            edges_now |= {side.pair.ante: side.edge for side in ante_odds(self.book, undealt).sides}
            for area, edge in edges_now.items():
                edges[area][decks] = edge
        return tuple(AreaEdges(area, by_decks) for area, by_decks in edges.items())

    @cached_property
    def warnings(self) -> tuple[BookWarning, ...]:
        """All warnings that need no shoes to be played, in the order of the book."""
        warnings = (
            *self._edges(),
            *self._offers(),
            *self._rows(),
            *self._coins(),
            *self._commissions(),
            *self._clauses(),
            *self._name(),
        )
        return tuple(sorted(warnings, key=lambda warning: _order(warning.place)))

    @property
    def table(self) -> Grid:
        decks = tuple(self._shoes)
        if len(decks) <= MOST_COLUMNS:
            heads = ("Bet", *(counted(n, "deck") for n in decks))
            rows = [(one.area, *(percent(one.edges[n]) for n in decks)) for one in self.bets]
        else:
            heads = ("Bet", "Lowest edge", "at decks", "Highest edge", "at decks")
            ends = [(one.area, *one.lowest, *one.highest) for one in self.bets]
            rows = [(area, percent(low), str(n), percent(high), str(m)) for area, n, low, m, high in ends]
        named = tuple((label_of(self.book, area), *rest) for area, *rest in rows)
        return figures(f"{self.book.title}: house edge", heads, named)

    def _edges(self) -> Iterator[BookWarning]:
        for one in self.bets:
            place = self._bet(one.area)
            decks, edge = one.lowest
            if edge < 0:
                sentence = told("warning.favours", edge=percent(-edge), decks=decks_told(decks))
                yield BookWarning(Concern.FAVOURS_PLAYER, one.area, place, sentence)
            decks, edge = one.highest
            if edge > HIGH_EDGE:
                sentence = told("warning.high", edge=percent(edge), decks=decks_told(decks))
                yield BookWarning(Concern.HIGH_EDGE, one.area, place, sentence)

    def _offers(self) -> Iterator[BookWarning]:
        if self.book.insurance is None:
            return
        best: dict[int, tuple[int, OfferOdds]] = {}
        for decks, undealt in self._shoes.items():
            for one in insurance_odds(self.book, undealt).for_players:
                row = next(i for i, offer in enumerate(self.book.offers.rows) if offer is one.offer)
                if row not in best or one.ev > best[row][1].ev:
                    best[row] = decks, one
        for row, (decks, one) in best.items():
            totals = {"player": one.player_points, "banker": one.banker_points}
            sentence = told("warning.favours-at", edge=percent(one.ev), decks=decks_told(decks), **totals)
            place: Place = ("insurance", "offers", row)
            yield BookWarning(Concern.FAVOURS_PLAYER, one.offer.area, place, sentence)

    def _rows(self) -> Iterator[BookWarning]:
        for area in self.book.outright_areas:
            came = {id(row) for odds in self.odds.values() for row, _ in odds.bet(area).rows}
            for i, row in enumerate(self.book.pay_tables[area].rows):
                if id(row) not in came:
                    sentence = told("warning.never", when=partial(row_words, row))
                    yield BookWarning(Concern.NEVER_HAPPENS, area, (*self._bet(area), "pays", i), sentence)

    def _coins(self) -> Iterator[BookWarning]:
        for bet in self.book.bets:
            for i, row in enumerate(bet.pays):
                if row.odds is not None:
                    yield from self._coin(parse_odds(row.odds), bet.area, (*self._bet(bet.area), "pays", i))
        for i, offer in enumerate(self.book.offers.rows):
            yield from self._coin(offer.odds, offer.area, ("insurance", "offers", i))

    def _coin(self, odds: Fraction, area: str, place: Place) -> Iterator[BookWarning]:
        stake = max(Fraction(1), self.chip)  # nobody stakes less than the smallest chip
        if (odds * stake / self.chip).denominator == 1:
            return
        paid = {"stake": _amount(stake), "paid": _amount(odds * stake), "chip": _amount(self.chip)}
        sentence = told("warning.coins", odds=shown_odds(odds), **paid)
        yield BookWarning(Concern.SMALL_COINS, area, place, sentence)

    def _commissions(self) -> Iterator[BookWarning]:
        """A commission is taken from a win at plain odds, 1:1 or 3:2; what is left are the odds of the row."""
        for bet in self.book.bets:
            for i, row in enumerate(self.book.pay_tables[bet.area].rows):
                kept, odds = row.outcome.commission, row.outcome.odds
                if kept is None or odds is None or kept.gross.denominator <= 2:
                    continue
                meant = max(Fraction(round(2 * kept.gross), 2), Fraction(1, 2))
                plain, rate = format_odds(meant), _per_cent(kept.rate)
                paid = decimal_odds(meant * (1 - kept.rate))
                instead = told("warning.write-odds", odds=paid)
                if 0 < (other := 1 - odds / meant) < 1 and (10_000 * 100 * other).denominator == 1:
                    instead = told("warning.or-rate", odds=paid, rate=_per_cent(other), stated=decimal_odds(odds))
                figures_said = {"rate": rate, "plain": plain, "paid": paid, "stated": decimal_odds(odds)}
                sentence = told("warning.commission", **figures_said, instead=instead)
                place = (*self._bet(bet.area), "pays", i)
                yield BookWarning(Concern.ODD_COMMISSION, bet.area, place, sentence)

    def _clauses(self) -> Iterator[BookWarning]:
        for place, entry in book_entries(self.book.text):
            if getattr(entry, "clause", "") is None:
                name = next(getattr(entry, key) for key in entry.__struct_fields__)
                subject = f"{place[0]}.{getattr(name, 'value', name)}"
                yield BookWarning(Concern.NO_CLAUSE, subject, place, told("warning.clause", subject=subject))

    def _name(self) -> Iterator[BookWarning]:
        if self.namesake is not None and digest_of(self.namesake) != digest_of(self.book):
            name = self.book.name
            yield BookWarning(Concern.NAME_TAKEN, name, ("name",), told("warning.name-taken", name=name))

    def _bet(self, area: str) -> Place:
        return "bets", next(i for i, bet in enumerate(self.book.bets) if bet.area == area)

    def counted(self, study: Countability) -> tuple[BookWarning, ...]:
        """The bets that a counter beats by more than half a unit a shoe, beyond the error of that figure."""
        warnings = []
        for one in study.bets:
            earned = one.counted
            if earned and earned.error is not None and earned.units - earned.error > COUNTED:
                units = f"{earned.units:.3f} ± {earned.error:.3f}"
                decks = decks_told(study.shoes.decks)
                shoes = told("warning.shoes", number=str(study.number), decks=decks, seed=str(study.seed))
                sentence = told("warning.counted", units=units, shoes=shoes)
                # What is followed beside the bets of the book is a main bet with its insurance.
                place: Place = self._bet(one.area) if self.book.bet(one.area) else ("insurance",)
                warnings.append(BookWarning(Concern.COUNTABLE, one.area, place, sentence))
        return tuple(warnings)


class BookProblem(msgspec.Struct, frozen=True):
    place: str
    line: int | None
    file: str
    problem: str


class LocatedWarning(msgspec.Struct, frozen=True):
    """A warning with its place in a file, and why the book acknowledges it, if it does."""

    warning: str
    place: str
    line: int | None
    file: str
    sentence: str
    acknowledged: str | None


class EdgeOfDecks(msgspec.Struct, frozen=True):
    """What the house keeps with a number of decks, and the exact expectation of the player."""

    decks: int
    edge: float
    ev: str


class BetEdges(msgspec.Struct, frozen=True):
    bet: str
    edges: tuple[EdgeOfDecks, ...]


class CheckedBook(msgspec.Struct, frozen=True):
    """What `punto check` says for programs: only the problems, where there are any."""

    file: str
    ok: bool
    problems: tuple[BookProblem, ...]
    book: str | UnsetType = UNSET
    digest: str | UnsetType = UNSET
    bets: tuple[BetEdges, ...] | UnsetType = UNSET
    warnings: tuple[LocatedWarning, ...] | UnsetType = UNSET
    not_counted: tuple[str, ...] | UnsetType = UNSET
    """Bets that no card counter was tried on; only where counting was asked for."""

    @classmethod
    def wrong(cls, file: str, problems: Iterable[Problem]) -> CheckedBook:
        return cls(file, False, tuple(BookProblem(*_place(each, file), str(each.sentence)) for each in problems))

    @classmethod
    def of(
        cls,
        file: str,
        examined: Examination,
        warnings: Iterable[tuple[BookWarning, Problem]],
        study: Countability | None,
    ) -> CheckedBook:
        """A book that was examined; each warning comes with where it stands in the file."""
        book = examined.book
        reasons = {entry.warning: entry.reason for entry in book.text.acknowledged}
        edges = tuple(
            BetEdges(one.area, tuple(EdgeOfDecks(n, float(edge), fraction(-edge)) for n, edge in one.edges.items()))
            for one in examined.bets
        )
        located = tuple(
            LocatedWarning(warning.name, *_place(problem, file), str(warning.sentence), reasons.get(warning.name))
            for warning, problem in warnings
        )
        not_counted = tuple(study.not_followed) if study is not None else UNSET
        return cls(file, True, (), book.name, digest_of(book), edges, located, not_counted)


def _place(problem: Problem, file: str) -> tuple[str, int | None, str]:
    return format_place(problem.place).removesuffix(": "), problem.line, problem.file or file


def decks_told(decks: int) -> str:
    return told("decks.one") if decks == 1 else told("decks.many", number=decks)


def decimal_odds(odds: Fraction) -> str:
    """Odds to one as a book writes them, `0.95:1`; in whole numbers where they have no end, `1:3`."""
    decimal = Decimal(odds.numerator) / Decimal(odds.denominator)
    return f"{decimal.normalize():f}:1" if Fraction(decimal) == odds else format_odds(odds)


def _per_cent(rate: Fraction) -> str:
    """The rate of a commission as a book writes it: `4.5%`."""
    return f"{decimal_odds(100 * rate).removesuffix(':1')}%"


def _amount(value: Fraction) -> str:
    return f"{float(value):.4g}" if value.denominator > 1 else str(value)


def _order(place: Place) -> tuple[tuple[str, int], ...]:
    return tuple((step, 0) if isinstance(step, str) else ("", step) for step in place)
