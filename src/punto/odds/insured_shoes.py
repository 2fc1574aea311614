"""What insurance adds to the main bets of a player who knows every card of the shoe so far, for very many shoes side by
side: the sum of `insurance.gains_with_cards` over every four cards, compiled. The counts of cards are exact; what is
summed of them are floating-point numbers. docs/internals/exact-odds.md derives it.

Every step works on rows, a number of each shoe. Which cards make which hands, what is offered on them, and what a card
of the hands changes in the worth of an offer depends on the book only, so all of it is listed beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from punto.odds.machine_row import LANES, LaneRow, Scribe, cached_in_threads, in_all_lanes, room_for
from punto.rules.book import Book
from punto.rules.outcome import Hand, Winner
from punto.rules.table_of_play import STOOD

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

HANDS = tuple(Hand)

# Rows of the workspace.
_FEWER = 0  # f·(n[x] - k) at 50(f-1) + 10k + x: cards of x points when k of them are gone, once and twice
_TWO_CARDS = _FEWER + 100  # ordered ways to draw cards of a and of b points, at 10a + b for a ≤ b
_LAST = _TWO_CARDS + 100  # ways for the sixth card of a round
_PLAYERS = _LAST + 1  # what both cards of Player change in a first window, by hands of its total
_BANKERS = _PLAYERS + 6  # and of Banker
_WINDOW = _BANKERS + 6  # a first window with all cards still in the shoe
_MOST = _WINDOW + 1  # the most that it is worth when both hands are gone, but for what they change together
_ZERO = _MOST + 1
_HALF = _ZERO + 1
_GAINS = _HALF + 1  # by hand
_FORMS = _GAINS + len(HANDS)  # the worth of offers

# Lists of numbers. Two hands: rows of the ways of their cards, places of their pairs, and the row of the ways of each
# third card.
_TWO, _THIRD, _FOURTH, _PLAYERS_PAIR, _BANKERS_PAIR, _WAYS = range(6)
_HANDS_WIDE = _WAYS + 10
# A cell, which is two totals and the hand that may be insured: its hands, and the forms of both windows.
_HAND, _FROM, _TO, _TERMS, _FIRST, _PLAYER_TOTAL, _BANKER_TOTAL, _OFFERS = range(8)
_CELL_WIDE = _OFFERS + 10
# A form Σ w[x]·n[x] + w[10].
_FORM_WIDE = 11
_OPEN = 1 + 2 * 10  # how many third cards are looked at, then each with the row of its offer

_INDEX = ir.IntType(64)
_written: Any = cgutils  # Numba says nothing of the types of its helpers.
_intrinsic: Any = intrinsic


class _Rows(Scribe):
    """Rows by their numbers, and what the lists say, while the machine code of a step is being written."""

    def __init__(self, context: Any, builder: Any, kinds: Any, arguments: Any) -> None:
        super().__init__(context, builder, kinds, arguments[0])
        self.builder = builder
        self._lists = [
            context.make_array(kind)(context, builder, argument).data if isinstance(kind, types.Array) else None
            for kind, argument in zip(kinds.args, arguments, strict=True)
        ]

    def row(self, number: Any, more: int = 0) -> LaneRow:
        return self.load(self.times(self._index(number), LANES), more)

    def put(self, value: LaneRow, number: Any, more: int = 0) -> None:
        self.store(value, self.times(self._index(number), LANES), more)

    def listed(self, argument: int, place: Any, more: int = 0) -> Any:
        """A number of the list that is this argument."""
        at = self.plus(self._index(place), more)
        return self.builder.load(self.builder.gep(self._lists[argument], [at]))

    def everywhere(self, argument: int, place: Any, more: int = 0) -> LaneRow:
        """The same in all lanes."""
        return self.all_lanes(self.listed(argument, place, more))

    def all_lanes(self, number: Any) -> LaneRow:
        return LaneRow(self.builder, in_all_lanes(self.builder, number, LANES))

    def plus(self, number: Any, more: Any) -> Any:
        return self.builder.add(number, ir.Constant(_INDEX, more) if isinstance(more, int) else more)

    def _index(self, number: Any) -> Any:
        if isinstance(number, int):
            return ir.Constant(_INDEX, number)
        return number if number.type == _INDEX else self.builder.sext(number, _INDEX)

    def summed(self, start: LaneRow, numbers: Any, term: Callable[[Any], LaneRow]) -> LaneRow:
        """A sum that stays in a register while a loop adds a term for each of some numbers."""
        total = _written.alloca_once_value(self.builder, start.value)
        self.builder.store(start.value, total)
        with numbers as loop:
            more = LaneRow(self.builder, self.builder.load(total)) + term(loop.index)
            self.builder.store(more.value, total)
        return LaneRow(self.builder, self.builder.load(total))


def _step(code: Callable[..., Any], result: Any = types.void) -> Callable[..., Any]:
    """What an intrinsic of Numba gives back, for code that is written by `code(rows, arguments)`."""

    def typed(*kinds: Any) -> Any:
        def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            answer = code(_Rows(context, builder, signature, arguments), *arguments)
            return context.get_dummy_value() if answer is None else answer

        return result(*kinds), write

    return typed


@_intrinsic
def _put_fewer(_, w, row, counts, gone, times):  # type: ignore[no-untyped-def]
    """Row = times·(counts - gone)."""

    def code(rows: _Rows, _: Any, row: Any, counts: Any, gone: Any, times: Any) -> None:
        rows.put((rows.row(counts) - rows.all_lanes(gone)) * rows.all_lanes(times), row)

    return _step(code)(w, row, counts, gone, times)


@_intrinsic
def _put_product(_, w, row, first, second):  # type: ignore[no-untyped-def]
    def code(rows: _Rows, _: Any, row: Any, first: Any, second: Any) -> None:
        rows.put(rows.row(first) * rows.row(second), row)

    return _step(code)(w, row, first, second)


@_intrinsic
def _put_forms(_, w, forms, number):  # type: ignore[no-untyped-def]
    """All forms of the counts, row by row."""

    def code(rows: _Rows, _: Any, __: Any, number: Any) -> None:
        counts = [rows.row(_FEWER + x) for x in range(10)]
        with _written.for_range(rows.builder, number) as loop:
            at = rows.times(loop.index, _FORM_WIDE)
            halves = [rows.everywhere(1, at, 10), counts[0] * rows.everywhere(1, at)]
            for x in range(1, 10):
                halves[x % 2] = halves[x % 2] + counts[x] * rows.everywhere(1, at, x)
            rows.put(halves[0] + halves[1], loop.index, _FORMS)

    return _step(code)(w, forms, number)


@_intrinsic
def _put_window(_, w, changes, pairs, players, bankers):  # type: ignore[no-untyped-def]
    """A first window: with all cards in the shoe, what both cards of each hand change, and the most that is left."""

    def code(rows: _Rows, _: Any, changes: Any, __: Any, *totals: Any) -> None:
        window = rows.row(changes, 10)
        for x in range(10):
            window = window + rows.row(_FEWER + x) * rows.row(changes, x)
        window = window * rows.row(_HALF)
        rows.put(window, _WINDOW)
        for start, total in zip((_PLAYERS, _BANKERS), totals, strict=True):
            at, changed = rows.times(total, 12), []
            for i in range(6):
                one, other = (rows.row(rows.plus(changes, rows.listed(2, at, 2 * i + j))) for j in range(2))
                changed.append(one + other)
                rows.put(changed[-1], start + i)
            window = window - reduce(LaneRow.smaller, changed)
        rows.put(window, _MOST)

    return _step(code)(w, changes, pairs, players, bankers)


@_intrinsic
def _is_above(_, w, row, number):  # type: ignore[no-untyped-def]
    """Whether any lane of a row is above a number."""

    def code(rows: _Rows, _: Any, row: Any, number: Any) -> Any:
        return rows.row(row).is_above_anywhere(rows.all_lanes(number))

    return _step(code, types.boolean)(w, row, number)


def _hands_added(has_first: bool) -> Callable[..., Any]:
    """Two hands after another: their ways, times the best of both windows, added to the row of a gain. The second
    window is Σ ways[x]·max(offer[x] - change[x], 0) over the third cards that are looked at."""

    def code(rows: _Rows, _: Any, gain: Any, begin: Any, end: Any, *__: Any) -> None:
        hands, changes, both, open_ = range(4, 8)

        def worth(hand: Any) -> LaneRow:
            at, changed = rows.times(hand, _HANDS_WIDE), rows.times(hand, 10)

            def term(i: Any) -> LaneRow:
                listed = rows.times(i, 2)
                x = rows.listed(open_, listed, 1)
                net = rows.row(rows.listed(open_, listed, 2)) - rows.everywhere(changes, rows.plus(changed, x))
                return rows.row(rows.listed(hands, rows.plus(at, x), _WAYS)) * net.larger(net.zero())

            best = rows.summed(rows.row(_ZERO), _written.for_range(rows.builder, rows.listed(open_, 0)), term)
            if has_first:
                window = rows.row(_WINDOW) + rows.everywhere(both, hand)
                window = window - rows.row(rows.listed(hands, at, _PLAYERS_PAIR), _PLAYERS)
                best = best.larger(window - rows.row(rows.listed(hands, at, _BANKERS_PAIR), _BANKERS))
            for card in (_TWO, _THIRD, _FOURTH):
                best = best * rows.row(rows.listed(hands, at, card))
            return best

        rows.put(rows.summed(rows.row(gain), _written.for_range(rows.builder, end, begin), worth), gain)

    return _step(code)


@_intrinsic
def _add_later(_, w, gain, begin, end, hands, changes, both, open_):  # type: ignore[no-untyped-def]
    """Two hands without an offer in the first window."""
    return _hands_added(has_first=False)(w, gain, begin, end, hands, changes, both, open_)


@_intrinsic
def _add_best(_, w, gain, begin, end, hands, changes, both, open_):  # type: ignore[no-untyped-def]
    return _hands_added(has_first=True)(w, gain, begin, end, hands, changes, both, open_)


class _Lists:
    """What is offered in a book, hand by hand.

    Without the cards of both hands, the worth of an offer at a third card x is a sum of nets over the cards that
    Banker may draw, so it is a form Σ w[j]·n[j], less w of each card that is gone. A first window is worth the sum over
    both third cards, a quadratic form.
    """

    def __init__(self, book: Book) -> None:
        self._book = book
        self.forms: list[tuple[float, ...]] = []
        self.hands: list[list[int]] = []
        self.changes: list[list[float]] = []
        self.both: list[float] = []  # Of a first window: what cards of the hands change together.
        self.cells: list[list[int]] = []
        self.least: list[list[float]] = []
        for hand, s, t in product(range(len(HANDS)), range(10), range(10)):
            if book.play.brings_card(s, t):
                self._list_cell(hand, s, t)

    def _list_cell(self, hand: int, s: int, t: int) -> None:
        play, window = self._book.play, self._nets(hand, s, t, None)
        terms: list[tuple[int, list[float]]] = []  # The third card, or none, and nets by Banker's third card.
        pairs: Floats | None = None
        if not play.player_draws[10 * s + t]:
            if window:
                terms.append((STOOD, [_net(window, s, t + j) for j in range(10)]))
        else:
            for x in range(10):
                nets = self._nets(hand, (s + x) % 10, t, x)
                if nets and play.banker_draws[x][t]:
                    terms.append((x, [_net(nets, s + x, t + j) for j in range(10)]))
            if window:
                pairs = np.array(
                    [
                        [_net(window, s + x, t + j if play.banker_draws[x][t] else t) for j in range(10)]
                        for x in range(10)
                    ]
                )
        if not terms and pairs is None:
            return
        begin = len(self.hands)
        for (i, player), (j, banker) in product(enumerate(_hands(s)), enumerate(_hands(t))):
            self._list_hand((*player, *banker), (i, j), terms, pairs)
        rows, first = [self._form(x, nets) for x, nets in terms], -1
        if pairs is not None:
            first = _FORMS + len(self.forms)
            own = pairs.diagonal()
            self.forms += [(*row, -own[x]) for x, row in enumerate((pairs + pairs.T).tolist())]
            self.forms.append((*-own, 0.0))
        numbers = [hand, begin, len(self.hands), len(terms), first, s, t, *rows, *[0] * (10 - len(rows))]
        self.cells.append(numbers)
        self.least.append([*map(min, zip(*self.changes[begin:], strict=True)), -max(self.both[begin:])])

    def _list_hand(
        self, cards: Sequence[int], places: tuple[int, int], terms: list[tuple[int, list[float]]], pairs: Floats | None
    ) -> None:
        a, b, c, d = cards
        third = _fewer_row(c, (a, b))
        fourth = _fewer_row(d, (a, b, c)) + (50 if c != d else 0)
        ways = [_LAST if x == STOOD else _fewer_row(x, cards) for x, _ in terms]
        self.hands.append([_TWO_CARDS + 10 * a + b, third, fourth, *places, *ways, *[0] * (10 - len(ways))])
        changes = [sum(nets[card] for card in cards) for _, nets in terms]
        self.changes.append([*changes, *[0.0] * (10 - len(changes))])
        self.both.append(0.0 if pairs is None else float(pairs[np.ix_(cards, cards)].sum()))

    def _form(self, x: int, nets: list[float]) -> int:
        """The row of an offer's worth, without Player's third card."""
        form = (*nets, 0.0 if x == STOOD else -nets[x])
        if form not in self.forms:
            self.forms.append(form)
        return _FORMS + self.forms.index(form)

    def _nets(self, hand: int, player: int, banker: int, third: int | None) -> dict[int, float] | None:
        """Nets of what is offered to a hand, by the sign of Player's margin: pay-outs per unit of the cap."""
        for offer in self._book.open_offers(4 if third is None else 5, player, banker, third):
            if offer.hand is HANDS[hand]:
                winners = {1: Winner.PLAYER, -1: Winner.BANKER, 0: Winner.TIE}
                return {sign: float(offer.outcome(winner).net / offer.odds) for sign, winner in winners.items()}
        return None


