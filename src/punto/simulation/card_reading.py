"""Readings: what a kernel looks up of every round for bets on single cards, several bets in one.

Each bet sees a hand as a code of its own. Bets are put together while all combinations of their codes still
fit a small table: a round is then looked up once for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.cards.card import Suit
from punto.rules.book import Book
from punto.rules.hands.card_table import NO_ROW, CardTable
from punto.rules.hands.hand_table import HandTable, Kinds
from punto.rules.pay_table import PayTable
from punto.simulation.kernels.workspace import CODE_RANKS

Integers = NDArray[np.int64]

NOWHERE = -1
"""Where a look-up begins that there is none of, as the kernel has it."""
MOST_CELLS = 1 << 17
"""Pairs of codes that a reading of several bets may have, so that it stays in a near cache."""
MOST_ROWS = 1 << 15
"""Combinations of rows that a reading of several bets may have."""


class CardReading(msgspec.Struct, frozen=True):
    """Look-ups for some bets, as bytes of numbers of 16 bits, so that they can be sent to another machine."""

    bets: tuple[str, ...]
    two_player: bytes
    """By the codes of the first two cards: a state, or the code where no third card is read."""
    end_player: bytes
    """By state and the third card, or none: a code. Empty where no third card is read."""
    two_banker: bytes
    end_banker: bytes
    rows: bytes
    """By Player's code and Banker's: a combination of rows of the bets."""
    banker_codes: int
    combinations: tuple[tuple[int, ...], ...]
    """Of each combination the row of every bet."""

    @property
    def cells(self) -> int:
        """Cells of its histogram."""
        return len(self.combinations)

    def counted(self, book: Book, histogram: NDArray[np.int64]) -> Iterator[tuple[str, list[int]]]:
        """How often each row of each bet came."""
        for i, area in enumerate(self.bets):
            counts = [0] * len(book.pay_tables[area].rows)
            for rows, rounds in zip(self.combinations, histogram, strict=True):
                if rounds:
                    assert rows[i] != NO_ROW, "no deal leads where the pay table has no row"
                    counts[rows[i]] += int(rounds)
            yield area, counts


def card_readings(book: Book, *, has_suits: bool) -> tuple[CardReading, ...]:
    """Readings for all bets of a book that ask about single cards."""
    tables = {area: book.pay_tables[area] for area in book.outright_areas}
    found: list[_Group] = []
    for area, table in tables.items():
        if table.cards is None:
            continue
        alone = _Group.of(area, table, table.cards, has_suits)
        for i, group in enumerate(found):
            if both := group.beside(alone):
                found[i] = both
                break
        else:
            found.append(alone)
    return tuple(group.reading() for group in found)


class _Group:
    """Bets that are read together."""

    def __init__(
        self,
        areas: tuple[str, ...],
        player: _Joint,
        banker: _Joint,
        tables: list[Integers],
        *,
        reads_third: bool,
    ) -> None:
        """`tables` are the pay tables of the bets: by Player's code and Banker's, as each bet has them."""
        self.areas, self.player, self.banker, self.tables = areas, player, banker, tables
        self.reads_third = reads_third

    @classmethod
    def of(cls, area: str, table: PayTable, cards: CardTable, has_suits: bool) -> _Group:
        cells = np.array(table.cells, np.int64).reshape(-1, len(cards.banker.values))
        player, banker = (_joint(cards, hand, has_suits) for hand in (cards.player, cards.banker))
        return cls((area,), player, banker, [cells], reads_third=cards.reads_third)

    def beside(self, other: _Group) -> _Group | None:
        """Both together, unless that would be too much or one of them is found sooner."""
        if self.reads_third != other.reads_third:
            return None
        player, banker = self.player.beside(other.player), self.banker.beside(other.banker)
        if len(player.codes) * len(banker.codes) > MOST_CELLS:
            return None
        both = _Group(
            self.areas + other.areas,
            player,
            banker,
            self.tables + other.tables,
            reads_third=self.reads_third,
        )
        return both if len(both.combined()[0]) <= MOST_ROWS else None

    def combined(self) -> tuple[Integers, Integers]:
        """The different combinations of rows, and which of them each two codes come to."""
        keys = np.zeros((len(self.player.codes), len(self.banker.codes)), np.int64)
        rows = []
        for i, table in enumerate(self.tables):
            rows.append(table[self.player.codes[:, i, None], self.banker.codes[None, :, i]])
            _, keys = np.unique(keys * (table.max() + 2) + rows[-1] + 1, return_inverse=True)
            keys = keys.reshape(len(self.player.codes), len(self.banker.codes))
        _, first, numbers = np.unique(keys, return_index=True, return_inverse=True)
        return np.stack([one.ravel()[first] for one in rows], axis=1), numbers.reshape(-1)

    def reading(self) -> CardReading:
        combinations, rows = self.combined()
        return CardReading(
            self.areas,
            *self.player.look_ups(reads_third=self.reads_third),
            *self.banker.look_ups(reads_third=self.reads_third),
            _bytes(rows),
            len(self.banker.codes),
            tuple(tuple(int(row) for row in one) for one in combinations),
        )


class _Joint:
    """The look-ups of one hand for some bets together."""

    def __init__(self, two: Integers, end: Integers) -> None:
        """`two` and `end` have a column for each bet; rows of `end` are by state and third card."""
        self.states, self.two = _numbered(two)
        self.codes, self.end = _numbered(end)

    def look_ups(self, *, reads_third: bool) -> tuple[bytes, bytes]:
        """By the first two cards, and by the third where it is read."""
        if reads_third:
            return _bytes(self.two), _bytes(self.end)
        codes = self.end.reshape(len(self.states), -1)[:, 0]
        return _bytes(codes[self.two]), b""

    def beside(self, other: _Joint) -> _Joint:
        """The look-ups of both together."""
        two = np.stack([self.two, other.two], axis=1)
        states, _ = _numbered(two)
        wide = len(self.end) // len(self.states)
        ends = [one.end.reshape(len(one.states), wide) for one in (self, other)]
        end = np.stack([ends[0][states[:, 0]].ravel(), ends[1][states[:, 1]].ravel()], axis=1)
        joint = _Joint(two, end)
        joint.codes = np.concatenate([self.codes[joint.codes[:, 0]], other.codes[joint.codes[:, 1]]], axis=1)
        return joint


def _joint(table: CardTable, hand: HandTable, has_suits: bool) -> _Joint:
    kinds = np.array(_kinds(table.kinds, has_suits))
    own = len(table.kinds)
    two = np.array(hand.two).reshape(own, own)[kinds][:, kinds].ravel()
    stood = np.array(hand.stood)
    drawn = np.array(hand.third).reshape(-1, own) if hand.third else np.repeat(stood[:, None], own, axis=1)
    end = np.concatenate([drawn[:, kinds], stood[:, None]], axis=1)
    states, numbered = np.unique(two, return_inverse=True)
    return _Joint(numbered.reshape(-1, 1), end[states].reshape(-1, 1))


def _kinds(kinds: Kinds, has_suits: bool) -> list[int]:
    """The kind of each code of the kernel."""
    if not has_suits:
        return [kinds.of[rank - 1] for rank in CODE_RANKS]
    return [kinds.of[suit * 13 + rank - 1] for rank in CODE_RANKS for suit in range(len(Suit))]


def _numbered(rows: Integers) -> tuple[Integers, Integers]:
    """The different rows in order, and the number of each row among them."""
    different, numbers = np.unique(rows, axis=0, return_inverse=True)
    return different, numbers.reshape(-1)


def _bytes(numbers: Integers) -> bytes:
    return np.ascontiguousarray(numbers, np.uint16).tobytes()


def plan_of(readings: Sequence[CardReading], first_cell: int) -> tuple[Integers, NDArray[np.uint16]]:
    """Where the look-ups and cells of each reading begin, and all look-ups behind each other."""
    plan: list[tuple[int, ...]] = []
    tables: list[NDArray[np.uint16]] = []
    start, cell = 0, first_cell
    for one in readings:
        places = []
        for part in (one.two_player, one.end_player, one.two_banker, one.end_banker, one.rows):
            tables.append(np.frombuffer(part, np.uint16))
            places.append(start if part else NOWHERE)
            start += len(tables[-1])
        plan.append((*places, one.banker_codes, cell))
        cell += one.cells
    return np.array(plan, np.int64), np.concatenate(tables)
