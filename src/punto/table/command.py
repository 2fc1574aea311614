"""Everything that can be asked of a table: one frozen struct a command, tagged by its name.

The JSON form is the struct's fields beside `"type"`, the name in lower case with hyphens. Every command says
who gives it, in which role, when, and under which key; where the rules ask for a second person, it names that
person too. Amounts are minor units.
"""

from __future__ import annotations

import re
from enum import Enum

import msgspec

from punto.cards.card import Card
from punto.rules.facts import Hand
from punto.rules.role import Role
from punto.rules.text.irregularity import Irregular
from punto.table.terms import Terms


def hyphened(name: str) -> str:
    """`PlaceBet` as `place-bet`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


class Person(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody in a role."""

    name: str
    role: Role


class CommandHeader(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag=hyphened
):
    """Who gives a command, in which role, when (milliseconds) and under which key."""

    actor: str
    role: Role
    time: int = 0
    key: str = ""
    second: Person | None = None
    """The second person, where one is needed."""

    @classmethod
    def name(cls) -> str:
        """The tag of the command."""
        return str(cls.__struct_config__.tag)


# ── The table and its shoe ───────────────────────────────────────────────────────────────────────


class OpenTable(CommandHeader, frozen=True, kw_only=True):
    terms: Terms


class ChangeTerms(CommandHeader, frozen=True, kw_only=True):
    terms: Terms


class PauseTable(CommandHeader, frozen=True, kw_only=True):
    pass


class ResumeTable(CommandHeader, frozen=True, kw_only=True):
    pass


class CloseTable(CommandHeader, frozen=True, kw_only=True):
    pass


class LoadShoe(CommandHeader, frozen=True, kw_only=True):
    """Put a fresh, shuffled set of cards into play between rounds."""


class BurnCards(CommandHeader, frozen=True, kw_only=True):
    """Burn as the terms say; `card` is the one shown, where one is."""

    card: Card | None = None


# ── People ───────────────────────────────────────────────────────────────────────────────────────


class TakeSeat(CommandHeader, frozen=True, kw_only=True):
    box: int
    player: str | None = None
    """Whom staff seats; a player sits down for himself or herself."""


class LeaveSeat(CommandHeader, frozen=True, kw_only=True):
    player: str | None = None


class WalkAway(CommandHeader, frozen=True, kw_only=True):
    player: str | None = None


class ComeBack(CommandHeader, frozen=True, kw_only=True):
    player: str | None = None


# ── Betting ──────────────────────────────────────────────────────────────────────────────────────


class CallBets(CommandHeader, frozen=True, kw_only=True):
    """The call that opens a round."""


class PlaceBet(CommandHeader, frozen=True, kw_only=True):
    """Place a bet, or raise the one that lies there by so much."""

    box: int
    area: str
    amount: int
    player: str | None = None
    """On whose behalf a pit employee bets."""


class ReduceBet(CommandHeader, frozen=True, kw_only=True):
    """Take so much off a bet."""

    box: int
    area: str
    amount: int
    player: str | None = None


class WithdrawBet(CommandHeader, frozen=True, kw_only=True):
    """Take a bet off."""

    box: int
    area: str
    player: str | None = None


class RejectExcess(CommandHeader, frozen=True, kw_only=True):
    """The dealer noticed a box over its limits and pushes the excess back."""

    box: int


class AdviseMinimum(CommandHeader, frozen=True, kw_only=True):
    """The dealer noticed a bet under the minimum and says so."""

    box: int
    area: str
    player: str


class CloseBets(CommandHeader, frozen=True, kw_only=True):
    """The call that closes the betting."""


# ── Dealing ──────────────────────────────────────────────────────────────────────────────────────


class DealCard(CommandHeader, frozen=True, kw_only=True):
    """The next card. From a physical shoe dealt face down, nobody knows yet which it is."""

    card: Card | None = None


class RevealCard(CommandHeader, frozen=True, kw_only=True):
    """Turn a face-down card up."""

    hand: Hand
    number: int
    """The hand's first, second or third card."""
    card: Card | None = None
    """Which it is, where only the one who turns it can see."""


class CorrectCard(CommandHeader, frozen=True, kw_only=True):
    """Put right a card of this round that was keyed in wrongly."""

    hand: Hand
    number: int
    card: Card


class SettleRound(CommandHeader, frozen=True, kw_only=True):
    """Pay, take and return every bet."""


# ── Antes ────────────────────────────────────────────────────────────────────────────────────────


class PlaceWager(CommandHeader, frozen=True, kw_only=True):
    """Go on with an ante: the wager beside it."""

    box: int
    area: str
    """The betting area of the wager."""
    amount: int
    player: str | None = None


