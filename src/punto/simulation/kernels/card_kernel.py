"""The kernel for bets on single cards: whole shoes as in `kernel`, with every hand looked up as bets see it.

A reading serves several bets at once. It turns the first two cards of a hand into a state, the third into a
code, two codes into a row of each of its bets, and counts that in a histogram behind that of totals and
pairs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64, uint16, uint64

from punto.simulation.kernels import card_dealing
from punto.simulation.kernels.card_dealing import deal_ranks, deal_suits
from punto.simulation.kernels.compiling import compiled
from punto.simulation.kernels.dealing import DEAL_LANES
from punto.simulation.kernels.kernel import (
    AFTER,
    DECKS,
    LIVE,
    MOST_ROUNDS,
    ROUND,
    count_round,
    draw_round,
    open_shoe,
    shoe_in,
)
from punto.simulation.kernels.philox import WORDS
from punto.simulation.kernels.workspace import LANES, RANKS

# Numba freezes what a kernel reads from its own module, not from another's name space.
PLAYER_TWO, BANKER_TWO = card_dealing.PLAYER_TWO, card_dealing.BANKER_TWO
PLAYER_THIRD, BANKER_THIRD = card_dealing.PLAYER_THIRD, card_dealing.BANKER_THIRD
CARDS_ABOVE, ROWS, CARDS = card_dealing.CARDS_ABOVE, card_dealing.ROWS, card_dealing.CARDS
INSIDE = np.array(card_dealing.INSIDE)

PLAN = 7
TWO_PLAYER, END_PLAYER, TWO_BANKER, END_BANKER, ROW_TABLE, BANKER_CODES, CELLS = range(PLAN)
"""Of a reading: where its five look-ups begin, the number of Banker's codes, and where its cells begin."""

NOWHERE = -1
"""In place of the look-up by the third card, where none is read."""


@compiled
def open_cards(
    work: Any, shoes: Any, lane: Any, shoe: Any, seed: Any, terms: Any, below: Any, draws: Any, has_suits: Any
) -> None:
    """Put a fresh shoe into a lane and burn, suits counted too where they are dealt."""
    none = np.zeros((0, RANKS, 4), np.uint8)
    shown = open_shoe(work, shoes, none, lane, shoe, seed, terms, below, draws)
    if has_suits:
        decks, card = terms[DECKS], -1
        if shown >= 0:
            card = CARDS - 1 - int64(draws[0]) // decks
        for i in range(len(INSIDE)):
            left = (CARDS - 1 - INSIDE[i]) * decks - (1 if card > INSIDE[i] else 0)
            work[(CARDS_ABOVE + i) * LANES + lane] = uint16(left)


@compiled
def count_rows(work: Any, kinds: Any, plan: Any, tables: Any, histogram: Any) -> None:
    """Add the round of every live lane to the histogram of each reading."""
    for reading in range(len(plan)):
        two_player, end_player = plan[reading, TWO_PLAYER], plan[reading, END_PLAYER]
        two_banker, end_banker = plan[reading, TWO_BANKER], plan[reading, END_BANKER]
        rows, codes, cells = plan[reading, ROW_TABLE], plan[reading, BANKER_CODES], plan[reading, CELLS]
        if end_player == NOWHERE:  # no third card is read
            for lane in range(LANES):
                player = int64(tables[two_player + work[PLAYER_TWO * LANES + lane]])
                banker = int64(tables[two_banker + work[BANKER_TWO * LANES + lane]])
                row = int64(tables[rows + player * codes + banker])
                histogram[cells + row] += work[LIVE * LANES + lane]
            continue
        for lane in range(LANES):
            player = int64(tables[two_player + work[PLAYER_TWO * LANES + lane]])
            banker = int64(tables[two_banker + work[BANKER_TWO * LANES + lane]])
            player = int64(tables[end_player + player * (kinds + 1) + work[PLAYER_THIRD * LANES + lane]])
            banker = int64(tables[end_banker + banker * (kinds + 1) + work[BANKER_THIRD * LANES + lane]])
            row = int64(tables[rows + player * codes + banker])
            histogram[cells + row] += work[LIVE * LANES + lane]


@compiled
def play_cards(
    first: Any,
    number: Any,
    seed: Any,
    terms: Any,
    masks: Any,
    has_suits: Any,
    plan: Any,
    tables: Any,
    histogram: Any,
    lengths: Any,
) -> Any:
    """Play the shoes from `first` on; gives the number of rounds, and adds to `histogram` and `lengths`."""
    work, shoes = np.zeros(ROWS * LANES, np.uint16), np.zeros(2 * LANES, np.uint32)
    draws, below = np.zeros(WORDS, np.uint64), np.ones(WORDS, np.int64)
    ended = np.zeros(LANES // DEAL_LANES, np.uint32)
    after, most = uint16(terms[AFTER]), uint16(terms[MOST_ROUNDS])
    kinds = int64(CARDS) if has_suits else int64(RANKS)
    live = min(LANES, number)
    following, rounds = live, 0
    for lane in range(live):
        open_cards(work, shoes, lane, first + uint64(lane), seed, terms, below, draws, has_suits)
    while live:
        draw_round(work, shoes, seed, below, draws)
        for group in range(LANES // DEAL_LANES):
            if has_suits:
                ended[group] = deal_suits(work, group * DEAL_LANES, masks, after, most)
            else:
                ended[group] = deal_ranks(work, group * DEAL_LANES, masks, after, most)
        count_round(work, histogram)
        count_rows(work, kinds, plan, tables, histogram)
        for group in range(LANES // DEAL_LANES):
            bits, lane = int64(ended[group]), group * DEAL_LANES
            while bits != 0:
                if bits & 1 and work[LIVE * LANES + lane]:
                    length = int64(work[ROUND * LANES + lane]) - 1
                    lengths[int64(shoe_in(shoes, lane) - first)] = length
                    rounds += length
                    if following < number:
                        fresh = first + uint64(following)
                        open_cards(work, shoes, lane, fresh, seed, terms, below, draws, has_suits)
                        following += 1
                    else:
                        work[LIVE * LANES + lane] = uint16(0)
                        live -= 1
                bits >>= 1
                lane += 1
    return rounds
