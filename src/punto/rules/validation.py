"""What can be wrong with a book, and in which line: its conditions, its names, references and odds, and whether it
can be played. Each check gives all problems that it finds, so that a designer sees them at once. What is wrong with
its shape, keys and kinds of values, is found before (`punto.rules.shape`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any
from unicodedata import category

import msgspec
from msgspec.structs import astuple

from punto.cards.card import Card, Rank, card_meant
from punto.rules import condition
from punto.rules.authority import LADDER, authority_complaint, authority_over
from punto.rules.book_text import Area, Bet, BookText, Concern, Insurance, PayRow, Remedy
from punto.rules.condition import CardPlace, CardTest, GroupTest, When
from punto.rules.entry import each_of, expand_numbers
from punto.rules.outcome import INSURANCE, Hand, Result, parse_odds, parse_rate
from punto.rules.told import Told, told

Place = tuple[str | int, ...]  # The way to an entry: `("bets", 3, "pays", 0)` is the first pay row of the fourth bet.


class Problem(msgspec.Struct, frozen=True):
    """One thing that is wrong, and its place in the book."""

    place: Place
    sentence: Told
    line: int | None = None  # Line of the file, where it is known.
    file: str | None = None
    """The file it stands in, where that is not the one that was asked for but one that this one extends."""
    asks: tuple[tuple[str | int | None, ...], ...] = ()
    """The keys elsewhere that make it a problem, as ways to them; None is any entry of a list, or any key."""

    def __str__(self) -> str:
        line = f"line {self.line}: " if self.line else ""
        return f"{line}{format_place(self.place)}{self.sentence}"


class BookError(Exception):
    """A book that cannot be used, with every problem found in it."""

    def __init__(self, file: str, problems: list[Problem]) -> None:
        assert problems
        self.file = file
        self.problems = problems
        super().__init__("\n".join(self.lines))

    @property
    def lines(self) -> list[str]:
        """One line for each problem: file, place, what is wrong."""
        return [f"{problem.file or self.file}: {problem}" for problem in self.problems]


def format_place(place: Place) -> str:
    """A place as people read it, `bets[3].pays[0]: `; empty for the book as a whole."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)
    return f"{text.removeprefix('.')}: " if text else ""


# The TOML reader of the standard library gives values without their lines. Books are written plainly,
# headers and keys at the start of lines, so one pass over the text finds them again; where it finds nothing
# better it names the line of the nearest entry around.


_HEADER_LINE = r"(\[\[?)([A-Za-z0-9_.\-\s]+)\]\]?\s*(?:#.*)?"
_KEY_LINE = r"([A-Za-z0-9_\-]+)\s*=\s*(.*)"
_STRING_OR_COMMENT = r"""\"(?:\\.|[^"\\])*\"|'[^']*'|#.*"""


def line_of(text: str, place: Place) -> int | None:
    """The line, counted from 1, of a place or else of the nearest entry that contains it."""
    lines = _entry_lines(text)
    return next((lines[place[:length]] for length in range(len(place), 0, -1) if place[:length] in lines), None)


@lru_cache(maxsize=8)
def _entry_lines(text: str) -> dict[Place, int]:
    """The line of every entry that is written plainly; a book with many problems is gone through once."""
    lines: dict[Place, int] = {}
    counts: dict[Place, int] = {}
    table: Place = ()
    array: Place = ()
    depth = 0  # of brackets open in the value that goes on over several lines
    for number, line in enumerate(text.splitlines(), start=1):
        begun = 0  # entries of the list `array` that begin in this line
        if depth:
            if depth == 1:
                begun = 1 if line.lstrip().startswith("{") else _count_texts(line)
            depth = max(0, depth + _opened(line))
        elif header := re.fullmatch(_HEADER_LINE, line.strip()):
            table = _table_place(header[2].split("."), header[1] == "[[", counts)
            lines.setdefault(table, number)
            if header[1] == "[[":
                lines.setdefault(table[:-1], number)
        elif key := re.fullmatch(_KEY_LINE, line.strip()):
            array = (*table, key[1])
            lines[array] = number
            depth = max(0, _opened(key[2]))
            if key[2].removeprefix("[").lstrip().startswith("{"):
                begun = 1
            elif key[2].startswith("["):
                begun = _count_texts(key[2])
        for _ in range(begun):
            counts[array] = counts.get(array, -1) + 1
            lines[(*array, counts[array])] = number
    return lines


