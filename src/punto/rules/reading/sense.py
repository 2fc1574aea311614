"""Whether a book of the right shape can be played: bets that can be placed, cases that can be closed.

Beside `validate`, which asks whether names and references fit. What is found here would be no error in any
one entry; only together do they make a bet that nobody can place or a case that nobody can close.
"""

from __future__ import annotations

from collections.abc import Iterator

from punto.rules.authority import authority_over, complaint_about
from punto.rules.reading.problem import Place, Problem
from punto.rules.role import LADDER
from punto.rules.text.bet import Area
from punto.rules.text.book_text import BookText
from punto.rules.text.irregularity import Remedy

MOST_BETS = 64
"""Betting areas of a book: a layout has room for fewer."""
MOST_CONDITIONS = 1000
"""Conditions of all pay tables and declarations together: what compiling has to go through for each deal."""

COMMANDS: dict[Remedy, tuple[str, ...]] = {
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


def sense_problems(book: BookText) -> Iterator[Problem]:
    """Everything that could never be played."""
    yield from _unplaceable(book)
    yield from _repeated_pairs(book)
    yield from _authority(book)
    yield from _orders(book)
    yield from _sizes(book)


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


def _repeated_pairs(book: BookText) -> Iterator[Problem]:
    seen: set[str] = set()
    for i, pair in enumerate(book.ante.pairs if book.ante else ()):
        for key, area in (("ante", pair.ante), ("wager", pair.wager)):
            if area in seen:
                yield Problem(("ante", "pairs", i, key), f"{area} stands in a pair already")
            seen.add(area)


def _authority(book: BookText) -> Iterator[Problem]:
    for i, entry in enumerate(book.authority):
        complaint = complaint_about(entry, book.authority[:i])
        if complaint is not None:
            yield Problem(("authority", i), complaint)


def _orders(book: BookText) -> Iterator[Problem]:
    """Somebody of the rank that orders a remedy must be allowed to give its command, or no case closes."""
    for i, entry in enumerate(book.irregularities):
        place: Place = ("irregularities", i, "orders")
        if entry.orders not in LADDER:
            ranks = ", ".join(role.value for role in LADDER)
            yield Problem(place, f"a {entry.orders.value} orders nothing at a table; the ranks are {ranks}")
            continue
        for command in COMMANDS[entry.remedy]:
            allowed = authority_over(command, book.authority, ()).roles
            if not any(role.is_at_least(entry.orders) for role in allowed):
                roles = ", ".join(role.value for role in allowed) or "nobody"
                sentence = (
                    f"nobody of rank {entry.orders.value} or above may give {command}; it is for {roles}"
                )
                yield Problem(place, sentence)


def _sizes(book: BookText) -> Iterator[Problem]:
    whens = [row.when for bet in book.bets for row in bet.pays] + [one.when for one in book.declarations]
    count = sum(len(when) if isinstance(when, tuple) else 1 for when in whens)
    if len(book.bets) > MOST_BETS:
        yield Problem(("bets",), f"a book has at most {MOST_BETS} bets, and this one has {len(book.bets)}")
    if count > MOST_CONDITIONS:
        yield Problem((), f"a book has at most {MOST_CONDITIONS:,} conditions, and this one has {count:,}")
