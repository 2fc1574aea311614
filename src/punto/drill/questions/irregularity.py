"""Questions on what goes wrong: what is done about it, who decides, and what the players may choose."""

from __future__ import annotations

from punto.cards.card import Card
from punto.drill.answer import WordAnswer
from punto.drill.chance import TRIES, Chance
from punto.drill.question import Question, QuestionKind, Topic
from punto.drill.rehearsal import BOX, DEALER, PLAYER, Rehearsal
from punto.rules import words
from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.rules.role import LADDER, Role
from punto.rules.text.irregularity import Irregular, Irregularity, Options, Remedy
from punto.table import command as c
from punto.table import event as e
from punto.table.command import Effect
from punto.table.header import Person
from punto.table.irregularities.case import Awaits
from punto.table.terms import Faces, Offering

STAKE = 100_00
LEAST_CHOICES = 4


def _entry(book: Book, subject: str) -> Irregularity:
    entry = book.irregularity(Irregular(subject))
    assert entry is not None
    return entry


def _sentence(entry: Irregularity) -> str:
    return f"{entry.label}."


# ── What is done ─────────────────────────────────────────────────────────────────────────────────


def remedy_subjects(book: Book) -> tuple[str, ...]:
    """Everything the book speaks of."""
    return tuple(entry.kind.value for entry in book.irregularities)


def ask_remedy(book: Book, subject: str, chance: Chance) -> Question:
    """What is done about an irregularity."""
    entry = _entry(book, subject)
    remedies = list(dict.fromkeys(other.remedy for other in book.irregularities))
    others = [remedy for remedy in Remedy if remedy not in remedies]
    remedies += chance.some_of(others, max(0, LEAST_CHOICES - len(remedies)))
    remedies = chance.shuffled(remedies)
    also = f"; {words.OPTIONS[entry.options]}" if words.OPTIONS[entry.options] else ""
    return Question(
        Topic(book.name, REMEDY.name, subject),
        f"{_sentence(entry)} What is done?",
        WordAnswer(tuple(one.value for one in remedies), tuple(words.REMEDIES[one] for one in remedies)),
        entry.remedy.value,
        f"{words.REMEDIES[entry.remedy]}{also}",
        entry.clause,
    )


# ── Who decides ──────────────────────────────────────────────────────────────────────────────────


def decides_subjects(book: Book) -> tuple[str, ...]:
    """Whatever waits for somebody's order; the rest follows from the report alone."""
    at_once = (Remedy.PLAY_ON, Remedy.NO_EFFECT, Remedy.COMPLETE_OR_VOID)
    return tuple(entry.kind.value for entry in book.irregularities if entry.remedy not in at_once)


def ask_decides(book: Book, subject: str, chance: Chance) -> Question:
    """The least rank that the table takes the order from."""
    entry = _entry(book, subject)
    table, _ = _reported(book, entry, chance)
    least = next(role for role in LADDER if table.takes(_order(table, role)))
    return Question(
        Topic(book.name, DECIDES.name, subject),
        f"{_sentence(entry)} Who decides, at the least?",
        WordAnswer(tuple(role.value for role in LADDER)),
        least.value,
        f"{words.rank_words(least)} decides",
        entry.clause,
    )


def _order(table: Rehearsal, role: Role) -> c.Command:
    """The order that a case is waiting for, given by somebody of this rank."""
    case = table.state.case
    assert case is not None, "the case waits for an order"
    second = Person("somebody else", LADDER[-1])
    if case.awaits is Awaits.JUDGEMENT:
        return c.JudgeReconstruction(actor="somebody", role=role, second=second, possible=False)
    if case.awaits is Awaits.ORDER:
        return c.OrderCards(actor="somebody", role=role, second=second, cards=case.cards)
    if case.awaits is Awaits.RETURN_BETS:
        return c.ReturnBets(actor="somebody", role=role, second=second)
    if case.awaits is Awaits.RULING:
        return c.Rule(actor="somebody", role=role, second=second, effect=Effect.VOID, reason="a drill")
    return c.VoidRound(actor="somebody", role=role, second=second, reason="a drill")


# ── What the players may choose ──────────────────────────────────────────────────────────────────


def options_subjects(book: Book) -> tuple[str, ...]:
    """Where it depends on the cards: a choice for the players, or whether the round is completed."""
    return tuple(
        entry.kind.value
        for entry in book.irregularities
        if entry.options is not Options.NEVER or entry.remedy is Remedy.COMPLETE_OR_VOID
    )