def _count_texts(text: str) -> int:
    return sum(not piece.startswith("#") for piece in re.findall(_STRING_OR_COMMENT, text))


def _opened(text: str) -> int:
    """How many brackets a piece of TOML opens and does not close."""
    bare = re.sub(_STRING_OR_COMMENT, "", text)
    return sum(map(bare.count, "[{")) - sum(map(bare.count, "]}"))


def _table_place(names: list[str], is_array: bool, counts: dict[Place, int]) -> Place:
    """The place of a header: every array of tables on the way is at its latest entry."""
    place: Place = ()
    for depth, name in enumerate(step.strip() for step in names):
        place = (*place, name)
        if is_array and depth == len(names) - 1:
            counts[place] = counts.get(place, -1) + 1
        if place in counts:
            place = (*place, counts[place])
    return place


Complaint = tuple[str, Told]  # The name of the fact, empty for the condition as a whole, and a sentence.


_GROUP_SIZES = {
    **dict.fromkeys(("player_two", "banker_two"), range(2, 3)),
    **dict.fromkeys(("player_hand", "banker_hand"), range(2, 4)),
    "first_four": range(4, 5),
    "round": range(4, 7),
}
"""How many cards a group may have."""


def condition_complaints(when: When) -> list[Complaint]:
    """Everything that can be said against a condition alone; whether a deal meets it is for the compiler."""
    if not when.named:
        return [("", told("empty-condition"))]
    return [(name, sentence) for name in when.named for sentence in _value_complaints(name, getattr(when, name))]


def _value_complaints(name: str, value: Any) -> Iterator[Told]:
    if value == ():
        yield told("empty-list")
    elif name in condition.NUMBER_RANGES:
        yield from _unread(expand_numbers, value, condition.NUMBER_RANGES[name])
    elif name in ("player_pair_of", "banker_pair_of"):
        yield from _unread_ranks(value)
    elif name in condition.CARD_PLACES:
        yield from _card_test(value)
    elif name in condition.CARD_GROUPS:
        for group in each_of(value):
            yield from _group_test(name, group)
    elif name == "compare":
        for comparison in each_of(value):
            if comparison.result == ():
                yield told("empty-list")
            if comparison.first is comparison.second:
                yield told("compared-with-itself", places=", ".join(p.value for p in CardPlace))


def _card_test(test: CardTest) -> Iterator[Told]:
    if test == CardTest():
        yield told("empty-test")
    if () in (test.rank, test.points, test.suit, test.card):
        yield told("empty-list")
        return
    yield from _unread_ranks(test.rank)
    for text in each_of(test.card):
        for _ in _unread(Card.parse, text):
            likely = card_meant(text)
            yield told("not-a-card", value=repr(text), meant=told("meant", name=likely) if likely else "")
    if test.points is not None:
        yield from _unread(expand_numbers, test.points, range(10))


def _group_test(name: str, group: GroupTest) -> Iterator[Told]:
    if group == GroupTest():
        yield told("empty-test")
    if () in (group.number, group.same, group.not_same, group.poker):
        yield told("empty-list")
        return
    for test in filter(None, (group.all, group.none, group.of)):
        yield from _card_test(test)
    sizes = _GROUP_SIZES[name]
    if (group.number is None) != (group.of is None):
        yield told("number-and-of")
    if group.number is not None:
        yield from _unread(expand_numbers, group.number, range(sizes[-1] + 1))
    if group.ranks is not None:
        yield from _unread_ranks(group.ranks)
        if len(group.ranks) not in sizes:
            many = sizes[0] if len(sizes) == 1 else told("from-to", first=sizes[0], last=sizes[-1])
            yield told("ranks-of-group", many=many, number=len(group.ranks))
    if group.poker is not None and name != "first_four":
        yield told("poker-of-four")


