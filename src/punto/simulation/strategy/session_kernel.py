"""Sessions of a strategy over recorded shoes, compiled: lay, settle, count, stop, round after round.

Tables come one by one and not as a tuple, and small functions are made part of the loop: each array that is
handed to a function is counted as held and let go again, which costs more than settling a bet.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64

from punto.simulation.kernels.compiling import compiled, inlined
from punto.simulation.kernels.workspace import COURTS
from punto.simulation.strategy.progression import LONGEST_LINE, MOST_UNITS, begin, follow, units
from punto.simulation.strategy.slip_tables import (
    BY_BANKER_PAIR,
    BY_PLAYER_PAIR,
    BY_TOTALS,
    DENOMINATOR,
    EXACT,
    MAIN_HAND,
    STAKE,
    START,
    WAGER,
)

KIND, MULTIPLE, SHOWN, MAXIMUM, BANKROLL, GOAL, STOP_LOSS, SHOES, CARDS, COUNTS, INSURES = range(11)
"""Places in the numbers of a strategy that the kernel is given; -1 stands for "none"."""

TO_THE_END, RUINED, AT_GOAL, STOPPED, BROKEN_OFF = range(5)
"""How a session ended; the last means that the run ended in the midst of it."""

NET, DRAWDOWN, ROUNDS, END = range(4)
"""Columns of a session's result."""

MADE, STAKED, WON = range(3)
"""Columns of whole numbers summed for each bet: bets made, staked, net."""
NET_SQUARED, CROSS, STAKE_SQUARED = range(3)
"""Columns of products summed for each bet, for the error of net to stake."""

FACTS = 9
"""Of a round: totals, pairs, points after two cards and at the end, and who drew."""
TOTALS, PLAYER_PAIR, BANKER_PAIR, PLAYER_TWO, BANKER_TWO, PLAYER, BANKER, PLAYER_DREW, BANKER_DREW = range(9)


@inlined
def points(code: Any) -> Any:
    return max(code - COURTS, 0)


@inlined
def total(one: Any, two: Any) -> Any:
    """Points of both, tens dropped; a division would cost more than all the rest."""
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
def net_of(factor: Any, stake: Any, bet: Any, bets: Any, nets: Any, facts: Any) -> Any:
    """What a stake gains by its pay table, to the minor unit, halves rounded up as at the table."""
    place = bets[bet, START] + facts[TOTALS] * bets[bet, BY_TOTALS]
    place += facts[PLAYER_PAIR] * bets[bet, BY_PLAYER_PAIR] + facts[BANKER_PAIR] * bets[bet, BY_BANKER_PAIR]
    denominator, net = bets[bet, DENOMINATOR], nets[place]
    if denominator == EXACT:
        return factor * net
    return (2 * stake * net + denominator) // (2 * denominator)


@inlined
def note(entry: Any, stake: Any, net: Any, sums: Any, products: Any) -> None:
    """Add a bet to the sums of its entry."""
    sums[entry, MADE] += 1
    sums[entry, STAKED] += stake
    sums[entry, WON] += net
    products[entry, NET_SQUARED] += float(net) * net
    products[entry, CROSS] += float(net) * stake
    products[entry, STAKE_SQUARED] += float(stake) * stake


