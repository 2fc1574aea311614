"""What lies on the layout and is remembered of a round: bets, insurance, wishes, squeezes, settled lines.

Plain values that commands, events and the state share. Amounts are minor units.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from punto.rules.facts import Hand
from punto.rules.outcome import Result


class Stake(msgspec.Struct, frozen=True, omit_defaults=True):
    """An amount of one player on one betting area of one box."""

    box: int
    player: str
    area: str
    amount: int


class AnteState(Enum):
    """What became of an ante so far."""

    OPEN = "open"
    WAGERED = "wagered"
    GIVEN_UP = "given-up"


class LaidBet(msgspec.Struct, frozen=True):
    """A bet as it lies on the layout."""

    box: int
    player: str
    area: str
    stake: int
    is_seated: bool
    is_advised: bool = False
    """The dealer noticed that it is under the minimum and said so."""
    ante: AnteState = AnteState.OPEN

    @property
    def spot(self) -> tuple[int, str, str]:
        return self.box, self.player, self.area


class OfferMade(msgspec.Struct, frozen=True):
    """Insurance that one holder of a main bet may take."""

    box: int
    player: str
    hand: Hand
    odds: str
    most: int
    """The greatest stake, a whole number of chips."""


class LaidInsurance(msgspec.Struct, frozen=True):
    """Insurance as it was taken."""

    box: int
    player: str
    hand: Hand
    window: int
    amount: int
    odds: str
    totals: tuple[int, int]
    """Points of Player and Banker that the offer was made on."""

    @property
    def area(self) -> str:
        return f"insurance-{self.hand.value}-{self.window}"


class Wish(msgspec.Struct, frozen=True):
    """A player's wish to insure that met no offer."""

    box: int
    player: str
    hand: Hand
    window: int


class Closing(msgspec.Struct, frozen=True):
    """A window that the next card closed, and who passed it up by that."""

    nth: int
    """The card of the round that closed it."""
    forgone: tuple[str, ...]


class SqueezeKind(Enum):
    """What a player asks to do by hand."""

    CARD = "card"
    """Squeeze a card that has not been dealt yet."""
    BANKER_THIRD_FIRST = "banker-third-first"
    """Squeeze Banker's third card before Player's third is opened."""
    BANKER_THIRD_SHOWN = "banker-third-shown"
    """Have Banker's third card shown before squeezing Player's third."""


class SqueezeState(msgspec.Struct, frozen=True):
    """A squeeze that was asked for, and what was said to it."""

    kind: SqueezeKind
    player: str
    hand: Hand | None
    number: int | None
    consent: bool | None = None


class SettledBet(msgspec.Struct, frozen=True, omit_defaults=True):
    """One bet, settled."""

    box: int
    player: str
    area: str
    stake: int
    result: Result
    net: int
    clause: str
    odds: str | None = None
    exact: str | None = None
    """The net before rounding, as a fraction of minor units, where it was rounded."""
