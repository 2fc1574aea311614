"""Which clause holds, by the cards on the table and the House's word on reconstruction."""

from __future__ import annotations

from msgspec.structs import replace

from punto.drill.answer import WordAnswer
from punto.drill.chance import Chance
from punto.drill.question import Question, QuestionKind, Topic
from punto.drill.questions.irregularity.scene import Incident, play
from punto.drill.questions.irregularity.scenes import SCENES, scenes_of
from punto.drill.questions.irregularity.story import WORD, tell, where_due
from punto.rules.book import Book
from punto.rules.text.irregularity import Finding, Irregularity
from punto.table.irregularities.case import Awaits
from punto.table.irregularities.sighting import Place

NAME = "clause"
CHOICES = 6
CHANCE_OF_A_WORD = 0.4
"""How often the House has said already that the cards cannot be reconstructed."""
_SILENT = "none: the document is silent"


def clause_subjects(book: Book) -> tuple[str, ...]:
    """Everything with something to find out, where the document has more than one clause to choose from."""
    clauses = {entry.clause for entry in book.irregularities if entry.clause}
    scenes = [scene.name for scene in scenes_of(book) if Finding.UNCOVERED not in scene.about]
    return tuple(scenes) if len(clauses) > 1 else ()


def ask_clause(book: Book, subject: str, chance: Chance) -> Question:
    """Which clause the evidence comes to."""
    incident = play(book, SCENES[subject], chance)
    player, banker, story = incident.hand(Place.PLAYER), incident.hand(Place.BANKER), tell(incident)
    if incident.awaits is Awaits.JUDGEMENT and chance.happens(CHANCE_OF_A_WORD):
        incident = incident.judged(possible=False)
        story += WORD[False]
    right = _found(incident)
    choices = _choices(book, right, chance)
    return Question(
        Topic(book.name, NAME, subject),
        f"{story} Which clause holds?",
        WordAnswer(tuple(one.kind.value for one in choices), tuple(map(_words, choices))),
        right.kind.value,
        _why(incident, right),
        right.clause,
        player,
        banker,
    )


KIND = QuestionKind(NAME, "which clause holds when something goes wrong", clause_subjects, ask_clause)


def _found(incident: Incident) -> Irregularity:
    """What the table found; all that a document does not speak of is one thing to it."""
    clause = incident.found.clause if incident.found else incident.rule.clause
    entry = incident.book.irregularity(incident.finding) or replace(incident.rule, kind=Finding.UNCOVERED)
    return replace(entry, clause=clause)


def _choices(book: Book, right: Irregularity, chance: Chance) -> list[Irregularity]:
    """The right one among others of other clauses."""
    others = [
        entry
        for entry in book.irregularities
        if entry.kind is not right.kind and entry.clause != right.clause
    ]
    return chance.shuffled([right, *chance.some_of(others, min(len(others), CHOICES - 1))])


def _words(entry: Irregularity) -> str:
    return f"{entry.clause}: {entry.label}" if entry.clause else _SILENT


def _why(incident: Incident, right: Irregularity) -> str:
    what = (
        f"{right.label[:1].lower()}{right.label[1:]}" if right.clause else "the document does not speak of it"
    )
    cards = where_due(incident)
    return f"{what}: {cards}" if cards else what
