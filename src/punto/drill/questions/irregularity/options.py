"""What the players may choose: to continue, to continue with the reconstructed hand, or nothing at all."""

from __future__ import annotations

from punto.drill.answer import WordAnswer
from punto.drill.chance import Chance
from punto.drill.question import Question, QuestionKind, Topic
from punto.drill.questions.irregularity.remedy import Deed, done, with_word
from punto.drill.questions.irregularity.scene import Incident, play
from punto.drill.questions.irregularity.scenes import SCENES, scenes_of
from punto.drill.questions.irregularity.story import tell
from punto.rules.book import Book
from punto.rules.text.irregularity import Options
from punto.rules.words import OPTIONS as WHEN
from punto.table import event as e
from punto.table.irregularities.case import Awaits
from punto.table.irregularities.established import is_established
from punto.table.irregularities.sighting import Place

NAME = "options"
WORDS = {
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
    incident = play(book, SCENES[subject], chance)
    player, banker, story = incident.hand(Place.PLAYER), incident.hand(Place.BANKER), tell(incident)
    incident, word = with_word(incident, chance)
    if incident.awaits is Awaits.ORDER:
        incident, word = incident.ordered(), " Their order has been set."
    right, why, clause = _given(incident)
    return Question(
        Topic(book.name, NAME, subject),
        f"{story}{word} What may the players choose?",
        WordAnswer(tuple(WORDS), tuple(WORDS.values())),
        right,
        why,
        clause,
        player,
        banker,
    )


KIND = QuestionKind(NAME, "what the players may choose then", options_subjects, ask_options)


def _given(incident: Incident) -> tuple[str, str, str | None]:
    """What the table asked the players, why, and by which clause."""
    deed, clause = done(incident)
    if deed is Deed.VOID:
        return "nothing", "the round is void, and every bet goes back", clause
    rule, state = incident.rule, incident.table.state
    given = next((event for event in incident.events if isinstance(event, e.OptionsGiven)), None)
    is_decided = is_established(incident.book, state.player, state.banker)
    decided = "a bet is decided" if is_decided else "no bet is decided"
    why = f"{WHEN[rule.options]}; here {decided}"
    if given is None:
        return "nothing", why, rule.options_clause
    return "continue-reconstructed" if given.is_reconstructed else "continue", why, given.clause
