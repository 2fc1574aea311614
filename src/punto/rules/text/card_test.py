"""Tests on cards as a book writes them: on one card, on a group of cards, and on two cards compared."""

from __future__ import annotations

from enum import Enum

import msgspec

from punto.rules.text.number import Numbers


class SuitName(Enum):
    """A suit as books write it."""

    SPADES = "spades"
    HEARTS = "hearts"
    DIAMONDS = "diamonds"
    CLUBS = "clubs"


class Colour(Enum):
    """Hearts and diamonds are red, spades and clubs are black."""

    RED = "red"
    BLACK = "black"


class Alike(Enum):
    """What cards of a group may have in common."""

    RANK = "rank"
    SUIT = "suit"
    COLOUR = "colour"
    CARD = "card"
    """Rank and suit: identical cards."""


class PokerClass(Enum):
    """What four cards make as a poker hand, best first. Each hand belongs to its best class only."""

    MINI_ROYAL = "mini-royal"
    """Ace, king, queen and jack of one suit."""
    STRAIGHT_FLUSH = "straight-flush"
    FOUR_OF_A_KIND = "four-of-a-kind"
    THREE_OF_A_KIND = "three-of-a-kind"
    FLUSH = "flush"
    STRAIGHT = "straight"
    """Four ranks in a row; an ace is below the two or above the king."""
    TWO_PAIR = "two-pair"
    PAIR = "pair"
    HIGH_CARD = "high-card"


class CardPlace(Enum):
    """A card by the hand it was dealt to, and its place in that hand."""

    PLAYER_1 = "player-1"
    PLAYER_2 = "player-2"
    PLAYER_3 = "player-3"
    BANKER_1 = "banker-1"
    BANKER_2 = "banker-2"
    BANKER_3 = "banker-3"


class Compared(Enum):
    """How one card compares with another."""

    HIGHER = "higher"
    LOWER = "lower"
    EQUAL = "equal"


class ComparedBy(Enum):
    """What of two cards is compared."""

    RANK = "rank"
    """Ace low, king high."""
    RANK_ACE_HIGH = "rank-ace-high"
    POINTS = "points"
    CARD = "card"
    """Rank, ace low, and of one rank the suit: clubs, diamonds, hearts, spades. Equal is the same card."""


class _Test(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, repr_omit_defaults=True
):
    """A test names what must hold, all of it together."""


class CardTest(_Test, frozen=True):
    """A test on one card; everything that is named must hold."""

    rank: str | tuple[str, ...] | None = None
    """A rank, or any of several: A, 2 to 10, J, Q, K."""
    points: Numbers | None = None
    """What the card counts, 0 to 9; a ten or a picture card counts 0."""
    face: bool | None = None
    """A jack, queen or king (true), or any other card (false)."""
    suit: SuitName | tuple[SuitName, ...] | None = None
    """A suit, or any of several."""
    colour: Colour | None = None
    """Red or black."""
    card: str | tuple[str, ...] | None = None
    """One exact card, or any of several: 9D is the nine of diamonds."""


class GroupTest(_Test, frozen=True):
    """A test on a group of cards; everything that is named must hold."""

    all: CardTest | None = None
    """Every card of the group meets this test."""
    none: CardTest | None = None
    """No card of the group meets this test."""
    number: Numbers | None = None
    """How many cards of the group meet the test `of`, exactly; at least two is "2-6"."""
    of: CardTest | None = None
    """The test that `number` counts by."""
    same: Alike | tuple[Alike, ...] | None = None
    """All cards of the group have the same rank, suit or colour, or are the same card."""
    not_same: Alike | tuple[Alike, ...] | None = None
    """The cards of the group do not all have the same; of several, none of them."""
    ranks: tuple[str, ...] | None = None
    """The ranks of the group are exactly these, in any order."""
    poker: PokerClass | tuple[PokerClass, ...] | None = None
    """What the first four cards make as a poker hand."""


class CardComparison(_Test, frozen=True):
    """Two cards compared; it never holds where one of them was not dealt."""

    first: CardPlace
    """The card that is higher, lower or equal."""
    second: CardPlace
    """The card that it is compared with."""
    result: Compared | tuple[Compared, ...]
    """How the first card compares with the second: higher, lower or equal."""
    by: ComparedBy = ComparedBy.RANK
    """What is compared: rank (default, ace low), rank-ace-high, or points."""
