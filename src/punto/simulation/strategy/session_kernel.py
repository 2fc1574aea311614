"""Sessions of a strategy over recorded shoes, compiled: lay, settle, count, stop, round after round.

Tables come one by one and not as a tuple, and small functions are made part of the loop: each array that is
handed to a function is counted as held and let go again, which costs more than settling a bet.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from punto.simulation.kernels.compiling import compiled, inlined
from punto.simulation.strategy.progression import LONGEST_LINE, begin, follow, units
from punto.simulation.strategy.settling import (
    AT_GOAL,
    COVER,
    DRAWDOWN,
    END,
    FACTS,
    INSURED,
    MAIN,
    MAIN_NET,
    MAIN_STAKE,
    NET,
    PROMISED,
    ROUNDS,
    RUINED,
    STOPPED,
    TO_THE_END,
    insured_net,
    is_window_open,
    net_of,
    note,
    offer_place,
    points,
    read_round,
    rounded_up,
)
from punto.simulation.strategy.slip_tables import MAIN_HAND, STAKE, WAGER

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
def units_for(
    money: Any, factor: Any, unit: Any, most_units: Any, maximum: Any, bets: Any, numbers: Any
) -> Any:
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
        begin(kind, state, line, line_start)
        net, peak, drawdown, rounds, end = 0, 0, 0, 0, TO_THE_END
        for shoe in range(session * per_session, min((session + 1) * per_session, len(lengths))):
            unseen = numbers[CARDS]
            running = 0
            if shown[shoe] >= 0:
                unseen -= 1
                running += tags[shown[shoe]]
            for number in range(lengths[shoe]):
                factor, left = units(kind, state, line), NO_LIMIT
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
                        factor,
                        left,
                        maximum,
                        numbers,
                        bets,
                        nets,
                        capped,
                        giving_up,
                        offers,
                        codes,
                        facts,
                        cover,
                        sums,
                    )
                    net += won
                    follow(kind, state, line, line_start, min(factor, most_lost), leading)
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
