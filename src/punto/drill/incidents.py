"""What can go wrong at a table, staged for a question: scenes, how a table is brought into one, and the story
as a report tells it.

A scene is played on a real table, so that what follows is what the table rules by the book.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from punto.cards.card import DECK, Card
from punto.coup.coup import next_hand
from punto.drill.quiz import BOX, DEALER, MOST_TRIES, PLAYER, Cards, Chance, Rehearsal
from punto.rules.authority import LADDER, Role
from punto.rules.book import Book
from punto.rules.book_text import Finding, Irregularity, Signal
from punto.rules.outcome import Hand
from punto.table import irregularity_events as case_events
from punto.table.betting import BetsClosed, CallBets
from punto.table.command import Command
from punto.table.dealing import RevealCard
from punto.table.event import Event
from punto.table.header import Person
from punto.table.insurance import WishInsurance
from punto.table.irregularity_case import Awaits, Evidence, Face, OrderKnown, Place, RoundCard, Seen, Sighting
from punto.table.irregularity_findings import due_hands, lying_with, rule_on
from punto.table.settlement import SettlementReversed, SettleRound
from punto.table.terms import Faces, Offering

Happening = tuple[Rehearsal, case_events.Report]  # A table on which something has gone wrong, and what is seen of it.
SetUp = Callable[[Book, Chance], Happening | None]
"""None if this cannot happen with these cards, or at a table of this book."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One thing that can go wrong."""

    name: str  # What was seen, never what it comes to: the name stands beside the question.
    about: tuple[Finding, ...]  # What a book can take it for: the first of these that it speaks of.
    set_up: SetUp
    is_decided: bool = True  # Whether somebody of the house has to decide, where the book speaks of it.

    def entry(self, book: Book) -> Irregularity | None:
        """What the book says about it; None where the document is silent."""
        return next(filter(None, map(book.irregularity, self.about)), None)


@dataclass(frozen=True, slots=True)
class Incident:
    """A scene that was reported, and what the table made of it."""

    table: Rehearsal
    report: case_events.Report
    events: tuple[Event, ...]

    @property
    def evidence(self) -> Evidence:
        opened = (event.evidence for event in self.events if isinstance(event, case_events.CaseOpened))
        return next(opened, Evidence())

    @property
    def clause_found(self) -> case_events.ClauseFound | None:
        """The clause that was found last; None for an error that was found too late."""
        return next((event for event in reversed(self.events) if isinstance(event, case_events.ClauseFound)), None)

    @property
    def finding(self) -> Finding:
        return self.clause_found.finding if self.clause_found else Finding.FOUND_LATE

    @property
    def awaits(self) -> Awaits:
        return self.clause_found.awaits if self.clause_found else Awaits.NOTHING

    @property
    def rule(self) -> Irregularity:
        """What the book says about it; a ruling where it is silent."""
        return rule_on(self.table.book, self.finding)

    def hand(self, place: Place) -> tuple[Card | None, ...]:
        """The cards that lie with a hand, None for one whose face does not show."""
        if not self.evidence.cards:
            return self.table.cards(Hand(place.value))
        return tuple(card.shown for card in lying_with(self.evidence.cards, place))

    def after(self, command: Command) -> Incident:
        return replace(self, events=(*self.events, *self.table.give(command)))

    def order(self, role: Role) -> Command:
        """What the case is waiting for, ordered by somebody of this rank."""
        second = Person("somebody else", LADDER[-1])
        if self.awaits is Awaits.JUDGEMENT:
            return case_events.JudgeReconstruction(actor="somebody", role=role, second=second, possible=False)
        if self.awaits is Awaits.ORDER:
            numbered = enumerate(self.evidence.cards, start=1)
            cards = tuple(number for number, card in numbered if card in self.evidence.group)
            return case_events.OrderCards(actor="somebody", role=role, second=second, cards=cards)
        if self.awaits is Awaits.RETURN_BETS:
            return case_events.ReturnBets(actor="somebody", role=role, second=second)
        if self.awaits is Awaits.RULING:
            effect = case_events.Effect.VOID
            return case_events.Rule(actor="somebody", role=role, second=second, effect=effect, reason="a drill")
        return case_events.VoidRound(actor="somebody", role=role, second=second, reason="a drill")


def house_judgement(*, possible: bool) -> case_events.JudgeReconstruction:
    """The House's word on whether the cards can be reconstructed."""
    return case_events.JudgeReconstruction(actor="the house", role=LADDER[-1], possible=possible)


def play_scene(book: Book, scene: Scene, chance: Chance) -> Incident:
    """Let it happen and be reported, with cards by which the book takes it for what it speaks of."""
    entry = scene.entry(book)
    for _ in range(MOST_TRIES):
        happening = scene.set_up(book, chance)
        if happening is None or not happening[0].takes(happening[1]):
            continue
        table, report = happening
        incident = Incident(table, report, table.give(report))
        if incident.finding in scene.about and (entry is None or incident.finding is entry.kind):
            return incident
    raise AssertionError(f"{scene.name} can happen at a table of {book.name}")


