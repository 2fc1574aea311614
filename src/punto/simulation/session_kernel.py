"""Sessions of a strategy over recorded shoes, compiled: a strategy's bets as arrays, a recorded round taken
apart, what a stake gains by its pay table, and the loop that lays, settles, counts and stops, round after
round. Small functions are made part of the loop that uses them, so that every kind of strategy settles by
the same code.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import numpy as np
from numba import int64
from numpy.typing import NDArray

from punto.rules.book import Book
from punto.rules.outcome import Hand, Result
from punto.simulation.machine_code import CODE_RANKS, COURTS, add_number, add_product, compiled, inlined
from punto.simulation.strategy import (
    LONGEST_LINE,
    Insuring,
    Strategy,
    begin_progression,
    follow_progression,
    units_to_stake,
)

NO_ENTRY = -1
STAKE, START, BY_TOTALS, BY_PLAYER_PAIR, BY_BANKER_PAIR, DENOMINATOR, WAGER, MAIN_HAND = range(8)
"""Columns of a bet: its stake, where its pay table begins and what each fact moves on by there, what its nets
are to be divided by, the place of the wager that follows it, and the hand if it is a main bet.
"""
EXACT = 0
"""In place of a denominator: one unit's nets are whole minor units, and nothing is ever rounded."""
WINDOWS = (4, 5)
"""Cards on the table at the two windows of insurance."""
CHOICES = (Insuring.PASS, Insuring.INSURE, Insuring.HOLD)
INSURED_AREAS = tuple((hand, cards) for hand in Hand for cards in WINDOWS)


class SlipTables(NamedTuple):
    """Everything a kernel needs to lay and settle a strategy's bets."""

    bets: NDArray[np.int64]
    """A row for each bet: the strategy's, then the wagers that follow its antes, with nothing staked yet."""
    nets: NDArray[np.int64]
    """All pay tables behind each other: net of one unit, or of a stake as large as the denominator."""
    capped: NDArray[np.int64]
    """In the places of `nets`: the net of a stake at the table's maximum, or of the wager that follows it."""
    giving_up: NDArray[np.uint8]
    """Of each bet, by shown points: whether the ante is given up."""
    offers: NDArray[np.int64]
    """A row for each hand, window and points: odds as two numbers, what a tie does, and the choice."""
    tags: NDArray[np.int64]
    """What each code adds to the running count."""


def slip_tables(book: Book, strategy: Strategy) -> SlipTables:
    """The arrays of a strategy at a table of this book."""
    areas = slip_areas(book, strategy)
    mains = {book.main_area(hand): i for i, hand in enumerate(Hand)}
    rows: list[tuple[int, ...]] = []
    nets: list[int] = []
    capped: list[int] = []
    for area in areas:
        table = book.pay_tables[area]
        values = table.nets
        stake, denominator = strategy.stakes.get(area, 0), lcm(*(value.denominator for value in values))
        unit = stake or _wager_stake(book, strategy, area)
        follows = book.wager_of(area)
        wager = areas.index(follows) if follows is not None else NO_ENTRY
        strides = (table.totals_stride, table.player_stride, table.banker_stride)
        is_exact = unit % denominator == 0
        row = (stake, len(nets), *strides, EXACT if is_exact else denominator, wager, mains.get(area, NO_ENTRY))
        rows.append(row)
        nets += [int(value * (unit if is_exact else denominator)) for value in values]
        most = (strategy.maximum or 0) * (1 if stake else _multiple(book))
        capped += [rounded_net(most, value) for value in values]
    ante = book.ante
    giving_up = np.zeros((len(areas), 10 ** (ante.shown_cards if ante else 0)), np.uint8)
    for area, shown in strategy.giving_up.items():
        if area in areas:
            giving_up[areas.index(area), list(shown)] = 1
    return SlipTables(
        np.array(rows, np.int64),
        np.array(nets, np.int64),
        np.array(capped, np.int64),
        giving_up,
        _offers(book, strategy),
        _tags(strategy),
    )


