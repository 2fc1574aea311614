"""The kernels that play whole shoes, from the burn to the last round, hundreds side by side: one that counts facts or
records cards, and one that looks up every hand as bets on single cards see it. Each round is three passes over the
lanes: draw, deal, and note. A lane whose shoe has ended takes the next shoe at once, so no lane waits for the others.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import int64, types, uint8, uint16, uint32, uint64

from punto.rules.outcome import TOTALS
from punto.simulation.machine_code import (
    BANKER_MASKS,
    BURN_ROUND,
    COURTS,
    CYCLES,
    LONGEST_ROUND,
    MULTIPLIERS,
    NATURALS_MASK,
    NOWHERE,
    PAIR_CODES,
    PLAYER_MASK,
    RANKS,
    STOOD_MASK,
    SUITED_CODES,
    SUITS_ATTEMPT,
    WEYL,
    WORD_BITS,
    WORDS,
    Vector,
    borrowed,
    compiled,
    draw_six,
    inlined,
    vector_code,
)

LANES = 256
"""Shoes side by side in the workspace of a kernel, each a lane: few enough that it stays in the processor's nearest
cache. Each row is one number of all lanes, in one flat array with constant offsets, which lets the compiler see that
rows never overlap. A lane keeps how many cards of each rank are left, as counts of "cards above this rank", and a card
is drawn by comparing one random number with all of them."""

ABOVE = 0  # Rows 0 to 11: cards left whose code is above 0, …, above 11.
UNSEEN = 12  # Cards nobody has seen: those left and those burned face down.
LIMIT = 13  # The cut card is out when no more cards than this are unseen.
LEAST_UNSEEN = 14  # With fewer unseen than this a round might not be finished, so none is begun.
PAST = 15  # Rounds begun with the cut card out.
ROUND = 16  # Number of the next round of the shoe, from 1.
DRAW = 17  # Rows 17 to 22: the six draws of a round.
TOTALS_ROW = 23
PAIRS_ROW = 24  # Pair of Player × `PAIR_CODES` + pair of Banker; 0 for none, else code + 1.
FOUR = 25  # Codes of the first four cards in dealing order, four bits each.
THIRDS = 26  # Codes of the fifth and sixth card, then whether Player drew and whether Banker drew.
LIVE = 27  # 1 while the lane has a shoe to play.
ROWS = 28

DRAW_LANES = 16  # Lanes of one call: the generator's words have 32 bits, and sixteen of them make 512.


@vector_code
def draw_lanes(_context, work, shoes, lane, seed):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Six draws for sixteen lanes into the workspace; gives the lanes that have to be drawn again, by `draw_six`.

    The lower part of a product is compared with the number of cards itself, not with 2^21 mod that number, which a
    vector cannot divide out. That names every lane in which a draw must be rejected and some more, one in a thousand.
    """
    return types.uint32(work, shoes, types.int64, types.uint64), _draw_code


def _draw_code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """`shoes` holds the lower halves of the lanes' shoe numbers, then the upper ones."""
    work = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    shoes = context.make_array(signature.args[1])(context, builder, arguments[1]).data
    lane, seed = arguments[2], arguments[3]
    short, word = Vector(builder, DRAW_LANES, 16), Vector(builder, DRAW_LANES, 32)
    rounds = builder.zext(short.load(work, lane, ROUND * LANES), word.type)
    counter = (rounds, word.const(0), word.load(shoes, lane), word.load(shoes, lane, LANES))
    words = _words(word, _blocks(builder, counter, seed))
    cards = builder.zext(short.load(work, lane, UNSEEN * LANES), word.type)
    lowest = None
    for i in range(WORDS):
        product = builder.mul(words[i], builder.sub(cards, word.const(i)))
        draw = builder.trunc(builder.lshr(product, word.const(WORD_BITS)), short.type)
        short.store(draw, work, lane, (DRAW + i) * LANES)
        lower = builder.shl(product, word.const(32 - WORD_BITS))
        lowest = lower if lowest is None else word.least(lowest, lower)
    suspects = word.is_below(lowest, builder.shl(cards, word.const(32 - WORD_BITS)))
    return builder.zext(word.packed(suspects), ir.IntType(32))


