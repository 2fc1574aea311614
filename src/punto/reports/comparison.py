"""Two books side by side: what their rules say differently, and what that does to every bet.

Entries are compared by their names, as a book that extends another one replaces them. Odds are exact, with
the same number of decks on both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import msgspec

from punto.documents.page import Block, Grid, Page, Section, figures, fraction, percent
from punto.odds.ante import ante_odds
from punto.odds.bet_odds import BetOdds, book_odds
from punto.odds.insurance import insurance_odds
from punto.odds.known_cards import Undealt
from punto.rules.book import Book, Naming, digest_of, hand_label, label_of, own_name
from punto.rules.book_file import NAMED, entry_name
from punto.rules.outcome import Hand
from punto.rules.pay_table import CompiledRow
from punto.rules.wording import counted, outcome_words, rate_words, row_words
from punto.words import ENGLISH, LabelView, Language, in_every_language, languages, phrases, said

NOTHING = "-"  # What stands where a book has no such thing.
_IDENTITY = ("name", "title", "source", "effective", "version", "zh_hans", "zh_hant")
_SECTIONS = (
    *("bets", "decks", "layouts", "betting", "limits", "play", "declarations", "insurance", "ante", "squeeze"),
    *("settlement", "irregularities", "authority", "acknowledged", "clauses"),
)
_HEADINGS = {"play": "Table of play", "ante": "Antes", "acknowledged": "Acknowledged warnings"}


class Difference(msgspec.Struct, frozen=True):
    """One thing that the books say differently; None where a book does not say it."""

    section: str
    what: str
    first: str | None
    second: str | None


class PayDifference(msgspec.Struct, frozen=True):
    """A row that pays otherwise, or that one book does not have."""

    bet: str
    when: str
    first: str | None
    second: str | None


class BetBeside(NamedTuple):
    """A bet in both books, or in one of them."""

    area: str
    label: str
    first: BetOdds | None
    second: BetOdds | None

    @property
    def change(self) -> Fraction | None:
        """By how much the house edge of the second is higher."""
        return self.second.edge - self.first.edge if self.first and self.second else None


class SpecialBet(NamedTuple):
    """A bet whose worth depends on decisions: a main bet with the best insurance, or an ante."""

    area: str
    hand: Hand | None = None  # The insured hand.


class NoSharedDecks(ValueError):
    """Two books cannot be compared with these decks; `shared` are those that both allow."""

    def __init__(self, first: Book, second: Book, shared: Sequence[int]) -> None:
        self.shared = tuple(shared)
        super().__init__(
            f"--decks must be a number that both books allow: {', '.join(map(str, shared))}"
            if shared
            else f"{first.name} and {second.name} allow no number of decks in common"
        )


def shared_decks(first: Book, second: Book) -> tuple[int, ...]:
    return tuple(sorted({*first.decks.allowed} & {*second.decks.allowed}))


def compared_decks(first: Book, second: Book, decks: int | None) -> int:
    """The decks asked for, which both books must allow; by default eight, or the most that both allow."""
    both = shared_decks(first, second)
    if not both or (decks is not None and decks not in both):
        raise NoSharedDecks(first, second, both)
    return decks or (USUAL_DECKS if USUAL_DECKS in both else both[-1])


USUAL_DECKS = 8


class Comparison:
    def __init__(self, first: Book, second: Book, decks: int) -> None:
        self.first, self.second, self.decks = first, second, decks

    @property
    def books(self) -> tuple[Book, Book]:
        return self.first, self.second

    @property
    def is_same(self) -> bool:
        return digest_of(self.first) == digest_of(self.second)

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """All that the books say differently, beside what their bets pay and which bets they have."""
        first, second = (msgspec.json.decode(msgspec.json.encode(book.text)) for book in self.books)
        pays = [{bet["area"]: bet["pays"] for bet in side["bets"]} for side in (first, second)]
        shared = pays[0].keys() & pays[1].keys()
        for side in (first, second):
            bets = [bet for bet in side["bets"] if bet["area"] in shared]
            side["bets"] = [{key: value for key, value in bet.items() if key != "pays"} for bet in bets]
        differences = [_difference("Book", key, first.get(key), second.get(key)) for key in _IDENTITY]
        for section in _SECTIONS:
            heading = _HEADINGS.get(section, section.capitalize())
            differences += _compared(heading, (section,), first.get(section), second.get(section))
        listed = {row.bet for row in self.pay_rows}  # Of the others, rows that say the same are written otherwise.
        alike = [bet for bet in pays[0] if bet in shared and bet not in listed and pays[0][bet] != pays[1][bet]]
        differences += [_difference("Bets", f"{bet}, as written", pays[0][bet], pays[1][bet]) for bet in alike]
        return tuple(one for one in differences if one.first != one.second)

    @cached_property
    def pay_rows(self) -> tuple[PayDifference, ...]:
        """Bets that only one book has, rows that pay otherwise, by their conditions, and their order."""
        return self.pay_rows_in(ENGLISH)

    def pay_rows_in(self, language: Language, name_of: Naming = own_name) -> tuple[PayDifference, ...]:
        """The same in a language, in the same order."""
        differences: list[PayDifference] = []
        for area, *_ in _paired(self.first.pay_tables, self.second.pay_tables):
            words = _PayWords(language, lambda each: self.label(each, language, name_of))
            first, second = (_pay_rows(book, area) for book in self.books)
            differences += [_paid(area, one, other, words) for _, one, other in _paired(first, second)]
            differences.append(_ordered(area, first, second, words))
        return tuple(one for one in differences if one.first != one.second)

    def label(self, area: str, language: Language = ENGLISH, name_of: Naming = own_name) -> str:
        """What a betting area of either book is called."""
        return label_of(self.first if self.first.bet(area) else self.second, area, language, name_of)

    @cached_property
    def bets(self) -> tuple[BetBeside, ...]:
        """Every bet that opens before the deal, antes excepted."""
        undealt = Undealt.of_decks(self.decks)
        first, second = ({bet.area: bet for bet in book_odds(book, undealt).bets} for book in self.books)
        return tuple(BetBeside(area, self.label(area), *odds) for area, *odds in _paired(first, second))

    @cached_property
    def special(self) -> tuple[tuple[SpecialBet, Fraction | None, Fraction | None], ...]:
        """House edges of main bets with the best insurance, and of antes with optimal play."""
        undealt = Undealt.of_decks(self.decks)
        first, second = (_special_edges(book, undealt) for book in self.books)
        return tuple(_paired(first, second))

    def special_name(self, bet: SpecialBet, language: Language = ENGLISH, name_of: Naming = own_name) -> str:
        """What a bet with decisions is called."""
        book = self.first if self.first.bet(bet.area) else self.second
        if bet.hand is None:
            name = label_of(book, bet.area, language, name_of)
        else:
            name = bet.hand.value.title() if language == ENGLISH else hand_label(book, bet.hand, language, name_of)
        return said(language, "conditions.toml", f"beside.{'ante' if bet.hand is None else 'insured'}", {"bet": name})


_K = TypeVar("_K")
_V = TypeVar("_V")


def _paired(first: Mapping[_K, _V], second: Mapping[_K, _V]) -> Iterator[tuple[_K, _V | None, _V | None]]:
    """Every key of the two in its order, with what each has for it."""
    for key in dict.fromkeys((*first, *second)):
        yield key, first.get(key), second.get(key)


def _special_edges(book: Book, undealt: Undealt) -> dict[SpecialBet, Fraction]:
    insured = insurance_odds(book, undealt).bets if book.insurance is not None else ()
    sides = ante_odds(book, undealt).sides if book.ante is not None else ()
    edges = {SpecialBet(book.main_area(one.hand), one.hand): one.edge for one in insured}
    return edges | {SpecialBet(side.pair.ante): side.edge for side in sides}


def _pay_rows(book: Book, area: str) -> dict[str, CompiledRow]:
    """The rows of a bet in their order, by their conditions; one that comes again is numbered."""
    rows: dict[str, CompiledRow] = {}
    for row in book.pay_tables[area].rows if area in book.pay_tables else ():
        words = row_words(msgspec.structs.replace(row, is_overlapped=False))
        again = sum(1 for key in rows if key == words or key.startswith(f"{words} ("))
        rows[f"{words} ({again + 1})" if again else words] = row
    return rows


class _PayWords(NamedTuple):
    """How rows of pay tables are told."""

    language: Language
    label: Callable[[str], str]

    def when(self, row: CompiledRow) -> str:
        return row_words(row, self.language, str if self.language == ENGLISH else self.label)

    def pays(
        self, row: CompiledRow, *, is_clause_named: bool, is_place_named: bool, is_commission_named: bool = False
    ) -> str:
        words = phrases(self.language, "conditions.toml")
        outcome = outcome_words(row.outcome)
        text = words.get(f"beside.{outcome}", outcome)
        if is_commission_named and (kept := row.outcome.commission) is not None:
            text += words["beside.commission"].format(rate=rate_words(kept.rate))
            text += words["beside.clause"].format(clause=kept.clause) if kept.clause else ""
        if is_clause_named:
            text += words["beside.clause"].format(clause=row.outcome.clause)
        return text + words["beside.no_row_above"] if is_place_named else text


def _paid(area: str, first: CompiledRow | None, second: CompiledRow | None, words: _PayWords) -> PayDifference:
    """What a row pays in both books; with its commission where that differs, and with its clause or its place where
    only those do."""
    sides = [row for row in (first, second) if row is not None]
    is_alike = len({row.is_overlapped for row in sides}) == 1
    when = words.when(sides[0] if is_alike else msgspec.structs.replace(sides[0], is_overlapped=False))
    by_clause = len({outcome_words(row.outcome) for row in sides}) == 1
    kept = {row.outcome.commission and (row.outcome.commission.rate, row.outcome.commission.clause) for row in sides}

    def pays(row: CompiledRow | None) -> str | None:
        if row is None:
            return None
        is_clause_named = by_clause and len({one.outcome.clause for one in sides}) > 1
        return words.pays(
            row,
            is_clause_named=is_clause_named,
            is_place_named=not is_alike and row.is_overlapped,
            is_commission_named=len(sides) == 1 or len(kept) > 1,
        )

    return PayDifference(area, when, pays(first), pays(second))


def _ordered(
    area: str, first: dict[str, CompiledRow], second: dict[str, CompiledRow], words: _PayWords
) -> PayDifference:
    """The order of the rows that both books have: of rows that overlap, the first that holds counts."""
    shared = [[key for key in side if key in other] for side, other in ((first, second), (second, first))]

    def told(side: dict[str, CompiledRow], keys: list[str]) -> str:
        places = list(side)
        names = {key: words.when(msgspec.structs.replace(side[key], is_overlapped=False)) for key in keys}
        return " | ".join(f"{places.index(key) + 1}. {names[key]}" for key in keys)

    orders = [told(side, keys) for side, keys in zip((first, second), shared, strict=True)]
    name = phrases(words.language, "conditions.toml")["beside.order"]
    return PayDifference(area, name, *orders if shared[0] != shared[1] else ("", ""))


def _compared(heading: str, place: tuple[str, ...], first: Any, second: Any) -> list[Difference]:
    """Sections key by key, named entries by name, and everything else whole."""
    if place in NAMED:
        named = [{str(entry_name(place, entry)): entry for entry in side or ()} for side in (first, second)]
        what = place[-1].removesuffix("s") if len(place) > 1 else ""
        entries = _paired(named[0], named[1])
        differences = [_difference(heading, f"{what} {name}".strip(), *sides) for name, *sides in entries]
        shared = [[name for name in side if name in other] for side, other in (named, named[::-1])]
        if shared[0] != shared[1]:
            differences.append(_difference(heading, f"order of {what or heading.lower()}", *shared))
        return differences
    if len(place) == 1 and all(isinstance(side, dict | None) for side in (first, second)):
        parts = [_compared(heading, (*place, key), *sides) for key, *sides in _paired(first or {}, second or {})]
        return [difference for part in parts for difference in part]
    return [_difference(heading, place[-1], first, second)]


def _difference(section: str, what: str, first: Any, second: Any) -> Difference:
    if isinstance(first, dict) and isinstance(second, dict):  # only what differs of the two
        keys = [key for key, *sides in _paired(first, second) if sides[0] != sides[1]]
        first, second = ({key: side[key] for key in keys if key in side} for side in (first, second))
    return Difference(section, what, _words(first), _words(second))


def _words(value: Any) -> str | None:
    """A value of a book as people read it."""
    if value is None:
        return None
    if isinstance(value, dict):
        return ", ".join(f"{key} {_words(item)}" for key, item in value.items()) or "nothing more"
    if isinstance(value, list):
        between = "; " if any(isinstance(item, dict) for item in value) else " "
        return between.join(str(_words(item)) for item in value)
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def comparison_page(comparison: Comparison) -> Page:
    facts = tuple(
        (f"{number} book", f"{book.title} ({book.name}), digest {digest_of(book)}")
        for number, book in zip(("First", "Second"), comparison.books, strict=True)
    )
    sections = [Section(f"What bets are worth, {counted(comparison.decks, 'deck')}", tuple(_worth(comparison)))]
    if comparison.pay_rows:
        rows = tuple((row.bet, row.when, *_sides(row)) for row in comparison.pay_rows)
        sections.append(Section("What pays otherwise", (Grid(("bet", "when", "first", "second"), rows, grows=1),)))
    for heading in dict.fromkeys(one.section for one in comparison.differences):
        cells = tuple((row.what, *_sides(row)) for row in comparison.differences if row.section == heading)
        sections.append(Section(heading, (Grid(("", "first", "second"), cells, grows=2),)))
    title = f"{comparison.first.name} and {comparison.second.name}"
    lead = ("The two books say the same.",) if comparison.is_same else ()
    return Page(title, tuple(sections), "two rule books compared", lead, facts)


def _sides(row: Difference | PayDifference) -> tuple[str, str]:
    return row.first or NOTHING, row.second or NOTHING


def _worth(comparison: Comparison) -> list[Block]:
    rows = []
    for bet in comparison.bets:
        sides = (bet.first, bet.second)
        rows.append(
            (
                bet.label,
                *(percent(side.edge) if side else NOTHING for side in sides),
                NOTHING if bet.change is None else f"{float(bet.change) * 100:+.4f}",
                *(percent(side.win, 2) if side else NOTHING for side in sides),
                *(f"{side.sd:.3f}" if side else NOTHING for side in sides),
            )
        )
    heads = ("Bet", "House edge", "second", "Change", "Hit rate", "second", "Deviation", "second")
    special = [
        (comparison.special_name(bet), *(NOTHING if edge is None else percent(edge) for edge in edges))
        for bet, *edges in comparison.special
    ]
    decisions = [figures("With decisions", ("Bet", "House edge", "second"), special)] if special else []
    return [figures("", heads, rows), *decisions]


class ComparedBook(msgspec.Struct, frozen=True):
    book: str
    title: str
    digest: str


class ComparedOdds(msgspec.Struct, frozen=True):
    edge: float
    ev: str  # As a fraction.
    hit: float
    sd: float


class ComparedBet(msgspec.Struct, frozen=True):
    bet: str
    first: ComparedOdds | None
    second: ComparedOdds | None


class ComparedDecision(msgspec.Struct, frozen=True):
    """What a bet with decisions is worth, as fractions."""

    bet: str
    first: str | None
    second: str | None


class ComparisonRecord(msgspec.Struct, frozen=True):
    """The comparison for programs; docs/reference/command-line.md describes it."""

    decks: int
    same: bool
    books: tuple[ComparedBook, ...]
    bets: tuple[ComparedBet, ...]
    special: tuple[ComparedDecision, ...]
    pays: tuple[PayDifference, ...]
    differences: tuple[Difference, ...]


class ComparedPay(msgspec.Struct, frozen=True):
    """A row that pays otherwise, in every language."""

    when: LabelView
    first: LabelView | None
    second: LabelView | None


class ComparedBooks(ComparisonRecord, frozen=True, kw_only=True):
    """The comparison with its words in every language."""

    shared: tuple[int, ...]  # Numbers of decks that both books allow.
    labels: dict[str, LabelView]  # What betting areas are called.
    pay_words: tuple[ComparedPay, ...]  # In the order of `pays`.
    special_words: tuple[LabelView, ...]  # In the order of `special`.


def compared_books(comparison: Comparison, name_of: Naming) -> ComparedBooks:
    """The comparison for pages; `name_of` says what labels are in languages that a book has not."""
    record = comparison_record(comparison)
    pays = {language: comparison.pay_rows_in(language, name_of) for language in languages()}

    def words_of(place: int, name: str) -> LabelView | None:
        texts = [getattr(pays[language][place], name) for language in languages()]
        return None if texts[0] is None else LabelView(*texts)

    def label(area: str) -> LabelView:
        return in_every_language(lambda language: comparison.label(area, language, name_of))

    def special(bet: SpecialBet) -> LabelView:
        return in_every_language(lambda language: comparison.special_name(bet, language, name_of))

    areas = dict.fromkeys((*(bet.bet for bet in record.bets), *(row.bet for row in record.pays)))
    rows = range(len(record.pays))
    return ComparedBooks(
        **msgspec.structs.asdict(record),
        shared=shared_decks(*comparison.books),
        labels={area: label(area) for area in areas},
        pay_words=tuple(
            ComparedPay(words_of(n, "when") or label(record.pays[n].bet), words_of(n, "first"), words_of(n, "second"))
            for n in rows
        ),
        special_words=tuple(special(bet) for bet, *_ in comparison.special),
    )


def comparison_record(comparison: Comparison) -> ComparisonRecord:
    return ComparisonRecord(
        comparison.decks,
        comparison.is_same,
        tuple(ComparedBook(book.name, book.title, digest_of(book)) for book in comparison.books),
        tuple(ComparedBet(bet.area, _odds(bet.first), _odds(bet.second)) for bet in comparison.bets),
        tuple(
            ComparedDecision(comparison.special_name(bet), *map(_value, edges)) for bet, *edges in comparison.special
        ),
        comparison.pay_rows,
        comparison.differences,
    )


def _odds(bet: BetOdds | None) -> ComparedOdds | None:
    return None if bet is None else ComparedOdds(float(bet.edge), fraction(bet.ev), float(bet.win), bet.sd)


def _value(edge: Fraction | None) -> str | None:
    return None if edge is None else fraction(-edge)
