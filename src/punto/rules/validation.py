"""What can be wrong with a book, and in which line: its shape (keys and kinds of values), its conditions, its
names, references and odds, and whether it can be played. Each check gives all problems that it finds, so
that a designer sees them at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, get_args, get_origin, get_type_hints
from unicodedata import category

import msgspec

from punto.cards.card import Card, Rank
from punto.malformed import Fault, Wrong, choices_at, fault_of, keys_at, listed
from punto.rules import condition
from punto.rules.authority import LADDER, authority_complaint, authority_over
from punto.rules.book_text import Area, Bet, BookText, Concern, Insurance, PayRow, Remedy
from punto.rules.condition import CardPlace, CardTest, GroupTest, When
from punto.rules.entry import each_of, expand_numbers
from punto.rules.outcome import INSURANCE, Hand, Result, parse_odds, parse_rate
from punto.suggestion import did_you_mean

Place = tuple[str | int, ...]  # The way to an entry: `("bets", 3, "pays", 0)` is the first pay row of the fourth bet.


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, and its place in the book."""

    place: Place
    sentence: str
    line: int | None = None  # Line of the file, where it is known.
    file: str | None = None
    """The file it stands in, where that is not the one that was asked for but one that this one extends."""

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


_HEADER_LINE = re.compile(r"(\[\[?)([A-Za-z0-9_.\-\s]+)\]\]?\s*(?:#.*)?")
_KEY_LINE = re.compile(r"([A-Za-z0-9_\-]+)\s*=\s*(.*)")
_STRING_OR_COMMENT = re.compile(r"""\"(?:\\.|[^"\\])*\"|'[^']*'|#.*""")


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
        elif header := _HEADER_LINE.fullmatch(line.strip()):
            table = _table_place(header[2].split("."), header[1] == "[[", counts)
            lines.setdefault(table, number)
            if header[1] == "[[":
                lines.setdefault(table[:-1], number)
        elif key := _KEY_LINE.fullmatch(line.strip()):
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
    return sum(not piece.startswith("#") for piece in _STRING_OR_COMMENT.findall(text))


def _opened(text: str) -> int:
    """How many brackets a piece of TOML opens and does not close."""
    bare = _STRING_OR_COMMENT.sub("", text)
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


# The converter stops at its first error and speaks of types. A designer wants all errors at once, in the
# words of a rule book, each at its own place.


_KIND_WORDS = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number with decimals",
    "bool": "true or false",
    "array": "a list",
    "object": "a table of keys",
    "date": "a date",
    "datetime": "a date",
    "time": "a time",
}


def shape_problems(raw: dict[str, Any], struct: type[msgspec.Struct] = BookText) -> list[Problem]:
    """Every entry that has the wrong shape; each is asked alone."""
    hints = get_type_hints(struct, include_extras=True)
    missing = {field.name for field in msgspec.structs.fields(struct) if field.required} - raw.keys()
    unknown = [name for name in raw if name not in hints]
    problems = [Problem((name,), f"there is no such key in a book{did_you_mean(name, hints)}") for name in unknown]
    problems += [Problem((), f"the key {name} is missing") for name in hints if name in missing]
    known = ((name, value) for name, value in raw.items() if name in hints)
    return problems + [problem for name, value in known for problem in _entry_problems(value, hints[name], (name,))]


def _entry_problems(value: Any, kind: Any, place: Place) -> list[Problem]:
    if get_origin(kind) is tuple and isinstance(value, list):
        item = get_args(kind)[0]
        return [p for i, v in enumerate(value) for p in _entry_problems(v, item, (*place, i))]
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        fault = fault_of(error)
        inside: Place = tuple(step for step in fault.place if step is not None)
        if fault.wrong is Wrong.UNKNOWN:
            [key] = fault.details
            return [Problem((*place, *inside, key), f"there is no such key{did_you_mean(key, keys_at(kind, inside))}")]
        return [Problem((*place, *inside), _shape_sentence(fault, choices_at(kind, inside)))]
    return []


