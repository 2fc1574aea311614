"""Live advice: what every bet is worth now, given all cards seen of the shoe and of the round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from punto.cards.card import Card
from punto.documents.page import Grid, expectation, figures, percent
from punto.odds.ante import GIVE_UP, AnteSide, ante_odds
from punto.odds.bet_odds import Odds, Weighing
from punto.odds.known_cards import RoundSoFar, Stage, Undealt
from punto.odds.ordered_draws import all_ways, ways
from punto.rules.book import Book, label_of
from punto.rules.outcome import format_odds
from punto.rules.pay_table import InsuranceOffer


@dataclass(frozen=True, slots=True)
class OpenOffer:
    """Insurance on offer now, and what a unit of it gains."""

    offer: InsuranceOffer
    ev: Fraction


@dataclass(frozen=True, slots=True)
class OpenAnte:
    """An ante to be decided now: net per ante of playing."""

    ante: str
    wager: str
    play: Fraction

    @property
    def best(self) -> str:
        """`play` or `give-up`."""
        return "play" if self.play >= GIVE_UP else "give-up"


@dataclass(frozen=True, slots=True)
class Advice:
    """Every bet's exact expectation at one moment."""

    odds: Odds
    offers: tuple[OpenOffer, ...]
    antes: tuple[OpenAnte, ...]
    ante_sides: tuple[AnteSide, ...] = ()  # Before the deal: every ante, with optimal play.

    @property
    def stage(self) -> Stage:
        """How far the round has come."""
        return self.odds.dealt.stage

    @property
    def table(self) -> Grid:
        """The expectations as rows for people."""
        book = self.odds.book
        rows = [_row(label_of(book, b.area), b.ev, percent(b.win)) for b in self.odds.bets]
        for side in self.ante_sides:
            rows.append(_row(f"{label_of(book, side.pair.ante)}, with optimal play", side.ev))
        for one in self.offers:
            name = f"{label_of(book, one.offer.area)} at {format_odds(one.offer.odds)}"
            rows.append(_row(name, one.ev))
        for ante in self.antes:
            rows.append(_row(f"{label_of(book, ante.ante)}: play", ante.play))
            rows.append(_row(f"{label_of(book, ante.ante)}: give up", GIVE_UP))
        cards = self.odds.undealt.size
        title = f"{book.title}: {self.stage.words}, {cards} cards unseen"
        return figures(title, ("Bet", "House edge now", "Expectation", "Wins"), rows)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def advise(book: Book, undealt: Undealt, round_cards: Sequence[Card] = ()) -> Advice:
    """What every bet is worth now.

    `undealt` are all cards nobody has seen; `round_cards` those of this round in dealing order, no longer
    among them.
    """
    dealt = RoundSoFar.of(book.play, round_cards)
    undealt.require_a_round(len(dealt.cards))
    weighing = Weighing(book, undealt, dealt)
    odds = Odds(book, undealt, dealt, tuple(weighing.odds(area) for area in book.outright_areas))
    before = book.ante is not None and not dealt.cards
    sides = ante_odds(book, undealt).sides if before else ()
    return Advice(odds, _offers(book, undealt, dealt), _antes(book, weighing, dealt), sides)


def _offers(book: Book, undealt: Undealt, dealt: RoundSoFar) -> tuple[OpenOffer, ...]:
    if dealt.stage not in (Stage.FOUR_CARDS, Stage.PLAYERS_THIRD):
        return ()
    third = dealt.player[2].points if len(dealt.player) == 3 else None
    player, banker = sum(dealt.player_points) % 10, sum(dealt.banker_points) % 10
    total = all_ways(undealt.points, dealt)
    found = []
    for offer in book.open_offers(len(dealt.cards), player, banker, third):
        net = Fraction(0)
        for way in ways(book.play, undealt.points, dealt):
            net += offer.outcome(way.winner).net * way.weight
        found.append(OpenOffer(offer, net / total))
    return tuple(found)


def _antes(book: Book, weighing: Weighing, dealt: RoundSoFar) -> tuple[OpenAnte, ...]:
    ante = book.ante
    if ante is None or len(dealt.cards) != ante.shown_cards:
        return ()
    return tuple(
        OpenAnte(pair.ante, pair.wager, weighing.odds(pair.ante).ev + ante.multiple * weighing.odds(pair.wager).ev)
        for pair in ante.pairs
    )


def _row(name: str, ev: Fraction, wins: str = "") -> tuple[str, ...]:
    """What a bet is worth: the house edge, the expectation beside it, and how often it wins."""
    return name, percent(-ev), expectation(ev), wins
