"""Limits of stakes: minimum and maximum of a bet, and the differential of a box.

The differential is the difference of Banker and Player totals within one betting box; side bets do not
count. Where the system notices everything, what is over never lies on the layout. Where only the dealer
notices, what was not noticed is scaled down when bets close.
"""

from __future__ import annotations

from fractions import Fraction

from punto.refusal import Reason, Refusal
from punto.rules.facts import Hand
from punto.rules.text.bet import Area
from punto.table.layout import LaidBet
from punto.table.state import Phase, Table
from punto.table.terms import Noticing

MOST_BETS = 1_000
"""That may lie in one round, wagers not counted."""

Cut = tuple[LaidBet, int]
"""A bet, and how much of it goes back."""


def refuse_another(table: Table, box: int, player: str, area: str) -> Refusal | None:
    """Every bet is looked at again with each that follows, so their number is bounded; raising adds none."""
    if len(table.state.bets) < MOST_BETS or table.state.bet(box, player, area) is not None:
        return None
    return Refusal(Reason.TOO_MANY, None, {"what": "bets", "count": MOST_BETS})


def main_hand(table: Table, area: str) -> Hand | None:
    """The hand of a main bet, None for every other area."""
    bet = table.book.bet(area)
    return bet.hand if bet is not None and bet.kind is Area.MAIN else None


def main_bets(table: Table, box: int, hand: Hand) -> list[LaidBet]:
    """The main bets on a hand in a box, in the order in which they were placed."""
    area = table.book.main_area(hand)
    return [bet for bet in table.state.bets if bet.box == box and bet.area == area]


def total(bets: list[LaidBet]) -> int:
    return sum(bet.stake for bet in bets)


def room(table: Table, box: int, area: str, *, is_seated: bool) -> int | None:
    """How much more a bet on this area may add in a box; None where no differential binds it.

    Standing players' bets on the same hand give way to a seated player's (insurance 5.1): they take no room.
    """
    hand, limit = main_hand(table, area), table.terms.differential
    if hand is None or limit is None:
        return None
    mine = main_bets(table, box, hand)
    if is_seated:
        mine = [bet for bet in mine if bet.is_seated]
    return max(0, limit + total(main_bets(table, box, hand.other)) - total(mine))


def most_taken_off(table: Table, bet: LaidBet) -> int:
    """How much of a bet may be taken off and the rest left, in whole chips: not under the minimum, and not so
    much that the other hand of the box goes over the differential.
    """
    terms = table.terms
    if terms.noticing is Noticing.DEALER or table.state.phase is not Phase.BETTING:
        return bet.stake
    most = bet.stake - terms.limits_of(bet.area).minimum
    hand = main_hand(table, bet.area)
    if hand is not None and terms.differential is not None:
        mine, others = (total(main_bets(table, bet.box, one)) for one in (hand, hand.other))
        most = min(most, terms.differential + mine - others)
    return max(0, most - most % terms.chip)


def difference(table: Table, box: int) -> tuple[Hand, int]:
    """The heavier hand of a box, and by how much."""
    player, banker = (total(main_bets(table, box, hand)) for hand in (Hand.PLAYER, Hand.BANKER))
    return (Hand.BANKER, banker - player) if banker >= player else (Hand.PLAYER, player - banker)


def is_under_minimum(table: Table, bet: LaidBet) -> bool:
    """Whether a bet lies under the minimum of its area. A wager follows its ante and has no minimum."""
    rule = table.book.bet(bet.area)
    if rule is None or rule.kind is Area.WAGER:
        return False
    return bet.stake < table.terms.limits_of(bet.area).minimum


def standing_cuts(table: Table, box: int, hand: Hand) -> list[Cut]:
    """What standing players give up when seated bets have filled a box: the latest bets first."""
    return _cuts(table, box, hand, [bet for bet in main_bets(table, box, hand) if not bet.is_seated])


def excess_cuts(table: Table, box: int) -> list[Cut]:
    """What a dealer pushes back in a box over its limits: over the maximum, then standing, then seated
    bets.
    """
    cuts = []
    for bet in table.state.bets:
        maximum = table.terms.limits_of(bet.area).maximum
        if bet.box == box and maximum is not None and bet.stake > maximum:
            cuts.append((bet, bet.stake - maximum))
    if cuts or table.terms.differential is None:
        return cuts
    hand, _ = difference(table, box)
    bets = main_bets(table, box, hand)
    seated_first = [bet for bet in bets if bet.is_seated] + [bet for bet in bets if not bet.is_seated]
    return _cuts(table, box, hand, seated_first)


def _cuts(table: Table, box: int, hand: Hand, bets: list[LaidBet]) -> list[Cut]:
    """Cut bets from the last one backwards until the box is inside its differential.

    What would be left of a bet under the minimum goes back with the rest of it.
    """
    limit = table.terms.differential
    if limit is None or not bets:
        return []
    heavier, by = difference(table, box)
    if heavier is not hand:
        return []
    over, cuts = by - limit, []
    for bet in reversed(bets):
        if over <= 0:
            break
        cut = min(over, bet.stake)
        if 0 < bet.stake - cut < table.terms.limits_of(bet.area).minimum:
            cut = bet.stake
        cuts.append((bet, cut))
        over -= cut
    return cuts


def pro_rata_cuts(table: Table, box: int) -> list[Cut]:
    """What goes back of each bet in a box over its differential that nobody noticed (insurance 5.1.1, 5.1.2).

    Bets on the heavier side win or lose in the proportion that the limit leaves; no share falls under the
    minimum, and a bet that lay under the minimum is not scaled.
    """
    limit = table.terms.differential
    hand, by = difference(table, box)
    if limit is None or by <= limit:
        return []
    heavier = main_bets(table, box, hand)
    share = Fraction(total(main_bets(table, box, hand.other)) + limit, total(heavier))
    cuts = []
    for bet in heavier:
        minimum = table.terms.limits_of(bet.area).minimum
        if bet.stake < minimum:
            continue
        exact = bet.stake * share
        scaled = max(minimum, table.terms.rounding.apply(exact.numerator, exact.denominator))
        if scaled < bet.stake:
            cuts.append((bet, bet.stake - scaled))
    return cuts
