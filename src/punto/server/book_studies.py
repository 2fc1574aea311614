"""What the count rooms work out about a rule book, whatever table it lies on: odds without some cards, how far bets
can be counted, the PAR sheet, and the published bets with their exact edges.

What draws and plays shoes is loaded where it is asked for: a server that nobody asks has none of it.
"""

from __future__ import annotations

import base64

from punto.books.catalogue import section
from punto.books.translation import name_in
from punto.floor.book_shelf import read_text
from punto.odds.known_cards import UndealtError
from punto.odds.odds_answer import ExploredOdds, explored_odds
from punto.reports.comparison import ComparedBooks, Comparison, NoSharedDecks, compared_books, compared_decks
from punto.rules.book import Book
from punto.rules.validation import BookError
from punto.server.count_room import CountRoomProcess, examined_in_time
from punto.server.messages import CatalogueSectionAnswer, RemovalAnswer, RemovalEntry
from punto.server.validation import Rejected, ServerReason
from punto.table.terms import default_terms
from punto.views.catalogue_view import BetRecord, count_bets


def compare_books(_: CountRoomProcess, first: Book, second: Book | tuple[str, str], decks: int | None) -> ComparedBooks:
    """Two books side by side; the second may be a text that was sent, with the name of its file."""
    file = second[1] if isinstance(second, tuple) else second.name
    try:
        with examined_in_time(file):
            other = read_text(*second) if isinstance(second, tuple) else second
            return compared_books(Comparison(first, other, compared_decks(first, other, decks)), name_in)
    except BookError as error:
        wrong = error.problems[0]
        where = f"line {wrong.line}: " if wrong.line else ""
        raise Rejected(409, ServerReason.WRONG_BOOK, file=file, problem=f"{where}{wrong.sentence}") from None
    except NoSharedDecks as error:
        shared = ", ".join(map(str, error.shared)) or "–"
        raise Rejected(409, ServerReason.NO_SHARED_DECKS, decks=shared) from None


def explore_odds(_: CountRoomProcess, book: Book, decks: int, removed: tuple[str, ...]) -> ExploredOdds:
    try:
        return explored_odds(book, decks, removed)
    except UndealtError as error:
        raise Rejected(409, ServerReason.NO_ADVICE, why=str(error)) from None


def count_removals(_: CountRoomProcess, book: Book, decks: int) -> RemovalAnswer:
    """What one card less does to every bet, and the tags that follow it best; no shoe is played for it."""
    from punto.studies.card_counting import best_tags, insured_removals, removals
    from punto.studies.expectations import insured_areas

    insured, bets = insured_areas(book), []
    for one in (*removals(book, decks).bets, *insured_removals(book, decks)):
        tags = best_tags([float(effect) for effect in one.effects])
        hand = insured.get(one.area)
        area = one.area if hand is None else book.main_area(hand)
        effects = tuple(float(effect) for effect in one.effects)
        bets.append(RemovalEntry(area, hand is not None, one.names, effects, tags.values, tags.correlation))
    return RemovalAnswer(book.name, decks, tuple(bets))


def draw_par_sheet(_: CountRoomProcess, book: Book, decks: int, ending: str) -> str:
    """The PAR sheet as a file, in Base64. It has what is exact; the command line also plays shoes for it."""
    from punto.reports.formats import FORMATS
    from punto.reports.par_sheet import par_sheet, stated_limits
    from punto.studies.house_risk import StakeLimits

    terms = default_terms(book)
    stakes = StakeLimits(terms.minimum, terms.maximum, terms.differential)
    sheet = par_sheet(book, decks, 0, 1, limits=stated_limits(book, stakes, terms.minimum))
    return base64.b64encode(FORMATS[ending](sheet)).decode()


def price_section(_: CountRoomProcess, name: str, decks: int) -> CatalogueSectionAnswer:
    found = section(name)
    bets = tuple(map(BetRecord.of, count_bets(found.bets, decks)))
    return CatalogueSectionAnswer(name, found.title, decks, bets)
