"""Finished deals and their settlement as short text, so that a clause test reads like the clause.

`lines("commission", "KS 3H 9D 2C", "player=100")` is `["player win 1:1 +100.00 by 4.1.2"]`.
"""

from __future__ import annotations

from collections.abc import Iterable

from punto import books
from punto.cards import Card, parse_cards
from punto.coup import Coup, deal, deal_exactly
from punto.rules import format_odds
from punto.table import Refusal, format_amount, parse_amount, settle_slip

POINT_CARDS = ("KS", "AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S")
"""A card of each number of points."""


def slip(bets: str) -> dict[str, int]:
    """`player=100 tie=5` as a slip."""
    pairs = (bet.split("=") for bet in bets.split())
    return {area: parse_amount(amount) for area, amount in pairs}


def lines(book: str, cards: str, bets: str) -> list[str]:
    """How each bet is settled: area, result, odds of a win, net, clause."""
    compiled = books.load(book)
    settled = settle_slip(compiled, deal_exactly(compiled.play, parse_cards(cards)), slip(bets))
    assert not isinstance(settled, Refusal), settled.sentence
    told = []
    for line in settled:
        odds = f" {format_odds(line.outcome.odds)}" if line.outcome.odds else ""
        net = f"{'+' if line.net > 0 else ''}{format_amount(line.net)}"
        told.append(f"{line.area} {line.outcome.result.value}{odds} {net} by {line.outcome.clause}")
    return told


def refused_by(book: str, cards: str, bets: str) -> str | None:
    """The clause by which a slip is refused."""
    compiled = books.load(book)
    settled = settle_slip(compiled, deal_exactly(compiled.play, parse_cards(cards)), slip(bets))
    assert isinstance(settled, Refusal), "it was settled"
    return settled.clause


def coup(book: str, cards: str) -> Coup:
    return deal_exactly(books.load(book).play, parse_cards(cards))


def hands(book: str, cards: str) -> str:
    """Points of both hands and who won: `7-6 player`."""
    dealt = coup(book, cards)
    return f"{dealt.player_points}-{dealt.banker_points} {dealt.winner.value}"


def drew(book: str, player_points: int, banker_points: int, third: int = 0) -> str:
    """Who takes a third card on these two-card points: ``, `P`, `B` or `PB`; `third` is the fifth card."""
    texts = ("KH", "KH", *(POINT_CARDS[points] for points in (player_points, banker_points, third, 0)))
    dealt = deal(books.load(book).play, [Card.parse(text) for text in texts])
    return "P" * (len(dealt.player) == 3) + "B" * (len(dealt.banker) == 3)


def banker_row(book: str, banker_points: int) -> str:
    """The third cards of Player on which Banker draws, as the documents print a row: `4-5-6-7`."""
    return dashed(third for third in range(10) if "B" in drew(book, 0, banker_points, third))


def dashed(numbers: Iterable[int]) -> str:
    return "-".join(map(str, numbers))
