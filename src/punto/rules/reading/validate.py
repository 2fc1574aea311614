"""Whether a book makes sense as a whole: names that are unique, references that lead somewhere, odds that
are odds.

Each check gives the problems it finds, so that a designer sees all of them at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from unicodedata import category

import msgspec

from punto.rules.facts import Hand
from punto.rules.outcome import Result, parse_odds
from punto.rules.reading.condition import complaints
from punto.rules.reading.problem import Place, Problem
from punto.rules.text.acknowledged import Concern
from punto.rules.text.bet import Area, Bet, PayRow
from punto.rules.text.book_text import BookText
from punto.rules.text.insurance import Insurance
from punto.rules.text.when import When

_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)
_MONTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def validate(book: BookText) -> list[Problem]:
    """Everything that is wrong with a book of the right shape."""
    return [
        *_repeats(book),
        *_control_characters(book),
        *_clause_references(book),
        *_conditions(book),
        *_whole(book),
        *(problem for i, bet in enumerate(book.bets) for problem in _bet(book, bet, ("bets", i))),
        *(_insurance(book, book.insurance) if book.insurance else ()),
        *_ante(book),
        *_acknowledged(book),
        *_declarations(book),
    ]


def entries(entry: object, place: Place = ()) -> Iterator[tuple[Place, msgspec.Struct]]:
    """Every entry of a book with its place, from the whole down."""
    if isinstance(entry, msgspec.Struct):
        yield place, entry
        for name in entry.__struct_fields__:
            yield from entries(getattr(entry, name), (*place, name))
    elif isinstance(entry, tuple):
        for i, item in enumerate(entry):
            yield from entries(item, (*place, i))


def _repeats(book: BookText) -> Iterator[Problem]:
    named = {
        "layouts": [layout.name for layout in book.layouts],
        "bets": [bet.area for bet in book.bets],
        "declarations": [declaration.name for declaration in book.declarations],
        "irregularities": [irregularity.kind.value for irregularity in book.irregularities],
        "clauses": [clause.number for clause in book.clauses],
        "acknowledged": [entry.warning for entry in book.acknowledged],
    }
    for section, names in named.items():
        yield from _repeated(names, (section,))
    yield from _repeated(book.decks.allowed, ("decks", "allowed"))


def _repeated(names: Sequence[object], place: Place) -> Iterator[Problem]:
    seen: set[object] = set()
    for i, name in enumerate(names):
        if name in seen:
            yield Problem((*place, i), f"{name} stands here a second time")
        seen.add(name)


def _control_characters(book: BookText) -> Iterator[Problem]:
    """A book is printed on terminals, which obey such characters."""
    for place, entry in entries(book):
        for name in entry.__struct_fields__:
            value = getattr(entry, name)
            for text in value if isinstance(value, tuple) else (value,):
                if isinstance(text, str) and any(category(sign) == "Cc" for sign in text):
                    yield Problem((*place, name), "a line break or other control character stands in a text")


def _clause_references(book: BookText) -> Iterator[Problem]:
    numbers = {clause.number for clause in book.clauses}
    for place, entry in entries(book):
        for name in entry.__struct_fields__:
            number = getattr(entry, name)
            if name.endswith("clause") and number is not None and number not in numbers:
                yield Problem((*place, name), f"the book has no clause {number}")


def _conditions(book: BookText) -> Iterator[Problem]:
    for place, entry in entries(book):
        if isinstance(entry, When):
            for fact, sentence in complaints(entry):
                yield Problem((*place, fact) if fact else place, sentence)


def _whole(book: BookText) -> Iterator[Problem]:
    if book.effective is not None and not _is_date(book.effective):
        yield Problem(("effective",), f"{book.effective!r} is not a date; write year-month-day")
    for name, section in (("layouts", book.layouts), ("bets", book.bets), ("clauses", book.clauses)):
        if not section:
            yield Problem((name,), "a book has at least one")
    if not book.decks.allowed:
        yield Problem(("decks", "allowed"), "at least one number of decks is allowed")
    for i, layout in enumerate(book.layouts):
        least, most = layout.boxes_least or layout.boxes, layout.boxes_most or layout.boxes
        sentence = f"{layout.boxes} boxes are not between {least} and {most}"
        if layout.boxes < least:
            yield Problem(("layouts", i, "boxes_least"), sentence)
        if layout.boxes > most:
            yield Problem(("layouts", i, "boxes_most"), sentence)
    for hand in Hand:
        mains = [i for i, bet in enumerate(book.bets) if bet.kind is Area.MAIN and bet.hand is hand]
        for i in mains[1:]:
            sentence = f"there is a main bet on the {hand.value} hand already: {book.bets[mains[0]].area}"
            yield Problem(("bets", i), sentence)


def _is_date(text: str) -> bool:
    date = _DATE.fullmatch(text)
    if date is None:
        return False
    year, month, day = map(int, date.groups())
    if not 1 <= month <= 12:
        return False
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= day <= _MONTHS[month - 1] + (is_leap and month == 2)


def _bet(book: BookText, bet: Bet, place: Place) -> Iterator[Problem]:
    if (bet.hand is None) != (bet.kind is Area.SIDE):
        yield Problem(place, "a main bet, an ante or a wager is on a hand, and a side bet is not")
    if bet.area.startswith("insurance-"):
        yield Problem((*place, "area"), "names that begin with insurance- belong to insurance bets")
    for i, area in enumerate(bet.needs):
        if book.bet(area) is None:
            yield Problem((*place, "needs", i), f"the book has no betting area {area}")
        if area == bet.area:
            yield Problem((*place, "needs", i), "a bet cannot need itself")
    if bool(bet.needs) != (bet.needs_clause is not None):
        yield Problem(place, "needs and needs_clause go together")
    if not bet.pays:
        yield Problem((*place, "pays"), "a bet has at least one pay row")
    if bet.kind is not Area.SIDE:
        yield from _no_cards(bet, place)
    for i, row in enumerate(bet.pays):
        yield from _other_bets(book, bet, row, (*place, "pays", i))
        yield from _pay_row(row, (*place, "pays", i), is_last=i == len(bet.pays) - 1)


def _no_cards(bet: Bet, place: Place) -> Iterator[Problem]:
    for inside, entry in entries(bet, place):
        if isinstance(entry, When) and (name := entry.card_fact):
            yield Problem((*inside, name), "only a side bet may ask about single cards or other bets")


def _other_bets(book: BookText, bet: Bet, row: PayRow, place: Place) -> Iterator[Problem]:
    for inside, entry in entries(row, place):
        if isinstance(entry, When) and entry.wins is not None:
            for area in entry.wins if isinstance(entry.wins, tuple) else (entry.wins,):
                if book.bet(area) is None:
                    yield Problem((*inside, "wins"), f"the book has no betting area {area}")
                elif bet.area in _asked_after(book, area):
                    yield Problem((*inside, "wins"), f"{area} asks in turn whether {bet.area} wins")


def _asked_after(book: BookText, area: str) -> set[str]:
    """The bet of an area, and all bets that it asks after."""
    found: set[str] = set()
    waiting = [area]
    while waiting:
        bet = book.bet(waiting.pop())
        if bet is None or bet.area in found:
            continue
        found.add(bet.area)
        for _, entry in entries(bet):
            if isinstance(entry, When) and entry.wins is not None:
                waiting += entry.wins if isinstance(entry.wins, tuple) else (entry.wins,)
    return found


def _pay_row(row: PayRow, place: Place, *, is_last: bool) -> Iterator[Problem]:
    if (row.odds is None) == (row.result is None):
        yield Problem(place, "a row has either odds (a win) or a result (push or lose)")
    if row.result is Result.WIN:
        yield Problem((*place, "result"), "a win is written by its odds")
    if row.odds is not None:
        yield from _odds(row.odds, (*place, "odds"))
    if (row.when is None) != row.otherwise:
        yield Problem(place, "a row has either a condition (when) or otherwise = true")
    if row.when == ():
        yield Problem((*place, "when"), "an empty list of conditions can never hold")
    if row.otherwise and not is_last:
        yield Problem(place, "otherwise must be the last row")


def _odds(text: str, place: Place) -> Iterator[Problem]:
    try:
        parse_odds(text)
    except ValueError as error:
        yield Problem(place, str(error))


def _insurance(book: BookText, insurance: Insurance) -> Iterator[Problem]:
    windows = [window.name for window in insurance.windows]
    yield from _repeated(windows, ("insurance", "windows"))
    if len({window.cards for window in insurance.windows}) < len(windows):
        yield Problem(("insurance", "windows"), "two windows open at the same number of cards")
    for i, offer in enumerate(insurance.offers):
        place: Place = ("insurance", "offers", i)
        if offer.window not in windows:
            yield Problem((*place, "window"), f"there is no window {offer.window}")
        if not any(bet.kind is Area.MAIN and bet.hand is offer.hand for bet in book.bets):
            yield Problem((*place, "hand"), f"there is no main bet on the {offer.hand.value} hand to insure")
        yield from _odds(offer.odds, (*place, "odds"))


def _ante(book: BookText) -> Iterator[Problem]:
    paired = {name for pair in book.ante.pairs for name in (pair.ante, pair.wager)} if book.ante else set()
    for i, pair in enumerate(book.ante.pairs if book.ante else ()):
        for key, area, kind in (("ante", pair.ante, Area.ANTE), ("wager", pair.wager, Area.WAGER)):
            bet = book.bet(area)
            if bet is None or bet.kind is not kind:
                yield Problem(("ante", "pairs", i, key), f"{area} is not a bet of kind {kind.value}")
        if len({bet.hand for bet in book.bets if bet.area in (pair.ante, pair.wager)}) > 1:
            yield Problem(("ante", "pairs", i), f"{pair.ante} and {pair.wager} are on different hands")
    for i, bet in enumerate(book.bets):
        if bet.kind in (Area.ANTE, Area.WAGER) and bet.area not in paired:
            yield Problem(("bets", i), f"{bet.area} has no partner among the pairs of [ante]")


def _declarations(book: BookText) -> Iterator[Problem]:
    for place, entry in entries(book.declarations, ("declarations",)):
        if isinstance(entry, When) and (name := entry.card_fact):
            yield Problem((*place, name), "a declaration may ask for points, numbers of cards and pairs only")


def _acknowledged(book: BookText) -> Iterator[Problem]:
    kinds = [concern.value for concern in Concern]
    for i, entry in enumerate(book.acknowledged):
        kind, slash, subject = entry.warning.partition("/")
        if kind not in kinds or not slash or not subject:
            sentence = f"{entry.warning!r} is not a warning; write KIND/NAME, where KIND is one of "
            yield Problem(("acknowledged", i, "warning"), sentence + ", ".join(kinds))
