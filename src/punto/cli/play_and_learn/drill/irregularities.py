"""Questions on what goes wrong: what is done about it, who decides, and what the players may choose."""

from __future__ import annotations

from random import Random

from punto.cards.card import Card
from punto.cli.play_and_learn.drill.answer import Choice
from punto.cli.play_and_learn.drill.draws import random_cards
from punto.cli.play_and_learn.drill.question import Question, Topic
from punto.cli.play_and_learn.drill.rehearsal import BOX, DEALER, PLAYER, Rehearsal
from punto.cli.terminal.wording import OPTIONS, REMEDIES, rank_name
from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.rules.role import LADDER, Role
from punto.rules.text.irregularity import Irregular, Irregularity, Options, Remedy
from punto.table import command as c
from punto.table import event as e
from punto.table.command import Effect, Person
from punto.table.state import Awaits
from punto.table.terms import Faces, Offering

REMEDY, DECIDES, OPTION = "remedy", "decides", "options"
STAKE = 100_00
LEAST_CHOICES = 4
TRIES = 3000


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


def ask_remedy(book: Book, subject: str, random: Random) -> Question:
    """What is done about an irregularity."""
    entry = _entry(book, subject)
    remedies = list(dict.fromkeys(other.remedy for other in book.irregularities))
    others = [remedy for remedy in Remedy if remedy not in remedies]
    remedies += random.sample(others, max(0, LEAST_CHOICES - len(remedies)))
    random.shuffle(remedies)
    also = f"; {OPTIONS[entry.options]}" if OPTIONS[entry.options] else ""
    return Question(
        Topic(book.name, REMEDY, subject),
        f"{_sentence(entry)} What is done?",
        Choice(tuple(one.value for one in remedies), tuple(REMEDIES[one] for one in remedies)),
        entry.remedy.value,
        f"{REMEDIES[entry.remedy]}{also}",
        entry.clause,
    )


# ── Who decides ──────────────────────────────────────────────────────────────────────────────────


def decides_subjects(book: Book) -> tuple[str, ...]:
    """Whatever waits for somebody's order; the rest follows from the report alone."""
    at_once = (Remedy.PLAY_ON, Remedy.NO_EFFECT, Remedy.COMPLETE_OR_VOID)
    return tuple(entry.kind.value for entry in book.irregularities if entry.remedy not in at_once)


def ask_decides(book: Book, subject: str, random: Random) -> Question:
    """The least rank that the table takes the order from."""
    entry = _entry(book, subject)
    table, _ = _reported(book, entry, random)
    least = next(role for role in LADDER if table.takes(_order(table, role)))
    rank = f"{rank_name(least)}{'' if least is LADDER[-1] else ' or above'}"
    return Question(
        Topic(book.name, DECIDES, subject),
        f"{_sentence(entry)} Who decides, at the least?",
        Choice(tuple(role.value for role in LADDER)),
        least.value,
        f"{rank} decides",
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


def ask_options(book: Book, subject: str, random: Random) -> Question:
    """Whether the players may have their bets back, or the round is completed, with these cards."""
    entry = _entry(book, subject)
    if entry.remedy is Remedy.COMPLETE_OR_VOID:
        return _ask_completed(book, entry, random)
    table, events = _reported(book, entry, random)
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
        Topic(book.name, OPTION, entry.kind.value),
        f"{_sentence(entry)}{put_right} May the players have their bets back?",
        Choice(("yes", "no")),
        "yes" if has_choice else "no",
        OPTIONS[entry.options],
        entry.options_clause,
        player,
        banker,
    )


def _ask_completed(book: Book, entry: Irregularity, random: Random) -> Question:
    table = Rehearsal(book)
    table.bet(Hand.BANKER, STAKE)
    table.deal(random_cards(random)[: random.randint(0, 4)])
    player, banker = table.cards(Hand.PLAYER), table.cards(Hand.BANKER)
    events = table.give(c.Report(actor=DEALER, role=Role.DEALER, kind=entry.kind))
    is_void = any(isinstance(event, e.RoundVoided) for event in events)
    return Question(
        Topic(book.name, OPTION, entry.kind.value),
        f"{_sentence(entry)} Is the round completed, or void?",
        Choice(("completed", "void")),
        "void" if is_void else "completed",
        REMEDIES[entry.remedy],
        entry.void_clause if is_void else entry.clause,
        player,
        banker,
    )


# ── A table on which it happened ─────────────────────────────────────────────────────────────────


def _reported(book: Book, entry: Irregularity, random: Random) -> tuple[Rehearsal, tuple[e.Event, ...]]:
    """A table on which this has just been reported, and what the report brought."""
    if entry.remedy is Remedy.RETURN_BETS:
        table = _neglected(book, random)
        return table, table.give(c.Report(actor=DEALER, role=Role.DEALER, kind=entry.kind))
    if entry.remedy is Remedy.PLAY_ON:
        return _face_up(book, entry, random)
    table = Rehearsal(book)
    table.bet(Hand.BANKER, STAKE)
    cards = random_cards(random)
    table.deal(cards[: random.randint(1, 4)])
    needed = cards[4:] if entry.remedy is Remedy.ORDER_CARDS else ()
    return table, table.give(c.Report(actor=DEALER, role=Role.DEALER, kind=entry.kind, cards=needed))


def _face_up(book: Book, entry: Irregularity, random: Random) -> tuple[Rehearsal, tuple[e.Event, ...]]:
    """A face-down table: perhaps some cards are opened already when one more is found to lie open."""
    table = Rehearsal(book, faces=Faces.DOWN)
    table.bet(Hand.BANKER, STAKE)
    cards = random_cards(random)
    number = random.randint(1, 4)
    table.deal(cards[:number])
    hidden = [(hand, place) for hand in Hand for place in range(1, len(table.cards(hand)) + 1)]
    random.shuffle(hidden)
    hand, place = hidden.pop()
    if number == 4:
        for other, at in hidden[: random.randint(0, len(hidden))]:
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


def _neglected(book: Book, random: Random) -> Rehearsal:
    """A finished round in which insurance was wished for, not offered, and would have won."""
    for _ in range(TRIES):
        table = Rehearsal(book, offering=Offering.DEALER)
        hand = random.choice(list(Hand))
        table.bet(hand, STAKE)
        cards = random_cards(random)
        table.deal(cards[:4])
        wish = c.WishInsurance(actor=PLAYER, role=Role.PLAYER, box=BOX, hand=hand)
        if not table.takes(wish):
            continue
        table.give(wish)
        table.deal(cards[4:])
        if table.takes(c.Report(actor=DEALER, role=Role.DEALER, kind=Irregular.INSURANCE_NEGLECTED)):
            return table
    raise AssertionError("insurance can be neglected wherever it is offered")
