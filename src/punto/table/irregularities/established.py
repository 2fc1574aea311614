"""Whether an outcome is established: some bet that the layout offers has certainly won or lost.

Judged by exposed cards alone, from the pay tables: whatever the cards to come, is there a betting area that
wins in every case, or loses in every case? A deal with nothing open has none; once Player's first two cards
lie open the pair bet is decided.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from punto.cards.card import Card, Rank
from punto.rules.book import Book
from punto.rules.facts import Facts, Totals, pair_index
from punto.rules.outcome import Result
from punto.rules.pay_table import PayTable
from punto.rules.play import STOOD, Play
from punto.rules.text.when import Reads
from punto.table.state import Slot

Seen = tuple[Card | None, ...]
"""The cards of a hand so far; None for one that is not exposed."""


def is_established(book: Book, player: tuple[Slot, ...], banker: tuple[Slot, ...]) -> bool:
    """Whether any available bet has conclusively won or lost."""
    seen_player, seen_banker = _seen(player), _seen(banker)
    ends = {
        totals: pairs for totals, pairs in _possible(book.play, seen_player, seen_banker).items() if pairs
    }
    for table in book.pay_tables.values():
        if table.cards is not None:
            cells = table.cards.possible_cells(book.play, seen_player, seen_banker)
            if _is_one_way(table.rows[table.cells[cell]].outcome.result for cell in cells):
                return True
        elif _is_decided(table, ends):
            return True
    return False


def _is_one_way(results: Iterable[Result]) -> bool:
    """Whether all of these are wins, or all are losses."""
    found = set()
    for result in results:
        found.add(result)
        if len(found) > 1:
            return False
    return found in ({Result.WIN}, {Result.LOSE})


def _seen(slots: tuple[Slot, ...]) -> Seen:
    return tuple(slot.card if slot.face_up else None for slot in slots)


def _is_decided(table: PayTable, ends: dict[int, set[tuple[int, int]]]) -> bool:
    """Whether all possible ends win, or all of them lose."""
    results = set()
    for totals, pairs in ends.items():
        needed = pairs if table.reads.value != Reads.TOTALS.value else ((0, 0),)
        for player, banker in needed:
            results.add(table.outcome(Facts(totals, player, banker)).result)
            if len(results) > 1:
                return False
    return results <= {Result.WIN} or results <= {Result.LOSE}


def _possible(play: Play, player: Seen, banker: Seen) -> dict[int, set[tuple[int, int]]]:
    """Every end that exposed cards still allow: totals, with the pairs of both hands that go with them."""
    ends: dict[int, set[tuple[int, int]]] = {}
    player_starts, banker_starts = _starts(player), _starts(banker)
    for (p, player_pairs), (b, banker_pairs) in product(player_starts.items(), banker_starts.items()):
        pairs = set(product(player_pairs, banker_pairs))
        for totals in _ends(play, p, b, _third(player), _third(banker)):
            ends.setdefault(totals.index, set()).update(pairs)
    return ends


def _third(hand: Seen) -> Card | None:
    return hand[2] if len(hand) == 3 else None


def _starts(hand: Seen) -> dict[int, set[int]]:
    """Points that the first two cards can make, each with the pairs that make them."""
    first, second = (*hand[:2], None, None)[:2]
    if first is not None and second is not None:
        return {(first.points + second.points) % 10: {pair_index(first, second)}}
    known = first or second
    starts: dict[int, set[int]] = {}
    for rank in Rank:
        for other in [known.rank] if known is not None else Rank:
            pairs = {2 * rank - 1, 2 * rank} if rank is other else {0}
            starts.setdefault((rank.points + other.points) % 10, set()).update(pairs)
    return starts


def _ends(play: Play, p: int, b: int, player_third: Card | None, banker_third: Card | None) -> set[Totals]:
    """How two-card points can end, third cards that lie open taken as they are."""
    two_hands = p * 10 + b
    if play.ends[two_hands]:
        return {Totals(p, 2, b, 2)}
    if not play.player_draws[two_hands]:
        thirds: list[int] = [STOOD]
    else:
        thirds = [player_third.points] if player_third else list(range(10))
    found = set()
    for third in thirds:
        points, cards = (p, 2) if third == STOOD else ((p + third) % 10, 3)
        if not play.banker_draws[third][b]:
            found.add(Totals(points, cards, b, 2))
            continue
        for fourth in [banker_third.points] if banker_third else range(10):
            found.add(Totals(points, cards, (b + fourth) % 10, 3))
    return found