def _shape_sentence(fault: Fault, choices: tuple[str, ...]) -> str:
    """What is wrong in the words of a rule book; `choices` are the words that may stand there."""
    match fault.wrong, fault.details:
        case Wrong.MISSING, (key,):
            return f"the key is missing: `{key}`"
        case Wrong.CHOICE, (value,):
            return f"{value} is not known here; write {listed(choices)}"
        case Wrong.TYPE, (wanted, sent):
            expected = [_KIND_WORDS[name] for name in wanted.split(" | ") if name != "null"]
            return f"{' or '.join(expected)} is expected, not {_KIND_WORDS.get(sent, sent)}"
        case Wrong.BOUND, (limit, number):
            return f"a whole number of {'at least' if limit == '>=' else 'at most'} {number} is expected"
        case Wrong.LENGTH, (_, "<=", most):
            return f"it has more than {int(most):,} characters"
        case Wrong.LENGTH, _:
            return "it must not be empty"
        case Wrong.FORM, _:
            return "a name is expected: lower case and digits with hyphens between, such as banker-pair"
        case _:
            return fault.sentence[0].lower() + fault.sentence[1:]


Complaint = tuple[str, str]  # The name of the fact, empty for the condition as a whole, and a sentence.

_GROUP_SIZES = {
    **dict.fromkeys(("player_two", "banker_two"), range(2, 3)),
    **dict.fromkeys(("player_hand", "banker_hand"), range(2, 4)),
    "first_four": range(4, 5),
    "round": range(4, 7),
}
"""How many cards a group may have."""
_EMPTY_LIST = "an empty list can never hold"
_EMPTY_TEST = "a test on cards names at least one thing that must hold"


def condition_complaints(when: When) -> list[Complaint]:
    """Everything that can be said against a condition alone; whether a deal meets it is for the compiler."""
    if not when.named:
        return [("", "a condition names at least one fact; use otherwise = true for all the rest")]
    return [(name, sentence) for name in when.named for sentence in _value_complaints(name, getattr(when, name))]


def _value_complaints(name: str, value: Any) -> Iterator[str]:
    if value == ():
        yield _EMPTY_LIST
    elif name in condition.NUMBER_RANGES:
        yield from _unread(expand_numbers, value, condition.NUMBER_RANGES[name])
    elif name in ("player_pair_of", "banker_pair_of"):
        yield from _unread_texts(Rank.parse, value)
    elif name in condition.CARD_PLACES:
        yield from _card_test(value)
    elif name in condition.CARD_GROUPS:
        for group in each_of(value):
            yield from _group_test(name, group)
    elif name == "compare":
        for comparison in each_of(value):
            if comparison.result == ():
                yield _EMPTY_LIST
            if comparison.first is comparison.second:
                yield f"a card is not compared with itself; places are {', '.join(p.value for p in CardPlace)}"


def _card_test(test: CardTest) -> Iterator[str]:
    if test == CardTest():
        yield _EMPTY_TEST
    if () in (test.rank, test.points, test.suit, test.card):
        yield _EMPTY_LIST
        return
    yield from _unread_texts(Rank.parse, test.rank)
    yield from _unread_texts(Card.parse, test.card)
    if test.points is not None:
        yield from _unread(expand_numbers, test.points, range(10))


def _group_test(name: str, group: GroupTest) -> Iterator[str]:
    if group == GroupTest():
        yield _EMPTY_TEST
    if () in (group.number, group.same, group.not_same, group.poker):
        yield _EMPTY_LIST
        return
    for test in filter(None, (group.all, group.none, group.of)):
        yield from _card_test(test)
    sizes = _GROUP_SIZES[name]
    if (group.number is None) != (group.of is None):
        yield "number and of go together: how many cards, and which"
    if group.number is not None:
        yield from _unread(expand_numbers, group.number, range(sizes[-1] + 1))
    if group.ranks is not None:
        yield from _unread_texts(Rank.parse, group.ranks)
        if len(group.ranks) not in sizes:
            many = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
            yield f"ranks lists one rank for each card of the group, {many}, and not {len(group.ranks)}"
    if group.poker is not None and name != "first_four":
        yield "poker is asked of first_four only"


def _unread_texts(parse: Callable[[str], object], texts: str | tuple[str, ...] | None) -> Iterator[str]:
    for text in each_of(texts):
        yield from _unread(parse, text)


