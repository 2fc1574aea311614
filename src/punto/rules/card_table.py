"""The pay table of a bet on single cards: each hand as a code of what the bet asks of it, every question
once, and a row for every two codes, proved to have neither gaps nor overlaps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from typing import Any

import msgspec

from punto.cards.card import DECK, Card, format_cards
from punto.rules.book_text import Bet
from punto.rules.condition import When
from punto.rules.entry import each_of
from punto.rules.hand_fact import HandFact, Join, JoinedFact, Test, joined_facts
from punto.rules.outcome import NO_ROW, Hand
from punto.rules.table_of_play import STOOD, Play
from punto.rules.told import told


class Kinds(msgspec.Struct, frozen=True):
    """The division of the cards, and one card of each kind."""

    of: tuple[int, ...]  # The kind of each card, by its index.
    cards: tuple[Card, ...]  # The first card of each kind.
    has_points: bool  # Whether all cards of a kind count the same.

    def __len__(self) -> int:
        return len(self.cards)

    @property
    def has_suits(self) -> bool:
        """Whether cards of one rank are told apart."""
        return any(self.of[i] != self.of[i % 13] for i in range(len(DECK)))

    @property
    def points(self) -> tuple[int, ...]:
        return tuple(card.points for card in self.cards)


Ends = dict[int, tuple[Card, ...]]  # Codes of a hand, each with cards that have it.


@dataclass(frozen=True, slots=True, repr=False)
class HandTable:
    """Codes of one hand: found by two look-ups, the first two cards and then the third."""

    two: tuple[int, ...]  # By the kinds of the first two cards: a state.
    third: tuple[int, ...]  # By state and kind of the third card: a code. Empty where no third card is read.
    stood: tuple[int, ...]  # By state: the code without a third card.
    values: tuple[tuple[Any, ...], ...]  # Of each code: the values that the bet reads.
    ends: dict[tuple[int, int], Ends] = field(compare=False)
    """By the points of two cards and of the third (`STOOD` for none): the codes, each with an example. Where
    no third card is read, all of them stand for a hand of no points that stood."""

    def code(self, kinds: Kinds, hand: Sequence[Card]) -> int:
        first, second, *more = (kinds.of[card.index] for card in hand)
        state = self.two[first * len(kinds) + second]
        return self.third[state * len(kinds) + more[0]] if more and self.third else self.stood[state]

    def ends_from(self, kinds: Kinds, seen: Sequence[Card | None]) -> dict[tuple[int, int], Ends]:
        """The ends that are possible when some cards of the hand are known; None for one that is not."""
        first, second, third = (kinds.cards if card is None else (card,) for card in (*seen, None, None, None)[:3])
        ends: dict[tuple[int, int], Ends] = {}
        states: dict[int, tuple[Card, Card]] = {}
        for one, two in product(first, second):
            states.setdefault(self.two[kinds.of[one.index] * len(kinds) + kinds.of[two.index]], (one, two))
        for state, (one, two) in states.items():
            points = (one.points + two.points) % 10 if kinds.has_points else 0
            ends.setdefault((points, STOOD), {})[self.stood[state]] = (one, two)
            for card in third if self.third else ():
                code = self.third[state * len(kinds) + kinds.of[card.index]]
                ends.setdefault((points, card.points), {})[code] = (one, two, card)
        return ends


Read = tuple[HandFact, Callable[[Any], Any]]  # A fact, and what of its value is kept in the code.


def kinds_of(facts: Sequence[HandFact], *, has_points: bool) -> Kinds:
    """The kinds that these facts tell apart, by points too where they decide who draws."""
    keys = [(card.points if has_points else None, *(fact.sees(card) for fact in facts)) for card in DECK]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    return Kinds(tuple(map(numbers.__getitem__, keys)), tuple(DECK[keys.index(key)] for key in numbers), has_points)


def hand_table(reads: Sequence[Read], kinds: Kinds) -> HandTable:
    """The table of one hand; every state and code stands for at least one hand of cards."""
    states: dict[Any, int] = {}
    examples: list[tuple[Card, Card]] = []
    two = []
    for first, second in product(kinds.cards, repeat=2):
        points = (first.points + second.points) % 10 if kinds.has_points else 0
        key = (points, *(fact.two(first, second) for fact, _ in reads))
        if key not in states:
            states[key] = len(states)
            examples.append((first, second))
        two.append(states[key])
    codes: dict[tuple[Any, ...], int] = {}
    ends: dict[tuple[int, int], Ends] = {}
    # Of each fact, by its value after two cards: what is read of it after each third card.
    drawn: list[dict[Any, list[Any]]] = [{} for _ in reads]
    stood, third = [], []
    for (points, *values), state in states.items():
        read = tuple(keep(fact.stood(v)) for (fact, keep), v in zip(reads, values, strict=True))
        stood.append(codes.setdefault(read, len(codes)))
        ends.setdefault((points, STOOD), {}).setdefault(stood[-1], examples[state])
        if not kinds.has_points:
            continue
        for (fact, keep), known, v in zip(reads, drawn, values, strict=True):
            if v not in known:
                known[v] = [keep(fact.third(v, card)) for card in kinds.cards]
        columns = [known[v] for known, v in zip(drawn, values, strict=True)]
        for card, read in zip(kinds.cards, zip(*columns, strict=True) if columns else _NOTHING_KEPT, strict=False):
            code = codes.setdefault(read, len(codes))
            third.append(code)
            ends.setdefault((points, card.points), {}).setdefault(code, (*examples[state], card))
    return HandTable(tuple(two), tuple(third), tuple(stood), tuple(codes), ends)


_NOTHING_KEPT: Iterable[tuple[Any, ...]] = ((),) * len(DECK)  # Of third cards, where a bet reads nothing of a hand.


def matching_ends(
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
            if (b, STOOD) in banker and draws == (third != STOOD):
                yield player[p, third], drawn[b] if not is_over and play.banker_draws[third][b] else banker[b, STOOD]


# An answer is one bit. What the questions to one hand come to is known for each code of that hand, what
# those to both hands come to for each two values, so that a deal takes a few look-ups; and a row is found
# once for every set of answers, of which there are few.
MOST_QUESTIONS = 100  # HandQuestions of one bet, with those of the bets that it asks after.


class TooManyFacts(ValueError):
    """A bet that asks for more than can be told apart in good time, in one sentence."""


class RowSets(msgspec.Struct, frozen=True):
    """The rows of a bet by the answers they need."""

    rows: tuple[tuple[tuple[int, tuple[OtherBet, ...] | None], ...] | None, ...]
    """Of each row the answers that must all be yes, any of several sets of them, each perhaps with other bets
    of which one must win; None for the row of all the rest."""

    def holding(self, met: int) -> tuple[int, ...]:
        """The rows that hold; where none does, the row for all the rest."""
        rows = tuple(i for i, row in enumerate(self.rows) if row is not None and any(_holds(*one, met) for one in row))
        return (len(self.rows) - 1,) if not rows and self.rows and self.rows[-1] is None else rows


class OtherBet(msgspec.Struct, frozen=True):
    """Another bet of the book, and which of its rows are wins."""

    rows: RowSets
    won: frozenset[int]

    def wins(self, met: int) -> bool:
        """Whether its first row that holds is a win."""
        return bool(self.won.intersection(self.rows.holding(met)[:1]))


def _holds(needed: int, others: tuple[OtherBet, ...] | None, met: int) -> bool:
    return met & needed == needed and (others is None or any(other.wins(met) for other in others))


class HandQuestions:
    """All questions of a bet, and of the bets that it asks after."""

    def __init__(self, naturals: frozenset[int]) -> None:
        # What is read of each hand; a question to one hand alone keeps only its answer.
        self.reads: dict[Hand, list[Read]] = {hand: [] for hand in Hand}
        self._naturals = naturals
        self._bits = 0
        # Places among the reads of a hand, and the bits of their answers.
        self._alone: dict[Hand, list[tuple[int, int]]] = {hand: [] for hand in Hand}
        self._joined: dict[tuple[HandFact, HandFact, Join], tuple[int, int, list[tuple[Test, int]]]] = {}
        self._places: dict[tuple[Hand, HandFact], int] = {}
        self._others: dict[str, OtherBet] = {}
        self._tables: list[_Joint] = []

    def rows(self, bet: Bet, bets: Mapping[str, Bet]) -> RowSets:
        """The rows of a bet; their questions are added to those known."""
        whens = (row.when for row in bet.pays)
        needed = (None if when is None else tuple(self._needed(one, bets) for one in each_of(when)) for when in whens)
        return RowSets(tuple(needed))

    def _needed(self, when: When, bets: Mapping[str, Bet]) -> tuple[int, tuple[OtherBet, ...] | None]:
        needed = sum(map(self._ask, joined_facts(when, self._naturals)))
        return needed, None if when.wins is None else tuple(self._other(area, bets) for area in each_of(when.wins))

    def _other(self, area: str, bets: Mapping[str, Bet]) -> OtherBet:
        if area not in self._others:
            won = frozenset(i for i, row in enumerate(bets[area].pays) if row.odds is not None)
            self._others[area] = OtherBet(self.rows(bets[area], bets), won)
        return self._others[area]

    def _ask(self, fact: JoinedFact) -> int:
        bit = 1 << self._bits
        self._bits += 1
        if self._bits > MOST_QUESTIONS:
            raise TooManyFacts(told("many-questions", most=MOST_QUESTIONS))
        if fact.join is None:
            hand, one = (Hand.PLAYER, fact.player) if fact.player is not None else (Hand.BANKER, fact.banker)
            assert one is not None
            self._alone[hand].append((len(self.reads[hand]), bit))
            self.reads[hand].append((one, fact.test))
            return bit
        assert fact.player is not None and fact.banker is not None
        key = (fact.player, fact.banker, fact.join)
        if key not in self._joined:
            self._joined[key] = (self._place(Hand.PLAYER, fact.player), self._place(Hand.BANKER, fact.banker), [])
        self._joined[key][2].append((fact.test, bit))
        return bit

    def _place(self, hand: Hand, fact: HandFact) -> int:
        if (hand, fact) not in self._places:
            self._places[hand, fact] = len(self.reads[hand])
            self.reads[hand].append((fact, lambda value: value))
        return self._places[hand, fact]

    def merge(self) -> None:
        """Keep of each value only what some answer depends on: values that nothing tells apart become one."""
        self._tables = [_joint(*key, tests) for key, (_, _, tests) in self._joined.items()]
        keys = list(zip(self._joined, self._tables, strict=True))
        for (hand, fact), place in self._places.items():
            if hand is Hand.PLAYER:
                tables = [table.rows for (player, _, _), table in keys if player == fact]
            else:
                tables = [table.columns for (_, banker, _), table in keys if banker == fact]
            alike: dict[Any, Any] = {}
            values = possible_values(fact)
            stands_for = {v: alike.setdefault(tuple(table[v] for table in tables), v) for v in values}
            self.reads[hand][place] = fact, stands_for.__getitem__

    def answers(self, player: Sequence[Sequence[Any]], banker: Sequence[Sequence[Any]]) -> Answers:
        """The answers of all codes; each code comes with its values."""
        alone = [
            [sum(bit for place, bit in self._alone[hand] if values[place]) for values in codes]
            for hand, codes in ((Hand.PLAYER, player), (Hand.BANKER, banker))
        ]
        joined = [
            (joint, [values[p] for values in player], [joint.places[values[b]] for values in banker])
            for joint, (p, b, _) in zip(self._tables, self._joined.values(), strict=True)
        ]
        return Answers(alone[0], alone[1], joined)


@lru_cache(maxsize=256)
def possible_values(fact: HandFact) -> tuple[Any, ...]:
    """Every value that a fact can have of some hand."""
    kinds = kinds_of([fact], has_points=fact.reads_third)
    return tuple(value for (value,) in hand_table([(fact, lambda value: value)], kinds).values)


class _Joint(msgspec.Struct, frozen=True):
    """Answers to questions about two values joined, for all values that there can be."""

    rows: dict[Any, tuple[int, ...]]  # For each value of Player's hand, beside all of Banker's.
    columns: dict[Any, tuple[int, ...]]  # For each value of Banker's hand, beside all of Player's.
    places: dict[Any, int]  # Of Banker's values in a row.


def _joint(player: HandFact, banker: HandFact, join: Join, tests: list[tuple[Test, int]]) -> _Joint:
    met = lru_cache(maxsize=None)(lambda value: sum(bit for test, bit in tests if test(value)))
    bankers = possible_values(banker)
    rows = {one: tuple([met(join(one, other)) for other in bankers]) for one in possible_values(player)}
    columns = dict(zip(bankers, zip(*rows.values(), strict=True), strict=True))
    return _Joint(rows, columns, {value: i for i, value in enumerate(bankers)})


class Answers(msgspec.Struct, frozen=True):
    """Which questions are answered with yes, as bits."""

    player: list[int]
    banker: list[int]
    joined: list[tuple[_Joint, list[Any], list[int]]]

    def beside(self, p: int) -> list[int]:
        """For a code of Player's hand, beside every code of Banker's."""
        met = [self.player[p] | bits for bits in self.banker]
        for joint, values, places in self.joined:
            row = joint.rows[values[p]]
            met = [before | row[place] for before, place in zip(met, places, strict=True)]
        return met


MOST_CELLS = 400_000  # Pairs of codes that a bet may tell apart: four cards as a poker hand need 207,025.
UNSEEN = -2  # Stands for a row while nothing is known of a cell.


class CardTable(msgspec.Struct, frozen=True):
    """How the cards of two hands lead to a cell of a pay table."""

    kinds: Kinds
    player: HandTable
    banker: HandTable

    @property
    def reads_third(self) -> bool:
        """Whether a third card can matter; if not, four cards decide the bet."""
        return self.kinds.has_points

    @property
    def cells(self) -> int:
        return len(self.player.values) * len(self.banker.values)

    def cell(self, player: Sequence[Card], banker: Sequence[Card]) -> int:
        code = self.player.code(self.kinds, player)
        return code * len(self.banker.values) + self.banker.code(self.kinds, banker)

    def possible_cells(self, play: Play, player: Sequence[Card | None], banker: Sequence[Card | None]) -> Iterator[int]:
        """Cells that hands may still come to, of which some cards are known (None for one that is not)."""
        ends = [hand.ends_from(self.kinds, seen) for hand, seen in ((self.player, player), (self.banker, banker))]
        for players, bankers in matching_ends(play, *ends):
            yield from (p * len(self.banker.values) + b for p in players for b in bankers)


class Proof(msgspec.Struct, frozen=True):
    """Rows of all cells, and what keeps the pay table from being total."""

    table: CardTable
    cells: tuple[int, ...]
    gaps: list[str]  # Deals without a row, as cards.
    overlaps: dict[tuple[int, int], list[str]]  # Two rows and deals that both cover, as cards.
    below: frozenset[int]  # Rows that hold for some deal which goes to a row above.


def prove_cards(bet: Bet, play: Play, bets: Mapping[str, Bet]) -> Proof:
    """The table of a bet, and its gaps and overlaps; `bets` are all of the book, by area.

    This proves what `pay_table` proves for other bets, over the codes that the two hands can come to by the table
    of play. Deals are taken as a shoe of many decks has them, so that one card may lie on the table six times; with
    fewer decks that is more than can happen. Rows that nothing reaches are named by `punto check`, which counts
    exactly.
    """
    questions = HandQuestions(play.naturals)
    rows = questions.rows(bet, bets)
    questions.merge()
    table = _card_table(questions)
    answers = questions.answers(table.player.values, table.banker.values)
    wide = len(table.banker.values)
    cells = [UNSEEN] * table.cells
    gaps: list[str] = []
    overlaps: dict[tuple[int, int], list[str]] = {}
    known: dict[int, tuple[int, ...]] = {}
    beside = lru_cache(maxsize=None)(answers.beside)
    for player, banker in matching_ends(play, table.player.ends, table.banker.ends):
        for p, players in player.items():
            answered = beside(p)
            for b, bankers in banker.items():
                if cells[p * wide + b] != UNSEEN:
                    continue
                met = answered[b]
                if met not in known:
                    known[met] = rows.holding(met)
                holding = known[met]
                cells[p * wide + b] = holding[0] if holding else NO_ROW
                if len(holding) == 1 or (holding and bet.first_match):
                    continue
                deal = f"Player {format_cards(players)}, Banker {format_cards(bankers)}"
                (overlaps.setdefault(holding[:2], []) if holding else gaps).append(deal)  # type: ignore[arg-type]
    reached = tuple(NO_ROW if row == UNSEEN else row for row in cells)
    below = frozenset(row for holding in known.values() for row in holding[1:])
    return Proof(table, reached, gaps, overlaps, below)


def _card_table(questions: HandQuestions) -> CardTable:
    facts = [fact for hand in Hand for fact, _ in questions.reads[hand]]
    kinds = kinds_of(facts, has_points=any(fact.reads_third for fact in facts))
    player, banker = (hand_table(questions.reads[hand], kinds) for hand in Hand)
    table = CardTable(kinds, player, banker)
    if table.cells > MOST_CELLS:
        raise TooManyFacts(told("many-hands", number=table.cells, most=MOST_CELLS))
    return table
