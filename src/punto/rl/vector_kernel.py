"""One decision in each of very many shoes, compiled: what `boxes` does for one box, in numbers.

An observation is the state: what it does not say (the cards to come, insurance staked and promised) lies beside it. The
rounds are those that the simulator's kernel has dealt, so nothing is shuffled here.
"""

from __future__ import annotations

from math import lcm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from punto.cards.card import Rank, Suit
from punto.rl.setting import (
    GIVEN_UP,
    HELD,
    INSURED,
    LEAST_INSURANCE,
    PASSED,
    PLAYED,
    AgentSetting,
    Deciding,
    Move,
    place_column,
    stake_column,
    unseen_column,
    wager_column,
)
from punto.rules.card_table import CardTable
from punto.rules.outcome import Hand, Result, insurance_area
from punto.simulation.machine_code import CODE_RANKS, COURTS, borrowed, compiled, inlined
from punto.simulation.session_kernel import rounded

PHASE, ASKED, DEALT, PLAYER_POINTS, BANKER_POINTS, PLACE, ODDS, TO = 0, 1, 2, 3, 4, 5, 11, 12
ROUND, LEFT, CUT, UNSEEN, STAKES = 13, 14, 15, 16, 29
"""Columns of an observation; `layout` checks that they are."""
BETTING, ANTE, INSURANCE, OVER = range(4)
DEAL, LEAVE, BET, PLAY, GIVE_UP, INSURE, HOLD, PASS = range(8)
CARDS = 52
NONE = -1

START, BY_TOTALS, BY_PLAYER, BY_BANKER, PARTS, WAGER, CARD_TABLE = range(7)
"""Columns of a bet: where its pay table begins, what each fact moves on by there, what its nets are to be divided by,
the place of the wager that follows it, and where its look-ups by single cards begin."""
EXACT = 0  # In place of a divisor: the nets are minor units of one unit staked, and nothing is ever rounded.
KINDS, CODES, HANDS, HAND = 0, 1, 2, 3
"""Of look-ups: the number of kinds, that of Banker's codes, and of each hand where its three tables begin."""
OPEN_AREAS, MOST, UNIT, BEHIND_CUT, DECKS, BURNED, SHOWN, MULTIPLE, PAIRS, FIRST_WAGER = range(10)

WINDOWS = 2
GAIN, TO_ONE, ON_TIE = range(3)


class LanePlan(NamedTuple):
    """A setting as numbers."""

    numbers: NDArray[np.int64]
    actions: NDArray[np.int64]  # Of each: its move, its area, its units.
    open: NDArray[np.int8]  # By phase: the actions that are open; in betting, before the first bet.
    needs: NDArray[np.uint8]  # Of each opening area, those beside one of which alone it may be laid.
    bets: NDArray[np.int64]  # Opening areas, then wagers.
    nets: NDArray[np.int64]
    look_ups: NDArray[np.int64]  # For bets on single cards.
    antes: NDArray[np.int64]  # The opening area of each ante that can be followed.
    mains: NDArray[np.int64]  # The opening area of the main bet on each hand.
    offers: NDArray[np.int64]  # By window, hand, and both points: odds as two numbers, what a tie does.
    insurances: NDArray[np.int64]  # By window and hand: the column of the observation.
    cards: NDArray[np.int64]  # The card of each code of the simulator, as its place in a new deck.
    places: NDArray[np.int64]  # The column of each card of a round, in dealing order.


class LaneShoes(NamedTuple):
    """Dealt shoes, a row for each."""

    hands: NDArray[np.uint16]
    shown: NDArray[np.int8]
    lengths: NDArray[np.uint16]


class Lanes(NamedTuple):
    """All tables, a row for each."""

    seen: NDArray[np.int16]  # Observations.
    masks: NDArray[np.int8]
    shoes: LaneShoes
    cards: NDArray[np.int64]  # Of the round, in dealing order, as places in a new deck; `NONE` for none.
    insured: NDArray[np.int64]  # By window and hand, in minor units.
    promised: NDArray[np.int64]  # By hand.
    forgone: NDArray[np.uint8]
    ended: NDArray[np.bool_]  # Whether the last step ended the episode.