def _blocks(builder: Any, counter: tuple[Any, ...], seed: Any) -> list[Any]:
    """Four words of 32 bits for each lane."""
    wide = Vector(builder, DRAW_LANES, 64)
    low, half = wide.const(0xFFFFFFFF), wide.const(32)
    x0, x1, x2, x3 = (builder.zext(part, wide.type) for part in counter)
    whole, narrow = ir.IntType(64), ir.VectorType(ir.IntType(32), DRAW_LANES)
    mask = ir.Constant(whole, 0xFFFFFFFF)
    keys = [builder.and_(seed, mask), builder.lshr(seed, ir.Constant(whole, 32))]
    for _ in range(CYCLES):
        # Only the lower halves are multiplied, so what the upper halves hold in between does not matter.
        p0 = builder.mul(builder.and_(x0, low), wide.const(MULTIPLIERS[0]))
        p1 = builder.mul(builder.and_(x2, low), wide.const(MULTIPLIERS[1]))
        k0, k1 = (wide.splat(key) for key in keys)
        x0 = builder.xor(builder.xor(builder.lshr(p1, half), x1), k0)
        x2 = builder.xor(builder.xor(builder.lshr(p0, half), x3), k1)
        x1, x3 = p1, p0
        grown = (builder.add(key, ir.Constant(whole, step)) for key, step in zip(keys, WEYL, strict=True))
        keys = [builder.and_(key, mask) for key in grown]
    return [builder.trunc(part, narrow) for part in (x0, x1, x2, x3)]


def _words(word: Vector, blocks: list[Any]) -> list[Any]:
    """Six words of 21 bits: the upper 21 of each, and two made of what is left."""
    builder = word.builder
    words = [builder.lshr(part, word.const(32 - WORD_BITS)) for part in blocks]
    for left, right in (blocks[:2], blocks[2:]):
        upper = builder.shl(builder.and_(left, word.const(0x7FF)), word.const(10))
        words.append(builder.or_(upper, builder.and_(right, word.const(0x3FF))))
    return words


DEAL_LANES = 32  # Lanes of one call: counts have 16 bits, and thirty-two of them make 512.

NO_CARD = 0x7FFF  # A draw above every count, and still positive.


@vector_code
def deal_lanes(_context, work, lane, masks, after, most):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """A round in each of thirty-two lanes; gives the lanes whose shoe is then at its end."""
    return types.uint32(work, types.int64, masks, types.uint16, types.uint16), _written(DealtRound)


def _written(kind: type[DealtRound]) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        work = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        masks = context.make_array(signature.args[2])(context, builder, arguments[2]).data
        return kind(Vector(builder, DEAL_LANES, 16), work, arguments[1], masks).code(*arguments[3:])

    return code


