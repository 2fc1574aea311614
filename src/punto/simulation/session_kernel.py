"""Sessions of a strategy over recorded shoes, compiled: a strategy's bets as arrays, a recorded round taken apart, what
a stake gains by its pay table, and the loop that lays, settles, counts and stops, round after round. Small functions
are made part of the loop that uses them, so that every kind of strategy settles by the same code.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import lcm
from typing import Any, NamedTuple

import numpy as np
from numba import int64
from numpy.typing import NDArray

from punto.rules.book import Book
from punto.rules.outcome import Hand, Result
from punto.simulation.machine_code import (
    CODE_RANKS,
    COURTS,
    add_number,
    add_product,
    borrowed,
    compiled,
    copy_numbers,
    inlined,
)
from punto.simulation.strategy import Insuring, Strategy, follow_progression, units_to_stake

NO_ENTRY = -1
STAKE, START, BY_TOTALS, BY_PLAYER_PAIR, BY_BANKER_PAIR, DENOMINATOR, WAGER, MAIN_HAND = range(8)
"""Columns of a bet: its stake, where its pay table begins and what each fact moves on by there, what its nets
are to be divided by, the place of the wager that follows it, and the hand if it is a main bet."""
EXACT = 0  # In place of a denominator: one unit's nets are whole minor units, and nothing is ever rounded.
WINDOWS = (4, 5)  # Cards on the table at the two windows of insurance.
GAIN, TO, ON_TIE, CHOICE = range(4)
"""Columns of an offer: its odds as two numbers, what a tie does, and the choice of the policy."""
CHOICES = (Insuring.PASS, Insuring.INSURE, Insuring.HOLD)
INSURED_AREAS = tuple((hand, cards) for hand in Hand for cards in WINDOWS)


class SlipTables(NamedTuple):
    bets: NDArray[np.int64]
    """A row for each bet: the strategy's, then the wagers that follow its antes, with nothing staked yet."""
    nets: NDArray[np.int64]
    """All pay tables behind each other: net of one unit, or of a stake as large as the denominator."""
    capped: NDArray[np.int64]
    """In the places of `nets`: the net of a stake at the table's maximum, or of the wager that follows it."""
    giving_up: NDArray[np.uint8]  # Of each bet, by shown points: whether the ante is given up.
    offers: NDArray[np.int64]
    """A row for each hand, window and points: odds as two numbers, what a tie does, and the choice."""
    tags: NDArray[np.int64]  # What each code adds to the running count.


def slip_tables(book: Book, strategy: Strategy) -> SlipTables:
    areas = slip_areas(book, strategy)
    mains = {book.main_area(hand): i for i, hand in enumerate(Hand)}
    rows: list[tuple[int, ...]] = []
    nets: list[int] = []
    capped: list[int] = []
    for area in areas:
        table = book.pay_tables[area]
        values = table.nets
        stake, denominator = strategy.stakes.get(area, 0), lcm(*(value.denominator for value in values))
        multiple = 1 if stake or book.ante is None else book.ante.multiple  # of a wager to its ante, which has a stake
        unit = multiple * (stake or strategy.stakes[book.ante_of(area) or area])
        follows = book.wager_of(area)
        wager = areas.index(follows) if follows is not None else NO_ENTRY
        is_exact = unit % denominator == 0
        row = (stake, len(nets), *table.strides, EXACT if is_exact else denominator, wager, mains.get(area, NO_ENTRY))
        rows.append(row)
        nets += [int(value * (unit if is_exact else denominator)) for value in values]
        capped += [rounded_net((strategy.maximum or 0) * multiple, value) for value in values]
    ante = book.ante
    giving_up = np.zeros((len(areas), 10 ** (ante.shown_cards if ante else 0)), np.uint8)
    for area, shown in strategy.giving_up.items():
        if area in areas:
            giving_up[areas.index(area), list(shown)] = 1
    bets, whole, at_most = (np.array(numbers, np.int64) for numbers in (rows, nets, capped))
    tags = strategy.count.tags if strategy.count else (0,)
    by_code = np.array([tags[min(rank, len(tags)) - 1] for rank in CODE_RANKS], np.int64)
    return SlipTables(bets, whole, at_most, giving_up, _offers(book, strategy), by_code)


def rounded_net(stake: int, net: Fraction) -> int:
    """What a stake gains, to the minor unit, halves rounded up as at the table."""
    return (2 * stake * net.numerator + net.denominator) // (2 * net.denominator)


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


TO_THE_END, RUINED, AT_GOAL, STOPPED = range(4)  # How a session ended.