@inlined
def insure(
    hand: Any, main: Any, spare: Any, offers: Any, facts: Any, entry: Any, sums: Any, products: Any
) -> Any:
    """Lay and settle insurance on a main bet; gives its net."""
    promised, net = 0, 0
    margin = facts[PLAYER] - facts[BANKER] if hand == 0 else facts[BANKER] - facts[PLAYER]
    for window in range(2):
        if window == 0:
            is_open = facts[PLAYER_DREW] + facts[BANKER_DREW] > 0
            player = facts[PLAYER_TWO]
        else:
            is_open = facts[PLAYER_DREW] + facts[BANKER_DREW] > 1
            player = facts[PLAYER]
        place = ((hand * 2 + window) * 10 + player) * 10 + facts[BANKER_TWO]
        gain, unit, choice = offers[place, 0], offers[place, 1], offers[place, 3]
        if not is_open or gain == 0:
            continue
        if choice == 0:
            break  # passing an offer up ends insurance for the round
        stake = min((main - promised) * unit // gain, spare) if choice == 1 else min(1, spare)
        if stake <= 0:
            break
        promised += stake * gain // unit
        spare -= stake
        result = 1 if margin < 0 else (-1 if margin > 0 else offers[place, 2])
        won = (2 * stake * gain + unit) // (2 * unit) if result > 0 else (-stake if result < 0 else 0)
        note(entry + 2 * hand + window, stake, won, sums, products)
        net += won
    return net


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
    numbers: Any,
    bets: Any,
    nets: Any,
    giving_up: Any,
    offers: Any,
    codes: Any,
    facts: Any,
    sums: Any,
    products: Any,
) -> Any:
    """Lay every bet at so many units and settle it; gives the net of the first bet, and of all."""
    leading, whole = 0, 0
    for bet in range(len(bets)):
        stake, wager = bets[bet, STAKE] * factor, bets[bet, WAGER]
        if stake == 0:
            continue
        if wager >= 0 and is_given_up(bet, giving_up, codes, numbers[SHOWN]):
            net = -stake
        else:
            net = net_of(factor, stake, bet, bets, nets, facts)
            if wager >= 0:
                follows = stake * numbers[MULTIPLE]
                won = net_of(factor, follows, wager, bets, nets, facts)
                note(wager, follows, won, sums, products)
                net += won
        note(bet, stake, net, sums, products)
        if bet == 0:
            leading = net
        whole += net
        hand = bets[bet, MAIN_HAND]
        if numbers[INSURES] and hand >= 0:
            insured = insure(hand, stake, left, offers, facts, len(bets), sums, products)
            note(len(bets) + 4 + hand, stake, net + insured, sums, products)
            whole += insured
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
    giving_up: Any,
    offers: Any,
    tags: Any,
    sums: Any,
    products: Any,
    results: Any,
    paths: Any,
) -> None:
    """Play a strategy through recorded shoes, so many to a session."""
    codes, facts, state = np.zeros(6, np.int64), np.zeros(FACTS, np.int64), np.zeros(3, np.int64)
    line = np.zeros(LONGEST_LINE, np.int64)
    kind, per_session, bankroll = numbers[KIND], numbers[SHOES], numbers[BANKROLL]
    at_risk, largest = 0, 1
    for bet in range(len(bets)):
        at_risk += bets[bet, STAKE] * (1 + (numbers[MULTIPLE] if bets[bet, WAGER] >= 0 else 0))
        largest = max(largest, bets[bet, STAKE])
    most = numbers[MAXIMUM] // largest if numbers[MAXIMUM] >= 0 else MOST_UNITS
    for session in range(len(results)):
        begin(kind, state, line, line_start)
        net, peak, drawdown, rounds, end = 0, 0, 0, 0, TO_THE_END
        for shoe in range(session * per_session, min((session + 1) * per_session, len(lengths))):
            unseen = numbers[CARDS]
            running = 0
            if shown[shoe] >= 0:
                unseen -= 1
                running += tags[shown[shoe]]
            for number in range(lengths[shoe]):
                factor = min(units(kind, state, line), most)
                if bankroll >= 0 and factor * at_risk > bankroll + net:
                    factor = (bankroll + net) // at_risk
                if factor == 0:
                    end = RUINED
                    break
                dealt = read_round(cards[shoe, number], codes, facts)
                if not numbers[COUNTS] or running * 52.0 >= trigger * unseen:
                    left = bankroll + net - factor * at_risk if bankroll >= 0 else int64(1) << 60
                    leading, won = settle_round(
                        factor, left, numbers, bets, nets, giving_up, offers, codes, facts, sums, products
                    )
                    net += won
                    follow(kind, state, line, line_start, factor, leading)
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
                if numbers[STOP_LOSS] >= 0 and -net >= numbers[STOP_LOSS]:
                    end = STOPPED
                    break
            if end != TO_THE_END:
                break
        results[session, NET], results[session, DRAWDOWN] = net, drawdown
        results[session, ROUNDS], results[session, END] = rounds, end