def layout(setting: AgentSetting) -> LanePlan:
    """What the kernel is told of a setting."""
    book, places = setting.book, setting.places
    fixed = {"phase": PHASE, "asked": ASKED, "dealt": DEALT, "player points": PLAYER_POINTS, "odds gain": ODDS}
    fixed |= {"banker points": BANKER_POINTS, place_column(Hand.PLAYER, 1): PLACE, "odds to": TO, "round": ROUND}
    fixed |= {"cards left": LEFT, "cut card": CUT, unseen_column(Rank.ACE): UNSEEN}
    assert fixed.items() <= places.items() and list(Deciding)[OVER] is Deciding.OVER, (
        "the columns stand where they are read"
    )
    pairs, opening = book.ante.pairs if book.ante else (), book.opening_areas
    assert places[stake_column(opening[0])] == STAKES
    areas = (*opening, *(pair.wager for pair in pairs))
    bets, nets, look_ups = _bets(setting, areas)
    shown, multiple = (book.ante.shown_cards, book.ante.multiple) if book.ante else (0, 0)
    numbers = [
        *(len(opening), setting.most, setting.unit, setting.shoe.behind_cut, setting.shoe.decks),
        *(NONE if setting.shoe.burn.by_first_card else setting.shoe.burn.fixed, shown, multiple, len(pairs)),
        places[wager_column(pairs[0].wager)] if pairs else NONE,
    ]
    actions = [
        (list(Move).index(one.move), opening.index(one.area) if one.area else NONE, one.units)
        for one in setting.actions
    ]
    mains = [book.main_area(hand) for hand in Hand]
    needs = np.zeros((len(opening), len(opening)), np.uint8)
    for i, area in enumerate(opening):
        bet = book.bet(area)
        for needed in bet.needs if bet else ():
            needs[i, opening.index(needed)] = 1
    insured = [[places.get(insurance_area(hand, cards), NONE) for hand in Hand] for cards in (4, 5)]
    order = (("player", 1), ("banker", 1), ("player", 2), ("banker", 2), ("player", 3), ("banker", 3))
    return LanePlan(
        np.array(numbers, np.int64),
        np.array(actions, np.int64),
        _open(setting),
        needs,
        bets,
        nets,
        look_ups,
        np.array([opening.index(pair.ante) for pair in pairs], np.int64),
        np.array([opening.index(area) if area else NONE for area in mains], np.int64),
        _offers(setting),
        np.array(insured, np.int64),
        np.array([suit * len(Rank) + rank - 1 for rank in CODE_RANKS for suit in range(len(Suit))], np.int64),
        np.array([places[place_column(Hand(hand), number)] for hand, number in order], np.int64),
    )


def _open(setting: AgentSetting) -> NDArray[np.int8]:
    phase_of: dict[Move, Deciding] = dict.fromkeys((Move.DEAL, Move.LEAVE), Deciding.BETTING)
    phase_of |= dict.fromkeys((Move.PLAY, Move.GIVE_UP), Deciding.ANTE)
    phase_of |= dict.fromkeys((Move.INSURE, Move.HOLD, Move.PASS), Deciding.INSURANCE)
    alone = {bet.area for bet in setting.book.bets if not bet.needs}
    phases = [phase_of.get(one.move, Deciding.BETTING if one.area in alone else None) for one in setting.actions]
    return np.array([[phase is each for each in phases] for phase in Deciding], np.int8)