NET, DRAWDOWN, ROUNDS, END = range(4)  # Columns of a session's result.

SUMS = 6
MADE, STAKED, WON, NET_SQUARED, CROSS, STAKE_SQUARED = range(SUMS)
"""Wide numbers summed for each bet: bets made, staked, net, and products for the error of net to stake."""

FACTS = 9  # Of a round: totals, pairs, points after two cards and at the end, and who drew.
TOTALS, PLAYER_PAIR, BANKER_PAIR, PLAYER_TWO, BANKER_TWO, PLAYER, BANKER, PLAYER_DREW, BANKER_DREW = range(9)

COVER = 4
MAIN, MAIN_NET, PROMISED, INSURED = range(COVER)
"""Of a main bet while it is insured: its stake and net, pay-outs promised, and what insurance won."""

KIND, MULTIPLE, SHOWN, MINIMUM, MAXIMUM, BANKROLL, GOAL, STOP_LOSS, SHOES, COUNTS, INSURES = range(11)
UNIT, MOST_UNITS, MOST_LOST = range(11, 14)
"""Places in the numbers of a strategy; -1 stands for "none" in bankroll, goal and stop-loss. `UNIT` is what one
unit on all bets takes, `MOST_UNITS` how many stay below the maximum, and `MOST_LOST` the units that a line
grows by at the maximum."""

NO_LIMIT = 1 << 60  # More than any session can have or stake.

FINE, WRONG_STAKE, ALONE, WRONG_INSURANCE, RAISED = range(5)
"""What is wrong with what a strategy did; beside it the betting area or hand, and the stake."""

UNSEEN, RUNNING = range(2)  # What a built-in strategy knows of the cards: how many are unseen, and its running count.

QUESTION = 8  # Numbers of an ante or of an offer, as a function is asked about them.


class SessionState(NamedTuple):
    """What a strategy goes by, knows and remembers while it plays, and the round on the table."""

    numbers: NDArray[np.int64]
    trigger: float  # Of a count.
    needs: NDArray[np.uint8]  # Of each bet, those beside which alone it may be laid.
    fresh_cards: NDArray[np.int64]  # What is known of the cards when a shoe begins, before any was seen …
    unseen: NDArray[np.int64]  # … and now.
    fresh_memory: NDArray[Any]
    memory: NDArray[Any]
    """What is remembered when a session begins, and now: a progression, or whatever a function likes."""
    units: NDArray[np.int64]  # On each bet, times the units that are laid on all of them.
    last: NDArray[np.int64]
    """The round before in this shoe: points and cards of Player, then of Banker, and the rank of each pair."""
    winners: NDArray[np.int8]  # Of the shoe so far: 0 Player, 1 Banker, 2 tie.
    question: NDArray[np.int64]
    fault: NDArray[np.int64]
    codes: NDArray[np.int64]  # Cards of the round.
    facts: NDArray[np.int64]
    cover: NDArray[np.int64]  # A row for each hand.
    sums: NDArray[np.int64]


class Decisions(NamedTuple):
    """What one kind of strategy decides, as functions that are made part of the loop."""

    lay: Callable[..., Any]
    """What is put at risk, more than is left where the session cannot go on; and how many units are laid."""
    follow: Callable[..., Any]  # Whether an ante is followed by its wager.
    insure: Callable[..., Any]  # The stake on an offer of insurance.
    see: Callable[..., Any]  # Cards are no longer unseen.
    remember: Callable[..., Any]  # Go on after a round.


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
def rounded(stake: Any, gain: Any, unit: Any) -> Any:
    """What a stake gains at gain to unit, to the minor unit, halves rounded up as at the table."""
    return (2 * stake * gain + unit) // (2 * unit)


@inlined
def net_of(factor: Any, stake: Any, is_capped: Any, bet: Any, slip: Any, facts: Any) -> Any:
    """What a stake gains by its pay table; one at the table's maximum has a table of its own."""
    bets = slip.bets
    place = bets[bet, START] + facts[TOTALS] * bets[bet, BY_TOTALS]
    place += facts[PLAYER_PAIR] * bets[bet, BY_PLAYER_PAIR] + facts[BANKER_PAIR] * bets[bet, BY_BANKER_PAIR]
    if is_capped:
        return slip.capped[place]
    denominator, net = bets[bet, DENOMINATOR], slip.nets[place]
    return factor * net if denominator == EXACT else rounded(stake, net, denominator)


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
    place = entry * SUMS
    sums[entry, MADE, 0] += 1  # of a batch, these never need more
    add_number(sums, place + STAKED, stake)
    add_number(sums, place + WON, net)
    add_product(sums, place + NET_SQUARED, net, net)
    add_product(sums, place + CROSS, net, stake)
    add_product(sums, place + STAKE_SQUARED, stake, stake)