def rounded_net(stake: int, net: Fraction) -> int:
    """What a stake gains, to the minor unit, halves rounded up as at the table."""
    return (2 * stake * net.numerator + net.denominator) // (2 * net.denominator)


def _multiple(book: Book) -> int:
    return book.ante.multiple if book.ante else 0


def _wager_stake(book: Book, strategy: Strategy, area: str) -> int:
    """What is staked on a wager beside one unit on its ante."""
    rules, ante = book.ante, book.ante_of(area)
    assert rules is not None and ante is not None, "only a wager has no stake of its own"
    return rules.multiple * strategy.stakes[ante]


def slip_areas(book: Book, strategy: Strategy) -> list[str]:
    """The betting areas in the order of the arrays."""
    wagers = [pair.wager for pair in book.ante.pairs if pair.ante in strategy.stakes] if book.ante else []
    return [*strategy.stakes, *wagers]


def _offers(book: Book, strategy: Strategy) -> NDArray[np.int64]:
    offers = np.zeros((len(Hand), len(WINDOWS), 10, 10, 4), np.int64)
    ties = {Result.WIN: 1, Result.PUSH: 0, Result.LOSE: -1}
    for (cards, player, banker), made in book.offers.cells.items():
        for offer in made:
            place = (list(Hand).index(offer.hand), WINDOWS.index(cards), player, banker)
            offers[place][:3] = offer.odds.numerator, offer.odds.denominator, ties[offer.on_tie.result]
    for cell in strategy.insuring:
        hand, window = list(Hand).index(cell.hand), WINDOWS.index(cell.cards)
        offers[hand, window, cell.player_points, cell.banker_points, 3] = CHOICES.index(cell.choice)
    return offers.reshape(-1, 4)


def _tags(strategy: Strategy) -> NDArray[np.int64]:
    if strategy.count is None:
        return np.zeros(len(CODE_RANKS), np.int64)
    tags = strategy.count.tags
    return np.array([tags[min(rank, len(tags)) - 1] for rank in CODE_RANKS], np.int64)


# Settling in kernels: a recorded round taken apart, what a stake gains by its pay table, and its sums.
#
# All of it is made part of whatever loop uses it, so that every kind of strategy settles by the same code.


TO_THE_END, RUINED, AT_GOAL, STOPPED = range(4)
"""How a session ended."""

NET, DRAWDOWN, ROUNDS, END = range(4)
"""Columns of a session's result."""

SUMS = 6
MADE, STAKED, WON, NET_SQUARED, CROSS, STAKE_SQUARED = range(SUMS)
"""Wide numbers summed for each bet: bets made, staked, net, and products for the error of net to stake."""

FACTS = 9
"""Of a round: totals, pairs, points after two cards and at the end, and who drew."""
TOTALS, PLAYER_PAIR, BANKER_PAIR, PLAYER_TWO, BANKER_TWO, PLAYER, BANKER, PLAYER_DREW, BANKER_DREW = range(9)

COVER = 5
MAIN, MAIN_STAKE, MAIN_NET, PROMISED, INSURED = range(COVER)
"""Of a main bet while it is insured: its stake until an offer is passed up, its stake and net, pay-outs
promised, and what insurance won.
"""


@inlined
def points(code: Any) -> Any:
    return max(code - COURTS, 0)


@inlined
def total(one: Any, two: Any) -> Any:
    """Points of both, without tens; a division would cost more than all the rest."""
    both = one + two
    return both - 10 if both >= 10 else both


@inlined
def pair(one: Any, two: Any) -> Any:
    """The pair of the facts, of two suits, that two codes make."""
    if one != two:
        return 0
    return 2 * (one - COURTS if one > COURTS else 10 + one) - 1


