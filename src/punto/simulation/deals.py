"""What is dealt: the terms of the shoes (decks, burn, cut card, last rounds), the readings for bets on single cards,
batches of shoes as the unit of work that a thread, another machine or a GPU plays, and shoes recorded card by card. It
does not matter how shoes are put together into batches, who plays them, or in what order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.cards.card import DECK, Rank, Suit
from punto.cards.shoe import Burn
from punto.rules.book import Book
from punto.rules.card_table import CardTable, HandTable
from punto.rules.outcome import NO_ROW, TOTALS
from punto.rules.pay_table import PayTable
from punto.simulation.machine_code import CODE_RANKS, LONGEST_ROUND, MOST_CARDS, NOWHERE, PAIR_CODES, SUITED_CODES

MOST_DECKS = MOST_CARDS // len(DECK)
LARGEST_BURN = 11  # A shown ten or court card and the ten after it.
NO_LIMIT = 0xFFFF


class ShoeTerms(msgspec.Struct, frozen=True):
    decks: int = 8
    behind_cut: int = 14  # Number of cards behind the cut card.
    rounds_after_cut: int = 1
    rounds_per_shoe: int | None = None
    """Where it is a number, that many rounds are dealt from each shoe and there is no cut card."""
    burn: Burn = Burn()

    @property
    def cards_to_play(self) -> int:
        """Cards that are certain to be there after the burn."""
        return self.decks * len(DECK) - (LARGEST_BURN if self.burn.by_first_card else self.burn.fixed)

    @property
    def least_rounds(self) -> int:
        return self.rounds_per_shoe or max(1, (self.cards_to_play - self.behind_cut) // LONGEST_ROUND)

    @property
    def most_rounds(self) -> int:
        return self.rounds_per_shoe or self.decks * len(DECK) // 4

    def problem(self) -> str | None:
        if not 1 <= self.decks <= MOST_DECKS:
            return f"{self.decks} decks cannot be simulated; give 1 to {MOST_DECKS}"
        if self.cards_to_play < LONGEST_ROUND:
            return f"{self.burn.fixed} cards cannot be burned: no round could be dealt"
        if self.rounds_per_shoe is not None:
            most = self.cards_to_play // LONGEST_ROUND
            if not 1 <= self.rounds_per_shoe <= most:
                return f"{self.rounds_per_shoe} rounds cannot be dealt from every shoe; give 1 to {most}"
        most = self.cards_to_play - LONGEST_ROUND
        if not 0 <= self.behind_cut <= most:
            return f"cards behind the cut card must be from 0 to {most}, not {self.behind_cut}"
        if not 0 <= self.rounds_after_cut < NO_LIMIT:
            return f"{self.rounds_after_cut} rounds cannot be dealt after the cut card"
        return None

    def for_kernel(self, most_rounds: int | None = None) -> NDArray[Any]:
        """These terms in the order in which a kernel reads them; `most_rounds` ends shoes sooner."""
        most = most_rounds or self.rounds_per_shoe or NO_LIMIT
        cut = 0 if self.rounds_per_shoe else self.behind_cut
        burned = -1 if self.burn.by_first_card else self.burn.fixed
        return np.array([self.decks, cut, self.rounds_after_cut, most, burned], np.int64)


Integers = NDArray[np.int64]

MOST_CELLS = 1 << 17  # Pairs of codes that a reading of several bets may have, so that it stays in a near cache.
MOST_ROWS = 1 << 15  # Combinations of rows that a reading of several bets may have.


class CardReading(msgspec.Struct, frozen=True):
    """Look-ups for some bets, as bytes of numbers of 16 bits, so that they can be sent to another machine."""

    bets: tuple[str, ...]
    two_player: bytes  # By the codes of the first two cards: a state, or the code where no third card is read.
    end_player: bytes  # By state and the third card, or none: a code. Empty where no third card is read.
    two_banker: bytes
    end_banker: bytes
    rows: bytes  # By Player's code and Banker's: a combination of rows of the bets.
    banker_codes: int
    combinations: tuple[tuple[int, ...], ...]  # Of each combination the row of every bet.

    @property
    def cells(self) -> int:
        return len(self.combinations)

    def counted(self, book: Book, histogram: NDArray[np.int64]) -> Iterator[tuple[str, list[int]]]:
        for i, area in enumerate(self.bets):
            counts = [0] * len(book.pay_tables[area].rows)
            for rows, rounds in zip(self.combinations, histogram, strict=True):
                if rounds:
                    assert rows[i] != NO_ROW, "no deal leads where the pay table has no row"
                    counts[rows[i]] += int(rounds)
            yield area, counts


def card_readings(book: Book, *, has_suits: bool) -> tuple[CardReading, ...]:
    """What a kernel looks up of every round for the bets of a book on single cards.

    Each bet sees a hand as a code of its own. Bets are put together while all combinations of their codes still fit a
    small table: a round is then looked up once for all of them.
    """
    groups: list[_Group] = []
    for area in book.outright_areas:
        table = book.pay_tables[area]
        if table.cards is None:
            continue
        alone = _Group.of(area, table, table.cards, has_suits)
        for i, group in enumerate(groups):
            if both := group.beside(alone):
                groups[i] = both
                break
        else:
            groups.append(alone)
    return tuple(group.reading() for group in groups)


class _Group:
    """Bets that are read together."""

    def __init__(
        self, areas: tuple[str, ...], player: _Joint, banker: _Joint, tables: list[Integers], *, reads_third: bool
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
        areas, tables = self.areas + other.areas, self.tables + other.tables
        both = _Group(areas, player, banker, tables, reads_third=self.reads_third)
        return both if len(both.combined()[0]) <= MOST_ROWS else None

    def combined(self) -> tuple[Integers, Integers]:
        """The different combinations of rows, and which of them each two codes come to.

        Of two bets, where two hands have row 3 of the first table and row 0 of the second, the combination is (3, 0).
        """
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
        """The look-ups of both, with a new code for each combination of their codes that a hand can have.

        A bet that tells pairs (1) from other hands (0) beside one that tells 8 (1) and 9 (2) from the rest (0) may
        have `codes` [[0, 0], [0, 1], [0, 2], [1, 1]]: the new code 3 is 1 to the first bet and 1 to the second.
        """
        two = np.stack([self.two, other.two], axis=1)
        states, _ = _numbered(two)
        wide = len(self.end) // len(self.states)
        ends = [one.end.reshape(len(one.states), wide) for one in (self, other)]
        end = np.stack([ends[0][states[:, 0]].ravel(), ends[1][states[:, 1]].ravel()], axis=1)
        joint = _Joint(two, end)
        joint.codes = np.concatenate([self.codes[joint.codes[:, 0]], other.codes[joint.codes[:, 1]]], axis=1)
        return joint


def _joint(table: CardTable, hand: HandTable, has_suits: bool) -> _Joint:
    own, suits = len(table.kinds), range(len(Suit) if has_suits else 1)
    kinds = np.array([table.kinds.of[suit * len(Rank) + rank - 1] for rank in CODE_RANKS for suit in suits])
    two = np.array(hand.two).reshape(own, own)[kinds][:, kinds].ravel()
    stood = np.array(hand.stood)
    drawn = np.array(hand.third).reshape(-1, own) if hand.third else np.repeat(stood[:, None], own, axis=1)
    end = np.concatenate([drawn[:, kinds], stood[:, None]], axis=1)
    states, numbered = np.unique(two, return_inverse=True)
    return _Joint(numbered.reshape(-1, 1), end[states].reshape(-1, 1))


def _numbered(rows: Integers) -> tuple[Integers, Integers]:
    """The different rows in order, and the number of each row among them."""
    different, numbers = np.unique(rows, axis=0, return_inverse=True)
    return different, numbers.reshape(-1)


def _bytes(numbers: Integers) -> bytes:
    return np.ascontiguousarray(numbers, np.uint16).tobytes()


def reading_plan(readings: Sequence[CardReading], first_cell: int) -> tuple[Integers, NDArray[np.uint16]]:
    """Where the look-ups and cells of each reading begin, and all look-ups behind each other, for a GPU."""
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


WORD = 32  # Bits of a word with the states of several readings.


class PackedReadings(NamedTuple):
    """The readings as the processor's kernel wants them: one word has the states that the first two cards of a hand
    lead to in several readings, because each look-up by two cards takes as long as one of them."""

    plan: Integers  # Of each reading: `PLAN` numbers of `shoe_kernel`.
    words: NDArray[np.uint32]
    tables: NDArray[np.uint16]

    @classmethod
    def of(cls, readings: Sequence[CardReading]) -> PackedReadings:
        plan: list[tuple[int, ...]] = []
        words: list[NDArray[np.uint32]] = []
        tables: list[NDArray[np.uint16]] = []
        shift, start, cell = WORD, 0, 0
        for one in readings:
            twos = [np.frombuffer(two, np.uint16).astype(np.uint32) for two in (one.two_player, one.two_banker)]
            bits = max(1, int(max(two.max() for two in twos)).bit_length())
            begins = shift + bits > WORD
            if begins:
                words, shift = words + [np.zeros_like(two) for two in twos], 0
            for word, two in zip(words[-2:], twos, strict=True):
                word |= two << np.uint32(shift)
            places = []
            for part in (one.end_player, one.end_banker, one.rows):
                tables.append(np.frombuffer(part, np.uint16))
                places.append(start if part else NOWHERE)
                start += len(tables[-1])
            place = sum(map(len, words[:-2]))
            state = (place, place + len(twos[0]), int(begins), shift, (1 << bits) - 1)
            plan.append((*state, *places, one.banker_codes, cell))
            shift, cell = shift + bits, cell + one.cells
        return cls(np.array(plan, np.int64), np.concatenate(words), np.concatenate(tables))


class Deals(msgspec.Struct, frozen=True):
    """Which shoes are dealt: everything that their rounds depend on."""

    masks: tuple[int, ...]  # The table of play, from `play_masks`.
    terms: ShoeTerms
    seed: int
    has_suits: bool = False
    """Whether the suits of pairs are drawn too: only where a bet asks for them, since it costs time."""
    readings: tuple[CardReading, ...] = ()
    """What is looked up for bets on single cards; with suits, all cards then have one."""

    @property
    def pair_codes(self) -> int:
        """How many pairs are told apart in each hand, none among them."""
        return SUITED_CODES if self.has_suits else PAIR_CODES

    @property
    def fact_cells(self) -> int:
        """Cells of the histogram of facts: pair of Player, pair of Banker, totals."""
        return self.pair_codes**2 * TOTALS

    @property
    def cells(self) -> int:
        """Cells of the whole histogram: that of facts, then those of the readings."""
        return self.fact_cells + sum(reading.cells for reading in self.readings)

    @property
    def least_rounds(self) -> int:
        return self.terms.least_rounds

    @property
    def together(self) -> int:
        """Shoes that no batch may part: each stands alone."""
        return 1

    def play(self, first: int, shoes: int, last_rounds: int | None = None) -> Batch:
        """Play shoes on this processor; `last_rounds` ends the last of them after that many rounds."""
        if last_rounds is None:
            return self._play(first, shoes)
        whole, part = self._play(first, shoes - 1), self._play(first + shoes - 1, 1, last_rounds)
        lengths = np.concatenate((whole.lengths, part.lengths))
        return Batch(first, lengths, True, whole.histogram + part.histogram)

    def _play(self, first: int, shoes: int, most_rounds: int | None = None) -> Batch:
        from punto.simulation.shoe_kernel import COUNT, COUNT_SUITS, play_cards, play_shoes

        histogram, dealing = np.zeros(self.cells, np.uint32), self.dealing(first, shoes, most_rounds)
        if self.readings:
            play_cards(dealing, self.has_suits, *PackedReadings.of(self.readings), histogram, self.fact_cells)
        else:
            play_shoes(dealing, COUNT_SUITS if self.has_suits else COUNT, histogram, np.zeros((1, 1), np.uint32))
        return Batch(first, dealing.lengths, False, histogram)

    def dealing(self, first: int, shoes: int, most_rounds: int | None = None) -> Dealing:
        """What a kernel is told of these shoes; `most_rounds` ends them sooner."""
        terms, masks = self.terms.for_kernel(most_rounds), np.array(self.masks, np.uint16)
        notes = np.zeros(shoes, np.int8), np.zeros(shoes, np.uint16)
        return Dealing(np.uint64(first), shoes, np.uint64(self.seed), terms, masks, *notes)


class Dealing(NamedTuple):
    """Which shoes a kernel deals, by which rules, and what it notes of each."""

    first: np.uint64
    shoes: int
    seed: np.uint64
    terms: NDArray[Any]
    masks: NDArray[np.uint16]
    shown: NDArray[np.int8]  # Code of the card that was shown before the burn, -1 for none.
    lengths: NDArray[np.uint16]  # Rounds of each shoe.


@dataclass(frozen=True, slots=True)
class PlayedShoes:
    first: int  # Number of the first shoe.
    lengths: NDArray[np.uint16]  # Rounds of each shoe.
    is_broken: bool  # Whether the last shoe was broken off before its end.

    @property
    def shoes(self) -> int:
        return len(self.lengths)

    @property
    def rounds(self) -> int:
        return int(self.lengths.sum(dtype=np.int64))

    def count_lengths(self, longest: int) -> NDArray[np.int64]:
        """How many whole shoes had 0, 1, 2, … rounds."""
        whole = self.lengths[:-1] if self.is_broken else self.lengths
        return np.bincount(whole, minlength=longest + 1)


@dataclass(frozen=True, slots=True)
class Batch(PlayedShoes):
    """Shoes of which every round is counted by its facts."""

    histogram: NDArray[Any]


class Recorded(NamedTuple):
    """Shoes as they were dealt, a row for each."""

    cards: NDArray[np.uint32]
    """Of each round: six codes of four bits in dealing order, then whether Player drew and whether Banker drew."""
    shown: NDArray[np.int8]  # Code of the card that was shown before the burn, -1 for none.
    lengths: NDArray[np.uint16]

    def round_ranks(self, shoe: int, number: int) -> tuple[Rank, ...]:
        """The ranks of a round's cards in dealing order."""
        codes = int(self.cards[shoe, number])
        count = 4 + (codes >> 24 & 1) + (codes >> 25 & 1)
        return tuple(CODE_RANKS[codes >> 4 * i & 15] for i in range(count))

    def shown_rank(self, shoe: int) -> Rank | None:
        return CODE_RANKS[self.shown[shoe]] if self.shown[shoe] >= 0 else None


def record_shoes(deals: Deals, first: int, shoes: int, last_rounds: int | None = None) -> Recorded:
    """The shoes from `first` on, card by card; `last_rounds` breaks the last one off."""
    from punto.simulation.shoe_kernel import RECORD, play_shoes

    cards = np.zeros((shoes, deals.terms.most_rounds), np.uint32)
    dealing = deals.dealing(first, shoes)
    play_shoes(dealing, RECORD, np.zeros(1, np.uint32), cards)
    if last_rounds is not None:
        dealing.lengths[-1] = last_rounds
    return Recorded(cards, dealing.shown, dealing.lengths)
