"""A book compiled into total look-up tables, which the table, the odds, the simulator and the pages all hold;
its digest, the same wherever the same rules are; and what its betting areas and hands are called on the
layout.

The digest is the SHA-256 of the JSON document that `punto rules BOOK --json` prints, written again in one
fixed way: UTF-8, sorted keys, no blanks, no escapes for letters outside ASCII, so that anybody can recompute
it. Defaults are left out of the document, so a new optional field of the book format changes no digest.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, fields

import msgspec

from punto.rules import book_file, book_text
from punto.rules.authority import Authority
from punto.rules.book_file import Loader, Taker
from punto.rules.book_text import Area, Bet, BookText, Clause, Declaration, Finding, Irregularity
from punto.rules.entry import Labels, each_of
from punto.rules.outcome import Facts, Hand, insurance_area
from punto.rules.pay_table import Condition, InsuranceOffer, Offers, PayTable, compile_offers, compile_pay_table
from punto.rules.table_of_play import Play, compile_play
from punto.rules.told import told
from punto.rules.validation import BookError, Place, Problem
from punto.suggestion import did_you_mean
from punto.words import ENGLISH, Language, phrases


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Book:
    """A rule book with its table of play, pay tables and insurance offers proven total."""

    text: BookText  # What the file says, for whoever prints it or takes its digest.
    play: Play
    pay_tables: dict[str, PayTable]  # By betting area.
    offers: Offers
    declarations: tuple[tuple[Declaration, Condition], ...]

    known_digest: str | None = field(default=None, init=False)  # Kept by `digest_of`, which is where to ask for it.
    name: str = field(init=False)
    title: str = field(init=False)
    source: str = field(init=False)
    version: str | None = field(init=False)
    effective: str | None = field(init=False)
    decks: book_text.Decks = field(init=False)
    layouts: tuple[book_text.Layout, ...] = field(init=False)
    betting: book_text.Betting = field(init=False)
    limits: book_text.Limits = field(init=False)
    bets: tuple[Bet, ...] = field(init=False)
    insurance: book_text.Insurance | None = field(init=False)
    ante: book_text.Ante | None = field(init=False)
    squeeze: book_text.Squeeze | None = field(init=False)
    settlement: book_text.Settlement = field(init=False)
    authority: tuple[Authority, ...] = field(init=False)
    irregularities: tuple[Irregularity, ...] = field(init=False)
    clauses: tuple[Clause, ...] = field(init=False)
    # What a table asks for with every bet and every card, looked up instead of searched for.
    _bets: dict[str, Bet] = field(init=False)
    _main_areas: dict[Hand, str] = field(init=False)
    _wagers: dict[str, str] = field(init=False)
    _antes: dict[str, str] = field(init=False)
    _irregularities: dict[Finding, Irregularity] = field(init=False)

    def __post_init__(self) -> None:
        for name in _TAKEN_OVER:
            object.__setattr__(self, name, getattr(self.text, name))
        mains = {bet.hand: bet.area for bet in self.bets if bet.kind is Area.MAIN}
        pairs = self.ante.pairs if self.ante else ()
        object.__setattr__(self, "_bets", {bet.area: bet for bet in self.bets})
        object.__setattr__(self, "_main_areas", {hand: mains.get(hand, "") for hand in Hand})
        object.__setattr__(self, "_wagers", {pair.ante: pair.wager for pair in pairs})
        object.__setattr__(self, "_antes", {pair.wager: pair.ante for pair in pairs})
        object.__setattr__(self, "_irregularities", {entry.kind: entry for entry in self.irregularities})

    def __repr__(self) -> str:
        return f"<Book {self.name}: {self.title}, {len(self.bets)} bets>"

    def _repr_html_(self) -> str:
        """The bets of the book with all that they pay, as a notebook shows it."""
        from punto.documents.page import Grid
        from punto.documents.typesetting import blocks_html
        from punto.rules import wording

        rows = []
        for area, table in self.pay_tables.items():
            for i, row in enumerate(table.rows):
                when, pays = wording.row_words(row), wording.outcome_words(row.outcome)
                rows.append(("" if i else label_of(self, area), "" if i else area, when, pays, row.outcome.clause))
        heads, title = ("Bet", "Area", "When", "Pays", "Clause"), f"{self.title} ({self.name})"
        decks = wording.either_words([str(number) for number in self.decks.allowed])
        grid = Grid(heads, tuple(rows), title, right=(3,))
        return blocks_html(grid, f"{self.source}. Played with {decks} decks of 52 cards.")

    @property
    def insurance_areas(self) -> dict[str, tuple[Hand, int]]:
        """Betting areas of insurance, each with its hand and the number of cards of its window."""
        return {insurance_area(hand, w.cards): (hand, w.cards) for w in self.offers.windows for hand in Hand}

    @property
    def opening_areas(self) -> tuple[str, ...]:
        """Betting areas that take bets before the deal: all but wagers and insurance."""
        return tuple(bet.area for bet in self.bets if bet.kind is not Area.WAGER)

    @property
    def outright_areas(self) -> tuple[str, ...]:
        """Betting areas that open before the deal and are decided by it alone: no ante, no wager."""
        return tuple(bet.area for bet in self.bets if bet.kind in (Area.MAIN, Area.SIDE))

    @property
    def areas(self) -> tuple[str, ...]:
        """Every betting area, insurance included."""
        return (*self.pay_tables, *self.insurance_areas)

    def area_named(self, text: str) -> str:
        """The betting area that a text names, in any case, `Banker` or `Dragon 7`; else the text itself."""
        name = "-".join(text.lower().replace("_", " ").split())
        return name if text not in self.areas and name in self.areas else text

    def one_of(self, areas: Sequence[str], text: object) -> str:
        """The one of these betting areas that is named, in any case; `KeyError` has the nearest where none is."""
        area = self.area_named(text) if isinstance(text, str) else text
        if area in areas:
            return str(area)
        if area in self.areas:
            raise KeyError(f"{area} is a bet of {self.name}, but not one of these: {', '.join(areas)}")
        raise KeyError(f"{self.name} has no bet {text!r}{did_you_mean(str(text), areas)}; it has {', '.join(areas)}")

    def bet(self, area: str) -> Bet | None:
        return self._bets.get(area)

    def wager_of(self, area: str) -> str | None:
        return self._wagers.get(area)

    def ante_of(self, area: str) -> str | None:
        return self._antes.get(area)

    def clause(self, number: str) -> Clause | None:
        return self.text.clause(number)

    def main_area(self, hand: Hand) -> str:
        """The betting area of the main bet on a hand; empty where the book has none."""
        return self._main_areas[hand]

    def irregularity(self, kind: Finding) -> Irregularity | None:
        return self._irregularities.get(kind)

    def clause_of(self, kind: Finding) -> str | None:
        """The clause on something that can go wrong, where the document has one."""
        entry = self.irregularity(kind)
        return entry.clause if entry is not None else None

    def open_offers(
        self, cards: int, player_points: int, banker_points: int, third: int | None = None
    ) -> tuple[InsuranceOffer, ...]:
        """Insurance open with these cards on the table: the pay table has a row, and a card is still to come.

        `third` is the points of Player's third card, once it is on the table.
        """
        offers = self.offers.cells.get((cards, player_points, banker_points), ())
        if not offers or (cards == 5 and third is None):
            return ()
        return offers if self.play.brings_card(player_points, banker_points, third) else ()

    def declared(self, facts: Facts) -> tuple[str, ...]:
        totals, player, banker = facts.totals, facts.player_pair, facts.banker_pair
        return tuple(one.name for one, condition in self.declarations if condition.holds(totals, player, banker))


MOST_CELLS_OF_BOOK = 2_000_000  # Pairs of codes that all bets on single cards may tell apart together.

_TAKEN_OVER = tuple(each.name for each in fields(Book) if not each.init and each.name in BookText.__struct_fields__)
"""Parts of the text that stand in the book as they are."""


class LayoutBoxes(msgspec.Struct, frozen=True):
    """A layout, and how many betting boxes it has."""

    name: str
    boxes: int


class BookSummary(msgspec.Struct, frozen=True):
    """A book in a list of books."""

    name: str
    title: str
    source: str
    effective: str | None
    decks: tuple[int, ...]
    layouts: tuple[LayoutBoxes, ...]
    areas: tuple[str, ...]
    clauses: int

    @classmethod
    def of(cls, book: Book) -> BookSummary:
        layouts = tuple(LayoutBoxes(layout.name, layout.boxes) for layout in book.layouts)
        decks, clauses = book.decks.allowed, len(book.clauses)
        return cls(book.name, book.title, book.source, book.effective, decks, layouts, book.areas, clauses)


def compile_book(text: BookText, file: str | None = None) -> Book:
    """Compile a book; `BookError` names every gap, overlap and row that can never happen."""
    compiled = _compile(text)
    if isinstance(compiled, list):
        raise BookError(file or text.name, compiled)
    return compiled


def read_book(
    toml: str, file: str, loader: Loader = book_file.no_other_files, taker: Taker = book_file.no_catalogue
) -> Book:
    """From TOML text to a compiled book; problems carry the lines they stand at."""
    return read_resolved(book_file.resolve_source(book_file.BookSource(file, toml), loader, taker))


def read_resolved(resolved: book_file.Resolved) -> Book:
    """The compiled book of these values; problems carry the files and lines they stand at."""
    text, problems = book_file.examined(resolved)
    # What a file builds on and has not got may be wrong anywhere.
    wrong: set[Place] = {()} if resolved.problems else {problem.place[:2] for problem in problems}
    compiled = _compile(text, wrong)
    if isinstance(compiled, list):
        raise BookError(resolved.source.file, resolved.located(problems + compiled))
    return compiled


def _compile(text: BookText, wrong: Collection[Place] = ()) -> Book | list[Problem]:
    """The compiled book, or what compiling finds; `wrong` are entries with a problem, of which it asks nothing more."""
    sections = {place[:1] for place in wrong}
    if sections & {(), ("play",), ("decks",)} or ("bets",) in wrong:
        return []
    play = compile_play(text.play)
    if isinstance(play, list):
        return play
    problems: list[Problem] = []
    pay_tables, by_area = {}, {bet.area: bet for bet in text.bets}
    cells = 0
    for i, bet in enumerate(text.bets):
        if cells > MOST_CELLS_OF_BOOK:
            sentence = told("too-many-hands")
            problems.append(Problem(("bets", i), sentence))
            break
        if ("bets", i) in wrong or (("bets",) in sections and _asks_bets(bet)):
            continue
        table = compile_pay_table(bet, play, ("bets", i), max(text.decks.allowed), by_area)
        if isinstance(table, list):
            problems += table
        else:
            pay_tables[bet.area] = table
            cells += table.cards.cells if table.cards is not None else 0
    offers = compile_offers(None if ("insurance",) in sections else text.insurance, play)
    if isinstance(offers, list):
        problems += offers
    if problems or wrong or isinstance(offers, list):
        return problems
    declarations = tuple((d, Condition(each_of(d.when), play)) for d in text.declarations)
    return Book(text, play, pay_tables, offers, declarations)


def _asks_bets(bet: Bet) -> bool:
    """Whether what becomes of it hangs on other bets."""
    return any(when.wins for row in bet.pays for when in each_of(row.when))


SHORT_DIGEST = 12  # Digits of a digest that are shown where there is no room for all of them.


def require_book(book: object) -> None:
    """Raise `TypeError` for the name of a book where the book itself is needed, and say how to read it."""
    if isinstance(book, str):
        raise TypeError(f"a book is needed here, not a name; punto.books.load({book!r}) reads it")


def digest_of(book: Book | BookText) -> str:
    """The SHA-256 of a book, as 64 hexadecimal digits."""
    if isinstance(book, Book):
        if book.known_digest is None:
            # Every table that is opened names it, so a compiled book computes it once.
            object.__setattr__(book, "known_digest", digest_of(book.text))
        assert book.known_digest is not None
        return book.known_digest
    import hashlib  # here, because a book that is only read needs no digest, and they take long to load
    import json

    document = json.loads(msgspec.json.encode(book))
    canonical = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


Naming = Callable[[Labels, Language], str]  # What a label of a book is in a language.


def own_name(labels: Labels, language: Language) -> str:
    """What the book itself says, or its English where it says nothing in this language."""
    return labels.own(language) or labels.en


def label_of(book: Book, area: str, language: Language = ENGLISH, name_of: Naming = own_name) -> str:
    """The name of a betting area; insurance, for which no layout has a place, is named with its hand."""
    bet = book.bet(area)
    if bet is not None:
        return name_of(bet.labels, language)
    assert book.insurance is not None and area in book.insurance_areas, f"no betting area {area}"
    hand, _ = book.insurance_areas[area]
    return phrases(language, "conditions.toml")["insurance_on"].format(
        insurance=name_of(book.insurance.labels, language), hand=hand_label(book, hand, language, name_of)
    )


def hand_label(book: Book, hand: Hand, language: Language = ENGLISH, name_of: Naming = own_name) -> str:
    """The name of a hand: that of its main bet on the layout."""
    bet = book.bet(book.main_area(hand))
    return hand.value.title() if bet is None else name_of(bet.labels, language)
