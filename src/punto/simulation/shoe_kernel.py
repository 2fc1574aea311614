"""The kernels that play whole shoes, from the burn to the last round, hundreds side by side: one that counts facts or
records cards, and one that looks up every hand as bets on single cards see it. Each round is three passes over the
lanes: draw, deal, and note. A lane whose shoe has ended takes the next shoe at once, so no lane waits for the others.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import int64, types, uint16, uint32, uint64

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

DRAW_LANES = 32
"""Lanes of one call. Sixteen words of 32 bits make 512, but each cycle of the generator waits for the one before it:
with twice as many lanes there is something to do meanwhile."""


@vector_code
def draw_lanes(_context, work, shoes, lane, seed):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Six draws for thirty-two lanes into the workspace; gives the lanes that have to be drawn again, by `draw_six`.

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
    lanes = counter[0].type.count
    wide = Vector(builder, lanes, 64)
    low, half = wide.const(0xFFFFFFFF), wide.const(32)
    x0, x1, x2, x3 = (builder.zext(part, wide.type) for part in counter)
    whole, narrow = ir.IntType(64), ir.VectorType(ir.IntType(32), lanes)
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


@inlined
def open_suits(work: Any, lane: Any, decks: Any, shown: Any) -> None:
    """Count the cards within ranks of a fresh shoe, less the code of the shown card, -1 if none is shown."""
    for i in range(len(INSIDE_CODES)):
        left = (CARDS - 1 - INSIDE_CODES[i]) * decks - (1 if shown > INSIDE_CODES[i] else 0)
        work[(CARDS_ABOVE + i) * LANES + lane] = uint16(left)


@compiled
def draw_burns(work: Any, shoes: Any, first: Any, number: Any, seed: Any, terms: Any, below: Any, draws: Any) -> Any:
    """The draw for the shown card of each shoe, 0 where none is shown; the workspace must not be in use yet.

    They are drawn side by side like those of a round: one by one, as shoes were opened, that took some hundredths.
    """
    burns = np.zeros(number, np.uint16)
    if terms[BURN_FIXED] >= 0:
        return burns
    for lane in range(LANES):
        work[UNSEEN * LANES + lane] = uint16(52 * terms[DECKS])
        work[ROUND * LANES + lane], work[LIVE * LANES + lane] = uint16(BURN_ROUND), uint16(1)
    for start in range(0, number, LANES):
        for lane in range(LANES):
            put_shoe(shoes, lane, first + uint64(start + lane))
        draw_round(work, shoes, seed, below, draws)
        for lane in range(min(LANES, number - start)):
            burns[start + lane] = work[DRAW * LANES + lane]
    for lane in range(LANES):
        work[LIVE * LANES + lane] = uint16(0)
    return burns


@inlined
def open_shoe(work: Any, shoes: Any, suits: Any, lane: Any, shoe: Any, terms: Any, draw: Any) -> Any:
    """Put a fresh shoe into a lane and burn by this draw; gives the code of the shown card, -1 if none is shown.
    `suits` has room where suits of pairs are drawn, `work` where those of all cards are."""
    put_shoe(shoes, lane, shoe)
    each, size = 4 * terms[DECKS], 52 * terms[DECKS]
    shown, burned, seen = -1, terms[BURN_FIXED], 0
    if burned < 0:
        shown, seen = RANKS - 1 - int64(uint32(draw) // uint32(each)), 1
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
        for rank in range(RANKS):
            suits[lane * RANKS + rank] = uint32(terms[DECKS] * EACH_BYTE)
    if len(work) > CARDS_ABOVE * LANES:
        open_suits(work, lane, terms[DECKS], -1 if shown < 0 else CARDS - 1 - int64(draw) // terms[DECKS])
    return shown


@compiled
def draw_round(work: Any, shoes: Any, seed: Any, below: Any, draws: Any) -> None:
    for start in range(0, LANES, DRAW_LANES):
        suspects = draw_lanes(work, shoes, start, seed)
        lane = start
        while suspects != 0:
            if suspects & 1 and work[LIVE * LANES + lane]:
                number, cards = work[ROUND * LANES + lane], int64(work[UNSEEN * LANES + lane])
                for i in range(WORDS):
                    below[i] = cards - i if i == 0 or number != BURN_ROUND else 1  # the burn shows one card
                draw_six(number, 0, shoe_in(shoes, lane), seed, below, draws)
                for i in range(WORDS):
                    work[(DRAW + i) * LANES + lane] = uint16(draws[i])
            suspects >>= 1
            lane += 1


@inlined
def put_shoe(shoes: Any, lane: Any, shoe: Any) -> None:
    shoes[lane], shoes[LANES + lane] = uint32(shoe), uint32(shoe >> uint64(32))


@inlined
def shoe_in(shoes: Any, lane: Any) -> Any:
    return uint64(shoes[lane]) | (uint64(shoes[LANES + lane]) << uint64(32))


@compiled
def count_round(work: Any, histogram: Any) -> None:
    for lane in range(LANES):
        cell = int64(work[PAIRS_ROW * LANES + lane]) * TOTALS + int64(work[TOTALS_ROW * LANES + lane])
        histogram[cell] += work[LIVE * LANES + lane]


# Rows of the lanes that have a pair, put together: what is drawn for them, and what comes of it. A word has four
# numbers of eight bits, how many cards of each suit are left of a rank.
IN_LANE, IN_ROUND, IN_SHOE, OF_PLAYER, OF_BANKER, PLAYERS_WORD, BANKERS_WORD, SUITED = 0, 1, 2, 4, 5, 6, 7, 8
PAIRED_ROWS = 9
EACH_BYTE = 0x01010101  # Times a word: sums of its numbers, from the lowest up to each.
SUITED_LANES = 16


@vector_code
def draw_suits(_context, paired, start, seed):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """The suits of both pairs in sixteen lanes; gives the lanes that have to be drawn again."""
    return types.uint32(paired, types.int64, types.uint64), _suits_code


def _suits_code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    paired = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    v, b = Vector(builder, SUITED_LANES, 32), builder
    rounds, lower, upper, player, banker, players, bankers = (
        v.load(paired, arguments[1], row * LANES)
        for row in (IN_ROUND, IN_SHOE, IN_SHOE + 1, OF_PLAYER, OF_BANKER, PLAYERS_WORD, BANKERS_WORD)
    )
    one, none, byte = v.const(1), v.const(0), v.const(0xFF)
    has_player, has_banker = v.is_below(none, player), v.is_below(none, banker)
    is_same = v.is_equal(player, banker)

    def sums(word: Any) -> Any:
        return b.mul(word, v.const(EACH_BYTE))

    def left(word: Any) -> Any:
        return b.lshr(sums(word), v.const(24))

    def take(word: Any, draw: Any) -> tuple[Any, Any]:
        """The suit that a draw means, times eight, and what is left then."""
        shift = none
        for place in (0, 8, 16):
            up_to = b.and_(b.lshr(sums(word), v.const(place)), byte)
            shift = b.select(v.is_below(draw, up_to), shift, b.add(shift, v.const(8)))
        return shift, b.sub(word, b.shl(one, shift))

    below = [b.select(has_player, left(players), one)]
    below.append(b.select(has_player, b.sub(below[0], one), one))
    bankers_left = b.sub(left(bankers), b.select(is_same, v.const(2), none))
    below.append(b.select(has_banker, bankers_left, one))
    below.append(b.select(has_banker, b.sub(bankers_left, one), one))
    words = _words(v, _blocks(builder, (rounds, v.const(SUITS_ATTEMPT), lower, upper), arguments[2]))
    draws, is_suspect = [], None
    for word, bound in zip(words, below, strict=False):
        product = b.mul(word, bound)
        draws.append(b.lshr(product, v.const(WORD_BITS)))
        is_low = v.is_below(b.and_(product, v.const((1 << WORD_BITS) - 1)), bound)
        is_suspect = is_low if is_suspect is None else b.or_(is_suspect, is_low)
    suits = []
    for i, draw in enumerate(draws):
        if i == 2:
            bankers = b.select(is_same, players, bankers)
        suit, word = take(players if i < 2 else bankers, draw)
        players, bankers = (word, bankers) if i < 2 else (players, word)
        suits.append(suit)
    codes = []
    for pair, has_pair, two in ((player, has_player, suits[:2]), (banker, has_banker, suits[2:])):
        code = b.sub(b.add(b.shl(pair, one), v.number(v.is_equal(*two))), one)
        codes.append(b.select(has_pair, code, none))
    v.store(players, paired, arguments[1], PLAYERS_WORD * LANES)
    v.store(bankers, paired, arguments[1], BANKERS_WORD * LANES)
    v.store(b.add(b.mul(codes[0], v.const(SUITED_CODES)), codes[1]), paired, arguments[1], SUITED * LANES)
    return b.zext(v.packed(is_suspect), ir.IntType(32))


@compiled
def count_suits(
    work: Any, shoes: Any, suits: Any, paired: Any, seed: Any, below: Any, draws: Any, histogram: Any
) -> None:
    """Count rounds with the suits of pairs, which are drawn only when there is a pair: cards of a rank are alike until
    somebody looks at their suits, so two suits out of those not yet seen are as good as if all had been dealt. Lanes
    with a pair, one in seven, are put together, so that their suits are drawn side by side too."""
    number = 0
    for lane in range(LANES):
        live, pairs = int64(work[LIVE * LANES + lane]), int64(work[PAIRS_ROW * LANES + lane])
        paired[IN_LANE * LANES + number] = uint32(lane)
        has_pair = live if pairs else 0
        number += has_pair
        histogram[int64(work[TOTALS_ROW * LANES + lane])] += live - has_pair
    for i in range(number):
        lane = int64(paired[i])
        pairs = int64(work[PAIRS_ROW * LANES + lane])
        player, banker = pairs // PAIR_CODES, pairs % PAIR_CODES
        paired[IN_ROUND * LANES + i] = uint32(work[ROUND * LANES + lane]) - uint32(1)
        paired[IN_SHOE * LANES + i], paired[(IN_SHOE + 1) * LANES + i] = shoes[lane], shoes[LANES + lane]
        paired[OF_PLAYER * LANES + i], paired[OF_BANKER * LANES + i] = uint32(player), uint32(banker)
        paired[PLAYERS_WORD * LANES + i] = suits[lane * RANKS + max(player - 1, 0)]
        paired[BANKERS_WORD * LANES + i] = suits[lane * RANKS + max(banker - 1, 0)]
    for start in range(0, number, SUITED_LANES):
        suspects = draw_suits(paired, start, seed)
        for i in range(start, min(start + SUITED_LANES, number)):
            lane = int64(paired[i])
            player, banker = int64(paired[OF_PLAYER * LANES + i]), int64(paired[OF_BANKER * LANES + i])
            if (suspects >> uint32(i - start)) & uint32(1):
                code = draw_pair_suits(work, shoes, suits, lane, player, banker, seed, below, draws)
            else:
                code = int64(paired[SUITED * LANES + i])
                if player:
                    suits[lane * RANKS + player - 1] = paired[PLAYERS_WORD * LANES + i]
                if banker:
                    suits[lane * RANKS + banker - 1] = paired[BANKERS_WORD * LANES + i]
            histogram[code * TOTALS + int64(work[TOTALS_ROW * LANES + lane])] += 1


@compiled
def draw_pair_suits(
    work: Any, shoes: Any, suits: Any, lane: Any, player: Any, banker: Any, seed: Any, below: Any, draws: Any
) -> Any:
    """The same for one lane, with every rejection that is due; gives the code of both pairs."""
    below[:] = 1
    players, bankers = lane * RANKS + player - 1, lane * RANKS + banker - 1
    if player:
        below[0] = int64(uint32(suits[players] * uint32(EACH_BYTE)) >> uint32(24))
        below[1] = below[0] - 1
    if banker:
        left = int64(uint32(suits[bankers] * uint32(EACH_BYTE)) >> uint32(24))
        below[2] = left - (2 if player == banker else 0)
        below[3] = below[2] - 1
    number = int64(work[ROUND * LANES + lane]) - 1
    draw_six(number, SUITS_ATTEMPT, shoe_in(shoes, lane), seed, below, draws)
    if player:
        is_suited = take_suit(suits, players, draws[0]) == take_suit(suits, players, draws[1])
        player = 2 * player - 1 + int64(is_suited)
    if banker:
        is_suited = take_suit(suits, bankers, draws[2]) == take_suit(suits, bankers, draws[3])
        banker = 2 * banker - 1 + int64(is_suited)
    return player * SUITED_CODES + banker


@compiled
def take_suit(suits: Any, place: Any, draw: Any) -> Any:
    """The suit that a draw means; it is taken out."""
    draw = int64(draw)
    for suit in range(SUITS):
        left = int64((suits[place] >> uint32(8 * suit)) & uint32(0xFF))
        if draw < left:
            suits[place] -= uint32(1) << uint32(8 * suit)
            return suit
        draw -= left
    return -1


@compiled
def record_round(work: Any, shoes: Any, first: Any, cards: Any) -> None:
    """Keep all cards of the round of every live lane, in the row of its shoe."""
    for lane in range(LANES):
        if work[LIVE * LANES + lane]:
            number = int64(work[ROUND * LANES + lane]) - 2
            codes = uint32(work[FOUR * LANES + lane]) | (uint32(work[THIRDS * LANES + lane]) << uint32(16))
            cards[int64(shoe_in(shoes, lane) - first), number] = codes


@vector_code
def lowest_bit(_context, bits):  # type: ignore[no-untyped-def]
    """The place of the lowest bit that is set: few are, and to go through all took longer than to open a shoe."""
    return types.uint32(bits), lambda _context, builder, _signature, arguments: builder.cttz(
        arguments[0], ir.Constant(ir.IntType(1), 1)
    )


@inlined
def end_shoes(dealing: Any, ended: Any, following: Any, work: Any, shoes: Any, suits: Any, burns: Any) -> Any:
    """Note the lengths of shoes that have ended, and open the following ones in their lanes; gives the next shoe to
    follow, and how many lanes are left without one."""
    idle = 0
    for group in range(LANES // DEAL_LANES):
        bits = ended[group]
        while bits != 0:
            lane = group * DEAL_LANES + int64(lowest_bit(bits))
            bits &= bits - uint32(1)
            if work[LIVE * LANES + lane]:
                length = int64(work[ROUND * LANES + lane]) - 1
                dealing.lengths[int64(shoe_in(shoes, lane) - dealing.first)] = length
                if following < dealing.shoes:
                    fresh = dealing.first + uint64(following)
                    draw = burns[following]
                    dealing.shown[following] = open_shoe(work, shoes, suits, lane, fresh, dealing.terms, draw)
                    following += 1
                else:
                    work[LIVE * LANES + lane] = uint16(0)
                    idle += 1
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
    suits = np.zeros(LANES * RANKS if mode == COUNT_SUITS else 0, np.uint32)
    paired = np.zeros(PAIRED_ROWS * LANES if mode == COUNT_SUITS else 0, np.uint32)
    draws, below = np.zeros(WORDS, np.uint64), np.ones(WORDS, np.int64)
    ended = np.zeros(LANES // DEAL_LANES, np.uint32)
    after, most = uint16(terms[AFTER]), uint16(terms[MOST_ROUNDS])
    burns = draw_burns(work, shoes, first, number, seed, terms, below, draws)
    live = following = min(LANES, number)
    for lane in range(live):
        shown[lane] = open_shoe(work, shoes, suits, lane, first + uint64(lane), terms, burns[lane])
    while live:
        draw_round(work, shoes, seed, below, draws)
        for group in range(LANES // DEAL_LANES):
            ended[group] = deal_lanes(work, group * DEAL_LANES, masks, after, most)
        if mode == COUNT:
            count_round(work, histogram)
        elif mode == COUNT_SUITS:
            count_suits(work, shoes, suits, paired, seed, below, draws, histogram)
        else:
            record_round(work, shoes, first, cards)
        following, idle = end_shoes(dealing, ended, following, work, shoes, suits, burns)
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


PLAN = 10
TWO_PLAYER, TWO_BANKER, BEGINS_WORD, SHIFT, MASK, END_PLAYER, END_BANKER, ROW_TABLE, BANKER_CODES, CELLS = range(PLAN)
"""Of a reading: where the words by two cards begin, whether the reading before has others, and where in a word its
states are; where its other look-ups begin, the number of Banker's codes, and where its cells begin."""

