"""Who won a finished deal of four, five or six cards."""

from __future__ import annotations

from punto.cards.card import Card
from punto.coup.deal import deal
from punto.drill.answer import WordAnswer
from punto.drill.chance import Chance
from punto.drill.question import Question, QuestionKind, Topic
from punto.rules.book import Book
from punto.rules.facts import Winner

NAME = "winner"


def winner_subjects(_: Book) -> tuple[str, ...]:
    """By the number of cards of the deal."""
    return tuple(f"{number}-cards" for number in (4, 5, 6))


def ask_winner(book: Book, subject: str, chance: Chance) -> Question:
    """Who won a finished deal."""
    wanted = chance.one_of(list(Winner))

    def fits(cards: tuple[Card, ...]) -> bool:
        return f"{len(deal(book.play, cards).cards)}-cards" == subject

    coup = deal(book.play, chance.find_cards(fits, lambda cards: deal(book.play, cards).winner is wanted))
    return Question(
        Topic(book.name, NAME, subject),
        "Who won?",
        WordAnswer(tuple(winner.value for winner in Winner)),
        coup.winner.value,
        f"Player has {coup.player_points}, Banker has {coup.banker_points}",
        book.play.tie_clause if coup.winner is Winner.TIE else book.play.winner_clause,
        coup.player,
        coup.banker,
    )


KIND = QuestionKind(NAME, "who won", winner_subjects, ask_winner)
