"""Live advice: what every bet is worth now, given all cards seen of the shoe and of the round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from punto.cards.card import Card
from punto.documents.page import Grid, Tabled, expectation, figures, percent
from punto.odds.ante import GIVE_UP, AnteSide, ante_odds, best_choice
from punto.odds.bet_odds import Odds, Weighing
from punto.odds.known_cards import RoundSoFar, Stage, Undealt
from punto.odds.ordered_draws import all_ways, ways
from punto.rules.book import Book, label_of
from punto.rules.outcome import shown_odds
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
        return best_choice(self.play)


@dataclass(frozen=True, slots=True)
class Advice(Tabled):
    """Every bet's exact expectation at one moment."""

    odds: Odds
    offers: tuple[OpenOffer, ...]
    antes: tuple[OpenAnte, ...]
    ante_sides: tuple[AnteSide, ...] = ()  # Before the deal: every ante, with optimal play.

    @property
    def stage(self) -> Stage:
        return self.odds.dealt.stage

    @property
    def table(self) -> Grid:
        book = self.odds.book
        rows = [_row(label_of(book, b.area), b.ev, percent(b.win)) for b in self.odds.bets]
        rows += [_row(f"{label_of(book, side.pair.ante)}, with optimal play", side.ev) for side in self.ante_sides]
        rows += [_row(f"{label_of(book, o.offer.area)} at {shown_odds(o.offer.odds)}", o.ev) for o in self.offers]
        for ante in self.antes:
            label = label_of(book, ante.ante)
            rows += [_row(f"{label}: play", ante.play), _row(f"{label}: give up", GIVE_UP)]
        title = f"{book.title}: {self.stage.words}, {self.odds.undealt.size} cards unseen"
        return figures(title, ("Bet", "House edge now", "Expectation", "Wins"), rows)


def advise(book: Book, undealt: Undealt, round_cards: Sequence[Card] = ()) -> Advice:
    """What every bet is worth now. `undealt` are all cards nobody has seen; `round_cards` those of this round in
    dealing order, no longer among them."""
    dealt = RoundSoFar.of(book.play, round_cards)
    undealt.require_a_round(len(dealt.cards))
    weighing = Weighing(book, undealt, dealt)
    odds = Odds(book, undealt, dealt, tuple(weighing.odds(area) for area in book.outright_areas))
    sides = () if dealt.cards else ante_odds(book, undealt).sides
    return Advice(odds, _offers(book, undealt, dealt), _antes(book, weighing, dealt), sides)


def _offers(book: Book, undealt: Undealt, dealt: RoundSoFar) -> tuple[OpenOffer, ...]:
    if dealt.stage not in (Stage.FOUR_CARDS, Stage.PLAYERS_THIRD):
        return ()
    third = dealt.player[2].points if len(dealt.player) == 3 else None
    player, banker = sum(dealt.player_points) % 10, sum(dealt.banker_points) % 10
    offers = book.open_offers(len(dealt.cards), player, banker, third)
    nets = [Fraction(0) for _ in offers]
    for way in ways(book.play, undealt.points, dealt) if offers else ():
        nets = [net + offer.outcome(way.winner).net * way.weight for net, offer in zip(nets, offers, strict=True)]
    total = all_ways(undealt.points, dealt)
    return tuple(OpenOffer(offer, net / total) for offer, net in zip(offers, nets, strict=True))


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