def _unread(read: Callable[..., object], *args: object) -> Iterator[str]:
    """Why something cannot be read; nothing where it can."""
    try:
        read(*args)
    except ValueError as error:
        yield str(error)


_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)
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


def _whens(entry: object, place: Place = ()) -> Iterator[tuple[Place, When]]:
    return ((inside, when) for inside, when in book_entries(entry, place) if isinstance(when, When))


def book_entries(entry: object, place: Place = ()) -> Iterator[tuple[Place, msgspec.Struct]]:
    """Every entry of a book with its place, from the whole down."""
    if isinstance(entry, msgspec.Struct):
        yield place, entry
        inner: Iterable[tuple[str | int, object]] = ((name, getattr(entry, name)) for name in entry.__struct_fields__)
    else:
        inner = enumerate(entry) if isinstance(entry, tuple) else ()
    for key, value in inner:
        if isinstance(value, msgspec.Struct | tuple):
            yield from book_entries(value, (*place, key))


def _repeats(book: BookText) -> Iterator[Problem]:
    yield from _repeated([layout.name for layout in book.layouts], ("layouts",))
    yield from _repeated([bet.area for bet in book.bets], ("bets",))
    yield from _repeated([declaration.name for declaration in book.declarations], ("declarations",))
    yield from _repeated([irregularity.kind.value for irregularity in book.irregularities], ("irregularities",))
    yield from _repeated([clause.number for clause in book.clauses], ("clauses",))
    yield from _repeated([entry.warning for entry in book.acknowledged], ("acknowledged",))
    yield from _repeated(book.decks.allowed, ("decks", "allowed"))


def _repeated(names: Sequence[object], place: Place) -> Iterator[Problem]:
    again = (i for i, name in enumerate(names) if names.index(name) < i)
    return (Problem((*place, i), f"{names[i]} stands here a second time") for i in again)


def _entries(book: BookText) -> Iterator[Problem]:
    """What is wrong with texts, with clauses that are cited and with conditions, wherever they stand."""
    entries = list(book_entries(book))
    values = [((*place, name), getattr(entry, name)) for place, entry in entries for name in entry.__struct_fields__]
    for place, value in values:
        for text in each_of(value):
            # A book is printed on terminals, which obey such characters.
            if isinstance(text, str) and any(category(sign) == "Cc" for sign in text):
                yield Problem(place, "a line break or other control character stands in a text")
    numbers = {clause.number for clause in book.clauses}
    for place, value in values:
        if str(place[-1]).endswith("clause") and value is not None and value not in numbers:
            yield Problem(place, f"the book has no clause {value}")
    for place, when in _whens(book):
        for fact, sentence in condition_complaints(when):
            yield Problem((*place, fact) if fact else place, sentence)


def _whole_book(book: BookText) -> Iterator[Problem]:
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
        mains = [(i, bet) for i, bet in enumerate(book.bets) if bet.kind is Area.MAIN and bet.hand is hand]
        for i, _ in mains[1:]:
            yield Problem(("bets", i), f"there is a main bet on the {hand.value} hand already: {mains[0][1].area}")


def _is_date(text: str) -> bool:
    date = _DATE.fullmatch(text)
    year, month, day = map(int, date.groups()) if date else (0, 0, 0)
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= month <= 12 and 1 <= day <= _MONTHS[month - 1] + (is_leap and month == 2)


