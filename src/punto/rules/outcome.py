"""How a deal comes out: its facts, which are everything that a pay table may ask about, and what becomes of a
bet: it wins at some odds, comes back, or is lost.
"""

from __future__ import annotations

import re
from enum import Enum, StrEnum
from fractions import Fraction

import msgspec
from msgspec.structs import force_setattr

from punto.cards.card import Card, Rank
from punto.rules.told import told

TOTALS = 10 * 10 * 2 * 2  # Number of different `totals`, possible or not.
PAIRS = 1 + 13 * 2  # No pair, or a pair of one of 13 ranks, of two suits or of one.
NO_PAIR = 0
NO_ROW = -1  # Stands for a row of a pay table where no deal leads.


class Hand(StrEnum):
    """The two hands that are dealt; text, so that a strategy may ask for `"banker"` as a policy file writes it."""

    PLAYER = "player"
    BANKER = "banker"

    @property
    def other(self) -> Hand:
        return Hand.BANKER if self is Hand.PLAYER else Hand.PLAYER


class Winner(StrEnum):
    """Which hand won, if one did; text, as `Hand` is."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"

    @property
    def label(self) -> str:
        return self.value.title()


INSURANCE = "insurance-"  # How the names of betting areas of insurance begin, and no others.


def insurance_area(hand: Hand, cards: int) -> str:
    return f"{INSURANCE}{hand.value}-{cards}"


class Facts(msgspec.Struct, frozen=True, gc=False):
    """The facts of one finished deal."""

    totals: int
    player_pair: int
    banker_pair: int

    @property
    def spelled(self) -> Totals:
        """The points and cards of both hands, and the winner, which `totals` has in one number."""
        return ALL_TOTALS[self.totals]


class Totals(msgspec.Struct, frozen=True, gc=False):
    """The `totals` index spelled out."""

    player_points: int
    player_cards: int
    banker_points: int
    banker_cards: int

    @property
    def index(self) -> int:
        return totals_index(self.player_points, self.player_cards, self.banker_points, self.banker_cards)

    @property
    def winner(self) -> Winner:
        if self.player_points == self.banker_points:
            return Winner.TIE
        return Winner.PLAYER if self.player_points > self.banker_points else Winner.BANKER

    def of(self, hand: Hand) -> tuple[int, int]:
        is_player = hand is Hand.PLAYER
        return (self.player_points, self.player_cards) if is_player else (self.banker_points, self.banker_cards)

    def __str__(self) -> str:
        player, banker = ({2: "two", 3: "three"}[cards] for cards in (self.player_cards, self.banker_cards))
        return f"Player {self.player_points} on {player} cards, Banker {self.banker_points} on {banker}"


def totals_index(player_points: int, player_cards: int, banker_points: int, banker_cards: int) -> int:
    """The index of points and numbers of cards among all `TOTALS`."""
    return player_points * 40 + banker_points * 4 + player_cards * 2 + banker_cards - 6


ALL_TOTALS: tuple[Totals, ...] = tuple(
    Totals(pp, pc, bp, bc) for pp in range(10) for bp in range(10) for pc in (2, 3) for bc in (2, 3)
)
"""Every `Totals`, each at its index."""


def pair_index(first: Card, second: Card) -> int:
    """Which pair two cards are: 0 for none; ten and king count the same but are not a pair."""
    if first.rank != second.rank:
        return NO_PAIR
    return 2 * first.rank - (0 if first.suit is second.suit else 1)


def pair_rank(pair: int) -> Rank | None:
    return Rank((pair + 1) // 2) if pair else None


def is_pair_suited(pair: int) -> bool:
    """Whether a pair is of one suit (two decks or more can make one)."""
    return pair > 0 and pair % 2 == 0


def describe_pair(pair: int) -> str:
    rank = pair_rank(pair)
    return f"a {'suited ' if is_pair_suited(pair) else ''}pair of {rank.notation}" if rank else "no pair"


# Odds are exact fractions, "eight to one" being 8 units won for each unit staked. The stake itself always
# comes back with a win, so it is not part of the odds.
_ODDS = re.compile(r"(\d+(?:\.\d+)?)(:| to | for )(\d+(?:\.\d+)?)", re.ASCII)
LONGEST_ODDS = 40  # Characters of odds as they are written.
PLAIN, DECIMALS = 10, 6  # Stakes from which odds are shown as a decimal to 1, and how many places that may have.
MOST_ODDS = 1_000_000  # The greatest number in odds in lowest terms, on either side.


class Result(Enum):
    """The three things that can happen to a bet."""

    WIN = "win"
    PUSH = "push"
    LOSE = "lose"


class Kept(msgspec.Struct, frozen=True):
    """What the house keeps of a win as its commission, and what is won before that, for one unit staked."""

    rate: Fraction  # The part of the winnings.
    clause: str | None
    gross: Fraction
    # Taken apart once, as the net of an outcome is.
    gross_numerator: int = 0
    gross_denominator: int = 1

    def __post_init__(self) -> None:
        force_setattr(self, "gross_numerator", self.gross.numerator)
        force_setattr(self, "gross_denominator", self.gross.denominator)


class Outcome(msgspec.Struct, frozen=True):
    """A result, the odds it is paid at if it is a win, and the clause it rests on."""

    result: Result
    odds: Fraction | None  # After the commission, where there is one.
    clause: str
    commission: Kept | None = None
    # The net of one unit staked, taken apart once so that settling needs only whole numbers.
    net_numerator: int = 0
    net_denominator: int = 1

    def __post_init__(self) -> None:
        assert (self.odds is not None) == (self.result is Result.WIN), "a win has odds, and only a win"
        force_setattr(self, "net_numerator", self.net.numerator)
        force_setattr(self, "net_denominator", self.net.denominator)

    @property
    def net(self) -> Fraction:
        """What one unit staked gains, exactly; a loss is -1."""
        if self.odds is not None:
            return self.odds
        return Fraction(0 if self.result is Result.PUSH else -1)


def parse_odds(text: str) -> Fraction:
    """Read odds such as `8:1`, `1:2`, `0.95:1`, `8 to 1`, or `9 for 1` with the stake in it.

    In lowest terms they have up to a million on each side.
    """
    if len(text) > LONGEST_ODDS:
        raise ValueError(told("long-odds", most=LONGEST_ODDS, number=str(len(text))))
    match = _ODDS.fullmatch(text)
    gain, stake = (Fraction(match[1]), Fraction(match[3])) if match else (Fraction(0), Fraction(0))
    if match and match[2] == " for " and stake:  # the stake that comes back is counted: 25 for 1 is 24 to 1
        if gain <= stake:
            raise ValueError(told("wins-nothing", value=repr(text)))
        gain -= stake
    if not gain or not stake:
        raise ValueError(told("not-odds", value=repr(text)))
    odds = gain / stake
    if max(odds.numerator, odds.denominator) > MOST_ODDS:
        raise ValueError(told("high-odds", value=text, most=MOST_ODDS))
    return odds


_RATE = re.compile(r"(\d{1,2}(?:\.\d{1,4})?) ?%", re.ASCII)


def parse_rate(text: str) -> Fraction:
    """Read the rate of a commission, such as `5%` or `4.5 %`: more than nothing, less than all."""
    match = _RATE.fullmatch(text)
    if match is None or not (rate := Fraction(match[1]) / 100):
        raise ValueError(told("not-a-rate", value=repr(text[:LONGEST_ODDS])))
    return rate


def format_odds(odds: Fraction) -> str:
    """Odds as whole numbers in lowest terms, as records and programs have them: `8:1`, `19:20`, `3:2`."""
    return f"{odds.numerator}:{odds.denominator}"


def shown_odds(odds: Fraction | str) -> str:
    """Odds as people write them, and as exact: `8:1`, `3:2`, `1:2`, but `0.95:1` for 19:20 and `0.955:1` for 191:200.

    Only small numbers are said to one another. What no short decimal says, such as 13:11, stays in whole numbers.
    """
    odds = parse_odds(odds) if isinstance(odds, str) else odds
    millionths = odds * 10**DECIMALS
    if odds.denominator < PLAIN or millionths.denominator > 1:
        return format_odds(odds)
    whole, rest = divmod(millionths.numerator, 10**DECIMALS)
    return f"{whole}.{rest:0{DECIMALS}}".rstrip("0") + ":1"