class DealtRound:
    """The code of one round."""

    def __init__(self, vector: Vector, work: Any, lane: Any, masks: Any) -> None:
        self.v, self.b = vector, vector.builder
        self._work, self._lane, self._masks = work, lane, masks
        self.counts = [self.load(ABOVE + i) for i in range(RANKS - 1)]
        self._sum = self.counts[0]
        for above in self.counts[1:]:
            self._sum = self.b.add(self._sum, above)

    def load(self, number: int) -> Any:
        return self.v.load(self._work, self._lane, number * LANES)

    def store(self, value: Any, number: int) -> None:
        self.v.store(value, self._work, self._lane, number * LANES)

    def mask(self, index: int) -> Any:
        """A row of the table of play: one bit for each points count."""
        return self.v.splat(self.b.load(self.b.gep(self._masks, [ir.Constant(ir.IntType(64), index)])))

    def take(self, draw: Any) -> Any:
        """The code of the card drawn; it is no longer in the shoe."""
        before, self._sum = self._sum, None
        for i, above in enumerate(self.counts):
            # The sign of the difference, spread over all bits, is -1 where the count lies above the draw.
            # A comparison would take longer, since its answer would have to be made a number first.
            less = self.b.ashr(self.b.sub(draw, above), self.v.const(15))
            self.counts[i] = self.b.add(above, less)
            self._sum = self.counts[i] if self._sum is None else self.b.add(self._sum, self.counts[i])
        return self.b.sub(before, self._sum)

    def points(self, code: Any) -> Any:
        courts = self.v.const(COURTS)
        return self.b.select(self.v.is_below(courts, code), self.b.sub(code, courts), self.v.const(0))

    def total(self, left: Any, right: Any) -> Any:
        """Points of both, without tens; below ten, taking ten away wraps round to something large."""
        points = self.b.add(left, right)
        return self.v.least(points, self.b.sub(points, self.v.const(10)))

    def code(self, after: Any, most: Any) -> Any:
        v, b = self.v, self.b
        zero, no_card = v.const(0), v.const(NO_CARD)
        first = [self.take(self.load(DRAW + i)) for i in range(4)]
        points = [self.points(code) for code in first]
        player, banker = self.total(points[0], points[2]), self.total(points[1], points[3])
        is_over = b.or_(v.bit(self.mask(NATURALS_MASK), player), v.bit(self.mask(NATURALS_MASK), banker))
        goes_on = b.not_(is_over)
        player_draws = b.and_(goes_on, v.bit(self.mask(PLAYER_MASK), player))
        only_banker = b.and_(b.and_(goes_on, b.not_(player_draws)), v.bit(self.mask(STOOD_MASK), banker))
        is_fifth = b.or_(player_draws, only_banker)
        fifth = self.take(b.select(is_fifth, self.load(DRAW + 4), no_card))
        third = self.points(fifth)
        rows = zero
        for points_of_third in range(10):
            is_it = v.is_equal(third, v.const(points_of_third))
            rows = b.select(is_it, self.mask(BANKER_MASKS + points_of_third), rows)
        is_sixth = b.and_(player_draws, v.bit(rows, banker))
        sixth = self.take(b.select(is_sixth, self.load(DRAW + 5), no_card))
        for i, above in enumerate(self.counts):
            self.store(above, ABOVE + i)
        banker_draws = b.or_(is_sixth, only_banker)
        player = self.total(player, b.select(player_draws, third, zero))
        banker = self.total(banker, b.select(player_draws, self.points(sixth), third))
        self.facts(first, (fifth, sixth), (player, banker), (player_draws, banker_draws))
        return v.packed(self._end(is_fifth, is_sixth, after, most))

    def facts(self, first: Any, thirds: Any, points: Any, draws: Any) -> None:
        """Write down what happened: points and numbers of cards as `rules.outcome.totals_index` counts them, pairs, and
        every card.
        """
        v, b = self.v, self.b
        player_draws, banker_draws = (v.number(mask) for mask in draws)
        cards = b.add(b.shl(player_draws, v.const(1)), banker_draws)
        totals = b.add(b.mul(points[0], v.const(40)), b.shl(points[1], v.const(2)))
        self.store(b.add(totals, cards), TOTALS_ROW)
        pairs = [
            b.select(v.is_equal(one, two), b.add(one, v.const(1)), v.const(0))
            for one, two in ((first[0], first[2]), (first[1], first[3]))
        ]
        self.store(b.add(b.mul(pairs[0], v.const(PAIR_CODES)), pairs[1]), PAIRS_ROW)
        four = first[0]
        for i, code in enumerate(first[1:], start=1):
            four = b.or_(four, b.shl(code, v.const(4 * i)))
        self.store(four, FOUR)
        drawn = b.or_(b.shl(player_draws, v.const(8)), b.shl(banker_draws, v.const(9)))
        self.store(b.or_(b.or_(thirds[0], b.shl(thirds[1], v.const(4))), drawn), THIRDS)

    def _end(self, is_fifth: Any, is_sixth: Any, after: Any, most: Any) -> Any:
        """Count the cards and rounds, and say where the last round is played."""
        v, b = self.v, self.b
        before, limit, number = self.load(UNSEEN), self.load(LIMIT), self.load(ROUND)
        cards = b.add(v.const(4), b.add(v.number(is_fifth), v.number(is_sixth)))
        unseen = b.sub(before, cards)
        past = b.add(self.load(PAST), v.number(b.not_(v.is_below(limit, before))))
        self.store(unseen, UNSEEN)
        self.store(past, PAST)
        self.store(b.add(number, v.const(1)), ROUND)
        is_cut_out = b.not_(v.is_below(limit, unseen))
        is_last = b.and_(is_cut_out, b.not_(v.is_below(past, v.splat(after))))
        is_short = v.is_below(unseen, self.load(LEAST_UNSEEN))
        is_enough = b.not_(v.is_below(number, v.splat(most)))
        return b.or_(b.or_(is_last, is_short), is_enough)


