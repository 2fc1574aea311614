"""Who gets the next card: with four cards on the table, or with five."""

from __future__ import annotations

from punto.cards.card import Card
from punto.coup.coup import points
from punto.coup.deal import next_hand
from punto.drill.answer import WordAnswer
from punto.drill.chance import Chance
from punto.drill.question import Question, QuestionKind, Topic
from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.rules.play import STOOD

NAME = "draw"
NOBODY = "nobody"

_FOUR = "four-cards"
_BANKER = "banker-"


def draw_subjects(book: Book) -> tuple[str, ...]:
    """Four cards on the table; and five, by the points that Banker has then."""
    return (_FOUR, *(f"{_BANKER}{points}" for points in range(10) if points not in book.play.naturals))


def ask_draw(book: Book, subject: str, chance: Chance) -> Question:
    """Who gets the next card."""
    # Each answer is looked for equally often, where it is possible: most hands of a shoe are the easy ones.
    wanted = chance.one_of([*Hand, None])
    number = 4 if subject == _FOUR else 5

    def fits(cards: tuple[Card, ...]) -> bool:
        player, banker = _hands(cards, number)
        if subject == _FOUR:
            return True
        drawn = next_hand(book.play, player[:2], banker) is Hand.PLAYER
        return drawn and points(banker) == int(subject.removeprefix(_BANKER))

    cards = chance.find_cards(fits, lambda cards: next_hand(book.play, *_hands(cards, number)) is wanted)
    player, banker = _hands(cards, number)
    right = next_hand(book.play, player, banker)
    why, clause = _why(book, player, banker)
    return Question(
        Topic(book.name, NAME, subject),
        "Who gets the next card?",
        WordAnswer((Hand.PLAYER.value, Hand.BANKER.value, NOBODY)),
        right.value if right is not None else NOBODY,
        why,
        clause,
        player,
        banker,
    )


KIND = QuestionKind(NAME, "who draws", draw_subjects, ask_draw)


def _hands(cards: tuple[Card, ...], number: int) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    return (cards[0], cards[2], *cards[4:number]), (cards[1], cards[3])


def _why(book: Book, player: tuple[Card, ...], banker: tuple[Card, ...]) -> tuple[str, str]:
    play, p, b = book.play, points(player[:2]), points(banker)
    if play.ends[p * 10 + b]:
        return f"Player {p}, Banker {b}: a natural ends the deal", book.play.naturals_clause
    stands = play.player[p]
    assert stands is not None
    if len(player) == 2 and stands.draws:
        return f"Player draws on {p}", stands.clause
    third = player[2].points if len(player) == 3 else STOOD
    banks = play.banker[third][b]
    assert banks is not None
    does = "draws" if banks.draws else "stands"
    if third == STOOD:
        return f"Player stands on {p}, and then Banker {does} on {b}", banks.clause
    return f"Player's third card counts {third}, and then Banker {does} on {b}", banks.clause