def bets_settled(decide: Decisions) -> Callable[..., Any]:
    """The function that settles all bets but insurance: the net of the first and of all, and the cards seen."""
    follow, see = decide.follow, decide.see

    def settle(units: Any, slip: Any, state: Any) -> Any:
        numbers, bets, cover, facts = state.numbers, slip.bets, state.cover, state.facts
        leading, whole, seen = 0, 0, 0
        cover[0, MAIN] = cover[1, MAIN] = 0
        for bet in range(len(state.units)):
            factor, wager = units * state.units[bet], bets[bet, WAGER]
            if factor == 0:
                continue
            stake = bets[bet, STAKE] * factor
            is_capped = stake > numbers[MAXIMUM]
            stake = min(stake, numbers[MAXIMUM])
            is_followed = False
            if wager >= 0:
                see(seen, numbers[SHOWN], slip, state)
                seen = numbers[SHOWN]
                is_followed = follow(bet, stake, slip, state)
            net = -stake
            if wager < 0 or is_followed:
                net = net_of(factor, stake, is_capped, bet, slip, facts)
            if is_followed:
                follows = stake * numbers[MULTIPLE]
                won = net_of(factor, follows, is_capped, wager, slip, facts)
                note(wager, follows, won, state.sums)
                net += won
            note(bet, stake, net, state.sums)
            if bet == 0:
                leading = net
            whole += net
            hand = bets[bet, MAIN_HAND]
            if hand >= 0:
                cover[hand, MAIN], cover[hand, MAIN_NET] = stake, net
                cover[hand, PROMISED] = cover[hand, INSURED] = 0
        return leading, whole, seen

    return inlined(settle)


