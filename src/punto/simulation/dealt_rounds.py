"""Rounds in columns: every round of the shoes that a seed deals, with its cards and what each bet gains.

They are the rounds that `simulate` counts: the same seed deals the same shoes. A column is made when somebody asks for
it; until then a round takes eight bytes. NumPy is all that is needed; Polars, pandas and Arrow are loaded by the method
that gives a frame of theirs, in which cards and winners are categories and a card that was not dealt is null.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from punto.cards.card import DECK, Card, Rank, Suit
from punto.extras import ExtraNeeded, extra_needed
from punto.rules.book import Book
from punto.rules.card_table import CardTable, HandTable
from punto.rules.outcome import Hand, totals_index
from punto.rules.pay_table import PayTable
from punto.simulation.deals import Deals, ShoeTerms
from punto.simulation.machine_code import CODE_RANKS, play_masks
from punto.suggestion import did_you_mean

if TYPE_CHECKING:
    import polars

MOST_DEALT = 10**8  # Rounds that are dealt into memory; `simulate` counts more.
BATCH = 4096  # Shoes that are dealt at once.
SHOWN = 5  # Rounds that a notebook shows.
NET = "net_"  # How columns of bets begin.
CARDS = len(DECK)
WINNERS = ("player", "banker", "tie")
_LETTERS = "PBT"
RESULTS = tuple(letter + pairs for letter in _LETTERS for pairs in ("", "b", "p", "bp"))
"""Results as the roads write them: the winner, and the pairs of Banker and Player."""
_CODE_CARDS = np.array([suit * len(Rank) + rank - 1 for rank in CODE_RANKS for suit in range(len(Suit))], np.uint8)
"""The index of the card that each code of the kernel stands for."""
_RANKS = np.array([card.rank for card in DECK] + [0], np.int64)
_POINTS = np.array([card.points for card in DECK] + [0], np.int64)
_PLACES = tuple(f"{hand.value}_{number}" for hand in Hand for number in (1, 2, 3))

Column = NDArray[Any]
Category = Callable[[Column, tuple[str, ...]], Any]  # Makes a column of a library out of numbers and their labels.


class DealtRounds:
    """Rounds, one row each: `rounds["winner"]` is a column, `rounds.to_polars()` the whole as a frame."""

    def __init__(self, book: Book, terms: ShoeTerms, seed: int, codes: NDArray[np.uint16], lengths: Column) -> None:
        """`codes` are the hands as the kernel writes them down, `lengths` the rounds of each shoe."""
        self.book, self.terms, self.seed = book, terms, seed
        self._codes, self._lengths = codes, lengths

    @classmethod
    def of(cls, book: Book, terms: ShoeTerms, seed: int, rounds: int) -> DealtRounds:
        """Deal this many rounds; `ValueError` says what is wrong with terms that no shoe can be dealt by."""
        return cls(book, terms, seed, *_dealt(book, terms, seed, rounds))

    def head(self, rounds: int = SHOWN) -> DealtRounds:
        """The first rounds alone."""
        lengths = np.clip(rounds - (np.cumsum(self._lengths) - self._lengths), 0, self._lengths)
        return DealtRounds(self.book, self.terms, self.seed, self._codes[:rounds], lengths[lengths > 0])

    def __len__(self) -> int:
        return len(self._codes)

    def __repr__(self) -> str:
        return f"<DealtRounds of {self.book.name}: {len(self):,} rounds, {len(self.columns)} columns>"

    def _repr_html_(self) -> str:
        from punto.documents.page import Grid
        from punto.documents.typesetting import blocks_html

        first = self.head()
        rows = tuple(tuple(map(str, row)) for row in zip(*(first[name] for name in self.columns), strict=True))
        title = f"{self.book.title}: {len(self):,} rounds, {self.terms.decks} decks, seed {self.seed}"
        return blocks_html(Grid(self.columns, rows, title), f"The first {len(rows)} of {len(self):,} rounds.")

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, in their order."""
        return (*self._makers, *(f"{NET}{area}" for area in self.book.outright_areas))

    def __getitem__(self, column: str) -> Column:
        """A column as a NumPy array; categories as text, empty where a card was not dealt."""
        given: object = column
        if not isinstance(given, str):
            other = "head(n) has the first rounds, cards(i) the cards of one, to_numpy(names) several columns"
            raise KeyError(f"a column is taken by its name, not by {given!r}; {other}")
        codes, labels = self._column(column)
        return codes if labels is None else np.array([*labels, ""])[codes]

    def cards(self, row: int) -> tuple[Card, ...]:
        """The cards of a round in dealing order, for `deal` and `settle`."""
        if not -len(self) <= row < len(self):
            raise IndexError(f"there is no round {row}: there are {len(self):,}, and the first is 0")
        order = ("player_1", "banker_1", "player_2", "banker_2", "player_3", "banker_3")
        dealt = (int(self._indices[place][row]) for place in order)
        return tuple(DECK[i] for i in dealt if i < CARDS)

    @property
    def results(self) -> tuple[str, ...]:
        """The results for `roads_of`; `ValueError` for several shoes, because each has roads of its own."""
        shoes = len(self._lengths)
        if shoes != 1:
            example = "roads_of(rounds['result'][rounds['shoe'] == 1])"
            raise ValueError(f"these rounds are of {shoes} shoes, and roads are of one; write for example {example}")
        return tuple(self["result"].tolist())

    def to_numpy(self, columns: Iterable[str] | None = None) -> NDArray[np.void]:
        """A structured array, with a field for each column."""
        made = {name: self[name] for name in self._chosen(columns)}
        table = np.empty(len(self), [(name, column.dtype) for name, column in made.items()])
        for name, column in made.items():
            table[name] = column
        return table

    def to_polars(self, columns: Iterable[str] | None = None) -> polars.DataFrame:
        """A Polars frame."""
        library = _library("polars")

        def category(codes: Column, labels: tuple[str, ...]) -> Any:
            return library.Series(values=[*labels, None], dtype=library.Enum(labels)).gather(codes)

        frame: polars.DataFrame = library.DataFrame(self._made(columns, category))
        return frame

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """Rounds by Arrow's protocol, from which a library of frames makes its own: `polars.DataFrame(rounds)`."""
        try:
            return self.to_polars().__arrow_c_stream__(requested_schema)
        except ExtraNeeded:
            return self.to_arrow().__arrow_c_stream__(requested_schema)

    def to_pandas(self, columns: Iterable[str] | None = None) -> Any:
        """A pandas frame, where pandas is installed."""
        library = _library("pandas")

        def category(codes: Column, labels: tuple[str, ...]) -> Any:
            return library.Categorical.from_codes(np.where(codes < len(labels), codes, -1).astype(np.int8), labels)

        return library.DataFrame(self._made(columns, category))

    def to_arrow(self, columns: Iterable[str] | None = None) -> Any:
        """An Arrow table, where PyArrow is installed."""
        library = _library("pyarrow")

        def category(codes: Column, labels: tuple[str, ...]) -> Any:
            places = library.array(codes.astype(np.int8), mask=codes >= len(labels))
            return library.DictionaryArray.from_arrays(places, list(labels))

        return library.table(self._made(columns, category))

    def _made(
        self, columns: Iterable[str] | None, category: Callable[[Column, tuple[str, ...]], Any]
    ) -> dict[str, Any]:
        made = {}
        for name in self._chosen(columns):
            codes, labels = self._column(name)
            made[name] = codes if labels is None else category(codes, labels)
        return made

    def _chosen(self, columns: Iterable[str] | None) -> tuple[str, ...]:
        if isinstance(columns, str):
            return (columns,)
        return self.columns if columns is None else tuple(columns)

    def _column(self, name: str) -> tuple[Column, tuple[str, ...] | None]:
        """A column: its numbers, and what they stand for where they are categories."""
        if name in self._makers:
            return self._makers[name]()
        area = str(name).removeprefix(NET)
        if area == name or area not in self.book.outright_areas:
            meant = did_you_mean(str(name), self.columns)
            raise KeyError(f"there is no column {name!r}{meant}; columns are {', '.join(self.columns)}")
        return self._nets(self.book.pay_tables[area]), None

    @cached_property
    def _makers(self) -> dict[str, Callable[[], tuple[Column, tuple[str, ...] | None]]]:
        """How each column that every book has is made, in their order."""
        lengths = self._lengths
        starts = np.repeat(np.cumsum(lengths) - lengths, lengths)
        cards = tuple(map(str, DECK))
        return {
            "shoe": lambda: (np.repeat(np.arange(1, len(lengths) + 1, dtype=np.uint32), lengths), None),
            "round": lambda: ((np.arange(len(self)) - starts + 1).astype(np.uint16), None),
            **{place: lambda place=place: (self._indices[place], cards) for place in _PLACES},  # type: ignore[misc]
            "player_points": lambda: (self._points(Hand.PLAYER).astype(np.uint8), None),
            "banker_points": lambda: (self._points(Hand.BANKER).astype(np.uint8), None),
            "winner": lambda: (self._winner, WINNERS),
            "player_pair": lambda: (self._pair(Hand.PLAYER) > 0, None),
            "banker_pair": lambda: (self._pair(Hand.BANKER) > 0, None),
            "natural": lambda: (self._natural, None),
            "result": lambda: (self._result, RESULTS),
        }

    @cached_property
    def _indices(self) -> dict[str, NDArray[np.uint8]]:
        """Of each place on the table the index of its card, 52 for none."""
        made = {}
        for i, hand in enumerate(Hand):
            first, second = np.divmod(self._codes[:, i], CARDS)
            third = np.append(_CODE_CARDS, np.uint8(CARDS))[self._codes[:, 2 + i]]
            for number, cards in enumerate((_CODE_CARDS[first], _CODE_CARDS[second], third), start=1):
                made[f"{hand.value}_{number}"] = cards
        return made

    def _hand(self, hand: Hand) -> list[NDArray[np.uint8]]:
        return [self._indices[f"{hand.value}_{number}"] for number in (1, 2, 3)]

    def _points(self, hand: Hand, cards: int = 3) -> NDArray[np.int64]:
        return np.asarray(sum(_POINTS[card] for card in self._hand(hand)[:cards]) % 10)

    def _pair(self, hand: Hand) -> NDArray[np.int64]:
        """The pair as facts have it: 0 for none, twice the rank for a suited one, one less for another."""
        first, second, _ = self._hand(hand)
        return np.where(_RANKS[first] == _RANKS[second], 2 * _RANKS[first] - (first != second), 0)

    @property
    def _winner(self) -> NDArray[np.uint8]:
        player, banker = self._points(Hand.PLAYER), self._points(Hand.BANKER)
        return np.where(player > banker, 0, np.where(banker > player, 1, 2)).astype(np.uint8)

    @property
    def _result(self) -> NDArray[np.uint8]:
        player, banker = (self._pair(hand) > 0 for hand in Hand)
        return (self._winner * 4 + player * 2 + banker).astype(np.uint8)

    @property
    def _natural(self) -> NDArray[np.bool_]:
        ends = np.array(self.book.play.ends, np.bool_)
        return np.asarray(ends[self._points(Hand.PLAYER, 2) * 10 + self._points(Hand.BANKER, 2)])

    def _nets(self, table: PayTable) -> NDArray[np.float64]:
        """What one unit staked on a bet gains in each round."""
        nets = np.array([float(net) for net in table.nets])
        if table.cards is not None:
            return np.asarray(nets[self._card_cells(table.cards)])
        totals, player, banker = table.strides
        cells = np.zeros(len(self), np.int64)
        if totals:
            drew = [(self._hand(hand)[2] < CARDS).astype(np.int64) for hand in Hand]
            points = self._points(Hand.PLAYER), self._points(Hand.BANKER)
            index = totals_index(points[0], 2 + drew[0], points[1], 2 + drew[1])  # type: ignore[arg-type]
            cells += np.asarray(index) * totals
        cells += self._pair(Hand.PLAYER) * player if player else 0
        cells += self._pair(Hand.BANKER) * banker if banker else 0
        return np.asarray(nets[cells])

    def _card_cells(self, cards: CardTable) -> NDArray[np.int64]:
        """The cell of a bet on single cards, by the code of each hand."""
        kinds, number = np.array([*cards.kinds.of, 0], np.int64), len(cards.kinds)

        def code(hand: Hand, table: HandTable) -> NDArray[np.int64]:
            first, second, third = self._hand(hand)
            state = np.array(table.two)[kinds[first] * number + kinds[second]]
            stood = np.asarray(np.array(table.stood)[state])
            if not table.third:
                return stood
            return np.asarray(np.where(third < CARDS, np.array(table.third)[state * number + kinds[third]], stood))

        return code(Hand.PLAYER, cards.player) * len(cards.banker.values) + code(Hand.BANKER, cards.banker)


