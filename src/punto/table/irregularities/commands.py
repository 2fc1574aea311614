"""What is asked when something went wrong."""

from __future__ import annotations

from enum import Enum
from typing import ClassVar

from punto.cards.card import Card
from punto.table.header import CommandHeader
from punto.table.irregularities.sighting import OrderKnown, Seen, ToldSighting


class Report(CommandHeader, frozen=True, kw_only=True):
    """What was seen. The round stands still until the case is resolved."""

    phrase: ClassVar[str] = "report"

    cards: tuple[ToldSighting, ...] = ()
    seen: tuple[Seen, ...] = ()
    order: OrderKnown | None = None
    """Everybody saw in which order the cards left the shoe: as they are named."""
    round: int | None = None
    """The round it happened in, where it is an earlier one."""
    note: str = ""


class WithdrawEvidence(CommandHeader, frozen=True, kw_only=True):
    """Take back what a report said."""

    phrase: ClassVar[str] = "take back"

    cards: tuple[int, ...] = ()
    """Numbers of cards in the round, as now on record."""
    seen: tuple[Seen, ...] = ()


class DismissReport(CommandHeader, frozen=True, kw_only=True):
    """The report was a mistake: all of its evidence is taken back."""

    phrase: ClassVar[str] = "dismiss the report"

    reason: str


class JudgeReconstruction(CommandHeader, frozen=True, kw_only=True):
    """The House's word on whether the cards can be put back into their order."""

    phrase: ClassVar[str] = "reconstruction possible"

    possible: bool


class OrderCards(CommandHeader, frozen=True, kw_only=True):
    """The order of cards that were drawn together."""

    phrase: ClassVar[str] = "order cards"

    cards: tuple[Card | int, ...]
    """Each by its name, or by its number in the round, as now on record: so is one that nobody has seen."""


class VoidRound(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "void the round"

    reason: str = ""


class ReplaceCards(CommandHeader, frozen=True, kw_only=True):
    """Take the set of cards out of play; a new one is loaded before the next round."""

    phrase: ClassVar[str] = "replace the cards"


class Option(Enum):
    """What a player may choose after a dealing error."""

    CONTINUE = "continue"
    RETURN = "return"


class ChooseOption(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "choose"

    option: Option
    round: int | None = None


class CloseOptions(CommandHeader, frozen=True, kw_only=True):
    """No more choices: who is away continues."""

    phrase: ClassVar[str] = "close the options"


class ExpireOptions(CommandHeader, frozen=True, kw_only=True):
    """The decision clock ran out: whoever has not chosen continues, like somebody who is away."""

    phrase: ClassVar[str] = "no more choices"


class ReturnBets(CommandHeader, frozen=True, kw_only=True):
    """Return the original bets of players whose wish to insure was not met."""

    phrase: ClassVar[str] = "return bets"


class Effect(Enum):
    """What a ruling does."""

    CONTINUE = "continue"
    VOID = "void"
    RETURN = "return"
    """The bets of the players named go back; the round goes on."""
    STAND = "stand"
    """Bets under the minimum that were noticed stand as they are."""


class Rule(CommandHeader, frozen=True, kw_only=True):
    """A ruling on what the rules do not cover."""

    phrase: ClassVar[str] = "rule"

    effect: Effect
    reason: str
    players: tuple[str, ...] = ()
    """Whose bets, for a ruling that returns bets."""


IrregularityCommand = (
    Report
    | WithdrawEvidence
    | DismissReport
    | JudgeReconstruction
    | OrderCards
    | VoidRound
    | ReplaceCards
    | ChooseOption
    | CloseOptions
    | ExpireOptions
    | ReturnBets
    | Rule
)
