"""The kernel: whole shoes, from the burn to the last round, hundreds side by side.

Each round is three passes over the lanes: draw, deal, and note. Noting is a pass of its own because adding
to a histogram in the midst of dealing would keep the dealing from being done in vectors. A lane whose shoe
has ended takes the next shoe at once, so no lane waits for the others.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64, uint8, uint16, uint32, uint64

from punto.rules.facts import TOTALS
from punto.simulation.kernels import workspace
from punto.simulation.kernels.compiling import compiled
from punto.simulation.kernels.dealing import DEAL_LANES, deal_lanes
from punto.simulation.kernels.drawing import DRAW_LANES, draw_lanes
from punto.simulation.kernels.philox import BURN_ROUND, SUITS_ATTEMPT, WORDS, draw_six
from punto.simulation.kernels.workspace import COURTS, LANES, PAIR_CODES, RANKS, SUITED_CODES

LEAST = 6
"""Cards that a round may take: none is begun with fewer left."""

DECKS, CUT, AFTER, MOST_ROUNDS, BURN_FIXED = range(5)
"""Places in the terms that a kernel is given; `BURN_FIXED` is -1 where the first card says how many."""

COUNT, COUNT_SUITS, RECORD = range(3)
"""What is noted of a round: its facts, its facts with suits of pairs, or all its cards."""

SUITS = 4

# Numba freezes what a kernel reads from its own module, not from another's name space.
ABOVE, UNSEEN, LIMIT, FLOOR = workspace.ABOVE, workspace.UNSEEN, workspace.LIMIT, workspace.FLOOR
PAST, ROUND, DRAW, LIVE, ROWS = (
    workspace.PAST,
    workspace.ROUND,
    workspace.DRAW,
    workspace.LIVE,
    workspace.ROWS,
)
TOTALS_ROW, PAIRS_ROW, FOUR, THIRDS = (
    workspace.TOTALS_ROW,
    workspace.PAIRS_ROW,
    workspace.FOUR,
    workspace.THIRDS,
)


@compiled
def open_shoe(
    work: Any, shoes: Any, suits: Any, lane: Any, shoe: Any, seed: Any, terms: Any, below: Any, draws: Any
) -> Any:
    """Put a fresh shoe into a lane and burn; gives the code of the shown card, -1 if none is shown."""
    shoes[lane], shoes[LANES + lane] = uint32(shoe), uint32(shoe >> uint64(32))
    each, size = 4 * terms[DECKS], 52 * terms[DECKS]
    shown, burned, seen = -1, terms[BURN_FIXED], 0
    if burned < 0:
        below[:] = 1
        below[0] = size
        draw_six(BURN_ROUND, 0, shoe, seed, below, draws)
        shown, seen = RANKS - 1 - int64(draws[0]) // each, 1
        burned = shown - COURTS if shown > COURTS else 10
    for i in range(RANKS - 1):
        work[(ABOVE + i) * LANES + lane] = uint16((RANKS - 1 - i) * each - (1 if shown > i else 0))
    work[UNSEEN * LANES + lane] = uint16(size - seen)
    work[LIMIT * LANES + lane] = uint16(terms[CUT] + burned)
    work[FLOOR * LANES + lane] = uint16(LEAST + burned)
    work[PAST * LANES + lane] = uint16(0)
    work[ROUND * LANES + lane] = uint16(1)
    work[LIVE * LANES + lane] = uint16(1)
    if suits.size:
        suits[lane] = uint8(terms[DECKS])
    return shown


@compiled
def draw_round(work: Any, shoes: Any, seed: Any, below: Any, draws: Any) -> None:
    """The six draws of the next round in every lane."""
    for start in range(0, LANES, DRAW_LANES):
        suspects = draw_lanes(work, shoes, start, seed)
        lane = start
        while suspects != 0:
            if suspects & 1 and work[LIVE * LANES + lane]:
                for i in range(WORDS):
                    below[i] = int64(work[UNSEEN * LANES + lane]) - i
                draw_six(work[ROUND * LANES + lane], 0, shoe_in(shoes, lane), seed, below, draws)
                for i in range(WORDS):
                    work[(DRAW + i) * LANES + lane] = uint16(draws[i])
            suspects >>= 1
            lane += 1


@compiled
def shoe_in(shoes: Any, lane: Any) -> Any:
    """The number of the shoe in a lane."""
    return uint64(shoes[lane]) | (uint64(shoes[LANES + lane]) << uint64(32))


@compiled
def count_round(work: Any, histogram: Any) -> None:
    """Add the round of every live lane to the histogram of totals and pairs."""
    for lane in range(LANES):
        cell = int64(work[PAIRS_ROW * LANES + lane]) * TOTALS + int64(work[TOTALS_ROW * LANES + lane])
        histogram[cell] += work[LIVE * LANES + lane]


@compiled
def count_suits(work: Any, shoes: Any, suits: Any, seed: Any, below: Any, draws: Any, histogram: Any) -> None:
    """The same with the suits of pairs, which are drawn only when there is a pair.

    Cards of a rank are alike until somebody looks at their suits, so the suits of those that made no pair
    need never be known: two suits out of those not yet seen are as good as if all had been dealt.
    """
    for lane in range(LANES):
        if not work[LIVE * LANES + lane]:
            continue
        pairs = int64(work[PAIRS_ROW * LANES + lane])
        player, banker = pairs // PAIR_CODES, pairs % PAIR_CODES
        if pairs:
            left = suits[lane]
            below[:] = 1
            if player:
                below[0] = int64(left[player - 1].sum())
                below[1] = below[0] - 1
            if banker:
                below[2] = int64(left[banker - 1].sum()) - (2 if player == banker else 0)
                below[3] = below[2] - 1
            number = int64(work[ROUND * LANES + lane]) - 1
            draw_six(number, SUITS_ATTEMPT, shoe_in(shoes, lane), seed, below, draws)
            if player:
                is_suited = take_suit(left[player - 1], draws[0]) == take_suit(left[player - 1], draws[1])
                player = 2 * player - 1 + int64(is_suited)
            if banker:
                is_suited = take_suit(left[banker - 1], draws[2]) == take_suit(left[banker - 1], draws[3])
                banker = 2 * banker - 1 + int64(is_suited)
        cell = (player * SUITED_CODES + banker) * TOTALS + int64(work[TOTALS_ROW * LANES + lane])
        histogram[cell] += 1


@compiled
def take_suit(left: Any, draw: Any) -> Any:
    """The suit that a draw means; it is taken out."""
    draw = int64(draw)
    for suit in range(SUITS):
        if draw < left[suit]:
            left[suit] -= uint8(1)
            return suit
        draw -= int64(left[suit])
    return -1


@compiled
def record_round(work: Any, shoes: Any, first: Any, cards: Any) -> None:
    """Keep all cards of the round of every live lane, in the row of its shoe."""
    for lane in range(LANES):
        if work[LIVE * LANES + lane]:
            number = int64(work[ROUND * LANES + lane]) - 2
            codes = uint32(work[FOUR * LANES + lane]) | (uint32(work[THIRDS * LANES + lane]) << uint32(16))
            cards[int64(shoe_in(shoes, lane) - first), number] = codes


@compiled
def play_shoes(
    first: Any,
    number: Any,
    seed: Any,
    terms: Any,
    masks: Any,
    mode: Any,
    histogram: Any,
    cards: Any,
    shown: Any,
    lengths: Any,
) -> Any:
    """Play the shoes from `first` on; gives the number of rounds.

    By its mode it adds to `histogram`, or fills a row of `cards` for each shoe. `shown` gets the code of
    each shoe's burn card, `lengths` its rounds.
    """
    work, shoes = np.zeros(ROWS * LANES, np.uint16), np.zeros(2 * LANES, np.uint32)
    suits = np.zeros((LANES if mode == COUNT_SUITS else 0, RANKS, SUITS), np.uint8)
    draws, below = np.zeros(WORDS, np.uint64), np.ones(WORDS, np.int64)
    ended = np.zeros(LANES // DEAL_LANES, np.uint32)
    after, most = uint16(terms[AFTER]), uint16(terms[MOST_ROUNDS])
    live = min(LANES, number)
    following, rounds = live, 0
    for lane in range(live):
        shown[lane] = open_shoe(work, shoes, suits, lane, first + uint64(lane), seed, terms, below, draws)
    while live:
        draw_round(work, shoes, seed, below, draws)
        for group in range(LANES // DEAL_LANES):
            ended[group] = deal_lanes(work, group * DEAL_LANES, masks, after, most)
        if mode == COUNT:
            count_round(work, histogram)
        elif mode == COUNT_SUITS:
            count_suits(work, shoes, suits, seed, below, draws, histogram)
        else:
            record_round(work, shoes, first, cards)
        for group in range(LANES // DEAL_LANES):
            bits, lane = int64(ended[group]), group * DEAL_LANES
            while bits != 0:
                if bits & 1 and work[LIVE * LANES + lane]:
                    length = int64(work[ROUND * LANES + lane]) - 1
                    lengths[int64(shoe_in(shoes, lane) - first)] = length
                    rounds += length
                    if following < number:
                        fresh = first + uint64(following)
                        shown[following] = open_shoe(
                            work, shoes, suits, lane, fresh, seed, terms, below, draws
                        )
                        following += 1
                    else:
                        work[LIVE * LANES + lane] = uint16(0)
                        live -= 1
                bits >>= 1
                lane += 1
    return rounds