DECKS, CUT, AFTER, MOST_ROUNDS, BURN_FIXED = range(5)
"""Places in the terms that a kernel is given; `BURN_FIXED` is -1 where the first card says how many."""

COUNT, COUNT_SUITS, RECORD = range(3)
"""What is noted of a round: its facts, its facts with suits of pairs, or all its cards."""

SUITS = 4

PLAYER_TWO, BANKER_TWO, PLAYER_THIRD, BANKER_THIRD = (ROWS + i for i in range(4))
"""Codes of a hand's first two cards: the first × number of codes + the second. The code of its third card, or the
number of codes where there is none.
"""
CARDS = RANKS * SUITS  # Codes of cards where suits count: code of the rank × 4 + suit.
INSIDE = tuple(code for code in range(CARDS) if code % SUITS < SUITS - 1)
"""Codes whose counts of "cards above" lie within a rank; the others are the counts of ranks."""
CARDS_ABOVE = ROWS + 4  # The first row of those counts.
CARD_ROWS = CARDS_ABOVE + len(INSIDE)
INSIDE_CODES = np.array(INSIDE)


@compiled
def open_suits(work: Any, lane: Any, decks: Any, shown: Any) -> None:
    """Count the cards within ranks of a fresh shoe, less the code of the shown card, -1 if none is shown."""
    for i in range(len(INSIDE_CODES)):
        left = (CARDS - 1 - INSIDE_CODES[i]) * decks - (1 if shown > INSIDE_CODES[i] else 0)
        work[(CARDS_ABOVE + i) * LANES + lane] = uint16(left)


