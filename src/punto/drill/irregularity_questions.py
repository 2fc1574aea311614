"""Questions on what goes wrong: which clause holds, what is done, who decides, and what the players may
choose.

The cards are told as a report would describe them; the right answer is what the table does by the book.
"""

from __future__ import annotations

from enum import Enum

from msgspec.structs import replace

from punto.drill.incidents import HOUSE_WORD, SCENES, Incident, play_scene, scenes_of, tell_incident, where_due
from punto.drill.quiz import Chance, Question, QuestionKind, Topic, WordAnswer
from punto.rules.authority import LADDER
from punto.rules.book import Book
from punto.rules.book_text import Finding, Irregularity, Options
from punto.rules.wording import HOUSE_TERM, SILENT, options_words, rank_words
from punto.table.irregularity_case import Awaits, Place, Resolution
from punto.table.irregularity_events import CardsPlayedAsTheyLie, CaseClosed, ErrorFoundLate, OptionsGiven, RoundVoided
from punto.table.irregularity_findings import is_established

CLAUSE_NAME = "clause"
CLAUSE_CHOICES = 6
CHANCE_OF_A_WORD = 0.4  # How often the House has said already that the cards cannot be reconstructed.
_SILENT_CLAUSE = "none: the document is silent"


def clause_subjects(book: Book) -> tuple[str, ...]:
    """Everything with something to find out, where the document has more than one clause to choose from."""
    clauses = {entry.clause for entry in book.irregularities if entry.clause}
    scenes = [scene.name for scene in scenes_of(book) if Finding.UNCOVERED not in scene.about]
    return tuple(scenes) if len(clauses) > 1 else ()


def ask_clause(book: Book, subject: str, chance: Chance) -> Question:
    """Which clause the evidence comes to."""
    incident = play_scene(book, SCENES[subject], chance)
    player, banker, story = incident.hand(Place.PLAYER), incident.hand(Place.BANKER), tell_incident(incident)
    if incident.awaits is Awaits.JUDGEMENT and chance.happens(CHANCE_OF_A_WORD):
        incident = incident.judged(possible=False)
        story += HOUSE_WORD[False]
    right = _irregularity_found(incident)
    choices = _clause_choices(book, right, chance)
    return Question(
        Topic(book.name, CLAUSE_NAME, subject),
        f"{story} Which clause holds?",
        WordAnswer(tuple(one.kind.value for one in choices), tuple(map(_clause_words, choices))),
        right.kind.value,
        _why_clause(incident, right),
        right.clause,
        player,
        banker,
    )


CLAUSE_KIND = QuestionKind(CLAUSE_NAME, "which clause holds when something goes wrong", clause_subjects, ask_clause)


def _irregularity_found(incident: Incident) -> Irregularity:
    """What the table found; all that a document does not speak of is one thing to it."""
    clause = incident.clause_found.clause if incident.clause_found else incident.rule.clause
    entry = incident.book.irregularity(incident.finding) or replace(incident.rule, kind=Finding.UNCOVERED)
    return replace(entry, clause=clause)


def _clause_choices(book: Book, right: Irregularity, chance: Chance) -> list[Irregularity]:
    """The right one among others of other clauses."""
    others = [entry for entry in book.irregularities if entry.kind is not right.kind and entry.clause != right.clause]
    return chance.shuffled([right, *chance.some_of(others, min(len(others), CLAUSE_CHOICES - 1))])


def _clause_words(entry: Irregularity) -> str:
    return f"{entry.clause}: {entry.label}" if entry.clause else _SILENT_CLAUSE


def _why_clause(incident: Incident, right: Irregularity) -> str:
    what = f"{right.label[:1].lower()}{right.label[1:]}" if right.clause else "the document does not speak of it"
    cards = where_due(incident)
    return f"{what}: {cards}" if cards else what


# The table does it, and what it did is the answer.


REMEDY_NAME = "remedy"
REMEDY_CHOICES = 5


class Deed(Enum):
    """What is done about an irregularity."""

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
    Deed.VOID: "the round is void, and every bet goes back",
    Deed.RECONSTRUCT: "the cards are put where their order puts them; those left over begin the next round",
    Deed.AS_THEY_LIE: "the cards are played as they lie, each with the hand it was put to",
    Deed.PLAY_ON: "nothing is put right, and the round goes on",
    Deed.ORDER_CARDS: "somebody sets the order of the cards first",
    Deed.COMPLETE: "the round is played to its end",
    Deed.NO_EFFECT: "nothing changes",
    Deed.RETURN_BETS: "the original bets of those who wished to insure go back",
    Deed.RULING: "a ruling decides",
}


def ask_remedy(book: Book, subject: str, chance: Chance) -> Question:
    """What is done, once the House has given its word where one is needed."""
    incident = play_scene(book, SCENES[subject], chance)
    player, banker, story = incident.hand(Place.PLAYER), incident.hand(Place.BANKER), tell_incident(incident)
    incident, word = with_word(incident, chance)
    deed, clause = deed_done(incident)
    others = [other for other in Deed if other is not deed]
    if book.insurance is None and Deed.RETURN_BETS in others:
        others.remove(Deed.RETURN_BETS)  # nobody wished for any
    silent = f" ({HOUSE_TERM if deed is Deed.RULING else SILENT})" if clause is None else ""
    choices = chance.shuffled([deed, *chance.some_of(others, REMEDY_CHOICES - 1)])
    return Question(
        Topic(book.name, REMEDY_NAME, subject),
        f"{story}{word} What is done?",
        WordAnswer(tuple(one.value for one in choices), tuple(DEED_WORDS[one] for one in choices)),
        deed.value,
        f"{DEED_WORDS[deed]}{silent}",
        clause,
        player,
        banker,
    )