@inlined
def read_round(cards: Any, codes: Any, facts: Any) -> Any:
    """Take a recorded round apart; gives its number of cards."""
    cards = int64(cards)
    for i in range(6):
        codes[i] = (cards >> (4 * i)) & 15
    player_drew, banker_drew = (cards >> 24) & 1, (cards >> 25) & 1
    player, banker = total(points(codes[0]), points(codes[2])), total(points(codes[1]), points(codes[3]))
    facts[PLAYER_TWO], facts[BANKER_TWO] = player, banker
    if player_drew:
        player = total(player, points(codes[4]))
    if banker_drew:
        banker = total(banker, points(codes[4 + player_drew]))
    facts[PLAYER], facts[BANKER] = player, banker
    facts[PLAYER_DREW], facts[BANKER_DREW] = player_drew, banker_drew
    facts[TOTALS] = player * 40 + banker * 4 + player_drew * 2 + banker_drew
    facts[PLAYER_PAIR], facts[BANKER_PAIR] = pair(codes[0], codes[2]), pair(codes[1], codes[3])
    return 4 + player_drew + banker_drew


@inlined
def place_of(bet: Any, bets: Any, facts: Any) -> Any:
    """Where the pay table of a bet has these facts."""
    place = bets[bet, START] + facts[TOTALS] * bets[bet, BY_TOTALS]
    place += facts[PLAYER_PAIR] * bets[bet, BY_PLAYER_PAIR] + facts[BANKER_PAIR] * bets[bet, BY_BANKER_PAIR]
    return place


@inlined
def rounded(stake: Any, gain: Any, unit: Any) -> Any:
    """What a stake gains at gain to unit, to the minor unit, halves rounded up as at the table."""
    return (2 * stake * gain + unit) // (2 * unit)


@inlined
def rounded_up(stake: Any, gain: Any, unit: Any) -> Any:
    """What insurance promises at gain to unit: rounded up, as the table counts it against the bet."""
    return (stake * gain + unit - 1) // unit


@inlined
def net_of(factor: Any, stake: Any, is_capped: Any, bet: Any, bets: Any, nets: Any, capped: Any, facts: Any) -> Any:
    """What a stake gains by its pay table; one at the table's maximum has a table of its own."""
    place = place_of(bet, bets, facts)
    if is_capped:
        return capped[place]
    denominator, net = bets[bet, DENOMINATOR], nets[place]
    if denominator == EXACT:
        return factor * net
    return rounded(stake, net, denominator)


@inlined
def is_window_open(window: Any, facts: Any) -> Any:
    """Whether a card is still to come at a window: a third card, or Banker's after Player's."""
    return facts[PLAYER_DREW] + facts[BANKER_DREW] > window


@inlined
def offer_place(hand: Any, window: Any, facts: Any) -> Any:
    """Where the offers have this hand at this window, by the points that are then on the table."""
    player = facts[PLAYER_TWO] if window == 0 else facts[PLAYER]
    return ((hand * 2 + window) * 10 + player) * 10 + facts[BANKER_TWO]


@inlined
def insured_net(hand: Any, stake: Any, gain: Any, unit: Any, on_tie: Any, facts: Any) -> Any:
    """What insurance on a hand gains: it wins when the hand loses."""
    margin = facts[PLAYER] - facts[BANKER] if hand == 0 else facts[BANKER] - facts[PLAYER]
    result = 1 if margin < 0 else (-1 if margin > 0 else on_tie)
    return rounded(stake, gain, unit) if result > 0 else (-stake if result < 0 else 0)


@inlined
def note(entry: Any, stake: Any, net: Any, sums: Any) -> None:
    """Add a bet to the sums of its entry."""
    place = entry * SUMS
    sums[entry, MADE, 0] += 1  # of a batch, these never need more
    add_number(sums, place + STAKED, stake)
    add_number(sums, place + WON, net)
    add_product(sums, place + NET_SQUARED, net, net)
    add_product(sums, place + CROSS, net, stake)
    add_product(sums, place + STAKE_SQUARED, stake, stake)


# Sessions of a strategy over recorded shoes, compiled: lay, settle, count, stop, round after round.
#
# Tables come one by one and not as a tuple, and small functions are made part of the loop: each array that
# is handed to a function is counted as held and let go again, which costs more than settling a bet.


KIND, MULTIPLE, SHOWN, MAXIMUM, BANKROLL, GOAL, STOP_LOSS, SHOES, CARDS, COUNTS, INSURES = range(11)
"""Places in the numbers of a strategy that the kernel is given; -1 stands for "none"."""

