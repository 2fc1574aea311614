"""Everything that goes wrong in the drill, each with random cards."""

from __future__ import annotations

from collections.abc import Callable

from punto.cards.card import DECK, Card
from punto.coup.deal import next_hand
from punto.drill.chance import Chance
from punto.drill.questions.irregularity.scene import Happening, Scene
from punto.drill.rehearsal import BOX, DEALER, PLAYER, Rehearsal
from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.rules.role import Role
from punto.rules.text.betting import Signal
from punto.rules.text.irregularity import Finding
from punto.table import command as c
from punto.table.irregularities.sighting import Face, OrderKnown, Place, Seen, Sighting
from punto.table.terms import Faces, Offering

STAKE = 100_00
CHANCE_SETTLED = 0.3
"""How often an error that can be noticed after settlement is noticed only then."""

_OTHER = {Hand.PLAYER: Place.BANKER, Hand.BANKER: Place.PLAYER}


def _dealt(book: Book, cards: tuple[Card, ...], *, faces: Faces = Faces.UP) -> Rehearsal:
    """A table with a bet on Banker and these cards."""
    table = Rehearsal(book, faces=faces)
    table.bet(Hand.BANKER, STAKE)
    table.deal(cards)
    return table


def _due(book: Book, cards: tuple[Card, ...]) -> Hand | None:
    """The hand that gets the card after these."""
    return next_hand(book.play, (*cards[0:4:2], *cards[4:5]), cards[1:4:2])


def _unfinished(book: Book, number: int) -> Callable[[tuple[Card, ...]], bool]:
    """Whether a card is due after the first `number` cards."""
    return lambda cards: _due(book, cards[:number]) is not None


def _settled(table: Rehearsal) -> None:
    table.give(c.SettleRound(actor=DEALER, role=Role.DEALER))


# ── Cards with the wrong hand ────────────────────────────────────────────────────────────────────


def third_card_crossed(book: Book, chance: Chance) -> Happening:
    """The card after the fourth is put to the hand that was not due it."""
    cards = chance.find_cards(_unfinished(book, 4))
    hand = _due(book, cards[:4])
    assert hand is not None
    return Happening(_dealt(book, cards[:4]), (Sighting(card=cards[4], lies=_OTHER[hand]),))


def first_cards_crossed(book: Book, chance: Chance) -> Happening:
    """The last two of the first cards lie with each other's hand, or only the last one does."""
    number = chance.between(2, 4)
    crossed = chance.one_of([(number - 1, number), (number,)])
    table = _dealt(book, chance.cards()[:number])
    hands = table.state.record
    return Happening(table, tuple(Sighting(nth=nth, lies=_OTHER[hands[nth - 1]]) for nth in crossed))


def unseen_card_crossed(book: Book, chance: Chance) -> Happening:
    """At a face-down table the next card is put to the other hand, and nobody has seen it."""
    table = _dealt(book, chance.cards()[: chance.between(1, 3)], faces=Faces.DOWN)
    hand = _due(book, DECK[: table.state.cards_out])
    assert hand is not None, "the first four have their places by order alone"
    return Happening(table, (Sighting(card=None, lies=_OTHER[hand], face=Face.DOWN),))


# ── Cards drawn at once ──────────────────────────────────────────────────────────────────────────


def drawn_together(book: Book, chance: Chance) -> Happening:
    """Two cards come at once, and nobody knows which was first."""
    number = chance.between(1, 4)
    cards = chance.find_cards(_unfinished(book, number))
    two = (
        Sighting(card=cards[4], lies=Place.PLAYER, together=True),
        Sighting(card=cards[5], lies=Place.BANKER, together=True),
    )
    return Happening(_dealt(book, cards[:number]), two)


def drawn_together_in_sight(book: Book, chance: Chance) -> Happening:
    """Two cards come at once, and everybody saw which was first."""
    happening = drawn_together(book, chance)
    return Happening(happening.table, happening.cards, order=OrderKnown.SEEN)