def _bet(book: BookText, bet: Bet, place: Place) -> Iterator[Problem]:
    if (bet.hand is None) != (bet.kind is Area.SIDE):
        yield Problem(place, "a main bet, an ante or a wager is on a hand, and a side bet is not")
    if bet.area.startswith(INSURANCE):
        yield Problem((*place, "area"), f"names that begin with {INSURANCE} belong to insurance bets")
    for i, area in enumerate(bet.needs):
        if book.bet(area) is None:
            yield Problem((*place, "needs", i), f"the book has no betting area {area}")
        if area == bet.area:
            yield Problem((*place, "needs", i), "a bet cannot need itself")
    if bool(bet.needs) != (bet.needs_clause is not None):
        yield Problem(place, "needs and needs_clause go together")
    if not bet.pays:
        yield Problem((*place, "pays"), "a bet has at least one pay row")
    for inside, when in _whens(bet, place) if bet.kind is not Area.SIDE else ():
        if when.card_fact:
            yield Problem((*inside, when.card_fact), "only a side bet may ask about single cards or other bets")
    for i, row in enumerate(bet.pays):
        for inside, when in _whens(row, (*place, "pays", i)):
            for area in each_of(when.wins):
                if book.bet(area) is None:
                    yield Problem((*inside, "wins"), f"the book has no betting area {area}")
                elif bet.area in _asked_after(book, area):
                    yield Problem((*inside, "wins"), f"{area} asks in turn whether {bet.area} wins")
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
        yield Problem(place, "a row has either odds (a win) or a result (push or lose)")
    if row.result is Result.WIN:
        yield Problem((*place, "result"), "a win is written by its odds")
    if row.odds is not None:
        yield from (Problem((*place, "odds"), sentence) for sentence in _unread(parse_odds, row.odds))
    if row.commission is not None:
        rate = (*place, "commission", "rate")
        yield from (Problem(rate, sentence) for sentence in _unread(parse_rate, row.commission.rate))
        if row.odds is None:
            yield Problem((*place, "commission"), "only of a win can a commission be kept")
    if (row.when is None) != row.otherwise:
        yield Problem(place, "a row has either a condition (when) or otherwise = true")
    if row.when == ():
        yield Problem((*place, "when"), "an empty list of conditions can never hold")
    if row.otherwise and not is_last:
        yield Problem(place, "otherwise must be the last row")


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
        yield from (Problem((*place, "odds"), sentence) for sentence in _unread(parse_odds, offer.odds))


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
    for place, when in _whens(book.declarations, ("declarations",)):
        if when.card_fact:
            yield Problem((*place, when.card_fact), "a declaration may ask for points, numbers of cards and pairs only")


def _acknowledged(book: BookText) -> Iterator[Problem]:
    kinds = [concern.value for concern in Concern]
    for i, entry in enumerate(book.acknowledged):
        kind, slash, subject = entry.warning.partition("/")
        if kind not in kinds or not slash or not subject:
            sentence = f"{entry.warning!r} is not a warning; write KIND/NAME, where KIND is one of "
            yield Problem(("acknowledged", i, "warning"), sentence + ", ".join(kinds))


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
                yield Problem(("ante", "pairs", i, key), f"{area} stands in a pair already")
            seen.add(area)
    for i, entry in enumerate(book.authority):
        if complaint := authority_complaint(entry, book.authority[:i]):
            yield Problem(("authority", i), complaint)
    yield from _orders(book)
    whens = [row.when for bet in book.bets for row in bet.pays] + [one.when for one in book.declarations]
    count = sum(len(each_of(when)) or 1 for when in whens)
    if len(book.bets) > MOST_BETS:
        yield Problem(("bets",), f"a book has at most {MOST_BETS} bets, and this one has {len(book.bets)}")
    if count > MOST_CONDITIONS:
        yield Problem((), f"a book has at most {MOST_CONDITIONS:,} conditions, and this one has {count:,}")


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
            sentence = "this bet can never be placed: no bet that it needs can be placed before it"
            yield Problem(("bets", i, "needs"), sentence)


def _orders(book: BookText) -> Iterator[Problem]:
    """Somebody of the rank that orders a remedy must be allowed to give its command, or no case closes."""
    for i, entry in enumerate(book.irregularities):
        place: Place = ("irregularities", i, "orders")
        if entry.orders not in LADDER:
            ranks = ", ".join(role.value for role in LADDER)
            yield Problem(place, f"a {entry.orders.value} orders nothing at a table; the ranks are {ranks}")
            continue
        for command in REMEDY_COMMANDS[entry.remedy]:
            allowed = authority_over(command, book.authority, ()).roles
            if not any(role.is_at_least(entry.orders) for role in allowed):
                roles = ", ".join(role.value for role in allowed) or "nobody"
                sentence = f"nobody of rank {entry.orders.value} or above may give {command}; it is for {roles}"
                yield Problem(place, sentence)