def _net(nets: dict[int, float], player: int, banker: int) -> float:
    return nets[(player % 10 > banker % 10) - (player % 10 < banker % 10)]


def _hands(total: int) -> list[tuple[int, int]]:
    return [hand for hand in combinations_with_replacement(range(10), 2) if sum(hand) % 10 == total]


def _fewer_row(points: int, gone: Sequence[int]) -> int:
    return _FEWER + 10 * list(gone).count(points) + points


@cached_in_threads
def _put_counts(w: Any, counts: Any, first: int, shoes: int, forms: Any) -> None:
    """Rows that are the same for all hands; lanes without a shoe repeat the last one."""
    for lane in range(LANES):
        size = 0.0
        for x in range(10):
            w[(_FEWER + x) * LANES + lane] = counts[first + min(lane, shoes - 1), x]
            size += w[(_FEWER + x) * LANES + lane]
        w[_LAST * LANES + lane] = size - 5
        w[_HALF * LANES + lane] = 0.5
        for hand in range(len(HANDS)):
            w[(_GAINS + hand) * LANES + lane] = 0
    for x in range(10):
        for gone in range(5):
            if gone:
                _put_fewer(w, _FEWER + 10 * gone + x, _FEWER + x, float(gone), 1.0)
            _put_fewer(w, _FEWER + 50 + 10 * gone + x, _FEWER + x, float(gone), 2.0)
    for a in range(10):
        _put_product(w, _TWO_CARDS + 11 * a, _FEWER + a, _FEWER + 10 + a)
        for b in range(a + 1, 10):
            _put_product(w, _TWO_CARDS + 10 * a + b, _FEWER + a, _FEWER + 50 + b)
    _put_forms(w, forms, len(forms))


