"""The rounds of a game, read off its events: cards, points, winner, and the player's settled bets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from punto.cards.card import Card
from punto.cards.shoe import Shoe
from punto.cli.play_and_learn.play.solo_table import PLAYER, SoloTable
from punto.cli.terminal.faces import WINNERS
from punto.documents.page import Grid, Style
from punto.money import format_money
from punto.rules.book import Book
from punto.rules.facts import Hand, Winner
from punto.rules.labels import label_of
from punto.table import event as e
from punto.table.layout import OfferMade, SettledBet

SHOWN = 20
"""Rounds of a history, unless all are asked for."""


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round that was settled."""

    number: int
    shoe: Shoe
    """Before its first card."""
    cards: tuple[Card, ...]
    """In dealing order."""
    points: dict[Hand, int]
    winner: Winner
    bets: tuple[SettledBet, ...]
    """Those of the player."""
    offers: tuple[tuple[int, OfferMade], ...] = ()
    """Insurance that the player was offered, each with its window by number of cards."""

    @property
    def staked(self) -> int:
        return sum(bet.stake for bet in self.bets)

    @property
    def net(self) -> int:
        return sum(bet.net for bet in self.bets)


def played_rounds(solo: SoloTable) -> Iterator[PlayedRound]:
    """Every settled round, in its order."""
    cards: dict[Hand, list[Card]] = {}
    points: dict[Hand, int] = {}
    offers: list[tuple[int, OfferMade]] = []
    for event in solo.events:
        match event:
            case e.BetsCalled():
                cards, points, offers = {hand: [] for hand in Hand}, {}, []
            case e.InsuranceOffered():
                offers += [(event.window, offer) for offer in event.offers if offer.player == PLAYER]
            case e.CardDealt(card=card) if card is not None:
                cards[event.hand].append(card)
            case e.DealFinished():
                points = {Hand.PLAYER: event.player_points, Hand.BANKER: event.banker_points}
            case e.RoundSettled():
                mine = tuple(bet for bet in event.bets if bet.player == PLAYER)
                shoe = solo.shoes[event.round]
                yield PlayedRound(event.round, shoe, _order(cards), points, event.winner, mine, tuple(offers))


def bet_names(book: Book, bets: Sequence[SettledBet]) -> list[str]:
    """What the player calls each bet: its label, with its box where they are in several."""
    is_one = len({bet.box for bet in bets}) == 1
    return [label_of(book, bet.area) + ("" if is_one else f", box {bet.box}") for bet in bets]


def history_grid(rounds: list[PlayedRound], *, is_whole: bool) -> Grid:
    """What each of the last rounds brought, and all of them so far."""
    so_far, rows, marks = 0, list[tuple[str, ...]](), dict[int, Style]()
    for played in rounds:
        so_far += played.net
        won = f"{WINNERS[played.winner]} {played.points[Hand.PLAYER]}:{played.points[Hand.BANKER]}"
        staked, net = format_money(played.staked), format_money(played.net, is_signed=True)
        rows.append((str(played.number), won, staked, net, format_money(so_far, is_signed=True)))
    shown = rows if is_whole else rows[-SHOWN:]
    for place, played in enumerate(rounds[len(rows) - len(shown) :]):
        if played.net:
            marks[place] = Style.GOOD if played.net > 0 else Style.BAD
    heads = ("round", "result", "staked", "net", "so far")
    return Grid(heads, tuple(shown), right=(0, 2, 3, 4), marks=marks)


def _order(cards: dict[Hand, list[Card]]) -> tuple[Card, ...]:
    player, banker = cards[Hand.PLAYER], cards[Hand.BANKER]
    first = [card for pair in zip(player[:2], banker[:2], strict=True) for card in pair]
    return (*first, *player[2:], *banker[2:])
