"""Conditions on cards in words: "Player's third card is an 8", "all cards of the round are black"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from punto.cards.card import Card
from punto.rules.text.card_test import (
    Alike,
    CardComparison,
    CardTest,
    Compared,
    ComparedBy,
    GroupTest,
    PokerClass,
)
from punto.rules.text.number import expand
from punto.rules.text.when import CARD_GROUPS, CARD_PLACES, TWO_POINTS, When

_ORDINALS = {"1": "first", "2": "second", "3": "third"}
_GROUPS = {
    "player_two": "Player's first two cards",
    "banker_two": "Banker's first two cards",
    "player_hand": "Player's cards",
    "banker_hand": "Banker's cards",
    "first_four": "the first four cards",
    "round": "the cards of the round",
}
_ALIKE = {Alike.RANK: "rank", Alike.SUIT: "suit", Alike.COLOUR: "colour"}
_POKER = {PokerClass.MINI_ROYAL: "a mini royal", PokerClass.FOUR_OF_A_KIND: "four of a kind"} | {
    PokerClass.THREE_OF_A_KIND: "three of a kind",
    PokerClass.TWO_PAIR: "two pair",
    PokerClass.HIGH_CARD: "nothing",
}
_COMPARED = {Compared.HIGHER: "higher than", Compared.LOWER: "lower than", Compared.EQUAL: "equal to"}
_BY = {
    ComparedBy.RANK: "",
    ComparedBy.RANK_ACE_HIGH: " (ace high)",
    ComparedBy.POINTS: " in points",
}


def either(words: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def numbers(values: int | tuple[int, ...]) -> str:
    """Numbers with runs drawn together: `1-5 or 7-9`."""
    ordered = sorted({values} if isinstance(values, int) else set(values))
    pieces: list[str] = []
    for _, group in groupby(enumerate(ordered), key=lambda place: place[1] - place[0]):
        run = [number for _, number in group]
        pieces += [f"{run[0]}-{run[-1]}"] if len(run) > 2 else map(str, run)
    return either(pieces)


def card_phrases(when: When) -> Iterator[str]:
    """Everything that a condition says about single cards, and about other bets."""
    for name in TWO_POINTS:
        if name in when.named:
            yield f"{_GROUPS[name.removesuffix('_points')]} make {numbers(when.number_of(name))}"
    for name in CARD_PLACES:
        if (test := getattr(when, name)) is not None:
            yield f"{_place(name)} is {_card(test, one=True)}"
    for name in CARD_GROUPS:
        for group in _many(getattr(when, name)):
            yield from _group(_GROUPS[name], group)
    for comparison in _many(when.compare):
        yield _comparison(comparison)
    if when.wins is not None:
        yield f"{either(_many(when.wins))} wins"


def _place(name: str) -> str:
    """`player_3` or `player-3`: Player's third card."""
    return f"{name[:-2].title()}'s {_ORDINALS[name[-1]]} card"


def _card(test: CardTest, *, one: bool) -> str:
    """What a card is, or several cards are: `a red 8`, `red 8s`."""
    words = []
    if test.colour is not None:
        words.append(test.colour.value)
    if test.card is not None:
        words.append(either([Card.parse(text).symbol for text in _many(test.card)]))
    if test.rank is not None:
        ranks = [str(text).upper() for text in _many(test.rank)]
        words.append(
            either([_a(rank) if one and not words else rank if one else f"{rank}s" for rank in ranks])
        )
    if test.face is not None:
        face = "a picture card" if one else "picture cards"
        words.append(face if test.face else f"not {face}")
    if test.points is not None:
        words.append(f"worth {numbers(expand(test.points, range(10)))}")
    if test.suit is not None:
        words.append(f"of {either([suit.value for suit in _many(test.suit)])}")
    text = " ".join(words)
    return f"a {text}" if one and test.colour is not None and test.rank is not None else text


def _a(rank: str) -> str:
    return f"{'an' if rank in ('A', '8') else 'a'} {rank}"


def _group(subject: str, group: GroupTest) -> Iterator[str]:
    if group.all is not None:
        yield f"{subject} are all {_card(group.all, one=False)}"
    if group.none is not None:
        yield f"none of {subject} is {_card(group.none, one=True)}"
    if group.number is not None and group.of is not None:
        number = expand(group.number, range(7))
        is_one = number == (1,)
        verb = "is" if is_one else "are"
        yield f"{numbers(number)} of {subject} {verb} {_card(group.of, one=is_one)}"
    same, other = _many(group.same), _many(group.not_same)
    if Alike.CARD in same:
        yield f"{subject} are identical"
    if named := [_ALIKE[alike] for alike in same if alike in _ALIKE]:
        yield f"{subject} are of one {' and '.join(named)}"
    if Alike.CARD in other:
        yield f"{subject} are not identical"
    if named := [_ALIKE[alike] for alike in other if alike in _ALIKE]:
        yield f"{subject} are not of one {either(named)}"
    if group.ranks is not None:
        ranks = [str(text).upper() for text in group.ranks]
        yield f"{subject} are {', '.join(ranks[:-1])} and {ranks[-1]}"
    if group.poker is not None:
        names = [_POKER.get(one, f"a {one.value.replace('-', ' ')}") for one in _many(group.poker)]
        yield f"{subject} make {either(names)}"


def _comparison(comparison: CardComparison) -> str:
    how = either([_COMPARED[result] for result in _many(comparison.result)])
    one, other = _place(comparison.first.value), _place(comparison.second.value)
    return f"{one} is {how} {other}{_BY[comparison.by]}"


def _many(value: Any) -> tuple[Any, ...]:
    if value is None:
        return ()
    return value if isinstance(value, tuple) else (value,)
