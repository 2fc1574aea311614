"""Questions on what goes wrong: which clause holds, what is done, who decides, and what the players may
choose.

The cards are told as a report would describe them; the right answer is what the table does by the book.
"""

from __future__ import annotations

from enum import Enum

from msgspec.structs import replace

from punto.cards.card import Card
from punto.drill import incidents
from punto.drill.incidents import HOUSE_WORD, SCENES, Incident, house_judgement, scenes_of
from punto.drill.quiz import Chance, Question, QuestionKind, Topic, WordAnswer
from punto.rules.authority import LADDER
from punto.rules.book import Book
from punto.rules.book_text import Finding, Options
from punto.rules.wording import HOUSE_TERM, SILENT, options_words, rank_words
from punto.table.irregularity_case import Awaits, Place, Resolution
from punto.table.irregularity_events import CardsPlayedAsTheyLie, CaseClosed, ErrorFoundLate, OptionsGiven, RoundVoided
from punto.table.irregularity_findings import is_established

CLAUSE_CHOICES = 6
CHANCE_OF_A_WORD = 0.4  # How often the House has said already that the cards cannot be reconstructed.

_Hands = tuple[tuple[Card | None, ...], tuple[Card | None, ...]]


def _staged(book: Book, subject: str, chance: Chance) -> tuple[Incident, str, _Hands]:
    """What happened, the story of it, and the two hands as the report finds them."""
    incident = incidents.play_scene(book, SCENES[subject], chance)
    return incident, incidents.tell_incident(incident), (incident.hand(Place.PLAYER), incident.hand(Place.BANKER))


def _all_scenes(book: Book) -> tuple[str, ...]:
    return tuple(scene.name for scene in scenes_of(book))


def clause_subjects(book: Book) -> tuple[str, ...]:
    """Everything with something to find out, where the document has more than one clause to choose from."""
    clauses = {entry.clause for entry in book.irregularities if entry.clause}
    scenes = [scene.name for scene in scenes_of(book) if Finding.UNCOVERED not in scene.about]
    return tuple(scenes) if len(clauses) > 1 else ()


def ask_clause(book: Book, subject: str, chance: Chance) -> Question:
    """Which clause the evidence comes to."""
    incident, story, hands = _staged(book, subject, chance)
    if incident.awaits is Awaits.JUDGEMENT and chance.happens(CHANCE_OF_A_WORD):
        incident = incident.after(house_judgement(possible=False))
        story += HOUSE_WORD[False]
    # All that a document does not speak of is one thing to it.
    clause = incident.clause_found.clause if incident.clause_found else incident.rule.clause
    entry = book.irregularity(incident.finding) or replace(incident.rule, kind=Finding.UNCOVERED)
    others = [other for other in book.irregularities if other.kind is not entry.kind and other.clause != clause]
    wrong = chance.some_of(others, min(len(others), CLAUSE_CHOICES - 1))
    choices = chance.shuffled([replace(entry, clause=clause), *wrong])
    phrases = (f"{one.clause}: {one.label}" if one.clause else "none: the document is silent" for one in choices)
    form = WordAnswer(tuple(one.kind.value for one in choices), tuple(phrases))
    why = f"{entry.label[:1].lower()}{entry.label[1:]}" if clause else "the document says nothing about it"
    why = ": ".join(filter(None, (why, incidents.where_due(incident))))
    topic = Topic(book.name, "clause", subject)
    return Question(topic, f"{story} Which clause applies?", form, entry.kind.value, why, clause, *hands)


# The table does it, and what it did is the answer.
REMEDY_CHOICES = 5


class Deed(Enum):
    VOID = "void"
    RECONSTRUCT = "reconstruct"
    AS_THEY_LIE = "as-they-lie"
    PLAY_ON = "play-on"
    ORDER_CARDS = "order-cards"
    COMPLETE = "complete"
    NO_EFFECT = "no-effect"
    RETURN_BETS = "return-bets"
    RULING = "ruling"


DEED_WORDS: dict[Deed, str] = {
    Deed.VOID: "the round is void, and every bet is returned",
    Deed.RECONSTRUCT: "the cards go where their order puts them, and those left over start the next round",
    Deed.AS_THEY_LIE: "the cards are played as they lie, each with the hand it was dealt to",
    Deed.PLAY_ON: "nothing is put right, and the round goes on",
    Deed.ORDER_CARDS: "somebody sets the order of the cards first",
    Deed.COMPLETE: "the round is played to its end",
    Deed.NO_EFFECT: "nothing changes",
    Deed.RETURN_BETS: "the original bets of those who wished to insure go back",
    Deed.RULING: "a ruling decides",
}


def ask_remedy(book: Book, subject: str, chance: Chance) -> Question:
    """What is done, once the House has given its word where one is needed."""
    incident, story, hands = _staged(book, subject, chance)
    incident, word = with_word(incident, chance)
    deed, clause = deed_done(incident)
    others = [other for other in Deed if other is not deed]
    if book.insurance is None and Deed.RETURN_BETS in others:
        others.remove(Deed.RETURN_BETS)  # nobody wished for any
    choices = chance.shuffled([deed, *chance.some_of(others, REMEDY_CHOICES - 1)])
    form = WordAnswer(tuple(one.value for one in choices), tuple(DEED_WORDS[one] for one in choices))
    silent = f" ({HOUSE_TERM if deed is Deed.RULING else SILENT})" if clause is None else ""
    topic, why = Topic(book.name, "remedy", subject), f"{DEED_WORDS[deed]}{silent}"
    return Question(topic, f"{story}{word} What is done?", form, deed.value, why, clause, *hands)