def _bets(setting: AgentSetting, areas: tuple[str, ...]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    rows: list[tuple[int, ...]] = []
    nets: list[int] = []
    look_ups: list[int] = []
    for area in areas:
        table = setting.book.pay_tables[area]
        values = table.nets
        parts = lcm(*(value.denominator for value in values))
        wager = setting.book.wager_of(area)
        follows = areas.index(wager) if wager is not None else NONE
        found = len(look_ups) if table.cards is not None else NONE
        is_exact = setting.unit % parts == 0
        rows.append((len(nets), *table.strides, EXACT if is_exact else parts, follows, found))
        nets += [int(value * (setting.unit if is_exact else parts)) for value in values]
        if table.cards is not None:
            look_ups += _look_ups(table.cards, len(look_ups))
    multiple = setting.book.ante.multiple if setting.book.ante else 1
    if 2 * max(map(abs, nets)) * setting.unit * setting.most * multiple >= 1 << 62:
        raise ValueError("the stakes are too large for the odds of this book; give a smaller unit, or fewer units")
    return np.array(rows, np.int64), np.array(nets, np.int64), np.array(look_ups or [0], np.int64)


def _look_ups(table: CardTable, start: int) -> list[int]:
    """The tables of both hands behind each other: the kinds of the cards, then for each hand its states by two cards,
    its codes by state and third card, and its codes without one."""
    head = HANDS + len(Hand) * HAND
    parts: list[int] = list(table.kinds.of)
    begins = []
    for hand in (table.player, table.banker):
        for part in (hand.two, hand.third, hand.stood):
            begins.append(start + head + len(parts) if part else NONE)
            parts += part
    return [len(table.kinds), len(table.banker.values), *begins, *parts]


def _offers(setting: AgentSetting) -> NDArray[np.int64]:
    offers = np.zeros((WINDOWS, len(Hand), 10, 10, 3), np.int64)
    ties = {Result.WIN: 1, Result.PUSH: 0, Result.LOSE: -1}
    for (cards, player, banker), made in setting.book.offers.cells.items():
        for offer in made:
            odds = offer.odds.numerator, offer.odds.denominator
            offers[cards - 4, list(Hand).index(offer.hand), player, banker] = *odds, ties[offer.on_tie.result]
    return offers


@inlined
def points_of(card: Any) -> Any:
    rank = card % 13 + 1
    return rank if rank < 10 else 0


@inlined
def show(lane: Any, number: Any, plan: Any, lanes: Any) -> None:
    """Lay the cards of the round on the table up to this number of them."""
    seen, cards = lanes.seen, lanes.cards
    there = 0
    for i in range(6):
        card = cards[lane, i]
        if card == NONE:
            continue
        there += 1
        if there > number or there <= seen[lane, DEALT]:
            continue
        seen[lane, plan.places[i]] = card % 13 + 1
        seen[lane, UNSEEN + card % 13] -= 1
        hand = PLAYER_POINTS if i % 2 == 0 else BANKER_POINTS
        seen[lane, hand] = (seen[lane, hand] + points_of(card)) % 10
        seen[lane, DEALT] += 1
        seen[lane, LEFT] -= 1
    seen[lane, CUT] = seen[lane, LEFT] <= plan.numbers[BEHIND_CUT]


@inlined
def draw(lane: Any, plan: Any, lanes: Any) -> None:
    """Take the round apart that the simulator has dealt: first cards, second cards, thirds, Player's always first."""
    hands, cards, codes = lanes.shoes.hands, lanes.cards, plan.cards
    number = lanes.seen[lane, ROUND] - 1
    for hand in range(2):
        two, third = hands[lane, number, hand], hands[lane, number, 2 + hand]
        cards[lane, hand], cards[lane, 2 + hand] = codes[two // CARDS], codes[two % CARDS]
        cards[lane, 4 + hand] = codes[third] if third < CARDS else NONE


@inlined
def mark(lane: Any, plan: Any, lanes: Any) -> None:
    """Say which actions are open, where nothing is laid in this round or bets are closed."""
    phase = lanes.seen[lane, PHASE]
    for i in range(len(plan.actions)):
        lanes.masks[lane, i] = plan.open[phase, i]


@inlined
def lay(lane: Any, action: Any, plan: Any, lanes: Any) -> None:
    """Lay a bet, and say which actions are still open: only those that it touches are judged anew."""
    actions, seen, masks, laid = plan.actions, lanes.seen, lanes.masks, plan.actions[action, 1]
    seen[lane, STAKES + laid] += actions[action, 2]
    masks[lane, LEAVE] = 0
    for i in range(BET, len(actions)):
        area = actions[i, 1]
        if area != NONE and (area == laid or plan.needs[area, laid]):
            # What it needs is there: it was open before, or the bet that was laid now is one of those.
            masks[lane, i] = seen[lane, STAKES + area] + actions[i, 2] <= plan.numbers[MOST]


@inlined
def greatest(lane: Any, window: Any, hand: Any, plan: Any, lanes: Any) -> Any:
    """The most that may be staked on insuring a hand now: nothing where none is offered, or the bet not held."""
    area, seen = plan.mains[hand], lanes.seen
    offer = plan.offers[window, hand, seen[lane, PLAYER_POINTS], seen[lane, BANKER_POINTS]]
    if area < 0 or offer[GAIN] == 0 or seen[lane, STAKES + area] == 0:
        return 0
    bet = seen[lane, STAKES + area] * plan.numbers[UNIT]
    return max(0, (bet - lanes.promised[lane, hand]) * offer[TO_ONE] // offer[GAIN])


@inlined
def insure(lane: Any, move: Any, plan: Any, lanes: Any) -> None:
    """Carry out what was decided on the insurance that is asked about."""
    seen, window, hand = lanes.seen, lanes.seen[lane, DEALT] - 4, lanes.seen[lane, ASKED]
    column = plan.insurances[window, hand]
    if move == PASS:
        seen[lane, column] = PASSED
        return
    stake = greatest(lane, window, hand, plan, lanes) if move == INSURE else LEAST_INSURANCE
    offer = plan.offers[window, hand, seen[lane, PLAYER_POINTS], seen[lane, BANKER_POINTS]]
    seen[lane, column] = INSURED if move == INSURE else HELD
    lanes.insured[lane, window, hand] = stake
    lanes.promised[lane, hand] += (stake * offer[GAIN] + offer[TO_ONE] - 1) // offer[TO_ONE]


@inlined
def code_of(lane: Any, hand: Any, start: Any, plan: Any, lanes: Any) -> Any:
    """What a bet on single cards makes of a hand."""
    tables, cards = plan.look_ups, lanes.cards
    kinds, place = start + HANDS + 2 * HAND, start + HANDS + hand * HAND
    number = tables[start + KINDS]
    first, second = tables[kinds + cards[lane, hand]], tables[kinds + cards[lane, 2 + hand]]
    state = tables[tables[place] + first * number + second]
    third = cards[lane, 4 + hand]
    if third != NONE and tables[place + 1] != NONE:
        return tables[tables[place + 1] + state * number + tables[kinds + third]]
    return tables[tables[place + 2] + state]


@inlined
def pair_of(one: Any, two: Any) -> Any:
    if one % 13 != two % 13:
        return 0
    return 2 * (one % 13 + 1) - (0 if one == two else 1)


@inlined
def net_of(lane: Any, bet: Any, units: Any, facts: Any, plan: Any, lanes: Any) -> Any:
    """What a stake of this many units gains by its pay table."""
    bets = plan.bets
    if bets[bet, CARD_TABLE] != NONE:
        start = bets[bet, CARD_TABLE]
        banker = code_of(lane, 1, start, plan, lanes)
        place = code_of(lane, 0, start, plan, lanes) * plan.look_ups[start + CODES] + banker
    else:
        place = facts[0] * bets[bet, BY_TOTALS] + facts[1] * bets[bet, BY_PLAYER] + facts[2] * bets[bet, BY_BANKER]
    net, parts = plan.nets[bets[bet, START] + place], bets[bet, PARTS]
    return units * net if parts == EXACT else rounded(units * plan.numbers[UNIT], net, parts)


@inlined
def settled(lane: Any, plan: Any, lanes: Any) -> Any:
    """What a lane gains by the round on the table, in minor units."""
    seen, cards = lanes.seen, lanes.cards
    player, banker = seen[lane, PLAYER_POINTS], seen[lane, BANKER_POINTS]
    drew = 2 * (cards[lane, 4] != NONE) + (cards[lane, 5] != NONE)
    pairs = pair_of(cards[lane, 0], cards[lane, 2]), pair_of(cards[lane, 1], cards[lane, 3])
    facts = (player * 40 + banker * 4 + drew, pairs[0], pairs[1])
    net, areas = 0, plan.numbers[OPEN_AREAS]
    for area in range(areas):
        units = np.int64(seen[lane, STAKES + area])
        if units == 0:
            continue
        wager = plan.bets[area, WAGER]
        if wager != NONE:
            if seen[lane, plan.numbers[FIRST_WAGER] + wager - areas] == GIVEN_UP:
                net -= units * plan.numbers[UNIT]
                continue
            net += net_of(lane, wager, units * plan.numbers[MULTIPLE], facts, plan, lanes)
        net += net_of(lane, area, units, facts, plan, lanes)
    totals = player - points_of(cards[lane, 4]) if cards[lane, 4] != NONE else player
    for window in range(WINDOWS):
        first = player if window else totals % 10
        before = banker - points_of(cards[lane, 5]) if cards[lane, 5] != NONE else banker
        for hand in range(2):
            stake = lanes.insured[lane, window, hand]
            if stake:
                offer = plan.offers[window, hand, first, before % 10]
                margin = player - banker if hand == 0 else banker - player
                result = 1 if margin < 0 else (-1 if margin > 0 else offer[ON_TIE])
                net += rounded(stake, offer[GAIN], offer[TO_ONE]) if result > 0 else (-stake if result < 0 else 0)
    return net


@inlined
def open_round(lane: Any, lanes: Any) -> None:
    """Clear the table for the next round."""
    seen = lanes.seen
    for i in range(ROUND):
        seen[lane, i] = 0
    for i in range(STAKES, seen.shape[1]):
        seen[lane, i] = 0
    for hand in range(2):
        lanes.promised[lane, hand] = lanes.insured[lane, 0, hand] = lanes.insured[lane, 1, hand] = 0
    lanes.forgone[lane] = 0
    if seen[lane, ROUND] > lanes.shoes.lengths[lane]:
        seen[lane, PHASE] = OVER


@compiled
def open_shoe(lane: Any, row: Any, fresh: Any, plan: Any, lanes: Any) -> None:
    """Put a dealt shoe into a lane."""
    fresh, plan, lanes = borrowed(fresh), borrowed(plan), borrowed(lanes)
    seen, decks, length = lanes.seen, plan.numbers[DECKS], fresh.lengths[row]
    for number in range(length):
        for i in range(4):
            lanes.shoes.hands[lane, number, i] = fresh.hands[row, number, i]
    shown, burned = fresh.shown[row], plan.numbers[BURNED]
    lanes.shoes.shown[lane], lanes.shoes.lengths[lane] = shown, length
    for rank in range(13):
        seen[lane, UNSEEN + rank] = 4 * decks
    seen[lane, LEFT] = CARDS * decks
    if burned < 0:  # the shown card, and as many more as it counts
        seen[lane, UNSEEN + plan.cards[4 * shown] % 13] -= 1
        burned = 1 + (shown - COURTS if shown > COURTS else 10)
    seen[lane, LEFT] -= burned
    seen[lane, CUT] = seen[lane, LEFT] <= plan.numbers[BEHIND_CUT]
    seen[lane, ROUND] = 1
    open_round(lane, lanes)
    mark(lane, plan, lanes)


@inlined
def ask(lane: Any, stage: Any, number: Any, was_asked: Any, plan: Any, lanes: Any) -> Any:
    """Go on from a number of a stage (antes, then the windows of insurance) to what is asked next; False where nothing
    more is, and the round can be settled."""
    seen, cards = lanes.seen, lanes.cards
    if stage == 0:
        show(lane, plan.numbers[SHOWN], plan, lanes)
        for pair in range(number, plan.numbers[PAIRS]):
            if seen[lane, STAKES + plan.antes[pair]]:
                seen[lane, PHASE], seen[lane, ASKED] = ANTE, pair
                return True
        number, was_asked, stage = 0, False, 1
    for window in range(stage - 1, WINDOWS):
        show(lane, 4 + window, plan, lanes)
        # At the first window a third card of either hand is to come; at the second Banker's, after Player's.
        drew = (cards[lane, 4] != NONE) + (cards[lane, 5] != NONE)
        for hand in range(number if drew > window and not lanes.forgone[lane] else 2, 2):
            if greatest(lane, window, hand, plan, lanes) >= LEAST_INSURANCE:
                offer = plan.offers[window, hand, seen[lane, PLAYER_POINTS], seen[lane, BANKER_POINTS]]
                seen[lane, PHASE], seen[lane, ASKED] = INSURANCE, hand
                seen[lane, ODDS], seen[lane, TO] = offer[GAIN], offer[TO_ONE]
                return True
        if was_asked and lanes.insured[lane].sum() == 0:
            lanes.forgone[lane] = 1
        number, was_asked = 0, False
    return False


@inlined
def decide(lane: Any, action: Any, plan: Any, lanes: Any) -> Any:
    """Carry out an action that is open; gives what the round gained if that ended it."""
    seen, move = lanes.seen, plan.actions[action, 0]
    phase, number = seen[lane, PHASE], seen[lane, ASKED] + 1
    if move == LEAVE:
        open_round(lane, lanes)
        seen[lane, PHASE] = OVER
        return 0
    stage = 0
    if phase == BETTING:
        draw(lane, plan, lanes)
        number = 0
    elif phase == ANTE:
        seen[lane, plan.numbers[FIRST_WAGER] + seen[lane, ASKED]] = PLAYED if move == PLAY else GIVEN_UP
    else:
        stage = seen[lane, DEALT] - 3
        insure(lane, move, plan, lanes)
    seen[lane, ASKED] = seen[lane, ODDS] = seen[lane, TO] = 0
    if ask(lane, stage, number, phase == INSURANCE, plan, lanes):
        return 0
    show(lane, 6, plan, lanes)
    net = settled(lane, plan, lanes)
    seen[lane, ROUND] += 1
    open_round(lane, lanes)
    return net


@compiled
def step_lanes(actions: Any, fresh: Any, row: Any, plan: Any, lanes: Any, nets: Any, refused: Any) -> Any:
    """One step of every lane. One whose episode has ended takes the next fresh shoe, whatever its action; gives the row
    of the next one."""
    plan, lanes = borrowed(plan), borrowed(lanes)
    row = np.int64(row)
    for lane in range(len(actions)):
        nets[lane], refused[lane] = 0, False
        if lanes.ended[lane]:
            open_shoe(lane, row, fresh, plan, lanes)
            lanes.ended[lane] = False
            row += 1
            continue
        action = actions[lane]
        if action < 0 or action >= len(plan.actions) or not lanes.masks[lane, action]:
            refused[lane] = True
            continue
        if plan.actions[action, 0] == BET:
            lay(lane, action, plan, lanes)
            continue
        nets[lane] = decide(lane, action, plan, lanes)
        mark(lane, plan, lanes)
        lanes.ended[lane] = lanes.seen[lane, PHASE] == OVER
    return row


@compiled
def fill_lanes(fresh: Any, row: Any, plan: Any, lanes: Any) -> Any:
    """A fresh shoe for every lane; gives the row of the next one."""
    for lane in range(len(lanes.seen)):
        open_shoe(lane, row + lane, fresh, plan, lanes)
        lanes.ended[lane] = False
    return row + len(lanes.seen)
