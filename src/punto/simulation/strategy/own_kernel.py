"""A user's own strategy in its compiled form: the function is made part of the loop that plays sessions.

    bets(round, net, bankroll, last, results, unseen, memory, stakes)

`round` is that of the shoe, from 1; `net` that of the session; `bankroll` what is left of it, -1 for none.
`last` has the round before in this shoe: points and cards of Player, then of Banker, and the rank of each
pair, all 0 in the first. `results` has the winners of the shoe so far: 0 Player, 1 Banker, 2 tie. `unseen`
has the unseen cards of each rank, ace first. `memory` is 64 numbers of the strategy's own, 0 when a session
begins. `stakes` is to be filled, in minor units, one place for each betting area in the order of the book.

    insure(offer, unseen, memory)    gives a stake, 0 to pass
    follow(ante, unseen, memory)     gives whether to follow the ante with its wager

`offer` has the hand (0 Player, 1 Banker), the cards on the table, the points of Player and Banker, the odds
as two numbers, the main bet and the most that can be staked; `ante` has its place among the stakes, its
stake, and the points of the cards shown. `unseen` is then without the cards on the table.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numba.core.errors import NumbaError

from punto.rules.facts import Hand
from punto.simulation.kernels.recording import Recorded
from punto.simulation.strategy import settling as s
from punto.simulation.strategy.own_settling import (
    ALONE,
    ANTE,
    BANKROLL,
    COPIES,
    FINE,
    GOAL,
    MULTIPLE,
    OFFER,
    RANKS,
    SHOES,
    STOP_LOSS,
    WRONG_INSURANCE,
    WRONG_STAKE,
    at_risk_of,
    bets_settled,
    by_policy,
    by_table,
    hold_to_limits,
    insurance_settled,
    see,
    user_code,
)
from punto.simulation.strategy.own_source import OwnSource, StrategyFault
from punto.simulation.strategy.session_kernel import NO_LIMIT
from punto.simulation.strategy.settling import read_round
from punto.simulation.strategy.strategy import MOST_STAKE

if TYPE_CHECKING:
    from punto.simulation.strategy.own_function import OwnSessions

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
        codes, facts = np.zeros(6, np.int64), np.zeros(s.FACTS, np.int64)
        cover, offer, ante = (
            np.zeros((2, s.COVER), np.int64),
            np.zeros(OFFER, np.int64),
            np.zeros(ANTE, np.int64),
        )
        stakes, unseen, memory = np.zeros(len(needs), np.int64), np.zeros(13, np.int64), np.zeros(MEMORY)
        last, winners = np.zeros(6, np.int64), np.zeros(cards.shape[1] + 1, np.int8)
        per_session, bankroll = numbers[SHOES], numbers[BANKROLL]
        for session in range(len(results)):
            memory[:] = 0
            net, peak, drawdown, rounds, end = 0, 0, 0, 0, s.TO_THE_END
            first = session * per_session
            for shoe in range(first, min(first + per_session, len(lengths))):
                unseen[:] = numbers[COPIES]
                if shown[shoe] >= 0:
                    unseen[RANKS[shown[shoe]]] -= 1
                last[:] = 0
                is_last_shoe = shoe == first + per_session - 1
                # One time more than there are rounds: to see whether a session could have gone on.
                for number in range(lengths[shoe] + 1):
                    is_over = number == lengths[shoe] or end == s.STOPPED
                    if is_over and (bankroll < 0 or (end == s.TO_THE_END and not is_last_shoe)):
                        break
                    left = bankroll + net if bankroll >= 0 else -1
                    stakes[:] = 0
                    bets(number + 1, net, left, last, winners[:number], unseen, memory, stakes)
                    if not hold_to_limits(stakes, numbers, needs, fault):
                        return
                    staked = at_risk_of(stakes, table, numbers[MULTIPLE])
                    if bankroll >= 0 and (left <= 0 or staked > left):
                        end = s.RUINED
                        break
                    if is_over:
                        break
                    dealt = read_round(cards[shoe, number], codes, facts)
                    won, seen = settle_bets(
                        stakes,
                        numbers,
                        table,
                        nets,
                        giving_up,
                        codes,
                        facts,
                        unseen,
                        memory,
                        ante,
                        cover,
                        sums,
                    )
                    spare = left - staked if bankroll >= 0 else NO_LIMIT
                    insured, seen = settle_insurance(
                        spare,
                        seen,
                        len(table),
                        offers,
                        codes,
                        facts,
                        unseen,
                        memory,
                        offer,
                        cover,
                        sums,
                        fault,
                    )
                    if fault[0] != FINE:
                        return
                    net += won + insured
                    see(codes, seen, dealt, unseen)
                    last[0], last[1] = facts[s.PLAYER], 2 + facts[s.PLAYER_DREW]
                    last[2], last[3] = facts[s.BANKER], 2 + facts[s.BANKER_DREW]
                    last[4], last[5] = (facts[s.PLAYER_PAIR] + 1) // 2, (facts[s.BANKER_PAIR] + 1) // 2
                    winners[number] = 2 if last[0] == last[2] else (0 if last[0] > last[2] else 1)
                    peak = max(peak, net)
                    drawdown = max(drawdown, peak - net)
                    if session < len(paths) and rounds < paths.shape[1]:
                        paths[session, rounds] = net
                    rounds += 1
                    if numbers[GOAL] >= 0 and net >= numbers[GOAL]:
                        end = s.AT_GOAL
                        break
                    if numbers[STOP_LOSS] >= 0 and -net >= numbers[STOP_LOSS]:
                        end = s.STOPPED
                if end != s.TO_THE_END:
                    break
            results[session, s.NET], results[session, s.DRAWDOWN] = net, drawdown
            results[session, s.ROUNDS], results[session, s.END] = rounds, end

    kernel: Callable[..., None] = user_code(play)
    return kernel
