"""Which insurance is offered on a bet, at what odds, and up to what stake."""

from __future__ import annotations

from fractions import Fraction

from punto.cards.card import Card
from punto.coup.coup import points
from punto.coup.deal import next_hand
from punto.drill.answer import NONE, OfferAnswer, offered
from punto.drill.chance import TRIES, Chance
from punto.drill.question import Question, QuestionKind, Topic
from punto.drill.questions.payment import CHIP, MOST_CHIPS
from punto.drill.rehearsal import BOX, PLAYER, Rehearsal
from punto.money import format_money
from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.rules.outcome import parse_odds
from punto.rules.role import Role
from punto.table import command as c

NAME = "insurance"
CHANCE_OF_AN_OFFER = 0.7


def insurance_subjects(book: Book) -> tuple[str, ...]:
    """Each hand at each window, where the book has insurance."""
    return tuple(book.insurance_areas)


def ask_insurance(book: Book, subject: str, chance: Chance) -> Question:
    """What is offered on a main bet now."""
    hand, window = book.insurance_areas[subject]
    stake = chance.between(4, MOST_CHIPS) * CHIP
    table, taken = _set_up(book, hand, _cards(book, hand, window, chance), stake, chance)
    offer = next((made for made in table.state.offers if made.hand is hand), None)
    why, clause = _why(table, hand, stake, offer.odds if offer else None)
    return Question(
        Topic(book.name, NAME, subject),
        f"{format_money(stake)} lies on {hand.value.title()}{taken}. Which insurance is offered on it now?",
        OfferAnswer(),
        offered(offer.odds, offer.most) if offer else NONE,
        why,
        clause,
        table.cards(Hand.PLAYER),
        table.cards(Hand.BANKER),
        ((book.main_area(hand), stake),),
    )


KIND = QuestionKind(NAME, "which insurance is offered", insurance_subjects, ask_insurance)


def _cards(book: Book, hand: Hand, window: int, chance: Chance) -> tuple[Card, ...]:
    """Cards that reach the window, mostly such that the pay table has a row for them."""
    wants_offer = chance.happens(CHANCE_OF_AN_OFFER)
    for _ in range(TRIES):
        cards = chance.cards()[:window]
        player, banker = (cards[0], cards[2], *cards[4:]), (cards[1], cards[3])
        if window > 4 and next_hand(book.play, player[:2], banker) is not Hand.PLAYER:
            continue
        third = player[2].points if window > 4 else None
        offers = book.open_offers(window, points(player), points(banker), third)
        if any(offer.hand is hand for offer in offers) is wants_offer:
            return cards
    raise AssertionError("some cards reach every window")


def _set_up(
    book: Book, hand: Hand, cards: tuple[Card, ...], stake: int, chance: Chance
) -> tuple[Rehearsal, str]:
    """The table at the window, and in words what was insured before.

    A player who declines the first offer gets no second one, so part of the first is taken here.
    """
    table = Rehearsal(book)
    table.bet(hand, stake)
    table.deal(cards[:4])
    if len(cards) == 4:
        return table, ""
    first = next((made for made in table.state.offers if made.hand is hand), None)
    taken = ""
    if first is not None:
        chip = table.table.terms.chip
        amount = chance.between(1, first.most // chip) * chip
        table.give(c.TakeInsurance(actor=PLAYER, role=Role.PLAYER, box=BOX, hand=hand, amount=amount))
        taken = f", insured after four cards with {format_money(amount)} at {first.odds}"
    table.deal(cards[4:])
    return table, taken


def _why(table: Rehearsal, hand: Hand, stake: int, odds: str | None) -> tuple[str, str]:
    """Why that is offered: the pay table, the card to come, and what earlier insurance has used up."""
    insurance = table.book.insurance
    assert insurance is not None
    player = tuple(card for card in table.cards(Hand.PLAYER) if card is not None)
    banker = tuple(card for card in table.cards(Hand.BANKER) if card is not None)
    p, b, number = points(player), points(banker), len(player) + len(banker)
    at = f"at Player {p}, Banker {b} with {number} cards"
    promised = sum(taken.amount * parse_odds(taken.odds) for taken in table.state.insured)
    if odds is not None:
        less = f" less {format_money(Fraction(promised))} already promised" if promised else ""
        cap = f"; no more may be paid than {format_money(stake)}{less}"
        return f"the pay table has {odds} for {hand.value.title()} {at}{cap}", insurance.cap_clause
    cells = table.book.offers.cells.get((number, p, b), ())
    if not any(cell.hand is hand for cell in cells):
        return f"the pay table has nothing for {hand.value.title()} {at}", insurance.table_clause
    third = player[2].points if len(player) == 3 else None
    if not table.book.play.brings_card(p, b, third):
        return f"no card is to come {at}", insurance.draw_clause
    return "what is left of the bet is less than a chip at these odds", insurance.cap_clause
