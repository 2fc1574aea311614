"""Who decides, at the least. Where the document names nobody the answer is the house's own, and says so."""

from __future__ import annotations

from punto.drill.answer import WordAnswer
from punto.drill.chance import Chance
from punto.drill.question import Question, QuestionKind, Topic
from punto.drill.questions.irregularity.scene import Scene, play
from punto.drill.questions.irregularity.scenes import SCENES, scenes_of
from punto.drill.questions.irregularity.story import tell
from punto.rules.book import Book
from punto.rules.role import LADDER
from punto.rules.words import HOUSE_TERM, rank_words
from punto.table.irregularities.case import Awaits
from punto.table.irregularities.sighting import Place

NAME = "decides"

_WHAT = {
    Awaits.JUDGEMENT: "Who says, at the least, whether the cards can be reconstructed",
    Awaits.ORDER: "Who sets the order of the cards, at the least",
    Awaits.VOID: "Who voids the round, at the least",
    Awaits.RETURN_BETS: "Who returns the bets, at the least",
    Awaits.RULING: "Who rules on it, at the least",
}


def decides_subjects(book: Book) -> tuple[str, ...]:
    """Whatever waits for somebody of the house; the rest follows from the cards alone."""
    return tuple(scene.name for scene in scenes_of(book) if _waits(book, scene))


def _waits(book: Book, scene: Scene) -> bool:
    """A document that is silent leaves everything to a ruling."""
    return scene.is_decided or scene.entry(book) is None


def ask_decides(book: Book, subject: str, chance: Chance) -> Question:
    """The least rank that the table takes the order from."""
    incident = play(book, SCENES[subject], chance)
    found = incident.found
    assert found is not None and found.awaits in _WHAT, "somebody has to decide"
    least = next(role for role in LADDER if incident.table.takes(incident.order(role)))
    by_house = ", by the terms of this house" if found.house_term else ""
    ours = f" ({HOUSE_TERM})" if found.house_term else ""
    return Question(
        Topic(book.name, NAME, subject),
        f"{tell(incident)} {_WHAT[found.awaits]}{by_house}?",
        WordAnswer(tuple(role.value for role in LADDER)),
        least.value,
        f"{rank_words(least)} decides{ours}",
        None if found.house_term else incident.rule.orders_clause,
        incident.hand(Place.PLAYER),
        incident.hand(Place.BANKER),
    )


KIND = QuestionKind(NAME, "who decides then", decides_subjects, ask_decides)
