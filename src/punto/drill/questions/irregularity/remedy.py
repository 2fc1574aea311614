"""What is done: the round is void, the cards are put right or played as they lie, somebody rules.

The table does it, and what it did is the answer.
"""

from __future__ import annotations

from enum import Enum

from punto.drill.answer import WordAnswer
from punto.drill.chance import Chance
from punto.drill.question import Question, QuestionKind, Topic
from punto.drill.questions.irregularity.scene import Incident, play
from punto.drill.questions.irregularity.scenes import SCENES, scenes_of
from punto.drill.questions.irregularity.story import WORD, tell
from punto.rules.book import Book
from punto.rules.words import HOUSE_TERM, SILENT
from punto.table import event as e
from punto.table.irregularities.case import Awaits
from punto.table.irregularities.sighting import Place

NAME = "remedy"
CHOICES = 5


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


WORDS: dict[Deed, str] = {
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


def remedy_subjects(book: Book) -> tuple[str, ...]:
    """Everything that is asked about a book."""
    return tuple(scene.name for scene in scenes_of(book))


def ask_remedy(book: Book, subject: str, chance: Chance) -> Question:
    """What is done, once the House has given its word where one is needed."""
    incident = play(book, SCENES[subject], chance)
    player, banker, story = incident.hand(Place.PLAYER), incident.hand(Place.BANKER), tell(incident)
    incident, word = with_word(incident, chance)
    deed, clause = done(incident)
    others = [other for other in Deed if other is not deed and _can_be(book, other)]
    choices = chance.shuffled([deed, *chance.some_of(others, CHOICES - 1)])
    return Question(
        Topic(book.name, NAME, subject),
        f"{story}{word} What is done?",
        WordAnswer(tuple(one.value for one in choices), tuple(WORDS[one] for one in choices)),
        deed.value,
        f"{WORDS[deed]}{_ours(deed, clause)}",
        clause,
        player,
        banker,
    )


KIND = QuestionKind(NAME, "what is done when something goes wrong", remedy_subjects, ask_remedy)


def with_word(incident: Incident, chance: Chance) -> tuple[Incident, str]:
    """The incident after the House's word on reconstruction, where it waits for one, and the word."""
    if incident.awaits is not Awaits.JUDGEMENT:
        return incident, ""
    possible = incident.can_be_put_right() and chance.one_of([True, False])
    return incident.judged(possible=possible), WORD[possible]


_WAITING = {
    Awaits.VOID: Deed.VOID,
    Awaits.ORDER: Deed.ORDER_CARDS,
    Awaits.RETURN_BETS: Deed.RETURN_BETS,
    Awaits.RULING: Deed.RULING,
}


def done(incident: Incident) -> tuple[Deed, str | None]:
    """What the table did, or waits for somebody to order, and the clause that it rests on."""
    rule = incident.rule
    for event in reversed(incident.events):
        match event:
            case e.RoundVoided():
                return Deed.VOID, event.clause
            case e.ErrorFoundLate():
                return Deed.NO_EFFECT, event.clause
            case e.CaseClosed(resolution="completed"):
                return Deed.COMPLETE, event.clause
            case e.CaseClosed(resolution="reconstructed" | "ordered") | e.OptionsGiven(is_reconstructed=True):
                return Deed.RECONSTRUCT, rule.clause
            case e.CardsPlayedAsTheyLie():
                return Deed.AS_THEY_LIE, event.clause
            case _:
                pass
    return _WAITING.get(incident.awaits, Deed.PLAY_ON), rule.clause


def _can_be(book: Book, deed: Deed) -> bool:
    """Whether a book could ask for it: without insurance nobody wished for any."""
    return deed is not Deed.RETURN_BETS or book.insurance is not None


def _ours(deed: Deed, clause: str | None) -> str:
    """What is not the document's word says so."""
    if clause is not None:
        return ""
    return f" ({HOUSE_TERM if deed is Deed.RULING else SILENT})"
