"""One hand as a bet sees it: cards by their kind, two cards as a state, and the finished hand as a code.

The kinds are the coarsest division of the 52 cards that the bet can do with: two cards of one kind are the
same to it at every place of either hand. Exact odds and simulation go by kinds alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from punto.cards.card import DECK, Card
from punto.rules.hands.hand_fact import HandFact
from punto.rules.play import STOOD, Play


@dataclass(frozen=True, slots=True)
class Kinds:
    """The division of the cards, and one card of each kind."""

    of: tuple[int, ...]
    """The kind of each card, by its index."""
    cards: tuple[Card, ...]
    """The first card of each kind."""
    has_points: bool
    """Whether all cards of a kind count the same."""

    def __len__(self) -> int:
        return len(self.cards)

    @property
    def has_suits(self) -> bool:
        """Whether cards of one rank are told apart."""
        return any(self.of[i] != self.of[i % 13] for i in range(len(DECK)))

    @property
    def points(self) -> tuple[int, ...]:
        """What each kind counts."""
        return tuple(card.points for card in self.cards)


Ends = dict[int, tuple[Card, ...]]
"""Codes of a hand, each with cards that have it."""


@dataclass(frozen=True, slots=True, repr=False)
class HandTable:
    """Codes of one hand: found by two look-ups, the first two cards and then the third."""

    two: tuple[int, ...]
    """By the kinds of the first two cards: a state."""
    third: tuple[int, ...]
    """By state and kind of the third card: a code. Empty where no third card is read."""
    stood: tuple[int, ...]
    """By state: the code without a third card."""
    values: tuple[tuple[Any, ...], ...]
    """Of each code: the values that the bet reads."""
    ends: dict[tuple[int, int], Ends] = field(compare=False)
    """By the points of two cards and of the third (`STOOD` for none): the codes, each with an example. Where
    no third card is read, all of them stand for a hand of no points that stood."""

    def code(self, kinds: Kinds, hand: Sequence[Card]) -> int:
        """The code of a finished hand."""
        first, second, *more = (kinds.of[card.index] for card in hand)
        state = self.two[first * len(kinds) + second]
        return self.third[state * len(kinds) + more[0]] if more and self.third else self.stood[state]

    def ends_from(self, kinds: Kinds, seen: Sequence[Card | None]) -> dict[tuple[int, int], Ends]:
        """The ends that are possible when some cards of the hand are known; None for one that is not."""
        first, second, third = (
            kinds.cards if card is None else (card,) for card in (*seen, None, None, None)[:3]
        )
        found: dict[tuple[int, int], Ends] = {}
        states: set[int] = set()
        for one in first:
            for two in second:
                state = self.two[kinds.of[one.index] * len(kinds) + kinds.of[two.index]]
                if state in states:
                    continue
                states.add(state)
                points = (one.points + two.points) % 10 if kinds.has_points else 0
                found.setdefault((points, STOOD), {})[self.stood[state]] = (one, two)
                for card in third if self.third else ():
                    code = self.third[state * len(kinds) + kinds.of[card.index]]
                    found.setdefault((points, card.points), {})[code] = (one, two, card)
        return found


Read = tuple[HandFact, Callable[[Any], Any]]
"""A fact, and what of its value is kept in the code."""


def kinds_of(facts: Sequence[HandFact], *, has_points: bool) -> Kinds:
    """The kinds that these facts tell apart, by points too where they decide who draws."""
    found: dict[Any, int] = {}
    cards: list[Card] = []
    of = []
    for card in DECK:
        key = (card.points if has_points else None, *(fact.sees(card) for fact in facts))
        if key not in found:
            found[key] = len(found)
            cards.append(card)
        of.append(found[key])
    return Kinds(tuple(of), tuple(cards), has_points)


def hand_table(reads: Sequence[Read], kinds: Kinds) -> HandTable:
    """The table of one hand; every state and code stands for at least one hand of cards."""
    states: dict[Any, int] = {}
    examples: list[tuple[Card, Card]] = []
    two = []
    for first in kinds.cards:
        for second in kinds.cards:
            points = (first.points + second.points) % 10 if kinds.has_points else 0
            key = (points, *(fact.two(first, second) for fact, _ in reads))
            if key not in states:
                states[key] = len(states)
                examples.append((first, second))
            two.append(states[key])
    codes: dict[tuple[Any, ...], int] = {}
    ends: dict[tuple[int, int], Ends] = {}
    drawn: list[dict[Any, list[Any]]] = [{} for _ in reads]
    """Of each fact, by its value after two cards: what is kept of it after each third card."""
    stood, third = [], []
    for (points, *values), state in states.items():
        kept = tuple(keep(fact.stood(v)) for (fact, keep), v in zip(reads, values, strict=True))
        stood.append(codes.setdefault(kept, len(codes)))
        ends.setdefault((points, STOOD), {}).setdefault(stood[-1], examples[state])
        if not kinds.has_points:
            continue
        for (fact, keep), known, v in zip(reads, drawn, values, strict=True):
            if v not in known:
                known[v] = [keep(fact.third(v, card)) for card in kinds.cards]
        columns = [known[v] for known, v in zip(drawn, values, strict=True)]
        for card, kept in zip(kinds.cards, zip(*columns, strict=True) if columns else _NOTHING, strict=False):
            code = codes.setdefault(kept, len(codes))
            third.append(code)
            found = ends.setdefault((points, card.points), {})
            if code not in found:
                found[code] = (*examples[state], card)
    return HandTable(tuple(two), tuple(third), tuple(stood), tuple(codes), ends)


_NOTHING: Iterable[tuple[Any, ...]] = ((),) * len(DECK)
"""What is kept of each third card where a bet reads nothing of a hand."""


def finishes(
    play: Play, player: Mapping[tuple[int, int], Ends], banker: Mapping[tuple[int, int], Ends]
) -> Iterator[tuple[Ends, Ends]]:
    """Ends of Player's hand and of Banker's that go together by the table of play."""
    if all(third == STOOD for _, third in (*player, *banker)):
        yield player[0, STOOD], banker[0, STOOD]
        return
    drawn: list[Ends] = [{} for _ in range(10)]
    for (b, third), ends in banker.items():
        if third != STOOD:
            drawn[b] |= ends
    for p, third in player:
        for b in range(10):
            is_over, draws = play.ends[p * 10 + b], play.player_draws[p * 10 + b]
            if (b, STOOD) not in banker or draws != (third != STOOD):
                continue
            yield (
                player[p, third],
                drawn[b] if not is_over and play.banker_draws[third][b] else banker[b, STOOD],
            )
