"""Settlement: what each bet on a finished deal wins, returns or loses, to the last minor unit.

One look-up in the compiled pay table decides a bet. A pay-out that is not a whole number of minor units is
rounded once, here, and the line can say by how much.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import msgspec

from punto.coup.coup import Coup
from punto.money import Rounding
from punto.rules.book import Book
from punto.rules.outcome import Outcome, Result


class SettlementLine(msgspec.Struct, frozen=True, gc=False):
    """One bet, settled. Amounts are minor units."""

    area: str
    stake: int
    outcome: Outcome
    net: int
    """What the player gains, the stake not counted; a loss is negative."""

    @property
    def exact_net(self) -> Fraction:
        """The net before it was rounded."""
        return self.stake * self.outcome.net

    @property
    def is_rounded(self) -> bool:
        """Whether the exact net is not a whole number of minor units."""
        return bool(self.stake * self.outcome.net_numerator % self.outcome.net_denominator)

    @property
    def rounded_by(self) -> Fraction:
        """How much rounding added to the pay-out, or took from it."""
        return self.net - self.exact_net


def settle_bet(
    area: str, stake: int, outcome: Outcome, rounding: Rounding = Rounding.HALF_UP
) -> SettlementLine:
    """Settle one bet by its outcome."""
    net, remainder = divmod(stake * outcome.net_numerator, outcome.net_denominator)
    if remainder:
        net = rounding.apply(stake * outcome.net_numerator, outcome.net_denominator)
    return SettlementLine(area, stake, outcome, net)


def settle_bets(
    book: Book, coup: Coup, bets: Iterable[tuple[str, int]], rounding: Rounding = Rounding.HALF_UP
) -> list[SettlementLine]:
    """Settle bets whose pay tables read the finished deal: all but insurance and given-up antes."""
    facts, lines = coup.facts, []
    for area, stake in bets:
        table = book.pay_tables[area]
        # Asked here and not in `settled`, because studies and tests settle millions of bets on totals.
        is_by_facts = table.cards is None
        outcome = table.outcome(facts) if is_by_facts else table.settled(facts, coup.player, coup.banker)
        lines.append(settle_bet(area, stake, outcome, rounding))
    return lines


def given_up(book: Book) -> Outcome:
    """What becomes of an ante that was given up: lost, whatever the deal brings."""
    ante = book.ante
    assert ante is not None, "only a book with antes lets one be given up"
    return Outcome(Result.LOSE, None, ante.give_up_clause)
