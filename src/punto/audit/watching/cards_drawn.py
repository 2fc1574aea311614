"""Whether the cards themselves came as from an honest, well shuffled shoe.

A shoe that lacks a card or has one too many, ranks and suits that come too often, cards that follow each
other as in a new deck, and an order that was seen before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from punto.audit.watching.evidence import TILTS, tilted
from punto.audit.watching.seen import SeenShoe
from punto.cards.card import DECK

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SAME_ORDER = 20
"""Cards at the beginning of two shoes that are compared; honest shoes agree in them with a chance below
1e-30.
"""

_SUCCESSOR = [(card.index + 1) % 13 + card.index // 13 * 13 for card in DECK]
"""The card after each in a new deck, suit by suit."""


@dataclass(frozen=True, slots=True)
class CardsQuestion:
    """One thing asked of the cards of every shoe."""

    name: str
    log_ratios: Floats
    """A row for each shoe, a column for each alternative."""
    answers: tuple[str, ...]
    came: tuple[float, ...]
    expected: tuple[float, ...]


def ask_cards(shoes: Sequence[SeenShoe]) -> list[CardsQuestion]:
    """Everything that is asked of the cards; shoes without a card count as having said nothing."""
    trials = [_Draws(shoe) for shoe in shoes]
    if not trials:
        return []
    return [
        _one_card_missing_or_too_many(shoes),
        _grouped("rank of a card", trials, [np.arange(52) % 13 == rank for rank in range(13)], _RANKS),
        _grouped("suit of a card", trials, [np.arange(52) // 13 == suit for suit in range(4)], _SUITS),
        _following("next card of a new deck follows", trials, "after"),
        _following("card of the same rank follows", trials, "alike"),
    ]


_RANKS = tuple(DECK[place].rank.notation for place in range(13))
_SUITS = tuple(DECK[place * 13].suit.symbol for place in range(4))


class _Draws:
    """The cards of a shoe with the counts of unseen cards before each."""

    def __init__(self, shoe: SeenShoe) -> None:
        self.drawn = np.array([card.index for card in shoe.cards], np.int64)
        shown = self.drawn[:, None] == np.arange(52)
        before = shoe.decks - np.cumsum(shown, axis=0) + shown
        self.chances = before / before.sum(axis=1, keepdims=True) if len(before) else np.zeros((0, 52))


def _one_card_missing_or_too_many(shoes: Sequence[SeenShoe]) -> CardsQuestion:
    """104 alternatives: one of the 52 cards is missing from the shoe, or there is one more of it.

    The ratios of a whole shoe come to closed forms: with N cards, n of them seen, d of a card and j of those
    seen, N/(N-n) · (d-j)/d for one that is missing, (N-n+1)/(N+1) · (d+1)/(d-j+1) for one too many.
    """
    rows = []
    for shoe in shoes:
        size, decks = shoe.decks * 52, shoe.decks
        seen = np.bincount([card.index for card in shoe.cards], minlength=52).astype(np.float64)
        left = size - seen.sum()
        with np.errstate(divide="ignore"):
            missing = np.log(size / max(left, 0.5)) + np.log((decks - seen) / decks)
        more = np.log((left + 1) / (size + 1)) + np.log((decks + 1) / (decks - seen + 1))
        rows.append(np.concatenate((missing, more)))
    full = sum(len(set(shoe.cards)) > 0 for shoe in shoes)
    return CardsQuestion(
        "a card missing or too many", np.array(rows).reshape(len(shoes), 104), ("shoes",), (full,), (full,)
    )


def _grouped(
    name: str, trials: Sequence[_Draws], groups: Sequence[NDArray[np.bool_]], words: tuple[str, ...]
) -> CardsQuestion:
    came = [np.stack([group[draws.drawn] for group in groups], axis=1) for draws in trials]
    chances = [np.stack([draws.chances @ group for group in groups], axis=1) for draws in trials]
    return _question(name, words, came, chances)


def _following(name: str, trials: Sequence[_Draws], how: str) -> CardsQuestion:
    came, chances = [], []
    for draws in trials:
        earlier, later = draws.drawn[:-1], draws.drawn[1:]
        if how == "after":
            wanted = np.array(_SUCCESSOR)[earlier]
            came.append((later == wanted)[:, None])
            chances.append(draws.chances[1:][np.arange(len(later)), wanted][:, None])
        else:
            came.append((later % 13 == earlier % 13)[:, None])
            same = np.arange(52) % 13 == earlier[:, None] % 13
            chances.append((draws.chances[1:] * same).sum(axis=1)[:, None])
    return _question(name, ("yes",), came, chances)


def _question(
    name: str, words: tuple[str, ...], came: Sequence[NDArray[np.bool_]], chances: Sequence[Floats]
) -> CardsQuestion:
    rows = [
        tilted(some.astype(np.float64), chance, np.array([0]))
        if len(some)
        else np.zeros((1, len(words) * len(TILTS)))
        for some, chance in zip(came, chances, strict=True)
    ]
    totals = [tuple(map(float, sum(part.sum(axis=0) for part in parts))) for parts in (came, chances)]
    return CardsQuestion(name, np.concatenate(rows), words, totals[0], totals[1])


def repeated_orders(shoes: Sequence[SeenShoe]) -> list[tuple[int, int]]:
    """Pairs of shoes, the earlier first, that began with the same cards in the same order."""
    first: dict[tuple[int, ...], int] = {}
    found = []
    for shoe in shoes:
        beginning = tuple(card.index for card in shoe.cards[:SAME_ORDER])
        if len(beginning) == SAME_ORDER:
            earlier = first.setdefault(beginning, shoe.number)
            if earlier != shoe.number:
                found.append((earlier, shoe.number))
    return found