# ── Cards that show, or that nobody was due ──────────────────────────────────────────────────────


def shown_in_its_place(book: Book, chance: Chance) -> Happening:
    """At a face-down table a card lies in its place, but open; others may be open already."""
    cards = chance.cards()
    number = chance.between(1, 4)
    table = _dealt(book, cards[:number], faces=Faces.DOWN)
    hidden = chance.shuffled(range(number))
    nth = hidden.pop()
    if number == 4:
        for other in hidden[: chance.between(0, len(hidden))]:
            hand = table.state.record[other]
            reveal = c.RevealCard(
                actor=DEALER, role=Role.DEALER, hand=hand, number=other // 2 + 1, card=cards[other]
            )
            table.give(reveal)
    return Happening(table, (Sighting(nth=nth + 1, face=Face.UP, is_=cards[nth]),))


def shown_before_it_is_due(book: Book, chance: Chance) -> Happening:
    """With four cards face down, one more comes out open before anybody knows whether it is due."""
    cards = chance.cards()
    table = _dealt(book, cards[:4], faces=Faces.DOWN)
    return Happening(table, (Sighting(card=cards[4], lies=Place.TABLE, face=Face.UP),))


def one_card_more(book: Book, chance: Chance) -> Happening:
    """All cards are out, and then one more comes; sometimes it is noticed only after settlement."""
    table = _dealt(book, chance.cards())
    if chance.happens(CHANCE_SETTLED):
        _settled(table)
    place = chance.one_of([Place.PLAYER, Place.BANKER, Place.TABLE])
    return Happening(table, (Sighting(card=chance.one_of(DECK), lies=place),))


# ── Other dealing errors ─────────────────────────────────────────────────────────────────────────


def on_the_floor(book: Book, chance: Chance) -> Happening:
    """The next card falls to the floor and is recovered."""
    number = chance.between(1, 4)
    cards = chance.find_cards(_unfinished(book, number))
    return Happening(_dealt(book, cards[:number]), (Sighting(card=cards[4], lies=Place.FLOOR),))


def before_the_call(book: Book, chance: Chance) -> Happening | None:
    """A card leaves the shoe while bets are open."""
    if book.betting.closes.by is not Signal.CALL:
        return None
    table = Rehearsal(book)
    table.place(Hand.BANKER, STAKE)
    return Happening(table, (Sighting(card=chance.cards()[0], lies=Place.PLAYER),))


def one_card_less(book: Book, chance: Chance) -> Happening | None:
    """Four cards were settled on, and one is another than was thought: a hand should have drawn."""
    cards = chance.find_cards(lambda cards: not _unfinished(book, 4)(cards))[:4]
    nth = chance.between(1, 4)
    others = [card for card in DECK if _unfinished(book, 4)((*cards[: nth - 1], card, *cards[nth:]))]
    if not others:
        return None
    table = _dealt(book, cards)
    _settled(table)
    return Happening(table, (Sighting(nth=nth, is_=chance.one_of(others)),))


# ── The set of cards, and all the rest ───────────────────────────────────────────────────────────


def foreign_card(book: Book, chance: Chance) -> Happening:
    """A card of another set lies on the table."""
    cards = chance.cards()
    table = _dealt(book, cards[: chance.between(1, 4)])
    return Happening(table, (Sighting(card=cards[4], lies=Place.TABLE, foreign=True),))


def two_errors(book: Book, chance: Chance) -> Happening:
    """Cards lie with the wrong hand, and beside that something else went wrong."""
    crossed = first_cards_crossed(book, chance)
    beside = chance.one_of([foreign_card, drawn_together])(book, chance)
    return Happening(crossed.table, (*crossed.cards, *beside.cards))


def _seen(seen: Seen) -> Callable[[Book, Chance], Happening]:
    """Something beside the cards is seen, with up to four of them on the table."""
    return lambda book, chance: Happening(_dealt(book, chance.cards()[: chance.between(1, 4)]), seen=(seen,))