@cached_in_threads
def _add_gains(lists: Any, counts: Any, w: Any, gains: Any) -> None:
    """What insurance gains in all draws of six cards, by shoe and hand."""
    forms, cells, least, hands, changes, both, pairs = lists
    open_ = np.zeros(_OPEN, np.int64)
    for first in range(0, len(counts), LANES):
        shoes = min(LANES, len(counts) - first)
        _put_counts(w, counts, first, shoes, forms)
        for i in range(len(cells)):
            number, window = 0, cells[i, _FIRST]
            for x in range(cells[i, _TERMS]):
                # Most offers are worth nothing in any of these shoes, whatever the hands are.
                if _is_above(w, cells[i, _OFFERS + x], least[i, x]):
                    open_[1 + 2 * number], open_[2 + 2 * number] = x, cells[i, _OFFERS + x]
                    number += 1
            open_[0] = number
            gain, begin, end = _GAINS + cells[i, _HAND], cells[i, _FROM], cells[i, _TO]
            if window >= 0:
                _put_window(w, window, pairs, cells[i, _PLAYER_TOTAL], cells[i, _BANKER_TOTAL])
            if window >= 0 and _is_above(w, _MOST, least[i, 10]):
                _add_best(w, gain, begin, end, hands, changes, both, open_)
            elif number:
                _add_later(w, gain, begin, end, hands, changes, both, open_)
        for lane in range(shoes):
            for hand in range(len(HANDS)):
                gains[first + lane, hand] = w[(_GAINS + hand) * LANES + lane]


