"""What is wrong with the values of a condition: numbers that cannot be, ranks and cards that do not exist,
tests that ask for nothing.

Whether a deal meets a condition is for the compiler; here only what can be said of the condition alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from punto.cards.card import Card, Rank
from punto.rules.text.card_test import CardComparison, CardPlace, CardTest, GroupTest
from punto.rules.text.number import expand
from punto.rules.text.when import CARD_GROUPS, CARD_PLACES, RANGES, When

Complaint = tuple[str, str]
"""The name of the fact, empty for the condition as a whole, and a sentence."""

_GROUP_SIZES = {
    **dict.fromkeys(("player_two", "banker_two"), range(2, 3)),
    **dict.fromkeys(("player_hand", "banker_hand"), range(2, 4)),
    "first_four": range(4, 5),
    "round": range(4, 7),
}
"""How many cards a group may have."""
_EMPTY = "an empty list can never hold"
_NOTHING = "a test on cards names at least one thing that must hold"


def complaints(when: When) -> list[Complaint]:
    """Everything that is wrong with a condition."""
    found: list[Complaint] = []
    for name in when.named:
        found += [(name, sentence) for sentence in _wrong(name, getattr(when, name))]
    if not when.named:
        found.append(("", "a condition names at least one fact; use otherwise = true for all the rest"))
    return found


def _wrong(name: str, value: object) -> Iterator[str]:
    if value == ():
        yield _EMPTY
    elif name in RANGES:
        yield from _unread(lambda: expand(value, RANGES[name]))  # type: ignore[arg-type]
    elif name in ("player_pair_of", "banker_pair_of"):
        yield from _unread_texts(value, Rank.parse)
    elif name in CARD_PLACES:
        assert isinstance(value, CardTest)
        yield from _card_test(value)
    elif name in CARD_GROUPS:
        for group in value if isinstance(value, tuple) else (value,):
            yield from _group_test(name, group)
    elif name == "compare":
        for comparison in value if isinstance(value, tuple) else (value,):
            yield from _comparison(comparison)


def _card_test(test: CardTest) -> Iterator[str]:
    if test == CardTest():
        yield _NOTHING
    if () in (test.rank, test.points, test.suit, test.card):
        yield _EMPTY
        return
    yield from _unread_texts(test.rank, Rank.parse)
    yield from _unread_texts(test.card, Card.parse)
    if test.points is not None:
        points = test.points
        yield from _unread(lambda: expand(points, range(10)))


def _group_test(name: str, group: GroupTest) -> Iterator[str]:
    if group == GroupTest():
        yield _NOTHING
    if () in (group.number, group.same, group.not_same, group.poker):
        yield _EMPTY
        return
    for test in filter(None, (group.all, group.none, group.of)):
        yield from _card_test(test)
    sizes = _GROUP_SIZES[name]
    if (group.number is None) != (group.of is None):
        yield "number and of go together: how many cards, and which"
    if group.number is not None:
        number = group.number
        yield from _unread(lambda: expand(number, range(sizes[-1] + 1)))
    if group.ranks is not None:
        yield from _unread_texts(group.ranks, Rank.parse)
        if len(group.ranks) not in sizes:
            many = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
            yield f"ranks lists one rank for each card of the group, {many}, and not {len(group.ranks)}"
    if group.poker is not None and name != "first_four":
        yield "poker is asked of first_four only"


def _comparison(comparison: CardComparison) -> Iterator[str]:
    if comparison.result == ():
        yield _EMPTY
    if comparison.first is comparison.second:
        yield f"a card is not compared with itself; places are {', '.join(p.value for p in CardPlace)}"


def _unread_texts(value: object, parse: Callable[[str], object]) -> Iterator[str]:
    for text in () if value is None else value if isinstance(value, tuple) else (value,):
        yield from _unread(lambda text=text: parse(str(text)))  # type: ignore[misc]


def _unread(read: Callable[[], object]) -> Iterator[str]:
    try:
        read()
    except ValueError as error:
        yield str(error)