def _dealt(book: Book, terms: ShoeTerms, seed: int, rounds: int) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """The hands of this many rounds, as the kernel writes them down, and how many of them each shoe has."""
    from punto.simulation.shoe_kernel import record_cards

    if problem := terms.problem():
        raise ValueError(problem)
    deals = Deals(tuple(int(mask) for mask in play_masks(book.play)), terms, seed)
    hands, lengths, missing, first = [], [], rounds, 0
    while missing > 0:
        shoes = min(BATCH, -(-missing // deals.least_rounds))
        dealing, cards = deals.dealing(first, shoes), np.zeros((shoes, terms.most_rounds, 4), np.uint16)
        record_cards(dealing, cards)
        rounds_each = dealing.lengths.astype(np.int64)
        taken = np.clip(missing - (np.cumsum(rounds_each) - rounds_each), 0, rounds_each)
        hands.append(cards[np.arange(terms.most_rounds) < taken[:, None]])
        lengths.append(taken[taken > 0])
        missing, first = missing - int(taken.sum()), first + shoes
    return np.concatenate(hands), np.concatenate(lengths)


def _library(name: str) -> Any:
    """A library of frames. No extra of ours brings pandas or PyArrow: who wants their frames has them."""
    from importlib import import_module

    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        own = ExtraNeeded(f"this needs {name}, which is not installed; run: pip install {name}", name=name)
        raise (extra_needed(error) or own) from error