class GiveUpAnte(CommandHeader, frozen=True, kw_only=True):
    box: int
    area: str
    """The betting area of the ante."""
    player: str | None = None


class ExpireAntes(CommandHeader, frozen=True, kw_only=True):
    """The decision clock ran out: every ante not decided is given up."""


# ── Insurance ────────────────────────────────────────────────────────────────────────────────────


class OfferInsurance(CommandHeader, frozen=True, kw_only=True):
    """The dealer offers the insurance that is due, where the display does not."""


class TakeInsurance(CommandHeader, frozen=True, kw_only=True):
    box: int
    hand: Hand
    amount: int
    player: str | None = None


class DeclineInsurance(CommandHeader, frozen=True, kw_only=True):
    player: str | None = None


class WishInsurance(CommandHeader, frozen=True, kw_only=True):
    """A player meant to insure, and no offer had been made."""

    box: int
    hand: Hand
    player: str | None = None


# ── Squeezes ─────────────────────────────────────────────────────────────────────────────────────


class SqueezeKind(Enum):
    """What a player asks to do by hand."""

    CARD = "card"
    """Squeeze a card that has not been dealt yet."""
    BANKER_THIRD_FIRST = "banker-third-first"
    """Squeeze Banker's third card before Player's third is opened."""
    BANKER_THIRD_SHOWN = "banker-third-shown"
    """Have Banker's third card shown before squeezing Player's third."""


class AskSqueeze(CommandHeader, frozen=True, kw_only=True):
    kind: SqueezeKind = SqueezeKind.CARD
    hand: Hand | None = None
    number: int | None = None


class AnswerSqueeze(CommandHeader, frozen=True, kw_only=True):
    consent: bool


# ── When something goes wrong ────────────────────────────────────────────────────────────────────


class Report(CommandHeader, frozen=True, kw_only=True):
    """Something is wrong. The round stands still until it is resolved."""

    kind: Irregular
    cards: tuple[Card, ...] = ()
    """Cards that left the shoe in error and are not yet on record, in their order where it is known."""
    placed: tuple[Hand, ...] = ()
    """Where those cards were put."""
    hand: Hand | None = None
    number: int | None = None
    """The card it is about."""
    round: int | None = None
    """The round it happened in, where it is an earlier one."""
    note: str = ""


class DismissReport(CommandHeader, frozen=True, kw_only=True):
    """The report was a mistake."""

    reason: str


class JudgeReconstruction(CommandHeader, frozen=True, kw_only=True):
    """The house's word on whether the cards can be put back into their order."""

    possible: bool


class OrderCards(CommandHeader, frozen=True, kw_only=True):
    """The order of cards that were drawn together."""

    cards: tuple[Card, ...]


class VoidRound(CommandHeader, frozen=True, kw_only=True):
    reason: str = ""


class ReplaceCards(CommandHeader, frozen=True, kw_only=True):
    """Take the set of cards out of play; a new one is loaded before the next round."""


class Option(Enum):
    """What a player may choose after a dealing error."""

    CONTINUE = "continue"
    RETURN = "return"


class ChooseOption(CommandHeader, frozen=True, kw_only=True):
    option: Option


class CloseOptions(CommandHeader, frozen=True, kw_only=True):
    """No more choices: who is away continues."""


class ReturnBets(CommandHeader, frozen=True, kw_only=True):
    """Return the original bets of players whose wish to insure was not met."""


class Effect(Enum):
    """What a ruling does."""

    CONTINUE = "continue"
    VOID = "void"
    RETURN = "return"
    """The bets of the players named go back; the round goes on."""
    STAND = "stand"
    """Bets under the minimum that were noticed stand as they lie."""


class Rule(CommandHeader, frozen=True, kw_only=True):
    """A ruling on what the rules do not cover."""

    effect: Effect
    reason: str
    players: tuple[str, ...] = ()
    """Whose bets, for a ruling that returns bets."""


Command = (
    OpenTable
    | ChangeTerms
    | PauseTable
    | ResumeTable
    | CloseTable
    | LoadShoe
    | BurnCards
    | TakeSeat
    | LeaveSeat
    | WalkAway
    | ComeBack
    | CallBets
    | PlaceBet
    | ReduceBet
    | WithdrawBet
    | RejectExcess
    | AdviseMinimum
    | CloseBets
    | DealCard
    | RevealCard
    | CorrectCard
    | SettleRound
    | PlaceWager
    | GiveUpAnte
    | ExpireAntes
    | OfferInsurance
    | TakeInsurance
    | DeclineInsurance
    | WishInsurance
    | AskSqueeze
    | AnswerSqueeze
    | Report
    | DismissReport
    | JudgeReconstruction
    | OrderCards
    | VoidRound
    | ReplaceCards
    | ChooseOption
    | CloseOptions
    | ReturnBets
    | Rule
)
