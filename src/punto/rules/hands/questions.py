"""Everything that a bet asks of the two hands, each question once, and its rows as sets of answers.

An answer is one bit. What the questions to one hand come to is known for each code of that hand, what those
to both hands come to for each two values, so that a deal takes a few look-ups; and a row is found once for
every set of answers, of which there are few.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from punto.rules.facts import Hand
from punto.rules.hands.hand_fact import HandFact
from punto.rules.hands.hand_table import Read, hand_table, kinds_of
from punto.rules.hands.joined_fact import Join, JoinedFact, Test, joined_facts
from punto.rules.text.bet import Bet
from punto.rules.text.when import When

MOST_QUESTIONS = 100
"""HandQuestions of one bet, with those of the bets that it asks after."""


class TooManyFacts(ValueError):
    """A bet that asks for more than can be told apart in good time, in one sentence."""


@dataclass(frozen=True, slots=True)
class RowSets:
    """The rows of a bet by the answers they need."""

    rows: tuple[tuple[tuple[int, tuple[OtherBet, ...] | None], ...] | None, ...]
    """Of each row the answers that must all be yes, any of several sets of them, each perhaps with other bets
    of which one must win; None for the row of all the rest."""

    def found(self, met: int) -> tuple[int, ...]:
        """The rows that hold; where none does, the row for all the rest."""
        found = tuple(
            i
            for i, row in enumerate(self.rows)
            if row is not None and any(_holds(needed, others, met) for needed, others in row)
        )
        if not found and self.rows and self.rows[-1] is None:
            return (len(self.rows) - 1,)
        return found


@dataclass(frozen=True, slots=True)
class OtherBet:
    """Another bet of the book, and which of its rows are wins."""

    rows: RowSets
    won: frozenset[int]

    def wins(self, met: int) -> bool:
        """Whether its first row that holds is a win."""
        return bool(self.won.intersection(self.rows.found(met)[:1]))


def _holds(needed: int, others: tuple[OtherBet, ...] | None, met: int) -> bool:
    return met & needed == needed and (others is None or any(other.wins(met) for other in others))


class HandQuestions:
    """All questions of a bet, and of the bets that it asks after."""

    def __init__(self, naturals: frozenset[int]) -> None:
        self.reads: dict[Hand, list[Read]] = {hand: [] for hand in Hand}
        """What is read of each hand; a question to one hand alone keeps only its answer."""
        self._naturals = naturals
        self._bits = 0
        self._alone: dict[Hand, list[tuple[int, int]]] = {hand: [] for hand in Hand}
        """Places among the reads of a hand, and the bits of their answers."""
        self._joined: dict[tuple[HandFact, HandFact, Join], tuple[int, int, list[tuple[Test, int]]]] = {}
        self._places: dict[tuple[Hand, HandFact], int] = {}
        self._others: dict[str, OtherBet] = {}
        self._tables: list[_Joint] = []

    def rows(self, bet: Bet, bets: Mapping[str, Bet]) -> RowSets:
        """The rows of a bet; their questions are added to those known."""
        return RowSets(
            tuple(
                None
                if row.when is None
                else tuple(
                    self._needed(one, bets)
                    for one in (row.when if isinstance(row.when, tuple) else (row.when,))
                )
                for row in bet.pays
            )
        )

    def _needed(self, when: When, bets: Mapping[str, Bet]) -> tuple[int, tuple[OtherBet, ...] | None]:
        needed = 0
        for fact in joined_facts(when, self._naturals):
            needed |= self._ask(fact)
        if when.wins is None:
            return needed, None
        areas = when.wins if isinstance(when.wins, tuple) else (when.wins,)
        return needed, tuple(self._other(area, bets) for area in areas)

    def _other(self, area: str, bets: Mapping[str, Bet]) -> OtherBet:
        if area not in self._others:
            won = frozenset(i for i, row in enumerate(bets[area].pays) if row.odds is not None)
            self._others[area] = OtherBet(self.rows(bets[area], bets), won)
        return self._others[area]

    def _ask(self, fact: JoinedFact) -> int:
        """The bit of a question."""
        bit = 1 << self._bits
        self._bits += 1
        if self._bits > MOST_QUESTIONS:
            raise TooManyFacts(f"the bet asks more than {MOST_QUESTIONS} questions about cards")
        if fact.join is None:
            hand, one = (Hand.PLAYER, fact.player) if fact.player is not None else (Hand.BANKER, fact.banker)
            assert one is not None
            self._alone[hand].append((self._read(hand, one, fact.test), bit))
            return bit
        assert fact.player is not None and fact.banker is not None
        key = (fact.player, fact.banker, fact.join)
        if key not in self._joined:
            places = (self._place(Hand.PLAYER, fact.player), self._place(Hand.BANKER, fact.banker))
            self._joined[key] = (*places, [])
        self._joined[key][2].append((fact.test, bit))
        return bit

    def _place(self, hand: Hand, fact: HandFact) -> int:
        if (hand, fact) not in self._places:
            self._places[hand, fact] = self._read(hand, fact, lambda value: value)
        return self._places[hand, fact]

    def _read(self, hand: Hand, fact: HandFact, keep: Callable[[Any], Any]) -> int:
        self.reads[hand].append((fact, keep))
        return len(self.reads[hand]) - 1

    def merge(self) -> None:
        """Keep of each value only what some answer depends on: values that nothing tells apart become one."""
        joints = [
            (player, banker, _Joint(possible_values(player), possible_values(banker), join, tests))
            for (player, banker, join), (_, _, tests) in self._joined.items()
        ]
        for (hand, fact), place in self._places.items():
            alike: dict[Any, Any] = {}
            kept = {}
            for value in possible_values(fact):
                seen = tuple(
                    joint.row(value) if hand is Hand.PLAYER else joint.column(value)
                    for player, banker, joint in joints
                    if fact == (player if hand is Hand.PLAYER else banker)
                )
                kept[value] = alike.setdefault(seen, value)
            self.reads[hand][place] = fact, kept.__getitem__
        self._tables = [joint for _, _, joint in joints]

    def answers(self, player: Sequence[Sequence[Any]], banker: Sequence[Sequence[Any]]) -> Answers:
        """The answers of all codes; each code comes with its values."""
        alone = [
            [sum(bit for place, bit in self._alone[hand] if values[place]) for values in codes]
            for hand, codes in ((Hand.PLAYER, player), (Hand.BANKER, banker))
        ]
        joined = [
            (joint, [values[p] for values in player], joint.places([values[b] for values in banker]))
            for joint, (p, b, _) in zip(self._tables, self._joined.values(), strict=True)
        ]
        return Answers(alone[0], alone[1], joined)


@lru_cache(maxsize=256)
def possible_values(fact: HandFact) -> tuple[Any, ...]:
    """Every value that a fact can have of some hand."""
    kinds = kinds_of([fact], has_points=fact.reads_third)
    return tuple(value for (value,) in hand_table([(fact, lambda value: value)], kinds).values)


class _Joint:
    """Answers to questions about two values joined, for all values that there can be."""

    def __init__(
        self,
        player: tuple[Any, ...],
        banker: tuple[Any, ...],
        join: Join,
        tests: list[tuple[Test, int]],
    ) -> None:
        by_value: dict[Any, int] = {}

        def met(value: Any) -> int:
            if value not in by_value:
                by_value[value] = sum(bit for test, bit in tests if test(value))
            return by_value[value]

        self._places = {value: i for i, value in enumerate(banker)}
        self._rows = {one: tuple([met(join(one, other)) for other in banker]) for one in player}
        self._columns: list[tuple[int, ...]] = []

    def row(self, value: Any) -> tuple[int, ...]:
        """The answers for a value of Player's hand, beside all of Banker's."""
        return self._rows[value]

    def column(self, value: Any) -> tuple[int, ...]:
        """The answers for a value of Banker's hand, beside all of Player's."""
        if not self._columns:
            self._columns = list(zip(*self._rows.values(), strict=True))
        return self._columns[self._places[value]]

    def places(self, values: list[Any]) -> list[int]:
        """The places of Banker's values in a row."""
        return [self._places[value] for value in values]


@dataclass(frozen=True, slots=True)
class Answers:
    """Which questions are answered with yes, as bits."""

    player: list[int]
    banker: list[int]
    joined: list[tuple[_Joint, list[Any], list[int]]]

    def beside(self, p: int) -> list[int]:
        """For a code of Player's hand, beside every code of Banker's."""
        met = [self.player[p] | bits for bits in self.banker]
        for joint, values, places in self.joined:
            row = joint.row(values[p])
            met = [before | row[place] for before, place in zip(met, places, strict=True)]
        return met
