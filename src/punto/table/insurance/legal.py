"""Which insurance may be offered, taken or wished for now."""

from __future__ import annotations

from collections.abc import Iterator

from punto.rules.facts import Hand
from punto.rules.outcome import format_odds
from punto.rules.role import Role
from punto.table.asking import Asking, Legal
from punto.table.insurance import commands as c
from punto.table.insurance.decisions import due_offers, greatest_stake, open_offer


def candidates(asking: Asking) -> Iterator[Legal]:
    """Every command of this room worth trying, each in its smallest form."""
    yield asking.offer(c.OfferInsurance)
    mains = {asking.table.book.main_area(hand): hand for hand in Hand}
    for bet in asking.state.bets:
        hand = mains.get(bet.area)
        if hand is None or (asking.role is Role.PLAYER and bet.player != asking.actor):
            continue
        named = None if asking.role is Role.PLAYER else bet.player
        offer = open_offer(asking.table, bet.box, bet.player, hand)
        if offer is not None:
            yield asking.offer(
                c.TakeInsurance,
                box=bet.box,
                hand=hand,
                amount=asking.table.terms.chip,
                player=named,
                free=("amount",),
                most=greatest_stake(asking.table, bet.box, bet.player, offer),
                odds=(format_odds(offer.odds),),
            )
        if due_offers(asking.table):
            yield asking.offer(c.WishInsurance, box=bet.box, hand=hand, player=named)
    for player in asking.players:
        yield asking.offer(c.DeclineInsurance, player=player)