def _unread_ranks(texts: str | tuple[str, ...] | None) -> Iterator[Told]:
    for text in each_of(texts):
        for _ in _unread(Rank.parse, text):
            yield told("not-a-rank", value=repr(text), ranks=" ".join(rank.notation for rank in Rank))


def _unread(read: Callable[..., object], *args: object) -> Iterator[Told]:
    """Why something cannot be read; nothing where it can."""
    try:
        read(*args)
    except ValueError as error:
        yield error.args[0]  # as it was told


_DATE = r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
_MONTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def validate_book(book: BookText) -> list[Problem]:
    return [
        *_repeats(book),
        *_entries(book),
        *_whole_book(book),
        *(problem for i, bet in enumerate(book.bets) for problem in _bet(book, bet, ("bets", i))),
        *(_insurance(book, book.insurance) if book.insurance else ()),
        *_ante(book),
        *_acknowledged(book),
        *_declarations(book),
        *_unplayable(book),
    ]


_TURNS = frozenset("\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def turned_texts(book: BookText) -> Iterator[Problem]:
    """Texts with characters that begin a line or another direction: `1:8` with one of those before it reads `8:1`.

    It is asked of files. A book that is stored was read before this was, and tables are played by it.
    """
    for place, entry in book_entries(book):
        for name in entry.__struct_fields__:
            for text in each_of(getattr(entry, name)):
                if isinstance(text, str) and not text.isprintable() and not _TURNS.isdisjoint(text):
                    yield Problem((*place, name), told("control-character"))


def _whens(entry: object, place: Place = ()) -> Iterator[tuple[Place, When]]:
    return ((inside, when) for inside, when in book_entries(entry, place) if isinstance(when, When))


def book_entries(entry: object, place: Place = ()) -> Iterator[tuple[Place, msgspec.Struct]]:
    """Every entry of a book with its place, from the whole down."""
    if isinstance(entry, msgspec.Struct):
        yield place, entry
        inner: Iterable[tuple[str | int, object]] = zip(entry.__struct_fields__, astuple(entry), strict=True)
    else:
        inner = enumerate(entry) if isinstance(entry, tuple) else ()
    for key, value in inner:
        if isinstance(value, _HOLDERS):
            yield from book_entries(value, (*place, key))


_HOLDERS = (msgspec.Struct, tuple)  # What has something in it.


_AREAS, _KINDS, _HANDS = (("bets", None, key) for key in ("area", "kind", "hand"))
_WINDOWS: Place = ("insurance", "windows")


def _repeats(book: BookText) -> Iterator[Problem]:
    yield from _repeated([layout.name for layout in book.layouts], ("layouts",), "name")
    yield from _repeated([bet.area for bet in book.bets], ("bets",), "area")
    yield from _repeated([declaration.name for declaration in book.declarations], ("declarations",), "name")
    yield from _repeated([entry.kind.value for entry in book.irregularities], ("irregularities",), "kind")
    yield from _repeated([clause.number for clause in book.clauses], ("clauses",), "number")
    yield from _repeated([entry.warning for entry in book.acknowledged], ("acknowledged",), "warning")
    yield from _repeated(book.decks.allowed, ("decks", "allowed"))


def _repeated(names: Sequence[object], place: Place, *key: str) -> Iterator[Problem]:
    again = (i for i, name in enumerate(names) if names.index(name) < i)
    asks = ((*place, None, *key),)
    return (Problem((*place, i), told("repeated", name=str(names[i])), asks=asks) for i in again)


def _entries(book: BookText) -> Iterator[Problem]:
    """What is wrong with texts, with clauses that are cited and with conditions, wherever they stand."""
    entries = list(book_entries(book))
    # A condition names three of its sixty facts, so most of what an entry could say is None.
    values = [
        (place, name, value)
        for place, entry in entries
        for name, value in zip(entry.__struct_fields__, astuple(entry), strict=True)
        if value is not None
    ]
    for place, name, value in values:
        for text in each_of(value):
            # A book is printed on terminals, which obey such characters.
            if isinstance(text, str) and not text.isprintable() and any(category(sign) == "Cc" for sign in text):
                yield Problem((*place, name), told("control-character"))
    numbers = {clause.number for clause in book.clauses}
    for place, name, value in values:
        if name.endswith("clause") and value not in numbers:
            yield Problem((*place, name), told("no-clause", number=value), asks=(("clauses", None, "number"),))
    for place, entry in entries:
        if isinstance(entry, When):
            for fact, sentence in condition_complaints(entry):
                yield Problem((*place, fact) if fact else place, sentence)


def _whole_book(book: BookText) -> Iterator[Problem]:
    if book.effective is not None and not _is_date(book.effective):
        yield Problem(("effective",), told("not-a-date", value=repr(book.effective)))
    for name, section in (("layouts", book.layouts), ("bets", book.bets), ("clauses", book.clauses)):
        if not section:
            yield Problem((name,), told("at-least-one"))
    if not book.decks.allowed:
        yield Problem(("decks", "allowed"), told("no-decks"))
    for i, layout in enumerate(book.layouts):
        least, most = layout.boxes_least or layout.boxes, layout.boxes_most or layout.boxes
        wrong = ("boxes_least",) * (layout.boxes < least) + ("boxes_most",) * (layout.boxes > most)
        for key in wrong:
            sentence = told("boxes-outside", boxes=layout.boxes, least=least, most=most)
            yield Problem(("layouts", i, key), sentence, asks=(("layouts", i, None),))
    for hand in Hand:
        mains = [(i, bet) for i, bet in enumerate(book.bets) if bet.kind is Area.MAIN and bet.hand is hand]
        for i, _ in mains[1:]:
            sentence = told("second-main-bet", hand=told(f"hand.{hand.value}"), area=mains[0][1].area)
            yield Problem(("bets", i), sentence, asks=(_KINDS, _HANDS))


def _is_date(text: str) -> bool:
    date = re.fullmatch(_DATE, text)
    year, month, day = map(int, date.groups()) if date else (0, 0, 0)
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= month <= 12 and 1 <= day <= _MONTHS[month - 1] + (is_leap and month == 2)


def _bet(book: BookText, bet: Bet, place: Place) -> Iterator[Problem]:
    if (bet.hand is None) != (bet.kind is Area.SIDE):
        yield Problem(place, told("hand-of-bet"))
    if bet.area.startswith(INSURANCE):
        yield Problem((*place, "area"), told("insurance-name", name=INSURANCE))
    for i, area in enumerate(bet.needs):
        if book.bet(area) is None:
            yield Problem((*place, "needs", i), told("no-area", area=area), asks=(_AREAS,))
        if area == bet.area:
            yield Problem((*place, "needs", i), told("needs-itself"))
    if bool(bet.needs) != (bet.needs_clause is not None):
        yield Problem(place, told("needs-clause"))
    if not bet.pays:
        yield Problem((*place, "pays"), told("no-pay-row"))
    for inside, when in _whens(bet, place) if bet.kind is not Area.SIDE else ():
        if when.card_fact:
            sentence = told("side-bets-only")
            yield Problem((*inside, when.card_fact), sentence, asks=((*place, "kind"),))
    for i, row in enumerate(bet.pays):
        for inside, when in _whens(row, (*place, "pays", i)):
            for area in each_of(when.wins):
                if book.bet(area) is None:
                    yield Problem((*inside, "wins"), told("no-area", area=area), asks=(_AREAS,))
                elif bet.area in _asked_after(book, area):
                    yield Problem((*inside, "wins"), told("asks-in-turn", area=area, other=bet.area))
        yield from _pay_row(row, (*place, "pays", i), is_last=i == len(bet.pays) - 1)


def _asked_after(book: BookText, area: str) -> set[str]:
    """The bet of an area, and all bets that it asks after."""
    areas: set[str] = set()
    waiting = [area]
    while waiting:
        bet = book.bet(waiting.pop())
        if bet is None or bet.area in areas:
            continue
        areas.add(bet.area)
        waiting += [asked for _, when in _whens(bet) for asked in each_of(when.wins)]
    return areas


def _pay_row(row: PayRow, place: Place, *, is_last: bool) -> Iterator[Problem]:
    if (row.odds is None) == (row.result is None):
        yield Problem(place, told("odds-or-result"))
    if row.result is Result.WIN:
        yield Problem((*place, "result"), told("win-by-odds"))
    if row.odds is not None:
        yield from (Problem((*place, "odds"), sentence) for sentence in _unread(parse_odds, row.odds))
    if row.commission is not None:
        rate = (*place, "commission", "rate")
        yield from (Problem(rate, sentence) for sentence in _unread(parse_rate, row.commission.rate))
        if row.odds is None:
            yield Problem((*place, "commission"), told("commission-of-win"), asks=((*place, "odds"),))
    if (row.when is None) != row.otherwise:
        yield Problem(place, told("when-or-otherwise"))
    if row.when == ():
        yield Problem((*place, "when"), told("empty-conditions"))
    if row.otherwise and not is_last:
        yield Problem(place, told("otherwise-last"))


def _insurance(book: BookText, insurance: Insurance) -> Iterator[Problem]:
    windows = [window.name for window in insurance.windows]
    yield from _repeated(windows, _WINDOWS, "name")
    if len({window.cards for window in insurance.windows}) < len(windows):
        yield Problem(_WINDOWS, told("same-window"), asks=((*_WINDOWS, None, "cards"),))
    for i, offer in enumerate(insurance.offers):
        place: Place = ("insurance", "offers", i)
        if offer.window not in windows:
            yield Problem((*place, "window"), told("no-window", window=offer.window), asks=((*_WINDOWS, None, "name"),))
        if not any(bet.kind is Area.MAIN and bet.hand is offer.hand for bet in book.bets):
            sentence = told("nothing-to-insure", hand=told(f"hand.{offer.hand.value}"))
            yield Problem((*place, "hand"), sentence, asks=(_KINDS, _HANDS))
        yield from (Problem((*place, "odds"), sentence) for sentence in _unread(parse_odds, offer.odds))


def _ante(book: BookText) -> Iterator[Problem]:
    paired = {name for pair in book.ante.pairs for name in (pair.ante, pair.wager)} if book.ante else set()
    for i, pair in enumerate(book.ante.pairs if book.ante else ()):
        for key, area, kind in (("ante", pair.ante, Area.ANTE), ("wager", pair.wager, Area.WAGER)):
            bet = book.bet(area)
            if bet is None or bet.kind is not kind:
                sentence = told("other-kind", area=area, kind=kind.value)
                yield Problem(("ante", "pairs", i, key), sentence, asks=(_AREAS, _KINDS))
        if len({bet.hand for bet in book.bets if bet.area in (pair.ante, pair.wager)}) > 1:
            sentence = told("different-hands", ante=pair.ante, wager=pair.wager)
            yield Problem(("ante", "pairs", i), sentence, asks=(_AREAS, _HANDS))
    for i, bet in enumerate(book.bets):
        if bet.kind in (Area.ANTE, Area.WAGER) and bet.area not in paired:
            sentence = told("no-partner", area=bet.area)
            yield Problem(("bets", i), sentence, asks=(("ante", "pairs", None, None),))


def _declarations(book: BookText) -> Iterator[Problem]:
    for place, when in _whens(book.declarations, ("declarations",)):
        if when.card_fact:
            yield Problem((*place, when.card_fact), told("declaration-asks"))


def _acknowledged(book: BookText) -> Iterator[Problem]:
    kinds = [concern.value for concern in Concern]
    for i, entry in enumerate(book.acknowledged):
        kind, slash, subject = entry.warning.partition("/")
        if kind not in kinds or not slash or not subject:
            sentence = told("not-a-warning", value=repr(entry.warning), kinds=", ".join(kinds))
            yield Problem(("acknowledged", i, "warning"), sentence)


MOST_BETS = 64  # Betting areas of a book: a layout has room for fewer.
MOST_CONDITIONS = 1000
"""Conditions of all pay tables and declarations together: what compiling has to go through for each deal."""

REMEDY_COMMANDS: dict[Remedy, tuple[str, ...]] = {
    Remedy.VOID: ("void-round",),
    Remedy.VOID_UNLESS_RECONSTRUCTED: ("judge-reconstruction",),
    Remedy.RECONSTRUCT: ("judge-reconstruction",),
    Remedy.PLAY_ON: (),
    Remedy.ORDER_CARDS: ("order-cards",),
    Remedy.COMPLETE_OR_VOID: ("void-round",),
    Remedy.NO_EFFECT: (),
    Remedy.RETURN_BETS: ("return-bets",),
    Remedy.RULING: ("rule",),
}
"""The commands by which a remedy is ordered."""


def _unplayable(book: BookText) -> Iterator[Problem]:
    """No error of any one entry: together they make a bet that nobody can place, or a case that nobody can close."""
    yield from _unplaceable(book)
    seen: set[str] = set()
    for i, pair in enumerate(book.ante.pairs if book.ante else ()):
        for key, area in (("ante", pair.ante), ("wager", pair.wager)):
            if area in seen:
                yield Problem(("ante", "pairs", i, key), told("in-a-pair", area=area))
            seen.add(area)
    for i, entry in enumerate(book.authority):
        if complaint := authority_complaint(entry, book.authority[:i]):
            yield Problem(("authority", i), complaint, asks=(("authority", None, None),))
    yield from _orders(book)
    whens = [row.when for bet in book.bets for row in bet.pays] + [one.when for one in book.declarations]
    count = sum(len(each_of(when)) or 1 for when in whens)
    if len(book.bets) > MOST_BETS:
        yield Problem(("bets",), told("most-bets", most=MOST_BETS, number=len(book.bets)))
    if count > MOST_CONDITIONS:
        yield Problem((), told("most-conditions", most=MOST_CONDITIONS, number=count))


def _unplaceable(book: BookText) -> Iterator[Problem]:
    """Bets that need one another in a circle: none of them could be the first."""
    opening = [bet for bet in book.bets if bet.kind is not Area.WAGER]
    placed = {bet.area for bet in opening if not bet.needs}
    while more := {bet.area for bet in opening if bet.area not in placed and placed & set(bet.needs)}:
        placed |= more
    known = {bet.area for bet in book.bets}
    for i, bet in enumerate(book.bets):
        needs = set(bet.needs)
        if needs and not placed & needs and needs <= known - {bet.area}:
            sentence = told("never-placed")
            yield Problem(("bets", i, "needs"), sentence, asks=(_AREAS, _KINDS, ("bets", None, "needs")))


def _orders(book: BookText) -> Iterator[Problem]:
    """Somebody of the rank that orders a remedy must be allowed to give its command, or no case closes."""
    for i, entry in enumerate(book.irregularities):
        place: Place = ("irregularities", i, "orders")
        if entry.orders not in LADDER:
            ranks = ", ".join(role.value for role in LADDER)
            yield Problem(place, told("orders-nothing", role=entry.orders.value, ranks=ranks))
            continue
        for command in REMEDY_COMMANDS[entry.remedy]:
            allowed = authority_over(command, book.authority, ()).roles
            if not any(role.is_at_least(entry.orders) for role in allowed):
                roles = ", ".join(role.value for role in allowed) or told("nobody")
                sentence = told("nobody-orders", rank=entry.orders.value, command=command, roles=roles)
                yield Problem(place, sentence, asks=(("authority", None, None), (*place[:2], None)))
