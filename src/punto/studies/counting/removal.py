"""Effects of removal: by how much one card, gone from a full shoe, changes what a bet is worth.

They say which bets a card counter can follow, and with which tags. A card whose removal helps the bettor
has a positive effect. To most bets the suits of a rank are alike; to a bet that names suits, colours or cards
they are not, and its effects are those of each card: an average over suits would hide what there is to count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TypeVar

from punto.cards.card import DECK, Card, Rank, Suit
from punto.documents.page import Grid, figures
from punto.odds.ante import ante_odds
from punto.odds.knowledge import gains_with_cards
from punto.odds.odds import odds_of
from punto.odds.round_so_far import RoundSoFar
from punto.odds.undealt import Undealt
from punto.odds.weighing import Weighing
from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.rules.reading.validate import entries
from punto.rules.text.when import When
from punto.rules.words import counted
from punto.studies.expectations import insured_areas, study_label

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Removal:
    """Effects of removal on one bet."""

    area: str
    full: Fraction
    """Expectation of a unit with the full shoe; of an ante, with optimal play."""
    effects: tuple[Fraction, ...]
    """What the expectation gains when one card is gone: of each rank, ace to king, or, where the bet does not
    treat the suits of a rank alike, of each card in the order of a new deck."""

    @property
    def is_by_card(self) -> bool:
        """Whether suits matter to the bet."""
        return len(self.effects) == len(DECK)

    @property
    def names(self) -> tuple[str, ...]:
        """What each effect is of: ranks, or cards."""
        return tuple(map(str, DECK)) if self.is_by_card else tuple(rank.notation for rank in Rank)

    def by_suits(self, values: Sequence[Value]) -> tuple[tuple[str, tuple[Value, ...]], ...]:
        """Values of all ranks in rows of thirteen: one row, or one for suits that have the same values.

        Each comes with its suits in words, empty where the bet treats all alike.
        """
        if not self.is_by_card:
            return (("", tuple(values)),)
        rows: dict[tuple[Value, ...], list[str]] = {}
        for number, suit in enumerate(Suit):
            start = number * len(Rank)
            rows.setdefault(tuple(values[start : start + len(Rank)]), []).append(suit.name.lower())
        return tuple((", ".join(suits), row) for row, suits in rows.items())


@dataclass(frozen=True, slots=True)
class Removals:
    """Effects of removal on every bet of a book."""

    book: Book
    decks: int
    bets: tuple[Removal, ...]

    @property
    def table(self) -> Grid:
        """Effects in per cent, a row for each bet, or for each suit where suits matter to it."""
        heads = ("Bet", *(rank.notation for rank in Rank))
        rows = tuple(
            (suited_label(self.book, one.area, suits), *(f"{float(effect) * 100:+.4f}" for effect in row))
            for one in self.bets
            for suits, row in one.by_suits(one.effects)
        )
        title = f"{self.book.title}, {counted(self.decks, 'deck')}: effects of removal, %"
        return figures(title, heads, rows)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def suited_label(book: Book, area: str, suits: str) -> str:
    """A bet, and the suits of which a row of figures is."""
    label = study_label(book, area)
    return f"{label}: {suits}" if suits else label


def removals(book: Book, decks: int) -> Removals:
    """Exact effects of removal from a full shoe of this many decks."""
    full = Undealt.of_decks(decks)
    without = cache(lambda card: Weighing(book, full.less([card]), RoundSoFar()))
    whole = Weighing(book, full, RoundSoFar())
    bets = []
    for area in book.outright_areas:
        value = whole.odds(area).ev
        ev = cache(lambda card, area=area: without(card).odds(area).ev)
        bets.append(Removal(area, value, _merged([ev(card) - value for card in cards_to_remove(book, area)])))
    return Removals(book, decks, (*bets, *_antes(book, full)))


def _antes(book: Book, full: Undealt) -> tuple[Removal, ...]:
    if book.ante is None:
        return ()
    whole, *less = (
        ante_odds(book, undealt).sides for undealt in (full, *(full.less([_any_card(r)]) for r in Rank))
    )
    return tuple(
        Removal(side.pair.ante, side.ev, tuple(sides[i].ev - side.ev for sides in less))
        for i, side in enumerate(whole)
    )


def _merged(effects: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """By rank, where the suits of each do the same after all."""
    ranks = len(Rank)
    is_alike = all(effect == effects[i % ranks] for i, effect in enumerate(effects))
    return tuple(effects[:ranks] if is_alike else effects)


def insured_removals(book: Book, decks: int) -> tuple[Removal, ...]:
    """Effects of removal on the main bets that are insured by a player who sees every card."""
    insured = insured_areas(book)
    if not insured:
        return ()
    shoes = [Undealt.of_decks(decks)]
    shoes += [shoes[0].less([_any_card(rank)]) for rank in list(Rank)[:10]]  # tens and courts do the same
    values = [_insured(book, shoe) for shoe in shoes]
    full = values[0]
    return tuple(
        Removal(area, full[hand], tuple(values[min(rank, 10)][hand] - full[hand] for rank in Rank))
        for area, hand in insured.items()
    )


def _insured(book: Book, undealt: Undealt) -> dict[Hand, Fraction]:
    odds, gains = odds_of(book, undealt), gains_with_cards(book, undealt)
    return {hand: odds.bet(book.main_area(hand)).ev + gains[hand] for hand in Hand}


def cards_to_remove(book: Book, area: str) -> list[Card]:
    """A card of each rank, or, if the bet names suits, all of a deck; of cards alike to it, the first."""
    if not _names_suits(book, area):
        return [_any_card(rank) for rank in Rank]
    table = book.pay_tables[area].cards
    assert table is not None, "a bet that names suits reads single cards"
    return [table.kinds.cards[kind] for kind in table.kinds.of]


def _names_suits(book: Book, area: str) -> bool:
    bet = book.bet(area)
    whens = [one for _, one in entries(bet) if isinstance(one, When)]
    if any(when.names_suits for when in whens):
        return True
    others = [other for when in whens for other in _many(when.wins)]
    return any(_names_suits(book, other) for other in others)


def _many(areas: str | tuple[str, ...] | None) -> tuple[str, ...]:
    return areas if isinstance(areas, tuple) else () if areas is None else (areas,)


def _any_card(rank: Rank) -> Card:
    return Card(f"{rank.notation}{Suit.SPADES.value}")
