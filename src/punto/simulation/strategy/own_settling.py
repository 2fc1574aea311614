"""Laying and settling the stakes of a user's compiled strategy, with its decisions on antes and insurance.

Each function here makes one: the decisions of a strategy are compiled into it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit

from punto.simulation.kernels.workspace import CODE_RANKS
from punto.simulation.strategy import settling as s
from punto.simulation.strategy.settling import (
    insured_net,
    is_window_open,
    net_of,
    note,
    offer_place,
    points,
    rounded_up,
)
from punto.simulation.strategy.slip_tables import MAIN_HAND, WAGER
from punto.simulation.strategy.strategy import MOST_STAKE

MULTIPLE, SHOWN, MINIMUM, MAXIMUM, BANKROLL, GOAL, STOP_LOSS, SHOES, COPIES = range(9)
"""Places in the numbers that the kernel is given; -1 stands for "none"."""
FINE, WRONG_STAKE, ALONE, WRONG_INSURANCE = range(4)
"""What is wrong with what a strategy did; beside it the betting area and the stake."""
OFFER, ANTE = 9, 9
"""Numbers of an offer and of an ante."""
SHOWN_FROM = 2
"""Where the points of the shown cards begin in an ante."""
CHOICE, GIVEN_UP = OFFER - 1, ANTE - 1
"""Where the policy of the command line stands in them, for a function that does not decide."""
RANKS = np.array([rank - 1 for rank in CODE_RANKS], np.int64)

user_code: Callable[..., Any] = njit(nogil=True, error_model="numpy")
"""Compiled, but not kept on disk: it is made of a user's functions."""


@user_code
def by_policy(offer: Any, unseen: Any, memory: Any) -> Any:  # noqa: ARG001
    """Insurance by the command line's policy."""
    most = offer[7]
    return most if offer[CHOICE] == 1 else (min(1, most) if offer[CHOICE] == 2 else 0)


@user_code
def by_table(ante: Any, unseen: Any, memory: Any) -> Any:  # noqa: ARG001
    """Antes by the command line's policy."""
    return ante[GIVEN_UP] == 0


@user_code
def at_risk_of(stakes: Any, table: Any, multiple: Any) -> Any:
    """What the stakes come to with the wagers that may follow."""
    staked = 0
    for bet in range(len(stakes)):
        staked += stakes[bet] * (1 + (multiple if table[bet, WAGER] >= 0 else 0))
    return staked


@user_code
def hold_to_limits(stakes: Any, numbers: Any, needs: Any, fault: Any) -> Any:
    """Cut stakes to the table's limits; gives whether they may be laid."""
    for bet in range(len(stakes)):
        if stakes[bet] < 0 or stakes[bet] > MOST_STAKE:
            fault[0], fault[1], fault[2] = WRONG_STAKE, bet, stakes[bet]
            return False
        stakes[bet] = 0 if stakes[bet] < numbers[MINIMUM] else min(stakes[bet], numbers[MAXIMUM])
    for bet in range(len(stakes)):
        is_bound, is_held = False, False
        for other in range(len(stakes)):
            is_bound |= needs[bet, other] != 0
            is_held |= needs[bet, other] != 0 and stakes[other] > 0
        if stakes[bet] > 0 and is_bound and not is_held:
            fault[0], fault[1] = ALONE, bet
            return False
    return True


@user_code
def see(codes: Any, first: Any, end: Any, unseen: Any) -> None:
    """Cards are no longer unseen."""
    for i in range(first, end):
        unseen[RANKS[codes[i]]] -= 1


def bets_settled(follow: Any) -> Any:
    """The function that settles all bets but insurance; gives their net and how many cards were seen."""

    def settle_bets(
        stakes: Any,
        numbers: Any,
        table: Any,
        nets: Any,
        giving_up: Any,
        codes: Any,
        facts: Any,
        unseen: Any,
        memory: Any,
        ante: Any,
        cover: Any,
        sums: Any,
    ) -> Any:
        whole, seen = 0, 0
        cover[:] = 0
        for bet in range(len(stakes)):
            stake, wager = stakes[bet], table[bet, WAGER]
            if stake == 0:
                continue
            is_followed = False
            if wager >= 0:
                see(codes, seen, numbers[SHOWN], unseen)
                seen = numbers[SHOWN]
                place, scale = 0, 1
                ante[0], ante[1] = bet, stake
                for i in range(seen):
                    ante[SHOWN_FROM + i] = points(codes[i])
                    place += points(codes[i]) * scale
                    scale *= 10
                ante[GIVEN_UP] = giving_up[bet, place]
                is_followed = bool(follow(ante, unseen, memory))
            net = -stake
            if wager < 0 or is_followed:
                net = net_of(stake, stake, False, bet, table, nets, nets, facts)
            if is_followed:
                follows = stake * numbers[MULTIPLE]
                won = net_of(stake, follows, False, wager, table, nets, nets, facts)
                note(wager, follows, won, sums)
                net += won
            note(bet, stake, net, sums)
            whole += net
            hand = table[bet, MAIN_HAND]
            if hand >= 0:
                cover[hand, s.MAIN], cover[hand, s.MAIN_STAKE], cover[hand, s.MAIN_NET] = stake, stake, net
        return whole, seen

    return user_code(settle_bets)


def insurance_settled(insure: Any) -> Any:
    """The function that lays and settles insurance; gives its net and how many cards were seen."""

    def settle_insurance(
        spare: Any,
        seen: Any,
        entry: Any,
        offers: Any,
        codes: Any,
        facts: Any,
        unseen: Any,
        memory: Any,
        offer: Any,
        cover: Any,
        sums: Any,
        fault: Any,
    ) -> Any:
        whole = 0
        for window in range(2):
            for hand in range(2):
                main, where = cover[hand, s.MAIN], offer_place(hand, window, facts)
                gain, unit = offers[where, 0], offers[where, 1]
                if main == 0 or gain == 0 or not is_window_open(window, facts):
                    continue
                see(codes, seen, 4 + window, unseen)
                seen = 4 + window
                most = min((main - cover[hand, s.PROMISED]) * unit // gain, spare)
                offer[0], offer[1] = hand, seen
                offer[2] = facts[s.PLAYER_TWO] if window == 0 else facts[s.PLAYER]
                offer[3], offer[4], offer[5] = facts[s.BANKER_TWO], gain, unit
                offer[6], offer[7], offer[CHOICE] = main, most, offers[where, 3]
                stake = int(insure(offer, unseen, memory))
                if stake < 0:
                    fault[0], fault[1], fault[2] = WRONG_INSURANCE, hand, stake
                    return whole, seen
                stake = min(stake, most)
                if stake <= 0:
                    cover[hand, s.MAIN] = 0  # passing an offer up ends insurance for the round
                    continue
                spare -= stake
                won = insured_net(hand, stake, gain, unit, offers[where, 2], facts)
                note(entry + 2 * hand + window, stake, won, sums)
                cover[hand, s.PROMISED] += rounded_up(stake, gain, unit)
                cover[hand, s.INSURED] += won
                whole += won
        for hand in range(2):
            if cover[hand, s.MAIN_STAKE]:
                together = cover[hand, s.MAIN_NET] + cover[hand, s.INSURED]
                note(entry + 4 + hand, cover[hand, s.MAIN_STAKE], together, sums)
        return whole, seen

    return user_code(settle_insurance)
