"""The table of play, compiled: for every two hands, who draws.

Compiling proves the rows of a book total: each points count of Player that is not a natural, and each points
count of Banker beside each third card of Player or none, has exactly one row.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import msgspec

from punto.rules.book_text import TableOfPlay
from punto.rules.outcome import ALL_TOTALS, Totals, totals_index
from punto.rules.told import told
from punto.rules.validation import Place, Problem

STOOD = 10  # Stands for "Player took no third card" where the points of that card are asked.


class Draw(msgspec.Struct, frozen=True):
    draws: bool
    clause: str


class Play(msgspec.Struct, frozen=True):
    ends: tuple[bool, ...]
    """Whether two hands end the deal at four cards by a natural, at Player points × 10 + Banker points."""
    player: tuple[Draw | None, ...]  # By Player's points; None for a natural, which never gets so far.
    banker: tuple[tuple[Draw | None, ...], ...]
    """By the points of Player's third card (or `STOOD`), then by Banker's points."""
    player_draws: tuple[bool, ...]  # Whether Player draws, at Player points × 10 + Banker points.
    banker_draws: tuple[tuple[bool, ...], ...]
    """Whether Banker draws, by the points of Player's third card (or `STOOD`), then by Banker's points."""
    naturals: frozenset[int]
    naturals_clause: str
    deal_clause: str
    points_clause: str
    winner_clause: str
    tie_clause: str
    drawer_clause: str | None  # Who draws the cards from the shoe, where the document speaks of it.

    def __repr__(self) -> str:
        return f"<Play: naturals {sorted(self.naturals)}>"

    def brings_card(self, player_points: int, banker_points: int, third: int | None = None) -> bool:
        """Whether a card is still to come: after four cards, or after Player's third."""
        if third is not None:
            return self.banker_draws[third][banker_points]
        two_hands = player_points * 10 + banker_points
        draws = self.player_draws[two_hands] or self.banker_draws[STOOD][banker_points]
        return draws and not self.ends[two_hands]

    def finishes(self) -> Iterator[tuple[int, int, Totals]]:
        """Every way a deal can go: two-card points of Player and of Banker, and how it ends."""
        return ((p, b, ALL_TOTALS[index]) for p, b, index in self.indexed_finishes())

    def indexed_finishes(self) -> Iterator[tuple[int, int, int]]:
        """The same with the index of how it ends: whoever compiles a book goes through all of them for every bet."""
        for p, b in product(range(10), repeat=2):
            if self.ends[p * 10 + b]:
                yield p, b, totals_index(p, 2, b, 2)
            elif self.player_draws[p * 10 + b]:
                for third in range(10):
                    yield from self._banker(p, b, (p + third) % 10, third)
            else:
                yield from self._banker(p, b, p, STOOD)

    def _banker(self, p: int, b: int, points: int, third: int) -> Iterator[tuple[int, int, int]]:
        player_cards = 2 if third == STOOD else 3
        if self.banker_draws[third][b]:
            for fourth in range(10):
                yield p, b, totals_index(points, player_cards, (b + fourth) % 10, 3)
        else:
            yield p, b, totals_index(points, player_cards, b, 2)


def compile_play(table: TableOfPlay) -> Play | list[Problem]:
    """The table of play of a book, or what keeps it from being total."""
    problems: list[Problem] = []
    player: list[Draw | None] = [None] * 10
    banker: list[list[Draw | None]] = [[None] * 10 for _ in range(STOOD + 1)]
    for i, row in enumerate(table.player):
        for points in _fill(player, row.points, Draw(row.draws, row.clause)):
            sentence = told("second-row", what=told("player"), points=points)
            problems.append(Problem(("play", "player", i), sentence))
    for i, banker_row in enumerate(table.banker):
        place: Place = ("play", "banker", i)
        if (banker_row.third is None) != banker_row.player_stood:
            problems.append(Problem(place, told("third-or-stood")))
        draw = Draw(banker_row.draws, banker_row.clause)
        for third in (STOOD,) if banker_row.third is None else banker_row.third:
            for points in _fill(banker[third], banker_row.points, draw):
                beside = told("banker-beside", third=_third_words(third))
                problems.append(Problem(place, told("second-row", what=beside, points=points)))
    for points in (points for points in range(10) if points not in table.naturals):
        if player[points] is None:
            problems.append(Problem(("play", "player"), told("player-gap", points=points)))
        for third in range(STOOD + 1):
            if banker[third][points] is None:
                sentence = told("banker-gap", points=points, third=_third_words(third))
                problems.append(Problem(("play", "banker"), sentence))
    for points in table.naturals:
        if player[points] is not None or any(column[points] is not None for column in banker):
            problems.append(Problem(("play",), told("natural-ended", points=points)))
    if problems:
        return problems
    naturals = frozenset(table.naturals)
    ends = tuple(p in naturals or b in naturals for p in range(10) for b in range(10))
    winner_clause = table.winner_clause or table.points_clause
    return Play(
        ends,
        tuple(player),
        tuple(map(tuple, banker)),
        tuple(not ends[i] and _draws(player[i // 10]) for i in range(100)),
        tuple(tuple(map(_draws, column)) for column in banker),
        naturals,
        table.naturals_clause,
        table.deal_clause,
        table.points_clause,
        winner_clause,
        table.tie_clause or winner_clause,
        table.drawer_clause,
    )


def _draws(draw: Draw | None) -> bool:
    return draw is not None and draw.draws


def _third_words(third: int) -> str:
    return told("stood") if third == STOOD else told("third-card", points=third)


def _fill(cells: list[Draw | None], points: tuple[int, ...], draw: Draw) -> list[int]:
    """Put a row where it says that it goes; the points that have one already."""
    filled = [p for i, p in enumerate(points) if cells[p] is not None or p in points[:i]]
    for p in points:
        cells[p] = draw
    return filled