def insurance_neglected(book: Book, chance: Chance) -> Happening | None:
    """A finished round in which insurance was wished for, not offered, and would have won."""
    if book.insurance is None:
        return None
    table = Rehearsal(book, offering=Offering.DEALER)
    hand = chance.one_of(list(Hand))
    table.bet(hand, STAKE)
    cards = chance.cards()
    table.deal(cards[:4])
    wish = c.WishInsurance(actor=PLAYER, role=Role.PLAYER, box=BOX, hand=hand)
    if not table.takes(wish):
        return None
    table.give(wish)
    table.deal(cards[4:])
    return Happening(table, seen=(Seen.INSURANCE_NEGLECTED,))


def found_late(book: Book, chance: Chance) -> Happening:
    """What went wrong in one round comes to light in the next."""
    happening = one_card_more(book, chance)
    table = happening.table
    if table.state.settled is None:
        _settled(table)
    late = table.state.round
    table.give(c.CallBets(actor=DEALER, role=Role.DEALER))
    return Happening(table, happening.cards, round=late)


SCENES: dict[str, Scene] = {
    scene.name: scene
    for scene in (
        Scene("third-card-crossed", (Finding.WRONG_SIDE, Finding.WRONG_NUMBER), third_card_crossed),
        Scene("first-cards-crossed", (Finding.WRONG_SIDE,), first_cards_crossed),
        Scene("unseen-card-crossed", (Finding.WRONG_SIDE,), unseen_card_crossed),
        Scene("two-at-once", (Finding.DRAWN_TOGETHER,), drawn_together),
        Scene("two-at-once-in-sight", (Finding.DRAWN_TOGETHER,), drawn_together_in_sight, is_decided=False),
        Scene("shown-in-its-place", (Finding.FACE_UP,), shown_in_its_place, is_decided=False),
        Scene("shown-before-it-is-due", (Finding.EXPOSED,), shown_before_it_is_due),
        Scene("one-card-more", (Finding.EXCESS, Finding.WRONG_NUMBER), one_card_more),
        Scene("one-card-less", (Finding.DEALING_ERROR, Finding.WRONG_NUMBER), one_card_less),
        Scene("on-the-floor", (Finding.DEALING_ERROR,), on_the_floor),
        Scene("before-the-call", (Finding.DEALING_ERROR,), before_the_call, is_decided=False),
        Scene("card-of-another-set", (Finding.FOREIGN_CARD,), foreign_card),
        Scene("two-errors", (Finding.FOREIGN_CARD, Finding.DRAWN_TOGETHER), two_errors),
        Scene("cards-missing", (Finding.WRONG_SET,), _seen(Seen.WRONG_SET)),
        Scene("cards-unshuffled", (Finding.NOT_SHUFFLED,), _seen(Seen.NOT_SHUFFLED)),
        Scene("shoe-empty", (Finding.CARDS_RUN_OUT,), _seen(Seen.CARDS_RUN_OUT)),
        Scene("power-failure", (Finding.INTERRUPTION,), _seen(Seen.INTERRUPTION), is_decided=False),
        Scene("no-offer-made", (Finding.INSURANCE_NEGLECTED,), insurance_neglected),
        Scene("round-before", (Finding.FOUND_LATE,), found_late, is_decided=False),
        Scene("something-else", (Finding.UNCOVERED,), _seen(Seen.UNCOVERED)),
    )
}
"""By name."""

_WHERE_SILENT = ("first-cards-crossed", "on-the-floor", "power-failure")
"""What is asked of a document that does not speak of it: enough to know that it is silent."""


def scenes_of(book: Book) -> tuple[Scene, ...]:
    """What is asked about a book: whatever it speaks of, and a little of what it does not."""
    return tuple(
        scene for scene in SCENES.values() if scene.entry(book) is not None or scene.name in _WHERE_SILENT
    )
