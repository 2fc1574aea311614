"""Made-up floors by the hundred thousand rounds, as arrays: whole shoes dealt by compiled code.

Shoes begin with a shown burn card and end one round after the cut card. The faults are those of `floors`,
planted in the order of the cards or in what a player bets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

from punto.audit.sight import SeenArrays, Slip
from punto.rules.book import Book
from punto.rules.outcome import ALL_TOTALS

DECKS, BEHIND = 8, 14
STAKE = 1_000


@dataclass(frozen=True)
class Fault:
    """What is wrong with a floor."""

    missing: int | None = None
    """A card, by its number, that every shoe lacks."""
    peeks: float = 0.0
    """The share of rounds in which a player knows the winner."""


def many_rounds(book: Book, rounds: int, seed: int, fault: Fault | None = None) -> SeenArrays:
    """A table of at least this many rounds, to the end of its last shoe, with one player who bets a unit."""
    fault = fault or Fault()
    random = np.random.default_rng(seed)
    deck = np.repeat(np.arange(52), DECKS)
    if fault.missing is not None:
        deck = np.delete(deck, np.flatnonzero(deck == fault.missing)[0])
    play = book.play
    ends, draws = np.array(play.ends), np.array(play.player_draws)
    banker = np.array(play.banker_draws)
    parts: list[Any] = []
    count = 0
    while count < rounds:
        order = random.permutation(deck)
        found = _deal(order, ends, draws, banker)
        parts.append((order[found[0]], *found[1:]))
        count += len(found[1])
    facts = np.concatenate([part[1] for part in parts])
    return SeenArrays(
        unseen=np.concatenate([part[2] for part in parts]),
        totals=facts[:, 0],
        player_pair=facts[:, 1],
        banker_pair=facts[:, 2],
        shoe=np.repeat(np.arange(len(parts)), [len(part[1]) for part in parts]),
        after_cut=np.concatenate([part[3] for part in parts]),
        drawn=tuple(part[0] for part in parts),
        decks=(DECKS,) * len(parts),
        burned=np.array([part[0][0] for part in parts]),
        stakes={"Ray": _slips(facts[:, 0], fault.peeks, random)},
    )


def _slips(totals: Any, peeks: float, random: np.random.Generator) -> dict[Slip, Any]:
    """A bet on the winner where it is known, otherwise on either hand."""
    difference = np.array([cell.player_points - cell.banker_points for cell in ALL_TOTALS])[totals]
    is_player = random.random(len(totals)) < 0.5
    knows = (random.random(len(totals)) < peeks) & (difference != 0)
    is_player = np.where(knows, difference > 0, is_player)
    return {(("player", STAKE),): np.flatnonzero(is_player), (("banker", STAKE),): np.flatnonzero(~is_player)}


@njit(cache=True)
def _deal(order, ends, player_draws, banker_draws):  # type: ignore[no-untyped-def]  # pragma: no cover
    """The places of the cards that showed; totals and pairs, unseen cards and cut card of every round."""
    most = len(order) // 4 + 1
    facts = np.zeros((most, 3), np.int64)
    unseen = np.zeros((most, 52), np.int16)
    after_cut = np.zeros(most, np.bool_)
    counts = np.full(52, 8, np.int16)
    shown = np.zeros(len(order), np.int64)
    seen, rounds, last = 1, 0, -1
    counts[order[0]] -= 1
    rank = order[0] % 13
    place = 1 + (10 if rank >= 9 else rank + 1)
    while last < 0 or rounds < last:
        unseen[rounds], after_cut[rounds] = counts, last >= 0
        first = place
        points = np.zeros(6, np.int64)
        for nth in range(6):
            rank = order[min(place + nth, len(order) - 1)] % 13
            points[nth] = 0 if rank >= 9 else rank + 1
        p, b = (points[0] + points[2]) % 10, (points[1] + points[3]) % 10
        cells = p * 10 + b
        player_cards, banker_cards, place = 2, 2, place + 4
        if not ends[cells]:
            third = 10
            if player_draws[cells]:
                third = points[4]
                p, player_cards, place = (p + third) % 10, 3, place + 1
            if banker_draws[third][b]:
                b, banker_cards = (b + points[place - first]) % 10, 3
                place += 1
        facts[rounds, 0] = p * 40 + b * 4 + player_cards * 2 + banker_cards - 6
        facts[rounds, 1] = _pair(order[first], order[first + 2])
        facts[rounds, 2] = _pair(order[first + 1], order[first + 3])
        for here in range(first, place):
            counts[order[here]] -= 1
            shown[seen] = here
            seen += 1
        rounds += 1
        if last < 0 and 416 - place <= 14:
            last = rounds + 1
    return shown[:seen], facts[:rounds], unseen[:rounds], after_cut[:rounds]


@njit(cache=True)
def _pair(one, other):  # type: ignore[no-untyped-def]  # pragma: no cover
    if one % 13 != other % 13:
        return 0
    return 2 * (one % 13 + 1) - (0 if one == other else 1)