@compiled
def open_shoe(
    work: Any, shoes: Any, suits: Any, lane: Any, shoe: Any, seed: Any, terms: Any, below: Any, draws: Any
) -> Any:
    """Put a fresh shoe into a lane and burn; gives the code of the shown card, -1 if none is shown. `suits` has room
    where suits of pairs are drawn, `work` where those of all cards are."""
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
    work[LEAST_UNSEEN * LANES + lane] = uint16(LONGEST_ROUND + burned)
    work[PAST * LANES + lane] = uint16(0)
    work[ROUND * LANES + lane] = uint16(1)
    work[LIVE * LANES + lane] = uint16(1)
    if suits.size:
        suits[lane] = uint8(terms[DECKS])
    if len(work) > CARDS_ABOVE * LANES:
        open_suits(work, lane, terms[DECKS], -1 if shown < 0 else CARDS - 1 - int64(draws[0]) // terms[DECKS])
    return shown


@compiled
def draw_round(work: Any, shoes: Any, seed: Any, below: Any, draws: Any) -> None:
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
    return uint64(shoes[lane]) | (uint64(shoes[LANES + lane]) << uint64(32))


@compiled
def count_round(work: Any, histogram: Any) -> None:
    for lane in range(LANES):
        cell = int64(work[PAIRS_ROW * LANES + lane]) * TOTALS + int64(work[TOTALS_ROW * LANES + lane])
        histogram[cell] += work[LIVE * LANES + lane]


@compiled
def count_suits(work: Any, shoes: Any, suits: Any, seed: Any, below: Any, draws: Any, histogram: Any) -> None:
    """Count rounds with the suits of pairs, which are drawn only when there is a pair: cards of a rank are alike until
    somebody looks at their suits, so two suits out of those not yet seen are as good as if all had been dealt."""
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


@inlined
def end_shoes(
    dealing: Any, ended: Any, following: Any, work: Any, shoes: Any, suits: Any, below: Any, draws: Any
) -> Any:
    """Note the lengths of shoes that have ended, and open the following ones in their lanes; gives the next shoe to
    follow, and how many lanes are left without one."""
    idle = 0
    for group in range(LANES // DEAL_LANES):
        bits, lane = int64(ended[group]), group * DEAL_LANES
        while bits != 0:
            if bits & 1 and work[LIVE * LANES + lane]:
                length = int64(work[ROUND * LANES + lane]) - 1
                dealing.lengths[int64(shoe_in(shoes, lane) - dealing.first)] = length
                if following < dealing.shoes:
                    fresh = dealing.first + uint64(following)
                    shown = open_shoe(work, shoes, suits, lane, fresh, dealing.seed, dealing.terms, below, draws)
                    dealing.shown[following] = shown
                    following += 1
                else:
                    work[LIVE * LANES + lane] = uint16(0)
                    idle += 1
            bits >>= 1
            lane += 1
    return following, idle


@compiled
def play_shoes(dealing: Any, mode: Any, histogram: Any, cards: Any) -> None:
    """Play shoes: by its mode it adds to `histogram`, or fills a row of `cards` for each shoe.

    Each round is three passes over the lanes. Noting is a pass of its own because adding to a histogram in the midst
    of dealing would keep the dealing from being done in vectors.
    """
    dealing = borrowed(dealing)
    first, number, seed, terms, masks, shown, _ = dealing
    work, shoes = np.zeros(ROWS * LANES, np.uint16), np.zeros(2 * LANES, np.uint32)
    suits = np.zeros((LANES if mode == COUNT_SUITS else 0, RANKS, SUITS), np.uint8)
    draws, below = np.zeros(WORDS, np.uint64), np.ones(WORDS, np.int64)
    ended = np.zeros(LANES // DEAL_LANES, np.uint32)
    after, most = uint16(terms[AFTER]), uint16(terms[MOST_ROUNDS])
    live = following = min(LANES, number)
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
        following, idle = end_shoes(dealing, ended, following, work, shoes, suits, below, draws)
        live -= idle


class _RankRound(DealtRound):
    """A round whose hands are written down as codes of ranks."""

    def facts(self, first: Any, thirds: Any, points: Any, draws: Any) -> None:
        super().facts(first, thirds, points, draws)
        self.hands(first, thirds, draws, RANKS)

    def hands(self, first: Any, thirds: Any, draws: Any, number: int) -> None:
        """Write the hands down, with this number of codes."""
        v, b = self.v, self.b
        codes = none = v.const(number)
        self.store(b.add(b.mul(first[0], codes), first[2]), PLAYER_TWO)
        self.store(b.add(b.mul(first[1], codes), first[3]), BANKER_TWO)
        player_draws, banker_draws = draws
        self.store(b.select(player_draws, thirds[0], none), PLAYER_THIRD)
        bankers = b.select(player_draws, thirds[1], thirds[0])
        self.store(b.select(banker_draws, bankers, none), BANKER_THIRD)


class _SuitedRound(_RankRound):
    """A round whose hands are written down as codes of cards.

    A card is one of 52 codes, four to a rank, and there are more counts of "cards above", three within each rank. They
    are gone through after the round, one by one, each with all six draws: so each is loaded and stored once. A draw
    means a card of the same rank with and without them, and totals do not depend on whether anybody asks for suits.
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._draws: list[Any] = []

    def take(self, draw: Any) -> Any:
        self._draws.append(draw)
        return super().take(draw)

    def facts(self, first: Any, thirds: Any, points: Any, draws: Any) -> None:
        v, b = self.v, self.b
        DealtRound.facts(self, first, thirds, points, draws)
        cards = self._cards([*first, *thirds])
        self.hands(cards[:4], cards[4:], draws, CARDS)
        pairs = [self._pair(first[i], first[i + 2], v.is_equal(cards[i], cards[i + 2])) for i in (0, 1)]
        self.store(b.add(b.mul(pairs[0], v.const(SUITED_CODES)), pairs[1]), PAIRS_ROW)

    def _cards(self, ranks: list[Any]) -> list[Any]:
        """The codes of the six cards: those of their ranks, and the counts within ranks above the draws."""
        v, b = self.v, self.b
        codes = list(ranks)
        for i in range(len(INSIDE)):
            above = self.load(CARDS_ABOVE + i)
            for j, draw in enumerate(self._draws):
                less = b.ashr(b.sub(draw, above), v.const(15))
                above, codes[j] = b.add(above, less), b.sub(codes[j], less)
            self.store(above, CARDS_ABOVE + i)
        return codes

    def _pair(self, one: Any, two: Any, is_suited: Any) -> Any:
        """0 for no pair, else 1 + 2 × rank, and 1 more if the pair is suited."""
        v, b = self.v, self.b
        pair = b.add(b.add(b.shl(one, v.const(1)), v.const(1)), v.number(is_suited))
        return b.select(v.is_equal(one, two), pair, v.const(0))


@vector_code
def deal_ranks(_context, work, lane, masks, after, most):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """A round of ranks in each of thirty-two lanes; gives the lanes whose shoe is then at its end."""
    return types.uint32(work, types.int64, masks, types.uint16, types.uint16), _written(_RankRound)


@vector_code
def deal_suits(_context, work, lane, masks, after, most):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """A round of cards with their suits in each of thirty-two lanes; gives the lanes whose shoe is then at its end."""
    return types.uint32(work, types.int64, masks, types.uint16, types.uint16), _written(_SuitedRound)


PLAN = 7
TWO_PLAYER, END_PLAYER, TWO_BANKER, END_BANKER, ROW_TABLE, BANKER_CODES, CELLS = range(PLAN)
"""Of a reading: where its five look-ups begin, the number of Banker's codes, and where its cells begin."""


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
def play_cards(dealing: Any, has_suits: Any, plan: Any, tables: Any, histogram: Any) -> None:
    """Play shoes for bets on single cards, and add to `histogram`.

    A reading serves several bets at once. It turns the first two cards of a hand into a state, the third into a code,
    two codes into a row of each of its bets, and counts that in a histogram behind that of totals and pairs.
    """
    dealing = borrowed(dealing)
    first, number, seed, terms, masks, _, _ = dealing
    work = np.zeros((CARD_ROWS if has_suits else CARDS_ABOVE) * LANES, np.uint16)
    shoes, suits = np.zeros(2 * LANES, np.uint32), np.zeros((0, RANKS, SUITS), np.uint8)
    draws, below = np.zeros(WORDS, np.uint64), np.ones(WORDS, np.int64)
    ended = np.zeros(LANES // DEAL_LANES, np.uint32)
    after, most = uint16(terms[AFTER]), uint16(terms[MOST_ROUNDS])
    kinds = int64(CARDS) if has_suits else int64(RANKS)
    live = following = min(LANES, number)
    for lane in range(live):
        open_shoe(work, shoes, suits, lane, first + uint64(lane), seed, terms, below, draws)
    while live:
        draw_round(work, shoes, seed, below, draws)
        for group in range(LANES // DEAL_LANES):
            if has_suits:
                ended[group] = deal_suits(work, group * DEAL_LANES, masks, after, most)
            else:
                ended[group] = deal_ranks(work, group * DEAL_LANES, masks, after, most)
        count_round(work, histogram)
        count_rows(work, kinds, plan, tables, histogram)
        following, idle = end_shoes(dealing, ended, following, work, shoes, suits, below, draws)
        live -= idle


@compiled
def record_hands(work: Any, shoes: Any, first: Any, cards: Any) -> None:
    """Keep both hands of the round of every live lane, card by card with suits, in the row of its shoe."""
    for lane in range(LANES):
        if work[LIVE * LANES + lane]:
            row = cards[int64(shoe_in(shoes, lane) - first), int64(work[ROUND * LANES + lane]) - 2]
            row[0], row[1] = work[PLAYER_TWO * LANES + lane], work[BANKER_TWO * LANES + lane]
            row[2], row[3] = work[PLAYER_THIRD * LANES + lane], work[BANKER_THIRD * LANES + lane]


@compiled
def record_cards(dealing: Any, cards: Any) -> None:
    """Play shoes and fill a row of `cards` for each of their rounds: the first two cards of Player and of Banker, both
    in one number, then their thirds."""
    dealing = borrowed(dealing)
    first, number, seed, terms, masks, shown, _ = dealing
    work, shoes = np.zeros(CARD_ROWS * LANES, np.uint16), np.zeros(2 * LANES, np.uint32)
    suits = np.zeros((0, RANKS, SUITS), np.uint8)
    draws, below = np.zeros(WORDS, np.uint64), np.ones(WORDS, np.int64)
    ended = np.zeros(LANES // DEAL_LANES, np.uint32)
    after, most = uint16(terms[AFTER]), uint16(terms[MOST_ROUNDS])
    live = following = min(LANES, number)
    for lane in range(live):
        shown[lane] = open_shoe(work, shoes, suits, lane, first + uint64(lane), seed, terms, below, draws)
    while live:
        draw_round(work, shoes, seed, below, draws)
        for group in range(LANES // DEAL_LANES):
            ended[group] = deal_suits(work, group * DEAL_LANES, masks, after, most)
        record_hands(work, shoes, first, cards)
        following, idle = end_shoes(dealing, ended, following, work, shoes, suits, below, draws)
        live -= idle
