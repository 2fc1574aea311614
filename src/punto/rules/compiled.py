"""A book compiled into total look-up tables: what the table, the odds and the simulator all share."""

from __future__ import annotations

from dataclasses import dataclass, field

from punto.rules.bet import Area, Bet, Declaration
from punto.rules.book import Book
from punto.rules.facts import Facts, Hand
from punto.rules.irregularity import Irregular, Irregularity
from punto.rules.offers import InsuranceOffer, Offers, compile_offers, insurance_area
from punto.rules.parse import located, parse_book
from punto.rules.pay_table import Condition, PayTable, compile_pay_table
from punto.rules.play import Play, compile_play
from punto.rules.problem import BookError, Problem


@dataclass(frozen=True, slots=True)
class CompiledBook:
    """A book with its table of play, pay tables and insurance offers proven total."""

    book: Book
    play: Play
    pay_tables: dict[str, PayTable]
    """By betting area."""
    offers: Offers
    declarations: tuple[tuple[Declaration, Condition], ...]
    _bets: dict[str, Bet] = field(init=False, repr=False, compare=False)
    _main_areas: dict[Hand, str] = field(init=False, repr=False, compare=False)
    _irregularities: dict[Irregular, Irregularity] = field(init=False, repr=False, compare=False)
    """What a table asks for with every bet and every card, looked up instead of searched for."""

    def __post_init__(self) -> None:
        mains = {bet.hand: bet.area for bet in self.book.bets if bet.kind is Area.MAIN}
        object.__setattr__(self, "_bets", {bet.area: bet for bet in self.book.bets})
        object.__setattr__(self, "_main_areas", {hand: mains.get(hand, "") for hand in Hand})
        irregularities = {entry.kind: entry for entry in self.book.irregularities}
        object.__setattr__(self, "_irregularities", irregularities)

    @property
    def insurance_areas(self) -> dict[str, tuple[Hand, int]]:
        """Betting areas of insurance, each with its hand and the number of cards of its window."""
        return {insurance_area(hand, w): (hand, w.cards) for w in self.offers.windows for hand in Hand}

    @property
    def areas(self) -> tuple[str, ...]:
        """Every betting area, insurance included."""
        return (*self.pay_tables, *self.insurance_areas)

    def bet(self, area: str) -> Bet | None:
        """The bet of a betting area."""
        return self._bets.get(area)

    def main_area(self, hand: Hand) -> str:
        """The betting area of the main bet on a hand; empty where the book has none."""
        return self._main_areas[hand]

    def irregularity(self, kind: Irregular) -> Irregularity | None:
        """What the book says about something that can go wrong."""
        return self._irregularities.get(kind)

    def clause_of(self, kind: Irregular) -> str | None:
        """The clause on something that can go wrong, where the document has one."""
        entry = self.irregularity(kind)
        return entry.clause if entry is not None else None

    def open_offers(
        self, cards: int, player_points: int, banker_points: int, third: int | None = None
    ) -> tuple[InsuranceOffer, ...]:
        """Insurance open with so many cards on the table; `third` is the points of Player's third card."""
        return self.offers.open(cards, player_points, banker_points, third)

    def declared(self, facts: Facts) -> tuple[str, ...]:
        """The names that the dealer calls out for these facts."""
        return tuple(
            declaration.name
            for declaration, condition in self.declarations
            if condition.holds(facts.totals, facts.player_pair, facts.banker_pair)
        )


def compile_book(book: Book, file: str | None = None) -> CompiledBook:
    """Compile a book; `BookError` names every gap, overlap and row that can never happen."""
    compiled, problems = _compile(book)
    if compiled is None:
        raise BookError(file or book.name, problems)
    return compiled


def read_book(text: str, file: str) -> CompiledBook:
    """From TOML text to a compiled book; problems carry the lines they stand at."""
    book = parse_book(text, file)
    compiled, problems = _compile(book)
    if compiled is None:
        raise BookError(file, located(problems, text))
    return compiled


def _compile(book: Book) -> tuple[CompiledBook | None, list[Problem]]:
    play = compile_play(book.play)
    if isinstance(play, list):
        return None, play
    problems: list[Problem] = []
    pay_tables = {}
    for i, bet in enumerate(book.bets):
        table = compile_pay_table(bet, play, ("bets", i), max(book.decks.allowed))
        if isinstance(table, list):
            problems += table
        else:
            pay_tables[bet.area] = table
    offers = compile_offers(book.insurance, play)
    if isinstance(offers, list):
        return None, problems + offers
    if problems:
        return None, problems
    declarations = tuple((d, Condition(d.when, play)) for d in book.declarations)
    return CompiledBook(book, play, pay_tables, offers, declarations), []
