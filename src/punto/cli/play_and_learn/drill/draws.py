"""Questions on the deal: who gets the next card, and who won."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from punto.cards.card import DECK, Card
from punto.cli.play_and_learn.drill.answer import Choice
from punto.cli.play_and_learn.drill.question import Question, Topic
from punto.coup.coup import Coup, points
from punto.coup.deal import deal, next_hand
from punto.rules.book import Book
from punto.rules.facts import Hand, Winner
from punto.rules.play import STOOD

DRAW, WINNER = "draw", "winner"
NOBODY = "nobody"
TRIES = 3000
"""Random deals looked at before one of another kind will do."""

_FOUR = "four-cards"
_BANKER = "banker-"


def random_cards(random: Random) -> tuple[Card, ...]:
    """Six cards, as many as a round may take."""
    return tuple(random.choices(DECK, k=6))


def find_cards(random: Random, *fits: Callable[[tuple[Card, ...]], bool]) -> tuple[Card, ...]:
    """Cards that fit everything asked for; if none are found, fewer and fewer of the wishes at the end."""
    for wishes in range(len(fits), 0, -1):
        for _ in range(TRIES):
            cards = random_cards(random)
            if all(fit(cards) for fit in fits[:wishes]):
                return cards
    raise AssertionError("every subject has cards that fit it")


# ── Who draws ────────────────────────────────────────────────────────────────────────────────────


def draw_subjects(book: Book) -> tuple[str, ...]:
    """Four cards on the table; and five, by the points that Banker has then."""
    return (_FOUR, *(f"{_BANKER}{points}" for points in range(10) if points not in book.play.naturals))


def ask_draw(book: Book, subject: str, random: Random) -> Question:
    """Who gets the next card."""
    # Each answer is wished for alike, where it can come: most hands of a shoe are the easy ones.
    wished = random.choice([*Hand, None])
    number = 4 if subject == _FOUR else 5

    def fits(cards: tuple[Card, ...]) -> bool:
        player, banker = _hands(cards, number)
        if subject == _FOUR:
            return True
        drawn = next_hand(book.play, player[:2], banker) is Hand.PLAYER
        return drawn and points(banker) == int(subject.removeprefix(_BANKER))

    cards = find_cards(random, fits, lambda cards: next_hand(book.play, *_hands(cards, number)) is wished)
    player, banker = _hands(cards, number)
    right = next_hand(book.play, player, banker)
    why, clause = _why_draw(book, player, banker)
    return Question(
        Topic(book.name, DRAW, subject),
        "Who gets the next card?",
        Choice((Hand.PLAYER.value, Hand.BANKER.value, NOBODY)),
        right.value if right is not None else NOBODY,
        why,
        clause,
        player,
        banker,
    )


def _hands(cards: tuple[Card, ...], number: int) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    return (cards[0], cards[2], *cards[4:number]), (cards[1], cards[3])


def _why_draw(book: Book, player: tuple[Card, ...], banker: tuple[Card, ...]) -> tuple[str, str]:
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


# ── Who won ──────────────────────────────────────────────────────────────────────────────────────


def winner_subjects(_: Book) -> tuple[str, ...]:
    """By the number of cards of the deal."""
    return tuple(f"{number}-cards" for number in (4, 5, 6))


def ask_winner(book: Book, subject: str, random: Random) -> Question:
    """Who won a finished deal."""
    wished = random.choice(list(Winner))

    def fits(cards: tuple[Card, ...]) -> bool:
        return f"{len(deal(book.play, cards).cards)}-cards" == subject

    coup = deal(book.play, find_cards(random, fits, lambda cards: deal(book.play, cards).winner is wished))
    return Question(
        Topic(book.name, WINNER, subject),
        "Who won?",
        Choice(tuple(winner.value for winner in Winner)),
        coup.winner.value,
        _why_won(coup),
        book.play.points_clause,
        coup.player,
        coup.banker,
    )


def _why_won(coup: Coup) -> str:
    return f"Player has {coup.player_points}, Banker has {coup.banker_points}"