STAKE = 100_00
CHANCE_SETTLED = 0.3  # How often an error that can be noticed after settlement is noticed only then.

_SETTLE = SettleRound(actor=DEALER, role=Role.DEALER)
_OTHER_PLACE = {Hand.PLAYER: Place.BANKER, Hand.BANKER: Place.PLAYER}


def _report(
    *cards: Sighting, seen: tuple[Seen, ...] = (), order: OrderKnown | None = None, late: int | None = None
) -> case_events.Report:
    """What the dealer saw; `late` is the round it happened in, where it is an earlier one."""
    return case_events.Report(actor=DEALER, role=Role.DEALER, cards=cards, seen=seen, order=order, round=late)


def _dealt(book: Book, cards: Cards, *, faces: Faces = Faces.UP) -> Rehearsal:
    """A table with a bet on Banker and these cards."""
    table = Rehearsal(book, faces=faces)
    table.bet(Hand.BANKER, STAKE)
    table.deal(cards)
    return table


def _due(book: Book, cards: Cards) -> Hand | None:
    return next_hand(book.play, (*cards[0:4:2], *cards[4:5]), cards[1:4:2])


def _unfinished(book: Book, number: int) -> Callable[[Cards], bool]:
    """Whether a card is due after the first `number` cards."""
    return lambda cards: _due(book, cards[:number]) is not None


def third_card_crossed(book: Book, chance: Chance) -> Happening:
    """The card after the fourth is put to the hand that was not due it."""
    cards = chance.find_cards(_unfinished(book, 4))
    hand = _due(book, cards[:4])
    assert hand is not None
    return _dealt(book, cards[:4]), _report(Sighting(card=cards[4], lies=_OTHER_PLACE[hand]))


def first_cards_crossed(book: Book, chance: Chance) -> Happening:
    """The last two of the first cards lie with each other's hand, or only the last one does."""
    number = chance.between(2, 4)
    crossed = chance.one_of([(number - 1, number), (number,)])
    table = _dealt(book, chance.cards()[:number])
    hands = table.state.record
    return table, _report(*(Sighting(nth=nth, lies=_OTHER_PLACE[hands[nth - 1]]) for nth in crossed))


def unseen_card_crossed(book: Book, chance: Chance) -> Happening:
    """At a face-down table the next card is put to the other hand, and nobody has seen it."""
    table = _dealt(book, chance.cards()[: chance.between(1, 3)], faces=Faces.DOWN)
    hand = _due(book, DECK[: table.state.cards_out])
    assert hand is not None, "the first four have their places by order alone"
    return table, _report(Sighting(card=None, lies=_OTHER_PLACE[hand], face=Face.DOWN))


def _next_cards(*places: Place, order: OrderKnown | None = None) -> Callable[[Book, Chance], Happening]:
    """The next card lies at this place; or several come at once, in an order that is known or not."""

    def set_up(book: Book, chance: Chance) -> Happening:
        number = chance.between(1, 4)
        cards = chance.find_cards(_unfinished(book, number))
        together = len(places) > 1
        lying = zip(cards[4:], places, strict=False)
        sightings = (Sighting(card=card, lies=place, together=together) for card, place in lying)
        return _dealt(book, cards[:number]), _report(*sightings, order=order)

    return set_up


drawn_together = _next_cards(Place.PLAYER, Place.BANKER)
drawn_in_sight = _next_cards(Place.PLAYER, Place.BANKER, order=OrderKnown.SEEN)


def shown_in_its_place(book: Book, chance: Chance) -> Happening:
    """At a face-down table a card lies in its place, but open; others may be open already."""
    cards = chance.cards()
    number = chance.between(1, 4)
    table = _dealt(book, cards[:number], faces=Faces.DOWN)
    hidden = chance.shuffled(range(number))
    nth = hidden.pop()
    if number == 4:
        for other in hidden[: chance.between(0, len(hidden))]:
            hand, place = table.state.record[other], other // 2 + 1
            table.give(RevealCard(actor=DEALER, role=Role.DEALER, hand=hand, number=place, card=cards[other]))
    return table, _report(Sighting(nth=nth + 1, face=Face.UP, is_=cards[nth]))


def shown_before_it_is_due(book: Book, chance: Chance) -> Happening:
    """With four cards face down, one more comes out open before anybody knows whether it is due."""
    cards = chance.cards()
    table = _dealt(book, cards[:4], faces=Faces.DOWN)
    return table, _report(Sighting(card=cards[4], lies=Place.TABLE, face=Face.UP))


