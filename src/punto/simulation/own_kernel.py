"""A user's own strategy in its compiled form: the function is made part of the loop that plays sessions, and
stakes are laid and settled there.

    bets(round, net, bankroll, last, results, unseen, memory, stakes)

`round` is that of the shoe, from 1; `net` that of the session; `bankroll` what is left of it, -1 for none.
`last` has the round before in this shoe: points and cards of Player, then of Banker, and the rank of each
pair, all 0 in the first. `results` has the winners of the shoe so far: 0 Player, 1 Banker, 2 tie. `unseen`
has the unseen cards of each rank, ace first. `memory` is 64 numbers of the strategy's own, 0 when a
session begins. `stakes` is to be filled, in minor units, one place for each betting area in the order of
the book.

    insure(offer, unseen, memory)    gives a stake, 0 to pass
    follow(ante, unseen, memory)     gives whether to follow the ante with its wager

`offer` has the hand (0 Player, 1 Banker), the cards on the table, the points of Player and Banker, the
odds as two numbers, the main bet and the most that can be staked; `ante` has its place among the stakes,
its stake, and the points of the cards shown. `unseen` is then without the cards on the table.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit
from numba.core.errors import NumbaError

from punto.rules.outcome import Hand
from punto.simulation.deals import Recorded
from punto.simulation.machine_code import CODE_RANKS
from punto.simulation.own_strategy import OwnSource, StrategyFault
from punto.simulation.session_kernel import (
    AT_GOAL,
    BANKER,
    BANKER_DREW,
    BANKER_PAIR,
    BANKER_TWO,
    COVER,
    DRAWDOWN,
    END,
    FACTS,
    INSURED,
    MAIN,
    MAIN_HAND,
    MAIN_NET,
    MAIN_STAKE,
    NET,
    NO_LIMIT,
    PLAYER,
    PLAYER_DREW,
    PLAYER_PAIR,
    PLAYER_TWO,
    PROMISED,
    ROUNDS,
    RUINED,
    STOPPED,
    TO_THE_END,
    WAGER,
    insured_net,
    is_window_open,
    net_of,
    note,
    offer_place,
    points,
    read_round,
    rounded_up,
)
from punto.simulation.strategy import MOST_STAKE

if TYPE_CHECKING:
    from punto.simulation.own_strategy import OwnSessions


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
                cover[hand, MAIN], cover[hand, MAIN_STAKE], cover[hand, MAIN_NET] = stake, stake, net
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
                main, where = cover[hand, MAIN], offer_place(hand, window, facts)
                gain, unit = offers[where, 0], offers[where, 1]
                if main == 0 or gain == 0 or not is_window_open(window, facts):
                    continue
                see(codes, seen, 4 + window, unseen)
                seen = 4 + window
                most = min((main - cover[hand, PROMISED]) * unit // gain, spare)
                offer[0], offer[1] = hand, seen
                offer[2] = facts[PLAYER_TWO] if window == 0 else facts[PLAYER]
                offer[3], offer[4], offer[5] = facts[BANKER_TWO], gain, unit
                offer[6], offer[7], offer[CHOICE] = main, most, offers[where, 3]
                stake = int(insure(offer, unseen, memory))
                if stake < 0:
                    fault[0], fault[1], fault[2] = WRONG_INSURANCE, hand, stake
                    return whole, seen
                stake = min(stake, most)
                if stake <= 0:
                    cover[hand, MAIN] = 0  # passing an offer up ends insurance for the round
                    continue
                spare -= stake
                won = insured_net(hand, stake, gain, unit, offers[where, 2], facts)
                note(entry + 2 * hand + window, stake, won, sums)
                cover[hand, PROMISED] += rounded_up(stake, gain, unit)
                cover[hand, INSURED] += won
                whole += won
        for hand in range(2):
            if cover[hand, MAIN_STAKE]:
                together = cover[hand, MAIN_NET] + cover[hand, INSURED]
                note(entry + 4 + hand, cover[hand, MAIN_STAKE], together, sums)
        return whole, seen

    return user_code(settle_insurance)


# A user's own strategy in its compiled form: the function is made part of the loop that plays sessions.
#
#     bets(round, net, bankroll, last, results, unseen, memory, stakes)
#
# `round` is that of the shoe, from 1; `net` that of the session; `bankroll` what is left of it, -1 for none.
# `last` has the round before in this shoe: points and cards of Player, then of Banker, and the rank of each
# pair, all 0 in the first. `results` has the winners of the shoe so far: 0 Player, 1 Banker, 2 tie. `unseen`
# has the unseen cards of each rank, ace first. `memory` is 64 numbers of the strategy's own, 0 when a
# session begins. `stakes` is to be filled, in minor units, one place for each betting area in the order of
# the book.
#
#     insure(offer, unseen, memory)    gives a stake, 0 to pass
#     follow(ante, unseen, memory)     gives whether to follow the ante with its wager
#
# `offer` has the hand (0 Player, 1 Banker), the cards on the table, the points of Player and Banker, the
# odds as two numbers, the main bet and the most that can be staked; `ante` has its place among the stakes,
# its stake, and the points of the cards shown. `unseen` is then without the cards on the table.


MEMORY = 64
"""Numbers that a strategy may remember."""


def run_compiled(sessions: OwnSessions, recorded: Recorded, sums: Any, results: Any, paths: Any) -> None:
    """Play a compiled strategy; `StrategyFault` says what it did that cannot be."""
    strategy, book, ante = sessions.strategy, sessions.book, sessions.book.ante
    limits = (strategy.bankroll, strategy.goal, strategy.stop_loss)
    numbers = [
        ante.multiple if ante else 0,
        ante.shown_cards if ante else 0,
        strategy.minimum,
        sessions.maximum,
        *(-1 if limit is None else limit for limit in limits),
        strategy.shoes,
        4 * sessions.deals.terms.decks,
    ]
    areas = list(strategy.stakes)
    needs = np.zeros((len(areas), len(areas)), np.uint8)
    for i, area in enumerate(areas):
        bet = book.bet(area)
        needs[i] = [bool(bet and other in bet.needs) for other in areas]
    fault = np.zeros(3, np.int64)
    slip = sessions.slip
    try:
        _kernel(sessions.source)(
            recorded.cards,
            recorded.lengths,
            recorded.shown,
            np.array(numbers, np.int64),
            needs,
            slip.bets,
            slip.nets,
            slip.giving_up,
            slip.offers,
            sums,
            results,
            paths,
            fault,
        )
    except NumbaError as error:
        said = next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)
        raise StrategyFault(f"the strategy cannot be compiled: {said}") from error
    except Exception as error:
        raise StrategyFault(f"the strategy failed: {type(error).__name__}: {error}") from error
    _complain(sessions, fault.tolist(), areas)


def _complain(sessions: OwnSessions, fault: list[int], areas: list[str]) -> None:
    what, area, stake = fault
    if what == WRONG_STAKE:
        raise StrategyFault(
            f"the strategy stakes {stake} on {areas[area]}; a stake is a whole number up to {MOST_STAKE}"
        )
    if what == ALONE:
        bet = sessions.book.bet(areas[area])
        assert bet is not None
        raise StrategyFault(f"the strategy may bet on {areas[area]} only beside {' or '.join(bet.needs)}")
    if what == WRONG_INSURANCE:
        hand = list(Hand)[area].value
        raise StrategyFault(f"the strategy insures the {hand} hand with {stake}; a stake is a whole number")


@lru_cache(maxsize=8)
def _kernel(source: OwnSource) -> Callable[..., None]:
    """The loop with the functions of one strategy in it; compiled when it is first called."""
    found = source.found
    bets = user_code(found.bets if source.is_class else found)
    settle_bets = bets_settled(user_code(found.follow) if source.decides("follow") else by_table)
    settle_insurance = insurance_settled(user_code(found.insure) if source.decides("insure") else by_policy)

    def play(
        cards: Any,
        lengths: Any,
        shown: Any,
        numbers: Any,
        needs: Any,
        table: Any,
        nets: Any,
        giving_up: Any,
        offers: Any,
        sums: Any,
        results: Any,
        paths: Any,
        fault: Any,
    ) -> None:
        codes, facts = np.zeros(6, np.int64), np.zeros(FACTS, np.int64)
        cover, offer, ante = (np.zeros((2, COVER), np.int64), np.zeros(OFFER, np.int64), np.zeros(ANTE, np.int64))
        stakes, unseen, memory = np.zeros(len(needs), np.int64), np.zeros(13, np.int64), np.zeros(MEMORY)
        last, winners = np.zeros(6, np.int64), np.zeros(cards.shape[1] + 1, np.int8)
        per_session, bankroll = numbers[SHOES], numbers[BANKROLL]
        for session in range(len(results)):
            memory[:] = 0
            net, peak, drawdown, rounds, end = 0, 0, 0, 0, TO_THE_END
            first = session * per_session
            for shoe in range(first, min(first + per_session, len(lengths))):
                unseen[:] = numbers[COPIES]
                if shown[shoe] >= 0:
                    unseen[RANKS[shown[shoe]]] -= 1
                last[:] = 0
                is_last_shoe = shoe == first + per_session - 1
                # One time more than there are rounds: to see whether a session could have gone on.
                for number in range(lengths[shoe] + 1):
                    is_over = number == lengths[shoe] or end == STOPPED
                    if is_over and (bankroll < 0 or (end == TO_THE_END and not is_last_shoe)):
                        break
                    left = bankroll + net if bankroll >= 0 else -1
                    stakes[:] = 0
                    bets(number + 1, net, left, last, winners[:number], unseen, memory, stakes)
                    if not hold_to_limits(stakes, numbers, needs, fault):
                        return
                    staked = at_risk_of(stakes, table, numbers[MULTIPLE])
                    if bankroll >= 0 and (left <= 0 or staked > left):
                        end = RUINED
                        break
                    if is_over:
                        break
                    dealt = read_round(cards[shoe, number], codes, facts)
                    won, seen = settle_bets(
                        stakes, numbers, table, nets, giving_up, codes, facts, unseen, memory, ante, cover, sums
                    )
                    spare = left - staked if bankroll >= 0 else NO_LIMIT
                    insured, seen = settle_insurance(
                        spare, seen, len(table), offers, codes, facts, unseen, memory, offer, cover, sums, fault
                    )
                    if fault[0] != FINE:
                        return
                    net += won + insured
                    see(codes, seen, dealt, unseen)
                    last[0], last[1] = facts[PLAYER], 2 + facts[PLAYER_DREW]
                    last[2], last[3] = facts[BANKER], 2 + facts[BANKER_DREW]
                    last[4], last[5] = (facts[PLAYER_PAIR] + 1) // 2, (facts[BANKER_PAIR] + 1) // 2
                    winners[number] = 2 if last[0] == last[2] else (0 if last[0] > last[2] else 1)
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
                if end != TO_THE_END:
                    break
            results[session, NET], results[session, DRAWDOWN] = net, drawdown
            results[session, ROUNDS], results[session, END] = rounds, end

    kernel: Callable[..., None] = user_code(play)
    return kernel