SPREAD = 4
"""Numbers for each cell of the readings: neighbouring lanes add to different ones. Many rounds come to the same cell,
and to add to a number that was just written has to wait for it."""


@compiled
def count_rows(work: Any, kinds: Any, plan: Any, words: Any, tables: Any, states: Any, spread: Any) -> None:
    """Count the round of every live lane for each reading. Places are numbers without a sign: a negative one would mean
    a place from the end, and that would be asked before each look-up."""
    wide = uint64(kinds + 1)
    for reading in range(len(plan)):
        if plan[reading, BEGINS_WORD]:
            two_player, two_banker = uint64(plan[reading, TWO_PLAYER]), uint64(plan[reading, TWO_BANKER])
            for lane in range(LANES):
                states[lane] = words[two_player + uint64(work[PLAYER_TWO * LANES + lane])]
                states[LANES + lane] = words[two_banker + uint64(work[BANKER_TWO * LANES + lane])]
        shift, mask = uint32(plan[reading, SHIFT]), uint32(plan[reading, MASK])
        end_player, end_banker = uint64(plan[reading, END_PLAYER]), uint64(plan[reading, END_BANKER])
        rows, cells = uint64(plan[reading, ROW_TABLE]), uint64(plan[reading, CELLS])
        codes = uint64(plan[reading, BANKER_CODES])
        if plan[reading, END_PLAYER] == NOWHERE:  # no third card is read
            for lane in range(LANES):
                player = uint64((states[lane] >> shift) & mask)
                banker = uint64((states[LANES + lane] >> shift) & mask)
                cell = cells + uint64(tables[rows + player * codes + banker])
                spread[cell * uint64(SPREAD) + uint64(lane % SPREAD)] += work[LIVE * LANES + lane]
            continue
        for lane in range(LANES):
            player = uint64((states[lane] >> shift) & mask)
            banker = uint64((states[LANES + lane] >> shift) & mask)
            player = uint64(tables[end_player + player * wide + uint64(work[PLAYER_THIRD * LANES + lane])])
            banker = uint64(tables[end_banker + banker * wide + uint64(work[BANKER_THIRD * LANES + lane])])
            cell = cells + uint64(tables[rows + player * codes + banker])
            spread[cell * uint64(SPREAD) + uint64(lane % SPREAD)] += work[LIVE * LANES + lane]