def ask_options(book: Book, subject: str, chance: Chance) -> Question:
    """Whether the players may have their bets back, or the round is completed, with these cards."""
    entry = _entry(book, subject)
    if entry.remedy is Remedy.COMPLETE_OR_VOID:
        return _ask_completed(book, entry, chance)
    table, events = _reported(book, entry, chance)
    player, banker = table.cards(Hand.PLAYER), table.cards(Hand.BANKER)
    case = table.state.case
    put_right = ""
    if case is not None and case.awaits is Awaits.JUDGEMENT:
        put_right = " The cards can be put right."
        judged = c.JudgeReconstruction(actor="somebody", role=LADDER[-1], possible=True)
        events = table.give(judged)
    elif case is not None and case.awaits is Awaits.ORDER:
        put_right = " Their order has been decided."
        events = table.give(_order(table, LADDER[-1]))
    has_choice = any(isinstance(event, e.OptionsGiven) for event in events)
    return Question(
        Topic(book.name, OPTIONS.name, entry.kind.value),
        f"{_sentence(entry)}{put_right} May the players have their bets back?",
        WordAnswer(("yes", "no")),
        "yes" if has_choice else "no",
        words.OPTIONS[entry.options],
        entry.options_clause,
        player,
        banker,
    )


def _ask_completed(book: Book, entry: Irregularity, chance: Chance) -> Question:
    table = Rehearsal(book)
    table.bet(Hand.BANKER, STAKE)
    table.deal(chance.cards()[: chance.between(0, 4)])
    player, banker = table.cards(Hand.PLAYER), table.cards(Hand.BANKER)
    events = table.give(c.Report(actor=DEALER, role=Role.DEALER, kind=entry.kind))
    is_void = any(isinstance(event, e.RoundVoided) for event in events)
    return Question(
        Topic(book.name, OPTIONS.name, entry.kind.value),
        f"{_sentence(entry)} Is the round completed, or void?",
        WordAnswer(("completed", "void")),
        "void" if is_void else "completed",
        words.REMEDIES[entry.remedy],
        entry.void_clause if is_void else entry.clause,
        player,
        banker,
    )


REMEDY = QuestionKind("remedy", "what is done when something goes wrong", remedy_subjects, ask_remedy)
DECIDES = QuestionKind("decides", "who decides then", decides_subjects, ask_decides)
OPTIONS = QuestionKind("options", "what the players may choose then", options_subjects, ask_options)


# ── A table on which it happened ─────────────────────────────────────────────────────────────────


def _reported(book: Book, entry: Irregularity, chance: Chance) -> tuple[Rehearsal, tuple[e.Event, ...]]:
    """A table on which this has just been reported, and what the report brought."""
    if entry.remedy is Remedy.RETURN_BETS:
        table = _neglected(book, chance)
        return table, table.give(c.Report(actor=DEALER, role=Role.DEALER, kind=entry.kind))
    if entry.remedy is Remedy.PLAY_ON:
        return _face_up(book, entry, chance)
    table = Rehearsal(book)
    table.bet(Hand.BANKER, STAKE)
    cards = chance.cards()
    table.deal(cards[: chance.between(1, 4)])
    needed = cards[4:] if entry.remedy is Remedy.ORDER_CARDS else ()
    return table, table.give(c.Report(actor=DEALER, role=Role.DEALER, kind=entry.kind, cards=needed))


def _face_up(book: Book, entry: Irregularity, chance: Chance) -> tuple[Rehearsal, tuple[e.Event, ...]]:
    """A face-down table: perhaps some cards are opened already when one more is found to lie open."""
    table = Rehearsal(book, faces=Faces.DOWN)
    table.bet(Hand.BANKER, STAKE)
    cards = chance.cards()
    number = chance.between(1, 4)
    table.deal(cards[:number])
    dealt = [(hand, place) for hand in Hand for place in range(1, len(table.cards(hand)) + 1)]
    hidden = chance.shuffled(dealt)
    hand, place = hidden.pop()
    if number == 4:
        for other, at in hidden[: chance.between(0, len(hidden))]:
            table.give(
                c.RevealCard(
                    actor=DEALER, role=Role.DEALER, hand=other, number=at, card=_at(cards, other, at)
                )
            )
    found = (_at(cards, hand, place),)
    report = c.Report(actor=DEALER, role=Role.DEALER, kind=entry.kind, hand=hand, number=place, cards=found)
    return table, table.give(report)


def _at(cards: tuple[Card, ...], hand: Hand, number: int) -> Card:
    return cards[2 * (number - 1) + (hand is Hand.BANKER)]


def _neglected(book: Book, chance: Chance) -> Rehearsal:
    """A finished round in which insurance was wished for, not offered, and would have won."""
    for _ in range(TRIES):
        table = Rehearsal(book, offering=Offering.DEALER)
        hand = chance.one_of(list(Hand))
        table.bet(hand, STAKE)
        cards = chance.cards()
        table.deal(cards[:4])
        wish = c.WishInsurance(actor=PLAYER, role=Role.PLAYER, box=BOX, hand=hand)
        if not table.takes(wish):
            continue
        table.give(wish)
        table.deal(cards[4:])
        if table.takes(c.Report(actor=DEALER, role=Role.DEALER, kind=Irregular.INSURANCE_NEGLECTED)):
            return table
    raise AssertionError("insurance can be neglected wherever it is offered")
