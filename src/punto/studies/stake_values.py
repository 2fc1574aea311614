"""The exact value of a strategy's stakes in a fresh shoe, as they are paid, to the minor unit.

A value is given only where it holds. A count and a function of one's own choose their rounds, so they have
none. A progression has one only while none of its pay-outs is rounded, since rounding weighs differently at
every stake; and insurance has one only at a flat stake that no bankroll can cut.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

from punto.odds.ante import GIVE_UP, ante_odds
from punto.odds.odds import odds_of
from punto.odds.round_so_far import RoundSoFar
from punto.odds.totals import Way, all_ways, ways
from punto.odds.undealt import Undealt
from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.rules.holdings import promised_by
from punto.rules.play import STOOD
from punto.simulation.strategy import Insuring, Progression, Sessions, Strategy
from punto.simulation.strategy.own_function import OwnSessions
from punto.simulation.strategy.slip_tables import WINDOWS, rounded_net


def exact_values(sessions: Sessions) -> dict[str, float]:
    """Expectation of one unit of each stake that has one, by the names of `SessionTally.bets`."""
    book, strategy = sessions.book, sessions.strategy
    if isinstance(sessions, OwnSessions) or strategy.count is not None:
        return {}
    undealt = Undealt.of_decks(sessions.deals.terms.decks)
    values = _outright(book, strategy, undealt)
    values |= _antes(book, strategy, undealt)
    is_flat = strategy.progression is Progression.FLAT
    if book.insurance is not None and strategy.insuring and is_flat and strategy.bankroll is None:
        for hand in Hand:
            area = book.main_area(hand)
            if area in values and area is not None:
                values |= _insurance(book, strategy, undealt, hand, values[area])
    return {area: float(value) for area, value in values.items()}


def _outright(book: Book, strategy: Strategy, undealt: Undealt) -> dict[str, Fraction]:
    values = {}
    for bet in odds_of(book, undealt).bets:
        stake = strategy.stakes.get(bet.area)
        if stake is None:
            continue
        if strategy.progression is Progression.FLAT:
            paid = sum(rounded_net(stake, outcome.net) * ways for outcome, ways in bet.ways)
            values[bet.area] = Fraction(paid, stake * bet.total)
        elif _is_never_rounded(book, strategy, bet.area):
            values[bet.area] = bet.ev
    return values


def _antes(book: Book, strategy: Strategy, undealt: Undealt) -> dict[str, Fraction]:
    """Antes with their wagers, by the policy that is played."""
    values = {}
    for side in ante_odds(book, undealt).sides:
        areas = (side.pair.ante, side.pair.wager)
        if side.pair.ante in strategy.stakes and all(
            _is_never_rounded(book, strategy, area) for area in areas
        ):
            given_up = strategy.giving_up.get(side.pair.ante, ())
            values[side.pair.ante] = sum(
                (
                    decision.chance * (GIVE_UP if _place(decision.shown) in given_up else decision.play)
                    for decision in side.decisions
                ),
                Fraction(0),
            )
    return values


def _place(shown: tuple[int, ...]) -> int:
    return sum(points * 10**i for i, points in enumerate(shown))


def _is_never_rounded(book: Book, strategy: Strategy, area: str) -> bool:
    """Whether every stake that a strategy may lay on an area is paid in whole minor units."""
    ante, multiple = book.ante_of(area), book.ante.multiple if book.ante else 1
    times = multiple if ante is not None else 1
    unit = strategy.stakes[ante if ante is not None else area]
    stakes = [unit] if strategy.maximum is None else [unit, strategy.maximum]
    if strategy.progression is Progression.FLAT:
        stakes = [unit]
    return all(
        stake * times % net.denominator == 0 for stake in stakes for net in set(book.pay_tables[area].nets)
    )


def _insurance(
    book: Book, strategy: Strategy, undealt: Undealt, hand: Hand, main: Fraction
) -> dict[str, Fraction]:
    """Insurance on a hand by the policy: a unit of it at each window, and the main bet with both."""
    area = book.main_area(hand)
    assert area is not None
    stake = strategy.stakes[area]
    choices = {
        (rule.cards, rule.player_points, rule.banker_points): rule.choice
        for rule in strategy.insuring
        if rule.hand is hand
    }
    staked: dict[int, int] = defaultdict(int)
    won: dict[int, int] = defaultdict(int)
    for way in ways(book.play, undealt.points, RoundSoFar()):
        if not way.weight:
            continue
        promised = 0
        for cards, points in _moments(way):
            third = way.players_third if cards == WINDOWS[1] else None
            offer = next(
                (o for o in book.open_offers(cards, points, way.banker, third) if o.hand is hand), None
            )
            if offer is None:
                continue
            choice = choices.get((cards, points, way.banker), Insuring.PASS)
            insured = int((stake - promised) / offer.odds) if choice is Insuring.INSURE else 1
            if choice is Insuring.PASS or insured <= 0:
                break
            promised += promised_by(offer.odds, insured)
            staked[cards] += insured * way.weight
            won[cards] += rounded_net(insured, offer.outcome(way.winner).net) * way.weight
    total = all_ways(undealt.points, RoundSoFar())
    values = {
        book.insurance_area(hand, cards): Fraction(won[cards], staked[cards])
        for cards in WINDOWS
        if staked[cards]
    }
    return {**values, f"{area}-insured": main + Fraction(sum(won.values()), stake * total)}


def _moments(way: Way) -> list[tuple[int, int]]:
    """The windows that a round may come to: cards on the table, and Player's points then."""
    first = (WINDOWS[0], way.player)
    return [first] if way.players_third == STOOD else [first, (WINDOWS[1], way.player_points)]