def insurance_settled(decide: Decisions) -> Callable[..., Any]:
    """The function that lays and settles insurance, window by window: its net, and the cards seen."""
    insure, see = decide.insure, decide.see

    def settle(spare: Any, seen: Any, slip: Any, state: Any) -> Any:
        offers, facts, cover, entry = slip.offers, state.facts, state.cover, len(slip.bets)
        whole = 0
        for window in range(2):
            is_offered = is_taken = False
            for hand in range(2):
                main, place = cover[hand, MAIN], offer_place(hand, window, facts)
                gain, unit = offers[place, GAIN], offers[place, TO]
                if main == 0 or gain == 0 or not is_window_open(window, facts):
                    continue
                see(seen, 4 + window, slip, state)
                seen = 4 + window
                most = min((main - cover[hand, PROMISED]) * unit // gain, spare)
                is_offered = True
                stake = insure(hand, window, most, offers[place], state)
                if stake <= 0:
                    continue
                is_taken = True
                spare -= stake
                won = insured_net(hand, stake, gain, unit, offers[place, ON_TIE], facts)
                note(entry + 2 * hand + window, stake, won, state.sums)
                cover[hand, PROMISED] += (stake * gain + unit - 1) // unit  # rounded up, as the table counts it
                cover[hand, INSURED] += won
                whole += won
            if is_offered and not is_taken:
                break  # who takes nothing of what is offered has forgone insurance for the round
        for hand in range(2):
            if cover[hand, MAIN]:
                together = cover[hand, MAIN_NET] + cover[hand, INSURED]
                note(entry + 4 + hand, cover[hand, MAIN], together, state.sums)
        return whole, seen

    return inlined(settle)


def session_loop(decide: Decisions) -> Callable[..., None]:
    """The loop that plays a kind of strategy through recorded shoes, a fixed number of them per session. After the last
    round of a session one more is laid, to see whether it could have gone on."""
    lay, see, remember = decide.lay, decide.see, decide.remember
    settle_bets, settle_insurance = bets_settled(decide), insurance_settled(decide)

    def play(recorded: Any, slip: Any, state: Any, results: Any, paths: Any) -> None:
        cards, shown, lengths = borrowed(recorded)
        slip, state, results, paths = borrowed(slip), borrowed(state), borrowed(results), borrowed(paths)
        numbers, fault = state.numbers, state.fault
        per_session, bankroll = numbers[SHOES], numbers[BANKROLL]
        for session in range(len(results)):
            copy_numbers(state.fresh_memory, state.memory)
            net, peak, drawdown, rounds, end = 0, 0, 0, 0, TO_THE_END
            first = session * per_session
            for shoe in range(first, min(first + per_session, len(lengths))):
                copy_numbers(state.fresh_cards, state.unseen)
                state.last[:] = 0
                if shown[shoe] >= 0:
                    state.codes[0] = shown[shoe]
                    see(0, 1, slip, state)
                is_last_shoe = shoe == first + per_session - 1
                for number in range(lengths[shoe] + 1):
                    is_over = number == lengths[shoe] or end == STOPPED
                    if is_over and (bankroll < 0 or (end == TO_THE_END and not is_last_shoe)):
                        break
                    left = bankroll + net if bankroll >= 0 else NO_LIMIT
                    staked, units = lay(number, rounds, net, left, slip, state)
                    if left <= 0 or staked > left:
                        end = RUINED
                    if is_over or end == RUINED or fault[0] != FINE:
                        break
                    dealt, seen, leading = read_round(cards[shoe, number], state.codes, state.facts), 0, 0
                    if units:
                        leading, won, seen = settle_bets(units, slip, state)
                        net += won
                        if numbers[INSURES]:
                            won, seen = settle_insurance(left - staked, seen, slip, state)
                            net += won
                        if fault[0] != FINE:
                            break
                    see(seen, dealt, slip, state)
                    remember(number, units, leading, state)
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
                if end != TO_THE_END or fault[0] != FINE:
                    break
            results[session, NET], results[session, DRAWDOWN] = net, drawdown
            results[session, ROUNDS], results[session, END] = rounds, end
            if fault[0] != FINE:
                return

    return play


@inlined
def at_risk_of(factor: Any, slip: Any, numbers: Any) -> Any:
    """What this many units stake on all bets and on wagers that may follow, none above the maximum."""
    if factor <= numbers[MOST_UNITS]:
        return factor * numbers[UNIT]
    staked = 0
    for bet in range(len(slip.bets)):
        stake = min(slip.bets[bet, STAKE] * factor, numbers[MAXIMUM])
        staked += stake * (1 + (numbers[MULTIPLE] if slip.bets[bet, WAGER] >= 0 else 0))
    return staked


@inlined
def units_for(money: Any, factor: Any, slip: Any, numbers: Any) -> Any:
    """The most units, up to `factor`, that the money covers; one where it covers none."""
    low, high = 1, factor
    while low < high:
        middle = (low + high + 1) // 2
        if at_risk_of(middle, slip, numbers) <= money:
            low = middle
        else:
            high = middle - 1
    return low


@inlined
def lay_units(number: Any, rounds: Any, net: Any, left: Any, slip: Any, state: Any) -> Any:  # noqa: ARG001
    numbers, unseen = state.numbers, state.unseen
    units = units_to_stake(numbers[KIND], state.memory)
    staked = at_risk_of(units, slip, numbers)
    if staked > left:
        units = units_for(left, units, slip, numbers)
        staked = at_risk_of(units, slip, numbers)
    if numbers[COUNTS] and unseen[RUNNING] * 52.0 < state.trigger * unseen[UNSEEN]:
        units = 0
    return staked, units


@inlined
def follow_by_table(bet: Any, stake: Any, slip: Any, state: Any) -> Any:  # noqa: ARG001
    """Whether the cards shown are not among those at which an ante is given up."""
    shown, place = 0, 1
    for i in range(state.numbers[SHOWN]):
        shown += points(state.codes[i]) * place
        place *= 10
    return slip.giving_up[bet, shown] == 0


@inlined
def insure_by_policy(hand: Any, window: Any, most: Any, offer: Any, state: Any) -> Any:  # noqa: ARG001
    return most if offer[CHOICE] == 1 else (min(1, most) if offer[CHOICE] == 2 else 0)


@inlined
def count_cards(first: Any, end: Any, slip: Any, state: Any) -> None:
    running = state.unseen[RUNNING]
    for i in range(first, end):
        running += slip.tags[state.codes[i]]
    state.unseen[RUNNING] = running
    state.unseen[UNSEEN] -= end - first


@inlined
def remember_progression(number: Any, units: Any, leading: Any, state: Any) -> None:  # noqa: ARG001
    numbers = state.numbers
    follow_progression(numbers[KIND], state.memory, state.fresh_memory, min(units, numbers[MOST_LOST]), leading)


@cache
def built_in_loop() -> Callable[..., None]:
    """What the built-in strategies decide: a progression's units, cut to the money left; everything else by tables."""
    by_tables = Decisions(lay_units, follow_by_table, insure_by_policy, count_cards, remember_progression)
    return compiled(session_loop(by_tables), "built_in_loop")
