"""The words to call: when bets open and close, and what is declared over a finished deal."""

from __future__ import annotations

from punto.cards.card import Card
from punto.coup.deal import deal
from punto.drill.answer import WordAnswer
from punto.drill.chance import Chance
from punto.drill.question import Question, QuestionKind, Topic
from punto.rules.book import Book

NAME = "calls"
OPENS, CLOSES, DECLARES = "bets-open", "bets-close", "declare"
NOTHING = "nothing more"


def calls_subjects(book: Book) -> tuple[str, ...]:
    """The calls that the document has words for, and each thing that is declared."""
    betting = book.betting
    called = [
        name for name, call in ((OPENS, betting.opens), (CLOSES, betting.closes)) if call.words is not None
    ]
    return (*called, *(f"{DECLARES}-{declaration.name}" for declaration, _ in book.declarations))


def ask_calls(book: Book, subject: str, chance: Chance) -> Question:
    """What the dealer says."""
    if subject in (OPENS, CLOSES):
        return _ask_call(book, subject, chance)
    return _ask_declared(book, subject, chance)


KIND = QuestionKind(NAME, "the words to call", calls_subjects, ask_calls)


def _ask_call(book: Book, subject: str, chance: Chance) -> Question:
    call = book.betting.opens if subject == OPENS else book.betting.closes
    assert call.words is not None
    when = "open" if subject == OPENS else "close"
    phrases = tuple(chance.shuffled(sorted(_words(book))))
    return Question(
        Topic(book.name, NAME, subject),
        f"Bets {when}. What do you call?",
        WordAnswer(tuple(map(_word, phrases)), phrases),
        _word(call.words.en),
        f"bets {when} with the call “{call.words.en}”",
        call.clause,
    )


def _ask_declared(book: Book, subject: str, chance: Chance) -> Question:
    """A finished deal: which of the declarations belongs to it, if one does."""
    wanted = subject.removeprefix(f"{DECLARES}-")
    is_declared = chance.happens(0.7)

    def fits(cards: tuple[Card, ...]) -> bool:
        names = deal(book.play, cards).declared(book)
        return (names == (wanted,)) if is_declared else not names

    # Some things come seldom alone, and some books declare something over every deal.
    coup = deal(
        book.play,
        chance.find_cards(lambda cards: len(deal(book.play, cards).declared(book)) <= 1, fits),
    )
    names = coup.declared(book)
    declared = {declaration.name: declaration for declaration, _ in book.declarations}
    right = declared[names[0]] if names else None
    phrases = (*(declaration.labels.en for declaration in declared.values()), NOTHING)
    answer = right.labels.en if right is not None else NOTHING
    points = f"Player {coup.player_points}, Banker {coup.banker_points}"
    said = f"“{answer}” is called" if right is not None else "only the points and the winner are called"
    return Question(
        Topic(book.name, NAME, subject),
        "What do you call beside the points and the winner?",
        WordAnswer(tuple(map(_word, phrases)), phrases),
        _word(answer),
        f"{points}: {said}",
        right.clause if right is not None else book.play.points_clause,
        coup.player,
        coup.banker,
    )


def _words(book: Book) -> set[str]:
    """Every call that could be meant: those of the book, and what is declared."""
    calls = (book.betting.opens, book.betting.closes)
    return {call.words.en for call in calls if call.words is not None} | {
        declaration.labels.en for declaration, _ in book.declarations
    }


def _word(phrase: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in phrase.lower()).split())
