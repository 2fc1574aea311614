"""Bets that are made in steps, over every order of a small shoe, by the printed policy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations

from punto.cards.card import Card
from punto.coup.coup import Coup, deal, points
from punto.odds.ante import AnteSide
from punto.odds.insurance import InsuranceChoice, InsuranceOdds
from punto.rules.book import Book
from punto.table.slip import offers_of


def all_deals(book: Book, cards: Sequence[Card]) -> Iterator[tuple[tuple[Card, ...], Coup]]:
    """Every order of six of these cards, and the deal it makes."""
    for order in permutations(cards, 6):
        yield order, deal(book.play, order)


def ante_net(book: Book, side: AnteSide, order: Sequence[Card], coup: Coup) -> Fraction:
    """An ante with its wager, given up where the first card says so."""
    assert book.ante is not None
    played = {d.shown[0]: d.is_played for d in side.decisions}
    if not played[order[0].points]:
        return Fraction(-1)
    ante, wager = (book.pay_tables[a].outcome(coup.facts).net for a in (side.pair.ante, side.pair.wager))
    return ante + book.ante.multiple * wager


def insured_net(book: Book, odds: InsuranceOdds, main: str, coup: Coup) -> Fraction:
    """A main bet with its insurance, as the printed policy says."""
    rows = {(o.offer.area, o.player_points, o.banker_points): o for o in odds.offers}
    net = book.pay_tables[main].outcome(coup.facts).net
    mine = {o.window.cards: o for o in offers_of(book, coup).values() if o.hand.value == main}
    first = points(coup.player[:2]), points(coup.banker[:2])
    choice = None
    for cards_out, offer in sorted(mine.items()):
        row = rows[offer.area, points(coup.player[: cards_out - 2]), first[1]]
        if cards_out == 5 and choice is InsuranceChoice.HOLD:
            [choice] = [a.choice for a in row.after if (a.player_points, a.banker_points) == first]
        elif choice is None:
            choice = row.choice
        else:
            break
        if choice is InsuranceChoice.INSURE:
            net += offer.outcome(coup.winner).net / offer.odds
    return net
