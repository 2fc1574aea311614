"""Conditions on cards in the words of a phrasebook: "Player's third card is an 8", 闲第三张牌是8."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from punto.cards.card import Card, Rank
from punto.rules.text.card_test import Alike, CardComparison, CardTest, GroupTest
from punto.rules.text.number import expand
from punto.rules.text.when import CARD_GROUPS, CARD_PLACES, TWO_POINTS, When
from punto.rules.wording.lists import say_either, say_numbers
from punto.rules.wording.phrasebook import Phrasebook

NameOf = Callable[[str], str]
"""What a betting area is called, where a condition names other bets."""


def card_phrases(when: When, say: Phrasebook, name_of: NameOf) -> Iterator[str]:
    """Everything that a condition says about single cards, and about other bets."""
    for name in TWO_POINTS:
        if name in when.named:
            group = say.groups[name.removesuffix("_points")]
            yield say.two_points.format(group=group, points=say_numbers(when.number_of(name), say))
    for name in CARD_PLACES:
        if (test := getattr(when, name)) is not None:
            yield say.place_is.format(place=say.places[name], card=_card(test, say, one=True))
    for name in CARD_GROUPS:
        for test in _many(getattr(when, name)):
            yield from _group(say.groups[name], test, say)
    for comparison in _many(when.compare):
        yield _comparison(comparison, say)
    if when.wins is not None:
        yield say.bet_wins.format(bets=say_either([name_of(area) for area in _many(when.wins)], say))


def _rank(text: object) -> str:
    """A rank as it is shown, however a book writes it."""
    return Rank.parse(str(text)).notation


def _card(test: CardTest, say: Phrasebook, *, one: bool) -> str:
    """What a card is, or several cards are: `a red 8`, `red 8s`."""
    parts: dict[str, str] = {}
    if test.colour is not None:
        parts["colour"] = say.colours[test.colour]
    if test.card is not None:
        parts["card"] = say_either([Card.parse(text).symbol for text in _many(test.card)], say)
    if test.rank is not None:
        ranks = [_rank(text) for text in _many(test.rank)]
        said = say.a_rank if one else say.ranks
        is_bare = one and bool(parts)
        parts["rank"] = say_either([rank if is_bare else said[rank] for rank in ranks], say)
    if test.face is not None:
        a_face, faces = (say.a_face, say.faces) if test.face else (say.not_a_face, say.no_faces)
        parts["face"] = a_face if one else faces
    if test.points is not None:
        parts["points"] = say.worth.format(points=say_numbers(expand(test.points, range(10)), say))
    if test.suit is not None:
        suits = say_either([say.suits[suit] for suit in _many(test.suit)], say)
        parts["suit"] = say.of_suit.format(suits=suits)
    words = [parts[name] for name in say.card_order if name in parts]
    if not parts.keys() & {"card", "rank", "face", "suit"} and say.any_card:
        words.append(say.any_card)
    text = say.card_join.join(words)
    return say.a_coloured.format(card=text) if one and {"colour", "rank"} <= parts.keys() else text


def _group(group: str, test: GroupTest, say: Phrasebook) -> Iterator[str]:
    if test.all is not None:
        yield say.all_are.format(group=group, card=_card(test.all, say, one=False))
    if test.none is not None:
        yield say.none_is.format(group=group, card=_card(test.none, say, one=True))
    if test.number is not None and test.of is not None:
        number = expand(test.number, range(7))
        is_one = number == (1,)
        sentence = say.one_is if is_one else say.some_are
        card = _card(test.of, say, one=is_one)
        yield sentence.format(number=say_numbers(number, say), group=group, card=card)
    same, other = _many(test.same), _many(test.not_same)
    if Alike.CARD in same:
        yield say.identical.format(group=group)
    if named := [say.alikes[alike] for alike in same if alike in say.alikes]:
        yield say.alike.format(group=group, what=say.both.join(named))
    if Alike.CARD in other:
        yield say.not_identical.format(group=group)
    if named := [say.alikes[alike] for alike in other if alike in say.alikes]:
        yield say.not_alike.format(group=group, what=say_either(named, say))
    if test.ranks is not None:
        ranks = [_rank(text) for text in test.ranks]
        listed = say.both.join((say.listed.join(ranks[:-1]), ranks[-1]))
        yield say.ranks_are.format(group=group, ranks=listed)
    if test.poker is not None:
        what = say_either([say.poker[one] for one in _many(test.poker)], say)
        yield say.makes.format(group=group, what=what)


def _comparison(comparison: CardComparison, say: Phrasebook) -> str:
    return say.comparison.format(
        first=say.places[comparison.first.value.replace("-", "_")],
        second=say.places[comparison.second.value.replace("-", "_")],
        how=say_either([say.compared[result] for result in _many(comparison.result)], say),
        by=say.compared_by[comparison.by],
    )


def _many(value: Any) -> tuple[Any, ...]:
    if value is None:
        return ()
    return value if isinstance(value, tuple) else (value,)