NO_LIMIT = 1 << 60
"""More than any session can have or stake."""


@compiled
def capped_at_risk(factor: Any, maximum: Any, bets: Any, numbers: Any) -> Any:
    """What this many units stake on all bets when some are cut to the maximum."""
    staked = 0
    for bet in range(len(bets)):
        stake = min(bets[bet, STAKE] * factor, maximum)
        staked += stake * (1 + (numbers[MULTIPLE] if bets[bet, WAGER] >= 0 else 0))
    return staked


@inlined
def at_risk_of(factor: Any, unit: Any, most_units: Any, maximum: Any, bets: Any, numbers: Any) -> Any:
    """What this many units stake on all bets and on wagers that may follow, none above the maximum."""
    if factor <= most_units:
        return factor * unit
    return capped_at_risk(factor, maximum, bets, numbers)


@compiled
def units_for(money: Any, factor: Any, unit: Any, most_units: Any, maximum: Any, bets: Any, numbers: Any) -> Any:
    """The most units, up to `factor`, that the money covers."""
    low, high = 0, factor
    while low < high:
        middle = (low + high + 1) // 2
        if at_risk_of(middle, unit, most_units, maximum, bets, numbers) <= money:
            low = middle
        else:
            high = middle - 1
    return low


@inlined
def insure(spare: Any, offers: Any, facts: Any, cover: Any, entry: Any, sums: Any) -> Any:
    """Lay and settle insurance on the main bets, window by window; gives its net on both hands together."""
    whole = 0
    for window in range(2):
        for hand in range(2):
            main = cover[hand, MAIN]
            if main == 0:
                continue
            place = offer_place(hand, window, facts)
            gain, unit, choice = offers[place, 0], offers[place, 1], offers[place, 3]
            if not is_window_open(window, facts) or gain == 0:
                continue
            left = main - cover[hand, PROMISED]
            stake = min(left * unit // gain, spare) if choice == 1 else (min(1, spare) if choice == 2 else 0)
            if stake <= 0:
                cover[hand, MAIN] = 0  # passing an offer up ends insurance for the round
                continue
            spare -= stake
            won = insured_net(hand, stake, gain, unit, offers[place, 2], facts)
            note(entry + 2 * hand + window, stake, won, sums)
            cover[hand, PROMISED] += rounded_up(stake, gain, unit)
            cover[hand, INSURED] += won
            whole += won
    return whole


@inlined
def is_given_up(bet: Any, giving_up: Any, codes: Any, shown_cards: Any) -> Any:
    """Whether the cards shown are among those at which an ante is given up."""
    shown, place = 0, 1
    for i in range(shown_cards):
        shown += points(codes[i]) * place
        place *= 10
    return giving_up[bet, shown] != 0


@inlined
def settle_round(
    factor: Any,
    left: Any,
    maximum: Any,
    numbers: Any,
    bets: Any,
    nets: Any,
    capped: Any,
    giving_up: Any,
    offers: Any,
    codes: Any,
    facts: Any,
    cover: Any,
    sums: Any,
) -> Any:
    """Place every bet with this many units and settle it; returns the net of the first bet, and of all."""
    leading, whole = 0, 0
    for bet in range(len(bets)):
        stake, wager = bets[bet, STAKE] * factor, bets[bet, WAGER]
        if stake == 0:
            continue
        is_capped = stake > maximum
        stake = min(stake, maximum)
        if wager >= 0 and is_given_up(bet, giving_up, codes, numbers[SHOWN]):
            net = -stake
        else:
            net = net_of(factor, stake, is_capped, bet, bets, nets, capped, facts)
            if wager >= 0:
                follows = stake * numbers[MULTIPLE]
                won = net_of(factor, follows, is_capped, wager, bets, nets, capped, facts)
                note(wager, follows, won, sums)
                net += won
        note(bet, stake, net, sums)
        if bet == 0:
            leading = net
        whole += net
        hand = bets[bet, MAIN_HAND]
        if numbers[INSURES] and hand >= 0:
            cover[hand, MAIN], cover[hand, MAIN_STAKE], cover[hand, MAIN_NET] = stake, stake, net
            cover[hand, PROMISED], cover[hand, INSURED] = 0, 0
    if numbers[INSURES]:
        whole += insure(left, offers, facts, cover, len(bets), sums)
        for hand in range(2):
            if cover[hand, MAIN_STAKE]:
                together = cover[hand, MAIN_NET] + cover[hand, INSURED]
                note(len(bets) + 4 + hand, cover[hand, MAIN_STAKE], together, sums)
    return leading, whole


@compiled
def play_sessions(
    cards: Any,
    lengths: Any,
    shown: Any,
    numbers: Any,
    trigger: Any,
    line_start: Any,
    bets: Any,
    nets: Any,
    capped: Any,
    giving_up: Any,
    offers: Any,
    tags: Any,
    sums: Any,
    results: Any,
    paths: Any,
) -> None:
    """Play a strategy through recorded shoes, a fixed number of them per session."""
    codes, facts, state = np.zeros(6, np.int64), np.zeros(FACTS, np.int64), np.zeros(3, np.int64)
    line, cover = np.zeros(LONGEST_LINE, np.int64), np.zeros((2, COVER), np.int64)
    kind, per_session, bankroll = numbers[KIND], numbers[SHOES], numbers[BANKROLL]
    maximum = numbers[MAXIMUM] if numbers[MAXIMUM] >= 0 else NO_LIMIT
    unit, largest = 0, 1
    for bet in range(len(bets)):
        unit += bets[bet, STAKE] * (1 + (numbers[MULTIPLE] if bets[bet, WAGER] >= 0 else 0))
        largest = max(largest, bets[bet, STAKE])
    most_units = maximum // largest
    # A line grows by units lost: where the maximum is not a whole number of units, by that number rounded up.
    most_lost = -(-maximum // bets[0, STAKE])
    for session in range(len(results)):
        begin_progression(kind, state, line, line_start)
        net, peak, drawdown, rounds, end = 0, 0, 0, 0, TO_THE_END
        for shoe in range(session * per_session, min((session + 1) * per_session, len(lengths))):
            unseen = numbers[CARDS]
            running = 0
            if shown[shoe] >= 0:
                unseen -= 1
                running += tags[shown[shoe]]
            for number in range(lengths[shoe]):
                factor, left = units_to_stake(kind, state, line), NO_LIMIT
                if bankroll >= 0:
                    staked = at_risk_of(factor, unit, most_units, maximum, bets, numbers)
                    if staked > bankroll + net:
                        factor = units_for(bankroll + net, factor, unit, most_units, maximum, bets, numbers)
                        staked = at_risk_of(factor, unit, most_units, maximum, bets, numbers)
                    if factor == 0:
                        end = RUINED
                        break
                    left = bankroll + net - staked
                dealt = read_round(cards[shoe, number], codes, facts)
                if not numbers[COUNTS] or running * 52.0 >= trigger * unseen:
                    leading, won = settle_round(
                        factor, left, maximum, numbers, bets, nets, capped, giving_up, offers, codes, facts, cover, sums
                    )
                    net += won
                    follow_progression(kind, state, line, line_start, min(factor, most_lost), leading)
                for i in range(dealt):
                    running += tags[codes[i]]
                unseen -= dealt
                peak = max(peak, net)
                drawdown = max(drawdown, peak - net)
                if session < len(paths) and rounds < paths.shape[1]:
                    paths[session, rounds] = net
                rounds += 1
                if numbers[GOAL] >= 0 and net >= numbers[GOAL]:
                    end = AT_GOAL
                    break
                if bankroll >= 0 and bankroll + net < unit:
                    end = RUINED
                    break
                if numbers[STOP_LOSS] >= 0 and -net >= numbers[STOP_LOSS]:
                    end = STOPPED
                    break
            if end != TO_THE_END:
                break
        results[session, NET], results[session, DRAWDOWN] = net, drawdown
        results[session, ROUNDS], results[session, END] = rounds, end