def one_card_more(book: Book, chance: Chance) -> Happening:
    """All cards are out, and then one more comes; sometimes it is noticed only after settlement."""
    table = _dealt(book, chance.cards())
    if chance.happens(CHANCE_SETTLED):
        table.give(_SETTLE)
    place = chance.one_of([Place.PLAYER, Place.BANKER, Place.TABLE])
    return table, _report(Sighting(card=chance.one_of(DECK), lies=place))


def before_the_call(book: Book, chance: Chance) -> Happening | None:
    """A card leaves the shoe while bets are open."""
    if book.betting.closes.by is not Signal.CALL:
        return None
    table = Rehearsal(book)
    table.place(Hand.BANKER, STAKE)
    return table, _report(Sighting(card=chance.cards()[0], lies=Place.PLAYER))


def one_card_less(book: Book, chance: Chance) -> Happening | None:
    """Four cards were settled on, and one is another than was thought: a hand should have drawn."""
    cards = chance.find_cards(lambda cards: not _unfinished(book, 4)(cards))[:4]
    nth = chance.between(1, 4)
    others = [card for card in DECK if _unfinished(book, 4)((*cards[: nth - 1], card, *cards[nth:]))]
    if not others:
        return None
    table = _dealt(book, cards)
    table.give(_SETTLE)
    return table, _report(Sighting(nth=nth, is_=chance.one_of(others)))


def foreign_card(book: Book, chance: Chance) -> Happening:
    """A card of another set lies on the table."""
    cards = chance.cards()
    table = _dealt(book, cards[: chance.between(1, 4)])
    return table, _report(Sighting(card=cards[4], lies=Place.TABLE, foreign=True))


def two_errors(book: Book, chance: Chance) -> Happening:
    """Cards lie with the wrong hand, and beside that something else went wrong."""
    table, crossed = first_cards_crossed(book, chance)
    _, beside = chance.one_of([foreign_card, drawn_together])(book, chance)
    return table, _report(*crossed.cards, *beside.cards)


def _scene_of(seen: Seen) -> SetUp:
    """Something beside the cards is seen, with up to four of them on the table."""
    return lambda book, chance: (_dealt(book, chance.cards()[: chance.between(1, 4)]), _report(seen=(seen,)))


def insurance_neglected(book: Book, chance: Chance) -> Happening | None:
    """A finished round in which insurance was wished for, not offered, and would have won."""
    if book.insurance is None:
        return None
    table = Rehearsal(book, offering=Offering.DEALER)
    hand = chance.one_of(list(Hand))
    table.bet(hand, STAKE)
    cards = chance.cards()
    table.deal(cards[:4])
    wish = WishInsurance(actor=PLAYER, role=Role.PLAYER, box=BOX, hand=hand)
    if not table.takes(wish):
        return None
    table.give(wish)
    table.deal(cards[4:])
    return table, _report(seen=(Seen.INSURANCE_NEGLECTED,))


def found_late(book: Book, chance: Chance) -> Happening:
    """What went wrong in one round comes to light in the next."""
    table, report = one_card_more(book, chance)
    if table.state.settled is None:
        table.give(_SETTLE)
    late = table.state.round
    table.give(CallBets(actor=DEALER, role=Role.DEALER))
    return table, _report(*report.cards, late=late)


SCENES: dict[str, Scene] = {
    scene.name: scene
    for scene in (
        Scene("third-card-crossed", (Finding.WRONG_SIDE, Finding.WRONG_NUMBER), third_card_crossed),
        Scene("first-cards-crossed", (Finding.WRONG_SIDE,), first_cards_crossed),
        Scene("unseen-card-crossed", (Finding.WRONG_SIDE,), unseen_card_crossed),
        Scene("two-at-once", (Finding.DRAWN_TOGETHER,), drawn_together),
        Scene("two-at-once-in-sight", (Finding.DRAWN_TOGETHER,), drawn_in_sight, is_decided=False),
        Scene("shown-in-its-place", (Finding.FACE_UP,), shown_in_its_place, is_decided=False),
        Scene("shown-before-it-is-due", (Finding.EXPOSED,), shown_before_it_is_due),
        Scene("one-card-more", (Finding.EXCESS, Finding.WRONG_NUMBER), one_card_more),
        Scene("one-card-less", (Finding.DEALING_ERROR, Finding.WRONG_NUMBER), one_card_less),
        Scene("on-the-floor", (Finding.DEALING_ERROR,), _next_cards(Place.FLOOR)),
        Scene("before-the-call", (Finding.DEALING_ERROR,), before_the_call, is_decided=False),
        Scene("card-of-another-set", (Finding.FOREIGN_CARD,), foreign_card),
        Scene("two-errors", (Finding.FOREIGN_CARD, Finding.DRAWN_TOGETHER), two_errors),
        Scene("cards-missing", (Finding.WRONG_SET,), _scene_of(Seen.WRONG_SET)),
        Scene("cards-unshuffled", (Finding.NOT_SHUFFLED,), _scene_of(Seen.NOT_SHUFFLED)),
        Scene("shoe-empty", (Finding.CARDS_RUN_OUT,), _scene_of(Seen.CARDS_RUN_OUT)),
        Scene("power-failure", (Finding.INTERRUPTION,), _scene_of(Seen.INTERRUPTION), is_decided=False),
        Scene("no-offer-made", (Finding.INSURANCE_NEGLECTED,), insurance_neglected),
        Scene("round-before", (Finding.FOUND_LATE,), found_late, is_decided=False),
        Scene("something-else", (Finding.UNCOVERED,), _scene_of(Seen.UNCOVERED)),
    )
}

