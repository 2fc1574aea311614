"""A round of play by the documents, from the bets as they were placed to the last line of the settlement.

Small, slow and on its own: it stands on the second reading of the documents beside it (oracle.py) and shares
no code with the table it checks. Amounts are whole minor units; hands, areas and players are plain text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from tests.agreement import oracle, oracle_deal, oracle_insurance

Line = tuple[int, str, str, int, str, int]
"""Box, player, area, stake, result and net of a settled bet."""


@dataclass(frozen=True)
class Bet:
    """What lies on one area of one box for one player."""

    box: int
    player: str
    area: str
    stake: int
    is_seated: bool


@dataclass(frozen=True)
class Taken:
    """Insurance as it was taken: on which hand, with how many cards on the table."""

    box: int
    player: str
    hand: str
    cards: int
    stake: int
    odds: Fraction
    had_nine: bool = False
    """Player had nine when it was taken."""

    @property
    def area(self) -> str:
        return f"insurance-{self.hand}-{self.cards}"


def rounded(amount: Fraction, rounding: str) -> int:
    """An amount that is not negative, as whole minor units, by the table's way of rounding."""
    if rounding == "half-up":
        return oracle.rounded(amount)
    below = int(amount)
    return below if rounding == "down" or below == amount else below + 1


# ── The close ───────────────────────────────────────────────────────────────────────────────────────────


def closed(bets: Sequence[Bet], differential: int, minimum: int, rounding: str) -> list[Bet]:
    """The bets that play after the close: a box over its differential is scaled (insurance 5.1.1, 5.1.2)."""
    played = []
    for bet in bets:
        sides = {"player": 0, "banker": 0}
        for other in bets:
            if other.box == bet.box and other.area in sides:
                sides[other.area] += other.stake
        light, heavy = sorted(sides.values())
        is_heavy = bet.area in sides and sides[bet.area] == heavy
        if heavy - light > differential and is_heavy and bet.stake >= minimum:
            share = rounded(bet.stake * Fraction(light + differential, heavy), rounding)
            bet = replace(bet, stake=max(share, minimum))
        played.append(bet)
    return played


# ── Insurance ───────────────────────────────────────────────────────────────────────────────────────────


def open_odds(cards: Sequence[str]) -> dict[str, Fraction]:
    """Odds of the insurance that four or five exposed cards open, by hand.

    Whether a card is still to come is asked of the table of play by dealing on with tens.
    """
    deal = oracle_deal.play_out([*cards, "KS", "KS"])
    if len(deal.player) + len(deal.banker) <= len(cards) or (len(cards) == 5 and len(deal.player) == 2):
        return {}
    player = deal.player if len(cards) == 5 else deal.player[:2]
    points = oracle_deal.total(player), oracle_deal.total(deal.banker[:2])
    found = {}
    for hand in ("player", "banker"):
        odds = oracle_insurance.INSURANCE.get((f"insurance-{hand}-{len(cards)}", *points))
        if odds is not None:
            found[hand] = odds
    return found


def most(bet: Bet, odds: Fraction, earlier: Iterable[Taken], chip: int) -> int:
    """The greatest stake that insures a bet, beside what has been promised on it (3.12.2)."""
    left = Fraction(bet.stake)
    for taken in earlier:
        if (taken.box, taken.player, taken.hand) == (bet.box, bet.player, bet.area):
            left -= taken.stake * taken.odds
    stake = 0
    while (stake + chip) * odds <= left and chip > 1:
        stake += chip
    return stake if chip > 1 else max(0, int(left / odds))


def insurance_net(taken: Taken, deal: oracle_deal.Deal) -> Fraction:
    """What one unit of insurance gains on the hands that were played, at the odds it was taken at."""
    if deal.winner == "tie":
        return taken.odds if taken.had_nine and deal.p == 9 else oracle.PUSH
    return oracle.LOSE if deal.winner == taken.hand else taken.odds


# ── The settlement ──────────────────────────────────────────────────────────────────────────────────────


def settled(
    book: str,
    bets: Sequence[Bet],
    insurance: Sequence[Taken],
    deal: oracle_deal.Deal,
    rounding: str,
    gone: Sequence[Bet] = (),
) -> list[Line]:
    """Every line in its order: box by box, who sits before who stands, areas as the layout lists them.

    `gone` is what lay there before bets went back by 5.13: their insurance is settled in their place.
    """
    areas = oracle.AREAS[book].split()
    lay = gone or bets
    came = list(dict.fromkeys(bet.player for bet in lay))
    lying = {(bet.box, bet.player, bet.area) for bet in bets}
    ordered = sorted(
        lay, key=lambda bet: (bet.box, 0 if bet.is_seated else 1, came.index(bet.player), areas.index(bet.area))
    )
    lines = []
    for bet in ordered:
        held = {other.area: other.stake for other in bets if (other.box, other.player) == (bet.box, bet.player)}
        unit = oracle.net_of_unit(book, bet.area, deal, held)
        if (bet.box, bet.player, bet.area) in lying:
            lines.append(_line(bet.box, bet.player, bet.area, bet.stake, unit, rounding))
        for taken in insurance:
            if (taken.box, taken.player, taken.hand) == (bet.box, bet.player, bet.area):
                lines.append(_insured_line(taken, deal, rounding))
    return lines


def _insured_line(taken: Taken, deal: oracle_deal.Deal, rounding: str) -> Line:
    unit = insurance_net(taken, deal)
    return _line(taken.box, taken.player, taken.area, taken.stake, unit, rounding)


def _line(box: int, player: str, area: str, stake: int, unit: Fraction, rounding: str) -> Line:
    if unit < 0:
        return box, player, area, stake, "lose", -stake
    return box, player, area, stake, "push" if unit == 0 else "win", rounded(stake * unit, rounding)
