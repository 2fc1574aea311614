"""Cards, hands and results as people see them: `K♠ 9♦ 5♥`, `19:20`, `Dragon 7`."""

from __future__ import annotations

from punto.cards.card import Card
from punto.coup.coup import Coup, format_coup
from punto.rules.book import Book
from punto.rules.outcome import Winner

WINNERS = {Winner.PLAYER: "Player", Winner.BANKER: "Banker", Winner.TIE: "Tie"}


def hand_face(cards: tuple[Card, ...]) -> str:
    """A hand with suit symbols."""
    return " ".join(card.symbol for card in cards)


def called_out(book: Book, coup: Coup) -> tuple[str, ...]:
    """What the dealer calls beside the winner, in English; that a tie is one is said already."""
    names = coup.declared(book)
    return tuple(
        declaration.labels.en
        for declaration, _ in book.declarations
        if declaration.name in names and declaration.labels.en != WINNERS[coup.winner]
    )


def coup_record(book: Book, coup: Coup) -> dict[str, object]:
    """A finished deal for programs: hands, points, winner and what was declared."""
    return {
        "player": {"cards": [str(card) for card in coup.player], "points": coup.player_points},
        "banker": {"cards": [str(card) for card in coup.banker], "points": coup.banker_points},
        "winner": coup.winner.value,
        "natural": coup.is_natural(book),
        "declared": list(coup.declared(book)),
    }


def round_record(book: Book, coup: Coup) -> dict[str, object]:
    """A round of a shoe for programs: its notation, then the same again spelled out."""
    return {"cards": format_coup(coup), **coup_record(book, coup)}
