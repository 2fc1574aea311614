"""A playing card, its rank and its suit, and the notation people write them in.

The 52 cards are one closed set, so `Card` is an enum whose value is the notation (`KS`, `10H`).
That makes the notation the JSON form as well, and a card is compared by identity.
"""

from __future__ import annotations

import re
from enum import Enum, IntEnum


class Suit(Enum):
    """The four suits, in the order in which a new deck is listed."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"

    @property
    def symbol(self) -> str:
        """The suit as people print it."""
        return _SYMBOLS[self.value]


_SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


class Rank(IntEnum):
    """The thirteen ranks. Ten and the court cards are different ranks of the same points."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13

    @property
    def notation(self) -> str:
        """`A`, `2` … `10`, `J`, `Q`, `K`."""
        return _RANK_NOTATIONS[self - 1]

    @property
    def points(self) -> int:
        """What the rank counts: ace one, two to nine their number, ten and the courts nothing."""
        return self.value if self.value < 10 else 0

    @classmethod
    def parse(cls, text: str) -> Rank:
        """Read a rank; `T` and lower case are read too."""
        rank = _RANKS_READ.get(text.upper())
        if rank is None:
            raise ValueError(f"{text!r} is not a rank; ranks are {' '.join(_RANK_NOTATIONS)}")
        return rank


_RANK_NOTATIONS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_RANKS_READ = {notation: Rank(i + 1) for i, notation in enumerate(_RANK_NOTATIONS)} | {"T": Rank.TEN}


class Card(Enum):
    """One of the 52 cards; `Card("KS")` and `Card.parse("ks")` both give the king of spades."""

    SA, S2, S3, S4, S5, S6, S7, S8, S9, S10, SJ, SQ, SK = (f"{rank}S" for rank in _RANK_NOTATIONS)
    HA, H2, H3, H4, H5, H6, H7, H8, H9, H10, HJ, HQ, HK = (f"{rank}H" for rank in _RANK_NOTATIONS)
    DA, D2, D3, D4, D5, D6, D7, D8, D9, D10, DJ, DQ, DK = (f"{rank}D" for rank in _RANK_NOTATIONS)
    CA, C2, C3, C4, C5, C6, C7, C8, C9, C10, CJ, CQ, CK = (f"{rank}C" for rank in _RANK_NOTATIONS)

    # Plain attributes, set once: looking them up is what dealing spends its time on.
    rank: Rank
    suit: Suit
    points: int
    index: int  # Place in a new deck, 0 to 51: suits in their order, ace to king in each.

    def __init__(self, notation: str) -> None:
        self.rank = _RANKS_READ[notation[:-1]]
        self.suit = Suit(notation[-1])
        self.points = self.rank.points
        self.index = tuple(Suit).index(self.suit) * 13 + self.rank - 1

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read one card: rank then suit, `KS`, `10h` or `K♠`; `T` stands for ten."""
        card = _CARDS_READ.get(text) or _CARDS_READ.get(_bare(text))
        if card is None:
            raise ValueError(f"{text!r} is not a card{_question(text)}; write rank then suit, such as KS or 10H")
        return card

    @property
    def symbol(self) -> str:
        """The card as people print it: `K♠`."""
        return f"{self.rank.notation}{self.suit.symbol}"

    def __str__(self) -> str:
        return str(self.value)

    def __repr__(self) -> str:
        return f"Card({self.value!r})"


_SIGNS = {sign: suit for suit, signs in zip("SHDC", ("♠♤", "♥♡", "♦♢", "♣♧"), strict=True) for sign in signs}
"""Signs that people and telephones write for suits."""
_AS_LETTERS = str.maketrans(_SIGNS | dict.fromkeys("\ufe0e\ufe0f"))  # a sign may ask to be text or a picture
_CARDS_READ = {str(card): card for card in Card} | {f"T{suit.value}": Card(f"10{suit.value}") for suit in Suit}
_RUN_TOGETHER = "(?:(?:10|[A2-9TJQK])[SHDC]){2,}"


def _bare(text: str) -> str:
    """A card in capital letters, whatever signs it was written with."""
    return text.strip().upper().translate(_AS_LETTERS)


def card_meant(text: str) -> str:
    """What was most likely meant: suit before rank, 1 for an ace, or cards without blanks; empty where nothing is."""
    bare = _bare(text)
    for likely in (bare[1:] + bare[:1], f"A{bare[1:]}" if bare[:1] == "1" else ""):
        if likely in _CARDS_READ:
            return str(_CARDS_READ[likely])
    if len(bare) < LONGEST_RUN and re.fullmatch(_RUN_TOGETHER, bare):
        return re.sub("([SHDC])", r"\1 ", bare).strip()
    return ""


def _question(text: str) -> str:
    likely = card_meant(text)
    return f" (did you mean {likely}?)" if likely else ""


LONGEST_RUN = 20  # Letters of six cards without blanks.

DECK: tuple[Card, ...] = tuple(Card)  # A new deck, each card at its index.


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by blanks or commas, in their order."""
    return tuple(Card.parse(word) for word in text.replace(",", " ").split())


def format_symbols(cards: tuple[Card, ...]) -> str:
    return " ".join(card.symbol for card in cards)


def format_cards(cards: tuple[Card, ...] | list[Card]) -> str:
    """Write cards so that `parse_cards` reads them back."""
    return " ".join(map(str, cards))