_WHERE_SILENT = ("first-cards-crossed", "on-the-floor", "power-failure")
"""What is asked of a document that does not speak of it: enough to know that it is silent."""


def scenes_of(book: Book) -> tuple[Scene, ...]:
    """What is asked about a book: whatever it speaks of, and a little of what it does not."""
    return tuple(scene for scene in SCENES.values() if scene.entry(book) is not None or scene.name in _WHERE_SILENT)


# What happened, told as a report tells it: the cards in the order in which they left the shoe, where each
# lies, which faces show, and what else was seen. No word of a clause in it.

_SEEN_WORDS = {
    Seen.FOREIGN_CARD: "A card of another set is found.",
    Seen.WRONG_SET: "The set is found to have too many or too few cards.",
    Seen.NOT_SHUFFLED: "It turns out that the cards were not shuffled.",
    Seen.CARDS_RUN_OUT: "The shoe has too few cards left to finish the round.",
    Seen.INTERRUPTION: "Then the power fails.",
    Seen.INSURANCE_NEGLECTED: (
        "Insurance was due and was not offered; a player had wished for it, and it would have won."
    ),
    Seen.UNCOVERED: "Then something happens that these rules do not speak of.",
}
HOUSE_WORD = {
    True: " The House says that the cards can be reconstructed.",
    False: " The House says that the cards cannot be reconstructed.",
}
"""The House's word, as the next sentence."""
_PLACE_WORDS = {
    Place.PLAYER: "with Player",
    Place.BANKER: "with Banker",
    Place.TABLE: "on the table, with no hand",
    Place.FLOOR: "on the floor, and recovered",
    Place.SHOE: "never out of the shoe",
}


def tell_incident(incident: Incident) -> str:
    report, evidence = incident.report, incident.evidence
    sentences = []
    if incident.table.table.terms.faces is Faces.DOWN:
        sentences.append("Cards are dealt face down at this table.")
    if report.round is not None:
        where = ", ".join(
            f"{card.card.symbol if card.card else 'a card'} {_PLACE_WORDS[card.lies]}"
            for card in report.cards
            if card.lies
        )
        return " ".join(
            (*sentences, f"Bets are open. Somebody notices that the last round had one card too many: {where}.")
        )
    if any(isinstance(event, SettlementReversed) for event in incident.events):
        sentences.append("The round has been settled, and the next has not begun.")
    if any(isinstance(event, BetsClosed) for event in incident.events):
        sentences.append("Bets have not been closed.")
    listed = [card for card in evidence.cards if not card.foreign]
    if listed:
        sentences.append(f"Cards left the shoe in this order: {'; '.join(map(_lying_words, listed))}.")
    foreign = [card for card in evidence.cards if card.foreign]
    sentences += [f"{_face_words(card)} of another set lies {_PLACE_WORDS[card.lies]}." for card in foreign]
    if not evidence.cards:
        sentences.append("No card is out.")
    if len(evidence.group) > 1:
        known = "everybody saw the order, which is the one given" if evidence.order else "nobody knows the order"
        together = " and ".join(_face_words(card) for card in evidence.group)
        sentences.append(f"{together} came at once, and {known}.")
    return " ".join((*sentences, *(_SEEN_WORDS[fact] for fact in evidence.seen)))


def _lying_words(card: RoundCard) -> str:
    was = f" (taken for {card.was.symbol})" if card.was else ""
    return f"{_face_words(card)}{was} {_PLACE_WORDS[card.lies]}"


def _face_words(card: RoundCard) -> str:
    return card.shown.symbol if card.shown else "a card face down"


def where_due(incident: Incident) -> str:
    """Where the table of play puts the cards that lie elsewhere."""
    play, cards = incident.table.book.play, incident.evidence.left
    due = due_hands(play, cards) or due_hands(play, cards[:4]) or ()
    misplaced = [
        f"{_face_words(card)} was due to {hand.value.title() if hand else 'nobody'}"
        for card, hand in zip(cards, due, strict=False)
        if hand is None or card.lies.value != hand.value
    ]
    return "; ".join(misplaced)