def with_word(incident: Incident, chance: Chance) -> tuple[Incident, str]:
    """The incident after the House's word on reconstruction, where it waits for one, and the word."""
    if incident.awaits is not Awaits.JUDGEMENT:
        return incident, ""
    possible = incident.table.takes(house_judgement(possible=True)) and chance.one_of([True, False])
    return incident.after(house_judgement(possible=possible)), HOUSE_WORD[possible]


_DEED_AWAITED = {
    Awaits.VOID: Deed.VOID,
    Awaits.ORDER: Deed.ORDER_CARDS,
    Awaits.RETURN_BETS: Deed.RETURN_BETS,
    Awaits.RULING: Deed.RULING,
}


def deed_done(incident: Incident) -> tuple[Deed, str | None]:
    """What the table did, or waits for somebody to order, and the clause that it rests on."""
    rule = incident.rule
    for event in reversed(incident.events):
        match event:
            case RoundVoided():
                return Deed.VOID, event.clause
            case ErrorFoundLate():
                return Deed.NO_EFFECT, event.clause
            case CaseClosed(resolution=Resolution.COMPLETED):
                return Deed.COMPLETE, event.clause
            case CaseClosed(resolution=Resolution.RECONSTRUCTED | Resolution.ORDERED):
                return Deed.RECONSTRUCT, rule.clause
            case OptionsGiven(is_reconstructed=True):
                return Deed.RECONSTRUCT, rule.clause
            case CardsPlayedAsTheyLie():
                return Deed.AS_THEY_LIE, event.clause
            case _:
                pass
    return _DEED_AWAITED.get(incident.awaits, Deed.PLAY_ON), rule.clause


_WHO_DECIDES = {
    Awaits.JUDGEMENT: "What is the lowest rank that may say whether the cards can be reconstructed",
    Awaits.ORDER: "What is the lowest rank that may set the order of the cards",
    Awaits.VOID: "What is the lowest rank that may void the round",
    Awaits.RETURN_BETS: "What is the lowest rank that may return the bets",
    Awaits.RULING: "What is the lowest rank that may rule on it",
}


def decides_subjects(book: Book) -> tuple[str, ...]:
    """Whatever waits for somebody of the house; a document that is silent leaves everything to a ruling."""
    return tuple(scene.name for scene in scenes_of(book) if scene.is_decided or scene.entry(book) is None)


def ask_decides(book: Book, subject: str, chance: Chance) -> Question:
    """The least rank that the table takes the order from."""
    incident, story, hands = _staged(book, subject, chance)
    decision = incident.clause_found
    assert decision is not None and decision.awaits in _WHO_DECIDES, "somebody has to decide"
    least = next(role for role in LADDER if incident.table.takes(incident.order(role)))
    asked = f"{_WHO_DECIDES[decision.awaits]}?"
    if decision.house_term:
        asked = f"Under the terms of this house, {asked[:1].lower()}{asked[1:]}"
    topic, form = Topic(book.name, "decides", subject), WordAnswer(tuple(role.value for role in LADDER))
    why = f"{rank_words(least)} decides{f' ({HOUSE_TERM})' if decision.house_term else ''}"
    clause = None if decision.house_term else incident.rule.orders_clause
    return Question(topic, f"{story} {asked}", form, least.value, why, clause, *hands)


OPTION_WORDS = {
    "continue": "to continue, or to take all their bets back",
    "continue-reconstructed": "to continue with the reconstructed hand, or to take all their bets back",
    "nothing": "nothing",
}


def options_subjects(book: Book) -> tuple[str, ...]:
    """Where the document gives players a choice, always or in some cases."""
    entries = ((scene.name, scene.entry(book)) for scene in scenes_of(book))
    return tuple(name for name, entry in entries if entry and entry.options is not Options.NEVER)


def ask_options(book: Book, subject: str, chance: Chance) -> Question:
    incident, story, hands = _staged(book, subject, chance)
    incident, word = with_word(incident, chance)
    if incident.awaits is Awaits.ORDER:
        incident, word = incident.after(incident.order(LADDER[-1])), " Their order has been set."
    right, why, clause = _options_given(incident)
    topic = Topic(book.name, "options", subject)
    form = WordAnswer(tuple(OPTION_WORDS), tuple(OPTION_WORDS.values()))
    return Question(topic, f"{story}{word} What may the players choose?", form, right, why, clause, *hands)


def _options_given(incident: Incident) -> tuple[str, str, str | None]:
    """What the table asked the players, why, and by which clause."""
    deed, clause = deed_done(incident)
    if deed is Deed.VOID:
        return "nothing", DEED_WORDS[deed], clause
    rule, state = incident.rule, incident.table.state
    options = next((event for event in incident.events if isinstance(event, OptionsGiven)), None)
    is_decided = is_established(incident.table.book, state.player, state.banker)
    why = f"{options_words(rule.options)}; here {'a bet' if is_decided else 'no bet'} is decided"
    if options is None:
        return "nothing", why, rule.options_clause
    return "continue-reconstructed" if options.is_reconstructed else "continue", why, options.clause


IRREGULARITY_KINDS: tuple[QuestionKind, ...] = (
    QuestionKind("clause", "which clause applies when something goes wrong", clause_subjects, ask_clause),
    QuestionKind("remedy", "what is done when something goes wrong", _all_scenes, ask_remedy),
    QuestionKind("decides", "who decides then", decides_subjects, ask_decides),
    QuestionKind("options", "what the players may choose then", options_subjects, ask_options),
)