@compiled
def play_cards(
    dealing: Any, has_suits: Any, plan: Any, words: Any, tables: Any, histogram: Any, first_cell: Any
) -> None:
    """Play shoes for bets on single cards, and add to `histogram`; the cells of readings begin at `first_cell`.

    A reading serves several bets at once. It turns the first two cards of a hand into a state, the third into a code,
    two codes into a row of each of its bets, and counts that in a histogram behind that of totals and pairs.
    """
    dealing = borrowed(dealing)
    first, number, seed, terms, masks, _, _ = dealing
    work = np.zeros((CARD_ROWS if has_suits else CARDS_ABOVE) * LANES, np.uint16)
    shoes, suits = np.zeros(2 * LANES, np.uint32), np.zeros(0, np.uint32)
    draws, below = np.zeros(WORDS, np.uint64), np.ones(WORDS, np.int64)
    ended = np.zeros(LANES // DEAL_LANES, np.uint32)
    after, most = uint16(terms[AFTER]), uint16(terms[MOST_ROUNDS])
    kinds = int64(CARDS) if has_suits else int64(RANKS)
    states, spread = np.zeros(2 * LANES, np.uint32), np.zeros(SPREAD * (len(histogram) - first_cell), np.uint32)
    burns = draw_burns(work, shoes, first, number, seed, terms, below, draws)
    live = following = min(LANES, number)
    for lane in range(live):
        open_shoe(work, shoes, suits, lane, first + uint64(lane), terms, burns[lane])
    while live:
        draw_round(work, shoes, seed, below, draws)
        for group in range(LANES // DEAL_LANES):
            if has_suits:
                ended[group] = deal_suits(work, group * DEAL_LANES, masks, after, most)
            else:
                ended[group] = deal_ranks(work, group * DEAL_LANES, masks, after, most)
        count_round(work, histogram)
        count_rows(work, kinds, plan, words, tables, states, spread)
        following, idle = end_shoes(dealing, ended, following, work, shoes, suits, burns)
        live -= idle
    for i in range(len(spread)):
        histogram[first_cell + i // SPREAD] += spread[i]


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
    suits = np.zeros(0, np.uint32)
    draws, below = np.zeros(WORDS, np.uint64), np.ones(WORDS, np.int64)
    ended = np.zeros(LANES // DEAL_LANES, np.uint32)
    after, most = uint16(terms[AFTER]), uint16(terms[MOST_ROUNDS])
    burns = draw_burns(work, shoes, first, number, seed, terms, below, draws)
    live = following = min(LANES, number)
    for lane in range(live):
        shown[lane] = open_shoe(work, shoes, suits, lane, first + uint64(lane), terms, burns[lane])
    while live:
        draw_round(work, shoes, seed, below, draws)
        for group in range(LANES // DEAL_LANES):
            ended[group] = deal_suits(work, group * DEAL_LANES, masks, after, most)
        record_hands(work, shoes, first, cards)
        following, idle = end_shoes(dealing, ended, following, work, shoes, suits, burns)
        live -= idle