class InsuredShoes:
    """The lists of a book, and the kernel. Threads may work side by side."""

    def __init__(self, book: Book) -> None:
        lists = _Lists(book)
        self._lists = (
            np.array(lists.forms).reshape(-1, _FORM_WIDE),
            *(np.array(lists.cells, np.int64).reshape(-1, _CELL_WIDE), np.array(lists.least).reshape(-1, 11)),
            *(np.array(lists.hands, np.int32).reshape(-1, _HANDS_WIDE), np.array(lists.changes).reshape(-1, 10)),
            *(np.array(lists.both), np.array([(_hands(total) * 2)[:6] for total in range(10)], np.int64)),
        )

    def gains(self, points: NDArray[Any]) -> Floats:
        """What insurance adds to one unit on each main bet: a row for each shoe, given by its cards of 0 to 9 points; a
        column for each hand."""
        counts = np.ascontiguousarray(points, np.float64)
        workspace = room_for((_FORMS + len(self._lists[0])) * LANES, np.float64)
        gains = np.zeros((len(counts), len(HANDS)))
        _add_gains(self._lists, counts, workspace, gains)
        sizes, draws = counts.sum(axis=1), np.ones(len(counts))
        for taken in range(6):
            draws *= sizes - taken
        return np.asarray(gains / draws[:, None])