REMEDY_KIND = QuestionKind(
    REMEDY_NAME,
    "what is done when something goes wrong",
    lambda book: tuple(scene.name for scene in scenes_of(book)),
    ask_remedy,
)


def with_word(incident: Incident, chance: Chance) -> tuple[Incident, str]:
    """The incident after the House's word on reconstruction, where it waits for one, and the word."""
    if incident.awaits is not Awaits.JUDGEMENT:
        return incident, ""
    possible = incident.can_be_put_right() and chance.one_of([True, False])
    return incident.judged(possible=possible), HOUSE_WORD[possible]


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
            case (
                CaseClosed(resolution=Resolution.RECONSTRUCTED | Resolution.ORDERED)
                | OptionsGiven(is_reconstructed=True)
            ):
                return Deed.RECONSTRUCT, rule.clause
            case CardsPlayedAsTheyLie():
                return Deed.AS_THEY_LIE, event.clause
            case _:
                pass
    return _DEED_AWAITED.get(incident.awaits, Deed.PLAY_ON), rule.clause


DECIDER_NAME = "decides"

_WHO_DECIDES = {
    Awaits.JUDGEMENT: "Who says, at the least, whether the cards can be reconstructed",
    Awaits.ORDER: "Who sets the order of the cards, at the least",
    Awaits.VOID: "Who voids the round, at the least",
    Awaits.RETURN_BETS: "Who returns the bets, at the least",
    Awaits.RULING: "Who rules on it, at the least",
}


def decides_subjects(book: Book) -> tuple[str, ...]:
    """Whatever waits for somebody of the house; a document that is silent leaves everything to a ruling."""
    return tuple(scene.name for scene in scenes_of(book) if scene.is_decided or scene.entry(book) is None)


def ask_decides(book: Book, subject: str, chance: Chance) -> Question:
    """The least rank that the table takes the order from."""
    incident = play_scene(book, SCENES[subject], chance)
    found = incident.clause_found
    assert found is not None and found.awaits in _WHO_DECIDES, "somebody has to decide"
    least = next(role for role in LADDER if incident.table.takes(incident.order(role)))
    by_house = ", by the terms of this house" if found.house_term else ""
    ours = f" ({HOUSE_TERM})" if found.house_term else ""
    return Question(
        Topic(book.name, DECIDER_NAME, subject),
        f"{tell_incident(incident)} {_WHO_DECIDES[found.awaits]}{by_house}?",
        WordAnswer(tuple(role.value for role in LADDER)),
        least.value,
        f"{rank_words(least)} decides{ours}",
        None if found.house_term else incident.rule.orders_clause,
        incident.hand(Place.PLAYER),
        incident.hand(Place.BANKER),
    )


DECIDER_KIND = QuestionKind(DECIDER_NAME, "who decides then", decides_subjects, ask_decides)


OPTIONS_NAME = "options"
OPTION_WORDS = {
    "continue": "to continue, or to have all their bets back",
    "continue-reconstructed": "to continue with the reconstructed hand, or to have all their bets back",
    "nothing": "nothing",
}


def options_subjects(book: Book) -> tuple[str, ...]:
    """Where the document gives players a choice, always or in some cases."""
    entries = ((scene.name, scene.entry(book)) for scene in scenes_of(book))
    return tuple(name for name, entry in entries if entry and entry.options is not Options.NEVER)


def ask_options(book: Book, subject: str, chance: Chance) -> Question:
    """What the players may choose with these cards."""
    incident = play_scene(book, SCENES[subject], chance)
    player, banker, story = incident.hand(Place.PLAYER), incident.hand(Place.BANKER), tell_incident(incident)
    incident, word = with_word(incident, chance)
    if incident.awaits is Awaits.ORDER:
        incident, word = incident.ordered(), " Their order has been set."
    right, why, clause = _options_given(incident)
    return Question(
        Topic(book.name, OPTIONS_NAME, subject),
        f"{story}{word} What may the players choose?",
        WordAnswer(tuple(OPTION_WORDS), tuple(OPTION_WORDS.values())),
        right,
        why,
        clause,
        player,
        banker,
    )


OPTIONS_KIND = QuestionKind(OPTIONS_NAME, "what the players may choose then", options_subjects, ask_options)


def _options_given(incident: Incident) -> tuple[str, str, str | None]:
    """What the table asked the players, why, and by which clause."""
    deed, clause = deed_done(incident)
    if deed is Deed.VOID:
        return "nothing", "the round is void, and every bet goes back", clause
    rule, state = incident.rule, incident.table.state
    options = next((event for event in incident.events if isinstance(event, OptionsGiven)), None)
    is_decided = is_established(incident.book, state.player, state.banker)
    decided = "a bet is decided" if is_decided else "no bet is decided"
    why = f"{options_words(rule.options)}; here {decided}"
    if options is None:
        return "nothing", why, rule.options_clause
    return "continue-reconstructed" if options.is_reconstructed else "continue", why, options.clause
