"""Whether the cards themselves came as from an honest, well shuffled shoe.

A shoe that lacks a card or has one too many, ranks and suits that come too often, cards that follow each
other as in a new deck, and an order that was seen before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from punto.audit.watching.arrays import SeenArrays
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


def ask_cards(seen: SeenArrays) -> list[CardsQuestion]:
    """Everything that is asked of the cards; shoes without a card count as having said nothing."""
    if not seen.shoes:
        return []
    following = (
        _Asked("next card of a new deck follows", ("yes",), _new_deck),
        _Asked("card of the same rank follows", ("yes",), _same_rank),
    )
    return [
        _one_card_missing_or_too_many(seen),
        *_tilted_questions(
            seen, (_grouped("rank of a card", _RANKS, 13), _grouped("suit of a card", _SUITS, 4))
        ),
        *_tilted_questions(seen, following),
        _burn_card(seen),
    ]


_RANKS = tuple(DECK[place].rank.notation for place in range(13))
_SUITS = tuple(DECK[place * 13].suit.symbol for place in range(4))

Trials = tuple["NDArray[np.bool_]", "Floats"]
"""What came of each draw, and with which chance: a column for each answer."""


@dataclass(frozen=True, slots=True)
class _Asked:
    name: str
    answers: tuple[str, ...]
    ask: Callable[[NDArray[np.int64], Floats], Trials]
    """Of the cards of a shoe, and of the chances of the 52 cards before each of them."""


def _chances(drawn: NDArray[np.int64], decks: int) -> Floats:
    """The chances of the 52 cards before each draw."""
    shown = drawn[:, None] == np.arange(52)
    before = decks - np.cumsum(shown, axis=0) + shown
    return before / before.sum(axis=1, keepdims=True) if len(before) else np.zeros((0, 52))


def _grouped(name: str, words: tuple[str, ...], count: int) -> _Asked:
    """Which of 13 ranks, or of 4 suits, a card is."""
    of_card = np.arange(52) % 13 if count == 13 else np.arange(52) // 13
    is_in = (of_card[:, None] == np.arange(count)).astype(np.float64)
    return _Asked(name, words, lambda drawn, chances: (is_in[drawn] > 0, chances @ is_in))


def _new_deck(drawn: NDArray[np.int64], chances: Floats) -> Trials:
    wanted = np.array(_SUCCESSOR)[drawn[:-1]]
    return (drawn[1:] == wanted)[:, None], chances[1:][np.arange(len(wanted)), wanted][:, None]


def _same_rank(drawn: NDArray[np.int64], chances: Floats) -> Trials:
    earlier, later = drawn[:-1] % 13, drawn[1:] % 13
    of_rank = chances.reshape(len(chances), 4, 13).sum(axis=1)[1:]
    return (later == earlier)[:, None], of_rank[np.arange(len(earlier)), earlier][:, None]


SHOES_AT_ONCE = 32


def _tilted_questions(seen: SeenArrays, asked: Sequence[_Asked]) -> list[CardsQuestion]:
    """Questions that are asked of every draw; some shoes at a time."""
    widths = [len(one.answers) for one in asked]
    rows = [np.zeros((seen.shoes, width * len(TILTS))) for width in widths]
    totals = [np.zeros((2, width)) for width in widths]
    for start in range(0, seen.shoes, SHOES_AT_ONCE):
        part = slice(start, start + SHOES_AT_ONCE)
        shoes = [
            (place, drawn, _chances(drawn, decks))
            for place, (drawn, decks) in enumerate(
                zip(seen.drawn[part], seen.decks[part], strict=True), start
            )
            if len(drawn) > 1
        ]
        if not shoes:
            continue
        places = np.array([place for place, _, _ in shoes])
        for number, one in enumerate(asked):
            trials = [one.ask(drawn, chances) for _, drawn, chances in shoes]
            came = np.concatenate([came for came, _ in trials]).astype(np.float64)
            chances = np.concatenate([chance for _, chance in trials])
            begins = np.cumsum([0, *(len(some) for some, _ in trials[:-1])])
            rows[number][places] = tilted(came, chances, begins)
            totals[number] += np.stack((came.sum(axis=0), chances.sum(axis=0)))
    return [
        CardsQuestion(one.name, ratios, one.answers, tuple(map(float, both[0])), tuple(map(float, both[1])))
        for one, ratios, both in zip(asked, rows, totals, strict=True)
    ]


def _burn_card(seen: SeenArrays) -> CardsQuestion:
    """The rank of the burn card that is shown first: each of 13 with the same chance."""
    shown = np.flatnonzero(seen.burned >= 0)
    rows = np.zeros((seen.shoes, 13 * len(TILTS)))
    came = (seen.burned[shown, None] % 13 == np.arange(13)).astype(np.float64)
    chances = np.full(came.shape, 1 / 13)
    if len(shown):
        rows[shown] = tilted(came, chances, np.arange(len(shown)))
    expected = tuple(map(float, chances.sum(axis=0)))
    return CardsQuestion("burn card", rows, _RANKS, tuple(map(float, came.sum(axis=0))), expected)


def _one_card_missing_or_too_many(seen: SeenArrays) -> CardsQuestion:
    """104 alternatives: one of the 52 cards is missing from the shoe, or there is one more of it.

    The ratios of a whole shoe come to closed forms: with N cards, n of them seen, d of a card and j of those
    seen, N/(N-n) · (d-j)/d for one that is missing, (N-n+1)/(N+1) · (d+1)/(d-j+1) for one too many.
    """
    rows = []
    for drawn, decks in zip(seen.drawn, seen.decks, strict=True):
        size, out = decks * 52, np.bincount(drawn, minlength=52).astype(np.float64)
        left = size - out.sum()
        with np.errstate(divide="ignore"):
            missing = np.log(size / max(left, 0.5)) + np.log((decks - out) / decks)
        more = np.log((left + 1) / (size + 1)) + np.log((decks + 1) / (decks - out + 1))
        rows.append(np.concatenate((missing, more)))
    full = sum(len(drawn) > 0 for drawn in seen.drawn)
    return CardsQuestion(
        "a card missing or too many", np.array(rows).reshape(seen.shoes, 104), ("shoes",), (full,), (full,)
    )


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
