"""A coach who looks back at a round: what each bet cost on average, and whether insurance was worth it.

The figures are exact, by the cards that nobody had seen when the bet was made. The coach says what a bet is
worth, never what will come.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from punto.cli.play_and_learn.play.account.rounds import PlayedRound, bet_names
from punto.cli.play_and_learn.play.account.summary import is_wager
from punto.documents.number import percent
from punto.documents.page import Grid
from punto.money import format_money
from punto.odds.advice import Advice, advise
from punto.odds.ante import GIVE_UP
from punto.odds.undealt import Undealt
from punto.rules.book import Book
from punto.rules.labels import label_of
from punto.rules.text.bet import Area


def coach_grid(book: Book, played: PlayedRound) -> Grid | None:
    """What each bet of a round was worth when it was made; None for a round without bets."""
    if not played.bets:
        return None
    before = _advice(book, played, 0)
    rows = []
    for name, bet in zip(bet_names(book, played.bets), played.bets, strict=True):
        if is_wager(book, bet.area):
            continue
        ev, word = _worth(book, played, bet.area, before)
        on_average = format_money(round(ev * bet.stake), is_signed=True)
        net = format_money(bet.net, is_signed=True)
        rows.append((name, format_money(bet.stake), percent(-ev, 2), on_average, net, word))
    heads = ("bet", "stake", "house edge", "on average", "this time", "")
    return Grid(heads, tuple(rows), right=(1, 2, 3, 4), grows=5)


def coach_lines(book: Book, played: PlayedRound) -> Iterator[str]:
    """What a coach says about the player's decisions on antes, and on insurance that was not taken."""
    yield from _passed(book, played)
    ante = book.ante
    if ante is None:
        return
    spots = {(bet.box, bet.area) for bet in played.bets}
    worth = {one.ante: one for one in _advice(book, played, ante.shown_cards).antes}
    for name, bet in zip(bet_names(book, played.bets), played.bets, strict=True):
        open_ante = worth.get(bet.area)
        if open_ante is None:
            continue
        has_wagered = (bet.box, open_ante.wager) in spots
        is_best = has_wagered is (open_ante.best == "play")
        what = "Wagering" if has_wagered else "Giving up"
        yield (
            f"{name}: with the card shown, the house edge was "
            f"{percent(-open_ante.play, 2)} of the ante for the wager and {percent(-GIVE_UP, 0)} for giving "
            f"up. {what} was the {'better' if is_best else 'worse'} choice."
        )


def _passed(book: Book, played: PlayedRound) -> Iterator[str]:
    """Every offer of insurance that was passed up, with what it was worth."""
    areas = {offered: area for area, offered in book.insurance_areas.items()}
    taken = {(bet.box, bet.area) for bet in played.bets}
    is_one = len({bet.box for bet in played.bets}) == 1
    for window, offer in played.offers:
        area = areas[offer.hand, window]
        if (offer.box, area) in taken:
            continue
        ev = next(one.ev for one in _advice(book, played, window).offers if one.offer.area == area)
        where = "" if is_one else f", box {offer.box}"
        worth = "would have been worth it" if ev > 0 else "was fair" if not ev else "was not worth it"
        offered = f"{label_of(book, area)}{where} at {offer.odds}"
        yield f"{offered}, not taken: its house edge was {percent(-ev, 2)}. It {worth}."


def _worth(book: Book, played: PlayedRound, area: str, before: Advice) -> tuple[Fraction, str]:
    """What a unit on this area was worth on average when it was bet, and a word on it."""
    if area in book.insurance_areas:
        _, number = book.insurance_areas[area]
        offers = _advice(book, played, number).offers
        ev = next(one.ev for one in offers if one.offer.area == area)
        word = "worth it" if ev > 0 else "fair" if not ev else "not worth it"
        return ev, word
    bet = book.bet(area)
    if bet is not None and bet.kind is Area.ANTE:
        side = next(side for side in before.ante_sides if side.pair.ante == area)
        return side.ev, "with its wager, optimal play"
    return before.odds.bet(area).ev, ""


def _advice(book: Book, played: PlayedRound, cards: int) -> Advice:
    dealt = played.cards[:cards]
    undealt = Undealt.of_composition(played.shoe.composition).less(dealt)
    return advise(book, undealt, dealt)
